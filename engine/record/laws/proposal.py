"""An entry that would follow, as the laws see it, and the bounds of what may be repeated in one game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.record.signed.acts import Act

MOST_JOINS = 256
MOST_KEYS = 16
MOST_OFFERS = 16
MOST_TAKES = 8
MOST_RECOVERIES = 16
MOST_GRANTS = 64

Facts = Mapping[str, Any]


class Proposal(msgspec.Struct, frozen=True):
    """An entry that would follow: its kind, the seats it is about, the act that it logs and the kid that signed.

    `at` is its time in seconds since 1970; `sealed` is for an unsigned move, `seconds` and `why` are for time that is
    granted, `size` is for a log that was lost.
    """

    kind: str
    seats: tuple[int, ...] = ()
    act: Act | None = None
    signer: str = ""
    at: int = 0
    sealed: bool = False
    seconds: int = 0
    why: str = ""
    size: int = 0

    @property
    def seat(self) -> int:
        return self.seats[0]
