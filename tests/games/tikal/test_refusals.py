"""Every refusal of Tikal, with its facts; a refused command changes nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.games.tikal import game
from engine.games.tikal.meta import TikalOptions
from engine.games.tikal.state import TikalState
from tests.games.tikal.positions import AUCTION, OPEN, begun, holding, play, position
from tests.kit.refusals import refusal

ONE = {"explorers": (1, 0, 0)}
TWO = {"explorers": (2, 0, 0)}
RUINS = ("b3", "ruins-a1", 0)
FITS = ("a3", "b4", "c1", "c2", "c3")


class Case(msgspec.Struct, frozen=True):
    """A position made with these fields or, with `options`, a game just begun in which `before` was played."""

    code: str
    text: str
    facts: dict[str, Any] = {}
    sites: dict[str, Any] = {}
    players: dict[int, Any] = {}
    fields: dict[str, Any] = {}
    tile: str = ""
    options: TikalOptions | None = None
    before: str = ""

    @property
    def state(self) -> TikalState:
        if self.options is not None:
            state = begun(3, self.options)
            return play(state, self.before).state if self.before else state
        state = position(3, (RUINS,), self.sites, self.players, **self.fields)
        return holding(state, self.tile) if self.tile else state


HAVE = {0: {"treasures": ("bowl", "ring", "ring")}, 1: {"treasures": ("bowl", "drum", "knife", "knife")}}

CASES = (
    Case("too-few-action-points", "enter a1", {"need": 1, "have": 0}, fields={"points": 0}),
    Case("too-few-action-points", "walk a1 a2", {"need": 2, "have": 1}, {"a1": ONE}, fields={"points": 1}),
    Case("too-few-action-points", "level a2", {"need": 2, "have": 1}, {"a2": ONE}, fields={"points": 1}),
    Case("too-few-action-points", "dig b3", {"need": 3, "have": 2}, {"b3": ONE}, fields={"points": 2}),
    Case("too-few-action-points", "swap bowl 2 drum", {"need": 3, "have": 2}, {}, HAVE, {"points": 2}),
    Case("too-few-action-points", "camp b2", {"need": 5, "have": 4}, {"b2": ONE}, fields={"points": 4}),
    Case("too-few-action-points", "guard a2", {"need": 5, "have": 4}, {"a2": ONE}, fields={"points": 4}),
    Case(
        "no-such-piece-there",
        "walk a1 a2",
        {"cell": "a1", "piece": "explorer", "expected": ()},
        {"a1": {"leaders": (0,)}},
    ),
    Case("no-such-piece-there", "walk a1 a2 leader", {"cell": "a1", "piece": "leader", "expected": ()}, {"a1": ONE}),
    Case(
        "no-such-piece-there",
        "walk h5 a2",
        {"cell": "h5", "piece": "explorer", "expected": ("a1", "b2")},
        {"a1": ONE, "b2": TWO},
    ),
    Case(
        "no-such-piece-there",
        "camp b2",
        {"cell": "b2", "piece": "piece", "expected": ()},
        {"b2": {"explorers": (0, 1, 0)}},
    ),
    Case("cell-is-taken", "place a1 r0", {"cell": "a1", "expected": FITS}, tile="temple-a1"),
    Case("same-rotation", "place a3 r2", {"found": "r2", "expected": "r0"}, tile="clearing-d1"),
    Case("same-rotation", "place a3 r1", {"found": "r1", "expected": "r0"}, tile="volcano-b1"),
    Case("does-not-join", "place c3 r0", {"cell": "c3", "found": "r0", "expected": ("r3", "r4")}, tile="temple-a1"),
    Case("fits-nowhere-there", "place h5 r0", {"cell": "h5", "expected": FITS}, tile="temple-a1"),
    Case("fits-nowhere-there", "place h5 r0", {"cell": "h5", "expected": FITS}, tile="volcano-b1"),
    Case("none-left", "enter a1", {"piece": "explorer"}, players={0: {"explorers": 0}}),
    Case("none-left", "enter a1 leader", {"piece": "leader"}, players={0: {"leader": False}}),
    Case("no-camp-there", "enter b2", {"cell": "b2", "expected": ("a1", "b3")}, {"b3": {"tent": 0}, "b2": {"tent": 1}}),
    Case("is-there-already", "walk a1 a1", {"cell": "a1"}, {"a1": ONE}),
    Case(
        "no-way",
        "walk a1 h5",
        {"start": "a1", "goal": "h5", "have": 10, "expected": ("a2", "b1", "b2", "b3")},
        {"a1": ONE},
    ),
    Case(
        "no-way",
        "walk a1 h5",
        {"start": "a1", "goal": "h5", "have": 0, "expected": ()},
        {"a1": ONE},
        fields={"points": 0},
    ),
    Case("enough-for-this-turn", "level a2", {"cell": "a2", "most": 2}, {"a2": TWO}, fields={"worked": ("a2", "a2")}),
    Case("enough-for-this-turn", "dig b3", {"cell": "b3", "most": 2}, {"b3": TWO}, fields={"worked": ("b3", "b3")}),
    Case("too-few-pieces-there", "level a2", {"cell": "a2", "need": 1, "have": 0}),
    Case(
        "too-few-pieces-there", "level a2", {"cell": "a2", "need": 2, "have": 1}, {"a2": ONE}, {}, {"worked": ("a2",)}
    ),
    Case("too-few-pieces-there", "dig b3", {"cell": "b3", "need": 2, "have": 1}, {"b3": ONE}, {}, {"worked": ("b3",)}),
    Case("no-temple-there", "level b2", {"cell": "b2", "expected": ("a2", "b1")}, {"b2": ONE}),
    Case("no-temple-there", "guard h5", {"cell": "h5", "expected": ("a2", "b1")}),
    Case("temple-is-guarded", "level a2", {"cell": "a2"}, {"a2": {**ONE, "guard": 0}}),
    Case("temple-is-guarded", "guard a2", {"cell": "a2"}, {"a2": {**ONE, "guard": 1}}),
    Case(
        "no-such-level-left",
        "level a2",
        {"cell": "a2", "level": 4},
        {"a2": {**ONE, "value": 3}},
        fields={"levels": (9, 9, 0, *[9] * 6)},
    ),
    Case("no-such-level-left", "level a2", {"cell": "a2", "level": 11}, {"a2": {**ONE, "value": 10}}),
    Case("no-guard-left", "guard a2", {"most": 2}, {"a2": ONE}, {0: {"guards": 0}}),
    Case("not-the-strongest", "guard a2", {"cell": "a2", "have": 1, "others": 1}, {"a2": {"explorers": (1, 1, 0)}}),
    Case("no-treasure-there", "dig b3", {"cell": "b3", "expected": ()}, {"b3": {**ONE, "treasures": 0}}),
    Case("no-treasure-there", "dig a2", {"cell": "a2", "expected": ("b3",)}, {"a2": ONE}),
    Case("nobody-to-swap-with", "swap bowl 1 drum", {"other_seat": 0, "possible_seats": (1,)}, players=HAVE),
    Case("nobody-to-swap-with", "swap bowl 4 drum", {"other_seat": 3, "possible_seats": (1,)}, players=HAVE),
    Case("same-treasure", "swap bowl 2 bowl", {"treasure": "bowl"}, players=HAVE),
    Case("not-a-single", "swap ring 2 drum", {"seat": 0, "treasure": "ring", "expected": ("bowl",)}, players=HAVE),
    Case(
        "not-a-single",
        "swap bowl 2 knife",
        {"seat": 1, "treasure": "knife", "expected": ("bowl", "drum")},
        players=HAVE,
    ),
    Case("no-ground-for-a-camp", "camp a2", {"cell": "a2"}, {"a2": ONE}),
    Case("no-ground-for-a-camp", "camp a1", {"cell": "a1"}, {"a1": ONE}),
    Case("no-ground-for-a-camp", "camp b3", {"cell": "b3"}, {"b3": ONE}),
    Case("camp-is-there", "camp b2", {"cell": "b2"}, {"b2": {**ONE, "tent": 0}}),
    Case("no-tent-left", "camp b2", {"most": 2}, {"b2": ONE}, {0: {"tents": 0}}),
    Case("beyond-own-points", "bid 21", {"found": 21, "have": 20}, options=AUCTION),
    Case("beyond-own-points", "offer 21", {"found": 21, "have": 20}, options=OPEN),
    Case("bid-too-low", "offer 2", {"found": 2, "highest": 2, "have": 20}, options=OPEN, before="offer 2"),
    Case(
        "not-on-sale",
        "choose temple-g1",
        {"found": "temple-g1", "expected": begun(3, AUCTION).open},
        options=AUCTION,
        before="bid 0; bid 0; bid 0",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.text.replace(' ', '_')}")
def test_it_is_refused(case: Case) -> None:
    """With its code and facts, in a sentence, and nothing happens."""
    assert refusal(game, case.state, game.active(case.state)[0], case.text) == (case.code, case.facts)


def test_every_code_of_the_table_has_a_case() -> None:
    """The table has no unused code, and no code is raised without it."""
    assert {case.code for case in CASES} == set(game.refusals)
