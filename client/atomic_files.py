"""Files that exist completely or not at all: written beside their place, then moved into it."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def read(path: Path) -> bytes | None:
    """The content of the file; None if there is no file."""
    return path.read_bytes() if path.exists() else None


def write(path: Path, data: bytes, *, forced: bool = True) -> None:
    """Replace the content; a process that dies meanwhile leaves the old one. Only the owner may read the file.

    Two processes may write at once: each has a part of its own, and the last one to finish wins. `forced` also survives
    a loss of power. It costs milliseconds, so it is not used where a loss does no harm.
    """
    with _part(path, data, forced=forced) as part:
        part.replace(path)


def create(path: Path, data: bytes) -> None:
    """The same, forced, for a new file; FileExistsError if there is one already."""
    with _part(path, data, forced=True) as part:
        try:
            path.hardlink_to(part)
        except PermissionError:  # a memory stick has no hard links
            if path.exists():
                raise FileExistsError(path) from None
            part.replace(path)


@contextmanager
def _part(path: Path, data: bytes, *, forced: bool) -> Iterator[Path]:
    """The content in a file beside its place, to be moved or linked there."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            if forced:
                file.flush()
                os.fsync(file.fileno())
        yield part
        if forced:
            _force_names(path.parent)
    finally:
        part.unlink(missing_ok=True)


def _force_names(folder: Path) -> None:
    """Force the names in a folder to the disk: a forced file may still have its old name, or none, after a loss of
    power.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def force(path: Path) -> None:
    """Force a file that was written without `forced` to the disk, if it still exists."""
    if path.exists():
        with path.open("rb") as file:
            os.fsync(file.fileno())


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of this file, for which other processes wait; the end of this process ends it, too."""
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def append(path: Path, lines: list[bytes]) -> None:
    """Append lines, after dropping a last line that a crash has cut off, as `whole_lines` does."""
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
    """The complete lines."""
    return _whole(read(path) or b"").split(b"\n")[:-1]


def _whole(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1]
