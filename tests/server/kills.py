"""The end of a server's process in the middle of what it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from tests.server.harness import Harness


class KilledError(BaseException):
    """The process ends here."""


@contextmanager
def killed_at(hall: Harness, number: int) -> Iterator[None]:
    """Before the statement or the commit of this number the process ends; what is not committed is rolled back."""
    left = [number]

    def die(*_: object) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KilledError

    engines = {hall.services.database.writer, hall.services.database.reader}
    heard = [(engine, name) for engine in engines for name in ("before_cursor_execute", "commit")]
    for engine, name in heard:
        sa.event.listen(engine, name, die)
    try:
        yield
    finally:
        for engine, name in heard:
            sa.event.remove(engine, name, die)
