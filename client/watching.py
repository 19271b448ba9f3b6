"""A running game followed by somebody who plays no part in it and has no token: all that can be checked, as it comes.

    watch = Watch(api.host, game, Keep(folder), clock=time.time)
    for line in watch.take(api.get(f"/v1/games/{game}/log", after=watch.size - 1).content, data):
        print(line.says)

Every entry is judged as an auditor would, and every note must be of this log, continue the one before, and continue
those that the watcher brought along. What does not hold is kept beside the log (`evidence/`) before anybody is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from client import telling
from client.files import UnreadableError
from client.memory import Memory
from engine.errors import BadRecord, NewerRecord
from engine.record import base64url, bundle, instants
from engine.record import note as notes
from engine.record.audit import Report, audit
from engine.record.audit.run import MEANS
from engine.record.entry import Entry, read_entry
from engine.record.hashes import leaf
from engine.record.judge import Fault, examine, examine_first
from engine.record.note import Note
from engine.record.server_keys import ServerKeys
from engine.record.table import Table

SKEW = 30  # seconds by which two honest clocks may differ
EVIDENCE = "evidence"
BUNDLE = "bundle.txt"
Data = Callable[[], Mapping[str, bytes]]


class NotHeldError(Exception):
    """What the server shows does not hold. `code` is stable; the text says what was found."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(f"{code}: {says}")
        self.code = code
        self.says = says


class Line(msgspec.Struct, frozen=True):
    """An entry that holds, in words; `warnings` are about its time, which the server alone says."""

    seq: int
    at: str
    kind: str
    seat: int | None
    hash: str
    says: str
    warnings: tuple[str, ...] = ()


class Keep:
    """The watcher's own copy in a folder: the log and the last note, as a client keeps them, and what did not hold."""

    def __init__(self, folder: Path) -> None:
        self.memory = Memory(folder)
        self.evidence = folder / EVIDENCE

    def put(self, name: str, data: bytes) -> None:
        self.evidence.mkdir(exist_ok=True)
        (self.evidence / name).write_bytes(data)


class Watch:
    """The log of one game as far as it was checked.

    `known` is what the watcher knows of the server's keys, `kept` the texts of notes that he brought along; `clock`
    gives seconds since 1970. An earlier copy in `keep` is judged again, and what comes must continue it.
    """

    def __init__(
        self,
        host: str,
        game: str,
        keep: Keep,
        clock: Callable[[], float],
        *,
        known: ServerKeys | bytes | None = None,
        kept: Sequence[str] = (),
    ) -> None:
        self.host = host
        self.game = game
        self.keep = keep
        self.table: Table | None = None
        self.hashes: list[bytes] = []
        self.note: Note | None = None
        self.shown = 0
        self._clock = clock
        self._known = known
        self._kept = list(kept)
        self._brought: list[Note] | None = None
        self._looked: float | None = None

    @property
    def size(self) -> int:
        return len(self.hashes)

    @property
    def is_over(self) -> bool:
        return self.table is not None and self.table.is_over

    @property
    def lags(self) -> int:
        """How many entries that we have seen the server did not count in its last answer."""
        return max(0, self.size - self.shown)

    # --- what comes ---------------------------------------------------------------------------------------------------

    def restore(self, data: Data) -> int:
        """Judge again what was kept before; how many entries that is."""
        if self.keep.evidence.exists():
            raise NotHeldError("kept-evidence", "something did not hold before")
        try:
            for line in self.keep.memory.lines():
                self._next(line, data)
            text = self.keep.memory.note()
            self.note = None if text is None else self._read_note(text, "the note")
        except NotHeldError as failed:
            raise UnreadableError(self.keep.memory.folder, f"what was kept here does not hold: {failed}") from None
        return self.size

    def take(self, answer: bytes, data: Data) -> Iterator[Line]:
        """The new entries of a page of the log, one by one as they hold; NotHeldError with the evidence kept.

        `answer` is the page as it came, `data` fetches the data files that entry 0 may name. NewerRecord if the game
        cannot be judged here.
        """
        try:
            yield from self._take(answer, data)
        except NotHeldError as failed:
            self._keep_evidence(failed, "answer.json", answer)
            raise

    def verdict(self, data: bytes) -> Report:
        """The audit of the game's bundle, which must be of the log that was watched."""
        try:
            if len(data) <= MEANS:  # the audit says of a longer one that it is too long
                self._check_bundle(data)
        except NotHeldError as failed:
            self._keep_evidence(failed, BUNDLE, data)
            raise
        own = [] if (text := self.keep.memory.note()) is None else [text]
        report = audit(data, self._known, note="\n".join([*self._kept, *own]) or None)
        if report.verdict == "fails":
            self.keep.put(BUNDLE, data)
        else:
            (self.keep.memory.folder / BUNDLE).write_bytes(data)
        return report

    def _keep_evidence(self, failed: NotHeldError, name: str, data: bytes) -> None:
        self.keep.put(name, data)
        self.keep.put("why.txt", f"{failed}\n".encode())

    def _take(self, answer: bytes, data: Data) -> Iterator[Line]:
        lines, text = _read_page(answer)
        before, new = self.size, []
        try:
            for line in lines:
                told = self._next(line, data)
                if told is not None:
                    new.append(line)
                    yield told
        finally:
            self.keep.memory.keep_lines(new)
        self._check_note(text, more=self.size > before)
        if self.shown <= self.size:
            self._looked = self._clock()

    def _check_bundle(self, data: bytes) -> None:
        try:
            lines = bundle.read(data).lines
        except BadRecord as bad:
            raise NotHeldError(bad.code, f"the bundle: {bad.says}") from None
        if len(lines) < self.size:
            raise NotHeldError("cut", f"the bundle has {len(lines)} entries, and {self.size} were shown")
        for seq, (line, known) in enumerate(zip(lines, self.hashes, strict=False)):
            if leaf(line) != known:
                raise NotHeldError("rewritten", f"the bundle has another entry {seq} than was shown")

    # --- entries ------------------------------------------------------------------------------------------------------

    def _next(self, line: bytes, data: Data) -> Line | None:
        """The entry in words if it is new; one that we have must be the same."""
        try:
            entry = read_entry(line)
        except NewerRecord:
            if not self.size:
                raise
            raise NotHeldError("newer-record", "v holds for a whole game, and this entry has another") from None
        except BadRecord as bad:
            raise NotHeldError(bad.code, f"a line is no entry: {bad.says}") from None
        if entry.seq < self.size:
            self._check_known(entry)
            return None
        before, self.table = self.table, self._judged(entry, data)
        self.hashes.append(entry.hash)
        return self._told(entry, before, self.table)

    def _check_known(self, entry: Entry) -> None:
        if entry.hash != self.hashes[entry.seq]:
            raise NotHeldError("rewritten", f"entry {entry.seq} is another than the one that was shown before")

    def _judged(self, entry: Entry, data: Data) -> Table:
        try:
            table, faults = self._examined(entry, data)
        except NewerRecord:
            raise
        except BadRecord as bad:
            raise NotHeldError(bad.code, f"entry {entry.seq} cannot be read: {bad.says}") from None
        if faults:
            says = "; ".join(f"{fault.check}: {fault.error}" for fault in faults)
            raise NotHeldError(faults[0].error.code, f"entry {entry.seq} does not hold: {says}")
        return table

    def _examined(self, entry: Entry, data: Data) -> tuple[Table, list[Fault]]:
        if self.table is not None:
            return examine(self.table, entry)
        self._check_first(entry)
        return examine_first(entry, data() if entry.body["rules"]["data"] else {})

    def _check_first(self, entry: Entry) -> None:
        body = entry.body
        if entry.kind != "created":
            raise NotHeldError("no-beginning", "a log begins with the entry `created`")
        if (body["server"], entry.game) != (self.host, self.game):
            raise NotHeldError("other-game", f"it is game {entry.game} of {body['server']}")
        if self._known is None:
            return
        if isinstance(self._known, ServerKeys) and self._known.server != self.host:
            raise NotHeldError("other-server", f"the keys given are those of {self._known.server}")
        trusted = self._known.keys if isinstance(self._known, ServerKeys) else (self._known,)
        if base64url.decode(body["server_key"], 32) not in trusted:
            raise NotHeldError("other-server-key", "entry 0 names another server key than those given")

    def _told(self, entry: Entry, before: Table | None, after: Table) -> Line:
        hash_ = base64url.encode(entry.hash)
        says, warnings = telling.told(entry, before, after), tuple(self._warnings(entry))
        return Line(entry.seq, entry.at, entry.kind, entry.body.get("seat"), hash_, says, warnings)

    def _warnings(self, entry: Entry) -> Iterator[str]:
        at = instants.seconds(entry.at)
        if at > self._clock() + SKEW:
            yield f"dated {telling.span(int(at - self._clock()))} ahead of this machine's clock"
        if self._looked is not None and at < self._looked - SKEW:
            yield f"dated {telling.span(int(self._looked - at))} before a look that did not show it"

    # --- notes --------------------------------------------------------------------------------------------------------

    def _check_note(self, text: str, *, more: bool) -> None:
        """The note of a page: ours, signed, and true of what we have; `more` pages may still bring what it counts."""
        shown = self._read_note(text)
        self.shown = shown.size
        self._check_continues(shown)
        if shown.size > self.size and not more:
            raise NotHeldError("short-log", f"the note counts {shown.size} entries, and {self.size} are shown")
        if shown.size <= self.size and (self.note is None or shown.size > self.note.size):
            self.keep.memory.keep_note(text)
            self.note = shown
        for kept in self._own():
            self._check_kept(kept, shown)

    def _own(self) -> list[Note]:
        """The notes that the watcher brought, verified once there is a key to do it with."""
        if self._brought is None:
            self._brought = [self._read_note(text, "the note that you kept") for text in self._kept]
        return self._brought

    def _read_note(self, text: str, which: str = "the server's note") -> Note:
        if self.table is None:
            raise NotHeldError("no-beginning", "the log that is shown has no entry")
        try:
            found = notes.read(text)
            notes.verify(found, base64url.decode(self.table.created["server_key"], 32))
        except BadRecord as bad:
            raise NotHeldError(bad.code, f"{which}: {bad.says}") from None
        if (found.server, found.game) != (self.host, self.game):
            raise NotHeldError("other-note", f"{which} is one of {found.server}/game/{found.game}")
        return found

    def _check_continues(self, shown: Note) -> None:
        if shown.size <= self.size and self.hashes[shown.size - 1] != shown.hash:
            raise NotHeldError("fork", f"the note names another last entry of a log of {shown.size} entries")

    def _check_kept(self, kept: Note, shown: Note) -> None:
        """A note that the watcher brought: the log must come to it, and through it."""
        if kept.size <= self.size and self.hashes[kept.size - 1] != kept.hash:
            raise NotHeldError("fork", f"the note that you kept names another entry {kept.size - 1}")
        if kept.size > shown.size:
            raise NotHeldError("cut", f"the note that you kept counts {kept.size} entries, the server {shown.size}")


def _read_page(answer: bytes) -> tuple[list[bytes], str]:
    """The lines and the note of a page of the log."""
    try:
        page: Any = json.loads(answer)
        lines, text = page["entries"], page["note"]
        return [line.encode("ascii") for line in lines], str(text)
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        raise NotHeldError("bad-answer", "the answer is no page of a log") from None
