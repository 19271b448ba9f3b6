"""The audit of one file: reads the bundle, walks its log, and makes the report of what was found."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import BadRecord, NewerRecord
from engine.record.audit.limitations import cannot_know
from engine.record.audit.report import CHECKS, Check, Compared, Lost, Report, ServerKey, Verdict, unknown, unread
from engine.record.audit.signatures import Deferred, Signatures
from engine.record.audit.walk import Walk
from engine.record.encoding import canonical
from engine.record.log import bundle
from engine.record.log.entry import read_entry
from engine.record.log.fold import open_table
from engine.record.log.table import Table
from engine.record.signed.keys import thumbprint
from engine.record.signed.server_keys import ServerKeys

MOST_BYTES = 2**26  # bytes of a file: the format has no limit, but memory has; the worst file of this size takes 1.5 GB


def audit(
    data: bytes,
    server: ServerKeys | bytes | None = None,
    keys: Mapping[int, str] | None = None,
    note: str | None = None,
    signatures: Signatures | None = None,
    *,
    pinned: bool = False,
) -> Report:
    """The report on a bundle's bytes; any bytes get one.

    `server` is the key that entry 0 must name (32 bytes), or a list of keys of which it must name one; `pinned` means
    that this reader has kept it. `keys` are the thumbprints of known holders, by seat. `note` is one somebody kept,
    for instance from a mail: the log must continue it. `signatures` verifies the players', perhaps in another process.
    """
    if len(data) > MOST_BYTES:
        return unknown(f"a file of more than {MOST_BYTES} bytes is too large for this auditor")
    try:
        found = bundle.read(data)
    except NewerRecord as newer:
        return unknown(newer.says)
    except BadRecord as bad:
        why = bad.says if bad.code == "not-a-bundle" else _newer(data)
        return unknown(why) if why else unread(_part_of(bad), bad.says)
    try:
        claims, compared = signatures or Deferred(), _compared(server, pinned=pinned)
        report = _report(Walk(found, claims.claim), server, compared, keys or {}, note)
        return report if claims.all_hold() else _report(Walk(found), server, compared, keys or {}, note)
    except NewerRecord as newer:
        return unknown(newer.says)


def _newer(data: bytes) -> str:
    """Why entry 0 of a broken file cannot be judged here, which precedes any other fault; "" if it can."""
    try:
        first = read_entry(data.partition(b"\n")[2].partition(b"\n")[0])
        if first.kind == "created":
            open_table(first)
    except NewerRecord as newer:
        return newer.says
    except BadRecord:
        pass
    return ""


def _part_of(bad: BadRecord) -> str:
    return "note" if bad.code == "bad-note" else "chain"


def _compared(server: ServerKeys | bytes | None, *, pinned: bool) -> Compared | None:
    return None if server is None else "pin" if pinned else "list" if isinstance(server, ServerKeys) else "given"


def _report(
    walk: Walk, server: ServerKeys | bytes | None, compared: Compared | None, keys: Mapping[int, str], note: str | None
) -> Report:
    walk.run(server, keys, note)
    if walk.table is None:
        return _unopened(walk)
    held, table = walk.holders.listed(), walk.table
    return Report(
        verdict=(verdict := _verdict(walk, walk.table)),
        stage=walk.table.stage,
        checks={name: _check(walk, name, walk.table) for name in CHECKS},
        why=_why(walk, verdict, walk.table),
        server_key=ServerKey(_kid(table), compared),
        lost=tuple(Lost(one.seq, one.size, canonical.to_base64url(one.hash)) for one in table.lost),
        holders=held,
        recoveries=tuple(walk.holders.recoveries),
        two_seats=walk.holders.two_seats(),
        cannot_know=cannot_know(walk.table, held, known=keys, server_given=server is not None, attested=walk.attested),
    )


def _kid(table: Table) -> str:
    return thumbprint(canonical.from_base64url(table.created["server_key"], 32))


def _verdict(walk: Walk, table: Table) -> Verdict:
    if walk.faults or _missing(walk, table):
        return "fails"
    return "unknown" if walk.unread_note else "open" if _has_unseen(table) or walk.notes_lost else "holds"


def _why(walk: Walk, verdict: Verdict, table: Table) -> str:
    if verdict == "unknown":
        return walk.unread_note
    if verdict != "open":
        return ""
    if walk.notes_lost:
        return "nothing fails; a kept note is on entries that the server says it has lost"
    if table.stage == "running":
        return "nothing fails; the hidden parts can be checked when the game is over"
    return "nothing fails, but the server reports that it has lost the secret, so not everything can be checked"


def _unopened(walk: Walk) -> Report:
    (check, error), *_ = walk.faults.items()
    return unread(check, error.says, error.seq)


def _missing(walk: Walk, table: Table) -> bool:
    return walk.undecided is not None and not _may_be_undecided(table, walk.secret)


def _check(walk: Walk, name: str, table: Table) -> Check:
    fault = walk.faults.get(name)
    if fault is not None:
        return Check(False, walk.counts[name], fault.seq, fault.says)
    unread_from = len(walk.entries) if len(walk.entries) < len(walk.bundle.lines) else None
    if name in ("rules", "seals") and walk.undecided is not None and (name == "rules" or table.hidden):
        return _undecided(walk, name, table)
    if unread_from is not None and name != "note":
        return Check(None, walk.counts[name], None, f"not checked from entry {unread_from} on")
    if name == "note" and walk.notes_lost:
        return Check(None, walk.counts[name], None, "a kept note is on entries that the server says it has lost")
    return Check(True if walk.counts[name] else None, walk.counts[name], None, _says(walk, name, table))


def _undecided(walk: Walk, name: str, table: Table) -> Check:
    if _may_be_undecided(table, walk.secret):
        why = "before it ends" if table.stage == "running" else "without its secret"
        return Check(None, walk.counts[name], None, f"a hidden game cannot be checked {why}")
    return Check(False, walk.counts[name], walk.undecided, f"not checked from entry {walk.undecided} on")


def _says(walk: Walk, name: str, table: Table) -> str:
    return {
        "chain": "each entry names the one before",
        "signatures": f"made with keys of the seats; moves that only the server attests: {walk.attested}",
        "draws": "public draws, from keys fixed before anyone joined",
        "seals": "each commits to what its watcher saw" if table.hidden else "an open game has none",
        "rules": "entries with events, played again with the same result",
        "outcome": _OUTCOMES[table.stage],
        "note": "the server's signed checkpoints of this log",
    }[name]


_OUTCOMES = {
    "lobby": "none yet",
    "running": "none yet",
    "finished": "as the rules decide",
    "cancelled": "none; the secret, if shown, is the one that entry 0 commits to",
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
