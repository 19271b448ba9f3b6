"""A bundle: a whole game in one text file, to be audited years later without a server.

    sealedmove bundle 1
    <entry 0>
    <entry 1> ...
                                    an empty line
    <the note: three lines, an empty line, the server's signature>
                                    an empty line
    {"events":[...],"move":"...","seq":7} ...     the full events of each entry, after the end of a hidden game
    {"data":"...","name":"prices.json"} ...       the data files that rules.data names

This module judges only the shape of the file; entries stay lines, and the audit reads them. A bundle never holds code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any

from engine.errors import BadRecord, NewerRecord
from engine.record.encoding import canonical
from engine.record.encoding import members as m
from engine.record.signed import note as notes

HEADER = b"sealedmove bundle 1"
MOST_LINES = 2 * m.MOST_ENTRIES + 2**16  # entries, an opening each, the note, data files: counted before they are split

_check_opening = m.Shape("an opening", {"seq": m.seq, "move": m.nullable(m.text), "events": m.objects})
_check_data = m.Shape("a data file", {"name": m.file_name, "data": m.text})


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle as it was read: the lines of the entries, the note's text, the openings in order, data files by name."""

    lines: tuple[bytes, ...]
    note: str
    openings: tuple[dict[str, Any], ...]
    data: dict[str, bytes]


def write(
    entries: Iterable[bytes],
    note: str,
    openings: Iterable[Mapping[str, Any]] | None = None,
    data: Iterable[tuple[str, bytes]] = (),
) -> bytes:
    """The bundle of these lines; openings are {"seq", "move", "events"}, data (name, bytes)."""
    tail = [canonical.dumps(opening) for opening in openings or ()]
    tail += [canonical.dumps({"name": name, "data": canonical.to_base64url(text)}) for name, text in sorted(data)]
    parts = [HEADER, *entries, b"", *note.encode("utf-8").split(b"\n"), *tail, b""]
    return b"\n".join(parts)


def read(data: bytes) -> Bundle:
    """The parts of a bundle; BadRecord `not-a-bundle` if it is something else, another code if it is broken."""
    lines = _lines(data)
    gap = _gap(lines, 1)
    if gap == 1:
        raise BadRecord("bad-bundle", "the bundle has no entries")
    end = _gap(lines, _gap(lines, gap + 1) + 1)
    note = b"\n".join(lines[gap + 1 : end]) + b"\n"
    openings, files = _tail([canonical.loads(line) for line in lines[end + 1 :]])
    return Bundle(tuple(lines[1:gap]), _note(note), openings, files)


def _lines(data: bytes) -> list[bytes]:
    if not data.startswith(b"sealedmove bundle "):
        raise BadRecord("not-a-bundle", "this file is not a Sealed Move bundle")
    first, feed, _ = data[:40].partition(b"\n")
    if feed and first != HEADER and first[18:].isdigit():
        raise NewerRecord("newer-record", "this auditor does not know this version of a bundle")
    if first != HEADER:
        raise BadRecord("not-a-bundle", "this file is not a Sealed Move bundle")
    if not data.endswith(b"\n"):
        raise BadRecord("bad-bundle", "the bundle ends in the middle of a line")
    if data.count(b"\n") > MOST_LINES:
        raise BadRecord("bad-bundle", "the file has more lines than a bundle can have")
    return data[:-1].split(b"\n")


def _gap(lines: list[bytes], start: int) -> int:
    """The index of the next empty line."""
    try:
        return lines.index(b"", start)
    except ValueError:
        raise BadRecord("bad-bundle", "the bundle lacks one of its parts") from None


def _note(data: bytes) -> str:
    """A note in a bundle has one signature: an unknown one would be a line that nobody can check."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadRecord("bad-note", "the note is not UTF-8") from None
    if len(notes.read(text).signatures) != 1:
        raise BadRecord("bad-note", "the note of a bundle must have one signature, the server's")
    return text


def _tail(values: list[Any]) -> tuple[tuple[dict[str, Any], ...], dict[str, bytes]]:
    """Openings by ascending number, then data files by ascending name: one order, so one file for one game."""
    openings = tuple(takewhile(_is_opening, values))
    files = values[len(openings) :]
    for opening in openings:
        _check_opening(opening)
    for file in files:
        _check_data(file)
    for keys in ([o["seq"] for o in openings], [f["name"] for f in files]):
        if any(a >= b for a, b in pairwise(keys)):
            raise BadRecord("bad-bundle", "openings and data files must be in ascending order, each once")
    return openings, {file["name"]: canonical.from_base64url(file["data"]) for file in files}


def _is_opening(value: object) -> bool:
    return isinstance(value, dict) and "seq" in value
