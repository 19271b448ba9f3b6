"""The rules of Livingstone, one behaviour a test, among them the rulebook's own examples."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import kit, replay
from engine.chance import closed_lane
from engine.game import Turn
from engine.games.livingstone import events as told_of
from engine.games.livingstone import game
from engine.games.livingstone.meta import CAP
from engine.games.livingstone.phases import default, forced
from engine.games.livingstone.rounds import next_seat
from engine.games.livingstone.scoring import majority, outcome, too_little
from engine.kit import Supply, legal, parse, redact
from tests.games.livingstone.positions import lay, play, position
from tests.kit.worlds import told

# --- dice and rounds ------------------------------------------------------------------------------------------------


def test_the_rulebooks_example_of_three_players() -> None:
    """A takes 1, B 6, C 1, A 5; B cannot move, so C takes 2; A cannot either, so C takes 3."""
    state = position(dice=(2, 1, 1, 0, 1, 1))
    order = []
    for die in (1, 6, 1, 5, 2, 3):
        order.append(state.seat)
        state = play(state, f"coins {die}; end").state
    assert order == [0, 1, 2, 0, 2, 2]
    assert state.round == 2


def test_a_round_ends_when_nobody_can_take_a_die_though_some_are_left() -> None:
    """Low dice are of no use to seats whose last die was higher."""
    state = position(2, {0: {"last": 5}, 1: {"last": 6}}, dice=(2, 1, 0, 0, 0, 0))
    assert next_seat(state) is None


def test_the_next_round_starts_with_the_next_seat_one_column_on() -> None:
    state = play(position(dice=(0, 0, 0, 0, 0, 1)), "coins 6; end").state
    assert (state.seat, state.first, state.column, state.round, state.players[0].last) == (1, 1, 5, 2, 0)
    assert sum(state.dice) == 6


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_there_are_two_dice_for_each_seat(seats: int) -> None:
    assert sum(lay(seats).state.dice) == 2 * seats


@pytest.mark.parametrize("text", ["play two-dice; coins 4", "coins 4; play two-dice"])
def test_a_second_die_must_be_higher_and_is_optional(text: str) -> None:
    """The two-dice card may be played before or after the first die."""
    state = play(position(players={0: {"hand": ("two-dice",)}}), text).state
    assert state.may_take
    assert not state.owes
    assert {c.die for c in legal(game, state, 0) if hasattr(c, "die")} == {5, 6}
    assert play(state, "end").state.seat == 1
    assert not play(state, "coins 6").state.may_take


def test_the_first_die_is_compulsory_even_after_the_two_dice_card() -> None:
    """The card adds a die; it does not replace the first."""
    assert play(position(players={0: {"hand": ("two-dice",)}}), "play two-dice").state.owes


def test_the_default_move_leaves_the_second_die() -> None:
    """It takes only the die that must be taken."""
    state = play(position(players={0: {"hand": ("two-dice",)}}), "play two-dice").state
    turn = Turn(state, closed_lane(), closed_lane())
    replay.expire(game, turn, 0)
    assert [type(event) for event in turn.events] == [told_of.CoinsTaken, told_of.Passed]


# --- the four actions -----------------------------------------------------------------------------------------------


def test_a_die_brings_its_face_in_coins() -> None:
    assert play(position(), "coins 4").state.players[0].coins == 7


def test_a_die_brings_its_face_in_stones() -> None:
    """Gems go to the player, black stones beside the board."""
    state = play(position(bag=Supply.of({"black": 1, "red": 2})), "mine 3").state
    assert state.players[0].gems == (0, 0, 2)
    assert state.sold.rest == (("black", 1),)
    assert not state.bag.total


def test_the_white_stone_refills_the_bag() -> None:
    """Sold gems and black stones go back, including those just drawn; gems just drawn stay with the player."""
    bag, sold = Supply.of({"black": 1, "blue": 1, "white": 1}), Supply.of({"clear": 3})
    state = play(position(bag=bag, sold=sold), "mine 5").state
    assert state.bag.rest == (("black", 1), ("clear", 3), ("white", 1))
    assert (state.sold.total, state.players[0].gems) == (0, (0, 1, 0))


def test_any_die_brings_one_card() -> None:
    state = play(position(deck=Supply.of({"lion": 1})), "card 6").state
    assert (state.players[0].hand, state.deck.total) == (("lion",), 0)


def test_the_mine_accident_takes_all_gems_and_reshuffles_the_deck() -> None:
    """Then another card is drawn, and the accident is in the deck again."""
    gems = {0: {"gems": (1, 0, 0)}, 2: {"gems": (0, 2, 1)}}
    before = position(players=gems, deck=Supply.of({"mine-accident": 1}), spent=Supply.of({"rhino": 1}), bag=Supply())
    state = play(before, "card 1").state
    assert [player.gems for player in state.players] == [(0, 0, 0)] * 3
    assert state.bag.rest == (("blue", 2), ("clear", 1), ("red", 1))
    assert (state.players[0].hand, state.deck.rest, state.spent.rest) == (("rhino",), (("mine-accident", 1),), ())


def test_a_deck_with_only_the_accident_gives_no_card() -> None:
    """If all other cards are in hands, the accident happens once and the die is spent."""
    turn = play(position(deck=Supply.of({"mine-accident": 1})), "card 1")
    assert len(told(turn, told_of.Accident)) == 1
    assert (turn.state.players[0].hand, turn.state.owes) == ((), False)


def test_a_tent_costs_its_column_and_one_coin_to_each_other_owner() -> None:
    """An owner of two tents is paid once; your own tent costs nothing."""
    others = {0: {"coins": 9, "tents": (42,)}, 1: {"tents": (42, 42)}, 2: {"tents": (42,)}}
    state = play(position(players=others), "tent 2").state
    assert [player.coins for player in state.players] == [9 - 2 - 2, 4, 4]
    assert state.players[0].tents == (42, 42)


@pytest.mark.parametrize(
    ("text", "costs"),
    [
        ("tent 2", "4 coins"),
        ("tent 3", "2 coins"),
        ("tent 3 row 2 elephants", "4 coins"),
        ("tent 2 explorer", ""),
    ],
)
def test_a_tent_names_its_cost_before_it_is_placed(text: str, costs: str) -> None:
    """To the bank and to the other owners together."""
    others = {0: {"coins": 9, "hand": ("elephants", "explorer")}, 1: {"tents": (42,)}, 2: {"tents": (42,)}}
    state = position(players=others)
    [step] = parse(game, text)
    assert step.command.costs(state, 0) == costs
    said = kit.label(game, state, 0, step.command)
    assert said.endswith(f", for {costs}." if costs else "playing Explorer and Native.")


def test_the_explorer_pays_neither_bank_nor_owners() -> None:
    others = {0: {"coins": 0, "hand": ("explorer",)}, 1: {"tents": (42,)}}
    state = play(position(players=others), "tent 2 explorer").state
    assert [player.coins for player in state.players] == [0, 3, 3]
    assert (state.players[0].tents, state.spent.rest, state.dice[1]) == ((42,), (("explorer", 1),), 1)


def test_elephants_choose_the_row_and_do_not_save_the_cost() -> None:
    state = play(position(players={0: {"hand": ("elephants",)}}), "tent 2 row 6 elephants").state
    assert (state.players[0].tents, state.players[0].coins, state.players[0].last) == ((46,), 1, 2)


def test_explorer_and_elephants_go_together() -> None:
    hand = {0: {"hand": ("elephants", "explorer"), "coins": 0}}
    state = play(position(players=hand), "tent 2 row 6 explorer elephants").state
    assert (state.players[0].tents, state.players[0].hand) == ((46,), ())


# --- cards and trade ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "points"), [("lion", 4), ("rhino", 3), ("antelope", 2)])
def test_an_animal_scores(card: str, points: int) -> None:
    assert play(position(players={0: {"hand": (card,)}}), f"play {card}").state.players[0].total == points


def test_the_gold_coin_brings_four_coins() -> None:
    assert play(position(players={0: {"hand": ("coins",)}}), "play coins").state.players[0].coins == 7


def test_the_cave_gives_three_stones_and_takes_no_die() -> None:
    turn = play(position(players={0: {"hand": ("cave",)}}), "play cave")
    assert len(told(turn, told_of.StonesDrawn)[0].stones) == 3
    assert turn.state.owes


def test_a_raised_tent_is_free_and_takes_no_die() -> None:
    state = play(position(players={0: {"hand": ("raised-tent",), "coins": 0}, 1: {"tents": (26,)}}), "raise 2 6").state
    assert (state.players[0].tents, state.players[1].coins, state.owes) == ((26,), 3, True)


def test_the_steamer_goes_back_for_the_rest_of_the_round() -> None:
    """Tents are placed and scored one column to the left, and the next round is played in the true column."""
    state = position(players={0: {"hand": ("steamer",)}, 1: {"tents": (31, 46)}}, dice=(0, 0, 0, 0, 0, 1))
    turn = play(state, "play steamer; tent 6; end")
    assert turn.state.players[0].tents == (36,)
    assert [(event.seat, event.points) for event in told(turn, told_of.ColumnScored)] == [(0, 6), (1, 1)]
    assert (turn.state.column, turn.state.back) == (4, 0)


def test_a_tent_may_be_raised_in_the_true_column_once_the_steamer_has_left_it() -> None:
    """The card bars the column where the steamer is, and that is another one now."""
    state = position(players={0: {"hand": ("raised-tent", "steamer")}, 1: {"tents": (46,)}})
    assert play(state, "play steamer; raise 4 6").state.players[0].tents == (46,)


def test_a_tent_raised_before_the_steamer_goes_back_to_it_scores_with_that_column() -> None:
    """Every tent in the column is scored when the round ends, however it got there."""
    players = {0: {"hand": ("raised-tent", "steamer")}, 1: {"tents": (36,)}}
    turn = play(position(players=players, dice=(0, 0, 0, 0, 0, 1)), "raise 3 6; play steamer; coins 6; end")
    assert [(event.seat, event.points) for event in told(turn, told_of.ColumnScored)] == [(0, 6), (1, 6)]


def test_gems_are_sold_at_their_prices() -> None:
    state = play(position(players={0: {"gems": (2, 1, 1)}}), "sell 2 clear; sell 1 blue; sell 1 red").state
    assert (state.players[0].coins, state.players[0].total) == (3 + 2 + 3 + 5, 0)
    assert state.sold.rest == (("blue", 1), ("clear", 2), ("red", 1))


def test_one_market_card_serves_the_whole_turn() -> None:
    """Each sale may use it or not; the card is spent once."""
    hand = {0: {"gems": (1, 1, 2), "hand": ("market",)}}
    state = play(position(players=hand), "sell 1 red market; sell 1 blue market; sell 1 red; sell 1 clear market").state
    assert (state.players[0].coins, state.players[0].total) == (3 + 3 + 2 + 5 + 1, 3 + 2 + 1)
    assert state.spent.rest == (("market", 1),)
    assert not play(replace(state, todo=0), "end").state.market


def test_a_donation_hides_its_amount() -> None:
    """Others see that something was given; the sum of purse and chest stays the same."""
    turn = play(position(), "donate 2")
    assert (turn.state.players[0].coins, turn.state.players[0].chest) == (1, 2)
    assert redact(turn.events[0], 1).amount is None
    seen = game.view(turn.state, 1).players[0]
    assert (seen.wealth, seen.coins, seen.chest, seen.hand) == (3, None, None, None)


# --- the end --------------------------------------------------------------------------------------------------------


def test_the_rulebooks_example_of_a_majority() -> None:
    """In row 2, three tents against two and two bring 10 points; with two each, all three get 3."""
    three = position(players={0: {"tents": (12, 22, 32)}, 1: {"tents": (12, 42)}, 2: {"tents": (52, 62)}})
    assert majority(three, 2) == ((0, 10),)
    two = position(players={0: {"tents": (12, 22)}, 1: {"tents": (12, 42)}, 2: {"tents": (52, 62)}})
    assert majority(two, 2) == ((0, 3), (1, 3), (2, 3))


def test_an_empty_row_scores_nothing() -> None:
    assert majority(position(), 1) == ()


def test_a_resigned_seat_is_not_compared_in_rows_or_chests() -> None:
    players = {0: {"tents": (11, 21), "chest": 0}, 1: {"tents": (11,), "chest": 1}, 2: {"chest": 2}}
    state = position(players=players, gone=(0,))
    assert majority(state, 1) == ((1, 12),)
    assert too_little(state, None) == (1,)


def test_all_with_the_lowest_chest_are_out() -> None:
    assert too_little(position(players={1: {"chest": 4}}), None) == (0, 2)


def test_nobody_is_out_if_all_gave_the_same() -> None:
    assert too_little(position(), None) == ()


def test_two_players_must_reach_the_sum_of_the_dice() -> None:
    """One, both or neither may be out; the exact sum is enough."""
    state = position(2, {0: {"chest": 14}, 1: {"chest": 13}})
    assert [too_little(state, needed) for needed in (13, 14, 15)] == [(), (1,), (0, 1)]


def last_round(**players: dict) -> Turn:
    """Take the last die in the last column."""
    at = {int(name[1:]): changes for name, changes in players.items()}
    return play(position(players=at, column=10, dice=(0, 0, 0, 0, 0, 1)), "coins 6; end")


def test_the_smallest_donation_is_out_even_with_the_most_points() -> None:
    state = last_round(p0={"points": (90, 0, 0, 0, 0)}, p1={"chest": 1}, p2={"chest": 2}).state
    assert outcome(state).places == ((2,), (1,), (0,))
    assert (outcome(state).out, outcome(state).reason) == ((0,), "waterfall")


def test_equal_points_are_decided_by_the_donation() -> None:
    state = last_round(p1={"chest": 1}, p2={"chest": 5}).state
    assert outcome(state).places == ((2,), (1,), (0,))


def test_cards_that_only_gain_are_played_at_the_end() -> None:
    """The cave draws, the market sells gems that bring more there, animals score; other cards stay unplayed."""
    hand = ("cave", "explorer", "lion", "market", "steamer")
    turn = last_round(p1={"hand": hand, "gems": (2, 1, 0), "chest": 1})
    assert {event.card for event in told(turn, told_of.CardPlayed)} == {"cave", "lion", "market"}
    assert turn.state.players[1].gems[1:] == (0, 0)
    assert turn.state.players[1].points[2] == 4


def test_the_last_end_cannot_be_previewed() -> None:
    """It opens the chests, and a player who saw them could still give more."""
    state = position(column=10, dice=(0, 0, 0, 0, 0, 1), players={1: {"chest": 1}})
    seen = replay.preview(game, state, 0, parse(game, "coins 6; end"))
    assert (seen.certain, seen.done, seen.state.over) == (False, 1, "")


def test_a_game_of_too_many_turns_ends_undecided() -> None:
    """Public points rank the players, and nothing hidden is shown."""
    points = {1: {"points": (0, 0, 5, 0, 0)}, 2: {"chest": 3}}
    state = play(position(players=points, turns=CAP), "coins 6; end").state
    ended = kit.outcome(game, state)
    assert ended is not None
    assert (ended.reason, ended.places) == ("undecided", ((1,), (0, 2)))
    assert game.view(state, 1).players[0].coins is None


# --- two players, default moves, forced steps ------------------------------------------------------------------------


def test_two_players_move_a_tent_when_none_is_left() -> None:
    """The cost is paid, and points scored before remain."""
    tents = (11, 11, 21, 22, 23, 31, 32, 33, 34, 35, 36)
    state = play(position(2, {0: {"tents": tents, "points": (7, 0, 0, 0, 0)}}), "tent 6 from 1 1").state
    assert state.players[0].tents == (11, *tents[2:], 46)
    assert (state.players[0].coins, state.players[0].total) == (1, 7)


def test_the_default_move_takes_the_lowest_die_for_coins_and_ends_the_turn() -> None:
    """It spends and shows nothing."""
    state = position(players={0: {"hand": ("lion",), "gems": (0, 0, 1), "last": 2}})
    turn = Turn(state, closed_lane(), closed_lane())
    assert replay.expire(game, turn, 0) == 2
    assert [type(event) for event in turn.events] == [told_of.CoinsTaken, told_of.Passed]
    assert (default(state, 0).die, turn.state.seat) == (3, 1)


def test_the_end_is_forced_only_if_everybody_can_see_that_it_is() -> None:
    """Emptying the purse into the chest does not end the turn, since that would reveal the amount."""
    empty = {"coins": 0, "last": 6}
    assert forced(position(players={0: empty}, todo=0), 0) is not None
    assert forced(position(players={0: {**empty, "chest": 3}}, todo=0), 0) is None
