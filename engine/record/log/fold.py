"""The fold over a log: the table of entry 0, and the next table from a table and the next entry.

Facts are taken as they are and nothing is checked, which is how a server loads its own store. `laws` decides whether an
entry may follow; `judge` checks everything that can be checked before it applies the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec.structs import replace

from engine import registry
from engine.chance import entropy
from engine.errors import BadRecord, NewerRecord, Refused
from engine.game import Game, fold
from engine.kit import active
from engine.record.encoding import canonical
from engine.record.log import clock
from engine.record.log import table as log_table
from engine.record.log.clock import Moment
from engine.record.log.entry import OUTAGE, Entry
from engine.record.log.options import FILE, data_hash, load_options
from engine.record.log.table import Table
from engine.record.signed import acts
from engine.record.signed.acts import SignedAct


def open_table(entry: Entry, data: Mapping[str, bytes] | None = None) -> Table:
    """The table of entry 0; `data` are the files that `rules.data` names, by name.

    NewerRecord if this engine does not know the game or its rules version; BadRecord if its options do not fit.
    """
    body, count = entry.body, entry.body["seats"]
    game = _find(body["rules"])
    _check_data(body["rules"]["data"] or {}, data or {})
    return Table(
        created=body,
        created_hash=entry.hash,
        hidden=body["hidden"],
        game=game,
        options=load_options(game, body["options"], (data or {}).get(FILE)),
        size=1,
        head=entry.hash,
        at=entry.at,
        shown=canonical.from_base64url(body["chance"]["chain"], 32),
        occupants=(None,) * count,
        questions=(None,) * count,
        times=clock.opened(body["clock"], count),
        listed=(frozenset(),) * count,
        takes=(0,) * count,
        given=(0,) * count,
        data=data or {},
    )


def apply_entry(
    table: Table, entry: Entry, opening: Mapping[str, Any] | None = None, hidden_next: int | None = None
) -> Table:
    """The table with this entry, whose events are folded into the state: for a server's own store.

    `opening` is {"seq", "move", "events"}, the full events and the move's text in a hidden game. `hidden_next` is
    the number of the next hidden draw, for a server that will go on drawing. `judge.follow` checks first.
    """
    events = opening["events"] if opening is not None else None if table.hidden else entry.body.get("events")
    state = None if events is None else fold(table.load_events(events), table.state)
    return apply_known(table, entry, state, hidden_next)


def apply_known(
    table: Table, entry: Entry, state: Any = None, hidden_next: int | None = None, signed: SignedAct | None = None
) -> Table:
    """The table with an entry whose state is known: only its facts are taken. `signed` is its act, if read already."""
    by_kind = _BY_KIND.get(entry.kind)
    after = table if by_kind is None else by_kind(table, entry, signed)
    did: dict[str, Any] = {"size": table.size + 1, "head": entry.hash, "at": entry.at}
    if "events" in entry.body:
        did |= _played(after, entry, state, hidden_next or table.hidden_draw)
    return replace(after, **did)


def present(table: Table, entry: Entry) -> Table:
    """The seat has signed something, so it is not absent."""
    seat, rules = entry.body["seat"], table.created["clock"]
    return replace(table, times=_put(table.times, seat, clock.signed(table.times[seat], rules, _now(entry))))


def entropy_of(table: Table) -> bytes:
    """E: fixed when the game starts, by the players seated then; bots contribute nothing."""
    if table.entropy:
        return table.entropy
    seated = (o for o in table.occupants if o is not None and not o.bot)
    return entropy(table.created_hash, ((canonical.from_base64url(o.kid, 32), o.nonce or b"") for o in seated))


def _find(rules: Mapping[str, Any]) -> Game[Any]:
    try:
        game = registry.find(rules["game"])
    except Refused as no:
        is_out = no.code == "game-out"
        says = "the rules of {} cannot be loaded here" if is_out else "this auditor does not know the game {}"
        raise NewerRecord(no.code, says.format(rules["game"]), 0) from None
    first, current = game.meta.rules
    if rules["version"] > current:
        raise NewerRecord("newer-rules", f"rules version {rules['version']} is newer than this auditor's {current}", 0)
    if rules["version"] < first:
        raise NewerRecord(
            "retired-rules",
            f"rules version {rules['version']} is older than {first}, the oldest that this auditor has",
            0,
        )
    return game


def _check_data(named: Mapping[str, str], given: Mapping[str, bytes]) -> None:
    if set(named) - {FILE}:
        raise BadRecord("unknown-data", f"a game can have only one data file, {FILE}", 0)
    if set(given) != set(named):
        raise BadRecord("wrong-data", "the data files are not the ones that entry 0 names", 0)
    for name, data in given.items():
        if data_hash(data) != named[name]:
            raise BadRecord("wrong-data", f"the hash of {name} is not the one in entry 0", 0)


# --- by kind ----------------------------------------------------------------------------------------------------------


def _signed(entry: Entry, signed: SignedAct | None) -> SignedAct:
    return signed or acts.read_signed(entry.body["jws"])


def _seated(table: Table, seat: int, occupant: log_table.Occupant | None) -> Table:
    return replace(table, occupants=_put(table.occupants, seat, occupant))


def _joined(table: Table, entry: Entry, signed: SignedAct | None) -> Table:
    act = _signed(entry, signed).act
    return replace(_held(table, entry, act), joins=table.joins + 1)


def _held(table: Table, entry: Entry, act: acts.Act) -> Table:
    """The seat with a new holder and their keys; the keys before them are gone."""
    seat = entry.body["seat"]
    return _brought(_seated(table, seat, log_table.seated(act, entry.seq)), seat, act)


def _brought(table: Table, seat: int, act: acts.Act) -> Table:
    """The keys of the act belong to this seat from now on, even after they are dropped."""
    kids = table.listed[seat].union(log_table.pair(key)[0] for key in act.coming)
    return replace(table, listed=_put(table.listed, seat, kids))


def _put(by_seat: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])


def _left(table: Table, entry: Entry, _signed: SignedAct | None) -> Table:
    seat: int = entry.body["seat"]
    occupant = table.occupants[seat]
    leave = log_table.Leave(entry.seq, seat, occupant.kid if occupant else "", removed=entry.body["jws"] is None)
    table = _seated(table, seat, None)
    return replace(table, left=(*table.left, leave), listed=_put(table.listed, seat, frozenset()))


def _keyed(table: Table, entry: Entry, signed: SignedAct | None) -> Table:
    signed, seat = _signed(entry, signed), entry.body["seat"]
    occupant = table.occupants[seat]
    assert occupant is not None
    act = signed.act
    table = _brought(_seated(table, seat, log_table.rekeyed(occupant, act)), seat, act)
    return present(table, entry)


def _now(entry: Entry) -> Moment:
    return Moment(entry.seq, entry.time, entry.kind, entry.body.get("seat"))


def _offered(table: Table, entry: Entry, signed: SignedAct | None) -> Table:
    signed, seat = _signed(entry, signed), entry.body["seat"]
    occupant = table.occupants[seat]
    assert occupant is not None
    after = log_table.offered(occupant, signed.act, signed.jws.kid, entry.time)
    return present(_seated(table, seat, after), entry)


def _taken(table: Table, entry: Entry, signed: SignedAct | None) -> Table:
    seat, rules = entry.body["seat"], table.created["clock"]
    since = table.offered_from(seat)
    by_offer = since is not None and since <= entry.time
    time = clock.taken(table.times[seat], rules, _now(entry), by_offer=by_offer)
    table = _held(table, entry, _signed(entry, signed).act)
    return replace(table, times=_put(table.times, seat, time), takes=_put(table.takes, seat, table.takes[seat] + 1))


def _granted(table: Table, entry: Entry, _signed: SignedAct | None) -> Table:
    seats, seconds = entry.body["seats"], entry.body["seconds"]
    times = clock.granted(table.times, seats, seconds)
    if entry.body["why"] == OUTAGE:
        return replace(table, times=times)
    given = tuple(before + seconds * (seat in seats) for seat, before in enumerate(table.given))
    return replace(table, times=times, given=given, grants=table.grants + 1)


def _restored(table: Table, entry: Entry, _signed: SignedAct | None) -> Table:
    loss = log_table.Loss(entry.seq, entry.body["size"], canonical.from_base64url(entry.body["hash"], 32))
    return replace(table, lost=(*table.lost, loss))


def _started(table: Table, _entry: Entry, _signed: SignedAct | None) -> Table:
    return replace(table, stage=table.stage if table.is_over else "running", entropy=entropy_of(table))


def _resigned(table: Table, entry: Entry, _signed: SignedAct | None) -> Table:
    """A seat that has resigned is no longer offered."""
    seat = entry.body["seat"]
    occupant = table.occupants[seat]
    closed = occupant if occupant is None else replace(occupant, offer=None)
    return replace(_seated(table, seat, closed), gone=(*table.gone, seat))


def _cancelled(table: Table, entry: Entry, _signed: SignedAct | None) -> Table:
    return replace(table, stage="cancelled", secret=_secret(entry), questions=(None,) * table.seats)


# For `moved` and `expired` only the events count.
_BY_KIND: Mapping[str, Callable[[Table, Entry, SignedAct | None], Table]] = {
    "joined": _joined,
    "left": _left,
    "keyed": _keyed,
    "offered": _offered,
    "taken": _taken,
    "granted": _granted,
    "started": _started,
    "resigned": _resigned,
    "restored": _restored,
    "cancelled": _cancelled,
}


def _secret(entry: Entry) -> bytes | None:
    text = entry.body["secret"]
    return None if text is None else canonical.from_base64url(text, 32)


def _played(table: Table, entry: Entry, state: Any, hidden_next: int) -> dict[str, Any]:
    """Apply an entry with events: state, draws, the end, and who owes an answer since when."""
    body, did = entry.body, {"state": state, "hidden_draw": hidden_next}
    if "draws" in body:
        draws = body["draws"]
        did |= {"draw": draws["first"] + len(draws["got"]), "shown": canonical.from_base64url(draws["key"], 32)}
    if "outcome" in body:
        stage = "cancelled" if table.stage == "cancelled" else "finished"
        did |= {"stage": stage, "outcome": body["outcome"], "secret": _secret(entry)}
    owing = () if "outcome" in body else _owing(table, state)
    did["questions"] = _questions(table, entry, range(table.seats) if owing is None else owing)
    did["times"] = clock.played(table.times, table.created["clock"], _now(entry), owing)
    return did


def _owing(table: Table, state: Any) -> Collection[int] | None:
    """The seats that owe an answer; None without a state: then any seat may, since its own last act at the earliest."""
    return None if state is None else active(table.game, state)


def _questions(table: Table, entry: Entry, owing: Collection[int]) -> tuple[log_table.Question | None, ...]:
    now = log_table.Question(entry.seq, entry.at)
    author = entry.body["seat"] if entry.kind in ("moved", "expired") else None
    return tuple(
        [
            None if seat not in owing else now if old is None or seat == author else old
            for seat, old in enumerate(table.questions)
        ]
    )
