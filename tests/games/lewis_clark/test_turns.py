"""The turn around the action: beginning, recruiting, camp, the end of turn and game."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from engine import golden, replay
from engine.chance import closed_lane
from engine.errors import BadRecord, Refused
from engine.game import Turn
from engine.games.lewis_clark import boats, game
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.commands import Camp, End
from engine.games.lewis_clark.components import INDIANS
from engine.games.lewis_clark.events import BegunAnew, Camped, DeckRenewed, JournalRefilled, TurnEnded
from engine.games.lewis_clark.meta import CAP, DRAWS, LewisClarkOptions
from engine.games.lewis_clark.state import LewisClarkState, Played, Player
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayer
from engine.kit import Supply, active, legal, names_of, outcome, parse
from tests.games.lewis_clark.positions import JOURNAL, after, face_up, lay, play, position, supply
from tests.kit.worlds import lanes, told, turn_at

FOLDER = Path(boats.__file__).parent


def moved(state: LewisClarkState, text: str) -> Turn:
    """A whole move, with what is forced; without a draw."""
    turn = Turn(state, closed_lane(), closed_lane())
    replay.move(game, turn, state.seat, parse(game, text))
    return turn


# --- the beginning --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_the_beginning(seats: int) -> None:
    """Six roles, three goods, an Indian aboard; scout and camp at Saint Louis; Indians by the number of players."""
    state = lay(seats).state
    for player in state.players:
        assert sorted(player.hand) == ["blacksmith", "commander", "fur-trader", "hunter", "interpreter", "lumberjack"]
        assert player.goods == supply("1 fur, 1 food, 1 equipment")
        assert (player.indians, player.scout, player.camp) == (1, 0, 0)
    assert state.stock + seats + 1 == INDIANS[seats - 1] == 3 + 3 * seats
    assert state.village == supply("1 newcomers")
    assert state.boats == supply("6 goods, 6 indians")


@pytest.mark.parametrize("word", ["a", "b", "c", "d"])
def test_the_journal_begins_sorted_by_strength(word: str) -> None:
    """The weakest lies beside the gulf; who are equally strong lie in the order of drawing."""
    turn = lay(3, word=word)
    strengths = [CARDS[card].strength for card in turn.state.journal]
    assert len(strengths) == 5
    assert strengths == sorted(strengths)
    assert turn.state.deck.total == 49


def test_the_one_who_begins_is_to_move() -> None:
    """And what is drawn in public beside it are the five cards of the journal."""
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
    """Nobody races Mackenzie in a game of several, so a level there is a mistake and not a wish without effect."""
    with pytest.raises(BadRecord, match="one player only") as no:
        replay.start(game, seats, LewisClarkOptions(level=3), *lanes("rules"))
    assert no.value.code == "bad-options"
    assert replay.start(game, 1, LewisClarkOptions(level=3), *lanes("rules", None)).state.mackenzie == 3


def test_the_seat_that_is_drawn_begins() -> None:
    """And the turn goes round from there."""
    state = replay.start(game, 3, LewisClarkOptions(), *lanes("rules", 2)).state
    assert (state.starter, state.seat) == (2, 2)
    assert play(state, "play hunter; under commander; use; end").state.seat == 0


def test_nothing_is_hidden_but_the_future() -> None:
    """Anybody sees what a seat sees, and the deck is a supply without an order: other draws find other cards."""
    state = position(me={"goods": "1 fur, 1 equipment"})
    assert not game.hidden(state.options)
    assert game.view(state, 0) == game.view(state, 2) == game.view(state, None)
    assert isinstance(state.deck, Supply)
    assert len({play(state, "recruit hay", word).state.journal[4] for word in "abcdef"}) > 1


def test_whatever_the_rules_read_is_seen() -> None:
    """The view holds every part of the position: the rules version and the options stand with the game itself."""
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
def test_recruit_and_camp_each_once_in_any_order(parts: tuple[str, ...]) -> None:
    """Before the action, after it, or one on each side."""
    turn = play(position(me={"goods": "1 fur, 1 equipment"}), "; ".join((*parts, "end")))
    assert "hay" in turn.state.players[0].cards
    assert len(told(turn, Camped)) == 1
    assert turn.state.seat == 1


# --- recruiting -----------------------------------------------------------------------------------------------------


def test_the_example_of_recruiting() -> None:
    """Black Cat for four fur, two equipment and Hugh McNeal, the Lumberjack, whose strength of one saves the third."""
    me = {"goods": "4 fur, 2 equipment", "hand": ("commander", "lumberjack")}
    turn = play(position(me=me), "recruit black-cat discard lumberjack")
    player = turn.state.players[0]
    assert (player.hand, player.goods) == (("black-cat", "commander"), supply(""))
    assert turn.state.discards == supply("1 lumberjack")


@pytest.mark.parametrize(("card", "fur"), list(zip(JOURNAL, (1, 2, 3, 4, 5), strict=True)))
def test_fur_by_place_and_equipment_by_strength(card: str, fur: int) -> None:
    state = position(me={"goods": "5 fur, 3 equipment"})
    left = after(state, f"recruit {card}").goods
    assert left.count("fur") == 5 - fur
    assert left.count("equipment") == 3 - CARDS[card].strength


def test_a_discard_that_saves_more_than_is_asked_saves_no_fur() -> None:
    """The Interpreter's two for Hay's one: the fur is still paid."""
    state = position(me={"goods": "1 fur, 1 equipment"})
    assert after(state, "recruit hay discard interpreter").goods == supply("1 equipment")


def test_the_journal_slides_down_and_is_not_sorted_again() -> None:
    """A new card lies beside the deck, whatever its strength."""
    state = position(me={"goods": "5 fur, 3 equipment"})
    turn = play(state, "recruit john-dame")
    assert turn.state.journal[:4] == ("hay", "big-white", "black-cat", "cut-nose")
    assert turn.state.journal[4:] == told(turn, JournalRefilled)[0].cards


def test_a_recruit_may_act_in_the_same_turn() -> None:
    """Recruited before the action, the card is in the hand at once."""
    state = position(me={"goods": "5 fur, 3 equipment"})
    assert play(state, "recruit black-cat; play black-cat; under hunter; use take food+wood; end").state.seat == 1


def test_an_empty_deck_is_made_of_the_discarded_characters() -> None:
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


def test_the_example_of_a_camp() -> None:
    """A card in hand 1, three goods on the second boat 1, two on the third 2, an Indian on the fifth 1: five back."""
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


def test_a_camp_never_goes_back() -> None:
    """The scout falls behind his camp; the camp stays."""
    player = after(position(me={"scout": 6, "camp": 5}), "camp")
    assert (player.scout, player.camp) == (0, 5)


def test_camps_may_share_a_space_and_scouts_may_stand_at_camps() -> None:
    state = position(me={"scout": 9, "hand": (), "indians": 0}, players={1: {"camp": 9}})
    assert after(state, "camp").camp == 9


def test_a_scout_that_camps_on_another_goes_further_back() -> None:
    state = position(me={"scout": 9, "hand": ("hunter",), "indians": 0}, players={1: {"scout": 8}})
    assert after(state, "camp").scout == 7


def test_five_spaces_below_saint_louis_is_the_lowest() -> None:
    """Also if others stand there already."""
    state = position(me={"goods": "11 wood"}, players={1: {"scout": -5}})
    assert after(state, "camp").scout == -5


@pytest.mark.parametrize(
    "text", ["camp; play hunter; under commander; use; end", "play hunter; under commander; use; camp"]
)
def test_a_camp_before_or_after_the_action(text: str) -> None:
    assert play(position(), text).state.players[0].goods.count("food") == 2


# --- the lowest space, by the author's erratum ----------------------------------------------------------------------

LOW = {"scout": -3, "goods": "9 wood", "indians": 2, "hand": ("hay", "hunter"), "table": face_up("black-cat")}


def test_on_the_lowest_space_the_first_edition_takes_nothing() -> None:
    player = after(position(me=LOW), "camp")
    assert (player.scout, player.hand, player.goods) == (-5, ("black-cat", "hay", "hunter"), supply("9 wood"))


def test_the_erratum_begins_the_expedition_anew() -> None:
    """Recruits are discarded, all six roles come back (discarded ones, too), goods go, Indians to the pow-wow."""
    roles = "1 blacksmith, 1 commander, 1 fur-trader, 1 interpreter, 1 lumberjack"
    options = LewisClarkOptions(start_over=True)
    turn = play(position(me=LOW, options=options, discards=roles, village=""), "camp")
    player = turn.state.players[0]
    assert told(turn, BegunAnew)[0].left == ("black-cat", "hay")
    assert sorted(player.hand) == ["blacksmith", "commander", "fur-trader", "hunter", "interpreter", "lumberjack"]
    assert (player.goods, player.indians, player.scout) == (supply(""), 0, -5)
    assert turn.state.discards == supply("1 black-cat, 1 hay")
    assert turn.state.village == supply("3 pow-wow")


def test_the_erratum_touches_nobody_above_the_lowest_space() -> None:
    state = position(me=LOW | {"scout": 9}, options=LewisClarkOptions(start_over=True))
    assert after(state, "camp").goods == supply("9 wood")


# --- an action and the rest of its turn -----------------------------------------------------------------------------


def test_what_an_action_did_ends_with_it() -> None:
    """A scout that moved in the action is not on the move after it; it still left the space of another."""
    state = position(me={"scout": 4, "goods": supply("1 food")}).with_player(1, scout=6)
    after_action = play(state, "play commander; indians 1; use as food").state
    assert (after_action.acted, after_action.players[0].scout) == (True, 7)
    assert (after_action.moved, after_action.bonus) == (False, ())
    assert "has moved" not in game.board(game.view(after_action, None), names_of(3))


# --- the end of a turn ----------------------------------------------------------------------------------------------


def test_a_turn_ends_by_end_and_the_next_seat_may_do_everything() -> None:
    turn = play(position(), "play hunter; under commander; use; camp; end")
    state = turn.state
    assert told(turn, TurnEnded) == [TurnEnded(1)]
    assert (state.seat, state.acted, state.camped, state.recruited) == (1, False, False, False)


def test_who_can_do_nothing_must_camp() -> None:
    """No card and no Indian: the camp is forced, and then the action is owed."""
    state = position(me={"hand": (), "indians": 0, "table": face_up("hunter", "commander")})
    assert game.forced(state, 0) == Camp()
    turn = moved(state, "camp")
    assert turn.state.players[0].hand == ("commander", "hunter")
    assert not turn.state.acted
    assert End() not in set(legal(game, turn.state, 0))


def test_who_can_do_nothing_may_also_recruit() -> None:
    """One card and the price of a second one: the camp is not the only way."""
    state = position(me={"hand": ("hunter",), "indians": 0, "goods": "1 fur, 1 equipment"})
    assert game.forced(state, 0) is None
    assert play(state, "recruit hay; play hay; under hunter; use take fur; end").state.seat == 1


def test_who_can_do_nothing_even_after_a_camp_ends_without_an_action() -> None:
    """All cards but one are gone, and all Indians."""
    state = position(me={"hand": ("hunter",), "indians": 0, "table": ()})
    assert moved(state, "camp").state.seat == 1


def test_nothing_left_to_do_ends_the_turn() -> None:
    """Acted and camped, and no fur for a recruit: `end` is forced."""
    state = position(me={"hand": ("hunter", "commander"), "goods": ""}, acted=True)
    assert moved(state, "camp").state.seat == 1


def test_a_golden_game_shows_a_forced_camp() -> None:
    """Seat 1 camped in it, and in no move of his did he say so."""
    script = golden.read(text := (FOLDER / "golden" / "forced-camp.txt").read_text("utf-8"))
    assert not any("camp" in move for seat, move in script.moves if seat == 0)
    assert "\nSeat 1 camped, time 0" in text


def test_a_golden_game_is_begun_by_another_seat_with_covered_cards() -> None:
    """Seat 3 was drawn, so seat 1 comes second; the text is told in full, as after the game."""
    text = (FOLDER / "golden" / "three-covered.txt").read_text("utf-8")
    assert "Seat 3 was drawn to begin." in text
    assert [seat for seat, _ in golden.read(text).moves][:4] == [2, 0, 1, 2]
    assert "laid a card face down under it, strength 2, badge wood: Interpreter." in text


# --- the end of the game --------------------------------------------------------------------------------------------


def test_a_camp_at_fort_clatsop_ends_the_game_at_once() -> None:
    """Also before the action; whoever plans more after it is refused, and no other seat plays on."""
    state = position(me={"scout": 41, "hand": (), "indians": 0})
    with pytest.raises(Refused, match="not-active"):
        moved(state, "camp; play hunter; end")
    turn = moved(state, "camp")
    ended = outcome(game, turn.state)
    assert ended is not None
    assert (ended.places, ended.reason) == (((0,), (1, 2)), "pacific")
    assert active(game, turn.state) == ()


def test_a_camp_that_falls_short_does_not_end_it() -> None:
    """The scout beyond the fort went back to 38."""
    state = position(me={"scout": 39, "hand": ("hunter",), "indians": 0})
    assert not play(state, "camp").state.over


def test_a_scout_at_the_fort_does_not_end_it() -> None:
    state = position(me={"scout": 38, "hand": ("commander",), "indians": 1, "goods": "1 food"})
    assert not play(state, "play commander; indians 1; use as food").state.over


def test_after_too_many_turns_the_race_is_ranked_as_it_stands() -> None:
    """The bound that the meta promises, and not one turn earlier; ranked by camps, then by scouts."""
    assert outcome(game, moved(position(acted=True, turns=CAP - 1), "end").state) is None
    turn = moved(position(acted=True, turns=CAP), "end")
    ended = outcome(game, turn.state)
    assert ended is not None
    assert (ended.places, ended.reason) == (((2,), (1,), (0,)), "undecided")


def test_at_the_cap_camps_count_before_scouts() -> None:
    """A scout far ahead of its camp has brought nothing there yet; level camps are parted by scouts."""
    camps = {0: {"camp": 9, "scout": 20}, 1: {"camp": 14, "scout": 15}, 2: {"camp": 9, "scout": 30}}
    ended = outcome(game, position(players=camps, turns=CAP + 1))
    assert ended is not None
    assert ended.places == ((1,), (2,), (0,))


def test_the_bound_of_draws() -> None:
    """Who begins; five cards; each turn a recruit and three farewells at most."""
    assert game.meta.draws == DRAWS == 1 + 5 + CAP * (1 + 3 * 5)


def test_no_action_draws_more_than_three_farewells() -> None:
    """Sacagawea at her strongest: fifteen cards, and one for a recruit."""
    state = position(me={"hand": ("sacagawea",), "indians": 3, "goods": "1 fur, 1 equipment"})
    turn = play(state, "recruit hay; play sacagawea; indians 3" + "; copy farewell; use" * 3)
    assert len(turn.chance.got) == 16
