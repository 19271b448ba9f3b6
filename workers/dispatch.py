"""Turns outbox rows into notification rows, one for each person to notify. May run late, twice, or in parallel.

The dedupe key is the kind, the game, the entry (for a reminder, the deadline) and the seat, so no event has two rows. A
seat that owes a move when the game starts gets one mail for both; if its turn has moved on, there is a later row. A
player who has just moved or taken a seat and must move again already knows it: the mail follows after a pause, and only
if they have not moved by then. A player who lost their seat is notified once, without anything that the seat has seen
since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import quarantine
from server.kernel.db.models import (
    Account,
    Consent,
    Entry,
    FormerHolder,
    Game,
    Holiday,
    Notification,
    Outbox,
    Place,
    Seat,
    WaitingAct,
)
from server.kernel.logs import apart, bind_request, log
from server.log.outbox import OUTBOX, SeatEvent, write_events_to
from server.mailbox import switched_off
from server.mailbox.choices import ProposedMail, Verdict, verdict
from server.tables.invitations import write as invitations
from workers.context import current
from workers.mail.facts import holiday_id, hook_id, login_id, message_id, notice_id, waiting_id
from workers.push import plan as push
from workers.queues import WorkerContext
from workers.replies.decide import AnsweredQuestion

# The members of a planned mail that its row keeps.
ABOUT = ("login_link_id", "hook_id", "waiting_act_id", "holiday_id", "place_id")
KEPT = ("kind", "account_id", "game_id", "seat", "seq", *ABOUT)
TOGETHER = 10  # rows in a transaction, which keeps other writers of SQLite waiting


@dataclass(frozen=True)
class PlannedMail:
    """One mail to one person, before it is a row."""

    kind: str
    game_id: str | None = None
    seq: int | None = None
    seat: int | None = None
    account_id: int | None = None
    login_link_id: int | None = None
    hook_id: int | None = None
    waiting_act_id: int | None = None
    holiday_id: int | None = None
    place_id: int | None = None
    outbox_id: int | None = None  # of a notice, which is about no entry
    at: int | None = None  # when the webhook was paused: one mail per pause
    is_known: bool = False  # the reader was just at the table
    hours: int | None = None  # how long before the deadline a chosen reminder is sent
    deadline_n: int | None = None  # the number of the seat's deadline: one reminder for each and `hours`

    def dedupe_key(self) -> str:
        if self.login_link_id is not None:
            return f"login.{self.login_link_id}"
        if self.hook_id is not None:
            return f"{self.kind}.{self.hook_id}.{self.at}"
        if self.waiting_act_id is not None:
            return f"{self.kind}.{self.waiting_act_id}"
        if self.holiday_id is not None:
            return f"{self.kind}.{self.holiday_id}"
        if self.outbox_id is not None:
            return f"{self.kind}.{self.outbox_id}.{self.account_id}"
        about = self.seq if self.deadline_n is None else f"n{self.deadline_n}"
        return f"{self.kind}{self.hours or ''}.{self.game_id}.{about}.{self.seat}"

    def _name(self) -> str:
        """Of a mail about an entry; several deadlines may be about one."""
        return f"{self.kind}{self.hours or ''}" + ("" if self.deadline_n is None else f".n{self.deadline_n}")

    def message_id(self, host: str) -> str:
        if self.login_link_id is not None:
            return login_id(host, str(self.login_link_id))
        if self.hook_id is not None:
            return hook_id(host, self.hook_id, self.at or 0)
        if self.waiting_act_id is not None:
            return waiting_id(host, self.waiting_act_id, self.kind)
        if self.holiday_id is not None:
            return holiday_id(host, self.holiday_id)
        if self.outbox_id is not None:
            return notice_id(host, self.kind, self.outbox_id, self.account_id or 0)
        assert self.game_id is not None
        assert self.seq is not None
        assert self.seat is not None
        return message_id(host, self.game_id, self.seq, self.seat, self._name())


def dispatch(*outbox_ids: int) -> None:
    """The job: make the rows, then wake the mailer. If it stops halfway, the sweeper continues."""
    ctx = current()
    for first in range(0, len(outbox_ids), TOGETHER):
        some = outbox_ids[first : first + TOGETHER]
        try:
            apart(lambda numbers=some: _dispatch_together(ctx, numbers))  # type: ignore[misc]  # bound at once
        except Exception:  # noqa: BLE001 - the one that failed is found, set aside and logged here
            for number in some:
                quarantine.attempt(ctx.services, OUTBOX, number, lambda one=number: dispatch_in(ctx, one), again=False)  # type: ignore[misc]  # bound at once
    ctx.wake_up()


def dispatch_in(ctx: WorkerContext, outbox_id: int) -> list[int]:
    """Make the notifications; [] if another process was first."""
    with ctx.services.database.write() as session:
        row = session.scalar(sa.select(Outbox).where(Outbox.id == outbox_id).with_for_update())
        if row is None or row.dispatched_at is not None:
            return []
        done = _rows_of(ctx, session, row)
    _log(done)
    ctx.wake_up()
    return done.notifications


def dispatch_first(ctx: WorkerContext, kinds: Sequence[str], most: int) -> None:
    """Dispatch all waiting rows of these kinds in one transaction, since many people may sign in at once.

    If one of them fails, each is dispatched alone. Rows that have failed are left to the sweeper.
    """
    late = sa.select(Outbox.id).where(Outbox.dispatched_at.is_(None), Outbox.kind.in_(kinds)).order_by(Outbox.id)
    with ctx.services.database.read() as session:  # an idle server writes nothing
        numbers = list(session.scalars(OUTBOX.new(late).limit(most)))
    if not numbers:
        return
    try:
        apart(lambda: _dispatch_together(ctx, numbers))
    except Exception:  # noqa: BLE001 - the one that failed is found, set aside and logged here
        quarantine.process(ctx.services, OUTBOX, late, most, lambda number: dispatch_in(ctx, number), retries=0)
    if len(numbers) == most:
        ctx.wake_up()


def _dispatch_together(ctx: WorkerContext, numbers: Sequence[int]) -> None:
    rows = sa.select(Outbox).where(Outbox.id.in_(numbers), Outbox.dispatched_at.is_(None)).order_by(Outbox.id)
    with ctx.services.database.write() as session:
        done = [_rows_of(ctx, session, row) for row in session.scalars(rows.with_for_update(skip_locked=True)).all()]
    for one in done:
        _log(one)


class DispatchedRow(NamedTuple):
    """An outbox row with the notifications made of it."""

    outbox: int
    kind: str
    request: str | None
    notifications: list[int]


def _log(done: DispatchedRow) -> None:
    bind_request(done.request)
    log.info("dispatched", outbox=done.outbox, kind=done.kind, notifications=done.notifications)


def _rows_of(ctx: WorkerContext, session: Session, row: Outbox) -> DispatchedRow:
    bind_request(row.request_id)
    now = ctx.services.now()
    planned = _of_invitation(ctx, session, row) if row.kind == "invited" else plan(session, row)
    made = [one for news in planned if (one := notify(session, ctx, news, now))]
    row.dispatched_at = now
    return DispatchedRow(row.id, row.kind, row.request_id, made)


def _of_invitation(ctx: WorkerContext, session: Session, row: Outbox) -> Iterator[PlannedMail]:
    """The mail about a place, and the event of an account that was invited by its address."""
    place = session.get_one(Place, row.place_id, with_for_update=True)
    found = invitations.to_mail(ctx.services, session, place)
    if found is None:
        return
    if place.account_id is None and found.account_id is not None:
        event = SeatEvent("invited", place.game_id, place.seat, row.seq or 0, ctx.services.now(), None)
        write_events_to(session.connection(), [(found.account_id, event)], ctx.services.now())
    yield PlannedMail(
        "invited", row.game_id, row.seq, place.seat, found.account_id, outbox_id=row.id, place_id=place.id
    )


def plan(session: Session, row: Outbox) -> Iterator[PlannedMail]:
    """The notifications that this row needs, given the current seats."""
    if row.kind == "login":
        yield PlannedMail("login", login_link_id=row.login_link_id)
        return
    if row.kind in OF_ROW:
        yield from OF_ROW[row.kind](session, row)
        return
    entry = _entry(session, row)
    here = sa.select(Seat).where(Seat.game_id == row.game_id, Seat.since_seq <= row.seq)  # not to later holders
    for seat in session.scalars(here.order_by(Seat.seat)):
        kind = _kind(row, entry, seat)
        if kind and seat.account_id is not None:
            is_known = kind == "turn" and entry.kind in ("moved", "taken") and seat.seat == entry.seat
            reader = answerable(session, seat.account_id) if kind == "offered" else seat.account_id
            yield PlannedMail(kind, row.game_id, row.seq, seat.seat, reader, is_known=is_known)


def _of_holiday(session: Session, row: Outbox) -> Iterator[PlannedMail]:
    owner = sa.select(Holiday.account_id).where(Holiday.id == row.holiday_id)
    yield PlannedMail("holiday", account_id=session.scalar(owner), holiday_id=row.holiday_id)


def _of_wish(session: Session, row: Outbox) -> Iterator[PlannedMail]:
    """To the others, and to the owner of the account that wishes: a thief's session may have done it."""
    yield from _of_notice(session, row)
    for account in session.scalars(_agreed(row)):
        yield PlannedMail(OWN_WISHES[row.kind], row.game_id, row.seq, account_id=account, outbox_id=row.id)


def _of_notice(session: Session, row: Outbox) -> Iterator[PlannedMail]:
    for account in session.scalars(NOTIFIED[row.kind](row)):
        yield PlannedMail(row.kind, row.game_id, row.seq, account_id=account, outbox_id=row.id)


def answerable(session: Session, account_id: int) -> int:
    """The account to mail: a bot has no mailbox, so the person responsible for it; otherwise the account itself."""
    return session.scalar(sa.select(Account.owner_id).where(Account.id == account_id)) or account_id


def _of_waiting(session: Session, row: Outbox) -> Iterator[PlannedMail]:
    """Notify the account's owner and, for a change of address, the new address too."""
    act = session.get_one(WaitingAct, row.waiting_act_id)
    yield PlannedMail("waiting", account_id=act.account_id, waiting_act_id=act.id)
    if act.act == "address":
        yield PlannedMail("confirm", waiting_act_id=act.id)


def _of_time(session: Session, row: Outbox) -> Iterator[PlannedMail]:
    """To the holder of the seat, once for each deadline."""
    seat = session.get(Seat, (row.game_id, row.seat))
    if seat is not None and seat.account_id is not None:
        yield PlannedMail("time", row.game_id, row.seq, seat.seat, seat.account_id, deadline_n=seat.deadline_n)


def _to_former(session: Session, row: Outbox) -> Iterator[PlannedMail]:
    """The mail for a player whose seat the entry gave to another."""
    where = (FormerHolder.game_id == row.game_id, FormerHolder.until_seq == row.seq)
    for held in session.scalars(sa.select(FormerHolder).where(*where)):
        if held.account_id is not None:
            yield PlannedMail("taken", row.game_id, row.seq, held.seat, held.account_id)


def _removed(row: Outbox) -> sa.Select[int | None]:
    held = (FormerHolder.game_id == row.game_id, FormerHolder.until_seq == row.seq)
    return sa.select(FormerHolder.account_id).where(*held, FormerHolder.account_id.is_not(None))


def _host(row: Outbox) -> sa.Select[int | None]:
    return sa.select(Game.host_id).where(Game.id == row.game_id, Game.host_id.is_not(None))


def _unready(row: Outbox) -> sa.Select[int | None]:
    return sa.select(Seat.account_id).where(Seat.game_id == row.game_id, Seat.ready.is_(False))


def _others(row: Outbox) -> sa.Select[int | None]:
    """The people at the table who have not agreed to what another wishes."""
    return sa.select(Seat.account_id).where(Seat.game_id == row.game_id, Seat.account_id.not_in(_agreed(row)))


def _agreed(row: Outbox) -> sa.Select[int]:
    what = "pause" if row.kind == "wish-pause" else "cancel"
    return sa.select(Consent.account_id).where(Consent.game_id == row.game_id, Consent.what == what)


# By the kind of the row: the mail to the player who wishes.
OWN_WISHES = {"wish": "own-wish", "wish-pause": "own-pause"}

# The accounts that get a notice of this kind.
NOTIFIED: Mapping[str, Callable[[Outbox], sa.Select[int | None]]] = {
    "removed": _removed,
    "hosts": _host,
    "ending": _host,
    "full": _unready,
    "wish": _others,
    "wish-pause": _others,
}


def _of_switched_off(session: Session, row: Outbox) -> Iterator[PlannedMail]:
    """One last mail to the account, at most one a day of each kind."""
    assert row.account_id is not None
    if not switched_off.was_told(session, row.account_id, row.kind, row.game_id, row.created_at):
        yield PlannedMail(row.kind, row.game_id, row.seq, account_id=row.account_id, outbox_id=row.id)


OF_ROW: Mapping[str, Callable[[Session, Outbox], Iterator[PlannedMail]]] = {
    "waiting": _of_waiting,
    "holiday": _of_holiday,
    "time": _of_time,
    "taken": _to_former,
    **dict.fromkeys(NOTIFIED, _of_notice),
    **dict.fromkeys(OWN_WISHES, _of_wish),
    **dict.fromkeys(switched_off.LAST_MAILS, _of_switched_off),
}


class EntryHead(msgspec.Struct):
    """The members of an entry that dispatching needs."""

    kind: str
    seat: int | None = None


def _entry(session: Session, row: Outbox) -> EntryHead:
    where = (Entry.game_id == row.game_id, Entry.seq == row.seq)
    return msgspec.json.decode(session.scalars(sa.select(Entry.line).where(*where)).one(), type=EntryHead)


def _kind(row: Outbox, entry: EntryHead, seat: Seat) -> str | None:
    """The notifications for this seat: with the start, also its first turn if it has one."""
    if row.kind in ("absent", "offered"):
        return row.kind if seat.seat == entry.seat else None
    if row.kind in ("started", "turn"):
        asked = seat.question_seq == row.seq or _took_over_question(row, entry, seat)
        return "turn" if asked else "started" if row.kind == "started" else None
    return row.kind


def _took_over_question(row: Outbox, entry: EntryHead, seat: Seat) -> bool:
    """True if the seat was taken over while it owed a move."""
    taken = entry.kind == "taken" and seat.seat == entry.seat
    return taken and seat.question_seq is not None and seat.question_seq < (row.seq or 0)


def notify(session: Session, ctx: WorkerContext, news: PlannedMail, now: datetime) -> int | None:
    """Insert the row by its reader's settings; unwanted mail has a row, too, which explains why it did not come.

    None if the same news has one already, or nobody gets mail: bots and guests have no address.
    """
    has_none = sa.or_(Account.bot, Account.guest_since.is_not(None))
    if session.scalar(sa.select(has_none).where(Account.id == news.account_id)):
        return None
    key = news.dedupe_key()
    facts = {name: getattr(news, name) for name in KEPT}
    values = facts | {"dedupe_key": key, "message_id": news.message_id(ctx.origin.host)}
    there_until = now + timedelta(seconds=ctx.pace.pause) if news.is_known else None
    proposed = ProposedMail(news.kind, news.account_id, now, news.game_id, there_until, key)
    push.notify(session, ctx, values, proposed, now)
    found = verdict(session, proposed, now)
    return insert(session, ctx, values | verdict_values(found, now), now)


def verdict_values(found: Verdict, now: datetime) -> dict[str, Any]:
    """The notification's content, for its row."""
    if found.do == "not":
        return {"state": "dropped", "reason": found.reason, "next_at": now}
    if found.do == "send":
        return {"state": "pending", "next_at": now}
    return {"state": "held" if found.do == "digest" else "pending", "waited": found.reason, "next_at": found.at}


def notify_answer(
    session: Session, ctx: WorkerContext, asked: AnsweredQuestion, inbound: int, kind: str, seq: int
) -> int | None:
    """The row for the answer to a mail: one per mail; for `unproven`, one per question, however many mails arrive."""
    once = f"{asked.game}.{asked.seq}.{asked.seat}" if kind == "unproven" else str(inbound)
    values = {
        "dedupe_key": f"{kind}.{once}",
        "kind": kind,
        "account_id": asked.account,
        "game_id": asked.game,
        "inbound_id": inbound,
        "seat": asked.seat,
        "seq": seq,
        "message_id": message_id(ctx.origin.host, asked.game, seq, asked.seat, f"{kind}{inbound}"),
        "next_at": ctx.services.now(),
    }
    return insert(session, ctx, values, ctx.services.now())


def insert(session: Session, ctx: WorkerContext, values: dict[str, Any], now: datetime) -> int | None:
    """Insert a row; None if its key already has one."""
    whole = {"state": "pending", "attempts": 0, "created_at": now} | values
    made = ctx.services.database.insert(Notification).values(whole)
    made = made.on_conflict_do_nothing(index_elements=["dedupe_key"]).returning(Notification.id)
    number: int | None = session.scalar(made)
    return number
