"""Loads the facts of a mail from its notification row; `OutdatedMailError` if it no longer applies.

Everything is read in one transaction, right before the mail is sent, and only what the reader's seat may know is
returned: its view, events redacted for it, and the commands and default move computed from its view.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import kit
from engine.record.encoding import canonical
from server.kernel import secrets
from server.kernel.db import models
from server.log import deadlines, seats
from server.mailbox import delivery_reports
from server.mailbox.choices import ProposedMail, load_choices, verdict
from server.mailbox.switched_off import LAST_MAILS
from workers.mail import (
    account,
    account_facts,
    digest,
    facts,
    guide_excerpt,
    invitation,
    notices,
    reply_addresses,
    reply_answer,
)
from workers.mail.account import WAITING
from workers.mail.errors import OutdatedMailError, PostponedMailError
from workers.mail.facts import Facts, GameMail
from workers.mail.headers import clean
from workers.mail.seat_summary import SeatSummary
from workers.mail.smtp import TransientMailError
from workers.queues import WorkerContext


def load(ctx: WorkerContext, session: Session, row: models.Notification) -> tuple[facts.Reader, Facts]:
    """The reader and the current facts."""
    if delivery_reports.is_stopped(session, row.account_id, row.kind):
        raise OutdatedMailError("suspended")
    if row.kind == "login":
        return _login(ctx, session, row)
    if row.kind == "paused":
        return _paused(session, row)
    if row.kind == "holiday":
        return account.load_holiday(session, row, ctx.services.now())
    if row.kind in OF_ONE:
        return OF_ONE[row.kind](ctx, session, row)
    if row.kind in ("answer", "unproven"):
        return reply_answer.load(ctx, session, row)
    if row.kind == "digest":
        return digest.load(ctx, session, row)
    reader = session.get(models.Account, row.account_id)
    if reader is None or reader.erased_at is not None or reader.email is None:
        raise OutdatedMailError("account-erased")
    seat = session.get(models.Seat, (row.game_id, row.seat))
    holds = seat is not None and reader.id in _readers(session, seat, row.kind)
    if row.kind == "taken" and holds:
        raise OutdatedMailError("taken-back")
    if row.kind != "taken" and not holds:
        raise OutdatedMailError("seat-left")
    _check_wanted(ctx, session, row)
    return _reader(reader), _game_facts(ctx, session, row, seat if holds else None)


def _readers(session: Session, seat: models.Seat, kind: str) -> tuple[int | None, ...]:
    """The accounts that get this seat's mail: its holder, and for an offer also the person responsible for a bot."""
    if kind != "offered":
        return (seat.account_id,)
    owner = sa.select(models.Account.owner_id).where(models.Account.id == seat.account_id)
    return seat.account_id, session.scalar(owner)


def _check_wanted(ctx: WorkerContext, session: Session, row: models.Notification) -> None:
    """Check that the reader wants it now; the settings may have changed since it was made."""
    proposed = ProposedMail(row.kind, row.account_id, row.created_at, row.game_id, dedupe_key=row.dedupe_key)
    found = verdict(session, proposed, ctx.services.now())
    if found.do == "not":
        raise OutdatedMailError(found.reason)
    if found.do != "send":
        raise PostponedMailError(found)


def _reader(account: models.Account) -> facts.Reader:
    return facts.Reader(account.name, account.email or "", account.zone or "UTC")


def _login(ctx: WorkerContext, session: Session, row: models.Notification) -> tuple[facts.Reader, account_facts.Login]:
    link, now = session.get(models.LoginLink, row.login_link_id), ctx.services.now()
    if link is None or link.used_at is not None:
        raise OutdatedMailError("link-used")
    if link.expires_at <= now:
        raise OutdatedMailError("link-expired")
    url = f"{ctx.origin.site}/login/{secrets.login_token(ctx.services.master, link)}"
    # The name typed into the sign-in form is left out: the person who typed it may not own this address.
    known = session.scalar(sa.select(models.Account.name).where(models.Account.email == link.email))
    return facts.Reader(known or "", link.email), account_facts.Login(row.message_id or "", url, now, link.expires_at)


def _paused(session: Session, row: models.Notification) -> tuple[facts.Reader, account_facts.Paused]:
    """To the webhook's owner, or the person responsible for the bot. Operators see their own in the metrics."""
    hook = session.get(models.Hook, row.hook_id)
    if hook is None:
        raise OutdatedMailError("hook-gone")
    if hook.paused not in ("failing", "gone") or hook.paused_at is None:
        raise OutdatedMailError("goes-on")
    owner, reader = session.get(models.Account, hook.account_id), session.get(models.Account, row.account_id)
    if owner is None or reader is None or reader.erased_at is not None or reader.email is None:
        raise OutdatedMailError("account-erased")
    if reader.id != (owner.owner_id or owner.id):  # before migration 0026 a deleted hook's number was given again
        raise OutdatedMailError("hook-gone")
    words = account_facts.Paused(
        message_id=row.message_id or "",
        number=hook.id,
        name=hook.name,
        host=hook.host,
        gone=hook.paused == "gone",
        since=hook.failing_since or hook.paused_at,
        last=_last_answer(session, hook.id),
        bot=owner.name if owner.bot else None,
    )
    return _reader(reader), words


def _last_answer(session: Session, hook_id: int) -> int | str:
    answers = sa.select(models.HookAnswer).join(
        models.HookDelivery, models.HookDelivery.id == models.HookAnswer.delivery_id
    )
    mine = answers.where(models.HookDelivery.hook_id == hook_id).order_by(models.HookAnswer.id.desc()).limit(1)
    last = session.scalars(mine).one_or_none()
    return "" if last is None else last.status or last.error or ""


def _game_facts(ctx: WorkerContext, session: Session, row: models.Notification, seat: models.Seat | None) -> Facts:
    """The facts at the current head. If it is newer than the seat's row, the holder must still be the same."""
    game = session.get(models.Game, row.game_id)
    assert game is not None
    assert row.seat is not None
    if game.missing_since is not None:  # the log here is not the current state of the game
        raise TransientMailError("lines-missing")
    if game.is_stopped:  # nobody can move now
        raise TransientMailError("game-stopped")
    table = ctx.services.tables.of(session, game)
    occupant = table.occupants[row.seat]
    if seat is not None and (occupant is None or occupant.since != seat.since_seq):
        raise OutdatedMailError("seat-left")
    assert row.account_id is not None
    choices = load_choices(session, row.account_id, row.game_id).in_force
    summary = SeatSummary(ctx, session, game, table, row.seat, row.account_id, choices)
    return _answerable(summary, row, _KINDS[row.kind](summary, row))


def _answerable(summary: SeatSummary, row: models.Notification, found: GameMail) -> GameMail:
    """With the address for replies, unless the reader does not hold the seat."""
    if found.place.token is None:
        return found
    where = _reply(summary, row)
    return replace(found, place=replace(found.place, reply=None if where is None else where.address))


def _turn(summary: SeatSummary, row: models.Notification) -> facts.Turn:
    table, question, now = summary.table, summary.table.questions[summary.seat], summary.ctx.services.now()
    seat = summary.session.get_one(models.Seat, (table.game_id, summary.seat))
    if table.stage != "running":
        raise OutdatedMailError("game-over")
    if summary.seat in table.gone:
        raise OutdatedMailError("resigned")
    if question is None or question.seq > (row.seq or 0):
        raise OutdatedMailError("answered")
    if row.kind == "reminder":
        _check_number(seat, row, now)
    began = summary.line(question.seq).kind == "started"
    return facts.Turn(
        message_id=row.message_id or "",
        place=summary.place(),
        table=summary.position(),
        legal=kit.group(kit.legal(table.game, table.state, summary.seat)),
        clock_plays=kit.format_command(table.game.default(table.state, summary.seat)),
        now=now,
        deadline=seat.deadline,
        bank=_bank(summary, now),
        grace=seats.grace(seat),
        absent=seats.is_absent(table, summary.seat),
        began=began and row.kind == "turn",
        reminder=row.kind == "reminder",
        reply=_reply(summary, row),
        others=tuple(seat for seat in table.active if seat != summary.seat),
        then=summary.then(),
        manual=guide_excerpt.of(table.game.meta.key) if began and row.kind == "turn" else "",
    )


def _check_number(seat: models.Seat, row: models.Notification, now: datetime) -> None:
    """The mail is about one deadline, by the number in its key; another one has its own."""
    if seat.deadline is None or seat.deadline <= now:
        raise OutdatedMailError("too-late")
    if f".n{seat.deadline_n}." not in row.dedupe_key:
        raise OutdatedMailError("more-time")


def _reply(summary: SeatSummary, row: models.Notification) -> facts.ReplyAddress | None:
    """The reply address of this mail."""
    reader = summary.session.get(models.Account, row.account_id)
    assert reader is not None
    moves = summary.table.created["unsigned"]
    return reply_addresses.reply(summary.ctx, row, reader.email or "", moves=moves, talks=summary.talks)


def _bank(summary: SeatSummary, now: datetime) -> timedelta | None:
    """The rest of the seat's time bank, if it has one that the deadline includes."""
    shown = deadlines.due(summary.session, summary.game, summary.table, now, is_seated=True).get(summary.seat)
    return timedelta(seconds=shown.bank) if shown is not None and shown.bank else None


def _time(summary: SeatSummary, row: models.Notification) -> facts.Rescheduled:
    now = summary.ctx.services.now()
    seat = summary.session.get_one(models.Seat, (summary.table.game_id, summary.seat))
    shown = deadlines.due(summary.session, summary.game, summary.table, now, is_seated=True).get(summary.seat)
    if shown is None or summary.seat in summary.table.gone:
        raise OutdatedMailError("answered")
    _check_number(seat, row, now)
    head = row.message_id or "", summary.place(), summary.note(), now
    return facts.Rescheduled(*head, shown.deadline, seats.grace(seat), tuple(shown.why))


def _absent(summary: SeatSummary, row: models.Notification) -> facts.Absent:
    table, clock = summary.table, summary.table.created["clock"]
    if table.stage != "running":
        raise OutdatedMailError("game-over")
    if not seats.is_absent(table, summary.seat):
        raise OutdatedMailError("back")
    return facts.Absent(
        message_id=row.message_id or "",
        place=summary.place(),
        note=summary.note(),
        missed=table.times[summary.seat].missed,
        grace=timedelta(seconds=clock["grace"]),
        may_be_taken=seats.is_free(seats.free_from(table, summary.seat), summary.ctx.services.now()),
    )


def _taken(summary: SeatSummary, row: models.Notification) -> facts.Taken:
    """For the former holder: public facts only, nothing that the seat sees."""
    assert row.seq is not None
    line, names = summary.line(row.seq), summary.names(row.seq)
    earlier = next(one for one in summary.before if one.until == row.seq)
    return facts.Taken(
        message_id=row.message_id or "",
        place=replace(summary.place(), players=_with(names, summary.seat, earlier.name)),
        note=summary.note(),
        by=names[summary.seat],
        at=datetime.fromtimestamp(canonical.seconds(line.at), UTC),
        seq=row.seq,
        offered=earlier.ended == "offer",
    )


def _offered(summary: SeatSummary, row: models.Notification) -> facts.Offered:
    assert row.seq is not None
    if summary.table.stage != "running":
        raise OutdatedMailError("game-over")
    if not seats.is_open(summary.table, summary.seat):
        raise OutdatedMailError("closed")
    line, until = summary.line(row.seq), summary.waits_until(summary.seat, summary.ctx.services.now())
    occupant = summary.table.occupants[summary.seat]
    return facts.Offered(
        message_id=row.message_id or "",
        place=summary.place(),
        note=summary.note(),
        at=datetime.fromtimestamp(canonical.seconds(line.at), UTC),
        seq=row.seq,
        until=until,
        recovered=occupant is not None and occupant.offer is not None and occupant.offer.hastened,
    )


def _with(names: tuple[str, ...], seat: int, name: str) -> tuple[str, ...]:
    return (*names[:seat], clean(name), *names[seat + 1 :])


def _started(summary: SeatSummary, row: models.Notification) -> facts.Started:
    if summary.table.stage != "running":
        raise OutdatedMailError("game-over")
    return facts.Started(row.message_id or "", summary.place(), summary.position(), summary.table.active)


def _over(summary: SeatSummary, row: models.Notification) -> facts.Over:
    ended = kit.outcome(summary.table.game, summary.table.state)
    assert ended is not None
    place, position = summary.place(), summary.position()
    says = kit.ending(summary.table.game, ended)
    more = ended.out, ended.won, summary.unsigned(), summary.verdict()
    return facts.Over(row.message_id or "", place, position, ended.places, ended.sheet, says, *more)


def _cancelled(summary: SeatSummary, row: models.Notification) -> facts.Cancelled:
    assert row.seq is not None
    return facts.Cancelled(row.message_id or "", summary.place(), summary.line(row.seq).reason)


# Mails to one person that are not about their seat.
OF_ONE: dict[str, Callable[[WorkerContext, Session, models.Notification], tuple[facts.Reader, Facts]]] = {
    "invited": invitation.load,
    **dict.fromkeys(WAITING, account.load),
    **dict.fromkeys(notices.NOTICES, notices.load),
    **dict.fromkeys(LAST_MAILS, notices.load_switch),
}
_KINDS: dict[str, Callable[[SeatSummary, models.Notification], GameMail]] = {
    "turn": _turn,
    "reminder": _turn,
    "started": _started,
    "time": _time,
    "absent": _absent,
    "offered": _offered,
    "taken": _taken,
    "over": _over,
    "cancelled": _cancelled,
}
