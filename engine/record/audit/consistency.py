"""Comparing two people's copies of one game: the same, one continues the other, or a fork and the lines that prove it.

A bundle, a note or a kept log gives the last entry of the log at some lengths. Each of these is a *mark*. Two marks of
one length with different hashes are a fork, unless the server has stated the loss of one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import Literal

import msgspec

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.log.entry import Entry, read_entry
from engine.record.log.table import Loss
from engine.record.signed import note

Relation = Literal["same", "continues", "continued", "fork", "lost", "other-game", "unknown"]


class LogMark(msgspec.Struct, frozen=True):
    """The hash of the last entry of a log of this length; `text` is that entry's line, or the note that states it."""

    size: int
    hash: bytes
    text: str


class Holding(msgspec.Struct, frozen=True):
    """One person's copy of a game, by name: marks by size, and the server key (32 bytes) that entry 0 names.

    `lost` lists the losses that the server states in it. `further` are marks of a size that `marks` has already, with
    another hash: the holding shows a fork by itself, or a note that is older than a loss.
    """

    name: str
    server: str
    game: str
    marks: Mapping[int, LogMark]
    server_key: bytes | None = None
    further: tuple[LogMark, ...] = ()
    lost: tuple[Loss, ...] = ()

    @property
    def size(self) -> int:
        """The largest number of entries in a mark."""
        return max(self.marks)

    def all_at(self, size: int) -> list[LogMark]:
        """The marks of this size, no two of them with one hash; a line comes first, then notes as they were kept."""
        first = [self.marks[size]] if size in self.marks else []
        return first + [mark for mark in self.further if mark.size == size]


class Compared(msgspec.Struct, frozen=True):
    """How the second holding relates to the first; `at` is the size at which a fork shows, `proof` the two texts."""

    relation: Relation
    at: int | None = None
    proof: tuple[str, str] | None = None


def of_lines(name: str, lines: Sequence[bytes], first: Entry, texts: Iterable[str] = ()) -> Holding:
    """The holding of a log, of which `first` is entry 0, and of notes that were kept with it."""
    marks = {size: LogMark(size, leaf(line), line.decode("ascii")) for size, line in enumerate(lines, 1)}
    server, key = str(first.body["server"]), canonical.from_base64url(first.body["server_key"], 32)
    further: list[LogMark] = []
    for mark in (mark for text in texts for mark in of_note(name, text).marks.values()):
        known = marks.setdefault(mark.size, mark)
        if mark.hash not in {known.hash, *(one.hash for one in further if one.size == mark.size)}:
            further.append(mark)
    return Holding(name, server, first.game, marks, key, tuple(further), tuple(_losses(lines)))


def _losses(lines: Sequence[bytes]) -> Iterator[Loss]:
    for line in lines:
        if b'"kind":"restored"' in line:
            entry = read_entry(line)
            yield Loss(entry.seq, entry.body["size"], canonical.from_base64url(entry.body["hash"], 32))


def _differ(one: LogMark, other: LogMark, lost: Sequence[Loss]) -> bool:
    """Do the two hashes differ for a number that neither side states as lost?"""
    return one.hash != other.hash and not any(
        loss.covers(one.size) and (one.size != loss.size or loss.hash in (one.hash, other.hash)) for loss in lost
    )


def of_note(name: str, text: str) -> Holding:
    """The holding of one note; BadRecord if it is malformed. The signature is not checked here."""
    read = note.read(text)
    return Holding(name, read.server, read.game, {read.size: LogMark(read.size, read.hash, text)})


def compare(first: Holding, second: Holding) -> Compared:
    """`continues`: the second starts with all of the first; `unknown`: they have no length in common.

    `lost`: they differ only in entries that one of them states as lost.
    """
    if (first.server, first.game) != (second.server, second.game):
        return Compared("other-game")
    fork = next(_forks(first, second), None)
    if fork is not None:
        return Compared("fork", fork[0].size, (fork[0].text, fork[1].text))
    common = first.marks.keys() & second.marks.keys()
    if _are_apart(first, second, common) or _is_lost(first, second) or _is_lost(second, first):
        return Compared("lost")
    if min(first.size, second.size) not in common:
        return Compared("unknown")
    if first.size == second.size:
        return Compared("same")
    return Compared("continues" if second.size > first.size else "continued")


def _forks(first: Holding, second: Holding) -> Iterator[tuple[LogMark, LogMark]]:
    """Marks that contradict each other, by size; those of one holding before one of each."""
    lost = (*first.lost, *second.lost)
    common = first.marks.keys() & second.marks.keys()
    apart = {size for size in common if first.marks[size].hash != second.marks[size].hash}
    for size in sorted(apart.union(mark.size for mark in (*first.further, *second.further))):
        ours, theirs = first.all_at(size), second.all_at(size)
        pairs = chain(combinations(ours, 2), combinations(theirs, 2), product(ours, theirs))
        yield from (pair for pair in pairs if _differ(*pair, lost))


def _are_apart(first: Holding, second: Holding, common: Iterable[int]) -> bool:
    """Is there a size for which they have no hash in common?"""
    apart = (size for size in common if first.marks[size].hash != second.marks[size].hash)
    hashes = (({mark.hash for mark in held.all_at(size)} for held in (first, second)) for size in apart)
    return any(one.isdisjoint(other) for one, other in hashes)


def _is_lost(log: Holding, other: Holding) -> bool:
    """Does `other` have an entry that `log` states as lost and does not have, without having that statement?"""
    return any(_tells_lost(log, loss, other) for loss in log.lost)


def _tells_lost(log: Holding, loss: Loss, other: Holding) -> bool:
    said = log.marks[loss.seq + 1].hash
    if any(mark.hash == said for mark in other.all_at(loss.seq + 1)):
        return False
    marks = (*other.marks.values(), *other.further)
    unknown = [mark for mark in marks if loss.covers(mark.size) and mark.size not in log.marks]
    return any(mark.size != loss.size or mark.hash == loss.hash for mark in unknown)


def is_signed(mark: LogMark, server_key: bytes) -> bool:
    """Is the mark a note, and signed with this key?"""
    try:
        note.verify(note.read(mark.text), server_key)
    except BadRecord:
        return False
    return True
