"""The turn around the action: beginning, recruiting, camp, the end of the turn."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from engine import golden, replay
from engine.chance import closed_lane
from engine.errors import BadRecord
from engine.game import Turn
from engine.games.lewis_clark import boats, game
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.commands import Camp, End
from engine.games.lewis_clark.components import INDIANS
from engine.games.lewis_clark.events import BegunAnew, Camped, DeckRenewed, JournalRefilled, TurnEnded
from engine.games.lewis_clark.meta import CAP, DRAWS, LewisClarkOptions
from engine.games.lewis_clark.state import LewisClarkState, Played, Player
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayer
from engine.kit import Supply, legal, names_of, parse
from tests.games.lewis_clark.positions import JOURNAL, after, face_up, lay, play, position, supply
from tests.kit.worlds import lanes, told, turn_at

FOLDER = Path(boats.__file__).parent


def moved(state: LewisClarkState, text: str) -> Turn:
    """Play a whole move with forced steps and without a draw."""
    turn = Turn(state, closed_lane(), closed_lane())
    replay.move(game, turn, state.seat, parse(game, text))
    return turn


# --- the beginning --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_every_expedition_starts_alike(seats: int) -> None:
    """With six roles, three goods and an Indian aboard, scout and camp at Saint Louis."""
    state = lay(seats).state
    for player in state.players:
        assert sorted(player.hand) == ["blacksmith", "commander", "fur-trader", "hunter", "interpreter", "lumberjack"]
        assert player.goods == supply("1 fur, 1 food, 1 equipment")
        assert (player.indians, player.scout, player.camp) == (1, 0, 0)
    assert state.stock + seats + 1 == INDIANS[seats - 1] == 3 + 3 * seats
    assert state.village == supply("1 newcomers")
    assert state.boats == supply("6 goods, 6 indians")


@pytest.mark.parametrize("word", ["a", "b", "c", "d"])
def test_the_journal_starts_sorted_by_strength(word: str) -> None:
    """The weakest lies beside the gulf; cards of equal strength lie in the order of drawing."""
    turn = lay(3, word=word)
    strengths = [CARDS[card].strength for card in turn.state.journal]
    assert len(strengths) == 5
    assert strengths == sorted(strengths)
    assert turn.state.deck.total == 49


def test_the_first_player_is_to_move() -> None:
    """The only other public draw of the setup is the journal."""
    turn = lay(3)
    assert (turn.state.seat, turn.state.turns) == (0, 1)
    assert len(turn.chance.got) == 5


def test_the_options_are_off_unless_chosen() -> None:
    """Badges face down count, the erratum does not apply, Mackenzie starts at Saint Louis."""
    options = LewisClarkOptions()
    chosen = (options.face_down_badges, options.start_over, options.level, options.covered)
    assert chosen == (True, False, 0, "open")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_level_is_for_one_player_only(seats: int) -> None:
    """Several players do not race Mackenzie, so a level there is refused and not ignored."""
    with pytest.raises(BadRecord, match="one player only") as no:
        replay.start(game, seats, LewisClarkOptions(level=3), *lanes("rules"))
    assert no.value.code == "bad-options"
    assert replay.start(game, 1, LewisClarkOptions(level=3), *lanes("rules", None)).state.mackenzie == 3


def test_the_seat_drawn_first_begins() -> None:
    """Turns go round from there."""
    state = replay.start(game, 3, LewisClarkOptions(), *lanes("rules", 2)).state
    assert (state.starter, state.seat) == (2, 2)
    assert play(state, "play hunter; under commander; use; end").state.seat == 0


def test_only_the_future_is_hidden() -> None:
    """Everybody sees what a seat sees, and the deck has no order: other draws find other cards."""
    state = position(me={"goods": "1 fur, 1 equipment"})
    assert not game.hidden(state.options)
    assert game.view(state, 0) == game.view(state, 2) == game.view(state, None)
    assert isinstance(state.deck, Supply)
    assert len({play(state, "recruit hay", word).state.journal[4] for word in "abcdef"}) > 1


def test_the_view_holds_everything_the_rules_read() -> None:
    """Every part of the position except the rules version and the options, which belong to the game itself."""
    unseen = set(LewisClarkState.__struct_fields__) - set(LewisClarkView.__struct_fields__)
    assert unseen == {"rules", "seats", "starter", "gone", "options", "over"}
    assert "gone" in SeenPlayer.__struct_fields__
    assert set(Player.__struct_fields__) < set(SeenPlayer.__struct_fields__)


# --- a turn is one move ---------------------------------------------------------------------------------------------


def test_a_whole_turn_is_one_move() -> None:
    """The line of the README: an action of several steps, a recruit, the end."""
    text = "play hunter; under interpreter; use; use; recruit black-cat discard lumberjack; end"
    assert text in (FOLDER / "README.md").read_text("utf-8")
    turn = turn_at(position(me={"goods": "4 fur, 2 equipment"}), "rules")
    done = replay.move(game, turn, 0, parse(game, text))
    assert (done.done, done.refusal, turn.state.seat) == (6, None, 1)
    assert turn.state.players[0].hand == ("black-cat", "blacksmith", "commander", "fur-trader")


ACT, RECRUIT, CAMP = "play hunter; under commander; use only 0", "recruit hay", "camp"


@pytest.mark.parametrize("parts", list(permutations((ACT, RECRUIT, CAMP))), ids=range(6))
def test_recruit_and_camp_come_in_any_order(parts: tuple[str, ...]) -> None:
    """Both before the action, both after it, or one on each side."""
    turn = play(position(me={"goods": "1 fur, 1 equipment"}), "; ".join((*parts, "end")))
    assert "hay" in turn.state.players[0].cards
    assert len(told(turn, Camped)) == 1
    assert turn.state.seat == 1


# --- recruiting -----------------------------------------------------------------------------------------------------


def test_a_discard_of_strength_one_saves_one_equipment() -> None:
    """The rulebook's example: Black Cat for four fur, two equipment and a Lumberjack."""
    me = {"goods": "4 fur, 2 equipment", "hand": ("commander", "lumberjack")}
    turn = play(position(me=me), "recruit black-cat discard lumberjack")
    player = turn.state.players[0]
    assert (player.hand, player.goods) == (("black-cat", "commander"), supply(""))
    assert turn.state.discards == supply("1 lumberjack")


@pytest.mark.parametrize(("card", "fur"), list(zip(JOURNAL, (1, 2, 3, 4, 5), strict=True)))
def test_a_recruit_costs_fur_by_place_and_equipment_by_strength(card: str, fur: int) -> None:
    state = position(me={"goods": "5 fur, 3 equipment"})
    left = after(state, f"recruit {card}").goods
    assert left.count("fur") == 5 - fur
    assert left.count("equipment") == 3 - CARDS[card].strength


def test_a_discard_saves_no_fur() -> None:
    """The Interpreter's two for Hay's one: the fur is still paid."""
    state = position(me={"goods": "1 fur, 1 equipment"})
    assert after(state, "recruit hay discard interpreter").goods == supply("1 equipment")


def test_the_journal_slides_down_unsorted() -> None:
    """A new card lies beside the deck, whatever its strength."""
    state = position(me={"goods": "5 fur, 3 equipment"})
    turn = play(state, "recruit john-dame")
    assert turn.state.journal[:4] == ("hay", "big-white", "black-cat", "cut-nose")
    assert turn.state.journal[4:] == told(turn, JournalRefilled)[0].cards


def test_a_recruit_may_act_in_the_same_turn() -> None:
    """Recruited before the action, the card is in the hand at once."""
    state = position(me={"goods": "5 fur, 3 equipment"})
    assert play(state, "recruit black-cat; play black-cat; under hunter; use take food+wood; end").state.seat == 1


def test_discarded_characters_become_the_new_deck() -> None:
    """Roles stay among the discards: they have other backs."""
    state = position(me={"goods": "5 fur, 3 equipment"}, deck="", discards="1 yellept, 1 hunter")
    turn = play(state, "recruit hay")
    assert told(turn, DeckRenewed) == [DeckRenewed(("yellept",))]
    assert turn.state.journal[4] == "yellept"
    assert (turn.state.deck, turn.state.discards) == (Supply(), supply("1 hunter"))


def test_with_neither_deck_nor_discards_the_journal_grows_short() -> None:
    state = position(me={"goods": "5 fur, 3 equipment"}, deck="")
    assert play(state, "recruit hay").state.journal == JOURNAL[1:]


# --- camp -----------------------------------------------------------------------------------------------------------


def test_a_camp_costs_as_much_as_in_the_rulebooks_example() -> None:
    """A card in hand 1, three goods on the second boat 1, two on the third 2, an Indian on the fifth 1: five spaces."""
    me = {
        "hand": ("commander",),
        "table": (Played(card="hunter", indians=1), Played(card="blacksmith", indians=1)),
        "goods": "4 fur, 4 wood",
        "indians": 0,
        "scout": 11,
    }
    turn = play(position(me=me), "camp")
    player = turn.state.players[0]
    assert told(turn, Camped) == [Camped(0, 5, 6, 6)]
    assert (player.scout, player.camp, player.indians, player.table) == (6, 6, 2, ())
    assert player.hand == ("blacksmith", "commander", "hunter")


def test_cards_under_others_come_back_too() -> None:
    table = (Played(card="hunter", under="interpreter"),)
    assert after(position(me={"hand": (), "table": table}), "camp").hand == ("hunter", "interpreter")


def test_a_camp_never_moves_back() -> None:
    """The scout falls behind its camp; the camp stays."""
    player = after(position(me={"scout": 6, "camp": 5}), "camp")
    assert (player.scout, player.camp) == (0, 5)


def test_camps_share_spaces_with_camps_and_scouts() -> None:
    state = position(me={"scout": 9, "hand": (), "indians": 0}, players={1: {"camp": 9}})
    assert after(state, "camp").camp == 9


def test_a_camping_scout_passes_back_over_an_occupied_space() -> None:
    state = position(me={"scout": 9, "hand": ("hunter",), "indians": 0}, players={1: {"scout": 8}})
    assert after(state, "camp").scout == 7


def test_the_lowest_space_is_five_below_saint_louis() -> None:
    """Even if other scouts are there already."""
    state = position(me={"goods": "11 wood"}, players={1: {"scout": -5}})
    assert after(state, "camp").scout == -5


@pytest.mark.parametrize(
    "text", ["camp; play hunter; under commander; use; end", "play hunter; under commander; use; camp"]
)
def test_a_camp_comes_before_or_after_the_action(text: str) -> None:
    assert play(position(), text).state.players[0].goods.count("food") == 2


# --- the lowest space, by the designer's erratum --------------------------------------------------------------------

LOW = {"scout": -3, "goods": "9 wood", "indians": 2, "hand": ("hay", "hunter"), "table": face_up("black-cat")}


def test_a_camp_on_the_lowest_space_takes_nothing_without_the_erratum() -> None:
    player = after(position(me=LOW), "camp")
    assert (player.scout, player.hand, player.goods) == (-5, ("black-cat", "hay", "hunter"), supply("9 wood"))


def test_the_erratum_starts_the_expedition_anew() -> None:
    """Recruits and goods are lost, all six roles come back, even discarded ones, and Indians go to the pow-wow."""
    roles = "1 blacksmith, 1 commander, 1 fur-trader, 1 interpreter, 1 lumberjack"
    options = LewisClarkOptions(start_over=True)
    turn = play(position(me=LOW, options=options, discards=roles, village=""), "camp")
    player = turn.state.players[0]
    assert told(turn, BegunAnew)[0].left == ("black-cat", "hay")
    assert sorted(player.hand) == ["blacksmith", "commander", "fur-trader", "hunter", "interpreter", "lumberjack"]
    assert (player.goods, player.indians, player.scout) == (supply(""), 0, -5)
    assert turn.state.discards == supply("1 black-cat, 1 hay")
    assert turn.state.village == supply("3 pow-wow")


def test_the_erratum_applies_only_on_the_lowest_space() -> None:
    state = position(me=LOW | {"scout": 9}, options=LewisClarkOptions(start_over=True))
    assert after(state, "camp").goods == supply("9 wood")


# --- an action and the rest of its turn -----------------------------------------------------------------------------


def test_marks_of_an_action_end_with_it() -> None:
    """A scout that moved in the action no longer counts as moving; it has left the space of another."""
    state = position(me={"scout": 4, "goods": supply("1 food")}).with_player(1, scout=6)
    after_action = play(state, "play commander; indians 1; use as food").state
    assert (after_action.acted, after_action.players[0].scout) == (True, 7)
    assert (after_action.moved, after_action.bonus) == (False, ())
    assert "has moved" not in game.board(game.view(after_action, None), names_of(3))


# --- the end of a turn ----------------------------------------------------------------------------------------------


def test_after_end_the_next_seat_may_do_everything() -> None:
    turn = play(position(), "play hunter; under commander; use; camp; end")
    state = turn.state
    assert told(turn, TurnEnded) == [TurnEnded(1)]
    assert (state.seat, state.acted, state.camped, state.recruited) == (1, False, False, False)


def test_a_seat_without_an_action_must_camp() -> None:
    """Without a card and an Indian the camp is forced, and then the action is owed."""
    state = position(me={"hand": (), "indians": 0, "table": face_up("hunter", "commander")})
    assert game.forced(state, 0) == Camp()
    turn = moved(state, "camp")
    assert turn.state.players[0].hand == ("commander", "hunter")
    assert not turn.state.acted
    assert End() not in set(legal(game, turn.state, 0))


def test_a_seat_without_an_action_may_recruit_instead_of_camping() -> None:
    """With one card and the price of a second one the camp is not forced."""
    state = position(me={"hand": ("hunter",), "indians": 0, "goods": "1 fur, 1 equipment"})
    assert game.forced(state, 0) is None
    assert play(state, "recruit hay; play hay; under hunter; use take fur; end").state.seat == 1


def test_a_seat_without_an_action_even_after_a_camp_ends_the_turn() -> None:
    """All cards but one are gone, and all Indians."""
    state = position(me={"hand": ("hunter",), "indians": 0, "table": ()})
    assert moved(state, "camp").state.seat == 1


def test_a_turn_with_nothing_left_to_do_ends() -> None:
    """Acted and camped, and no fur for a recruit: `end` is forced."""
    state = position(me={"hand": ("hunter", "commander"), "goods": ""}, acted=True)
    assert moved(state, "camp").state.seat == 1


def test_a_golden_game_shows_a_forced_camp() -> None:
    """Seat 1 camped in it although none of its moves has the command."""
    script = golden.read(text := (FOLDER / "golden" / "forced-camp.txt").read_text("utf-8"))
    assert not any("camp" in move for seat, move in script.moves if seat == 0)
    assert "\nSeat 1 camped. The scout is now on space" in text


def test_a_golden_game_shows_a_camp_that_is_asked_for() -> None:
    """Seat 1 has lost all cards and Indians, and seat 2 runs out of time: seat 1 camps, and later its clock does."""
    script = golden.read(text := (FOLDER / "golden" / "two-stuck.txt").read_text("utf-8"))
    assert script.rules == 3
    assert script.moves[9:13] == ((1, "clock"), (0, "camp"), (1, "clock"), (0, "clock"))
    assert "Turn 13 of at most 400. Seat 1 can take no action and must camp." in text


def test_a_golden_game_is_begun_by_another_seat_with_covered_cards() -> None:
    """Seat 3 was drawn, so seat 1 comes second; the text names every card, as after the game."""
    text = (FOLDER / "golden" / "three-covered.txt").read_text("utf-8")
    assert "Seat 3 was drawn to begin." in text
    assert [seat for seat, _ in golden.read(text).moves][:4] == [2, 0, 1, 2]
    assert "laid a card face down under it (strength 2, wood badge): Interpreter." in text


def test_a_golden_game_shows_roles_and_recruits_face_down() -> None:
    """A role and a recruit of strength 1 with a fur badge in one play area; of two roles like it one is in hand."""
    script = golden.read(text := (FOLDER / "golden" / "three-backs.txt").read_text("utf-8"))
    assert (script.rules, script.options) == (4, '{"covered":"hidden"}')
    board = " ".join(text.split())
    assert "Blacksmith (equipment) with a recruit below (1 fur); Interpreter (wood) with a role below (1 fur)" in board
    assert "and 1 of these: Commander 1 | Fur Trader 1, face down: Lumberjack 1 | René Jessaume 1" in board


def test_the_bound_of_draws_covers_every_turn() -> None:
    """The first player, five cards, and each turn a recruit and three Farewells at most."""
    assert game.meta.draws == DRAWS == 1 + 5 + CAP * (1 + 3 * 5)


def test_no_action_draws_more_than_three_farewells() -> None:
    """Sacagawea with strength three: fifteen cards, and one for a recruit."""
    state = position(me={"hand": ("sacagawea",), "indians": 3, "goods": "1 fur, 1 equipment"})
    turn = play(state, "recruit hay; play sacagawea; indians 3" + "; copy farewell; use" * 3)
    assert len(turn.chance.got) == 16
