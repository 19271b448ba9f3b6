"""The seat that a client may sign for, the seats that may be taken, and the reasons for losing one.

A listed key shows whom a seat trusts, not whose key it is: anyone can list another player's key at their own seat. So
our seat is the one for which our key has signed, or the one that the user or the account names if it lists the key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from client.errors import NotSignedError, SeatGoneError
from client.log import CheckedLog
from engine.record.encoding import canonical
from engine.record.log.entry import Entry
from engine.record.log.table import Occupant, Table
from engine.record.signed import acts, keys

Named = Callable[[], int | None]
Reserved = Callable[[], Mapping[int, bool]]  # by seat that the server reserves: is it for us?


def played_by(log: CheckedLog, kid: str, named: Named) -> int | None:
    """The seat that this device key signs for; `named` returns the seat that the user or the account names."""
    listing = {seat: one.since for seat, one in _occupants(log.table) if one.public(kid) is not None}
    return _proven(log.entries, [kid], listing, named)


def recovered_by(log: CheckedLog, recovery: str, kid: str, named: Named) -> int | None:
    """The seat of this recovery key, which the recovery key or our device key `kid` has signed for, or is named."""
    listing = {seat: one.since for seat, one in _occupants(log.table) if one.recovers(recovery)}
    return _proven(log.entries, [recovery, kid], listing, named)


def _proven(entries: Sequence[Entry], kids: Iterable[str], listing: Mapping[int, int], named: Named) -> int | None:
    """The seat, of those that list the key, that a key has signed for since its holder came, or the named one.

    `listing` has the entry that brought the holder, by seat. None if both fail or are ambiguous.
    """
    if not listing:
        return None
    for kid in kids:
        signed = signed_for(entries, kid)
        proven = [seat for seat, since in listing.items() if signed.get(seat, -1) >= since]
        if len(proven) == 1:
            return proven[0]
        if proven:
            break
    seat = named()
    return seat if seat in listing else None


def signed_for(entries: Sequence[Entry], kid: str) -> dict[int, int]:
    """The seats for which this key has signed, each with the last entry that it signed."""
    signed = (entry for entry in entries if isinstance(entry.body.get("jws"), str))
    return {one.body["seat"]: one.seq for one in signed if _signer(one.body["jws"].partition(".")[0]) == kid}


@cache
def _signer(header: str) -> str:
    """The key id in the header of a checked JWS; a key's headers are all alike."""
    return str(json.loads(canonical.from_base64url(header))["kid"])


def _occupants(table: Table) -> Iterable[tuple[int, Occupant]]:
    return ((seat, one) for seat, one in enumerate(table.occupants) if one is not None)


def gone(log: CheckedLog, kid: str) -> SeatGoneError | None:
    """The reason why the key has lost its seat, the one for which it has signed or that listed it.

    None if the seat still lists the key, if the key left it, and if there never was one.
    """
    seats = set(signed_for(log.entries, kid)) or {seat for seat, kids in enumerate(log.table.listed) if kid in kids}
    if not seats or any(one.lists(kid) for seat, one in _occupants(log.table) if seat in seats):
        return None
    came = max(entry.seq for entry in log.entries if _brings(entry, kid, seats))
    seat = int(log.entries[came].body["seat"])
    for entry in log.entries[came + 1 :]:
        if entry.kind == "taken" and entry.body["seat"] == seat:
            says = f"seat {seat + 1} was taken over with entry {entry.seq} ({entry.at}): our key no longer plays it"
            return SeatGoneError("seat-taken-over", seat, entry.seq, says)
        if entry.kind == "keyed" and entry.body["seat"] == seat and _drops(entry, kid):
            says = f"our key was dropped from seat {seat + 1} by entry {entry.seq}"
            return SeatGoneError("dropped-key", seat, entry.seq, says)
    return None  # left before the start


def empty(table: Table, wanted: int | None, reserved: Reserved) -> int:
    """The seat to join: the requested one, else a free one that is reserved for us, else for nobody."""
    free = [seat for seat, occupant in enumerate(table.occupants) if occupant is None]
    return _first(free, wanted, reserved, "game-full", "every seat is taken")


def free(table: Table, wanted: int | None, reserved: Reserved, now: float) -> int:
    """The same for the seat to take over, which may be taken now (seconds since 1970)."""
    waits = {seat: since for seat in range(table.seats) if (since := table.free_from(seat)) is not None}
    found = [seat for seat, since in waits.items() if since <= now]
    if wanted is None and waits and not found:
        seat = min(waits, key=waits.__getitem__)
        says = f"seat {seat + 1} can be taken from {canonical.instant(waits[seat])} on"
        raise NotSignedError("offer-waits", says)
    return _first(found, wanted, reserved, "not-free", "no seat is offered or absent")


def _first(found: Sequence[int], wanted: int | None, reserved: Reserved, code: str, says: str) -> int:
    if wanted is not None:
        return wanted
    if not found:
        raise NotSignedError(code, says)
    is_ours = reserved()
    left = [seat for seat in found if is_ours.get(seat, True)]
    if not left:
        raise NotSignedError("seat-kept", "every free seat is reserved for another player")
    return min(left, key=lambda seat: seat not in is_ours)


def _brings(entry: Entry, kid: str, seats: Iterable[int]) -> bool:
    """Does the entry make this key a key of one of these seats?"""
    if entry.kind not in ("joined", "keyed", "taken") or entry.body["seat"] not in seats:
        return False
    act = acts.read_act(keys.read_jws(entry.body["jws"]))
    return kid in {keys.thumbprint(keys.parse_jwk(key)) for key in act.coming}


def _drops(entry: Entry, kid: str) -> bool:
    """Does this key act drop the key? `only` drops every device key that it does not name, `recovery` its signer."""
    signed = keys.read_jws(entry.body["jws"])
    act = acts.read_act(signed)
    if signed.kid == kid:
        return act.drop == kid or act.recovery is not None
    named = {keys.thumbprint(keys.parse_jwk(key)) for key in act.only or ()}
    return act.drop == kid or (act.only is not None and kid not in named)
