"""Outbox rows: events that people may need to hear of, as plain facts. The workers decide whom to notify.

started    the game started (entry `seq`)
turn       since entry `seq` someone owes a move, or entry `seq` gave them a seat that owes one
offered    entry `seq` offered a seat to others
taken      entry `seq` gave a seat to another player
absent     after entry `seq` a seat counts as absent
over       entry `seq` ended the game
cancelled  entry `seq` cancelled it
invited    a seat is kept for a person (`place_id`)
removed    entry `seq` removed a player from a table before its start
hosts      another player has become the host
full       all seats are taken, and the table starts when its players are ready
wish       a player wants to cancel a running game, or to pause it (`wish-pause`)
ending     a table that has not started will end soon
login      someone requested a sign-in link (`login_link_id`)
waiting    an act waits for seven days (`waiting_act_id`)
holiday    an account announced a holiday (`holiday_id`)
time       a pause or an outage has moved the deadline of a seat (`seat`)
stop       a reply that is not proven has asked to stop mail about a table (`account_id`), as do the next four
muted      a link in a mail has stopped mail about a table
off        a link has stopped all mail about games
no-digest  a link has stopped the daily digest
bounced    mail to an account is stopped because earlier mails failed
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import canonical
from engine.record.log.table import Table
from server.kernel import logs, quarantine
from server.kernel.db.models import Base, Outbox
from server.kernel.db.session import Prepared, moment_of

_outbox = Base.metadata.tables["outbox"]
INSERT_OUTBOX = sa.insert(_outbox).returning(_outbox.c.id)
INSERT_OF_ENTRY = Prepared(INSERT_OUTBOX, ("kind", "game_id", "seq", "created_at", "request_id"))
OUTBOX = quarantine.Loop("outbox", Outbox.id)


def rows_of_entry(connection: sa.Connection, kind: str, before: Table, table: Table, at: datetime) -> list[int]:
    """The rows of the entry that turned the table before it into `table`, written in its transaction; their ids."""
    about = {"game_id": table.game_id, "seq": table.size - 1, "created_at": at, "request_id": logs.request_id()}
    rows = [{"kind": name, **about} for name in _mail_kinds(kind, before, table)]
    return [INSERT_OF_ENTRY.all(connection, row)[0].id for row in rows]


def rows_of_position(session: Session, table: Table, at: datetime) -> list[int]:
    """The rows for the present state of a recovered game: the moves that are owed, or the result; their ids.

    Nobody is notified twice: a notification has its question's number in its key.
    """
    last = table.size - 1
    ended = {"finished": "over", "cancelled": "cancelled"}.get(table.stage)
    news = [(ended, last)] if ended else [("turn", seq) for seq in _owed_since(table)]
    return [_add(session, kind=kind, game_id=table.game_id, seq=seq, created_at=at) for kind, seq in news]


def _owed_since(table: Table) -> list[int]:
    """The entries since which the current holders owe their moves, oldest first."""
    holders = zip(table.questions, table.occupants, strict=True)
    owed = [(question, who) for question, who in holders if table.stage == "running" and question and who]
    return sorted({max(question.seq, who.since) for question, who in owed})


def row_of_login(session: Session, login_link_id: int, at: datetime) -> int:
    """The row that mails a link; its id."""
    return _add(session, kind="login", login_link_id=login_link_id, created_at=at)


def row_of_waiting(session: Session, waiting_act_id: int, at: datetime) -> int:
    """The row that notifies an account of a waiting act; its id."""
    return _add(session, kind="waiting", waiting_act_id=waiting_act_id, created_at=at)


def row_of_holiday(session: Session, holiday_id: int, at: datetime) -> int:
    """The row that notifies an account of its holiday; its id."""
    return _add(session, kind="holiday", holiday_id=holiday_id, created_at=at)


def row_of_time(session: Session, game_id: str, seat: int, seq: int, at: datetime) -> int:
    """The row that notifies the holder of a seat that its deadline has moved without an entry; its id."""
    return _add(session, kind="time", game_id=game_id, seat=seat, seq=seq, created_at=at)


def row_of_mail(session: Session, kind: str, account_id: int, game_id: str | None, at: datetime) -> int:
    """The row that tells an account that its mail was switched off; its id."""
    return _add(session, kind=kind, account_id=account_id, game_id=game_id, created_at=at)


def row_of_table(session: Session, kind: str, table: Table, at: datetime, place_id: int | None = None) -> int:
    """The row of something at a table that is not an entry; its id. It is about the newest entry."""
    about = {"game_id": table.game_id, "seq": table.size - 1, "place_id": place_id}
    return _add(session, kind=kind, created_at=at, **about)


def _add(session: Session, **row: Any) -> int:
    number: int = session.connection().execute(INSERT_OUTBOX, row).scalar_one()
    return number


def _mail_kinds(kind: str, before: Table, table: Table) -> list[str]:
    if kind == "cancelled":
        return ["cancelled"]
    if table.stage == "finished":
        return ["over"]
    asks = any(question is not None and question.seq == table.size - 1 for question in table.questions)
    named = ["started"] * (kind == "started") + ["taken"] * (kind == "taken")
    named += ["offered"] * _is_one_opened(before, table)
    return named + ["absent"] * _is_one_absent(before, table) + ["turn"] * (asks or _owes_taken(kind, table))


def _is_one_opened(before: Table, table: Table) -> bool:
    """Is it an offer, or an earlier end of its wait? A stolen key could sign it, so the seat's owner is notified."""
    offers = ((before.offered_from(seat), table.offered_from(seat)) for seat in range(table.seats))
    return any(then is not None and then != earlier for earlier, then in offers)


def _is_one_absent(before: Table, table: Table) -> bool:
    return any(table.is_absent(seat) and not before.is_absent(seat) for seat in range(table.seats))


def _owes_taken(kind: str, table: Table) -> bool:
    """Was a seat taken that owes a move? Its new holder is asked for it like everybody else."""
    came = (seat for seat, occupant in enumerate(table.occupants) if occupant and occupant.since == table.size - 1)
    return kind == "taken" and any(table.questions[seat] is not None for seat in came)


def backlog(session: Session, now: datetime) -> tuple[int, float]:
    """How many events wait and were not set aside, and the age of the oldest in seconds."""
    query = sa.select(sa.func.count(), sa.func.min(Outbox.created_at)).where(Outbox.dispatched_at.is_(None))
    depth, oldest = session.execute(OUTBOX.new(query)).one()
    return depth, 0.0 if oldest is None else (now - oldest).total_seconds()


# --- Account events: what an entry means for each holder of a seat, written in its transaction ------------------------
# KINDS lists all kinds, for streams and hooks. Every entry after the first is one event for every holder of a
# seat, of the most specific kind that fits; a start at which a seat must move is two for it. A player who
# loses their seat by the entry gets that event and none after it. An event has what happened, where and when, and
# nothing that a game hides: a reader requests the rest as the seat that they hold then.
#
# They are stored without their numbers, so that an entry locks no account and the tables of one account do not wait for
# each other. `server.hooks.numbering` gives the numbers before anybody reads them.


EVENT_KINDS: Mapping[str, str] = {
    "turn": "It is your turn as of this entry, or you took a seat whose turn it is.",
    "started": "The game started.",
    "over": "The game ended.",
    "cancelled": "The game was cancelled.",
    "taken": "Another player took your seat. You get no more events of this game.",
    "absent": "Your seat now counts as absent because it has missed too many turns.",
    "granted": "Your seat got more time.",
    "offered": "A player of the game offered their seat.",
    "invited": "A seat is reserved for you: see `GET /v1/me/invitations`.",
    "wish": "A player wants to cancel or pause the game: see `GET /v1/games/{id}/consents/cancel` and `.../pause`.",
    "declined": "A player declined your invitation, so the seat is free again.",
    "removed": "The host removed you from a table before it started. You get no more events of this game.",
    "reminder": "A fifth of your time is left.",
    "talk": "Somebody wrote at the table, or a message was removed. Its text is not in the event.",
    "time": "Your deadline has moved, by a holiday, a pause or an outage.",
    "news": "Any other entry of the game was logged.",
}
LOST_SEAT = ("taken", "removed")  # for the account that held the seat until then
BESIDE_SEATS = ("invited", "declined")  # for an account that may hold none: the invited one, and its inviter

_event, _seat, _former = (Base.metadata.tables[name] for name in ("unnumbered_event", "seat", "former_holder"))
HOLDERS = Prepared(
    sa.select(_seat.c.seat, _seat.c.account_id, _seat.c.deadline).where(
        _seat.c.game_id == sa.bindparam("game"), _seat.c.account_id.is_not(None)
    )
)
FORMER = sa.select(_former.c.until_seq, _former.c.seat, _former.c.account_id).where(
    _former.c.game_id == sa.bindparam("game"),
    _former.c.until_seq.in_(sa.bindparam("seqs", expanding=True)),
    _former.c.account_id.is_not(None),
)
INSERT_EVENT = Prepared(sa.insert(_event), [column.name for column in _event.columns if column.name != "id"])


class SeatEvent(NamedTuple):
    """An event of a seat, before its account is known."""

    kind: str
    game: str
    seat: int
    seq: int
    at: datetime
    deadline: datetime | None


def events_of_entry(kind: str, before: Table, table: Table) -> list[SeatEvent]:
    """The events that the entry leading to `table` means for each seat; `taken` goes to the former holder."""
    events = [
        _event_of_seat(name, table, seat)
        for seat in range(table.seats)
        for name in _event_kinds(kind, before, table, seat)
    ]
    return events + [
        _event_of_seat("taken", table, seat) for seat in range(table.seats) if _took_over(kind, table, seat)
    ]


def events_of_position(table: Table) -> list[SeatEvent]:
    """The state of a game whose missing entries were recovered. It may repeat earlier events."""
    ended = {"finished": "over", "cancelled": "cancelled"}.get(table.stage)
    return [
        _event_of_seat(ended or ("turn" if _owes(table, seat) else "news"), table, seat) for seat in range(table.seats)
    ]


def _event_of_seat(kind: str, table: Table, seat: int) -> SeatEvent:
    deadline = None if seat in table.gone else table.deadline(seat)
    until = None if deadline is None else moment_of(deadline)
    return SeatEvent(kind, table.game_id, seat, table.size - 1, moment_of(canonical.seconds(table.at)), until)


def _event_kinds(kind: str, before: Table, table: Table, seat: int) -> list[str]:
    if table.stage in ENDED:
        return [ENDED[table.stage]]
    turn = ["turn"] * (_owes(table, seat) and (_newly_owes(table, seat) or _took_over(kind, table, seat)))
    special = [name for name, is_so in SPECIAL.items() if is_so(kind, before, table, seat)]
    return [*special[:1], *turn] or ["news"]


ENDED = {"finished": "over", "cancelled": "cancelled"}


def _owes(table: Table, seat: int) -> bool:
    """Does the seat owe a move? Not after resigning: the server moves for it at once."""
    return table.owes(seat) and seat not in table.gone


def _newly_owes(table: Table, seat: int) -> bool:
    question = table.questions[seat]
    return question is not None and question.seq == table.size - 1


def _took_over(kind: str, table: Table, seat: int) -> bool:
    occupant = table.occupants[seat]
    return kind == "taken" and occupant is not None and occupant.since == table.size - 1


def _is_given_time(kind: str, before: Table, table: Table, seat: int) -> bool:
    return kind == "granted" and table.deadline(seat) != before.deadline(seat)


def _is_absent_now(_kind: str, before: Table, table: Table, seat: int) -> bool:
    return table.is_absent(seat) and not before.is_absent(seat)


def _is_opened(_kind: str, before: Table, table: Table, _seat: int) -> bool:
    return _is_one_opened(before, table)


# The kind to add to `turn`, or to use instead of `news`; the first that fits.
SPECIAL = {
    "started": lambda kind, *_: kind == "started",
    "absent": _is_absent_now,
    "granted": _is_given_time,
    "offered": _is_opened,
}


def write_events(
    connection: sa.Connection, events: Sequence[SeatEvent], now: datetime, others: Sequence[tuple[int, SeatEvent]] = ()
) -> list[int]:
    """Store them for those who hold the seats now, and for others; the accounts, in order."""
    return write_events_to(connection, [*(_owned(connection, events) if events else ()), *others], now)


def write_events_to(connection: sa.Connection, owned: Sequence[tuple[int, SeatEvent]], now: datetime) -> list[int]:
    """The same for events whose accounts are known."""
    about = {"created_at": now, "request_id": logs.request_id()}
    rows = [{"account_id": account, **_event_values(one), **about} for account, one in owned]
    if rows:
        INSERT_EVENT.run_each(connection, rows)
    return sorted({account for account, _ in owned})


def _event_values(one: SeatEvent) -> dict[str, Any]:
    place = {"kind": one.kind, "game_id": one.game, "seat": one.seat, "seq": one.seq}
    return place | {"at": one.at, "deadline": one.deadline}


def _owned(connection: sa.Connection, events: Sequence[SeatEvent]) -> list[tuple[int, SeatEvent]]:
    """Each event with its account, without those of seats whose holder is unknown."""
    game, taken = events[0].game, {one.seq for one in events if one.kind == "taken"}
    holders = {row.seat: row for row in HOLDERS.all(connection, {"game": game})}
    given = {"game": game, "seqs": sorted(taken)}
    former = {(seq, seat): who for seq, seat, who in connection.execute(FORMER, given)} if taken else {}
    return [owned for one in events if (owned := _with_account(one, holders, former)) is not None]


def _with_account(
    one: SeatEvent, holders: Mapping[int, Any], former: Mapping[Any, int]
) -> tuple[int, SeatEvent] | None:
    if one.kind == "taken":
        account = former.get((one.seq, one.seat))
        return None if account is None else (account, one)
    holder = holders.get(one.seat)
    return None if holder is None else (holder.account_id, _as_told(one, holder))


def _as_told(one: SeatEvent, holder: Any) -> SeatEvent:
    """With the deadline in the seat's row, which may be later than that of the log."""
    return one if one.deadline is None else one._replace(deadline=holder.deadline)


def topics(accounts: Iterable[int]) -> list[str]:
    """The topics that `Waker.wake` publishes to streams: the accounts and games that have news, without the news."""
    return [f"a{account}" for account in accounts]
