"""Copies of games in any form: bundles, checkpoints, mails with checkpoints, logs, the folder of a client.

Each becomes a *source*: a statement on one game's log (`engine.record.audit.consistency`), with its checkpoints. Only
its shape is judged here: entries that follow each other by number and hash. Whether they are good ones, `audit` says.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from client import input_files, saved_mails
from client.input_files import UnreadableError
from engine.errors import BadRecord, NewerRecord
from engine.kit import count
from engine.record.audit.consistency import Holding, LogMark
from engine.record.audit.run import MOST_BYTES
from engine.record.encoding import canonical
from engine.record.log import bundle
from engine.record.log.entry import Entry, read_entry
from engine.record.signed import note

LOG = "log"
SECRET = frozenset(("key", "nonce", "pending"))
MOST_FILES = 4096
MOST_RUNS = 64
NOTHING = "it has no bundle, log or checkpoint of a game"
_HEAD = re.compile(
    r"(?m)^([A-Za-z0-9._:\[\]-]{1,255})/game/([0-9a-f-]{36})\s+([1-9][0-9]{0,15})\s+([A-Za-z0-9+/]{43}=)"
)


class GameCopy(msgspec.Struct, frozen=True):
    """One copy of one game, described in words. `notes` are the marks that its checkpoints make."""

    holding: Holding
    what: str
    notes: tuple[LogMark, ...] = ()

    @property
    def name(self) -> str:
        return self.holding.name

    def says(self, size: int) -> bytes | None:
        """The hash of the last entry of the log of this size, if it is known here."""
        mark = self.holding.marks.get(size)
        return None if mark is None else mark.hash

    def has_line(self, size: int) -> bool:
        """Is the entry itself here that ends the log of this size, not only a checkpoint on it?"""
        return size in self.holding.marks and self.holding.marks[size].text.startswith("{")


def sources_in(path: Path) -> list[GameCopy]:
    """The sources in a file or a client's folder; UnreadableError if there are none."""
    if path.is_dir():
        return _of_folder(path)
    return _of_file(path)


# --- one file ---------------------------------------------------------------------------------------------------------


def _of_file(path: Path) -> list[GameCopy]:
    data = input_files.read_bounded(path, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise UnreadableError(path, f"more than {MOST_BYTES} bytes")
    if data.startswith(input_files.HEAD):
        return _of_bundle(path, data)
    if data.lstrip()[:1] == b"{":
        return _of_page(path, data)
    return _of_text(path, data)


def _of_bundle(path: Path, data: bytes) -> list[GameCopy]:
    try:
        found = bundle.read(data)
    except BadRecord as bad:
        raise UnreadableError(path, bad.says) from None
    entries = _chained(path, found.lines)
    return _sources(path, "a bundle", [entries], [found.note])


def _of_page(path: Path, data: bytes) -> list[GameCopy]:
    """A page of the log, as a server answers it and as evidence is kept: {"entries": [...], "note": "...", ...}."""
    page = _json(data)
    if not isinstance(page, dict) or "entries" not in page:
        return _of_log(path, data, [])
    given = page["entries"]
    if not isinstance(given, list) or not all(isinstance(line, str) for line in given):
        raise UnreadableError(path, "a page of a log whose entries are not lines")
    notes = [found for text in page.values() if isinstance(text, str) for found in saved_mails.notes_in(text)]
    return _not_empty(path, _sources(path, "a page of a log", _runs(line.encode() for line in given), notes))


def _of_log(path: Path, data: bytes, notes: Sequence[str]) -> list[GameCopy]:
    """The complete lines, without one that a crash cut off."""
    whole, _, _ = data.rpartition(b"\n")
    lines = whole.split(b"\n")
    runs = [_chained(path, lines)] if _is_entry(lines[0]) else []
    return _not_empty(path, _sources(path, "a log", runs, notes))


def _of_text(path: Path, data: bytes) -> list[GameCopy]:
    """Checkpoints; without one, the three lines that a checkpoint signs, as in the code on a certificate."""
    notes = saved_mails.notes_of(data)
    if notes:
        return _sources(path, "notes", [], notes)
    heads = (found for text in saved_mails.texts_of(data) for found in _HEAD.finditer(text[: note.MAX_TEXT]))
    return _not_empty(path, [_of_head(str(path), found) for found in heads])


def _of_head(name: str, found: re.Match[str]) -> GameCopy:
    size = int(found[3])
    text = f"{found[1]}/game/{found[2]}\n{size}\n{found[4]}\n"
    mark = LogMark(size, base64.b64decode(found[4]), text)
    return GameCopy(Holding(name, found[1], found[2], {size: mark}), f"an unsigned head of {_counted(size)}")


def _not_empty(path: Path, sources: list[GameCopy]) -> list[GameCopy]:
    if not sources:
        raise UnreadableError(path, NOTHING)
    return sources


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _runs(lines: Iterable[bytes]) -> list[list[Entry]]:
    """The entries of a page, split where one does not name the one before it: such a page is evidence, too."""
    runs: list[list[Entry]] = []
    seen: set[bytes] = set()
    for entry in filter(None, map(_entry, lines)):
        if entry.hash in seen:
            continue
        seen.add(entry.hash)
        if runs and _follows(runs[-1][-1], entry):
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return runs[:MOST_RUNS]


def _entry(line: bytes) -> Entry | None:
    try:
        return read_entry(line)
    except BadRecord:
        return None


def _follows(before: Entry, entry: Entry) -> bool:
    return (entry.game, entry.seq, entry.prev) == (before.game, before.seq + 1, before.hash)


def _is_entry(line: bytes) -> bool:
    try:
        read_entry(line)
    except NewerRecord:
        return True
    except BadRecord:
        return False
    return True


def _chained(path: Path, lines: Sequence[bytes]) -> list[Entry]:
    """Read entries, each of which must name the one before; UnreadableError otherwise."""
    try:
        entries = [read_entry(line) for line in lines]
    except BadRecord as bad:
        raise UnreadableError(path, f"a line is not an entry: {bad.says}") from None
    for before, entry in pairwise(entries):
        if not _follows(before, entry):
            raise UnreadableError(path, f"the line after entry {before.seq} does not name it: this is not a log")
    return entries


# --- a folder ---------------------------------------------------------------------------------------------------------


def _of_folder(path: Path) -> list[GameCopy]:
    """The log with its checkpoint, and everything else in the folder as a source of its own."""
    log, kept = path / LOG, path / "note"
    found: list[GameCopy] = []
    if log.is_file():
        notes = input_files.notes_in(kept) if kept.is_file() else []
        found = _of_log(log, input_files.read_bounded(log, MOST_BYTES), notes)
        found = [replace(one, holding=replace(one.holding, name=str(path))) for one in found]
    for file in _others(path, {log, kept} if found else set()):
        found += _unless_nothing(file)
    return _not_empty(path, found)


def _others(path: Path, done: set[Path]) -> list[Path]:
    inside = (file for pattern in ("*", "*/*", "*/*/*") for file in sorted(path.glob(pattern)))
    wanted = [file for file in inside if file.is_file() and file not in done and file.name not in SECRET]
    if len(wanted) > MOST_FILES:
        raise UnreadableError(path, f"this folder has more than {MOST_FILES} files")
    return wanted


def _unless_nothing(path: Path) -> list[GameCopy]:
    """Skip files of a client's folder that are not about the log."""
    try:
        return _of_file(path)
    except UnreadableError as error:
        if error.why == NOTHING:
            return []
        raise


# --- sources ----------------------------------------------------------------------------------------------------------


def _sources(path: Path, what: str, runs: Sequence[Sequence[Entry]], notes: Sequence[str]) -> list[GameCopy]:
    """Each run of entries with the checkpoints that agree with it, and further games or histories of checkpoints."""
    found: list[GameCopy] = []
    for run in runs:
        found.append(_of_entries(path, _name(path, found, f"from entry {run[0].seq}"), what, run, notes))
    for text in notes:
        one = note.read(text)
        place = next((at for at, source in enumerate(found) if _takes(source, one)), None)
        if place is None:
            found.append(_of_note(_name(path, found, f"checkpoint of {_counted(one.size)}"), one, text))
        else:
            found[place] = _with(found[place], one, text)
    return found


def _name(path: Path, found: Sequence[GameCopy], which: str) -> str:
    """The name of the file; for its further sources also what they are."""
    return f"{path} ({which})" if found else str(path)


def _of_entries(path: Path, name: str, what: str, entries: Sequence[Entry], notes: Sequence[str]) -> GameCopy:
    """The server that entry 0 names; for a part of a log, that of a checkpoint in the same file."""
    first, words = entries[0], f"{what} of {_counted(len(entries))}"
    marks = {entry.seq + 1: LogMark(entry.seq + 1, entry.hash, entry.line.decode("ascii")) for entry in entries}
    if not first.seq:
        key = canonical.from_base64url(first.body["server_key"], 32)
        return GameCopy(Holding(name, str(first.body["server"]), first.game, marks, key), words)
    server = next((one.server for one in map(note.read, notes) if one.game == first.game), None)
    if server is None:
        raise UnreadableError(path, "a part of a log without a checkpoint, so its server is unknown")
    marks[first.seq] = LogMark(first.seq, first.prev, marks[first.seq + 1].text)
    return GameCopy(Holding(name, server, first.game, marks), words)


def _of_note(name: str, one: note.Note, text: str) -> GameCopy:
    mark = LogMark(one.size, one.hash, text)
    return GameCopy(
        Holding(name, one.server, one.game, {one.size: mark}), f"a checkpoint of {_counted(one.size)}", (mark,)
    )


def _takes(source: GameCopy, one: note.Note) -> bool:
    """Is a checkpoint of this source's game and log, as far as both are known?"""
    own = source.holding
    return (own.server, own.game) == (one.server, one.game) and source.says(one.size) in (None, one.hash)


def _with(source: GameCopy, one: note.Note, text: str) -> GameCopy:
    mark = LogMark(one.size, one.hash, text)
    marks = {one.size: mark, **source.holding.marks}
    what = source.what if any(map(source.has_line, marks)) else f"checkpoints of up to {_counted(max(marks))}"
    return GameCopy(replace(source.holding, marks=marks), what, (*source.notes, mark))


def _counted(entries: int) -> str:
    return count(entries, "entry", "entries")
