"""Signatures, verified all together: after the walk over the log, or beside it in another process.

Nearly always every signature holds. So the walk assumes that each does and checks them all at its end, because
verifying them in one batch is quicker than taking turns with the rules. If one does not hold, the result of that walk
is dropped, and the log is walked again with each signature verified at its entry, where the report must show it.
"""

from __future__ import annotations

from typing import Protocol

from engine.record.signed import keys


class Signatures(Protocol):
    """The verifier of the signatures in one log."""

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
