"""Files that are there whole or not at all: written beside their place, and moved into it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO


def read(path: Path) -> bytes | None:
    """What the file holds; None if there is none."""
    return path.read_bytes() if path.exists() else None


def write(path: Path, data: bytes, *, forced: bool = True) -> None:
    """The new content or, if this process dies now, the old one. For its owner's eyes alone.

    `forced`: also if the machine dies now. That costs milliseconds, and is spared where losing it does no harm.
    """
    part = path.with_name(f"{path.name}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        if forced:
            file.flush()
            os.fsync(file.fileno())
    part.replace(path)


def force(path: Path) -> None:
    """What was written without being forced to the disk is forced now, if it is still there."""
    if path.exists():
        with path.open("rb") as file:
            os.fsync(file.fileno())


def append(path: Path, lines: list[bytes]) -> None:
    """Add lines. One that a crash has cut off is dropped first: `whole_lines` does not read it either."""
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            if file.read() != b"\n":
                _cut(file)
        file.write(b"".join(line + b"\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())


def _cut(file: BinaryIO) -> None:
    file.seek(0)
    file.seek(len(_whole(file.read())))
    file.truncate()


def whole_lines(path: Path) -> list[bytes]:
    """The lines that were written to their end."""
    return _whole(read(path) or b"").split(b"\n")[:-1]


def _whole(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1]
