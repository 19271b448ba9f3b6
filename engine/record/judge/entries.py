"""Everything that can be checked when an entry follows a table, each check alone, so that one failure hides no other.

    chain        game, number, prev, a time that does not go back, a kind that may follow now
    signatures   the act in the JWS is this entry's, signed with an active key of its seat
    draws        the keys of public draws hash back to what was shown before, and give the same results
    rules        the engine decides the same events and the same state; a default move is not played too early
    seals        one for each watcher, over the events that this watcher saw
    outcome      the game ends exactly here, as the rules say, and shows the secret of entry 0

In a hidden game rules and seals wait for the secret. Nothing of the record reaches the engine but signed commands, and
those of unsigned moves where the game allows them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from engine.errors import BadRecord
from engine.record.compose.decision import Decision, decide, lanes
from engine.record.judge import checks, comparison
from engine.record.judge.findings import Fault, Findings
from engine.record.laws import preconditions
from engine.record.laws.proposal import Proposal
from engine.record.log.entry import EVENTFUL, Entry
from engine.record.log.fold import apply_known, open_table, present
from engine.record.log.table import Table
from engine.record.signed import acts, keys
from engine.record.signed.acts import SignedAct
from engine.record.signed.keys import Verify
from engine.record.signed.moves import open_move

Work = Callable[[], None]


def _at_once(work: Work) -> None:
    work()


def examine_first(entry: Entry, data: Mapping[str, bytes]) -> tuple[Table, list[Fault]]:
    """The table of entry 0, and what is wrong with it; raises what makes the whole record unreadable."""
    table, findings = open_table(entry, data), Findings(0)
    findings.run("rules", checks.check_created, table)
    return table, findings.faults


def begin(entry: Entry, data: Mapping[str, bytes] | None = None) -> Table:
    """The table of entry 0; BadRecord if it is wrong."""
    table, faults = examine_first(entry, data or {})
    if faults:
        raise faults[0].error
    return table


def follow(table: Table, entry: Entry, opening: Mapping[str, Any] | None = None, secret: bytes | None = None) -> Table:
    """The table after the entry; BadRecord says why it cannot follow. With `secret` a hidden game is decided again."""
    table, faults = examine(table, entry, opening, secret)
    if faults:
        raise faults[0].error
    return table


def examine(
    table: Table,
    entry: Entry,
    opening: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
    *,
    signed: SignedAct | None = None,
    verify: Verify = keys.verify,
    defer: Callable[[Work], None] = _at_once,
) -> tuple[Table, list[Fault]]:
    """The table after the entry, and what is wrong with it. After a fault the table is what the entry claims.

    `secret` is the game's, or None; an entry that ends the game carries it, and it is judged there. `signed` is its
    act, if it was read already; `verify` checks its signature. `defer` takes the work of comparing the entry with the
    engine's decision: its faults are added to the list later, and the table never depends on it.
    """
    findings, decided = Findings(table.size), None
    findings.run("chain", checks.check_link, table, entry)
    signed = findings.run("signatures", checks.check_signed, table, entry, signed, verify)
    _examine_laws(findings, table, entry, signed)
    shown = None if findings.failed("chain") else findings.run("outcome", checks.own_secret, table, entry)
    secret = secret or shown
    if entry.kind in EVENTFUL:
        findings.run("draws", checks.check_draws, table, entry)
        decided = findings.run("rules", _decide, table, entry, signed, opening, secret)
        defer(partial(comparison.check_written, findings, table, entry, decided, opening, secret))
    if findings.faults and not _makes_sense(table, entry):
        return _passed(table, entry), findings.faults
    known, hidden_next = (decided.state, decided.hidden_next) if decided else (None, None)
    return apply_known(table, entry, known, hidden_next, signed), findings.faults


def _makes_sense(table: Table, entry: Entry) -> bool:
    """Can a faulty entry be applied, so that later checks find more than its consequences?"""
    if entry.kind == "created" or max(_seats_of(entry), default=0) >= table.seats:
        return False
    if entry.kind in ("left", "keyed", "offered") and table.occupants[entry.body["seat"]] is None:
        return False
    return entry.kind not in ("joined", "keyed", "offered", "taken") or _is_readable(entry)


def _passed(table: Table, entry: Entry) -> Table:
    """The table after an entry that cannot be applied: at most the absence of its seat ends."""
    if entry.kind in ("keyed", "offered"):
        seat: int = entry.body["seat"]
        if seat < table.seats and table.occupants[seat] is not None:
            table = present(table, entry)
    return msgspec.structs.replace(table, size=table.size + 1, head=entry.hash, at=entry.at)


def _is_readable(entry: Entry) -> bool:
    signed = _unverified(entry)
    return signed is not None and signed.act.act == acts.ACT_OF[entry.kind]


def _examine_laws(findings: Findings, table: Table, entry: Entry, signed: SignedAct | None) -> None:
    """The laws for the entry, by check. If its act cannot be read, those of the chain alone."""
    proposal = _proposal_of(entry, signed)
    unread = signed is None and entry.body.get("jws") is not None
    nowhere = max(proposal.seats, default=0) >= table.seats
    if not unread and not nowhere and preconditions.is_kept(table, proposal):
        return
    for check in ("chain",) if unread or nowhere else ("chain", "signatures", "rules"):
        findings.run(check, preconditions.check, table, proposal, preconditions.of_check(entry.kind, check))


def _proposal_of(entry: Entry, signed: SignedAct | None) -> Proposal:
    """The proposal of the entry. The content of its act counts for the chain even if the signature fails."""
    body, signed = entry.body, signed or _unverified(entry)
    act, kid = (signed.act, signed.jws.kid) if signed else (None, "")
    given = {"seconds": body["seconds"], "why": body["why"]} if entry.kind == "granted" else {}
    lost = body["size"] if entry.kind == "restored" else 0
    return Proposal(entry.kind, _seats_of(entry), act, kid, entry.time, "sealed" in body, size=lost, **given)


def _seats_of(entry: Entry) -> tuple[int, ...]:
    if entry.kind == "granted":
        return tuple(entry.body["seats"])
    return (entry.body["seat"],) if "seat" in entry.body else ()


def _unverified(entry: Entry) -> SignedAct | None:
    try:
        return acts.read_signed(entry.body["jws"]) if entry.body.get("jws") else None
    except BadRecord:
        return None


def _decide(
    table: Table, entry: Entry, signed: SignedAct | None, opening: Mapping[str, Any] | None, secret: bytes | None
) -> Decision | None:
    """The engine's own decision for the entry; None where it cannot be known yet, or nobody is seated to play."""
    if entry.body.get("seat", 0) >= table.seats:
        return None
    decidable = secret if table.hidden else True
    if not decidable or (table.state is None and entry.kind != "started"):
        return None
    commands = _commands(table, entry, signed, opening) if entry.kind == "moved" else None
    chance, hidden = lanes(table, secret, entry.body.get("draws"))
    return decide(table, entry.kind, entry.body.get("seat"), commands, chance, hidden)


def _commands(table: Table, entry: Entry, signed: SignedAct | None, opening: Mapping[str, Any] | None) -> list[Any]:
    """The signed commands, or those that the server attests."""
    act = signed.act if signed else None
    if not table.hidden:
        commands = act.commands if act else entry.body.get("commands")
        if commands is None:
            raise BadRecord("no-commands", "the move cannot be played again because its act cannot be read")
        return commands
    sealed = act.sealed if act else entry.body.get("sealed")
    if opening is None or opening["move"] is None:
        raise BadRecord("opening-missing", "the text of the sealed move is missing")
    return open_move(opening["move"], sealed or "")
