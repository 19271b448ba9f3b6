"""What a proposed entry would violate: for each precondition one function of the table and the proposal.

A function returns the facts of the refusal if the precondition does not hold, None if it does. `preconditions.py` says
which kinds of entries each is asked of.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.record.encoding import canonical
from engine.record.log.table import Table, pair
from engine.record.signed.acts import Act

MOST_JOINS = 256
MOST_KEYS = 16
MOST_OFFERS = 16
MOST_TAKES = 8

Facts = Mapping[str, Any]


class Proposal(msgspec.Struct, frozen=True):
    """An entry that wants to follow: its kind, the seats it is about, the act that it logs and the kid that signed.

    `at` is its time in seconds since 1970, for what the server alone writes; `sealed` is for an unsigned move.
    """

    kind: str
    seats: tuple[int, ...] = ()
    act: Act | None = None
    signer: str = ""
    at: int = 0
    sealed: bool = False

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
    handover = table.created["handover"]
    return {"handover": handover} if _opens(proposal) and handover not in ("offer", "both") else None


def same_offer(table: Table, proposal: Proposal) -> Facts | None:
    if proposal.act is None:
        return None
    is_open = table.is_open(proposal.seat)
    idle = is_open if _opens(proposal) else not (is_open or table.is_absent(proposal.seat))
    return {"seat": proposal.seat, "open": is_open} if idle else None


def too_many_offers(table: Table, proposal: Proposal) -> Facts | None:
    return {"most": MOST_OFFERS} if _opens(proposal) and table.offers[proposal.seat] >= MOST_OFFERS else None


def not_free(table: Table, proposal: Proposal) -> Facts | None:
    if table.is_free(proposal.seat):
        return None
    return {"seat": proposal.seat, "handover": table.created["handover"], "absent": table.is_absent(proposal.seat)}


def too_many_takes(table: Table, proposal: Proposal) -> Facts | None:
    return {"most": MOST_TAKES} if table.takes[proposal.seat] >= MOST_TAKES else None


# --- keys -------------------------------------------------------------------------------------------------------------


def key_taken(table: Table, proposal: Proposal) -> Facts | None:
    kids = [pair(key)[0] for key in proposal.act.coming] if proposal.act else []
    known = (kid for number, kid in enumerate(kids) if kid in kids[:number] or table.holder(kid) is not None)
    return next(({"kid": kid} for kid in known), None)


def not_recovery(table: Table, proposal: Proposal) -> Facts | None:
    occupant = table.occupants[proposal.seat]
    replaces = proposal.act is not None and proposal.act.recovery is not None
    return {"kid": proposal.signer} if replaces and not (occupant and occupant.recovers(proposal.signer)) else None


def drops_recovery(table: Table, proposal: Proposal) -> Facts | None:
    occupant, kid = table.occupants[proposal.seat], _dropped(proposal)
    return {"kid": kid} if kid and occupant and occupant.recovers(kid) else None


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
    if occupant is None or _dropped(proposal):
        return None
    count = occupant.restored if occupant.recovers(proposal.signer) else occupant.added
    return {"most": MOST_KEYS} if count >= MOST_KEYS else None


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


def one_has_resigned(table: Table, proposal: Proposal) -> Facts | None:
    return next(({"seat": seat} for seat in proposal.seats if seat in table.gone), None)
