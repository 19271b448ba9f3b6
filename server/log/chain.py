"""Lines that somebody hands in: read from their end, where a note proves them to be ours (pure).

The note names the hash of the last line, and each line that of the one before it. So going backwards nothing is even
read that we have not written, and whoever sends something else costs us a hash.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from engine.errors import BadRecord
from engine.record.encoding.hashes import leaf
from engine.record.judge.restore import sealed_in
from engine.record.log.entry import Entry, read_entry
from engine.record.signed.moves import seal_move
from engine.record.signed.note import Note
from server.errors import Problem


class Chain(msgspec.Struct, frozen=True):
    """Entries of one game that follow each other, none left out."""

    entries: Sequence[Entry]

    @property
    def first(self) -> int:
        return self.entries[0].seq

    @property
    def size(self) -> int:
        """How long the log is that ends with them."""
        return self.entries[-1].seq + 1

    @property
    def head(self) -> bytes:
        return self.entries[-1].hash

    def hash_at(self, size: int) -> bytes | None:
        """How the log of this size ends, by these lines."""
        if size == self.first:
            return self.entries[0].prev
        return self.entries[size - 1 - self.first].hash if self.first < size <= self.size else None

    def after(self, size: int, most: int) -> Sequence[Entry]:
        """The next lines upon a log of this size."""
        return self.entries[size - self.first : size - self.first + most]


def read(lines: Sequence[str], notes: Sequence[Note]) -> Chain:
    """The lines as entries; `notes` are good ones of the game.

    Problem `unproven-lines` if none is on a log that ends with the last line, `broken-lines` if a line is not the one
    that the next one names.
    """
    data = [line.encode("utf-8", "surrogatepass") for line in lines]
    end = next((one for one in notes if one.hash == leaf(data[-1])), None)
    if end is None:
        raise Problem("unproven-lines")
    entries: list[Entry] = []
    due = end.hash
    for number in reversed(range(len(data))):
        entries.append(_entry(data[number], number, due, end.size - len(entries) - 1))
        due = entries[-1].prev
    return Chain(entries[::-1])


def _entry(line: bytes, number: int, due: bytes, seq: int) -> Entry:
    if leaf(line) != due:
        raise Problem("broken-lines", line=number, expected=seq)
    try:
        entry = read_entry(line)
    except BadRecord as bad:
        raise Problem("broken-lines", line=number, expected=seq, reason=bad.code) from None
    if entry.seq != seq:
        raise Problem("broken-lines", line=number, expected=seq, found=entry.seq)
    return entry


def texts_in(chain: Chain, texts: Mapping[int, str], size: int) -> dict[str, str]:
    """By seal, the texts of sealed moves that a log of this size lacks. BadRecord `wrong-seal` for a false one."""
    found: dict[str, str] = {}
    for seq, text in texts.items():
        if not max(chain.first, size) <= seq < chain.size:
            continue
        sealed = sealed_in(chain.entries[seq - chain.first])
        if sealed is None or seal_move(text) != sealed:
            raise BadRecord("wrong-seal", f"the text is not that of a sealed move in entry {seq}", seq)
        found[sealed] = text
    return found
