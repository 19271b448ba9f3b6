"""Every refusal of Lewis & Clark, with its facts; a refused command changes nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.chance import closed_lane
from engine.errors import Refused
from engine.game import Command, Turn
from engine.games.lewis_clark import game
from engine.games.lewis_clark.acts import Use
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import Frame, Played
from engine.kit import decide, parse
from engine.replay import move
from tests.games.lewis_clark.positions import JOURNAL, face_up, position
from tests.kit.refusals import refusal


class Case(msgspec.Struct, frozen=True):
    """`action` is the card or place whose action is under way, with strength two."""

    code: str
    text: str | Command
    facts: dict[str, Any] = {}
    action: str = ""
    me: dict[str, Any] = {}
    fields: dict[str, Any] = {}


TOP = Played(card="hunter", indians=1)
GIVEN = {"frames": (Frame(source="hunter", left=1),)}
BARE = {"frames": (Frame(source="hunter", left=0),)}
FULL = {"goods": "11 fur"}
HELD = ("blacksmith", "commander", "fur-trader", "hunter", "interpreter", "lumberjack")
ANY = {"expected": ("equipment", "food", "fur", "wood"), "how": "in any number"}
EACH = {"expected": ("food", "fur"), "how": "each once"}
COVERED = LewisClarkOptions(covered="hidden")

CASES = (
    Case("not-in-hand", "play hay", {"found": "hay", "hand": HELD}),
    Case("not-in-hand", "recruit hay discard black-cat", {"found": "black-cat", "hand": HELD}),
    Case("not-in-hand", "discard hay", {"found": "hay", "hand": HELD}, "farewell"),
    Case("no-strength", "play hunter", me={"hand": ("hunter",), "indians": 0}),
    Case("no-action", "use"),
    Case("no-action", "use only 1", fields={"acted": True}),
    Case("no-strength-yet", "use", me={"table": (Played(card="hunter"),)}, fields=BARE),
    Case("no-strength-yet", "stop", me={"table": (Played(card="hunter"),)}, fields=BARE),
    Case("open-back", "under commander showing 1-fur", {},
         me={"table": (Played(card="hunter"),)}, fields=BARE),
    Case("other-back", "under commander showing 2-wood", {"card": "commander", "expected": "1-fur as role"},
         me={"table": (Played(card="hunter"),)}, fields=BARE | {"options": COVERED}),
    Case("other-back", "under commander", {"card": "commander", "expected": "1-fur as role"},
         me={"table": (Played(card="hunter"),)}, fields=BARE | {"options": COVERED}),
    Case("one-card-under", "under commander", {"card": "hay"}, me={"table": (Played(card="hunter", under="hay"),)},
         fields=GIVEN),
    Case("indians-given", "indians 1", {"count": 1}, me={"table": (TOP,)}, fields=GIVEN),
    Case("too-strong", "indians 3", {"found": 4, "given": 1, "most": 3},
         me={"table": (Played(card="hunter", under="hay"),), "indians": 3}, fields=GIVEN),
    Case("too-strong", "under cut-nose", {"found": 4, "given": 1, "most": 3},
         me={"table": (TOP,), "hand": ("cut-nose",)},
         fields=GIVEN),
    Case("too-few-indians", "village canoes 2", {"found": 2, "have": 1, "where": "aboard"}),
    Case("too-few-indians", "gather 3", {"found": 3, "have": 1, "where": "in the village"}, "interpreter"),
    Case("too-few-indians", "indians 2", {"found": 2, "have": 1, "where": "aboard"},
         me={"table": (Played(card="hunter"),)}, fields=BARE),
    Case("one-at-a-time", "village upgrade 2", {"place": "upgrade"}, me={"indians": 2}),
    Case("place-full", "village hunting 1", {"place": "hunting", "count": 1}, fields={"village": "1 hunting"}),
    Case("place-full", "village upgrade 1", {"place": "upgrade", "count": 2}, fields={"village": "2 upgrade"}),
    Case("not-in-journal", "recruit yellept", {"found": "yellept", "expected": JOURNAL}),
    Case("not-in-journal", "invite yellept", {"found": "yellept", "expected": JOURNAL}, "cuscalar",
         me={"goods": "1 horse"}),
    Case("cannot-recruit", "recruit black-cat",
         {"card": "black-cat", "fur": 4, "equipment": 3, "have": ("2 equipment", "4 fur")},
         me={"goods": "2 equipment, 4 fur"}),
    Case("cannot-recruit", "recruit hay", {"card": "hay", "fur": 1, "equipment": 1, "have": ("1 equipment",)},
         me={"goods": "1 equipment"}),
    Case("action-owed", "end"),
    Case("camp-first", "end", me={"hand": (), "indians": 0}),
    Case("which-way", "use", {"action": "commander", "expected": ("food", "canoe", "horse")}, "commander"),
    Case("one-way-only", "use as river", {"action": "hunter", "found": "river"}, "hunter"),
    Case("no-such-way", "use as river",
         {"action": "commander", "found": "river", "expected": ("food", "canoe", "horse")},
         "commander"),
    Case("pay-fixed", "use pay wood", {"cost": "1 wood"}, "ebenezer-tuttle", me={"goods": "1 wood"}),
    Case("pay-fixed", "use pay wood", {"cost": "nothing"}, "hunter", me={"goods": "1 wood"}),
    Case("pay-unnamed", "use take fur", {"cost": "1 good of any kind", "have": ("1 wood",)},
         "yellept", me={"goods": "1 wood"}),
    Case("pay-other", "use pay wood+wood take fur",
         {"found": "wood+wood", "cost": "1 good of any kind", "have": ("2 wood",)}, "yellept", me={"goods": "2 wood"}),
    Case("pay-other", "use pay food+wood+wood",
         {"found": "food+wood+wood", "cost": "3 different goods", "have": ("1 food", "2 wood")}, "horses",
         me={"goods": "1 food, 2 wood"}),
    Case("cannot-pay", "use", {"need": ("2 wood",), "have": ("1 food", "1 indian")}, "canoes", me={"goods": "1 food"}),
    Case("cannot-pay", "copy hunting pay food", {"need": ("1 food",), "have": ("1 indian",)}, "toussaint-charbonneau",
         fields={"village": "1 hunting"}),
    Case("out-of-order", Use(pay=("wood", "food")), {"expected": "food+wood"}, "daniel-boone",
         me={"goods": "1 food, 1 wood"}),
    Case("out-of-order", Use(take=("wood", "food")), {"expected": "food+wood"}, "black-cat"),
    Case("nothing-to-name", "use take wood", {"found": "wood"}, "lumberjack"),
    Case("nothing-to-name", "use take wood only 1", {"found": "wood"}, "black-cat"),
    Case("not-less", "use only 2", {"found": 2, "most": 1}, "lumberjack"),
    Case("not-less", "use only 1", {"found": 1, "most": 1}, "black-cat"),
    Case("goods-unnamed", "use", {"most": 2, "room": 11} | ANY, "black-cat"),
    Case("goods-unnamed", "use", {"most": 1, "room": 1} | EACH, "hunting", me={"goods": "10 fur"}),
    Case("not-offered", "use take fur+fur+fur", {"found": "fur+fur+fur", "most": 2, "room": 11} | ANY, "black-cat"),
    Case("not-offered", "use take fur", {"found": "fur", "most": 0, "room": 0} | ANY, "black-cat", me=FULL),
    Case("not-offered", "use take food+fur", {"found": "food+fur", "most": 1, "room": 11} | EACH, "hunting"),
    Case("no-tile-left", "use as indians-1", {"holds": "indians"}, "upgrade", me={"goods": "3 wood"},
         fields={"boats": "6 goods"}),
    Case("not-to-copy", "copy hay pay fur", {"found": "hay", "expected": ("hunting",)}, "toussaint-charbonneau",
         me={"goods": "1 fur"}, fields={"village": "1 hunting"}),
    Case("not-to-copy", "copy hay", {"found": "hay", "expected": ("blacksmith", "hunter")}, "the-partisan",
         me={"goods": "1 food"}),
    Case("no-more-discards", "discard hunter", {"most": 3},
         fields={"frames": (Frame(source="farewell", left=1, begun=True, discarded=3),)}),
)  # fmt: skip
CODES = {case.code for case in CASES} | {"use-unpaid"}  # a use is only known to be unpaid within its move


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{str(case.text).replace(' ', '_')}")
def test_a_command_is_refused_and_changes_nothing(case: Case) -> None:
    """With its code, its facts and a sentence."""
    frames = {"frames": (Frame(source=case.action, left=2, begun=True),)} if case.action else {}
    state = position(me=case.me, **{"village": "1 newcomers", **frames, **case.fields})
    assert refusal(game, state, 0, case.text) == (case.code, case.facts)


def test_every_code_of_the_table_has_a_case() -> None:
    """And every case has a code of the table."""
    assert set(game.refusals) == CODES


@pytest.mark.parametrize(
    ("text", "me", "facts"),
    [
        (
            "village canoes 1; use",
            {"goods": "1 wood"},
            {"action": "canoes", "price": "2 wood", "have": ("1 wood",)},
        ),
        (
            "camp; village canoes 1; use",  # the turn has ended by itself too
            {"goods": "1 wood"},
            {"action": "canoes", "price": "2 wood", "have": ("1 wood",)},
        ),
        (
            "village canoes 2; use; use",
            {"goods": "3 wood", "indians": 2},
            {"action": "canoes", "price": "2 wood", "have": ("1 canoe", "1 wood")},
        ),
        (
            "play commander; indians 3; use as food",
            {"indians": 3},
            {"action": "commander", "price": "1 food or 1 canoe or 1 horse", "have": ()},
        ),
    ],
)
def test_a_use_that_cannot_be_paid_is_refused_with_its_price(text: str, me: dict[str, Any], facts: object) -> None:
    """The action has ended by itself before the use, since nothing could pay for it."""
    state = position(me=me)
    with pytest.raises(Refused) as no:
        move(game, Turn(state, closed_lane(), closed_lane()), 0, parse(game, text))
    assert (no.value.code, no.value.facts) == ("use-unpaid", facts)


def test_a_use_after_the_end_of_the_game_is_refused_as_any_command_is() -> None:
    """The camp wins, and nobody is to move any more."""
    state = position(me={"scout": 49})
    with pytest.raises(Refused, match="not-active"):
        move(game, Turn(state, closed_lane(), closed_lane()), 0, parse(game, "camp; use"))


def test_a_use_after_the_last_strength_is_refused_for_the_missing_action() -> None:
    """Whatever the player could pay."""
    state = position(me={"goods": "1 wood", "indians": 2})
    with pytest.raises(Refused, match="no-action"):
        move(game, Turn(state, closed_lane(), closed_lane()), 0, parse(game, "village hunting 1; use; use"))


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("play hunter", {"acted": True}),
        ("village canoes 1", {"acted": True}),
        ("camp", {"camped": True}),
        ("recruit hay", {"recruited": True}),
        ("concede", {}),
        ("under hunter", {"frames": (Frame(source="hunter", left=1, begun=True),)}),
        ("camp", {"frames": (Frame(source="hunter", left=1, begun=True),)}),
        ("recruit hay", {"frames": (Frame(source="hunter", left=1, begun=True),)}),
    ],
)
def test_each_once_and_never_in_the_middle_of_an_action(text: str, fields: dict[str, Any]) -> None:
    """One action, one camp, one recruit; strength comes before the first use; only a single player concedes."""
    state = position(me={"goods": "3 fur, 3 equipment", "table": face_up("commander")}, **fields)
    with pytest.raises(Refused, match="not-now"):
        decide(game, Turn(state, closed_lane(), closed_lane()), 0, parse(game, text)[0].command)
