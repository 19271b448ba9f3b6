"""Ways to type a command in a position: among the legal commands, and in real games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, Self

import pytest
from msgspec import Meta as Bounds
from msgspec.structs import replace

from engine import registry, replay
from engine.errors import Ambiguous, BadNotation, Refused
from engine.game import Command, Spelling, State
from engine.games.tikal.components import TILE
from engine.games.tikal.hexes import turned
from engine.kit import Step, complete, explain, format_command, format_steps, grammar, legal, notation
from tests.games.lewis_clark.positions import position as expedition
from tests.games.tikal.positions import begun as jungle
from tests.games.tikal.positions import holding
from tests.kit.games.pig import Pig, PigState
from tests.kit.worlds import turn_at

STATE = PigState(rules=1, seats=2, goal=30, scores=(0, 0))
DIE = Annotated[int, Bounds(ge=1, le=6)]
Tree = Literal["oak", "elm"]


class Tent(Command, frozen=True, tag="tent"):
    notation: ClassVar[str] = "tent {die} [row {row}] [quietly] [with {kinds}]"
    spelling: ClassVar[Spelling] = Spelling(sets=("kinds",))
    die: DIE
    row: DIE | None = None
    quietly: bool = False
    kinds: Annotated[tuple[Tree, ...], Bounds(max_length=3)] | None = None

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator[Self]:
        yield from (cls(1), cls(1, quietly=True), cls(2, kinds=("oak",)), cls(2, kinds=("oak", "elm")), cls(4, row=2))


class Village(Command, frozen=True, tag="village"):
    notation: ClassVar[str] = "village {place} {count}"
    place: Literal["hunting", "horses"]
    count: DIE

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator[Self]:
        yield from (cls("hunting", 1), cls("horses", 1), cls("horses", 2), cls("horses", 3))

    def check(self, state: State, seat: int) -> None:
        if self.place == "hunting" and self.count > 1:
            raise Refused("enough-rolls", most=1)


class Use(Command, frozen=True, tag="use"):
    notation: ClassVar[str] = "use [pay {pay}] [only {only}]"
    spelling: ClassVar[Spelling] = Spelling(implied=("pay",))
    pay: Tree | None = None
    only: DIE | None = None

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator[Self]:
        yield from (cls("oak"), cls("oak", 1), cls("elm", 2))

    def check(self, state: State, seat: int) -> None:
        if self not in tuple(self.candidates(state, seat)):
            raise Refused("nothing-to-hold")


class Fish(Command, frozen=True, tag="fish"):
    notation: ClassVar[str] = "fish [only {only}]"
    spelling: ClassVar[Spelling] = Spelling(times=3)
    only: DIE | None = None

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator[Self]:
        yield from (cls(), cls(1), cls(2))


class Gather(Command, frozen=True, tag="gather"):
    notation: ClassVar[str] = "gather {count}"
    spelling: ClassVar[Spelling] = Spelling(most=("count",))
    count: DIE

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator[Self]:
        return map(cls, range(1, 5))


class Turned(Command, frozen=True, tag="turn"):
    notation: ClassVar[str] = "turn {by}"
    by: DIE

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator[Self]:
        return map(cls, range(1, 4))

    def check(self, state: State, seat: int) -> None:
        if self.by > 3:
            raise Refused("enough-rolls", most=3)

    def meant(self, state: State, seat: int) -> Self:
        return type(self)((self.by - 1) % 3 + 1)


class Typing(Pig):
    commands: ClassVar[Any] = (Tent, Village, Use, Fish, Gather, Turned)

    def phase(self, state: PigState, seat: int) -> tuple[type[Command], ...]:
        return self.commands


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("te 1 q", "tent 1 quietly"),
        ("tent q 1", "tent 1 quietly"),
        ("v hunt", "village hunting 1"),
        ("village hunting", "village hunting 1"),
        ("try village hunting", "try village hunting 1"),
        ("use", "use pay oak"),
        ("use 1", "use pay oak only 1"),
        ("use only 2", "use pay elm only 2"),
        ("fish 2", "fish; fish"),
        ("fi 2", "fish; fish"),
        ("fi on 2", "fish only 2"),
        ("te 1 r 3 q", "tent 1 row 3 quietly"),
        ("gather", "gather 4"),
        ("ga", "gather 4"),
        ("turn 5", "turn 2"),
        ("tent 2 with elm+oak", "tent 2 with oak+elm"),
        ("te 2 w o", "tent 2 with oak"),  # one part is named, so not two
    ],
)
def test_text_means_the_one_legal_command_that_it_fits(typed: str, written: str) -> None:
    assert format_steps(complete(Typing(), STATE, 0, typed)) == written


@pytest.mark.parametrize("typed", ["village horses", "t", "tent 2"])
def test_text_with_several_meanings_lists_them(typed: str) -> None:
    """Nothing is guessed, and an option that costs something is never implied."""
    if typed == "tent 2":
        assert format_steps(complete(Typing(), STATE, 0, typed)) == "tent 2"
        return
    with pytest.raises(Ambiguous) as no:
        complete(Typing(), STATE, 0, typed)
    assert len(no.value.facts["candidates"]) > 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("gather 7", "'7' does not fit in 'gather 7'; possible: 1..4."),
        ("village hunt 2", "'2' does not fit in 'village hunt 2'; possible: 1."),
        (
            "village horsse",
            "'horsse' does not fit in 'village horsse'; the nearest word is horses; possible: hunting, horses.",
        ),
        ("villag hunting x", "'x' does not fit in 'villag hunting x'; possible: 1."),
        (
            "gathre",
            (
                "'gathre' does not start a command; the nearest word is gather; "
                "possible: tent, village, use, fish, gather, turn."
            ),
        ),
    ],
)
def test_a_refusal_says_what_is_possible_now(typed: str, says: str) -> None:
    with pytest.raises(BadNotation) as no:
        complete(Typing(), STATE, 0, typed)
    assert explain(Typing(), no.value) == says


def test_a_line_that_is_read_costs_no_search_for_what_else_would_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 lines after a draw are read in nine positions each: every legal command is looked at once, and none is listed
    again.
    """
    listed, written, refused = list[object](), list[object](), list[object]()
    usual, write, refusal = Tent.candidates, notation.write, grammar.refusal
    monkeypatch.setattr(Tent, "candidates", lambda *given: listed.append(given) or usual(*given))
    monkeypatch.setattr(notation, "write", lambda command: written.append(command) or write(command))
    monkeypatch.setattr(grammar, "refusal", lambda *at, **more: refused.append(at) or refusal(*at, **more))
    assert complete(Typing(), STATE, 0, "te 1 r 3 q") == (Step(Tent(1, row=3, quietly=True)),)
    assert (len(listed), len(refused)) == (1, 1)  # the reader's own refusal, which says where the words end
    assert written == list(usual(STATE, 0))


def test_a_whole_command_out_of_turn_is_left_to_the_rules_to_refuse() -> None:
    """`decide` refuses it with the reason of the rules."""
    assert format_steps(complete(Typing(), STATE, 1, "turn 5")) == "turn 5"
    with pytest.raises(BadNotation):
        complete(Typing(), STATE, 1, "village hunting")


def test_a_move_is_read_line_by_line_in_the_position_after_each() -> None:
    """`use` means a use of the action just begun."""
    game = registry.find("lewis_clark")
    state = expedition(me={"hand": ("hunter", "interpreter"), "indians": 0})
    steps = replay.read(game, state, 0, "play hun; under interp; use")
    assert format_steps(steps).startswith("play hunter; under interpreter; use")


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("recruit hay; play yellept; indians 1; use take fur+fur", "use pay wood take fur+fur"),
        ("recruit hay; pl yel; ind 1; use take fu+fu", "use pay wood take fur+fur"),
        ("recruit hay; play interpreter; un hun; ga", "gather 1"),
    ],
)
def test_a_recruit_may_come_before_commands_that_are_cut_short(line: str, last: str) -> None:
    """It draws a card for the journal, on which none of these depends."""
    game = registry.find("lewis_clark")
    me = {"hand": ("yellept", "interpreter", "hunter"), "goods": "1 fur, 1 equipment, 1 wood", "indians": 1}
    state = expedition(me=me)
    steps = replay.read(game, state, 0, line)
    assert format_steps(steps[-1:]) == last
    moved = replay.move(game, turn_at(state, "rules"), 0, steps)
    assert (moved.done, moved.refusal) == (len(steps), None)


def test_a_rotation_that_looks_alike_is_written_as_the_first_of_them() -> None:
    """A tile whose stones repeat after a third of a turn lies alike in two more."""
    game, state = registry.find("tikal"), jungle(3)
    tile = next(name for name, _ in state.stack.rest if turned(TILE[name].stones, 2) == TILE[name].stones)
    state = holding(replace(state, stack=state.stack.add([state.tile]), tile=""), tile)
    place = next(command for command in legal(game, state, state.seat) if format_command(command).endswith("r0"))
    typed = format_command(place).replace("r0", "r4")
    assert format_steps(complete(game, state, state.seat, typed)) == format_command(place)
