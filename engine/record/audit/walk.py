"""One pass over the log of a bundle. Faults are kept by check, and the walk continues as long as that makes sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from engine.errors import BadRecord, NewerRecord
from engine.record.audit import notes
from engine.record.audit.holders import Holders
from engine.record.audit.report import CHECKS
from engine.record.encoding import canonical
from engine.record.judge.entries import Work, examine, examine_first
from engine.record.judge.findings import Fault
from engine.record.log.bundle import Bundle
from engine.record.log.entry import EVENTFUL, Entry, read_entry
from engine.record.log.table import Table
from engine.record.signed import acts
from engine.record.signed.acts import SignedAct
from engine.record.signed.keys import Verify, verify
from engine.record.signed.note import find
from engine.record.signed.server_keys import ServerKeys

BLOCK = 64  # entries whose positions are kept until they are compared


class Walk:
    """One pass over a log: the table as it goes, the faults, and how much each check has looked at."""

    def __init__(self, found: Bundle, verify: Verify = verify) -> None:
        self.bundle = found
        self.verify = verify
        self.openings = {opening["seq"]: opening for opening in found.openings}
        self.counts = dict.fromkeys(CHECKS, 0)
        self.faults: dict[str, BadRecord] = {}
        self.attested = 0
        self.entries: list[Entry] = []
        self.acts: list[SignedAct | None] = []
        self.table: Table | None = None
        self.secret: bytes | None = None
        self.undecided: int | None = None
        self.holders = Holders()
        self.unread_note = ""
        self.notes_lost = 0

    def run(self, server: ServerKeys | bytes | None, keys: Mapping[int, str], note: str | None) -> None:
        """Everything that can be checked; `table` stays None if the log cannot be opened."""
        self._read()
        if self.entries:
            self._walk()
        if self.table is None:
            return
        self._check_keys(keys)
        self._check_notes(self.table, server, note)
        self._check_openings(self.table)

    # --- the log ----------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """The entries up to the first malformed line, each with its act; reading them all in one batch is quicker."""
        for seq, line in enumerate(self.bundle.lines):
            try:
                self.entries.append(read_entry(line))
                self.acts.append(_act(self.entries[-1]))
            except NewerRecord as newer:
                if not seq:
                    raise
                return self._fault("chain", BadRecord(newer.code, "v is the same in every entry of a game", seq))
            except BadRecord as bad:
                return self._fault("chain", BadRecord(bad.code, bad.says, seq))
        return None

    def _walk(self) -> None:
        first = self.entries[0]
        if first.kind != "created":
            return self._fault("chain", BadRecord("bad-first", "the log does not begin with entry 0", 0))
        try:
            table, faults = examine_first(first, self.bundle.data)
        except NewerRecord:
            raise
        except BadRecord as bad:
            return self._fault("rules", BadRecord(bad.code, bad.says, 0))
        self.secret = _secret(table, self.entries[-1])
        self._note(first, table, faults)
        for start in range(1, len(self.entries), BLOCK):
            table = self._walk_block(table, slice(start, start + BLOCK))
        self.table = table
        return None

    def _walk_block(self, table: Table, block: slice) -> Table:
        """Decide the entries by the rules one by one, then compare what is written in them in one batch."""
        deferred: list[Work] = []
        examined: list[tuple[Entry, Table, Sequence[Fault]]] = []
        for entry, act in zip(self.entries[block], self.acts[block], strict=True):
            before, opening = table, self.openings.get(entry.seq)
            table, faults = examine(
                before, entry, opening, self.secret, signed=act, verify=self.verify, defer=deferred.append
            )
            self.holders.note(before, entry, table, act)
            examined.append((entry, table, faults))
        for work in deferred:
            work()
        for one in examined:
            self._note(*one)
        return table

    def _note(self, entry: Entry, table: Table, faults: Sequence[Fault]) -> None:
        for fault in faults:
            self._fault(fault.check, fault.error)
        body, counts = entry.body, self.counts
        counts["chain"] += 1
        counts["signatures"] += body.get("jws") is not None
        self.attested += "via" in body
        counts["outcome"] += body.get("secret") is not None
        if entry.kind not in EVENTFUL:
            return
        counts["draws"] += len(body["draws"]["got"]) if "draws" in body else 0
        if table.state is not None:
            counts["rules"] += 1
            counts["seals"] += len(body.get("seals", ())) + self._has_text(entry)
        elif self.undecided is None:
            self.undecided = table.size - 1

    def _has_text(self, entry: Entry) -> bool:
        """Is the text of a sealed move here?"""
        return entry.kind == "moved" and self.openings.get(entry.seq, {}).get("move") is not None

    def _fault(self, check: str, error: BadRecord) -> None:
        """Keep the first entry that fails the check, in whatever order the faults are found; one without comes last."""
        known = self.faults.get(check)
        if known is None or (error.seq is not None and (known.seq is None or error.seq < known.seq)):
            self.faults[check] = error

    # --- beside the log ---------------------------------------------------------------------------------------------

    def _check_keys(self, keys: Mapping[int, str]) -> None:
        for seat, kid in keys.items():
            held = [one for one in self.holders.listed() if one.seat == seat]
            if not any(one.kid == kid for one in held):
                says = f"the key {kid} never held seat {seat + 1}"
                self._fault("signatures", BadRecord("wrong-key", says, held[0].since if held else None))

    def _check_notes(self, table: Table, server: ServerKeys | bytes | None, kept: str | None) -> None:
        """Look at every note, since the first bad one need not be on the first entry at fault."""
        lines = self.bundle.lines
        if server is not None:
            self._look(partial(notes.check_server, server, table))
        for one in self._kept(kept, table):
            self.counts["note"] += 1
            self.notes_lost += self._look(partial(notes.check_kept, one, table, lines)) is False
        self.counts["note"] += 1
        self._look(partial(notes.check_own, self.bundle.note, table, lines))

    def _look(self, check: Callable[[], bool | None]) -> bool | None:
        try:
            return check()
        except BadRecord as bad:
            self._fault("note", bad)
            return None

    def _kept(self, text: str | None, table: Table) -> list[str]:
        """The notes on this game in a text that somebody kept. An unreadable text does not fail the game."""
        found = [] if text is None else [one for one in find(text) if notes.is_of(one, table)]
        if text is not None and not found:
            self.unread_note = "the text given as a checkpoint has no readable checkpoint of this game"
        return found

    def _check_openings(self, table: Table) -> None:
        """In a hidden game, once the secret is out, exactly the entries with events are opened; before, none."""
        opened = table.hidden and table.is_over and self.secret is not None
        due = {entry.seq: entry.kind for entry in self.entries if opened and entry.kind in EVENTFUL}
        here = {entry.seq for entry in self.entries}
        wrong: list[tuple[int, str]] = []
        for seq in sorted(due.keys() ^ self.openings.keys()):
            says = "the opening of this entry is missing" if seq in due else "this entry must not have an opening"
            wrong.append((seq, says))
        for seq, opening in self.openings.items():
            if opening["move"] is not None and due.get(seq) != "moved":
                wrong.append((seq, "the opening has the text of a move, but the entry is not a move"))
        for seq, says in wrong:
            self._fault("seals", BadRecord("wrong-openings", says, seq if seq in here else None))


def _act(entry: Entry) -> SignedAct | None:
    """The act that the entry logs; None also if it cannot be read, which `examine` reports as a fault."""
    try:
        return acts.read_signed(entry.body["jws"]) if entry.body.get("jws") is not None else None
    except BadRecord:
        return None


def _secret(table: Table, last: Entry) -> bytes | None:
    """The secret that the last entry shows, if it is the one that entry 0 commits to; `judge` says if it is not."""
    text: Any = last.body.get("secret")
    secret = canonical.from_base64url(text, 32) if text is not None else None
    return secret if secret is not None and table.chain_fits(secret) else None
