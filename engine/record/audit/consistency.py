"""Comparing two people's copies of one game: the same, one continues the other, or a fork and the lines that prove it.

A bundle, a note or a kept log gives the last entry of the log at some lengths. Each of these is a *mark*. Two marks of
one length with different hashes are a fork, which is reported with the keys that signed them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.log.entry import Entry, read_entry
from engine.record.log.table import Loss
from engine.record.signed import note

Relation = Literal["same", "continues", "continued", "fork", "lost", "other-game", "unknown"]


class Mark(msgspec.Struct, frozen=True):
    """The hash of the last entry of a log of this length; `text` is that entry's line, or the note that states it."""

    size: int
    hash: bytes
    text: str


class Holding(msgspec.Struct, frozen=True):
    """One person's copy of a game, by name: marks by size, and the server key (32 bytes) that entry 0 names.

    `lost` lists the losses that the server states in it. `torn` holds two different marks of one size: a fork that this
    holding shows by itself.
    """

    name: str
    server: str
    game: str
    marks: Mapping[int, Mark]
    server_key: bytes | None = None
    torn: tuple[Mark, Mark] | None = None
    lost: tuple[Loss, ...] = ()

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
    lost = tuple(_losses(lines))
    torn = next((pair for pair in pairs if _differ(*pair, lost)), None)
    return Holding(name, server, first.game, marks, key, torn, lost)


def _losses(lines: Sequence[bytes]) -> Iterator[Loss]:
    for line in lines:
        if b'"kind":"restored"' in line:
            entry = read_entry(line)
            yield Loss(entry.seq, entry.body["size"], canonical.from_base64url(entry.body["hash"], 32))


def _differ(one: Mark, other: Mark, lost: Sequence[Loss]) -> bool:
    """Do the two hashes differ for a number that neither side states as lost?"""
    return one.hash != other.hash and not any(
        loss.covers(one.size) and (one.size != loss.size or loss.hash in (one.hash, other.hash)) for loss in lost
    )


def of_note(name: str, text: str) -> Holding:
    """The holding of one note; BadRecord if it is malformed. The signature is not checked here."""
    read = note.read(text)
    return Holding(name, read.server, read.game, {read.size: Mark(read.size, read.hash, text)})


def compare(first: Holding, second: Holding) -> Compared:
    """`continues`: the second starts with all of the first; `unknown`: they have no length in common.

    `lost`: they differ only in entries that one of them states as lost.
    """
    if (first.server, first.game) != (second.server, second.game):
        return Compared("other-game")
    for torn in filter(None, (first.torn, second.torn)):
        return Compared("fork", torn[0].size, (torn[0].text, torn[1].text))
    common, lost = sorted(first.marks.keys() & second.marks.keys()), (*first.lost, *second.lost)
    for size in common:
        one, other = first.marks[size], second.marks[size]
        if _differ(one, other, lost):
            return Compared("fork", size, (one.text, other.text))
    apart = any(first.marks[size].hash != second.marks[size].hash for size in common)
    if apart or _is_lost(first, second) or _is_lost(second, first):
        return Compared("lost")
    if not common or common[-1] != min(first.size, second.size):
        return Compared("unknown")
    if first.size == second.size:
        return Compared("same")
    return Compared("continues" if second.size > first.size else "continued")


def _is_lost(log: Holding, other: Holding) -> bool:
    """Does `other` have an entry that `log` states as lost and does not have, without having that statement?"""
    return any(_tells_lost(log, loss, other) for loss in log.lost)


def _tells_lost(log: Holding, loss: Loss, other: Holding) -> bool:
    said, heard = log.marks[loss.seq + 1], other.marks.get(loss.seq + 1)
    if heard is not None and heard.hash == said.hash:
        return False
    unknown = [mark for size, mark in other.marks.items() if loss.covers(size) and size not in log.marks]
    return any(mark.size != loss.size or mark.hash == loss.hash for mark in unknown)


def is_signed(mark: Mark, server_key: bytes) -> bool:
    """Is the mark a note, and signed with this key?"""
    try:
        note.verify(note.read(mark.text), server_key)
    except BadRecord:
        return False
    return True
