"""Types of msgspec, read before threads use them.

msgspec reads the fields of a Struct at its first use. If two threads are first at the same time, one uses what the
other has half read, and the process ends with a segmentation fault (msgspec 0.22; `tests/engine/test_struct_types.py`
shows it). So a program reads all types before it starts threads.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

_known: set[type[Any]] = set()


def read_all() -> None:
    """Read every Struct that has been imported by now."""
    for kind in unread():
        with suppress(TypeError, NameError):  # what msgspec cannot read, no thread can decode either
            msgspec.json.Decoder(kind)
        _known.add(kind)


def unread() -> set[type[Any]]:
    """Those that have been imported since."""
    return set(_below(msgspec.Struct)) - _known


def _below(kind: type[Any]) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)
