"""Typing mistakes and their answers: a text with one meaning is accepted, and any other gets a hint."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.games.tikal import game
from engine.games.tikal.state import TikalState
from engine.kit import active
from tests.games.tikal.positions import AUCTION, OPEN, begun, holding, play, position
from tests.kit.slips import answered

RUINS, CLEARING = ("b3", "ruins-a1", 0), ("c3", "clearing-c1", 0)

ACTING = position(
    3,
    (RUINS, CLEARING),
    {"a2": {"explorers": (3, 1, 0)}, "b3": {"explorers": (2, 0, 0)}, "b1": {"guard": 1, "explorers": (1, 0, 0)}},
    {0: {"treasures": ("bowl", "ring", "ring")}, 1: {"treasures": ("drum", "knife", "knife")}},
)
POSITIONS: dict[str, TikalState] = {
    "clearing in hand": holding(position(3, (RUINS,)), "clearing-d1"),  # looks alike in every second turn
    "temple in hand": holding(position(3, (RUINS,)), "temple-a1"),
    "acting": ACTING,
    "four points left": replace(ACTING, points=4),
    "tired": replace(ACTING, worked=("a2", "a2"), levels=(0,) * 9),
    "sealed sale": begun(3, AUCTION),
    "open sale": play(begun(3, OPEN), "offer 4").state,
    "choice": play(begun(3, OPEN), "offer 4; pass; pass").state,
}

ACCEPTED = (
    ("clearing in hand", "Place C1 R0", "place c1 r0"),
    ("clearing in hand", "place c1 r4", "place c1 r0"),
    ("clearing in hand", "place c3", "place c3 r0"),
    ("clearing in hand", "place r0 c1", "place c1 r0"),
    ("clearing in hand", "place r2 c3", "place c3 r0"),
    ("acting", "end turn", "done"),
    ("acting", "end", "done"),
    ("acting", "swap 2 bowl drum", "swap bowl 2 drum"),
    ("acting", "enter 2 a1", "enter a1; enter a1"),
    ("acting", "ent a1", "enter a1"),
    ("acting", "enter", "enter a1"),
    ("acting", "enter leader a1", "enter a1 leader"),
    ("acting", "enter a1 lead", "enter a1 leader"),
    ("acting", "enter a1 3", "enter a1; enter a1; enter a1"),
    ("acting", "walk a2 b2 2", "walk a2 b2; walk a2 b2"),
    ("acting", "level", "level a2"),
    ("acting", "level a2 2", "level a2; level a2"),
    ("acting", "dig b3 2", "dig b3; dig b3"),
    ("acting", "swap bowl drum", "swap bowl 2 drum"),
    ("acting", "guard", "guard a2"),
    ("open sale", "pas", "pass"),
    ("choice", "choose ruins", "choose ruins-a1"),
)

ANSWERED = (
    ("clearing in hand", "plce c1 r0", "'plce' does not start a command; the nearest word is place; possible: place."),
    ("clearing in hand", "lay c1 r0", "'lay' does not start a command; possible: place."),
    ("clearing in hand", "place c1", "'place c1' fits several commands: place c1 r0, place c1 r1."),
    (
        "clearing in hand",
        "place c33 r0",
        "'c33' does not fit in 'place c33 r0'; the nearest word is c3; possible: a3, b4, c1, c2, c3.",
    ),
    ("clearing in hand", "place c1 r7", "'r7' does not fit in 'place c1 r7'; possible: r0, r1."),
    (
        "clearing in hand",
        "place c1 2",
        "'2' does not fit in 'place c1 2'; the nearest word is r2; possible: r0, r1.",
    ),
    (
        "clearing in hand",
        "place c1 r0 enter a1",
        "'enter' does not fit in 'place c1 r0 enter a1'; nothing more may follow.",
    ),
    (
        "clearing in hand",
        "place h5 r0",
        "The tile does not fit on h5 in any rotation. Cells where it fits: a3, b4, c1, c2, c3.",
    ),
    (
        "clearing in hand",
        "place a1 r0",
        "There is already a tile on a1. Cells where this one fits: a3, b4, c1, c2, c3.",
    ),
    (
        "clearing in hand",
        "enter a1",
        "This command is not possible now. Possible: place CELL ROTATION.",
    ),
    (
        "temple in hand",
        "place c3 r0",
        "On c3, in rotation r0, the tile has no road to another tile. Rotations that fit there: r3, r4.",
    ),
    ("acting", "enter a1 11", "'11' does not fit in 'enter a1 11'; possible: leader, how often (1 to 10)."),
    ("clearing in hand", "end turn", "This command is not possible now. Possible: place CELL ROTATION."),
    ("acting", "end the turn", "'end' does not start a command; possible: done, level, dig, guard, enter, swap, walk."),
    ("acting", "enter c3", "You have no camp on c3. Cells where your pieces can enter: a1."),
    ("acting", "walk a1 a2", "You have no explorer on a1. Cells where you have one: a2, b1, b3."),
    ("acting", "walk a2 h5", "No road leads from a2 to h5. With 10 action points you can reach: a1, b1, b2, b3."),
    ("acting", "walk b3 a2 leader", "You have no leader on b3. Cells where you have one: none."),
    (
        "acting",
        "lvl a2",
        (
            "'lvl' does not start a command; the nearest word is level; "
            "possible: done, level, dig, guard, enter, swap, walk."
        ),
    ),
    ("acting", "level a2 3", "'3' does not fit in 'level a2 3'; possible: how often (1 to 2)."),
    ("acting", "level b2", "There is no temple on b2. Cells with a temple: a2, b1."),
    ("acting", "dig a2", "There is no treasure on a2. Cells with treasures: b3."),
    (
        "acting",
        "swap bowl 2 drm",
        "'drm' does not fit in 'swap bowl 2 drm'; the nearest word is drum; possible: drum.",
    ),
    ("acting", "swap bowl 1 drum", "You cannot swap with Seat 1. Other players with a single treasure: Seat 2."),
    (
        "acting",
        "swap ring 2 drum",
        "Seat 1 does not have exactly one ring, and only single treasures are swapped. Singles of Seat 1: bowl.",
    ),
    (
        "acting",
        "swap bowl 2 knife",
        "Seat 2 does not have exactly one knife, and only single treasures are swapped. Singles of Seat 2: drum.",
    ),
    ("acting", "dig b33", "'b33' does not fit in 'dig b33'; the nearest word is b3; possible: b3."),
    ("acting", "camp b2", "You have no piece on b2. Cells where you have one: a2, b1, b3."),
    (
        "acting",
        "camp b3",
        "A camp does not fit on b3. It needs a clearing, or ruins without treasures.",
    ),
    ("acting", "guard b1", "The temple on b1 has a guard. It cannot grow or get a second guard."),
    ("acting", "enter a1 4; level a2; guard a2", "Command 6 (guard a2): This costs 5 action points. You have 4 left."),
    ("four points left", "guard a2", "This costs 5 action points. You have 4 left."),
    ("tired", "level a2", "The temple on a2 cannot grow: no level 2 is left."),
    ("sealed sale", "bid 21", "You cannot bid 21. You have 20 points."),
    ("sealed sale", "bid five", "'five' does not fit in 'bid five'; possible: 0..20."),
    ("sealed sale", "offer 3", "This command is not possible now. Possible: bid CEILING."),
    ("open sale", "offer 4", "A bid of 4 is not higher than the last one, 4. You can bid up to 20, or pass."),
    ("open sale", "5", "'5' does not start a command; possible: pass, offer."),
    ("choice", "choose temple", "'choose temple' fits several commands: choose temple-a2, choose temple-a3."),
    (
        "choice",
        "choose temple-g1",
        "The tile temple-g1 is not on sale. Tiles on sale: ruins-a1, temple-a2, temple-a3.",
    ),
)


@pytest.mark.parametrize(("where", "typed", "written"), ACCEPTED)
def test_a_text_with_one_meaning_is_played(where: str, typed: str, written: str) -> None:
    """It is written back in its one form."""
    assert answer(where, typed) == f"-> {written}"


@pytest.mark.parametrize(("where", "typed", "refusal"), ANSWERED)
def test_any_other_text_is_refused_with_what_would_do(where: str, typed: str, refusal: str) -> None:
    assert answer(where, typed) == refusal


def answer(where: str, typed: str) -> str:
    state = POSITIONS[where]
    return answered(game, state, active(game, state)[0], typed)
