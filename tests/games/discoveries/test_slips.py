"""Mistyped or loosely typed commands and the answers to them, to be read as a list.

`-> command` is the command that was understood and played; anything else is the refusal that the player reads.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.games.discoveries import game
from engine.games.discoveries.state import Owed
from engine.kit import Supply
from tests.games.discoveries.positions import laid, lay_out, position
from tests.kit.slips import answered

ME = {
    "reserve": "red-walk, 2 red-ride, grey-parley, red-parley",
    "tribes": (14, 40),
    "actions": (laid("14", "blue"),),
}
BANKS = {"left": Supply.of({"red": 1}), "right": Supply.of({"blue": 2})}
READY = {"reserve": "2 red-write", "actions": (laid("foot", "red"), laid("mountain", "red"))}
POSITIONS = {
    "turn": position(players={0: ME, 1: {"reserve": "red-write"}}, **BANKS),
    "ready": position(players={0: READY}),
    "owing": position(players={0: {"reserve": "grey-walk, grey-ride"}}, owed=(Owed(giver=0, taker=1),)),
    "start": replace(lay_out(3).state, territories=(4, 5, 6)),
}
NAMES = ("Ann", "Bob", "Cid")

SLIPS = (
    ("turn", "lay horse red-ride", "-> lay horse red-ride"),
    ("turn", "la ho red-ri", "-> lay horse red-ride"),
    (
        "turn",
        "lay horse redride",
        "'redride' does not fit in 'lay horse redride'; the nearest word is red-ride; possible: red-ride.",
    ),
    ("turn", "lay hors red-ride", "-> lay horse red-ride"),
    (
        "turn",
        "lay horses red-ride",
        (
            "'horses' does not fit in 'lay horses red-ride'; the nearest word is horse; possible: friendly, wary, "
            "turn, route, horse, mountain."
        ),
    ),
    (
        "turn",
        "lay redride horse",
        ("'redride' does not fit in 'lay redride horse'; possible: friendly, wary, turn, route, horse, mountain."),
    ),
    ("turn", "rest own 1.rid", "-> rest own 1.ride"),
    (
        "turn",
        "rest own left+1.wal",
        (
            "'left+1.wal' does not fit in 'rest own left+1.wal'; the nearest word is 1.walk+left; "
            "possible: left, 2.write, 1.walk, 1.ride, 1.parley, or several of them, joined by +."
        ),
    ),
    (
        "turn",
        "rest own 9",
        (
            "'9' does not fit in 'rest own 9'; possible: left, 2.write, 1.walk, 1.ride, 1.parley, or "
            "several of them, joined by +."
        ),
    ),
    (
        "turn",
        "end turn",
        (
            "This command is not possible now. Possible: lay SPACE DIE, write SPACE DIE, "
            "use DIE as FACE, rest BANK, rest own [PLACES], rest none."
        ),
    ),
    ("ready", "write red-write foot", "-> write foot red-write"),
    (
        "turn",
        "lay horse ride",
        "'ride' does not fit in 'lay horse ride'; the nearest word is red-ride; possible: red-ride.",
    ),
    (
        "turn",
        "lay horse red ride",
        "'ride' does not fit in 'lay horse red ride'; the nearest word is red-ride; nothing more may follow.",
    ),
    (
        "turn",
        "lay red-ride horse",
        "-> lay horse red-ride",
    ),
    (
        "turn",
        "lay 4 red-ride",
        "You do not have the action 4. Your actions: friendly, wary, turn, route, horse, foot, mountain, 14.",
    ),
    (
        "turn",
        "lay 37 red-ride",
        (
            "'37' does not fit in 'lay 37 red-ride'; the nearest word is 7; possible: friendly, wary, turn, route, "
            "horse, mountain."
        ),
    ),
    (
        "turn",
        "lay boat red-ride",
        "'boat' does not fit in 'lay boat red-ride'; possible: friendly, wary, turn, route, horse, mountain.",
    ),
    ("turn", "lay foot red-walk", "For the action foot you need 2 dice played as walk in one turn. You have 1."),
    ("turn", "lay mountain red-ride", "-> lay mountain red-ride"),
    ("turn", "lay friendly grey-parley; befriend 1", "-> lay friendly grey-parley; befriend 1"),
    (
        "turn",
        "lay friendly grey-parley; befriend Kansa",
        "'kansa' does not fit in 'befriend kansa'; possible: 1, 51.",
    ),
    (
        "turn",
        "lay friendly grey-parley; befriend 2",
        "Command 2 (befriend 2): You cannot win card 2 with the action friendly. You can win: 1, 51.",
    ),
    ("turn", "lay friendly grey-parley", "-> lay friendly grey-parley"),
    ("turn", "lay wary red-parley; lay wary grey-parley", "-> lay wary red-parley; lay wary grey-parley"),
    ("turn", "lay wary red-parley; befriend 2", "-> lay wary red-parley; befriend 2"),
    (
        "turn",
        "befriend 1",
        (
            "You cannot win card 1 before its dice are laid. "
            "Type `lay friendly` with one Parley die, or `lay wary` with two, one `lay` for each."
        ),
    ),
    (
        "turn",
        "write 14 red-write",
        ("There is no red-write in your reserve. It holds: grey-parley, red-parley, red-ride, red-ride, red-walk."),
    ),
    ("turn", "write horse red-walk", "You cannot write on horse now. Ready for a Write die: 14."),
    (
        "turn",
        "cross 35",
        (
            "This command is not possible now. Possible: lay SPACE DIE, write SPACE DIE, use DIE as "
            "FACE, rest BANK, rest own [PLACES], rest none."
        ),
    ),
    ("turn", "cross", "'cross' is incomplete; possible: a number (card) from 1 to 55, then."),
    ("turn", "use red-walk as ride; lay horse red-ride", "-> use red-walk as ride; lay horse red-ride"),
    ("turn", "use red-walk ride", "-> use red-walk as ride"),
    ("turn", "use red-walk as swim", "'swim' does not fit in 'use red-walk as swim'; possible: ride."),
    ("turn", "use red-ride as ride", "The die red-ride already shows that face. Lay it as it is."),
    (
        "turn",
        "use red-ride as walk",
        "No Sioux card can turn red-ride to walk now. Your Sioux cards: Yankton Sioux (ride). Each helps once a turn.",
    ),
    ("turn", "lay turn red-walk; turn red-ride write", "-> lay turn red-walk; turn red-ride write"),
    (
        "turn",
        "lay turn red-walk; turn red-ride",
        (
            "'turn red-ride' fits several commands: turn red-ride walk, turn red-ride ride, turn red-ride parley, "
            "turn red-ride write."
        ),
    ),
    (
        "turn",
        "lay turn red-walk; turn red-ride run",
        "'run' does not fit in 'turn red-ride run'; possible: walk, ride, parley, write.",
    ),
    ("turn", "lay route red-walk; swap 5", "-> lay route red-walk; swap 5"),
    (
        "turn",
        "lay route red-walk; swap 9",
        "Command 2 (swap 9): Card 9 is not in the Territories. They hold: 4, 5, 6.",
    ),
    ("turn", "rest", "'rest' fits several commands: rest right, rest left."),
    ("turn", "rest left", "-> rest left"),
    (
        "turn",
        "rest lft",
        "'lft' does not fit in 'rest lft'; the nearest word is left; possible: right, left, own, none.",
    ),
    ("turn", "rest own", "-> rest own"),
    (
        "turn",
        "rest own walk+left",
        (
            "'walk+left' does not fit in 'rest own walk+left'; the nearest word is 1.walk+left; "
            "possible: left, 2.write, 1.walk, 1.ride, 1.parley, or several of them, joined by +."
        ),
    ),
    ("turn", "rest own left+2.write", "-> rest own 2.write+left"),
    ("turn", "rest own 2.write+1.walk+left", "-> rest own 1.walk+2.write+left"),
    (
        "turn",
        "rest own 3.walk",
        "You named 3.walk. Dice of your colour are at: 1.parley, 1.ride, 1.ride, 1.walk, 2.write, left.",
    ),
    (
        "turn",
        "rest own none",
        (
            "'none' does not fit in 'rest own none'; possible: left, 2.write, 1.walk, 1.ride, 1.parley,"
            " or several of them, joined by +."
        ),
    ),
    ("turn", "rest nothing", "'nothing' does not fit in 'rest nothing'; possible: right, left, own, none."),
    ("turn", "rest all", "'all' does not fit in 'rest all'; possible: right, left, own, none."),
    (
        "turn",
        "end",
        (
            "This command is not possible now. Possible: lay SPACE DIE, write SPACE DIE, use DIE as "
            "FACE, rest BANK, rest own [PLACES], rest none."
        ),
    ),
    ("turn", "pass", "'pass' does not start a command; possible: lay, use, rest."),
    ("turn", "ask 5", "'5' does not fit in 'ask 5'; possible: a seat from 1 to 4."),
    (
        "turn",
        "ask 2",
        (
            "This command is not possible now. Possible: lay SPACE DIE, write SPACE DIE, use DIE as "
            "FACE, rest BANK, rest own [PLACES], rest none."
        ),
    ),
    (
        "turn",
        "give walk",
        (
            "This command is not possible now. Possible: lay SPACE DIE, write SPACE DIE, use DIE as "
            "FACE, rest BANK, rest own [PLACES], rest none."
        ),
    ),
    (
        "turn",
        "next 4",
        (
            "This command is not possible now. Possible: lay SPACE DIE, write SPACE DIE, use DIE as "
            "FACE, rest BANK, rest own [PLACES], rest none."
        ),
    ),
    (
        "turn",
        "choose 4",
        (
            "This command is not possible now. Possible: lay SPACE DIE, write SPACE DIE, use DIE as "
            "FACE, rest BANK, rest own [PLACES], rest none."
        ),
    ),
    (
        "turn",
        "lay horse red-ride; lay horse red-ride",
        ("Command 2 (lay horse red-ride): Every space of the action horse is taken. Only a Write die can be added."),
    ),
    ("turn", "lay horse red-ride; end", "-> lay horse red-ride; end"),
    (
        "ready",
        "write foot red-write; write mountain red-write; cross 35; next 4",
        "-> write foot red-write; write mountain red-write; cross 35; next 4",
    ),
    ("ready", "write foot red-write; cross 35", "-> write foot red-write; cross 35"),
    (
        "ready",
        "write foot red-write; end",
        (
            "Command 2 (end), after what was forced (write mountain red-write; cross 35): This command is "
            "not possible now. Possible: next CARD."
        ),
    ),
    ("ready", "write horse red-write", "You cannot write on horse now. Ready for a Write die: foot, mountain."),
    (
        "ready",
        "write foot red-write; write mountain red-write; cross 4",
        (
            "Command 3 (cross 4), after what was forced (cross 35): This command is not possible now. "
            "Possible: next CARD."
        ),
    ),
    (
        "ready",
        "write foot red-write; write mountain red-write; cross 35 then 9",
        (
            "Command 3 (cross 35 then 9), after what was forced (cross 35): This command is not possible now. "
            "Possible: next CARD."
        ),
    ),
    ("ready", "wr fo red-w; wr mo red-w; cr", "-> write foot red-write; write mountain red-write; cross 35"),
    ("owing", "give parley", "You have no grey die at parley. You have one at: ride, walk."),
    (
        "owing",
        "give grey-walk",
        "'grey-walk' does not fit in 'give grey-walk'; the nearest word is walk; possible: ride, walk.",
    ),
    ("owing", "give wlak", "'wlak' does not fit in 'give wlak'; the nearest word is walk; possible: ride, walk."),
    (
        "owing",
        "lay route grey-walk; swap 4",
        ("Command 1 (lay route grey-walk): This command is not possible now. Possible: give PLACE."),
    ),
    ("start", "choose 9", "Card 9 is not in the Territories. They hold: 4, 5, 6."),
    ("start", "chose 4", "'chose' does not start a command; the nearest word is choose; possible: choose."),
    ("start", "4", "'4' does not start a command; possible: choose."),
    ("start", "choose", "'choose' fits several commands: choose 4, choose 5, choose 6."),
)


@pytest.mark.parametrize(("where", "typed", "answer"), SLIPS, ids=[f"{where}-{typed}" for where, typed, _ in SLIPS])
def test_a_slip_is_understood_or_answered(where: str, typed: str, answer: str) -> None:
    assert answered(game, POSITIONS[where], 0, typed, NAMES) == answer


def test_forty_slips_are_listed() -> None:
    assert len(SLIPS) >= 40
