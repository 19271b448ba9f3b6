"""The log in sentences, newest entry first, a page at a time.

Each entry has a headline. The headline of a move says what its player did, the other sentences follow below it.
The public reads the lines of the log, which in a hidden game hold only public events. The openings are read for the
holder of a seat, who sees what that seat may know, and for everyone once the game is finished.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from engine.kit import count, redact, tell, tell_move
from engine.record.encoding import canonical
from engine.record.signed import acts, keys
from server.kernel import text
from server.kernel.db.models import Entry, EntryPrivate
from server.kernel.services import Services
from server.kernel.text import clean
from server.play.read import EntryEvents, PastHolder, Perspective, names_at, past_holders

A_PAGE = 60


class LoggedEntry(msgspec.Struct):
    """The members of an entry that the sentences need."""

    seq: int
    kind: str
    at: str
    seat: int | None = None
    seats: int | tuple[int, ...] = ()  # their number in entry 0; which seats in a grant of time
    seconds: int = 0
    jws: str | None = None
    reason: str | None = None
    why: str | None = None
    size: int = 0
    events: list[Mapping[str, Any]] = []
    outcome: Mapping[str, Any] | None = None


# The headline of an entry. `{player}` is the seat's holder at that time, `{before}` the holder before them.
WORDS: Mapping[str, str] = {
    "created": "The table was opened, and the server committed to every draw.",
    "joined": "{player} joined.",
    "left": "{before} left.",
    "removed": "The host removed {before}.",
    "started": "All seats are taken: the game started.",
    "moved": "{player} moved.",
    "keyed": "{player} changed the keys of the seat.",
    "opened": "{player} offered the seat to others.",
    "closed": "{player} is back and keeps the seat.",
    "offer": "{player} took the seat that {before} had offered.",
    "absence": "{player} took the seat of {before}, who was absent.",
    "granted": "{all} got {time} more ({why}).",
    "restored": "The server lost {lost} here, and the game continued without them.",
    "resigned": "{player} resigned.",
    "expired": "Time ran out: the server played a default move for {player}.",
    "cancelled": "The game was cancelled ({reason}).",
}


# Why a game was cancelled; any other value is shown as it is.
CANCELLED: Mapping[str, str] = {
    "creator": "by its host",
    "unstarted": "it did not start in time",
    "agreed": "its players agreed",
}
# Why time was granted; any other value is shown as it is.
WHY: Mapping[str, str] = {"host": "from the host", "outage": "the server was out of service"}


def entries_before(services: Services, at: Perspective, names: tuple[str, ...], before: int | None) -> dict[str, Any]:
    """Entries before number `before` (None: the newest), newest first; `earlier` is the next `before`, or None."""
    end = at.table.size if before is None else max(0, min(before, at.table.size))
    where = (Entry.game_id == at.game.id, Entry.seq < end)
    with services.database.read() as session:
        rows = session.execute(_entries_query(at).where(*where).order_by(Entry.seq.desc()).limit(A_PAGE)).all()
        lines = [_line(row.line, row.opening) for row in rows]
        people = NamesOverTime(names, past_holders(session, at.game.id))
    earlier = lines[-1].seq if lines and lines[-1].seq > 0 else None
    return {
        "entries": [_entry(at, people, line) for line in lines],
        "earlier": earlier,
        "is_newest": end == at.table.size,
    }


def turns_between(
    services: Services, at: Perspective, names: tuple[str, ...], first: int, last: int
) -> list[dict[str, Any]]:
    """Entries `first` to `last` by turn, oldest first: their seat, their last entry, their sentences."""
    where = (Entry.game_id == at.game.id, Entry.seq >= first, Entry.seq <= last)
    with services.database.read() as session:
        rows = session.execute(_entries_query(at).where(*where).order_by(Entry.seq.desc()).limit(A_PAGE)).all()
        lines = [_line(row.line, row.opening) for row in reversed(rows)]
        people = NamesOverTime(names, past_holders(session, at.game.id))
    return [_turn(at, people, list(of)) for _, of in groupby(lines, key=lambda line: line.seat)]


def _turn(at: Perspective, people: NamesOverTime, lines: list[LoggedEntry]) -> dict[str, Any]:
    told = [_entry(at, people, line) for line in lines]
    says = [sentence for entry in told for sentence in (entry["says"], *entry["sentences"])]
    return {"seat": lines[0].seat, "from": lines[0].seq - 1, "at": lines[-1].seq, "says": says}


def _entries_query(at: Perspective) -> sa.Select[bytes, bytes | None]:
    """Lines, each with its opening if this reader may see any of it."""
    if at.seat is None and not _is_open(at):
        return sa.select(Entry.line, sa.null().label("opening"))
    same = sa.and_(EntryPrivate.game_id == Entry.game_id, EntryPrivate.seq == Entry.seq)
    return sa.select(Entry.line, EntryPrivate.opening).join(EntryPrivate, same, isouter=True)


def _is_open(at: Perspective) -> bool:
    """After the end everything is public, as in the bundle that anyone may download."""
    return at.game.status == "finished"


def _line(line: bytes, opening: bytes | None) -> LoggedEntry:
    """The entry, with all its events in place of the public ones if there is an opening."""
    found = msgspec.json.decode(line, type=LoggedEntry)
    return found if opening is None else replace(found, events=msgspec.json.decode(opening, type=EntryEvents).events)


class NamesOverTime(NamedTuple):
    """The players now, and those who held the seats before them."""

    names: tuple[str, ...]
    before: list[PastHolder]

    def at(self, seq: int) -> tuple[str, ...]:
        """The names at entry `seq`, without characters that would change the text around them."""
        return tuple(map(clean, names_at(self.names, self.before, seq)))

    def how(self, seq: int) -> str:
        """Why the seat could be taken in entry `seq`: by offer or by absence."""
        return next((one.ended for one in self.before if one.until == seq), "offer")


def _entry(at: Perspective, people: NamesOverTime, line: LoggedEntry) -> dict[str, Any]:
    names = people.at(line.seq)
    whole = at.table.load_events(line.events)
    events = whole if _is_open(at) else [redact(event, at.seat) for event in whole]
    told = tell_move(events, line.seat, names) if line.kind == "moved" and line.seat is not None else []
    told = told or [_headline(people, line), *filter(None, (tell(event, names) for event in events))]
    return {
        "seq": line.seq,
        "kind": line.kind,
        "by": None if line.kind == "expired" else line.seat,
        "at": datetime.fromtimestamp(canonical.seconds(line.at), UTC),
        "iso": line.at,
        "says": told[0],
        "sentences": told[1:],
        "ends": line.outcome is not None,
    }


def _headline(people: NamesOverTime, line: LoggedEntry) -> str:
    names, earlier = people.at(line.seq), people.at(line.seq - 1)
    return WORDS[_kind(people, line)].format(
        player="" if line.seat is None else names[line.seat],
        before="" if line.seat is None else earlier[line.seat],
        all=text.people([names[seat] for seat in line.seats] if isinstance(line.seats, tuple) else []),
        time=text.span(timedelta(seconds=line.seconds)),
        reason=CANCELLED.get(line.reason or "", line.reason),
        why=WHY.get(line.why or "", line.why),
        lost=count(line.size - line.seq, "entry", "entries"),
    )


def _kind(people: NamesOverTime, line: LoggedEntry) -> str:
    """The key of `WORDS`: an offer has two headlines, as has a seat that was taken."""
    if line.kind == "offered":
        return "opened" if acts.read_act(keys.read_jws(line.jws)).open else "closed"
    if line.kind == "left":
        return "left" if line.jws else "removed"
    return people.how(line.seq) if line.kind == "taken" else line.kind
