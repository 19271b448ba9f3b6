"""The preconditions of each entry: one table of laws, used by the server, the auditor and the reader.

A law names the kinds of entries that it applies to, the check of an audit that fails with it, the precondition in the
words of the specification (section 4.2 is this table), and the sentence for someone who breaks it. Laws are checked in
the order of the table. A server checks the first ones, about the game's stage, before it looks at the head on which an
act is signed, and all others after it. The laws about the holders of seats are judged in `holders.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from engine.errors import Refused
from engine.record.encoding import canonical
from engine.record.laws import holders
from engine.record.laws.proposal import (
    MOST_GRANTS,
    MOST_JOINS,
    MOST_KEYS,
    MOST_OFFERS,
    MOST_RECOVERIES,
    MOST_TAKES,
    Facts,
    Proposal,
)
from engine.record.log.entry import OUTAGE
from engine.record.log.table import Table


class Law(NamedTuple):
    """`violation` returns the facts of a refusal, or None if the law is kept."""

    code: str
    kinds: tuple[str, ...]
    check: str
    law: str
    says: str
    violation: Callable[[Table, Proposal], Facts | None]


def check(table: Table, proposal: Proposal, laws: Iterable[Law] | None = None) -> None:
    """Raise Refused with the code of the first violated law: of all for this kind of entry, or of these."""
    for law in LAWS_OF[proposal.kind] if laws is None else laws:
        facts = law.violation(table, proposal)
        if facts is not None:
            raise Refused(law.code, **facts)


def is_kept(table: Table, proposal: Proposal) -> bool:
    """Are all laws for this kind of entry kept?"""
    return all(law.violation(table, proposal) is None for law in LAWS_OF.get(proposal.kind, ()))


# --- the game's stage -------------------------------------------------------------------------------------------------


def game_over(table: Table, _proposal: Proposal) -> Facts | None:
    return {"stage": table.stage} if table.is_over else None


def in_lobby(table: Table, _proposal: Proposal) -> Facts | None:
    return {"stage": table.stage, "expected": "running"} if table.stage == "lobby" else None


def has_started(table: Table, _proposal: Proposal) -> Facts | None:
    return {"stage": table.stage, "expected": "lobby"} if table.stage == "running" else None


# --- the seat ---------------------------------------------------------------------------------------------------------


def no_such_seat(table: Table, proposal: Proposal) -> Facts | None:
    for seat in proposal.seats:
        if seat >= table.seats:
            return {"seat": seat, "seats": table.seats}
    return None


def seat_taken(table: Table, proposal: Proposal) -> Facts | None:
    return {"seat": proposal.seat} if table.occupants[proposal.seat] is not None else None


def seat_empty(table: Table, proposal: Proposal) -> Facts | None:
    return {"seat": proposal.seat} if table.occupants[proposal.seat] is None else None


def too_many_joins(table: Table, _proposal: Proposal) -> Facts | None:
    return {"most": MOST_JOINS} if table.joins >= MOST_JOINS else None


def not_full(table: Table, _proposal: Proposal) -> Facts | None:
    empty = tuple(seat for seat, occupant in enumerate(table.occupants) if occupant is None)
    return {"empty": empty} if empty else None


def has_resigned(table: Table, proposal: Proposal) -> Facts | None:
    return {"seat": proposal.seat} if proposal.seat in table.gone else None


# --- moves and time ---------------------------------------------------------------------------------------------------


def unsigned_move(table: Table, proposal: Proposal) -> Facts | None:
    return {} if proposal.act is None and not table.created["unsigned"] else None


def wrong_form(table: Table, proposal: Proposal) -> Facts | None:
    sealed = proposal.sealed if proposal.act is None else proposal.act.sealed is not None
    return {"hidden": table.hidden} if sealed != table.hidden else None


def owes_nothing(table: Table, proposal: Proposal) -> Facts | None:
    for seat in proposal.seats:
        if not table.owes(seat):
            return {"seat": seat, "expected": table.active}
    return None


def not_due(table: Table, proposal: Proposal) -> Facts | None:
    (seat,) = proposal.seats
    due = table.deadline(seat)
    if due is None:
        return {"seat": seat, "due": None}
    return {"seat": seat, "due": canonical.instant(due)} if proposal.at < due else None


def no_clock(table: Table, _proposal: Proposal) -> Facts | None:
    return {} if table.created["clock"] is None else None


def too_much_granted(table: Table, proposal: Proposal) -> Facts | None:
    if table.created["clock"] is None or proposal.why == OUTAGE:
        return None
    most = table.created["clock"]["grants"]
    over = (seat for seat in proposal.seats if table.given[seat] + proposal.seconds > most)
    return next(({"seat": seat, "given": table.given[seat], "most": most} for seat in over), None)


def too_many_grants(table: Table, proposal: Proposal) -> Facts | None:
    return {"most": MOST_GRANTS} if proposal.why != OUTAGE and table.grants >= MOST_GRANTS else None


def nothing_lost(table: Table, proposal: Proposal) -> Facts | None:
    return {"found": proposal.size, "size": table.size} if proposal.size <= table.size else None


def one_has_resigned(table: Table, proposal: Proposal) -> Facts | None:
    return next(({"seat": seat} for seat in proposal.seats if seat in table.gone), None)


# --- the table --------------------------------------------------------------------------------------------------------

KINDS = (
    "joined", "left", "started", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted",
    "restored", "cancelled",
)  # fmt: skip
_PLAYED = ("moved", "offered", "taken", "resigned", "expired", "granted")
_SEATED = ("joined", "left", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted")

STAGE: tuple[Law, ...] = (
    Law(
        "game-over", KINDS, "chain", "Nothing follows an entry with `outcome`, or a `cancelled`.",
        "The game is over.", game_over,
    ),
    Law(
        "not-started", _PLAYED, "chain", "These come after `started`.",
        "The game has not started.", in_lobby,
    ),
    Law(
        "already-started", ("joined", "left", "started"), "chain",
        "These come before `started`, which comes once.", "The game has started.", has_started,
    ),
)  # fmt: skip

PLACE: tuple[Law, ...] = (
    Law(
        "no-such-seat", _SEATED, "chain", "Every seat named is below `created.seats`.",
        "This game has no seat {seat}.", no_such_seat,
    ),
    Law("seat-taken", ("joined",), "chain", "The seat is empty.", "Seat {seat} is taken.", seat_taken),
    Law(
        "seat-empty", ("left", "keyed"), "chain", "The seat is taken.",
        "Seat {seat} is empty.", seat_empty,
    ),
    Law(
        "too-many-joins", ("joined",), "chain", f"A game has at most {MOST_JOINS} `joined` entries.",
        "Players have joined this game {most} times, the most allowed before it starts.", too_many_joins,
    ),
    Law("not-full", ("started",), "chain", "Every seat is taken.", "Not every seat is taken.", not_full),
    Law(
        "already-resigned", ("resigned", "offered", "taken"), "chain",
        "The seat has not resigned. It resigns once, and does not change hands after that.",
        "Seat {seat} has already resigned.", has_resigned,
    ),
    Law(
        "no-handover", ("offered",), "chain",
        "A seat is offered (`open` true) only if `created.handover.by` is `offer` or `both`.",
        "Seats in this game cannot be offered: its `handover` is `{handover}`.", holders.no_handover,
    ),
    Law(
        "same-offer", ("offered",), "chain",
        "`open` is true only for a seat that is not open, or one that a device key opened, if the recovery key signs. "
        "It is false only for a seat that is open or absent.",
        "This offer would not change anything for seat {seat}.", holders.same_offer,
    ),
    Law(
        "too-many-offers", ("offered",), "chain",
        f"The device keys of one holder offer the seat at most {MOST_OFFERS} times, and the recovery keys of one "
        f"holder at most {MOST_OFFERS} times. Withdrawing an offer is not limited.",
        "You have offered this seat {most} times, the most allowed.", holders.too_many_offers,
    ),
    Law(
        "not-free", ("taken",), "chain",
        "The seat is open, or it is absent and `created.handover.by` is `absent` or `both`.",
        "Seat {seat} cannot be taken: it is neither offered, nor absent in a game that allows taking absent seats.",
        holders.not_free,
    ),
    Law(
        "offer-waits", ("taken",), "chain",
        "The seat is free by absence, or its recovery key opened or hastened the offer, or `at` is not before the `at` "
        "of the opening plus `created.handover.wait`.",
        "Seat {seat} is offered, but cannot be taken before {free_from}.", holders.offer_waits,
    ),
    Law(
        "too-many-takes", ("taken",), "chain", f"A seat is taken over at most {MOST_TAKES} times in a game.",
        "This seat has been taken over {most} times, the most allowed.", holders.too_many_takes,
    ),
    Law(
        "same-key", ("joined", "taken", "keyed"), "signatures",
        "No two keys that the act brings are the same. In a `keyed`, `add` and `recovery` are not active keys of the "
        "seat, neither device keys nor the recovery key. `only` may name active device keys, but not the recovery key.",
        "The act names the key {kid} twice, or the seat has it already.", holders.same_key,
    ),
    Law(
        "not-recovery", ("keyed",), "signatures",
        "`only` and `recovery` are signed with the seat's recovery key, `add` and `drop` with a device key.",
        "The key {kid} cannot sign this: `only` and `recovery` need the recovery key, `add` and `drop` a device key.",
        holders.not_recovery,
    ),
    Law(
        "not-a-key", ("keyed",), "signatures", "`drop` names an active device key of the seat.",
        "The key {kid} is not an active key of seat {seat}.", holders.drops_unknown,
    ),
    Law(
        "last-key", ("keyed",), "signatures", "A seat keeps at least one key.",
        "The key {kid} is the seat's last key, which cannot be dropped.", holders.drops_last,
    ),
    Law(
        "too-many-keys", ("keyed",), "signatures",
        f"The device keys of one holder add at most {MOST_KEYS} keys. Dropping a key is not limited.",
        "You have added {most} keys to this seat, the most allowed.", holders.too_many_keys,
    ),
    Law(
        "too-many-recoveries", ("keyed",), "signatures",
        f"The recovery keys of one holder sign at most {MOST_RECOVERIES} `keyed`.",
        "The recovery key has changed the keys of this seat {most} times, the most allowed.",
        holders.too_many_recoveries,
    ),
    Law(
        "unsigned-move", ("moved",), "signatures", "A move has no `jws` only if `created.unsigned` is true.",
        "This game accepts only signed moves.", unsigned_move,
    ),
    Law(
        "wrong-form", ("moved",), "signatures", "A move has `sealed` in a hidden game and `commands` in an open one.",
        "A move must be sealed in a hidden game, and only there.", wrong_form,
    ),
    Law(
        "not-active", ("moved",), "rules", "The seat owes an answer.",
        "It is not your turn.", owes_nothing,
    ),
    Law(
        "not-due", ("expired",), "rules", "`at` is not before the seat's deadline (4.4).",
        "Seat {seat} still has time to move.", not_due,
    ),
    Law(
        "no-clock", ("granted",), "rules", "The game has a clock.",
        "This game has no clock, so no time can be granted.", no_clock,
    ),
    Law(
        "seat-gone", ("granted",), "rules", "None of the seats named has resigned.",
        "Seat {seat} has resigned, so it cannot be given more time.", one_has_resigned,
    ),
    Law(
        "nothing-owed", ("granted",), "rules", "Every seat named owes an answer.",
        "Seat {seat} owes no move, so its time is not running.", owes_nothing,
    ),
    Law(
        "too-much-granted", ("granted",), "rules",
        "For each seat named, the `seconds` of all `granted` that name it, this one included, whose `why` is not "
        "`outage`, are together at most `created.clock.grants`. If `why` is `outage`, this law always holds.",
        "Seat {seat} has been given {given} s; this game allows {most} s in all.", too_much_granted,
    ),
    Law(
        "too-many-grants", ("granted",), "rules",
        f"A game has at most {MOST_GRANTS} `granted` whose `why` is not `outage`.",
        "Time has been given {most} times in this game, the most allowed.", too_many_grants,
    ),
    Law(
        "nothing-lost", ("restored",), "chain", "`size` is above the number of entries before this one.",
        "The log has the size {size}. A loss ends at a larger size, not at {found}.", nothing_lost,
    ),
)  # fmt: skip

LAWS = (*STAGE, *PLACE)
LAWS_OF: Mapping[str, tuple[Law, ...]] = {kind: tuple(law for law in LAWS if kind in law.kinds) for kind in KINDS}
STAGE_OF: Mapping[str, tuple[Law, ...]] = {kind: tuple(law for law in STAGE if kind in law.kinds) for kind in KINDS}
PLACE_OF: Mapping[str, tuple[Law, ...]] = {kind: tuple(law for law in PLACE if kind in law.kinds) for kind in KINDS}


def of_check(kind: str, check: str) -> tuple[Law, ...]:
    """The laws for this kind that an audit counts under this check."""
    return _BY_CHECK.get((kind, check), ())


_BY_CHECK = {
    (kind, name): tuple(law for law in LAWS_OF[kind] if law.check == name)
    for kind in KINDS
    for name in ("chain", "signatures", "rules")
}
