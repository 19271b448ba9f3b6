"""The progress of an audit of a folder, so that it continues where it was stopped.

    line 1          {"auditor": ..., "server": ...}: the auditor and its keys; another auditor begins anew
    further lines   a row for each judged file, by the hash of its bytes

The file is in the person's own folder, not in the one that is audited: the maker of that folder could put a file of
good verdicts into it. It is removed when every file is judged, and it may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterator
from contextlib import suppress
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from client import atomic_files, folders, pins
from client.archive import FileResult
from client.folders import folder_of
from client.pins import KnownServer
from engine import registry


class ProgressHeader(msgspec.Struct, frozen=True):
    auditor: str
    server: str


def path_of(folder: Path) -> Path:
    """Where the progress of this folder's audit is kept; RuntimeError without a home directory."""
    name = hashlib.sha256(bytes(folder.resolve())).hexdigest()[:16]
    return folder_of() / "audits" / f"{name}.jsonl"


def header(server: KnownServer) -> ProgressHeader:
    """`server` is what the servers' keys are compared with, by default all that is kept here."""
    compared = pins.all_kept() if server is None else server
    return ProgressHeader(auditor(), hashlib.sha256(repr(compared).encode()).hexdigest())


def auditor() -> str:
    """SHA-256 over every module of `engine` and of installed games, so over all code that a verdict follows from.

    No game is loaded here: its code runs only in the processes that audit.
    """
    found = hashlib.sha256()
    homes = sorted(one.home for one in registry.sources() if one.package)
    for package, folder in (("engine", resources.files("engine")), *((home, _folder(home)) for home in homes)):
        for name, module in sorted(_modules(folder, package) if folder else ()):
            found.update(f"{name}\n".encode() + hashlib.sha256(module.read_bytes()).digest())
    return found.hexdigest()


def _folder(home: str) -> Path | None:
    """The folder of an installed game; None if it is missing."""
    try:
        spec = importlib.util.find_spec(home)
    except ImportError:
        return None
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) if places else None


def _modules(folder: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    for child in folder.iterdir():
        within = f"{name}/{child.name}"
        if child.is_dir():
            yield from _modules(child, within)
        elif child.name.endswith(".py"):
            yield within, child


class Progress:
    """The rows of earlier runs by hash, and a file to which new ones are added; OSError if it cannot be written."""

    def __init__(self, path: Path, header: ProgressHeader) -> None:
        self.path = path
        self.rows = _rows(path, header)
        folders.make_private(path.parent)
        lines = [msgspec.json.encode(one) for one in (header, *self.rows.values())]
        atomic_files.write(path, b"".join(line + b"\n" for line in lines), forced=False)
        self._file = path.open("ab")

    def add(self, row: FileResult) -> None:
        """Keep a verdict; a file that was not judged is tried again."""
        if row.sha256 and row.code is None and row.sha256 not in self.rows:
            self._file.write(msgspec.json.encode(msgspec.structs.replace(row, file="")) + b"\n")
            self._file.flush()

    def close(self, *, is_done: bool) -> None:
        self._file.close()
        if is_done:
            self.path.unlink(missing_ok=True)


def _rows(path: Path, header: ProgressHeader) -> dict[str, FileResult]:
    """The rows in a file of the same auditor, without a last line that a crash has cut off."""
    first, *lines = atomic_files.whole_lines(path) or [b""]
    rows: dict[str, FileResult] = {}
    with suppress(msgspec.MsgspecError):
        if msgspec.json.decode(first, type=ProgressHeader) == header:
            rows = {row.sha256: row for row in (msgspec.json.decode(line, type=FileResult) for line in lines)}
    return rows
