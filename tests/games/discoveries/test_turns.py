"""The camp at the start, rest in its three forms, and how turns follow one another."""

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
def test_the_box_by_the_number_of_players(seats: int, cards: int, greys: int) -> None:
    """Cards in the game and grey dice in the stock; three tribes, three territories, an open card on the deck."""
    state = lay_out(seats).state
    assert len(state.removed) == 55 - cards
    assert len(state.encounters) == len(state.territories) == 3
    assert len(state.deck) + 1 == cards - 6
    assert state.stock == greys
    assert state.top not in state.deck


def test_each_seat_in_turn_chooses_a_card_and_the_territories_are_filled_up() -> None:
    """From the open card of the deck; only then are the dice thrown."""
    state = lay_out(3).state
    top = state.top
    assert options(state) == [f"choose {card}" for card in state.territories]
    turn = play(state, f"choose {state.territories[1]}")
    assert turn.state.players[0].exploring == state.territories[1]
    assert turn.state.territories == (state.territories[0], state.territories[2], top)
    assert (turn.state.seat, told(turn, DiceThrown)) == (1, [])


def test_after_the_last_choice_all_throw_five_dice_of_their_colour() -> None:
    turn = begin(4)
    thrown = told(turn, DiceThrown)
    assert [event.seat for event in thrown] == [0, 1, 2, 3]
    colours = [{die.partition("-")[0] for die in event.dice} for event in thrown]
    assert colours == [{"red"}, {"blue"}, {"green"}, {"yellow"}]
    assert all(player.reserve.total == 5 for player in turn.state.players)
    assert (turn.state.seat, turn.state.choosing) == (0, False)


def test_a_first_game_has_an_exploration_action_among_its_first_tribes() -> None:
    """By the option; without it the three may all be special cards, as by this word."""
    word = next(word for word in map(str, range(99)) if min(lay_out(2, word).state.encounters) > 36)
    again = lay_out(2, word, DiscoveriesOptions(first_game=True))
    assert min(told(again, CampLaidOut)[0].encounters) <= 36
    other = next(word for word in map(str, range(99)) if min(lay_out(2, word).state.encounters) <= 36)
    kept = lay_out(2, other, DiscoveriesOptions(first_game=True)).state
    assert kept.encounters == lay_out(2, other).state.encounters


class Stubborn:
    """Chance that sets the lowest cards aside and then draws the highest that lies in the deck, for ever."""

    def __init__(self) -> None:
        self.rolled = 0

    def roll(self, sides: int) -> int:
        self.rolled += 1
        return 0 if self.rolled <= 25 else sides - 1

    def die(self, sides: int) -> int:
        """Who begins: no card."""
        return sides


def test_the_first_tribes_are_drawn_anew_nine_times_at_most() -> None:
    """So the number of draws is bounded; then special cards lie there after all."""
    chance: Any = Stubborn()
    turn = Turn(None, chance, chance, rules=1)
    game.setup(turn, 2, DiscoveriesOptions(first_game=True))
    assert turn.state.encounters == (55, 54, 53)
    assert chance.rolled == 25 + 3 * (1 + REDRAWS) + 3 + 1


# --- rest -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bank", ["right", "left"])
def test_rest_takes_all_dice_of_a_bank_whosever_they_are(bank: str) -> None:
    """They are thrown into the reserve, and the turn is over."""
    supply = Supply.of({"red": 1, "blue": 2, "grey": 1})
    turn = play(position(**{bank: supply}), f"rest {bank}")
    assert told(turn, BankTaken) == [BankTaken(0, bank, ("blue", "blue", "grey", "red"))]
    assert [die.partition("-")[0] for die in told(turn, DiceThrown)[0].dice] == ["blue", "blue", "grey", "red"]
    assert turn.state.players[0].reserve.total == 4
    assert not turn.state.left.total + turn.state.right.total
    assert turn.state.seat == 1


def test_an_empty_bank_is_not_taken() -> None:
    assert options(position(), "rest") == ["rest none"]


def test_the_rulebooks_example_of_taking_back_own_dice() -> None:
    """Lola's five red dice: one in the Camp, two in William's reserve, two on Charles's actions."""
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


def test_own_dice_may_be_left_where_they_lie() -> None:
    """Any part of them is taken; nothing at all, too, so that nobody is ever stuck."""
    state = position(players={1: {"reserve": "2 red-walk"}}, right=Supply.of({"red": 1}))
    listed = {text for text in options(state) if text.startswith(("rest own", "rest none"))}
    expected = ["", " 2.walk", " 2.walk+2.walk", " right", " 2.walk+right"]
    assert listed == {"rest none", *(f"rest own{places}" for places in expected)}
    assert play(state, "rest none").state.seat == 1


def test_own_dice_in_the_own_reserve_and_on_own_actions_are_taken_too() -> None:
    """They lie on one's board, which the rulebook names first; so a bad throw can be thrown again."""
    me = {"reserve": "2 red-walk, blue-walk", "actions": (laid("7", "blue", "red"),), "tribes": (7,)}
    state = play(position(players={0: me}), "rest own").state
    assert state.players[0].actions == (laid("7", "blue", ""),)
    assert state.players[0].reserve.total == 4


def test_dice_of_other_colours_stay() -> None:
    state = position(players={1: {"reserve": "blue-walk, grey-walk"}}, left=Supply.of({"blue": 3}))
    assert options(state, "rest own") == []


def test_all_places_named_are_written_as_none_named() -> None:
    """What is typed in any order; a part of them keeps its places."""
    state = position(players={1: {"reserve": "red-walk"}}, right=Supply.of({"red": 1}))
    typed = [complete(game, state, 0, text)[0].command for text in ("rest own right+2.walk", "rest own right")]
    assert [format_command(command) for command in typed] == ["rest own", "rest own right"]


def test_rest_is_a_whole_turn() -> None:
    """Once a die was played there is no rest."""
    state = position(players={0: {"reserve": "red-ride, red-walk"}}, left=Supply.of({"red": 1}))
    assert options(undrawn(state, "lay horse red-ride").state, "rest") == []


def test_five_dice_in_five_places_make_thirty_two_choices() -> None:
    """The longest list of rests."""
    me = {"reserve": "red-walk, red-ride, red-parley"}
    state = position(players={0: me}, left=Supply.of({"red": 1}), right=Supply.of({"red": 1}))
    assert len(options(state, "rest own")) + len(options(state, "rest none")) == 32


# --- turns ----------------------------------------------------------------------------------------------------------


def test_turns_go_round() -> None:
    state = position(2)
    for seat in (0, 1, 0):
        assert state.seat == seat
        state = play(state, "rest none").state


def test_with_no_dice_left_the_turn_ends_by_itself() -> None:
    """`end` is forced: everybody sees that nothing else is possible."""
    state = undrawn(position(players={0: {"reserve": "red-ride"}}), "lay horse red-ride").state
    assert forced(state, 0) == End()
    assert forced(position(players={0: {"reserve": "red-ride"}}), 0) is None


def test_with_dice_left_the_turn_waits_for_its_end() -> None:
    """Even if none of them can be played: a slip in the next command refuses the whole move and plays no part of it."""
    state = position(players={0: {"reserve": "red-parley, 2 red-walk"}})
    begun = play(state, "lay route red-parley; swap 4").state
    assert options(begun) == ["end"]
    assert forced(begun, 0) is None
    turn = turn_at(state, "rules")
    with pytest.raises(Refused) as no:
        replay.move(game, turn, 0, parse(game, "lay route red-parley; swap 4; lay foot red-walk"))
    assert no.value.code == "face-not-played"


def test_what_is_owed_and_has_one_way_is_done_by_itself() -> None:
    """The second die of an expedition on foot, and the one card that can be crossed."""
    state = undrawn(position(players={0: {"reserve": "2 red-walk"}}), "lay foot red-walk").state
    assert forced(state, 0) == parse(game, "lay foot red-walk")[0].command
    two = undrawn(position(players={0: {"reserve": "2 red-walk, blue-walk"}}), "lay foot red-walk").state
    assert forced(two, 0) is None


def test_the_clock_rests_with_the_own_dice_from_the_camp() -> None:
    """Boards stay as they are, its own too."""
    players = {0: {"actions": (laid("foot", "red"),)}, 1: {"reserve": "red-walk"}}
    state = position(3, players, left=Supply.of({"red": 2, "blue": 1}), right=Supply.of({"red": 1}))
    assert default(state, 0) == parse(game, "rest own left+left+right")[0].command
    assert default(position(), 0) == parse(game, "rest none")[0].command


@pytest.mark.parametrize("text", ["lay foot red-walk", "lay turn red-walk", "lay route red-walk"])
def test_the_clock_brings_what_is_begun_to_its_end(text: str) -> None:
    """In the first way there is, and then ends the turn."""
    state = undrawn(position(players={0: {"reserve": "2 red-walk, blue-walk, blue-ride"}}), text).state
    after = play(state, format_command(default(state, 0))).state
    assert default(after, 0) == End()


def test_journals_and_all_else_are_shown_to_everybody() -> None:
    """Every card in them was taken in the open: each seat and each onlooker sees the same view."""
    state = position(players={0: {"journal": (9, 12)}, 2: {"journal": (3,)}})
    seen = game.view(state, None)
    assert [player.journal for player in seen.players] == [(9, 12), (), (3,)]
    assert {9, 12, 3} <= {card.number for card in seen.cards}
    assert all(game.view(state, seat) == seen for seat in range(3))
    assert not game.hidden(DiscoveriesOptions())


# --- the bounds -----------------------------------------------------------------------------------------------------


def test_a_game_without_end_is_undecided_after_its_cap() -> None:
    """Ranked by points and dice, as they stand."""
    turn = play(position(players={1: {"reserve": "2 blue-walk"}}, turns=CAP), "rest none")
    ended = outcome(game, turn.state)
    assert ended is not None
    assert (ended.places, ended.reason) == (((1,), (0, 2)), "undecided")


def test_an_edition_of_ones_own_is_an_option() -> None:
    """It stands whole in the state, and rules read it there."""
    turn = lay_out(2, options=DiscoveriesOptions(edition=SHORT))
    assert turn.state.edition == SHORT
    seat_view = game.view(turn.state, 0)
    card = turn.state.territories[0]
    assert seat_view.card(card) == SHORT.card(card)


def test_resigned_seats_are_played_by_the_clock() -> None:
    """They rest, and the others go on."""
    turn = play(position(), "rest none")
    replay.resign(game, turn, 1)
    assert replay.expire(game, turn, 1) == 1
    assert turn.state.seat == 2
