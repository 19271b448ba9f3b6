"""Violations of the laws about a seat's holder: how the seat changes hands, and the keys that it has.

The laws themselves are the table in `preconditions.py`. A function may be asked about any entry of the kinds that its
law names, also in the log of a dishonest server.
"""

from __future__ import annotations

from engine.record.encoding import canonical
from engine.record.laws.proposal import (
    MOST_KEYS,
    MOST_OFFERS,
    MOST_RECOVERIES,
    MOST_TAKES,
    Facts,
    Proposal,
)
from engine.record.log.table import Table, pair

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
    """Does the seat already have this key, which a `key` act brings? `only` may name device keys of the seat."""
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
