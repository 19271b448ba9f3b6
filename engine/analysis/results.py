"""The result of an analysis, which anybody may read without the players that made it."""

from __future__ import annotations

import msgspec

LEAST_LOST = 0.03  # of a chance; less is not worth a sentence


class Point(msgspec.Struct, frozen=True):
    """A turning point: the seat's line in entry `seq` and a better one, with the seat's chance after each.

    `brings` says what the better line does, in sentences up to a draw; players are named by their seats.
    """

    seq: int
    turn: int
    seat: int
    played: tuple[str, ...]
    better: tuple[str, ...]
    brings: tuple[str, ...]
    chance: float
    better_chance: float

    @property
    def lost(self) -> float:
        return self.better_chance - self.chance


class Share(msgspec.Struct, frozen=True):
    """The chances by seat after entry `seq`, in turn number `turn`."""

    seq: int
    turn: int
    chances: tuple[float, ...]


class Analysis(msgspec.Struct, frozen=True):
    """An opinion of a finished game, by the game's players of this level."""

    game: str
    level: str
    seats: int
    decisions: int
    curve: tuple[Share, ...]
    points: tuple[Point, ...]
