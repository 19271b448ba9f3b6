"""The seat of a key according to the log, the seats that may be taken, and the reasons for losing one."""

from __future__ import annotations

from collections.abc import Iterable

from client.errors import NotSignedError, SeatGoneError
from client.log import CheckedLog
from engine.record.log.entry import Entry
from engine.record.log.table import Table
from engine.record.signed import acts, keys


def played_by(table: Table, kid: str) -> int | None:
    """The seat that this key signs for."""
    seated = enumerate(table.occupants)
    return next((seat for seat, occupant in seated if occupant and occupant.public(kid) is not None), None)


def recovered_by(table: Table, kid: str) -> int | None:
    """The seat of this recovery key."""
    seated = enumerate(table.occupants)
    return next((seat for seat, occupant in seated if occupant and occupant.recovers(kid)), None)


def own(log: CheckedLog, kid: str, *, may_recover: bool = False) -> int:
    """The seat that this key may sign for now; SeatGoneError if it lost its seat, NotSignedError if it never had
    one.
    """
    seat = played_by(log.table, kid)
    if seat is None and may_recover:
        seat = recovered_by(log.table, kid)
    if seat is not None:
        return seat
    raise gone(log, kid) or NotSignedError("no-seat", "this key holds no seat of this game")


def gone(log: CheckedLog, kid: str) -> SeatGoneError | None:
    """The reason why the key has lost its seat; None if it plays one or never has."""
    seat = log.table.holder(kid)
    if seat is None or played_by(log.table, kid) is not None or recovered_by(log.table, kid) is not None:
        return None
    came = max(entry.seq for entry in log.entries if kid in _brought(entry))
    taken = next((e for e in log.entries[came + 1 :] if e.kind == "taken" and e.body["seat"] == seat), None)
    if taken is not None:
        says = f"seat {seat + 1} was taken over with entry {taken.seq} ({taken.at}): our key no longer plays it"
        return SeatGoneError("seat-taken-over", seat, taken.seq, says)
    last = next(entry.seq for entry in reversed(log.entries) if _drops(entry, kid))
    return SeatGoneError("dropped-key", seat, last, f"our key was dropped from seat {seat + 1} by entry {last}")


def empty(table: Table, wanted: int | None) -> int:
    """The seat to join: the requested one, or the first free one."""
    free = (seat for seat, occupant in enumerate(table.occupants) if occupant is None)
    return _first(free, wanted, "game-full", "every seat is taken")


def free(table: Table, wanted: int | None) -> int:
    """The seat to take over: the requested one, or the first that is offered or absent."""
    found = (seat for seat in range(table.seats) if table.is_free(seat))
    return _first(found, wanted, "not-free", "no seat is offered or absent")


def _first(found: Iterable[int], wanted: int | None, code: str, says: str) -> int:
    seat = next(iter(found), None) if wanted is None else wanted
    if seat is None:
        raise NotSignedError(code, says)
    return seat


def _brought(entry: Entry) -> set[str]:
    """The ids of the keys that an entry brings into the game."""
    if entry.kind not in ("joined", "keyed", "taken"):
        return set()
    act = acts.read_act(keys.read_jws(entry.body["jws"]))
    return {keys.thumbprint(keys.parse_jwk(key)) for key in act.coming}


def _drops(entry: Entry, kid: str) -> bool:
    """A recovery key is dropped when it is replaced by another."""
    if entry.kind != "keyed":
        return False
    signed = keys.read_jws(entry.body["jws"])
    act = acts.read_act(signed)
    return act.drop == kid or (act.recovery is not None and signed.kid == kid)
