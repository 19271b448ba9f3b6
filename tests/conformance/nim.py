"""Nim: the players take one to three stones from a heap in turn, and the player who takes the last one wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta as Bounds
from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Command, Event, Meta, Options, Outcome, Standing, State, Turn, View
from engine.kit import (
    FirstPlayerDrawn,
    Palette,
    Zone,
    circle,
    count,
    cut,
    document,
    draw_first,
    off_table,
    text,
    titled,
)

MOST = 3


class NimOptions(Options, frozen=True):
    stones: Annotated[int, Bounds(ge=5, le=99)] = 21


class NimState(State, frozen=True):
    stones: int
    seat: int = 0
    taken: int = 0

    def begun_by(self, seat: int) -> NimState:
        return replace(self, starter=seat, seat=seat)


class NimView(View, frozen=True):
    stones: int
    seat: int


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "The heap is laid out."
    rules: int
    seats: int
    options: NimOptions

    def apply(self, state: None) -> NimState:
        return NimState(rules=self.rules, seats=self.seats, stones=self.options.stones)


class Taken(Event, frozen=True, tag="Taken"):
    words: ClassVar[str] = "{seat} took {amount:stone}."
    seat: int
    amount: int

    def apply(self, state: NimState) -> NimState:
        following = (self.seat + 1) % state.seats
        return replace(state, stones=state.stones - self.amount, seat=following, taken=state.taken + 1)


class Take(Command, frozen=True, tag="take"):
    """Take so many stones from the heap."""

    notation: ClassVar[str] = "take {amount}"
    amount: Annotated[int, Bounds(ge=1, le=MOST), off_table]

    @classmethod
    def candidates(cls, state: NimState, seat: int) -> Iterator[Self]:
        return (cls(amount) for amount in range(1, MOST + 1))

    def check(self, state: NimState, seat: int) -> None:
        if self.amount > state.stones:
            raise Refused("too-few-stones", found=self.amount, have=state.stones)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Taken(seat, self.amount))


class Nim:
    meta = Meta(
        key="nim",
        title="Nim",
        designers=("traditional",),
        year=1901,
        seats=(2, 3),
        options=NimOptions,
        rules=(1, 1),
        stage="beta",
        cap=99,
        draws=1,
    )
    state = NimState
    commands = (Take,)
    events = (Started, FirstPlayerDrawn, Taken)
    refusals: ClassVar[dict[str, str]] = {"too-few-stones": "There {have:?is|are} {have:stone}, fewer than {found}."}
    endings: ClassVar[dict[str, str]] = {"last-stone": "The last stone is taken."}

    def setup(self, turn: Turn, seats: int, options: NimOptions) -> None:
        turn.emit(Started(turn.rules, seats, options))
        draw_first(turn)

    def hidden(self, options: NimOptions) -> bool:
        return False

    def active(self, state: NimState) -> tuple[int, ...]:
        return (state.seat,) if state.stones else ()

    def phase(self, state: NimState, seat: int) -> tuple[type[Command], ...]:
        return (Take,)

    def forced(self, state: NimState, seat: int) -> Command | None:
        return Take(1) if state.stones == 1 else None

    def default(self, state: NimState, seat: int) -> Command:
        return Take(1)

    def outcome(self, state: NimState) -> Outcome | None:
        if state.stones:
            return None
        last = (state.seat - 1) % state.seats
        others = tuple(seat for seat in range(state.seats) if seat != last)
        return Outcome(places=((last,), others), reason="last-stone")

    def turns(self, state: NimState) -> int:
        return state.taken

    def standing(self, state: NimState) -> Standing:
        return Standing(places=(tuple(range(state.seats)),), won=False)

    def view(self, state: NimState, seat: int | None) -> NimView:
        return NimView(stones=state.stones, seat=state.seat)

    def board(self, view: NimView, names: tuple[str, ...]) -> str:
        heap = f"{count(view.stones, 'stone')} {'o' * min(view.stones, 60)}".rstrip()
        return f"{heap}\n{self._says(view, names)}"

    def picture(self, view: NimView, names: tuple[str, ...], palette: Palette = "light") -> str:
        dots = "".join(circle(20 + 28 * (n % 15), 20 + 28 * (n // 15), 10, fill="@stone") for n in range(view.stones))
        heap = Zone("board", 432, 200, titled(count(view.stones, "stone"), dots))
        head = Zone("head", 432, 30, text(8, 22, self._says(view, names), 14))
        return document((head, heap), {"stone": ("#5b6470", "#aeb7c2")}, palette)

    def _says(self, view: NimView, names: tuple[str, ...]) -> str:
        if view.ended and view.ended.won:
            return f"{cut(names[view.ended.places[0][0]], 30)} has won."
        return "The game is over." if view.over else f"{cut(names[view.seat], 30)} takes 1 to {MOST}."


game: Any = Nim()
