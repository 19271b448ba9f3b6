"""Comparing what two people have of one game: the same, one continues the other, or a fork and the lines that prove it.

A bundle, a note or a kept log gives the last entry of the log at some lengths. Each of these is a *mark*. Two marks of
one length with different hashes are a fork, which is reported with the keys that signed them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.log.entry import Entry
from engine.record.signed import note

Relation = Literal["same", "continues", "continued", "fork", "other-game", "unknown"]


class Mark(msgspec.Struct, frozen=True):
    """The log of so many entries ends with this hash; `text` is the entry's line, or the note that states it."""

    size: int
    hash: bytes
    text: str


class Holding(msgspec.Struct, frozen=True):
    """What somebody has of a game, by name: marks by size, and the server key (32 bytes) that its entry 0 names.

    `torn` are two different marks of one size: a fork that this holding shows by itself.
    """

    name: str
    server: str
    game: str
    marks: Mapping[int, Mark]
    server_key: bytes | None = None
    torn: tuple[Mark, Mark] | None = None

    @property
    def size(self) -> int:
        """The largest number of entries in a mark."""
        return max(self.marks)


class Compared(msgspec.Struct, frozen=True):
    """How the second holding relates to the first; `at` is the size at which a fork shows, `proof` the two texts."""

    relation: Relation
    at: int | None = None
    proof: tuple[str, str] | None = None


def of_lines(name: str, lines: Sequence[bytes], first: Entry, texts: Iterable[str] = ()) -> Holding:
    """The holding of a log, of which `first` is entry 0, and of notes that were kept with it."""
    marks = {size: Mark(size, leaf(line), line.decode("ascii")) for size, line in enumerate(lines, 1)}
    server, key = str(first.body["server"]), canonical.from_base64url(first.body["server_key"], 32)
    kept = [mark for text in texts for mark in of_note(name, text).marks.values()]
    pairs = [(marks.setdefault(mark.size, mark), mark) for mark in kept]
    torn = next((pair for pair in pairs if pair[0].hash != pair[1].hash), None)
    return Holding(name, server, first.game, marks, key, torn)


def of_note(name: str, text: str) -> Holding:
    """The holding of one note; BadRecord if it is malformed. The signature is not checked here."""
    read = note.read(text)
    return Holding(name, read.server, read.game, {read.size: Mark(read.size, read.hash, text)})


def compare(first: Holding, second: Holding) -> Compared:
    """`continues`: the second goes on where the first ends; `unknown`: they have no length in common."""
    if (first.server, first.game) != (second.server, second.game):
        return Compared("other-game")
    for torn in filter(None, (first.torn, second.torn)):
        return Compared("fork", torn[0].size, (torn[0].text, torn[1].text))
    common = sorted(first.marks.keys() & second.marks.keys())
    for size in common:
        one, other = first.marks[size], second.marks[size]
        if one.hash != other.hash:
            return Compared("fork", size, (one.text, other.text))
    if not common or common[-1] != min(first.size, second.size):
        return Compared("unknown")
    if first.size == second.size:
        return Compared("same")
    return Compared("continues" if second.size > first.size else "continued")


def is_signed(mark: Mark, server_key: bytes) -> bool:
    """Is the mark a note, and signed with this key?"""
    try:
        note.verify(note.read(mark.text), server_key)
    except BadRecord:
        return False
    return True
