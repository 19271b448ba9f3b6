"""The audit of a long game on two cores: signatures are verified in a second process, beside the rules.

The walk over a log wants to know at each entry whether its signature holds, and all but always it does. So it is told
that it does, and a child process finds out. If one does not hold after all, that walk is worth nothing and the file is
audited again in this process, one entry after the other: so a report is always the one-process way's own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Self

from engine.record import keys as ed25519
from engine.record.audit import Report
from engine.record.audit import audit as audit_alone
from engine.record.server_keys import ServerKeys

LONG = 2**18  # bytes; below it a second process costs more than it saves
_BLOCK = 2**14  # bytes that are handed over at once: what is left at the end keeps the caller waiting


def audit(
    data: bytes,
    server: ServerKeys | bytes | None = None,
    keys: Mapping[int, str] | None = None,
    note: str | None = None,
) -> Report:
    """What `engine.record.audit.audit` says of these bytes, sooner if they are many and there is a core to spare."""
    if len(data) >= LONG and _has_second_core():
        with suppress(_UndecidedError), Beside() as beside:
            report = audit_alone(data, server, keys, note, beside.verify)
            beside.finish()
            return report
    return audit_alone(data, server, keys, note)


def _has_second_core() -> bool:
    """Where processes cannot be forked, or nobody says how many cores are ours, there is none."""
    return hasattr(os, "fork") and hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) > 1


class _UndecidedError(Exception):
    """A signature does not hold, or nobody has looked at all of them."""


class Beside:
    """A child process that verifies what `verify` is asked; `finish` waits for its answer to all of it."""

    def __enter__(self) -> Self:
        end, start = os.pipe()
        try:
            self._child = os.fork()
        except OSError:
            os.close(end)
            os.close(start)
            raise _UndecidedError from None
        if not self._child:
            os.close(start)
            _serve(end)
        os.close(end)
        self._pipe = os.fdopen(start, "wb", _BLOCK)
        return self

    def verify(self, public: bytes, message: bytes, signature: bytes) -> bool:
        """True at once; _UndecidedError if the child has found one that does not hold and is gone."""
        try:
            self._pipe.write(public + signature + len(message).to_bytes(4, "big") + message)
        except BrokenPipeError:
            raise _UndecidedError from None
        return True

    def finish(self) -> None:
        """_UndecidedError unless every signature holds."""
        if self._wait() != 0:
            raise _UndecidedError

    def __exit__(self, *_error: object) -> None:
        if not self._pipe.closed:
            self._wait()

    def _wait(self) -> int:
        with suppress(BrokenPipeError):
            self._pipe.close()
        _, status = os.waitpid(self._child, 0)
        return status


def _serve(end: int) -> None:
    """The child: it ends with 0 when all that came holds, at once with 1 if one does not, and never returns."""
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
