"""Pig: roll a die as often as you dare; a one loses the pot, holding keeps it. An open game with a die.

Seat 1 always begins, so that other tests know the seat to move. Every other game draws the seat that begins.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta as Bounds
from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Command, Event, Meta, Options, Outcome, Standing, State, Turn, View
from engine.kit import Palette, Zone, box, count, cut, document, ranked, text, titled

ROLLS = 6  # in a turn, which bounds the draws of a game


class PigOptions(Options, frozen=True):
    goal: Annotated[int, Bounds(ge=5, le=100)] = 30


class PigState(State, frozen=True):
    goal: int
    scores: tuple[int, ...]
    turn: int = 0
    pot: int = 0
    rolls: int = 0

    @property
    def seat(self) -> int:
        return self.turn % self.seats


class PigView(View, frozen=True):
    goal: int
    scores: tuple[int, ...]
    seat: int
    pot: int
    turn: int
    rolls: int


class Started(Event, frozen=True, tag="Started"):
    words: ClassVar[str] = "The game begins."
    rules: int
    seats: int
    options: PigOptions

    def apply(self, state: None) -> PigState:
        return PigState(rules=self.rules, seats=self.seats, goal=self.options.goal, scores=(0,) * self.seats)


class Rolled(Event, frozen=True, tag="Rolled"):
    words: ClassVar[str] = "{seat} rolled {die}."
    seat: int
    die: int
    pot: int

    def apply(self, state: PigState) -> PigState:
        return replace(state, pot=self.pot, rolls=state.rolls + 1)


class TurnEnded(Event, frozen=True, tag="TurnEnded"):
    words: ClassVar[str] = "{seat} kept {kept}."
    seat: int
    kept: int

    def apply(self, state: PigState) -> PigState:
        at = self.seat
        scores = (*state.scores[:at], state.scores[at] + self.kept, *state.scores[at + 1 :])
        return replace(state, scores=scores, turn=state.turn + 1, pot=0, rolls=0)


class Roll(Command, frozen=True, tag="roll"):
    """Roll the die: its number goes to the pot, but a one loses the pot and ends the turn."""

    notation: ClassVar[str] = "roll"

    def check(self, state: PigState, seat: int) -> None:
        if state.rolls >= ROLLS:
            raise Refused("enough-rolls", most=ROLLS)

    def play(self, turn: Turn, seat: int) -> None:
        die = turn.chance.die(6)
        turn.emit(Rolled(seat, die, 0 if die == 1 else turn.state.pot + die))
        if die == 1:
            turn.emit(TurnEnded(seat, 0))


class Hold(Command, frozen=True, tag="hold"):
    """Keep the pot and end the turn."""

    notation: ClassVar[str] = "hold"

    def check(self, state: PigState, seat: int) -> None:
        if not state.pot:
            raise Refused("nothing-to-hold")

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(TurnEnded(seat, turn.state.pot))


class Pig:
    meta = Meta(
        key="pig",
        title="Pig",
        designers=("traditional",),
        year=1945,
        seats=(2, 4),
        options=PigOptions,
        rules=(1, 1),
        stage="tiny",
        cap=120,
        draws=120 * ROLLS,
    )
    state = PigState
    commands = (Roll, Hold)
    events = (Started, Rolled, TurnEnded)
    refusals: ClassVar[dict[str, str]] = {
        "enough-rolls": "You have rolled {most:time} this turn, which is the limit. Hold the pot.",
        "nothing-to-hold": "There is nothing in the pot to hold.",
    }
    endings: ClassVar[dict[str, str]] = {
        "goal": "Somebody has reached the goal.",
    }

    def setup(self, turn: Turn, seats: int, options: PigOptions) -> None:
        turn.emit(Started(turn.rules, seats, options))

    def hidden(self, options: PigOptions) -> bool:
        return False

    def active(self, state: PigState) -> tuple[int, ...]:
        return () if max(state.scores) >= state.goal else (state.seat,)

    def phase(self, state: PigState, seat: int) -> tuple[type[Command], ...]:
        return (Roll, Hold)

    def forced(self, state: PigState, seat: int) -> Command | None:
        return None

    def default(self, state: PigState, seat: int) -> Command:
        return Hold() if state.pot else Roll()

    def outcome(self, state: PigState) -> Outcome | None:
        if max(state.scores) < state.goal:
            return None
        now = self.standing(state)
        return Outcome(places=now.places, points=now.points, reason="goal")

    def turns(self, state: PigState) -> int:
        return state.turn

    def standing(self, state: PigState) -> Standing:
        return Standing(places=ranked(dict(enumerate(state.scores))), points=(("pot", state.scores),))

    def view(self, state: PigState, seat: int | None) -> PigView:
        return PigView(
            goal=state.goal, scores=state.scores, seat=state.seat, pot=state.pot, turn=state.turn, rolls=state.rolls
        )

    def board(self, view: PigView, names: tuple[str, ...]) -> str:
        lines = ["The game is over." if view.over else f"Pig to {view.goal}. In the pot: {view.pot}."]
        marks = ("*" if seat == view.seat and not view.over else " " for seat in range(len(view.scores)))
        lines += [f"{mark} {cut(names[seat], 40)}: {view.scores[seat]:3}" for seat, mark in enumerate(marks)]
        return "\n".join(lines)

    def picture(self, view: PigView, names: tuple[str, ...], palette: Palette = "light") -> str:
        pot = titled(f"{count(view.pot, 'point')} in the pot", text(8, 34, f"Pot: {view.pot}", 26))
        board = Zone("board", 432, 48, titled("the game is over") if view.over else pot)
        seats = (
            Zone(f"seat-{seat + 1}", 432, 40, self._bar(view, seat, cut(names[seat], 22)))
            for seat in range(len(view.scores))
        )
        return document((board, *seats), {}, palette)

    def _bar(self, view: PigView, seat: int, name: str) -> str:
        """A bar as long as the seat's points."""
        score = view.scores[seat]
        bar = box(0, 2, min(432, 4 * score), 36, fill="@card")
        return titled(f"{name}: {count(score, 'point')}", bar, text(8, 29, f"{score} {name}", 22))


game: Any = Pig()
