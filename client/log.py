"""A player's own checked copy of a game's log, with the checkpoint that the next signature relies on.

A signature testifies to all history before it. So an entry is accepted only if everything holds: the chain, every
signature and draw, in an open game every rule (`engine.record.judge`), the server's key and its checkpoint, and the
last checkpoint seen. Everything else raises DistrustError and is kept as evidence (`evidence.py`), and the client
signs nothing more. Odd times are only reported, because they prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
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
WholeLog = Callable[[], tuple[list[bytes], str]]
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

    def since(self, before: Sequence[Entry]) -> list[Entry]:
        """The entries after the last one that the log shares with an earlier state of it."""
        shared = min(len(before), self.size)
        while shared and before[shared - 1].hash != self.entries[shared - 1].hash:
            shared -= 1
        return self.entries[shared:]

    def say_odd(self, text: str) -> None:
        """Report odd times, or a loss that the log states, each once."""
        if self.memory.keep_warning(text):
            self._tell(text)

    # --- taking over ------------------------------------------------------------------------------------------------

    def take(self, lines: Sequence[bytes], note_text: str, whole: WholeLog | None = None) -> list[Entry]:
        """Check the server's data and store the new entries; returns them.

        DistrustError if anything does not hold; then only the evidence is kept. `whole` fetches the log from entry 0
        with its checkpoint: if our copy contradicts the data, the log may state that the server lost what we have.
        """
        self.check_trust()
        if not lines and note_text == self.memory.note():
            return []
        with self._undone_if_it_fails():
            with self.judging("log", entries=[line.decode("utf-8", "replace") for line in lines], note=note_text):
                try:
                    new, shown = self._judged(lines, note_text)
                except DistrustError:
                    if whole is None or not self.entries or not self._accept_loss(*whole()):
                        raise
                    return []
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
        if self._is_lost(shown):
            return "older"
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

    @contextmanager
    def _undone_if_it_fails(self) -> Iterator[None]:
        """Go back to the entries of before if they do not hold, or cannot be stored: later ones would leave a gap."""
        before = list(self.entries), self._table
        try:
            yield
        except BaseException:
            self.entries, self._table = before
            raise

    def _judged(self, lines: Sequence[bytes], note_text: str) -> tuple[list[Entry], Note]:
        with self._undone_if_it_fails():
            new = [entry for line in lines if (entry := self._next(line)) is not None]
            return new, self._checked_note(note_text)

    def _keep(self, new: list[Entry], shown: Note, note_text: str) -> None:
        self.memory.keep_lines([entry.line for entry in new])
        if self._note is None or shown.size > self._note.size or self._is_lost(self._note):
            self.memory.keep_note(note_text)
            self._note = shown
        ahead = self.memory.note_ahead()
        if ahead is not None and (note.read(ahead).size <= self.size or self._is_lost(note.read(ahead))):
            self.memory.drop_note_ahead()

    def _accept_loss(self, lines: list[bytes], note_text: str) -> bool:
        """Take the whole log in place of our copy, if it states that the server lost all that we have besides."""
        before, accepted = (self.entries, self._table), False
        self.entries, self._table = [], None
        try:
            for number, line in enumerate(lines):
                self._next(line, restoring=number < len(before[0]) and line == before[0][number].line)
            shown = self._checked_note(note_text)
            accepted = self._explains(before[0])
        except DistrustError:
            return False
        finally:
            if not accepted:
                self.entries, self._table = before
        if accepted:
            self._keep_loss(before[0], shown, note_text)
        return accepted

    def _explains(self, before: list[Entry]) -> bool:
        """Do the two logs part at a stated loss, and does one cover our last entry?"""
        parted = self.size - len(self.since(before))
        return self.table.has_lost(len(before), before[-1].hash) and any(loss.seq == parted for loss in self.table.lost)

    def _keep_loss(self, before: list[Entry], shown: Note, note_text: str) -> None:
        """Keep the entries that the server lost as evidence, and the log without them."""
        parted = self.size - len(self.since(before))
        lost = [entry.line.decode("ascii") for entry in before[parted:]]
        with self.judging("lost-entries", entries=lost, note=self.memory.note()) as case:
            case.keep = True
        self.memory.replace_lines([entry.line for entry in self.entries])
        self._keep([], shown, note_text)
        which = f"entry {parted}" if len(lost) == 1 else f"entries {parted} to {len(before) - 1}"
        self.say_odd(f"the server has lost {which} of this game, and its log states so: this machine keeps a copy")

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
        self._check_continues(shown)
        for known in (self._note, ahead and note.read(ahead)):
            if known and known.size <= self.size and not self._is_lost(known):
                self._check_continues(known)
        return shown

    def _is_lost(self, one: Note) -> bool:
        """Does the log state that the server lost the entries of this checkpoint?"""
        return self.table.has_lost(one.size, one.hash)

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
