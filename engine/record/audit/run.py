"""Reads a bundle and walks its log; what fails is kept by check, and the walk goes on as far as that makes sense."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import BadRecord, NewerRecord
from engine.record import base64url, bundle, door
from engine.record.audit import notes
from engine.record.audit.holders import Holders
from engine.record.audit.report import CHECKS, Check, Report, Verdict, unknown, unread
from engine.record.audit.signatures import Later, Signatures
from engine.record.audit.unknowable import cannot_know
from engine.record.bundle import Bundle
from engine.record.door import Signed
from engine.record.entry import Entry, read_entry
from engine.record.judge import EVENTFUL, Fault, Work, examine, examine_first
from engine.record.keys import Verify, verify
from engine.record.note import find
from engine.record.server_keys import ServerKeys
from engine.record.table import Table

BLOCK = 64  # entries whose positions are kept until they are compared
MEANS = 2**26  # bytes of a file: the format has no limit, this machine has; the worst such file takes 1.5 GB


def audit(
    data: bytes,
    server: ServerKeys | bytes | None = None,
    keys: Mapping[int, str] | None = None,
    note: str | None = None,
    signatures: Signatures | None = None,
) -> Report:
    """The report on a bundle's bytes; any bytes are answered.

    `server` is the key that entry 0 must name (32 bytes), or a server's keys, among which it must be; `keys` are the
    thumbprints of who held a seat, by seat; `note` what somebody kept, as a mail carries it: the log must continue it.
    `signatures` finds out whether the players' signatures hold, in another process for instance.
    """
    if len(data) > MEANS:
        return unknown(f"a file of more than {MEANS} bytes is beyond this auditor's means")
    try:
        found = bundle.read(data)
    except NewerRecord as newer:
        return unknown(newer.says)
    except BadRecord as bad:
        why = bad.says if bad.code == "not-a-bundle" else _newer(data)
        return unknown(why) if why else unread(_part_of(bad), bad.says)
    try:
        claims = signatures or Later()
        report = Walk(found, claims.claim).report(server, keys or {}, note)
        return report if claims.all_hold() else Walk(found).report(server, keys or {}, note)
    except NewerRecord as newer:
        return unknown(newer.says)


def _newer(data: bytes) -> str:
    """Why entry 0 of a broken file cannot be judged here: that comes first, whatever else is wrong. "" if it can be."""
    try:
        first = read_entry(data.partition(b"\n")[2].partition(b"\n")[0])
        if first.kind == "created":
            Table.opened(first)
    except NewerRecord as newer:
        return newer.says
    except BadRecord:
        pass
    return ""


def _part_of(bad: BadRecord) -> str:
    return "note" if bad.code == "bad-note" else "chain"


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
        self.acts: list[Signed | None] = []
        self.table: Table | None = None
        self.secret: bytes | None = None
        self.undecided: int | None = None
        self.holders = Holders()
        self.unread_note = ""

    def report(self, server: ServerKeys | bytes | None, keys: Mapping[int, str], note: str | None) -> Report:
        self._read()
        if self.entries:
            self._walk()
        if self.table is None:
            return self._unopened()
        self._check_keys(keys)
        self._check_notes(self.table, server, note)
        self._check_openings(self.table)
        held = self.holders.listed()
        return Report(
            verdict=(verdict := self._verdict(self.table)),
            stage=self.table.stage,
            checks={name: self._check(name, self.table) for name in CHECKS},
            why=self._why(verdict, self.table),
            holders=held,
            recoveries=tuple(self.holders.recoveries),
            cannot_know=cannot_know(
                self.table, held, known=keys, server_given=server is not None, attested=self.attested
            ),
        )

    def _verdict(self, table: Table) -> Verdict:
        if self.faults or self._missing(table):
            return "fails"
        return "unknown" if self.unread_note else "open" if _has_unseen(table) else "holds"

    def _why(self, verdict: Verdict, table: Table) -> str:
        if verdict == "unknown":
            return self.unread_note
        if verdict != "open":
            return ""
        if table.stage == "running":
            return "nothing fails; what is hidden can be checked when the game is over"
        return "nothing fails; the server says that it has lost the secret, so not all can be checked"

    def _unopened(self) -> Report:
        (check, error), *_ = self.faults.items()
        return unread(check, error.says, error.seq)

    # --- the log ----------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """The entries up to the first line that is none, each with its act: work of one kind is quicker in one go."""
        for seq, line in enumerate(self.bundle.lines):
            try:
                self.entries.append(read_entry(line))
                self.acts.append(_act(self.entries[-1]))
            except NewerRecord as newer:
                if not seq:
                    raise
                return self._fault("chain", BadRecord(newer.code, "v holds for a whole game", seq))
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
        """Entries one after the other as the rules decide them, and then all that is written in them: see `_read`."""
        deferred: list[Work] = []
        examined: list[tuple[Entry, Table, Sequence[Fault]]] = []
        for entry, act in zip(self.entries[block], self.acts[block], strict=True):
            before, opening = table, self.openings.get(entry.seq)
            table, faults = examine(
                before, entry, opening, self.secret, signed=act, verify=self.verify, defer=deferred.append
            )
            self.holders.note(before, entry, table)
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
            counts["seals"] += len(body.get("seals", ()))
        elif self.undecided is None:
            self.undecided = table.size - 1

    def _fault(self, check: str, error: BadRecord) -> None:
        """The first entry that fails the check, in whichever order faults are found."""
        known = self.faults.get(check)
        if known is None or (error.seq is not None and known.seq is not None and error.seq < known.seq):
            self.faults[check] = error

    # --- beside the log ---------------------------------------------------------------------------------------------

    def _check_keys(self, keys: Mapping[int, str]) -> None:
        for seat, kid in keys.items():
            held = [one for one in self.holders.listed() if one.seat == seat]
            if not any(one.kid == kid for one in held):
                says = f"seat {seat + 1} was never held with the key {kid}"
                self._fault("signatures", BadRecord("wrong-key", says, held[0].since if held else None))

    def _check_notes(self, table: Table, server: ServerKeys | bytes | None, kept: str | None) -> None:
        try:
            if server is not None:
                notes.check_server(server, table)
            for one in self._kept(kept, table):
                notes.check_kept(one, table, self.bundle.lines)
                self.counts["note"] += 1
            notes.check_own(self.bundle.note, table, self.bundle.lines)
            self.counts["note"] += 1
        except BadRecord as bad:
            self._fault("note", bad)

    def _kept(self, text: str | None, table: Table) -> list[str]:
        """The notes on this game in a text that somebody kept; what cannot be read is no failure of the game."""
        found = [] if text is None else [one for one in find(text) if notes.is_of(one, table)]
        if text is not None and not found:
            self.unread_note = "no note on this game can be read in what was given as one"
        return found

    def _check_openings(self, table: Table) -> None:
        """In a hidden game, once the secret is out, exactly the entries with events are opened; else none is."""
        opened = table.hidden and table.is_over and self.secret is not None
        due = {entry.seq: entry.kind for entry in self.entries if opened and entry.kind in EVENTFUL}
        for seq in sorted(due.keys() ^ self.openings.keys()):
            says = "its opening is missing" if seq in due else "there is an opening, and none is due"
            self._fault("seals", BadRecord("wrong-openings", says, seq))
        for seq, opening in self.openings.items():
            if opening["move"] is not None and due.get(seq) != "moved":
                self._fault("seals", BadRecord("wrong-openings", "it has the text of a move and is none", seq))

    # --- saying it --------------------------------------------------------------------------------------------------

    def _missing(self, table: Table) -> bool:
        return self.undecided is not None and not _may_be_undecided(table, self.secret)

    def _check(self, name: str, table: Table) -> Check:
        fault = self.faults.get(name)
        if fault is not None:
            return Check(False, self.counts[name], fault.seq, fault.says)
        unread_from = len(self.entries) if len(self.entries) < len(self.bundle.lines) else None
        if name in ("rules", "seals") and self.undecided is not None and (name == "rules" or table.hidden):
            return self._undecided(name, table)
        if unread_from is not None and name != "note":
            return Check(None, self.counts[name], None, f"not checked from entry {unread_from} on")
        return Check(True if self.counts[name] else None, self.counts[name], None, self._says(name, table))

    def _undecided(self, name: str, table: Table) -> Check:
        if _may_be_undecided(table, self.secret):
            why = "before the end" if table.stage == "running" else "without the secret"
            return Check(None, self.counts[name], None, f"cannot be checked {why} of a hidden game")
        return Check(False, self.counts[name], self.undecided, f"not checked from entry {self.undecided} on")

    def _says(self, name: str, table: Table) -> str:
        return {
            "chain": "each entry names the one before",
            "signatures": f"by keys of the seats; {self.attested} moves attested by the server alone",
            "draws": "public draws, from keys fixed before anybody joined",
            "seals": "each over what its watcher saw" if table.hidden else "an open game has none",
            "rules": "entries with events decided again, to the same bytes",
            "outcome": _OUTCOMES[table.stage],
            "note": "the server's word on this log",
        }[name]


_OUTCOMES = {
    "lobby": "none yet",
    "running": "none yet",
    "finished": "as the rules say",
    "cancelled": "none; the secret is the one of entry 0, where it is shown",
}


def _has_unseen(table: Table) -> bool:
    """A hidden game before its end, or a game that was cancelled without its secret."""
    return (table.stage == "cancelled" and table.secret is None) or (table.hidden and table.stage == "running")


def _may_be_undecided(table: Table, secret: bytes | None) -> bool:
    """A hidden game before its end, or cancelled with its secret lost."""
    return table.hidden and secret is None and table.stage in ("lobby", "running", "cancelled") and not _false(table)


def _false(table: Table) -> bool:
    """Cancelled with a secret that is not the game's."""
    return table.stage == "cancelled" and table.secret is not None


def _act(entry: Entry) -> Signed | None:
    """What a player signed; None also if it cannot be read, which `examine` will say."""
    try:
        return door.read_signed(entry.body["jws"]) if entry.body.get("jws") is not None else None
    except BadRecord:
        return None


def _secret(table: Table, last: Entry) -> bytes | None:
    """The secret that the last entry shows, if it is the one that entry 0 commits to; `judge` says if it is not."""
    text: Any = last.body.get("secret")
    secret = base64url.decode(text, 32) if text is not None else None
    return secret if secret is not None and table.chain_fits(secret) else None
