"""Every refusal of Livingstone with its facts; a refused command changes nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.games.livingstone import game
from engine.games.livingstone.components import HOUSE
from tests.games.livingstone.positions import position
from tests.kit.refusals import refusal

HOW = {"how": "tent {die} row {row} elephants"}
FREE = replace(HOUSE, costs=(0,) * 10)
FULL = (11, 11, 21, 22, 23, 31, 32, 33, 34, 35, 36)


class Case(msgspec.Struct, frozen=True):
    code: str
    text: str
    facts: dict[str, Any] = {}
    me: dict[str, Any] = {}
    other: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    seats: int = 3


CASES = (
    Case("die-too-low", "coins 3", {"found": 3, "last": 3, "expected": (4, 5, 6)}, me={"last": 3}),
    Case("no-such-die", "mine 2", {"found": 2, "expected": (6,)}, fields={"dice": (0, 0, 0, 0, 0, 1)}),
    Case("die-owed", "end", {"expected": (6,)}, fields={"dice": (0, 0, 0, 0, 0, 1)}),
    Case("elephants-and-row", "tent 2 row 3", HOW),
    Case("elephants-and-row", "tent 2 elephants", HOW, me={"hand": ("elephants",)}),
    Case("card-not-in-hand", "tent 2 explorer", {"card": "explorer", "hand": ("lion",)}, me={"hand": ("lion",)}),
    Case("card-not-in-hand", "sell 1 red market", {"card": "market", "hand": ()}, me={"gems": (0, 0, 1)}),
    Case("no-tent-left", "tent 2", {"tents": 11}, me={"tents": FULL}),
    Case("no-tent-left", "raise 1 1", {"tents": 11}, me={"tents": FULL, "hand": ("raised-tent",)}),
    Case("tents-stay", "tent 2 from 1 1", {"seats": 3, "left": 0}, me={"tents": FULL}),
    Case("tents-stay", "tent 2 from 1 1", {"seats": 2, "left": 10}, me={"tents": (11,)}, seats=2),
    Case(
        "no-own-tent-there",
        "tent 2 from 5 5",
        {"column": 5, "row": 5, "expected": ("1 1", "2 3")},
        me={"tents": (11,) * 10 + (23,)},
        seats=2,
    ),
    Case("same-square", "tent 1 from 4 1", me={"tents": (*FULL[:10], 41)}, seats=2),
    Case("tent-too-dear", "tent 2", {"need": 2, "cost": 2, "owners": 0, "have": 1}, me={"coins": 1}),
    Case(
        "tent-too-dear",
        "tent 2",
        {"need": 3, "cost": 2, "owners": 1, "have": 2},
        me={"coins": 2},
        other={"tents": (42,)},
    ),
    Case("too-few-coins", "donate 4", {"need": 4, "have": 3}),
    Case("steamer-went-back", "play steamer", me={"hand": ("steamer",)}, fields={"back": 1}),
    Case("steamer-at-the-start", "play steamer", me={"hand": ("steamer",)}, fields={"column": 1}),
    Case("two-dice-already", "play two-dice", me={"hand": ("two-dice",)}, fields={"second": True}),
    Case("no-second-die", "play two-dice", {"expected": (6,)}, me={"hand": ("two-dice",), "last": 5}),
    Case("no-second-die", "play two-dice", {"expected": ()}, me={"hand": ("two-dice",), "last": 6}, fields={"todo": 0}),
    Case("elephants-in-vain", "tent 2 row 2 elephants", {"row": 2}, me={"hand": ("elephants",)}),
    Case("explorer-in-vain", "tent 2 explorer", me={"hand": ("explorer",)}, fields={"edition": FREE}),
    Case("played-otherwise", "play market", {"card": "market", "how": "sell {count} {gem} market"}),
    Case(
        "steamer-is-there",
        "raise 4 2",
        {"column": 4, "expected": ("1 6",)},
        me={"hand": ("raised-tent",)},
        other={"tents": (16, 42)},
    ),
    Case("no-tent-there", "raise 3 2", {"column": 3, "row": 2, "expected": ()}, me={"hand": ("raised-tent",)}),
    Case("too-few-gems", "sell 2 red", {"found": 2, "gem": "red", "have": 1}, me={"gems": (0, 0, 1)}),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.text.replace(' ', '_')}")
def test_a_command_is_refused_with_its_facts_and_changes_nothing(case: Case) -> None:
    state = position(case.seats, {0: case.me, 1: case.other}, **case.fields)
    assert refusal(game, state, 0, case.text) == (case.code, case.facts)


def test_every_code_of_the_table_has_a_case() -> None:
    """So no sentence is unused, and every code has one."""
    assert {case.code for case in CASES} == set(game.refusals)
