"""What violates a law: one function a law, which returns the facts of a refusal, or None if the law is kept.

The laws themselves are the table in `preconditions.py`. A function may be asked about any entry of the kinds that its
law names, also in the log of a dishonest server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.record.encoding import canonical
from engine.record.log.entry import OUTAGE
from engine.record.log.table import Table, pair
from engine.record.signed.acts import Act

MOST_JOINS = 256
MOST_KEYS = 16
MOST_OFFERS = 16
MOST_TAKES = 8
MOST_RECOVERIES = 16
MOST_GRANTS = 64

Facts = Mapping[str, Any]


class Proposal(msgspec.Struct, frozen=True):
    """An entry that wants to follow: its kind, the seats it is about, the act that it logs and the kid that signed.

    `at` is its time in seconds since 1970; `sealed` is for an unsigned move, `seconds` and `why` are for time that is
    granted, `size` is for a log that was lost.
    """

    kind: str
    seats: tuple[int, ...] = ()
    act: Act | None = None
    signer: str = ""
    at: int = 0
    sealed: bool = False
    seconds: int = 0
    why: str = ""
    size: int = 0

    @property
    def seat(self) -> int:
        return self.seats[0]


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


# --- handing a seat over ----------------------------------------------------------------------------------------------


def _opens(proposal: Proposal) -> bool:
    return proposal.act is not None and proposal.act.open is True


def no_handover(table: Table, proposal: Proposal) -> Facts | None:
    handover = table.created["handover"]["by"]
    return {"handover": handover} if _opens(proposal) and handover not in ("offer", "both") else None


def same_offer(table: Table, proposal: Proposal) -> Facts | None:
    occupant = table.occupants[proposal.seat]
    if proposal.act is None or proposal.act.act != "offer" or occupant is None:
        return None
    is_open = occupant.offer is not None
    if _opens(proposal):
        hastens = occupant.offer is not None and not occupant.offer.hastened and occupant.recovers(proposal.signer)
        changes = not is_open or hastens
    else:
        changes = is_open or table.is_absent(proposal.seat)
    return None if changes else {"seat": proposal.seat, "open": is_open}


def too_many_offers(table: Table, proposal: Proposal) -> Facts | None:
    occupant = table.occupants[proposal.seat]
    if occupant is None or not _opens(proposal):
        return None
    return {"most": MOST_OFFERS} if occupant.offers[occupant.recovers(proposal.signer)] >= MOST_OFFERS else None


def not_free(table: Table, proposal: Proposal) -> Facts | None:
    if table.free_from(proposal.seat) is not None:
        return None
    by, absent = table.created["handover"]["by"], table.is_absent(proposal.seat)
    return {"seat": proposal.seat, "handover": by, "absent": absent}


def offer_waits(table: Table, proposal: Proposal) -> Facts | None:
    free = table.free_from(proposal.seat)
    if free is None or free <= proposal.at:
        return None
    return {"seat": proposal.seat, "free_from": canonical.instant(free)}


def too_many_takes(table: Table, proposal: Proposal) -> Facts | None:
    return {"most": MOST_TAKES} if table.takes[proposal.seat] >= MOST_TAKES else None


# --- keys -------------------------------------------------------------------------------------------------------------


def same_key(table: Table, proposal: Proposal) -> Facts | None:
    if proposal.act is None:
        return None
    kids = [pair(key)[0] for key in proposal.act.coming]
    twice = (kid for number, kid in enumerate(kids) if kid in kids[:number] or _is_there(table, proposal, kid))
    return next(({"kid": kid} for kid in twice), None)


def _is_there(table: Table, proposal: Proposal, kid: str) -> bool:
    """Is a key that a `key` act brings at the seat already? `only` may name device keys that are."""
    occupant = table.occupants[proposal.seat]
    if proposal.kind != "keyed" or proposal.act is None or occupant is None:
        return False
    named = [pair(key)[0] for key in proposal.act.only or ()]
    return occupant.recovers(kid) if kid in named else occupant.lists(kid)


def not_recovery(table: Table, proposal: Proposal) -> Facts | None:
    occupant = table.occupants[proposal.seat]
    if proposal.act is None or occupant is None or proposal.act.replaces == occupant.recovers(proposal.signer):
        return None
    return {"kid": proposal.signer}


def drops_unknown(table: Table, proposal: Proposal) -> Facts | None:
    occupant, kid = table.occupants[proposal.seat], _dropped(proposal)
    return {"kid": kid, "seat": proposal.seat} if kid and not (occupant and occupant.public(kid)) else None


def drops_last(table: Table, proposal: Proposal) -> Facts | None:
    occupant, kid = table.occupants[proposal.seat], _dropped(proposal)
    return {"kid": kid} if kid and occupant and len(occupant.keys) == 1 else None


def _dropped(proposal: Proposal) -> str | None:
    return proposal.act.drop if proposal.act else None


def too_many_keys(table: Table, proposal: Proposal) -> Facts | None:
    occupant = table.occupants[proposal.seat]
    adds = proposal.act is not None and proposal.act.add is not None
    return {"most": MOST_KEYS} if adds and occupant and occupant.added >= MOST_KEYS else None


def too_many_recoveries(table: Table, proposal: Proposal) -> Facts | None:
    occupant = table.occupants[proposal.seat]
    if occupant is None or not occupant.recovers(proposal.signer):
        return None
    return {"most": MOST_RECOVERIES} if occupant.recoveries >= MOST_RECOVERIES else None


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
    due = table.deadline(proposal.seat)
    if due is None:
        return {"seat": proposal.seat, "due": None}
    return {"seat": proposal.seat, "due": canonical.instant(due)} if proposal.at < due else None


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
