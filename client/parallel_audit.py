"""The audit of a long game on two cores: a second process verifies signatures while this one checks the rules."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Self

from engine.record.audit import Report
from engine.record.audit import audit as audit_alone
from engine.record.signed import keys as ed25519
from engine.record.signed.server_keys import ServerKeys

LONG = 2**18  # bytes; below it a second process costs more than it saves
_BLOCK = 2**14  # bytes handed over at once; the caller waits for the rest at the end


def audit(
    data: bytes,
    server: ServerKeys | bytes | None = None,
    keys: Mapping[int, str] | None = None,
    note: str | None = None,
    *,
    pinned: bool = False,
) -> Report:
    """The result of `engine.record.audit.audit`, sooner for a large file if there is a spare core."""
    if len(data) < LONG or not _has_core_to_spare():
        return audit_alone(data, server, keys, note, pinned=pinned)
    with VerifierProcess() as beside:
        return audit_alone(data, server, keys, note, beside, pinned=pinned)


def _has_core_to_spare() -> bool:
    """Is there a spare core? No if processes cannot be forked, or if the number or load of cores is unknown."""
    if not (hasattr(os, "fork") and hasattr(os, "sched_getaffinity") and hasattr(os, "getloadavg")):
        return False
    cores = len(os.sched_getaffinity(0))
    return cores > 1 and cores - os.getloadavg()[0] >= 1


class VerifierProcess:
    """A child process that verifies claims as they come. If it fails, no claim holds."""

    def __enter__(self) -> Self:
        end, start = os.pipe()
        self._pipe = os.fdopen(start, "wb", _BLOCK)
        try:
            self._child = os.fork()
        except OSError:
            self._child = -1
        if self._child == 0:
            os.close(start)
            _verify_until_end(end)
        os.close(end)
        return self

    def claim(self, public: bytes, message: bytes, signature: bytes) -> bool:
        """Add a claim; True until the child has ended because a claim did not hold."""
        try:
            self._pipe.write(public + signature + len(message).to_bytes(4, "big") + message)
        except BrokenPipeError:
            return False
        return True

    def all_hold(self) -> bool:
        """Wait for the child's answer."""
        with suppress(BrokenPipeError):
            self._pipe.close()
        child, self._child = self._child, -1
        return child > 0 and os.waitpid(child, 0)[1] == 0

    def __exit__(self, *_error: object) -> None:
        self.all_hold()


def _verify_until_end(end: int) -> None:
    """The child: exits with 0 if all claims hold, with 1 at the first that does not, and never returns."""
    status = 1
    try:
        with os.fdopen(end, "rb") as pipe:
            while head := pipe.read(100):
                public, signature, length = head[:32], head[32:96], int.from_bytes(head[96:], "big")
                if not ed25519.verify(public, pipe.read(length), signature):
                    return
        status = 0
    finally:
        os._exit(status)
