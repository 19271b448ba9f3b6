"""Ways to type a command in any position, and the accepted words that a refusal lists."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import pytest
from msgspec import Meta as Bounds

from engine.errors import BadNotation
from engine.game import Command, Spelling
from engine.kit import explain, format_command, format_steps, named, parse
from tests.kit.games.pig import Pig

CARDS = ("commander", "hunter", "lumberjack")
Card = Annotated[str, named("a card", CARDS, "^[a-z]{1,12}$")]
Row = Annotated[int, Bounds(ge=1, le=6, description="a row")]


class Tent(Command, frozen=True, tag="tent"):
    notation: ClassVar[str] = "tent {die} [row {row}] [explorer] [from {column} {place}]"
    die: Annotated[int, Bounds(ge=1, le=6)]
    row: Row | None = None
    explorer: bool = False
    column: Annotated[int, Bounds(ge=1, le=10)] | None = None
    place: Row | None = None


class RestOwn(Command, frozen=True, tag="rest-own"):
    notation: ClassVar[str] = "rest own [{places}]"
    spelling: ClassVar[Spelling] = Spelling(sets=("places",))
    places: Annotated[tuple[Annotated[str, Bounds(pattern="^[a-z0-9.]+$")], ...], Bounds(max_length=3)] | None = None


class Rest(Command, frozen=True, tag="rest"):
    notation: ClassVar[str] = "rest {bank}"
    bank: Literal["right", "left"]


class Use(Command, frozen=True, tag="use"):
    notation: ClassVar[str] = "use [pay {pay}] [only {only}]"
    spelling: ClassVar[Spelling] = Spelling(sets=("pay",))
    pay: Annotated[tuple[Literal["wood", "fur"], ...], Bounds(max_length=2)] | None = None
    only: Annotated[int, Bounds(ge=0, le=9)] | None = None


class Shift(Command, frozen=True, tag="shift"):
    notation: ClassVar[str] = "shift {face} as {other}"
    face: Literal["walk", "ride"]
    other: Literal["walk", "ride"]


class Enter(Command, frozen=True, tag="enter"):
    notation: ClassVar[str] = "enter {cell} [leader]"
    spelling: ClassVar[Spelling] = Spelling(times=5)
    cell: Annotated[str, Bounds(pattern="^[a-h][1-5]$", description="a cell, a1 to h5")]
    leader: bool = False


class Work(Command, frozen=True, tag="work"):
    notation: ClassVar[str] = "work [only {only}]"
    spelling: ClassVar[Spelling] = Spelling(times=3)
    only: Annotated[int, Bounds(ge=0, le=9)] | None = None


class Play(Command, frozen=True, tag="play"):
    notation: ClassVar[str] = "play {card} [for {other_seat}]"
    card: Card
    other_seat: Annotated[int, Bounds(ge=0, le=3)] | None = None


class Typing(Pig):
    commands: ClassVar[Any] = (Tent, RestOwn, Rest, Use, Shift, Enter, Work, Play)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("tent 3 explorer row 2", "tent 3 row 2 explorer"),
        ("tent explorer row 2 3", "tent 3 row 2 explorer"),
        ("tent 3 from 2 5 row 1", "tent 3 row 1 from 2 5"),
        ("rest own walk+left+2.walk", "rest own 2.walk+left+walk"),
        ("REST  own", "rest own"),
        ("use 3", "use only 3"),
        ("use 3 pay fur+wood", "use pay wood+fur only 3"),
        ("shift walk ride", "shift walk as ride"),
        ("enter a1 3", "enter a1; enter a1; enter a1"),
        ("enter a1 leader 1", "enter a1 leader"),
        ("enter 3 a1", "enter a1; enter a1; enter a1"),
        ("work 2", "work; work"),
        ("work only 2", "work only 2"),
        ("work 2 only 3", "work only 3; work only 3"),
        ("try enter a1 2", "try enter a1; try enter a1"),
        ("play Húnter for 4", "play hunter for 4"),
    ],
)
def test_text_with_one_meaning_is_accepted_and_written_in_its_one_form(typed: str, written: str) -> None:
    steps = parse(Typing(), typed)
    assert format_steps(steps) == written
    assert parse(Typing(), written) == steps


@pytest.mark.parametrize(
    "command",
    [Tent(3, explorer=True), Use(pay=("wood", "wood")), RestOwn(("a", "b")), Play("hunter", 3)],
    ids=format_command,
)
def test_written_text_is_read_as_it_stands(command: Command) -> None:
    assert [step.command for step in parse(Typing(), format_command(command))] == [command]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (
            "play commandr",
            (
                "'commandr' does not fit in 'play commandr'; the nearest word is commander; "
                "possible: commander, hunter, lumberjack, for."
            ),
        ),
        (
            "plai hunter",
            (
                "'plai' does not start a command; the nearest word is play; "
                "possible: tent, rest own, rest, use, shift, enter, work, play."
            ),
        ),
        ("tent 7", "'7' does not fit in 'tent 7'; possible: a number (die) from 1 to 6, row, explorer, from."),
        ("tent 3 row 9", "'9' does not fit in 'tent 3 row 9'; possible: a row from 1 to 6."),
        ("tent", "'tent' is incomplete; possible: a number (die) from 1 to 6, row, explorer, from."),
        ("enter z9", "'z9' does not fit in 'enter z9'; possible: a cell, a1 to h5, leader."),
        ("enter a1 9", "'9' does not fit in 'enter a1 9'; possible: leader, how often (1 to 5)."),
        ("work 4", "'4' does not fit in 'work 4'; possible: only, how often (1 to 3)."),
        ("play hunter for 5", "'5' does not fit in 'play hunter for 5'; possible: a seat from 1 to 4."),
        ("rest foot", "'foot' does not fit in 'rest foot'; possible: right, left."),
        ("rest left left", "'rest left left' has too many words; possible: rest BANK."),
        (
            "rest own a+b+c+d",
            (
                "'rest own a+b+c+d' is not a command: Expected 'array' of length <= 3 - at '$.places'; "
                "possible: rest own [PLACES]."
            ),
        ),
    ],
)
def test_a_refusal_lists_what_would_be_accepted_there(typed: str, says: str) -> None:
    """Words, numbers with their bounds, descriptions; the nearest word for a slip; msgspec's reason is kept."""
    with pytest.raises(BadNotation) as no:
        parse(Typing(), typed)
    assert explain(Typing(), no.value) == says
    assert no.value.facts.keys() == {"found", "word", "expected", "nearest", "says"}


@pytest.mark.parametrize(
    "typed", ["recruit", "tent 3 3 3", "tent 3 explorer explorer", "rest own left left", "enter a1 0", "use use"]
)
def test_text_without_meaning_is_refused(typed: str) -> None:
    with pytest.raises(BadNotation):
        parse(Typing(), typed)
