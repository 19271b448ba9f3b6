"""What each kind of entry changes at a table: facts, taken over as they stand. Whether it may follow `order` says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.chance import entropy
from engine.kit import active
from engine.record import acts, base64url, clock, door, seats
from engine.record.clock import Moment
from engine.record.door import Signed
from engine.record.entry import Entry

if TYPE_CHECKING:
    from engine.record.table import Table


def noted(table: Table, entry: Entry, signed: Signed | None = None) -> Table:
    """The table with what an entry says by its kind; what its events did is `played`. `signed`: its act, if read."""
    by_kind = NOTED.get(entry.kind)
    return table if by_kind is None else by_kind(table, entry, signed)


def entropy_of(table: Table) -> bytes:
    """E: fixed when the game starts by who sits there then; bots bring nothing."""
    if table.entropy:
        return table.entropy
    seated = (o for o in table.occupants if o is not None and not o.bot)
    return entropy(table.created_hash, ((base64url.decode(o.kid, 32), o.nonce or b"") for o in seated))


# --- by kind ----------------------------------------------------------------------------------------------------------


def _signed(entry: Entry, signed: Signed | None) -> Signed:
    return signed or door.read_signed(entry.body["jws"])


def _seated(table: Table, seat: int, occupant: seats.Occupant | None) -> Table:
    return replace(table, occupants=_put(table.occupants, seat, occupant))


def _joined(table: Table, entry: Entry, signed: Signed | None) -> Table:
    act = _signed(entry, signed).act
    return replace(_held(table, entry, act), joins=table.joins + 1)


def _held(table: Table, entry: Entry, act: acts.Act) -> Table:
    """The seat in new hands, with the keys that come with them and none of those before."""
    seat = entry.body["seat"]
    return _brought(_seated(table, seat, seats.seated(act, entry.seq)), seat, act)


def _brought(table: Table, seat: int, act: acts.Act) -> Table:
    """The keys of the act belong to this seat from now on, whatever becomes of them."""
    kids = table.held[seat].union(seats.pair(key)[0] for key in act.coming)
    return replace(table, held=_put(table.held, seat, kids))


def _put(by_seat: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])


def _left(table: Table, entry: Entry, _signed: Signed | None) -> Table:
    """Keys that left with their seat may come again."""
    seat: int = entry.body["seat"]
    occupant = table.occupants[seat]
    leave = seats.Leave(entry.seq, seat, occupant.kid if occupant else "", removed=entry.body["jws"] is None)
    table = _seated(table, seat, None)
    return replace(table, left=(*table.left, leave), held=_put(table.held, seat, frozenset()))


def _keyed(table: Table, entry: Entry, signed: Signed | None) -> Table:
    signed, seat = _signed(entry, signed), entry.body["seat"]
    occupant = table.occupants[seat]
    assert occupant is not None
    act = signed.act
    table = _brought(_seated(table, seat, seats.rekeyed(occupant, act, signed.jws.kid)), seat, act)
    return _there(table, entry)


def _there(table: Table, entry: Entry) -> Table:
    """The seat has signed something, so it is not absent."""
    seat, rules = entry.body["seat"], table.created["clock"]
    return replace(table, times=_put(table.times, seat, clock.signed(table.times[seat], rules, _now(entry))))


def _now(entry: Entry) -> Moment:
    return Moment(entry.seq, entry.time, entry.kind, entry.body.get("seat"))


def _offered(table: Table, entry: Entry, signed: Signed | None) -> Table:
    seat, is_open = entry.body["seat"], bool(_signed(entry, signed).act.open)
    occupant = table.occupants[seat]
    assert occupant is not None
    table = _there(_seated(table, seat, replace(occupant, open=is_open)), entry)
    return replace(table, offers=_put(table.offers, seat, table.offers[seat] + is_open))


def _taken(table: Table, entry: Entry, signed: Signed | None) -> Table:
    seat, rules = entry.body["seat"], table.created["clock"]
    time = clock.taken(table.times[seat], rules, _now(entry), was_open=table.is_open(seat))
    table = _held(table, entry, _signed(entry, signed).act)
    return replace(table, times=_put(table.times, seat, time), takes=_put(table.takes, seat, table.takes[seat] + 1))


def _granted(table: Table, entry: Entry, _signed: Signed | None) -> Table:
    return replace(table, times=clock.granted(table.times, entry.body["seats"], entry.body["seconds"]))


def _started(table: Table, _entry: Entry, _signed: Signed | None) -> Table:
    return replace(table, stage="running", entropy=entropy_of(table))


def _resigned(table: Table, entry: Entry, _signed: Signed | None) -> Table:
    """Whoever has resigned offers nothing any more."""
    seat = entry.body["seat"]
    occupant = table.occupants[seat]
    closed = occupant if occupant is None else replace(occupant, open=False)
    return replace(_seated(table, seat, closed), gone=(*table.gone, seat))


def _cancelled(table: Table, entry: Entry, _signed: Signed | None) -> Table:
    return replace(table, stage="cancelled", secret=_secret(entry), questions=(None,) * table.seats)


# Of `moved` and `expired` only the events say anything.
NOTED: Mapping[str, Callable[[Table, Entry, Signed | None], Table]] = {
    "joined": _joined,
    "left": _left,
    "keyed": _keyed,
    "offered": _offered,
    "taken": _taken,
    "granted": _granted,
    "started": _started,
    "resigned": _resigned,
    "cancelled": _cancelled,
}


def _secret(entry: Entry) -> bytes | None:
    text = entry.body["secret"]
    return None if text is None else base64url.decode(text, 32)


def played(table: Table, entry: Entry, state: Any, hidden_next: int) -> dict[str, Any]:
    """What an entry with events changes: state, draws, the end, and whose answer is due since when."""
    body, did = entry.body, {"state": state, "hidden_draw": hidden_next}
    if "draws" in body:
        draws = body["draws"]
        did |= {"draw": draws["first"] + len(draws["got"]), "shown": base64url.decode(draws["key"], 32)}
    if "outcome" in body:
        did |= {"stage": "finished", "outcome": body["outcome"], "secret": _secret(entry)}
    owing = () if "outcome" in body else _owing(table, state)
    did["questions"] = _questions(table, entry, range(table.seats) if owing is None else owing)
    did["times"] = clock.played(table.times, table.created["clock"], _now(entry), owing)
    return did


def _owing(table: Table, state: Any) -> Collection[int] | None:
    """Who owes something. Without a state nobody knows: then everybody, since his own last act at the earliest."""
    return None if state is None else active(table.game, state)


def _questions(table: Table, entry: Entry, owing: Collection[int]) -> tuple[seats.Question | None, ...]:
    now = seats.Question(entry.seq, entry.at)
    author = entry.body["seat"] if entry.kind in ("moved", "expired") else None
    return tuple(
        [
            None if seat not in owing else now if old is None or seat == author else old
            for seat, old in enumerate(table.questions)
        ]
    )
