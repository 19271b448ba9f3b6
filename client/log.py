"""A player's own checked copy of a game's log, and the note upon which the next signature may stand.

A signature testifies for all history before it. So nothing is taken over unless it holds: the chain, every signature
and draw, in an open game every rule (`engine.record.table`); the server's note of it; that the last note seen is still
true of it; and that no entry is dated ahead of this machine's clock. Whatever does not hold raises DistrustError, and a
client that has raised it signs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from client.memory import Memory
from engine.errors import BadRecord
from engine.record import base64url, instants, note
from engine.record.entry import Entry, read_entry
from engine.record.judge import begin, follow
from engine.record.note import Note
from engine.record.table import Table

SKEW = 30  # seconds by which two honest clocks may differ


class DistrustError(Exception):
    """What the server shows must not be signed upon. `code` is stable; the text says what was found."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(f"{code}: {says}")
        self.code = code
        self.says = says


class CheckedLog:
    """The entries of one game as far as they were checked.

    `clock` gives seconds since 1970. `server_key` (32 bytes), if known from elsewhere, must be the one in entry 0.
    `data` fetches the data files that entry 0 names, by name. `broken` is why nothing may be signed, once something
    did not hold; proof of a fork is kept on disk and outlives the process.
    """

    def __init__(
        self,
        host: str,
        game: str,
        memory: Memory,
        clock: Callable[[], float],
        server_key: bytes | None = None,
        data: Callable[[], Mapping[str, bytes]] = dict,
    ) -> None:
        self.host = host
        self.game = game
        self.memory = memory
        self.entries: list[Entry] = []
        self.broken: DistrustError | None = None
        self._table: Table | None = None
        self._clock = clock
        self._server_key = server_key
        self._data = data
        self._note: Note | None = None
        self._restore()

    @property
    def table(self) -> Table:
        """What the entries say together; DistrustError `nothing-known` before the first of them."""
        if self._table is None:
            raise DistrustError("nothing-known", "no entry of this game has been checked yet")
        return self._table

    @property
    def size(self) -> int:
        return len(self.entries)

    @property
    def note(self) -> Note | None:
        """The last note that held."""
        return self._note

    def take(self, lines: Sequence[bytes], note_text: str) -> list[Entry]:
        """Check what the server sent and keep what is new of it: the new entries.

        DistrustError if anything does not hold; then nothing is kept but the evidence.
        """
        before = list(self.entries), self._table
        try:
            new = [entry for line in lines if (entry := self._next(line)) is not None]
            shown = self._checked_note(note_text)
        except DistrustError as distrust:
            self.entries, self._table = before
            self.broken = distrust
            raise
        self.memory.keep_lines([entry.line for entry in new])
        if self._note is None or shown.size > self._note.size:
            self.memory.keep_note(note_text)
            self._note = shown
        return new

    def _restore(self) -> None:
        for line in self.memory.lines():
            self._next(line)
        kept = self.memory.note()
        self._note = None if kept is None else note.read(kept)
        if self.memory.has_evidence():
            self.broken = DistrustError("fork", "a note kept here contradicts the one before it")

    def _next(self, line: bytes) -> Entry | None:
        """The entry, if it is new; one that we have must be the same, byte for byte."""
        try:
            entry = read_entry(line)
            if entry.seq < self.size:
                self._check_known(entry)
                return None
            self._table = self._opened(entry) if self._table is None else follow(self._table, entry)
        except BadRecord as wrong:
            raise DistrustError(wrong.code, f"the log does not hold: {wrong}") from wrong
        self._check_time(entry)
        self.entries.append(entry)
        return entry

    def _check_known(self, entry: Entry) -> None:
        if entry.hash != self.entries[entry.seq].hash:
            raise DistrustError("rewritten", f"entry {entry.seq} is another than the one we have checked before")

    def _opened(self, entry: Entry) -> Table:
        body = entry.body
        if entry.kind != "created":
            raise DistrustError("no-beginning", "a log begins with the entry `created`")
        if (body["server"], entry.game) != (self.host, self.game):
            raise DistrustError("other-game", f"this is game {entry.game} of {body['server']}, not ours of {self.host}")
        if self._server_key is not None and base64url.decode(body["server_key"], 32) != self._server_key:
            raise DistrustError("other-server-key", "entry 0 names another server key than the one we know")
        return begin(entry, self._data() if body["rules"]["data"] else None)

    def _check_time(self, entry: Entry) -> None:
        if instants.seconds(entry.at) > self._clock() + SKEW:
            raise DistrustError("ahead-of-time", f"entry {entry.seq} is dated {entry.at}, which is still to come")

    def _checked_note(self, text: str) -> Note:
        shown = _read_note(text)
        if (shown.server, shown.game) != (self.host, self.game):
            raise DistrustError("other-note", f"the note is one of {shown.server}/game/{shown.game}")
        self._verify(shown)
        for one in (self._note, shown):
            if one is not None:
                self._check_continues(one, text)
        return shown

    def _verify(self, shown: Note) -> None:
        try:
            note.verify(shown, base64url.decode(self.table.created["server_key"], 32))
        except BadRecord as wrong:
            raise DistrustError(wrong.code, wrong.says) from wrong

    def _check_continues(self, one: Note, text: str) -> None:
        """The entry that a note names as its last must stand there in our copy."""
        if one.size > self.size:
            raise DistrustError("short-log", f"the note counts {one.size} entries, the log shown has {self.size}")
        if self.entries[one.size - 1].hash != one.hash:
            where = self.memory.keep_evidence(text)
            raise DistrustError(
                "fork", f"two histories of {one.size} entries were signed; the other note is in {where}"
            )


def _read_note(text: str) -> Note:
    try:
        return note.read(text)
    except BadRecord as wrong:
        raise DistrustError(wrong.code, wrong.says) from wrong


def as_lines(texts: Sequence[Any]) -> list[bytes]:
    """The lines as bytes; what is no ASCII text is no entry."""
    if not all(isinstance(text, str) and text.isascii() for text in texts):
        raise DistrustError("not-ascii", "an entry is a line of ASCII")
    return [text.encode("ascii") for text in texts]
