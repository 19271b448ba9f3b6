"""Every card by its number: 54 that are met on the way and the six roles. Each case shows one card at its work.

Seat 1 (number 0) plays the card with Indians for strength. It stands on space 2 of the river unless a case says else;
seat 2 shows one food badge, and one wood badge face down; seat 3 shows one equipment badge; no fur badge is in sight.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.games.lewis_clark.cards import CARDS, ENCOUNTERS, ROLES
from engine.games.lewis_clark.events import Camped, Copied, Recruited
from engine.games.lewis_clark.state import Played
from tests.games.lewis_clark.positions import after, face_up, play, position, supply
from tests.kit.worlds import told


class Case(msgspec.Struct, frozen=True):
    """Goods before and after, the scout's space after, Indians aboard before strength is given and after."""

    card: str
    text: str
    have: str = ""
    then: str = ""
    scout: int = 2
    at: int = 2
    strength: int = 1
    aboard: int = 0
    left: int = 0
    me: dict[str, Any] = {}
    fields: dict[str, Any] = {}

    @property
    def number(self) -> int:
        return CARDS[self.card].number


HIGH = 19  # the first mountain space; mountains go on to 25, and 26 is mixed

ROLE_CASES = (
    Case("commander", "use as food; use as canoe", "1 food, 1 canoe", scout=8, strength=2),
    Case("commander", "use as horse", "1 horse", at=HIGH, scout=21),
    Case("commander", "use as food; use as horse", "1 food, 1 horse", at=16, scout=20, strength=2),
    Case("interpreter", "gather 3", aboard=0, left=3, fields={"village": "1 hunting, 1 newcomers, 1 pow-wow"}),
    Case("lumberjack", "use", then="2 wood"),
    Case("hunter", "use; use", then="4 food", strength=2),
    Case("blacksmith", "use", then="2 equipment"),
    Case("fur-trader", "use; use; use", then="3 fur", strength=3),
)

CASES = (
    Case("hay", "use take food+wood", then="1 food, 1 wood", me={"table": face_up("commander")}),
    Case("hay", "use take equipment+food+fur+wood", then="1 equipment, 1 food, 1 fur, 1 wood", strength=3,
         me={"table": face_up("commander", "hunter", "blacksmith", "interpreter")}),
    Case("little-raven", "use as wood", then="3 wood", strength=2, me={"table": face_up("commander", "hunter")}),
    Case("buffalo-medicine", "use", "1 food", "1 canoe"),
    Case("ebenezer-tuttle", "use; use", "2 wood", "2 canoe", strength=2),
    Case("rene-jessaume", "use", "3 fur", "1 horse"),
    Case("big-horse", "use", "", "1 horse", aboard=2),
    Case("moses-b-reed", "use; use", "4 wood", scout=6, strength=2),
    Case("john-robertson", "use", "2 equipment", scout=5),
    Case("joseph-barter", "use", "1 canoe", scout=7),
    Case("j-baptiste-deschamps", "use", "1 canoe, 1 food", scout=8),
    Case("john-newman", "use as river", "1 food", scout=3),
    Case("john-newman", "use as mountain; use as mountain", "2 food", at=HIGH, scout=21, strength=2),
    Case("charles-mackenzie", "use", "1 horse, 1 fur", at=HIGH, scout=22),
    Case("john-dame", "use", "2 wood", at=HIGH, scout=20),
    Case("cuscalar", "invite cut-nose", "1 horse"),
    Case("toussaint-charbonneau", "copy hunting pay wood; use", "1 wood", "1 food, 1 fur",
         fields={"village": "1 hunting"}),
    Case("f-antoine-larocque", ""),
    Case("joseph-gravelines", ""),
    Case("john-boley", ""),
    Case("john-hay", "use as wood; use as fur", then="1 fur, 1 wood", strength=2),
    Case("big-white", "use as equipment; use as wood", then="2 equipment, 1 wood", strength=2),
    Case("dickson-hancock", "use as food; use as fur", then="2 food, 1 fur", strength=2,
         me={"table": face_up("commander")}),
    Case("black-moccasin", "use as equipment; use as food", then="1 equipment, 1 food", strength=2),
    Case("yellept", "use pay horse take food+wood; use pay fur take wood+wood", "1 horse, 1 fur", "1 food, 3 wood",
         strength=2),
    Case("p-antoine-tabeau", "use", "1 wood, 1 food", "2 canoe"),
    Case("three-eagles", "use", "2 equipment", "1 horse"),
    Case("hawks-feather", "use; use", "2 food", scout=8, strength=2),
    Case("man-crow", "use", "3 wood", scout=6),
    Case("cutssahnem", "use pay food+wood+canoe", "1 food, 1 wood, 1 canoe", scout=7),
    Case("black-buffalo", "use", "1 food", scout=3),
    Case("half-man", "use pay wood", "1 wood", scout=5),
    Case("half-man", "use pay wood", "1 wood", scout=3, me={"camp": 20}),
    Case("richard-warfington", "use pay wood+wood", "2 wood", scout=6, aboard=4, left=4),
    Case("james-mackay", "use as river", "1 horse", scout=5),
    Case("james-mackay", "use as mountain", "1 horse", at=HIGH, scout=22),
    Case("weuche", "use", "2 equipment", at=HIGH, scout=20),
    Case("pierre-dorion", "use", "3 fur", at=HIGH, scout=21),
    Case("the-partisan", "copy hunter; use", "1 food", "2 food"),
    Case("nicholas-jarrot", ""),
    Case("regis-loisel", "use as equipment; use as food; use as wood", then="2 equipment, 1 food, 1 wood", strength=3),
    Case("hugh-heney", "use as fur; use as food; use as wood", then="1 fur, 2 food, 1 wood", strength=3,
         me={"table": face_up("commander")}),
    Case("black-cat", "use take food+wood; use take fur+fur", then="1 food, 2 fur, 1 wood", strength=2),
    Case("twisted-hair", "use", "1 canoe", "2 canoe"),
    Case("cameahwait", "use as horse", "1 canoe", "1 horse"),
    Case("cameahwait", "use as canoe", "1 horse", "1 canoe"),
    Case("broken-arm", "use", "1 equipment", "1 horse"),
    Case("comcomly", "use", "1 equipment, 1 food, 1 fur, 1 wood", scout=9),
    Case("little-thief", "use", "5 wood", "5 wood", scout=4, aboard=1),
    Case("watkuweis", "use pay canoe", "1 canoe", scout=5, me={"table": face_up("commander", "hunter")}),
    Case("daniel-boone", "use pay food+fur", "1 fur, 1 food", scout=6,
         fields={"village": "2 canoes, 1 newcomers, 1 pow-wow"}),
    Case("old-toby", "use as river", "1 canoe, 1 horse", scout=8),
    Case("old-toby", "use as mountain", "1 canoe, 1 horse", at=HIGH, scout=25),
    Case("coboway", "use", "1 equipment, 1 food, 1 fur, 1 wood", at=HIGH, scout=23),
    Case("crow-at-rest", "use", "2 equipment, 2 fur", at=HIGH, scout=22),
    Case("george-drouillard", "use pay canoe", "1 canoe", at=HIGH, scout=21, aboard=1),
    Case("tetoharsky", "use", "7 wood", "7 wood", at=HIGH, scout=21, aboard=1),
    Case("one-eye", "use pay wood+wood", "2 wood", at=HIGH, scout=21, me={"camp": 18}),
    Case("sacagawea", "copy canoes; use", "2 wood", "1 canoe"),
    Case("cut-nose", ""),
)  # fmt: skip


@pytest.mark.parametrize("case", [*ROLE_CASES, *CASES], ids=lambda case: f"{case.number}-{case.card}-{case.strength}")
def test_a_card_has_its_effect(case: Case) -> None:
    """Goods, the scout and the Indians after the action are those of the card's text, and the action is over."""
    me = {"hand": (case.card,), "goods": case.have, "scout": case.at, "indians": case.aboard + case.strength} | case.me
    state = position(me=me, **case.fields)
    turn = play(state, f"play {case.card}; indians {case.strength}; {case.text}")
    player = turn.state.players[0]
    assert (player.goods, player.scout, player.indians) == (supply(case.then), case.scout, case.left)
    assert turn.state.acted
    assert not turn.state.frames


def test_every_card_has_a_case() -> None:
    """54 by number, and six roles."""
    assert {case.number for case in CASES} == set(range(1, 55)) == {card.number for card in ENCOUNTERS}
    assert {case.card for case in ROLE_CASES} == {role.id for role in ROLES}


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_eighteen_cards_of_each_strength(strength: int) -> None:
    """They are numbered by strength."""
    numbers = [card.number for card in ENCOUNTERS if card.strength == strength]
    assert numbers == list(range(18 * strength - 17, 18 * strength + 1))


def test_the_54_have_the_badges_of_the_box() -> None:
    """Wood 17, fur 17, food 10, equipment 10."""
    badges = [card.badge for card in ENCOUNTERS]
    assert [badges.count(kind) for kind in ("wood", "fur", "food", "equipment")] == [17, 17, 10, 10]


def test_of_the_roles_only_the_interpreter_has_strength_two() -> None:
    assert [role.id for role in ROLES if role.strength > 1] == ["interpreter"]


# --- cards that need more than a row of the table -------------------------------------------------------------------


def test_1_hay_works_once_at_any_strength() -> None:
    """Two types with two cards face up use up a strength of three."""
    state = position(me={"hand": ("hay",), "indians": 3, "table": face_up("commander")})
    assert play(state, "play hay; indians 3; use take fur+wood").state.acted


def test_1_hay_does_not_count_cards_face_down() -> None:
    """A card under another adds no second type."""
    state = position(me={"hand": ("hay", "hunter")})
    assert after(state, "play hay; under hunter; use take fur").goods == supply("1 fur")


def test_2_little_raven_works_once_and_takes_one_kind() -> None:
    state = position(me={"hand": ("little-raven",), "indians": 2})
    assert play(state, "play little-raven; indians 2; use as fur").state.acted


def test_6_paid_indians_go_to_the_pow_wow() -> None:
    state = position(me={"hand": ("big-horse",), "indians": 3}, village="1 newcomers")
    village = play(state, "play big-horse; indians 1; use").state.village
    assert village == supply("1 newcomers, 2 pow-wow")


def test_14_cuscalar_takes_a_card_without_fur_and_the_journal_is_refilled() -> None:
    """The dearest card comes to the hand, one more is drawn, and the turn's recruit is still possible."""
    state = position(me={"hand": ("cuscalar",), "indians": 1, "goods": "1 horse, 1 fur, 1 equipment"})
    turn = play(state, "play cuscalar; indians 1; invite cut-nose; recruit hay")
    assert turn.state.players[0].hand == ("cut-nose", "hay")
    assert len(turn.state.journal) == 5
    assert [event.card for event in told(turn, Recruited)] == ["hay"]


def test_15_charbonneau_pays_the_price_of_the_place_and_sends_no_indian() -> None:
    """Two wood for a canoe besides its own price; the place holds as many Indians as before."""
    state = position(
        me={"hand": ("toussaint-charbonneau",), "indians": 1, "goods": "2 wood, 1 fur"}, village="1 canoes"
    )
    turn = play(state, "play toussaint-charbonneau; indians 1; copy canoes pay fur; use")
    assert turn.state.players[0].goods == supply("1 canoe")
    assert turn.state.village == supply("1 canoes")


def test_16_larocque_does_not_count_occupied_spaces() -> None:
    """Four spaces with two scouts in the way lead six spaces on."""
    me = {"hand": ("commander",), "indians": 1, "goods": "1 canoe", "table": face_up("f-antoine-larocque"), "scout": 0}
    state = position(me=me, players={1: {"scout": 2}, 2: {"scout": 4}})
    assert after(state, "play commander; indians 1; use as canoe").scout == 6


def test_17_gravelines_saves_two_fur_and_not_more() -> None:
    """The fourth place costs two instead of four, the first nothing."""
    me = {"table": face_up("joseph-gravelines"), "goods": "2 fur, 3 equipment", "hand": ()}
    assert after(position(me=me), "recruit black-cat").goods == supply("")
    assert after(position(me=me), "recruit hay").goods == supply("2 fur, 2 equipment")


def test_17_gravelines_saves_nothing_face_down() -> None:
    """Under another card it gives only strength: `hay` costs its fur."""
    table = (Played(card="hunter", under="joseph-gravelines"),)
    state = position(me={"table": table, "goods": "1 fur, 1 equipment", "hand": ()})
    assert after(state, "recruit hay").goods == supply("")


def test_18_boley_saves_one_time_at_a_camp() -> None:
    """Face up at the camp, it then goes back to the hand with the others."""
    state = position(me={"table": face_up("john-boley"), "hand": ("hunter", "hay"), "indians": 0})
    assert told(play(state, "camp"), Camped)[0].time == 1


def test_18_boley_makes_no_camp_cost_less_than_nothing() -> None:
    state = position(me={"table": face_up("john-boley"), "hand": ()})
    turn = play(state, "camp")
    assert told(turn, Camped)[0].time == 0


def test_30_mackenzie_counts_as_a_scout() -> None:
    """With the player's own scout there are two."""
    state = position(1, me={"hand": ("half-man",), "indians": 1, "goods": "1 wood"}, mackenzie=9)
    assert after(state, "play half-man; indians 1; use pay wood").scout == 4


def test_31_indians_on_cards_do_not_count() -> None:
    """Two aboard, two on the card: two spaces for each activation."""
    state = position(me={"hand": ("richard-warfington",), "indians": 4, "goods": "2 fur"})
    assert after(state, "play richard-warfington; indians 2; use pay fur+fur; stop").scout == 4


def test_35_the_partisan_copies_any_open_card_and_pays_its_price() -> None:
    """Even the Blacksmith of seat 3, for a food each time."""
    state = position(me={"hand": ("the-partisan",), "indians": 2, "goods": "2 food"})
    turn = play(state, "play the-partisan; indians 2; copy blacksmith; use; copy blacksmith; use")
    assert turn.state.players[0].goods == supply("2 equipment")
    assert [event.source for event in told(turn, Copied)] == ["blacksmith", "blacksmith"]


def test_35_copying_a_card_that_only_works_face_up_does_nothing() -> None:
    state = position(me={"hand": ("the-partisan",), "indians": 1, "goods": "1 food"})
    state = state.with_player(1, table=face_up("john-boley"))
    assert play(state, "play the-partisan; indians 1; copy john-boley").state.acted


def test_35_copies_may_copy_copies() -> None:
    """The Partisan copies Sacagawea, who copies Shamanism, which copies the Hunter; each price is paid."""
    state = position(me={"hand": ("the-partisan",), "indians": 1, "goods": "2 food"})
    state = state.with_player(2, table=face_up("sacagawea"))
    turn = play(state, "play the-partisan; indians 1; copy sacagawea; copy shamanism; copy hunter")
    assert [frame.source for frame in turn.state.frames] == ["the-partisan", "sacagawea", "shamanism", "hunter"]
    assert turn.state.players[0].goods == supply("")
    assert after(turn.state, "use").goods == supply("2 food")


@pytest.mark.parametrize(("only", "scout"), [("", 6), (" only 3", 5), (" only 2", 4)])
def test_36_jarrot_lengthens_one_river_move(only: str, scout: int) -> None:
    """Two spaces for a food and up to two more."""
    me = {"hand": ("commander",), "indians": 1, "goods": "1 food", "table": face_up("nicholas-jarrot")}
    assert after(position(me=me), f"play commander; indians 1; use as food{only}").scout == scout


def test_36_jarrot_lengthens_only_one_move_of_an_action() -> None:
    """Two activations: 2 + 2 and 2 spaces."""
    me = {"hand": ("commander",), "indians": 2, "goods": "2 food", "table": face_up("nicholas-jarrot")}
    assert after(position(me=me), "play commander; indians 2; use as food; use as food").scout == 8


def test_36_jarrot_may_help_a_later_move_of_the_action() -> None:
    """The first move uses only its own spaces, so the second one is lengthened."""
    me = {"hand": ("commander",), "indians": 2, "goods": "2 food", "table": face_up("nicholas-jarrot")}
    assert after(position(me=me), "play commander; indians 2; use as food only 2; use as food").scout == 8


def test_36_jarrot_lengthens_no_move_of_no_space() -> None:
    """The next space does not fit a river move, so there is no move to lengthen."""
    me = {"hand": ("commander",), "indians": 1, "goods": "1 food", "table": face_up("nicholas-jarrot"), "scout": 18}
    assert after(position(me=me), "play commander; indians 1; use as food").scout == 18


def test_54_cut_nose_lengthens_one_mountain_move() -> None:
    """Two activations: 2 + 1 and 2 spaces."""
    me = {"hand": ("commander",), "indians": 2, "goods": "2 horse", "table": face_up("cut-nose"), "scout": HIGH}
    assert after(position(me=me), "play commander; indians 2; use as horse; use as horse").scout == 24


def test_54_cut_nose_does_not_lengthen_a_river_move() -> None:
    me = {"hand": ("commander",), "indians": 1, "goods": "1 food", "table": face_up("cut-nose")}
    assert after(position(me=me), "play commander; indians 1; use as food").scout == 4


def test_53_sacagawea_uses_empty_and_full_places() -> None:
    """The action sends no Indian, so a full circle does not matter."""
    me = {"hand": ("sacagawea",), "indians": 2}
    turn = play(
        position(me=me, village="1 gift"), "play sacagawea; indians 2; copy gift; use as fur; copy hunting; use"
    )
    assert turn.state.players[0].goods == supply("3 fur, 1 food")
    assert turn.state.village == supply("1 gift")


@pytest.mark.parametrize(
    "card", ["f-antoine-larocque", "joseph-gravelines", "john-boley", "nicholas-jarrot", "cut-nose"]
)
@pytest.mark.parametrize("more", [{}, {"indians": 3}, {"hand": (), "indians": 3}], ids=["cards", "both", "indians"])
def test_the_action_of_a_passive_card_ends_with_its_first_strength(card: str, more: dict[str, Any]) -> None:
    """No meaningless `stop` is owed, with any other goods in hand."""
    state = position(me={"hand": ("commander", "hunter"), "indians": 0} | more)
    me = state.players[0]
    state = state.with_player(0, hand=(*me.hand, card))
    turn = play(state, f"play {card}; " + ("under hunter" if me.hand else "indians 1"))
    assert (turn.state.acted, turn.state.frames) == (True, ())
