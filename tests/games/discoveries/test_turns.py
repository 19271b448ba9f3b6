"""The Camp at the start, the three forms of rest, and the order of turns."""

from __future__ import annotations

from typing import Any

import pytest

from engine import replay
from engine.errors import Refused
from engine.game import Turn
from engine.games.discoveries import game
from engine.games.discoveries.events import BankTaken, CampLaidOut, DiceRecalled, DiceThrown
from engine.games.discoveries.meta import CAP, REDRAWS, DiscoveriesOptions
from engine.games.discoveries.phases import default, forced
from engine.games.discoveries.rest import End
from engine.kit import Supply, complete, format_command, outcome, parse
from tests.games.discoveries.editions import SHORT
from tests.games.discoveries.positions import begin, dice, laid, lay_out, options, play, position, undrawn
from tests.kit.worlds import told, turn_at

# --- the start ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "cards", "greys"), [(2, 30, 6), (3, 40, 8), (4, 50, 10)])
def test_the_number_of_players_decides_the_cards_and_grey_dice(seats: int, cards: int, greys: int) -> None:
    """There are three tribes, three territories and a top card on the deck."""
    state = lay_out(seats).state
    assert len(state.removed) == 55 - cards
    assert len(state.encounters) == len(state.territories) == 3
    assert len(state.deck) + 1 == cards - 6
    assert state.stock == greys
    assert state.top not in state.deck


def test_each_seat_in_turn_chooses_a_card_and_the_territories_are_filled_up() -> None:
    """From the top card of the deck; dice are rolled only after that."""
    state = lay_out(3).state
    top = state.top
    assert options(state) == [f"choose {card}" for card in state.territories]
    turn = play(state, f"choose {state.territories[1]}")
    assert turn.state.players[0].exploring == state.territories[1]
    assert turn.state.territories == (state.territories[0], state.territories[2], top)
    assert (turn.state.seat, told(turn, DiceThrown)) == (1, [])


def test_after_the_last_choice_all_roll_five_dice_of_their_colour() -> None:
    turn = begin(4)
    thrown = told(turn, DiceThrown)
    assert [event.seat for event in thrown] == [0, 1, 2, 3]
    colours = [{die.partition("-")[0] for die in event.dice} for event in thrown]
    assert colours == [{"red"}, {"blue"}, {"green"}, {"yellow"}]
    assert all(player.reserve.total == 5 for player in turn.state.players)
    assert (turn.state.seat, turn.state.choosing) == (0, False)


def test_a_first_game_has_an_exploration_action_among_its_first_tribes() -> None:
    """Without the option the three may all be special cards, as they are with this word."""
    word = next(word for word in map(str, range(99)) if min(lay_out(2, word).state.encounters) > 36)
    again = lay_out(2, word, DiscoveriesOptions(first_game=True))
    assert min(told(again, CampLaidOut)[0].encounters) <= 36
    other = next(word for word in map(str, range(99)) if min(lay_out(2, word).state.encounters) <= 36)
    kept = lay_out(2, other, DiscoveriesOptions(first_game=True)).state
    assert kept.encounters == lay_out(2, other).state.encounters


class Stubborn:
    """Chance that sets the lowest cards aside and then always draws the highest card of the deck."""

    def __init__(self) -> None:
        self.rolled = 0

    def roll(self, sides: int) -> int:
        self.rolled += 1
        return 0 if self.rolled <= 25 else sides - 1

    def die(self, sides: int) -> int:
        """The seat that begins; no card."""
        return sides


def test_the_first_tribes_are_drawn_again_nine_times_at_most() -> None:
    """So the number of draws is bounded; then special cards are used after all."""
    chance: Any = Stubborn()
    turn = Turn(None, chance, chance, rules=1)
    game.setup(turn, 2, DiscoveriesOptions(first_game=True))
    assert turn.state.encounters == (55, 54, 53)
    assert chance.rolled == 25 + 3 * (1 + REDRAWS) + 3 + 1


# --- rest -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bank", ["right", "left"])
def test_a_rest_takes_all_dice_of_a_bank(bank: str) -> None:
    """They are rolled into the reserve, and the turn is over."""
    supply = Supply.of({"red": 1, "blue": 2, "grey": 1})
    turn = play(position(**{bank: supply}), f"rest {bank}")
    assert told(turn, BankTaken) == [BankTaken(0, bank, ("blue", "blue", "grey", "red"))]
    assert [die.partition("-")[0] for die in told(turn, DiceThrown)[0].dice] == ["blue", "blue", "grey", "red"]
    assert turn.state.players[0].reserve.total == 4
    assert not turn.state.left.total + turn.state.right.total
    assert turn.state.seat == 1


def test_an_empty_bank_cannot_be_taken() -> None:
    assert options(position(), "rest") == ["rest none"]


def test_the_rulebooks_example_takes_back_five_dice() -> None:
    """One is in the Camp, two in a second player's reserve, two on a third player's actions."""
    players = {
        1: {"reserve": "2 red-walk, blue-walk"},
        2: {"actions": (laid("foot", "red"), laid("mountain", "red"), laid("horse", "green"))},
    }
    state = position(3, players, left=Supply.of({"red": 1, "blue": 1}))
    turn = play(state, "rest own")
    assert told(turn, DiceRecalled) == [DiceRecalled(0, "red", ("2.walk", "2.walk", "3.foot", "3.mountain", "left"))]
    assert turn.state.players[0].reserve.total == 5
    assert turn.state.players[1].reserve == dice("blue-walk")
    assert turn.state.players[2].actions == (laid("horse", "green"),)
    assert turn.state.left == Supply.of({"blue": 1})


def test_a_rest_may_leave_any_of_the_players_own_dice() -> None:
    """It may leave all of them, so nobody is ever stuck."""
    state = position(players={1: {"reserve": "2 red-walk"}}, right=Supply.of({"red": 1}))
    listed = {text for text in options(state) if text.startswith(("rest own", "rest none"))}
    expected = ["", " 2.walk", " 2.walk+2.walk", " right", " 2.walk+right"]
    assert listed == {"rest none", *(f"rest own{places}" for places in expected)}
    assert play(state, "rest none").state.seat == 1


def test_a_rest_also_takes_dice_from_the_players_own_reserve_and_actions() -> None:
    """The rulebook names the player's own board first, so a bad roll can be rolled again."""
    me = {"reserve": "2 red-walk, blue-walk", "actions": (laid("7", "blue", "red"),), "tribes": (7,)}
    state = play(position(players={0: me}), "rest own").state
    assert state.players[0].actions == (laid("7", "blue", ""),)
    assert state.players[0].reserve.total == 4


def test_dice_of_other_colours_stay() -> None:
    state = position(players={1: {"reserve": "blue-walk, grey-walk"}}, left=Supply.of({"blue": 3}))
    assert options(state, "rest own") == []


def test_naming_all_places_is_written_as_naming_none() -> None:
    """Places may be typed in any order; some of them keep their names."""
    state = position(players={1: {"reserve": "red-walk"}}, right=Supply.of({"red": 1}))
    typed = [complete(game, state, 0, text)[0].command for text in ("rest own right+2.walk", "rest own right")]
    assert [format_command(command) for command in typed] == ["rest own", "rest own right"]


def test_rest_is_a_whole_turn() -> None:
    """There is no rest after a die was played."""
    state = position(players={0: {"reserve": "red-ride, red-walk"}}, left=Supply.of({"red": 1}))
    assert options(undrawn(state, "lay horse red-ride").state, "rest") == []


def test_five_dice_in_five_places_make_thirty_two_choices() -> None:
    """This is the longest list of rests."""
    me = {"reserve": "red-walk, red-ride, red-parley"}
    state = position(players={0: me}, left=Supply.of({"red": 1}), right=Supply.of({"red": 1}))
    assert len(options(state, "rest own")) + len(options(state, "rest none")) == 32


# --- turns ----------------------------------------------------------------------------------------------------------


def test_turns_go_round() -> None:
    state = position(2)
    for seat in (0, 1, 0):
        assert state.seat == seat
        state = play(state, "rest none").state


def test_the_turn_ends_by_itself_when_no_dice_are_left() -> None:
    """`end` is forced, since nothing else is possible."""
    state = undrawn(position(players={0: {"reserve": "red-ride"}}), "lay horse red-ride").state
    assert forced(state, 0) == End()
    assert forced(position(players={0: {"reserve": "red-ride"}}), 0) is None


def test_the_turn_waits_for_end_while_dice_are_left() -> None:
    """Even if none can be played: a mistake in the next command refuses the whole move."""
    state = position(players={0: {"reserve": "red-parley, 2 red-walk"}})
    begun = play(state, "lay route red-parley; swap 4").state
    assert options(begun) == ["end"]
    assert forced(begun, 0) is None
    turn = turn_at(state, "rules")
    with pytest.raises(Refused) as no:
        replay.move(game, turn, 0, parse(game, "lay route red-parley; swap 4; lay foot red-walk"))
    assert no.value.code == "face-not-played"


def test_a_due_step_with_one_form_is_done_by_itself() -> None:
    """The second die of foot, for example."""
    state = undrawn(position(players={0: {"reserve": "2 red-walk"}}), "lay foot red-walk").state
    assert forced(state, 0) == parse(game, "lay foot red-walk")[0].command
    two = undrawn(position(players={0: {"reserve": "2 red-walk, blue-walk"}}), "lay foot red-walk").state
    assert forced(two, 0) is None


def test_the_default_move_takes_the_seats_dice_from_the_camp() -> None:
    """All boards stay as they are."""
    players = {0: {"actions": (laid("foot", "red"),)}, 1: {"reserve": "red-walk"}}
    state = position(3, players, left=Supply.of({"red": 2, "blue": 1}), right=Supply.of({"red": 1}))
    assert default(state, 0) == parse(game, "rest own left+left+right")[0].command
    assert default(position(), 0) == parse(game, "rest none")[0].command


@pytest.mark.parametrize("text", ["lay foot red-walk", "lay turn red-walk", "lay route red-walk"])
def test_the_default_move_completes_a_turn_that_has_begun(text: str) -> None:
    """In the first legal way."""
    state = undrawn(position(players={0: {"reserve": "2 red-walk, blue-walk, blue-ride"}}), text).state
    after = play(state, format_command(default(state, 0))).state
    assert default(after, 0) == End()


def test_every_seat_and_onlooker_has_the_same_view() -> None:
    """Journals are shown, since every card in them was taken in the open."""
    state = position(players={0: {"journal": (9, 12)}, 2: {"journal": (3,)}})
    seen = game.view(state, None)
    assert [player.journal for player in seen.players] == [(9, 12), (), (3,)]
    assert {9, 12, 3} <= {card.number for card in seen.cards}
    assert all(game.view(state, seat) == seen for seat in range(3))
    assert not game.hidden(DiscoveriesOptions())


# --- the bounds -----------------------------------------------------------------------------------------------------


def test_a_game_is_undecided_at_the_cap() -> None:
    """It is ranked by points and dice as they stand."""
    turn = play(position(players={1: {"reserve": "2 blue-walk"}}, turns=CAP), "rest none")
    ended = outcome(game, turn.state)
    assert ended is not None
    assert (ended.places, ended.reason) == (((1,), (0, 2)), "undecided")


def test_an_edition_may_be_given_as_an_option() -> None:
    """The state holds it whole, and the rules read it there."""
    turn = lay_out(2, options=DiscoveriesOptions(edition=SHORT))
    assert turn.state.edition == SHORT
    seat_view = game.view(turn.state, 0)
    card = turn.state.territories[0]
    assert seat_view.card(card) == SHORT.card(card)


def test_the_default_move_plays_for_resigned_seats() -> None:
    """They rest, and the others go on."""
    turn = play(position(), "rest none")
    replay.resign(game, turn, 1)
    assert replay.expire(game, turn, 1) == 1
    assert turn.state.seat == 2
