"""Actions: strength, the village, taking less, boats without room, and gains that cannot pay."""

from __future__ import annotations

import pytest

from engine import replay
from engine.chance import closed_lane
from engine.errors import Refused
from engine.game import Turn
from engine.games.lewis_clark import game
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.commands import Recruit
from engine.games.lewis_clark.components import PLACES, VILLAGE
from engine.games.lewis_clark.events import FrameEnded, JournalLeft, JournalRefilled, ScoutWentOn
from engine.games.lewis_clark.state import Frame, Played
from engine.kit import legal, parse
from tests.games.lewis_clark.positions import JOURNAL, after, face_up, play, position, supply
from tests.kit.worlds import told

# --- strength -------------------------------------------------------------------------------------------------------


def test_a_card_face_down_gives_its_strength() -> None:
    """The Interpreter under the Lumberjack: two activations, and both cards leave the hand."""
    player = after(position(), "play lumberjack; under interpreter; use; use")
    assert player.table == (Played(card="lumberjack", under="interpreter"),)
    assert player.goods == supply("6 wood")  # three badges in sight, twice
    assert "interpreter" not in player.hand


def test_indians_on_a_card_give_one_strength_each_and_return_at_the_camp() -> None:
    """Three Indians on a card give three activations and come back with the camp."""
    state = position(me={"indians": 3, "hand": ("fur-trader",)})
    player = after(state, "play fur-trader; indians 3; use; use; use")
    assert (player.goods, player.indians, player.on_cards) == (supply("3 fur"), 0, 3)
    assert after(state, "play fur-trader; indians 3; use; use; use; camp").indians == 3


@pytest.mark.parametrize("text", ["under hunter; indians 2", "indians 2; under hunter"])
def test_a_card_and_indians_give_strength_together(text: str) -> None:
    """A strength of three, in either order."""
    state = position(me={"indians": 2, "hand": ("fur-trader", "hunter")})
    assert play(state, f"play fur-trader; {text}").state.frame.left == 3


def test_the_strength_of_the_card_played_does_not_count() -> None:
    """The strength of the Interpreter helps only other cards."""
    assert play(position(), "play interpreter; indians 1").state.frame.left == 1


def test_an_action_takes_no_more_strength_after_its_first_use() -> None:
    """Neither cards nor Indians."""
    state = play(position(me={"indians": 2}), "play fur-trader; under interpreter; use").state
    assert {command.notation.split()[0] for command in game.phase(state, 0)} == {"stop", "use"}


def test_an_action_ends_once_its_strength_is_used() -> None:
    turn = play(position(), "play hunter; under interpreter; use; use")
    assert turn.state.acted
    assert told(turn, FrameEnded) == [FrameEnded(0)]


@pytest.mark.parametrize("used", [0, 1, 2])
def test_a_part_of_the_strength_may_stay_unused(used: int) -> None:
    """A strength of three may be used twice, once or not at all."""
    state = position(me={"indians": 3, "hand": ("fur-trader",)})
    turn = play(state, "; ".join(["play fur-trader", "indians 3", *["use"] * used, "stop"]))
    assert turn.state.acted
    assert turn.state.players[0].goods.total == used


def test_the_engine_gives_the_only_possible_strength() -> None:
    """With one other card and no Indian that card is laid under by itself."""
    state = position(me={"hand": ("hunter", "lumberjack"), "indians": 0})
    turn = Turn(state, closed_lane(), closed_lane())
    replay.move(game, turn, 0, parse(game, "play hunter; use"))
    assert turn.state.acted


def test_the_engine_stops_an_action_that_nothing_can_pay() -> None:
    """The second use would cost a wood that the player lacks."""
    state = position(me={"hand": ("ebenezer-tuttle",), "indians": 2, "goods": "1 wood"})
    turn = Turn(state, closed_lane(), closed_lane())
    replay.move(game, turn, 0, parse(game, "play ebenezer-tuttle; indians 2; use"))
    assert turn.state.acted


# --- collecting -----------------------------------------------------------------------------------------------------


def test_collecting_counts_every_badge_in_sight_for_each_strength() -> None:
    """The Hunter with strength three and three food badges collects nine food."""
    state = position(me={"hand": ("hunter",), "indians": 3})
    state = state.with_player(2, table=face_up("hunter"))
    assert after(state, "play hunter; indians 3; use; use; use").goods == supply("9 food")


@pytest.mark.parametrize(("count", "wood"), [(True, 2), (False, 1)])
def test_badges_face_down_count_by_option(count: bool, wood: int) -> None:
    """The Lumberjack under seat 2's Hunter shows its badge, unless the table chooses otherwise."""
    options = type(position().options)(face_down_badges=count)
    state = position(options=options, me={"hand": ("lumberjack",), "indians": 1})
    assert after(state, "play lumberjack; indians 1; use").goods == supply(f"{wood} wood")


def test_only_badges_of_neighbours_are_in_sight() -> None:
    """With five players seats 2 and 5 are beside seat 1."""
    hunters = {seat: {"table": face_up("hunter")} for seat in range(1, 5)}
    state = position(5, me={"hand": ("hunter",), "indians": 1}, players=hunters)
    assert after(state, "play hunter; indians 1; use").goods == supply("3 food")


def test_with_two_players_the_opponent_counts_once() -> None:
    """The only neighbour is on both sides."""
    state = position(2, me={"hand": ("hunter",), "indians": 1})
    assert after(state, "play hunter; indians 1; use").goods == supply("2 food")


# --- taking less, and room on the boats -----------------------------------------------------------------------------


def test_a_player_may_take_less_than_an_action_brings() -> None:
    """Five of nine food, one of two spaces, or no canoe although the wood is paid."""
    state = position(me={"hand": ("hunter",), "indians": 1}, players={2: {"table": face_up("hunter")}})
    assert after(state, "play hunter; indians 1; use only 2").goods == supply("2 food")
    state = position(me={"hand": ("commander",), "indians": 1, "goods": "1 food"})
    assert after(state, "play commander; indians 1; use as food only 1").scout == 3
    state = position(me={"hand": ("ebenezer-tuttle",), "indians": 1, "goods": "1 wood"})
    assert after(state, "play ebenezer-tuttle; indians 1; use only 0").goods == supply("")


def test_goods_without_room_are_not_taken() -> None:
    """The first boats carry eleven goods, so one of two wood comes aboard."""
    state = position(me={"hand": ("lumberjack",), "indians": 1, "goods": "10 fur"})
    assert after(state, "play lumberjack; indians 1; use").goods == supply("10 fur, 1 wood")


def test_a_price_makes_room() -> None:
    """Aboard are eleven wood; two of them pay for the canoe."""
    state = position(me={"indians": 1, "goods": "11 wood"})
    assert after(state, "village canoes 1; use").goods == supply("9 wood, 1 canoe")


def test_several_kinds_without_room_must_be_named() -> None:
    """Hunting with room for one: food or fur."""
    state = position(me={"indians": 1, "goods": "10 wood"})
    assert after(state, "village hunting 1; use take fur").goods == supply("10 wood, 1 fur")


def test_the_stock_of_goods_never_runs_out() -> None:
    """Five expeditions may hold more food than there is in the box."""
    everybody = {seat: {"goods": "11 food"} for seat in range(1, 5)}
    state = position(5, me={"hand": ("hunter",), "indians": 3}, players=everybody)
    assert after(state, "play hunter; indians 3; use; use; use").goods == supply("6 food")


# --- moving ---------------------------------------------------------------------------------------------------------


def test_a_scout_that_ends_on_another_goes_on() -> None:
    """Seat 2's scout stands on 4, so the move ends on 5."""
    state = position(me={"hand": ("commander",), "indians": 1, "goods": "1 food"}, players={1: {"scout": 4}})
    turn = play(state, "play commander; indians 1; use as food")
    assert turn.state.players[0].scout == 5
    assert told(turn, ScoutWentOn) == [ScoutWentOn(0, 5)]


def test_an_occupied_space_matters_only_at_the_end_of_an_action() -> None:
    """Two activations of two spaces end on 6; that the first one ends on seat 2's scout adds nothing."""
    state = position(me={"hand": ("commander",), "indians": 2, "goods": "2 food"}, players={1: {"scout": 4}})
    assert after(state, "play commander; indians 2; use as food; use as food").scout == 6


def test_the_rest_of_a_move_is_lost_at_the_mountains() -> None:
    """From 17 a river move enters the mixed space 18 and no other."""
    state = position(me={"hand": ("commander",), "indians": 1, "goods": "1 canoe", "scout": 17})
    assert after(state, "play commander; indians 1; use as canoe").scout == 18


def test_an_action_may_mix_its_ways() -> None:
    """A canoe and a food: six spaces of river."""
    state = position(me={"hand": ("commander",), "indians": 2, "goods": "1 canoe, 1 food"})
    assert after(state, "play commander; indians 2; use as canoe; use as food").scout == 8


# --- the village ----------------------------------------------------------------------------------------------------

PLACE_CASES = (
    ("hunting", "village hunting 1; use", "", "1 food, 1 fur"),
    ("craftsmanship", "village craftsmanship 1; use", "", "1 equipment, 1 wood"),
    ("gift", "village gift 1; use as fur", "", "2 fur"),
    ("gift", "village gift 1; use as wood", "", "2 wood"),
    ("farewell", "village farewell 1; use", "", ""),
    ("shamanism", "village shamanism 1; copy blacksmith; use", "1 food", "1 equipment"),
    ("upgrade", "village upgrade 1; use as goods-2 take food+wood", "3 wood", "1 food, 1 wood"),
    ("canoes", "village canoes 2; use; use", "4 wood", "2 canoe"),
    ("horses", "village horses 1; use pay food+fur+canoe", "1 food, 1 fur, 1 canoe", "1 horse"),
)


@pytest.mark.parametrize(("place", "text", "have", "then"), PLACE_CASES)
def test_a_place_has_its_effect(place: str, text: str, have: str, then: str) -> None:
    """And the Indians stay in the village."""
    turn = play(position(me={"indians": 3, "goods": have}, village=""), text)
    player = turn.state.players[0]
    assert player.goods == supply(then)
    assert turn.state.village.count(place) == turn.state.village.total == 3 - player.indians
    assert turn.state.acted


def test_every_place_has_a_case() -> None:
    assert {case[0] for case in PLACE_CASES} == {place.name for place in VILLAGE} == set(PLACES)


@pytest.mark.parametrize("place", [place for place in VILLAGE if not place.circles], ids=lambda place: place.name)
def test_a_semicircle_is_always_open(place: object) -> None:
    """It takes up to three more Indians at once, however many are there."""
    name = place.name  # type: ignore[attr-defined]  # a place of the village
    state = position(me={"indians": 3}, village=f"5 {name}")
    assert play(state, f"village {name} 3").state.frame.left == 3


def test_the_upgrade_takes_a_second_indian() -> None:
    """It has two circles."""
    state = position(me={"indians": 1, "goods": "3 wood"}, village="1 upgrade")
    assert play(state, "village upgrade 1").state.village == supply("2 upgrade")


def test_a_boat_for_goods_brings_two_goods_and_room_for_them() -> None:
    """Eleven wood less three, and two goods of the player's choice, on thirteen places."""
    state = position(me={"indians": 1, "goods": "11 wood"}, village="1 upgrade")
    turn = play(state, "village upgrade 1; use as goods-5 take food+food")
    player = turn.state.players[0]
    assert (player.tiles, player.goods) == (("goods-5",), supply("8 wood, 2 food"))
    assert turn.state.boats == supply("5 goods, 6 indians")


def test_a_boat_for_indians_brings_one_from_the_stock() -> None:
    state = position(me={"indians": 1, "goods": "3 wood"}, stock=2)
    turn = play(state, "village upgrade 1; use as indians-3")
    assert (turn.state.players[0].indians, turn.state.stock) == (1, 1)
    assert turn.state.players[0].tiles == ("indians-3",)


def test_a_boat_for_indians_comes_alone_when_the_stock_is_empty() -> None:
    state = position(me={"indians": 1, "goods": "3 wood"}, stock=0)
    player = after(state, "village upgrade 1; use as indians-1")
    assert (player.indians, player.tiles) == (0, ("indians-1",))


def test_a_farewell_discards_up_to_three_and_renews_the_journal() -> None:
    """The five new cards lie in the order of drawing."""
    state = position(me={"indians": 1})
    turn = play(state, "village farewell 1; discard hunter; discard blacksmith; discard commander; use")
    assert turn.state.players[0].hand == ("fur-trader", "interpreter", "lumberjack")
    assert turn.state.journal == told(turn, JournalRefilled)[0].cards
    assert told(turn, JournalLeft)[0].cards == state.journal
    assert all(turn.state.discards.count(card) for card in (*state.journal, "hunter", "blacksmith", "commander"))


# --- the Interpreter ------------------------------------------------------------------------------------------------


def test_the_interpreter_empties_the_village() -> None:
    """Some Indians come aboard, the others go to the pow-wow; a newcomer arrives from the stock."""
    state = position(me={"hand": ("interpreter",), "indians": 1}, village="1 hunting, 3 canoes, 1 newcomers", stock=2)
    turn = play(state, "play interpreter; indians 1; gather 2")
    assert turn.state.village == supply("1 newcomers, 3 pow-wow")
    assert (turn.state.players[0].indians, turn.state.stock) == (2, 1)


def test_the_interpreter_discards_the_cheapest_card_of_the_journal() -> None:
    state = position(me={"hand": ("interpreter",), "indians": 1})
    turn = play(state, "play interpreter; indians 1; gather 0")
    assert turn.state.journal[:4] == state.journal[1:]
    assert turn.state.discards == supply(f"1 {state.journal[0]}")


def test_the_interpreter_repeats_everything() -> None:
    """Strength two brings two newcomers, and the second use gathers the first of them; two cards leave."""
    state = position(me={"hand": ("interpreter",), "indians": 2}, village="1 newcomers", stock=2)
    turn = play(state, "play interpreter; indians 2; gather 1; gather 1")
    assert (turn.state.players[0].indians, turn.state.stock, turn.state.village) == (2, 0, supply("1 newcomers"))
    assert turn.state.discards.total == 2


def test_no_newcomer_comes_from_an_empty_stock() -> None:
    state = position(me={"hand": ("interpreter",), "indians": 1}, village="1 newcomers", stock=0)
    assert play(state, "play interpreter; indians 1; gather 1").state.village == supply("")


# --- gains that cannot pay ------------------------------------------------------------------------------------------

UNCHAINED = (
    ("toussaint-charbonneau", "1 wood", "copy gift pay wood; use as fur", "copy gift pay fur"),
    ("yellept", "1 wood", "use pay wood take fur+fur", "use pay fur take food+food"),
    ("the-partisan", "1 food", "copy hunter; use", "copy hunter"),
    ("twisted-hair", "1 canoe", "use", "use"),
    ("sacagawea", "2 wood", "copy canoes; use; copy gift; use as wood", "copy canoes; use"),
)


@pytest.mark.parametrize(("card", "have", "first", "second"), UNCHAINED)
def test_gains_do_not_pay_for_later_uses(card: str, have: str, first: str, second: str) -> None:
    """Cards 15, 23, 35, 40 and 53 pay only with goods from before their first use."""
    state = position(me={"hand": (card,), "indians": 3, "goods": have}, village="1 gift")
    begun = play(state, f"play {card}; indians 3; {first}").state
    with pytest.raises(Refused, match="cannot-pay"):
        play(begun, second)


def test_gains_of_other_cards_pay_for_later_uses() -> None:
    """Cameahwait makes a horse of a canoe and a canoe of that horse."""
    state = position(me={"hand": ("cameahwait",), "indians": 2, "goods": "1 canoe"})
    assert after(state, "play cameahwait; indians 2; use as horse; use as canoe").goods == supply("1 canoe")


def test_gained_indians_do_not_pay_for_later_uses() -> None:
    """The Partisan copies the Interpreter, and then Big Horse, which only those Indians could pay for."""
    state = position(me={"hand": ("the-partisan",), "indians": 2, "goods": "2 food"}, village="2 pow-wow")
    state = state.with_player(1, table=face_up("interpreter", "big-horse"))
    begun = play(state, "play the-partisan; indians 2; copy interpreter; gather 2; copy big-horse").state
    with pytest.raises(Refused, match="cannot-pay"):
        play(begun, "use")


def test_copies_are_frames_of_the_state() -> None:
    """The position in the middle of a copy is data like every other position."""
    state = position(me={"indians": 1, "goods": "1 food"}, village="")
    begun = play(state, "village shamanism 1; copy hunter").state
    assert begun.frames == (
        Frame(source="shamanism", left=0, begun=True),
        Frame(source="hunter", left=1, begun=True),
    )
    assert {command.notation.split()[0] for command in {type(c) for c in legal(game, begun, 0)}} == {"stop", "use"}


# --- the length of lists of commands --------------------------------------------------------------------------------

ONE_EACH = "1 fur, 1 food, 1 equipment, 1 wood, 1 canoe, 1 horse"
LONGEST = (
    ("daniel-boone", "2 fur, 2 food, 2 equipment, 2 wood, 2 canoe, 1 horse", 20 * 16),
    ("yellept", ONE_EACH, 6 * 15),
    ("cutssahnem", ONE_EACH, 20 * 6),
)


@pytest.mark.parametrize(("card", "goods", "most"), LONGEST)
def test_the_list_of_uses_stays_short(card: str, goods: str, most: int) -> None:
    """Two goods of six kinds for up to fifteen spaces is about the longest list; each has `stop`, too."""
    state = position(me={"hand": (card,), "indians": 1, "goods": goods}, village="15 canoes")
    assert len(list(legal(game, play(state, f"play {card}; indians 1").state, 0))) == most + 1


def test_the_list_of_recruits_stays_short() -> None:
    """Five cards, and any of 25 to discard for each."""
    hand = tuple(sorted(card for card in CARDS if card not in JOURNAL))[:25]
    state = position(me={"hand": hand, "goods": "5 fur, 3 equipment"}, acted=True)
    assert len([command for command in legal(game, state, 0) if isinstance(command, Recruit)]) == 5 * 26
