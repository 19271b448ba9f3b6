"""Signatures, verified all together: after the walk over the log, or beside it in another process.

All but always every signature holds. So the walk is told that each does, and asks for the truth at its end: work of
one kind, done in one go, is quicker than in turns with the rules. If one does not hold, that walk is worth nothing, and
the log is walked again with each signature verified at its entry, where the report must show it.
"""

from __future__ import annotations

from typing import Protocol

from engine.record.signed import keys


class Signatures(Protocol):
    """Whoever is asked of the signatures of one log."""

    def claim(self, public: bytes, message: bytes, signature: bytes) -> bool:
        """True for now. It may be False only if the signature surely does not hold."""

    def all_hold(self) -> bool:
        """Does every signature that was claimed hold?"""


class Deferred:
    """Verifies them here, when all are known."""

    def __init__(self) -> None:
        self._claimed: list[tuple[bytes, bytes, bytes]] = []

    def claim(self, public: bytes, message: bytes, signature: bytes) -> bool:
        self._claimed.append((public, message, signature))
        return True

    def all_hold(self) -> bool:
        return all(keys.verify(*one) for one in self._claimed)
