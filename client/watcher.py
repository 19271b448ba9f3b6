"""Following a running game without an account, and checking everything that can be checked as it comes.

The checks are a player's (`public_log.py`): chain, signatures, draws, in an open game every rule, the server's key and
checkpoints; all data is on disk before it is judged. In addition each valid entry is described, checkpoints of the
watcher must be continued, and at the end the bundle is audited, which must be of the same log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from client import atomic_files, entry_text
from client.errors import DistrustError, NotSignedError
from client.http import Api
from client.input_files import UnreadableError
from client.log import CheckedLog
from client.memory import Memory
from client.pins import Pins
from client.public_log import PublicLog
from engine.errors import BadRecord
from engine.kit import count
from engine.record.audit import Report, audit
from engine.record.audit.run import MOST_BYTES
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.log import bundle
from engine.record.log.entry import Entry
from engine.record.log.table import Table
from engine.record.signed import note as notes
from engine.record.signed.server_keys import ServerKeys

BUNDLE = "bundle.txt"


class EntryLine(msgspec.Struct, frozen=True):
    """A valid entry with its description."""

    seq: int
    at: str
    kind: str
    seat: int | None
    hash: str
    says: str


class WatchListener(NamedTuple):
    """Receives each valid entry, and the warnings."""

    entry: Callable[[EntryLine], None]
    warning: Callable[[str], None]


class Watch:
    """One game at one server, with our copy of its log in `folder`.

    `clock` returns seconds since 1970. `known` are the server's keys if the watcher knows them; else the first ones
    seen hold, which the folder above stores. `kept` are texts of checkpoints.
    """

    def __init__(
        self,
        api: Api,
        game: str,
        folder: Path,
        clock: Callable[[], float],
        told: WatchListener,
        *,
        known: ServerKeys | bytes | None = None,
        kept: Sequence[str] = (),
    ) -> None:
        self.game = game
        self.memory = Memory(folder)
        self._api = api
        self._clock = clock
        self._hears = told
        self._known = known
        self._pinned = Pins(folder.parent).known(api.host)  # checkpoints of an earlier watch, not of this one
        self._kept = tuple(kept)
        self._reader: PublicLog | None = None
        self._has_begun = False

    @property
    def size(self) -> int:
        """The number of checked entries."""
        return 0 if self._reader is None else self._reader.log.size

    @property
    def is_over(self) -> bool:
        return bool(self.size) and self._log.table.is_over

    def open(self) -> int:
        """Check the stored entries again; returns their number."""
        known = self._known if isinstance(self._known, bytes) else None
        given = self._api, self.game, self.memory, self._clock, known
        try:
            self._reader = PublicLog(*given, guard=self._follows, tell=self._hears.warning)
        except (DistrustError, NotSignedError) as no:
            raise UnreadableError(self.memory.folder, f"the stored copy does not hold: {no}") from None
        self._has_begun = self.size > 0
        return self.size

    def poll(self, wait: int) -> int:
        """Fetch, check and report new entries, waiting this many seconds for them; returns their number.

        DistrustError if something does not hold, NotSignedError if it cannot be judged here or not now.
        """
        assert self._reader is not None
        new = self._reader.fetch(wait)
        self._begin()
        for text in self._kept:
            self._check_kept(text)
        return len(new)

    def verdict(self) -> Report:
        """Audit the public bundle; DistrustError if it is of a different log."""
        assert self._reader is not None
        data = self._reader.bundle()
        atomic_files.write(self.memory.folder / BUNDLE, data)
        with self._log.judging("bundle", entries=[], note="", file=BUNDLE) as case:
            if len(data) <= MOST_BYTES:  # the audit reports a longer one as too long
                self._check_bundle(data)
            compared, kept = self._known or self._pinned, "\n".join([*self._kept, self.memory.note() or ""])
            report = audit(data, compared, note=kept, pinned=self._known is None and compared is not None)
            if report.verdict == "fails":
                case.keep = True
                failed = DistrustError("fails", "the bundle does not hold")
                self.memory.evidence.convict(self._clock(), failed, case.path.name)
        return report

    @property
    def _log(self) -> CheckedLog:
        assert self._reader is not None
        return self._reader.log

    # --- entries ------------------------------------------------------------------------------------------------------

    def _follows(self, before: Table, entry: Entry) -> None:
        """Report an entry, given the table before it; the first is reported with the second, or after the look."""
        self._begin()
        self._line(entry, entry_text.entry_sentence(entry, before))

    def _begin(self) -> None:
        if self._has_begun or not self.size:
            return
        first, self._has_begun = self._log.entries[0], True
        with self._log.judging("server-keys", entries=[first.line.decode("ascii")], note=""):
            self._check_server()
        self._line(first, entry_text.created(self._log.table))

    def _line(self, entry: Entry, says: str) -> None:
        hash_, seat = canonical.to_base64url(entry.hash), entry.body.get("seat")
        self._hears.entry(EntryLine(entry.seq, entry.at, entry.kind, seat, hash_, says))

    # --- what the watcher knows ---------------------------------------------------------------------------------------

    def _check_server(self) -> None:
        """Check the keys that the watcher gave; a single key is checked by the log itself."""
        if not isinstance(self._known, ServerKeys):
            return
        table = self._log.table
        if self._known.server != table.server:
            raise DistrustError("other-server-keys", f"the keys given are those of {self._known.server}")
        if canonical.from_base64url(table.created["server_key"], 32) not in self._known.keys:
            raise DistrustError("other-server-key", "entry 0 names a server key that is not among those given")

    def _check_kept(self, text: str) -> None:
        """Check a checkpoint of the watcher: the log must have reached and continued it."""
        assert self._reader is not None
        found = self._reader.heed(text)
        counted = count(notes.read(text).size, "entry", "entries")
        says = {
            "unsigned": "your checkpoint is not signed with the key that entry 0 names",
            "newer": f"your checkpoint counts {counted}, but the server shows {self.size}",
        }.get(found)
        if says is not None:
            with self._log.judging("note", entries=[], note=text):
                raise DistrustError("unsigned-note" if found == "unsigned" else "cut", says)

    def _check_bundle(self, data: bytes) -> None:
        try:
            lines = bundle.read(data).lines
        except BadRecord as bad:
            raise DistrustError(bad.code, f"the bundle: {bad.says}") from None
        if len(lines) < self.size:
            raise DistrustError(
                "cut", f"the bundle has {count(len(lines), 'entry', 'entries')}, but the log has {self.size}"
            )
        for line, known in zip(lines, self._log.entries, strict=False):
            if leaf(line) != known.hash:
                raise DistrustError("rewritten", f"entry {known.seq} of the bundle differs from the log's")
