"""A player's own checked copy of a game's log, with the checkpoint that the next signature relies on.

A signature testifies to all history before it. So an entry is accepted only if everything holds: the chain, every
signature and draw, in an open game every rule (`engine.record.judge`), the server's key and its checkpoint, and the
last checkpoint seen. Everything else raises DistrustError and is kept as evidence (`evidence.py`), and the client
signs nothing more. Odd times are only reported, because they prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal

from client import times
from client.errors import DistrustError, HeldUpError, NotSignedError, NotYetError
from client.evidence import Examination
from client.memory import Memory
from engine.errors import BadRecord, NewerRecord
from engine.kit import count
from engine.record.encoding import canonical
from engine.record.judge.entries import begin, follow
from engine.record.log.entry import Entry, read_entry
from engine.record.log.table import Table
from engine.record.signed import note
from engine.record.signed.note import Note

__all__ = ["CheckedLog", "DistrustError", "as_lines"]

Guard = Callable[[Table, Entry], None]
NoteRelation = Literal["same", "older", "newer", "unsigned", "other-game"]


def _nothing(*_given: Any) -> None:
    """The default guard and the default receiver of warnings, which do nothing."""


class CheckedLog:
    """The checked entries of one game.

    `clock` returns seconds since 1970. `server_key` (32 bytes), if known from elsewhere, must be the one in entry 0;
    else `pin` judges that key. `data` fetches the data files that entry 0 names, by name. `guard` is a further judge
    of each entry, given the table before it; `tell` receives warnings.
    """

    def __init__(
        self,
        host: str,
        game: str,
        memory: Memory,
        clock: Callable[[], float],
        server_key: bytes | None = None,
        data: Callable[[], Mapping[str, bytes]] = dict,
        *,
        pin: Callable[[bytes], None] = _nothing,
        guard: Guard = _nothing,
        tell: Callable[[str], None] = _nothing,
    ) -> None:
        self.host = host
        self.game = game
        self.memory = memory
        self.clock = clock
        self.entries: list[Entry] = []
        self._table: Table | None = None
        self._server_key = server_key
        self._data = data
        self._pin = pin
        self._guard = guard
        self._tell = tell
        self._note: Note | None = None
        self._restore()

    @property
    def table(self) -> Table:
        """The state of the game after all entries; DistrustError `nothing-known` before the first."""
        if self._table is None:
            raise DistrustError("nothing-known", "no entry of this game has been checked yet")
        return self._table

    @property
    def size(self) -> int:
        return len(self.entries)

    @property
    def note(self) -> Note | None:
        """The last checkpoint that held."""
        return self._note

    @property
    def broken(self) -> DistrustError | None:
        """The finding that forbids signing, from this or another process; None if there is none."""
        return self.memory.evidence.distrust()

    def judging(self, what: str, **shown: Any) -> AbstractContextManager[Examination]:
        """Keep data of the server while it is judged, and for good if it fails."""
        return self.memory.evidence.judging(self.clock(), what, **shown)

    def check_trust(self) -> None:
        """Raise DistrustError if there is a finding that nobody has cleared."""
        if self.broken is not None:
            raise self.broken

    def check_ready(self) -> None:
        """Check that the head may be signed on now.

        HeldUpError if a checkpoint of more entries is known; NotYetError if the head is dated further ahead of our
        clock than honest clocks differ.
        """
        if self.memory.note_ahead() is not None:
            raise HeldUpError(
                "the server has signed for more entries than it shows; nothing is signed until it shows them"
            )
        last = self.entries[-1]
        ahead = times.ahead(last, self.clock())
        if ahead > 0:
            raise NotYetError(last.seq, last.at, ahead)

    def say_odd(self, text: str) -> None:
        """Report odd times, each once."""
        if self.memory.keep_warning(text):
            self._tell(text)

    # --- taking over ------------------------------------------------------------------------------------------------

    def take(self, lines: Sequence[bytes], note_text: str) -> list[Entry]:
        """Check the server's data and store the new entries; returns them.

        DistrustError if anything does not hold; then only the evidence is kept.
        """
        self.check_trust()
        if not lines and note_text == self.memory.note():
            return []
        with self.judging("log", entries=[line.decode("utf-8", "replace") for line in lines], note=note_text):
            new, shown = self._judged(lines, note_text)
        self._keep(new, shown, note_text)
        for text in times.warnings(new, self.memory.looks(), self.clock()):
            self.say_odd(text)
        return new

    def heed(self, note_text: str) -> NoteRelation:
        """Check our copy against a checkpoint from elsewhere, such as a mail; DistrustError at a fork.

        One of more entries is kept: nothing is signed until the log has reached it. One that the server's key has not
        signed proves nothing, because anyone could have made it.
        """
        self.check_trust()
        try:
            shown = self._signed_note(note_text)
        except DistrustError as no:
            return "other-game" if no.code == "other-note" else "unsigned"
        if shown.size > self.size:
            self._wait_for(shown, note_text)
            return "newer"
        with self.judging("note", entries=[], note=note_text):
            self._check_continues(shown)
        return "same" if shown.size == self.size else "older"

    def _wait_for(self, shown: Note, note_text: str) -> None:
        """The longer of two such checkpoints: an honest server's log reaches both or neither."""
        kept = self.memory.note_ahead()
        if kept is None or note.read(kept).size < shown.size:
            self.memory.keep_note_ahead(note_text)

    def _judged(self, lines: Sequence[bytes], note_text: str) -> tuple[list[Entry], Note]:
        before = list(self.entries), self._table
        try:
            new = [entry for line in lines if (entry := self._next(line)) is not None]
            return new, self._checked_note(note_text)
        except BaseException:
            self.entries, self._table = before
            raise

    def _keep(self, new: list[Entry], shown: Note, note_text: str) -> None:
        self.memory.keep_lines([entry.line for entry in new])
        if self._note is None or shown.size > self._note.size:
            self.memory.keep_note(note_text)
            self._note = shown
        ahead = self.memory.note_ahead()
        if ahead is not None and note.read(ahead).size <= self.size:
            self.memory.drop_note_ahead()

    def _restore(self) -> None:
        for line in self.memory.lines():
            self._next(line, restoring=True)
        kept = self.memory.note()
        self._note = None if kept is None else note.read(kept)

    def _next(self, line: bytes, *, restoring: bool = False) -> Entry | None:
        """The entry if it is new; a known one must be the same, byte for byte."""
        try:
            entry = read_entry(line)
            if entry.seq < self.size:
                self._check_known(entry)
                return None
            if self._table is not None:
                table = follow(self._table, entry)
                if not restoring:
                    self._guard(self._table, entry)
            else:
                table = self._opened(entry, restoring=restoring)
        except NewerRecord as newer:
            raise NotSignedError(newer.code, f"this client cannot judge the game: {newer.says}") from newer
        except BadRecord as wrong:
            raise DistrustError(wrong.code, f"the log does not hold: {wrong}") from wrong
        self._table = table
        self.entries.append(entry)
        return entry

    def _check_known(self, entry: Entry) -> None:
        if entry.hash != self.entries[entry.seq].hash:
            raise DistrustError("rewritten", f"entry {entry.seq} differs from the one that was checked before")

    def _opened(self, entry: Entry, *, restoring: bool) -> Table:
        body = entry.body
        if entry.kind != "created":
            raise DistrustError("no-beginning", "a log must begin with the entry `created`")
        if (body["server"], entry.game) != (self.host, self.game):
            raise DistrustError(
                "other-game", f"this is game {entry.game} of {body['server']}, not the requested one of {self.host}"
            )
        public = canonical.from_base64url(body["server_key"], 32)
        if self._server_key is not None and public != self._server_key:
            raise DistrustError("other-server-key", "entry 0 names a server key that differs from the known one")
        if self._server_key is None and not restoring:
            self._pin(public)
        return begin(entry, self._data() if body["rules"]["data"] else None)

    # --- notes ------------------------------------------------------------------------------------------------------

    def _checked_note(self, text: str) -> Note:
        """The server's checkpoint of the entries shown, which must continue every checkpoint that we know."""
        shown = self._signed_note(text)
        if shown.size > self.size:
            counted = count(shown.size, "entry", "entries")
            raise DistrustError("short-log", f"the checkpoint counts {counted}, but the log has {self.size}")
        ahead = self.memory.note_ahead()
        for one in (self._note, shown, ahead and note.read(ahead)):
            if one and one.size <= self.size:
                self._check_continues(one)
        return shown

    def _signed_note(self, text: str) -> Note:
        try:
            shown = note.read(text)
            if (shown.server, shown.game) != (self.host, self.game):
                raise DistrustError("other-note", f"the checkpoint belongs to {shown.server}/game/{shown.game}")
            note.verify(shown, canonical.from_base64url(self.table.created["server_key"], 32))
        except BadRecord as wrong:
            raise DistrustError(wrong.code, wrong.says) from wrong
        return shown

    def _check_continues(self, one: Note) -> None:
        """The last entry of a checkpoint must be at its place in our copy."""
        if self.entries[one.size - 1].hash != one.hash:
            raise DistrustError("fork", f"the server has signed two histories of {count(one.size, 'entry', 'entries')}")


def as_lines(texts: Sequence[str]) -> list[bytes]:
    """The lines as bytes; lines that are not ASCII are not entries anyway."""
    return [text.encode("utf-8", "backslashreplace") for text in texts]
