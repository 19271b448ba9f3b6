"""Every refusal of Discoveries with its facts; a refused command changes nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.game import Command
from engine.games.discoveries import game
from engine.games.discoveries.cards import BOARD
from engine.games.discoveries.rest import RestOwn
from engine.games.discoveries.spaces import AT_ONCE
from engine.games.discoveries.state import Doing, Owed
from engine.kit import Supply
from tests.games.discoveries.positions import laid, position
from tests.kit.refusals import refusal

FOOT_READY = {"actions": (laid("foot", "red"),)}


class Case(msgspec.Struct, frozen=True):
    code: str
    text: str | Command
    facts: dict[str, Any] = {}
    me: dict[str, Any] = {}
    other: dict[str, Any] = {}
    doing: dict[str, Any] = {}
    fields: dict[str, Any] = {}


CASES = (
    Case(
        "no-such-die", "lay horse red-ride", {"found": "red-ride", "have": ("blue-ride",)}, me={"reserve": "blue-ride"}
    ),
    Case(
        "no-such-die",
        "turn red-walk ride",
        {"found": "red-walk", "have": ("red-ride",)},
        me={"reserve": "red-ride"},
        doing={"owes": ("turn",), "left": 2},
    ),
    Case(
        "face-not-played",
        "lay horse red-ride",
        {"found": "red-ride", "face": "ride", "played": ("walk",)},
        me={"reserve": "red-ride"},
        doing={"faces": ("walk",)},
    ),
    Case(
        "die-in-hand",
        "lay horse blue-ride",
        {"found": "blue-ride", "expected": "red-ride"},
        me={"reserve": "red-ride, blue-ride"},
        doing={"held": "red-ride", "shifts": (("walk", "ride"),)},
    ),
    Case(
        "no-such-die",
        "use red-walk as ride",
        {"found": "red-walk", "have": ("blue-walk",)},
        me={"reserve": "blue-walk", "tribes": (40,)},
    ),
    Case(
        "shows-it-already", "use red-ride as ride", {"found": "red-ride"}, me={"reserve": "red-ride", "tribes": (40,)}
    ),
    Case(
        "no-sioux",
        "use red-walk as write",
        {"found": "red-walk", "face": "write", "have": ("Yankton Sioux (ride)",)},
        me={"reserve": "2 red-walk", "tribes": (40,)},
    ),
    Case(
        "no-sioux",
        "use red-walk as ride",
        {"found": "red-walk", "face": "ride", "have": ("Yankton Sioux (ride)",)},
        me={"reserve": "2 red-walk", "tribes": (40,)},
        doing={"shifts": (("write", "ride"),), "faces": ("ride",)},
    ),
    Case(
        "no-use",
        "use red-walk as ride",
        {"found": "red-walk", "face": "ride"},
        me={"reserve": "red-walk", "tribes": (40,), "actions": (laid("horse", "red"),)},
        fields={"territories": ()},
    ),
    Case(
        "no-write-die",
        "write foot red-walk",
        {"found": "red-walk"},
        me={"reserve": "red-walk", **FOOT_READY},
    ),
    Case(
        "no-such-action", "lay 14 red-ride", {"found": "14", "expected": (*AT_ONCE, *BOARD)}, me={"reserve": "red-ride"}
    ),
    Case(
        "action-done",
        "lay route red-walk",
        {"space": "route"},
        me={"reserve": "2 red-walk"},
        doing={"done": ("route",), "faces": ("walk",)},
    ),
    Case(
        "action-begun",
        "lay horse red-walk",
        {"space": "foot", "face": "walk", "due": 1},
        me={"reserve": "red-walk"},
        doing={"space": "foot", "face": "walk", "due": 1, "faces": ("walk",)},
    ),
    Case(
        "wrong-face",
        "lay horse red-walk",
        {"space": "horse", "found": "walk", "expected": ("ride",)},
        me={"reserve": "red-walk"},
    ),
    Case(
        "wrong-face",
        "lay friendly red-walk",
        {"space": "friendly", "found": "walk", "expected": ("parley",)},
        me={"reserve": "red-walk"},
    ),
    Case("nothing-open", "lay foot red-walk", {"space": "foot"}, me={"reserve": "2 red-walk", **FOOT_READY}),
    Case(
        "too-few-dice",
        "lay mountain red-walk",
        {"space": "mountain", "need": 3, "face": "walk", "have": 2},
        me={"reserve": "2 red-walk, red-ride"},
    ),
    Case(
        "no-such-tribe",
        "lay wary red-parley",
        {"space": "wary", "have": ("1 Kansa (friendly)", "4 Oto (friendly)")},
        me={"reserve": "2 red-parley"},
        fields={"encounters": (1, 4)},
    ),
    Case("nothing-to-turn", "lay turn red-walk", me={"reserve": "red-walk"}),
    Case("no-other-route", "lay route red-walk", me={"reserve": "red-walk"}, fields={"territories": ()}),
    Case("no-other-route", "lay route red-walk", me={"reserve": "red-walk", "exploring": 0}),
    Case(
        "same-face",
        "turn red-walk write",
        {"found": "write", "expected": "ride"},
        me={"reserve": "red-walk"},
        doing={"left": 1, "face": "ride", "faces": ("walk",), "space": "turn"},
    ),
    Case(
        "tribe-not-there",
        "befriend 2",
        {"found": 2, "space": "friendly", "expected": (1, 51)},
        doing={"owes": ("befriend",), "space": "friendly"},
    ),
    Case("tribe-unpaid", "befriend 1", {"found": 1}),
    Case("tribe-unpaid", "befriend 2", {"found": 2}, me={"reserve": "red-walk"}, doing={"faces": ("walk",)}),
    Case("not-in-territories", "swap 7", {"found": 7, "expected": (4, 5, 6)}, doing={"owes": ("swap",)}),
    Case("not-in-territories", "reserve 7", {"found": 7, "expected": (4, 5, 6)}, doing={"owes": ("reserve",)}),
    Case("not-in-territories", "next 7", {"found": 7, "expected": (4, 5, 6)}, doing={"owes": ("next",)}),
    Case("not-in-territories", "choose 7", {"found": 7, "expected": (4, 5, 6)}, fields={"choosing": True}),
    Case(
        "not-most-grey",
        "ask 2",
        {"giver_seat": 1, "possible_seats": (2,)},
        doing={"owes": ("ask",)},
        fields={"stock": 0},
    ),
    Case(
        "no-grey-die-there",
        "give walk",
        {"found": "walk", "expected": ("ride", "foot")},
        me={"reserve": "grey-ride, red-walk", "actions": (laid("foot", "grey"),)},
        fields={"owed": (Owed(giver=0, taker=1),)},
    ),
    Case(
        "explored-already",
        "write foot red-write",
        me={"reserve": "red-write", **FOOT_READY},
        doing={"faces": ("write",), "crossed": (8,)},
    ),
    Case("not-ready", "write foot red-write", {"found": "foot", "expected": ()}, me={"reserve": "red-write"}),
    Case(
        "leads-nowhere",
        "write foot red-write",
        {"space": "foot", "roads": ("card 35 (RRMM)",)},
        me={"reserve": "red-write", **FOOT_READY},
    ),
    Case("card-not-to-explore", "cross 4", {"found": 4, "expected": (35,)}, doing={"owes": ("cross",)}),
    Case(
        "not-crossed",
        "cross 35",
        {"actions": ("foot",), "roads": ("card 35 (RRMM)",)},
        me={"actions": (laid("foot", "red", write="red"),)},
        doing={"owes": ("cross",)},
    ),
    Case("not-in-territories", "cross 35 then 7", {"found": 7, "expected": (4, 5, 6)}, doing={"owes": ("cross",)}),
    Case(
        "places-in-order",
        RestOwn(("right", "left")),
        {"found": ("right", "left")},
        fields={"right": Supply.of({"red": 1}), "left": Supply.of({"red": 1})},
    ),
    Case(
        "no-own-die-there",
        "rest own 2.foot",
        {"found": ("2.foot",), "expected": ("2.horse",)},
        other={"actions": (laid("horse", "red"),)},
    ),
    Case("no-own-dice", "rest own"),
    Case(
        "all-own-dice",
        RestOwn(("right",)),
        fields={"right": Supply.of({"red": 1})},
    ),
    Case("bank-empty", "rest left", {"bank": "left"}, fields={"right": Supply.of({"red": 1})}),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{str(case.text).replace(' ', '_')}")
def test_a_command_is_refused_with_its_facts_and_changes_nothing(case: Case) -> None:
    third = {"reserve": "grey-walk"} if case.code == "not-most-grey" else {}
    state = position(3, {0: case.me, 1: case.other, 2: third}, doing=Doing(**case.doing), **case.fields)
    assert refusal(game, state, 0, case.text) == (case.code, case.facts)


def test_every_code_of_the_table_has_a_case() -> None:
    """Every code in the table is used, and every code that is raised is in the table."""
    assert {case.code for case in CASES} == set(game.refusals)
