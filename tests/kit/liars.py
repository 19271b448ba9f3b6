"""A tiny Liar's dice, not registered: two hidden dice each; a bid is raised or doubted.

Unlike the games of `tests/kit/games` it draws in secret again and again, right behind a reveal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta as Bounds
from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Command, Event, Meta, Options, Outcome, Standing, State, Turn, View
from engine.kit import FirstPlayerDrawn, Palette, Zone, document, draw_first, ranked, text

DICE = 2


class LiarsState(State, frozen=True):
    left: tuple[int, ...]
    dice: tuple[tuple[int, ...], ...]
    seat: int = 0
    bid: int = 0  # number and face in one: 10 * number + face
    rounds: int = 0

    def begun_by(self, seat: int) -> LiarsState:
        return replace(self, starter=seat, seat=seat)

    def after(self, seat: int) -> int:
        """The next seat that has dice."""
        return next(
            other % self.seats for other in range(seat + 1, seat + self.seats + 1) if self.left[other % self.seats]
        )

    def count(self, face: int) -> int:
        return sum(dice.count(face) for dice in self.dice)


class LiarsView(View, frozen=True):
    left: tuple[int, ...]
    own: tuple[int, ...]
    seat: int
    bid: int


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "The cups are shaken."
    rules: int
    seats: int
    options: Options

    def apply(self, state: None) -> LiarsState:
        return LiarsState(rules=self.rules, seats=self.seats, left=(DICE,) * self.seats, dice=((),) * self.seats)


class Rolled(Event, frozen=True, tag="Rolled"):
    words: ClassVar[str] = "{seat} rolled {dice}."
    sealed: ClassVar[tuple[str, ...]] = ("dice",)
    seat: int
    dice: tuple[int, ...] | None

    def apply(self, state: LiarsState) -> LiarsState:
        return replace(state, dice=(*state.dice[: self.seat], self.dice or (), *state.dice[self.seat + 1 :]))


class Raised(Event, frozen=True, tag="Raised"):
    words: ClassVar[str] = "{seat} bids {bid}."
    seat: int
    bid: int
    following: int

    def apply(self, state: LiarsState) -> LiarsState:
        return replace(state, bid=self.bid, seat=self.following)


class Doubted(Event, frozen=True, tag="Doubted"):
    words: ClassVar[str] = "{seat} lost a die; the dice were {dice}."
    reveals: ClassVar[tuple[str, ...]] = ("dice",)
    seat: int
    following: int
    dice: tuple[tuple[int, ...], ...]

    def apply(self, state: LiarsState) -> LiarsState:
        left = tuple(n - (seat == self.seat) for seat, n in enumerate(state.left))
        return replace(state, left=left, seat=self.following, bid=0, dice=((),) * state.seats, rounds=state.rounds + 1)


class Raise(Command, frozen=True, tag="raise"):
    """Bid more."""

    notation: ClassVar[str] = "raise {bid}"
    bid: Annotated[int, Bounds(ge=11, le=66)]

    @classmethod
    def candidates(cls, state: LiarsState, seat: int) -> Iterator[Self]:
        return (cls(10 * n + face) for n in range(1, sum(state.left) + 1) for face in range(1, 7))

    def check(self, state: LiarsState, seat: int) -> None:
        if self.bid <= state.bid or self.bid > 10 * sum(state.left) + 6 or not 1 <= self.bid % 10 <= 6:
            raise Refused("no-such-bid", found=self.bid, last=state.bid)

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Raised(seat, self.bid, turn.state.after(seat)))


class Doubt(Command, frozen=True, tag="doubt"):
    """Say that the last bid was too high."""

    notation: ClassVar[str] = "doubt"

    def check(self, state: LiarsState, seat: int) -> None:
        if not state.bid:
            raise Refused("no-such-bid", found=0, last=0)

    def play(self, turn: Turn, seat: int) -> None:
        state: LiarsState = turn.state
        number, face = divmod(state.bid, 10)
        liar = next(s for s in reversed([(seat + n) % state.seats for n in range(state.seats)]) if state.left[s])
        loser = seat if state.count(face) >= number else liar
        following = loser if state.left[loser] > 1 else state.after(loser)
        turn.emit(Doubted(loser, following, state.dice))
        roll(turn)


def roll(turn: Turn) -> None:
    for seat, number in enumerate(turn.state.left):
        if number and sum(map(bool, turn.state.left)) > 1:
            turn.emit(Rolled(seat, tuple(turn.secret.die(6) for _ in range(number))))


class Liars:
    meta = Meta(
        key="liars",
        title="Liar's dice",
        designers=("traditional",),
        year=1800,
        seats=(2, 3),
        options=Options,
        rules=(1, 1),
        stage="tiny",
        cap=99,
        draws=1,
    )
    state = LiarsState
    commands = (Raise, Doubt)
    events = (Started, FirstPlayerDrawn, Rolled, Raised, Doubted)
    refusals: ClassVar[dict[str, str]] = {"no-such-bid": "A bid of {found} does not follow {last}."}
    endings: ClassVar[dict[str, str]] = {"last-dice": "Only one player has dice."}

    def setup(self, turn: Turn, seats: int, options: Options) -> None:
        turn.emit(Started(turn.rules, seats, options))
        draw_first(turn)
        roll(turn)

    def hidden(self, options: Options) -> bool:
        return True

    def active(self, state: LiarsState) -> tuple[int, ...]:
        return () if self.outcome(state) else (state.seat,)

    def phase(self, state: LiarsState, seat: int) -> tuple[type[Command], ...]:
        return (Doubt, Raise)

    def forced(self, state: LiarsState, seat: int) -> Command | None:
        return None

    def default(self, state: LiarsState, seat: int) -> Command:
        return Doubt() if state.bid else Raise(11)

    def outcome(self, state: LiarsState) -> Outcome | None:
        if sum(map(bool, state.left)) > 1:
            return None
        return Outcome(places=ranked(dict(enumerate(state.left))), reason="last-dice")

    def turns(self, state: LiarsState) -> int:
        return state.rounds

    def standing(self, state: LiarsState) -> Standing:
        return Standing(places=ranked(dict(enumerate(state.left))))

    def view(self, state: LiarsState, seat: int | None) -> LiarsView:
        own = () if seat is None else state.dice[seat]
        return LiarsView(left=state.left, own=own, seat=state.seat, bid=state.bid)

    def board(self, view: LiarsView, names: tuple[str, ...]) -> str:
        says = "The game is over." if view.over else f"{names[view.seat]} raises {view.bid} or doubts it."
        return f"Dice: {view.left}, own: {view.own}. {says}"

    def picture(self, view: LiarsView, names: tuple[str, ...], palette: Palette = "light") -> str:
        return document((Zone("board", 432, 36, text(4, 24, self.board(view, names), 14)),), {}, palette)


LIARS: Any = Liars()
