"""The result of an analysis, which anybody may read without the players that made it."""

from __future__ import annotations

import msgspec

LEAST_LOST = 0.03  # of a chance; less is not worth a sentence


class Better(msgspec.Struct, frozen=True):
    """A line that would have been better, and the seat's chance after it.

    `brings` says what it does, in sentences up to a draw; players are named by their seats. `reason` is the part of the
    judgement in which it is most ahead of what was played, in a sentence; "" if no part is.
    """

    commands: tuple[str, ...]
    brings: tuple[str, ...]
    chance: float
    reason: str


class Point(msgspec.Struct, frozen=True):
    """A turning point: the seat's line in entry `seq`, its chance after it, and better lines, the best first."""

    seq: int
    turn: int
    seat: int
    played: tuple[str, ...]
    chance: float
    better: tuple[Better, ...]

    @property
    def lost(self) -> float:
        return self.better[0].chance - self.chance


class Share(msgspec.Struct, frozen=True):
    """The chances by seat after entry `seq`, when `turn` turns had ended.

    `seat` is the one that made the entry; None at the start of the game, and for its result.
    """

    seq: int
    turn: int
    seat: int | None
    chances: tuple[float, ...]


class Analysis(msgspec.Struct, frozen=True):
    """An opinion of a finished game, by the game's players of this level."""

    game: str
    level: str
    seats: int
    decisions: int
    curve: tuple[Share, ...]
    points: tuple[Point, ...]
