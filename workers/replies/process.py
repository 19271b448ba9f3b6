"""Reads and answers one incoming mail: lease it, identify its sender, carry it out, store the result.

Its effect, the row of its answer and its own result are one transaction: whenever a worker dies, the mail is done or
untouched. A second copy of a mail has the same name, for which there already is a row. A mail that fails is tried
again; if it keeps failing, it goes to the quarantine, for the operator.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from engine.errors import EngineFault
from server.kernel import secrets
from server.kernel.db.models import Account, InboundMail, Notification, Seat
from server.kernel.errors import Problem
from server.kernel.logs import apart, bind_request, log
from server.log.ledger import Ledger, open_for_writing, stop_game
from server.mailbox import delivery_reports, switched_off
from server.mailbox.delivery_reports import DeliveryReport
from server.mailbox.inbound import is_ours_still, report_of
from server.play.write import play_resigned
from workers.dispatch import notify_answer
from workers.errors import WorkerError, where
from workers.queues import WorkerContext
from workers.replies.authentication import Claim, Relay
from workers.replies.child import ChildFaultError, NoChildError
from workers.replies.decide import Addressed, AnsweredQuestion, ReplyDecision, decide_reply
from workers.replies.dns import DnsError
from workers.replies.incoming import TooMuchError
from workers.replies.reading import ReadMail, UnreadMail

MOST_TRIES = 8  # attempts at a failing mail, in some hours; waiting for something else takes longer
PATIENCE = timedelta(days=5)
MOST_ANSWERS = 30  # an hour, to one account


class RetryLaterError(WorkerError):
    """It cannot be carried out now, through no fault of its own. By then the reply is proven."""


class LeaseLostError(WorkerError):
    """Another process has the lease by now."""


@dataclass(frozen=True)
class LeasedReply:
    """A leased mail."""

    id: int
    kind: str
    token: str
    notification: int
    raw: bytes
    body_hashes: bytes | None
    via: str
    relayed: bool
    attempts: int
    received: datetime
    request: str | None


def process_in(ctx: WorkerContext, inbound_id: int) -> str:
    """The result: a word of `Decision.did`, why it was not read, `later`, `quarantined`, or `not-due`."""
    held = _lease(ctx, inbound_id)
    return "not-due" if held is None else apart(lambda: _process_leased(ctx, held))


def _process_leased(ctx: WorkerContext, held: LeasedReply) -> str:
    bind_request(held.request)
    try:
        return _process(ctx, held)
    except LeaseLostError:
        return "lost"
    except DnsError as wait:
        return _later(ctx, held, str(wait), _is_old(ctx, held))
    except Problem as no:  # of this server as a whole, so every mail waits
        return _later(ctx, held, no.code, _is_old(ctx, held))
    except RetryLaterError as wait:
        room = {"room": "proven"} if held.kind == "move" else {}
        return _later(ctx, held, str(wait), _is_old(ctx, held), **room)
    except NoChildError as wait:
        log.error("reply-failed", mail=held.id, at=str(wait))
        return _later(ctx, held, str(wait), _is_old(ctx, held))
    except ChildFaultError as fault:
        log.error("reply-failed", mail=held.id, at=str(fault))
        return _later(ctx, held, str(fault), held.attempts >= MOST_TRIES)
    except Exception as fault:  # noqa: BLE001 - noted by its place: a message could quote the mail
        log.error("reply-failed", mail=held.id, at=where(fault))
        return _later(ctx, held, where(fault), held.attempts >= MOST_TRIES)


def _lease(ctx: WorkerContext, number: int) -> LeasedReply | None:
    now, row = ctx.services.now(), InboundMail
    claim = sa.update(row).where(row.id == number, is_due(now))
    values = {"state": "leased", "lease_until": now + timedelta(seconds=ctx.pace.lease), "attempts": row.attempts + 1}
    with ctx.services.database.write() as session:
        found = session.scalar(claim.values(values).returning(row))
        return None if found is None else _leased(found)


def is_due(now: datetime) -> sa.ColumnElement[bool]:
    """Is it waiting and due, or leased by a process that died?"""
    waiting = sa.and_(InboundMail.state == "waiting", InboundMail.next_at <= now)
    return sa.or_(waiting, sa.and_(InboundMail.state == "leased", InboundMail.lease_until <= now))


def _leased(row: InboundMail) -> LeasedReply:
    more = row.via, row.relayed, row.attempts, row.received_at, row.request_id
    return LeasedReply(row.id, row.kind, row.token, row.notification_id, row.raw or b"", row.body_hashes, *more)


def _is_old(ctx: WorkerContext, held: LeasedReply) -> bool:
    return ctx.services.now() - held.received > PATIENCE


def _later(ctx: WorkerContext, held: LeasedReply, why: str, is_enough: bool, **more: Any) -> str:
    """Postpone it, or move it to the quarantine."""
    now = ctx.services.now()
    if is_enough:
        return _end(ctx, held, "quarantined", why)
    next_at = now + timedelta(seconds=ctx.pace.wait(held.attempts))
    with ctx.services.database.write() as session:
        _set(session, held, state="waiting", reason=why[:200], next_at=next_at, lease_until=None, **more)
    return "later"


def _end(ctx: WorkerContext, held: LeasedReply, state: str, why: str) -> str:
    with ctx.services.database.write() as session:
        _close(session, held, state, why, ctx.services.now())
    log.info("reply", mail=held.id, did=why if state == "done" else state)
    return why if state == "done" else state


def _close(session: Session, held: LeasedReply, state: str, why: str, now: datetime, **more: Any) -> None:
    """Delete the content of a mail that was read; keep an unreadable one for the operator."""
    kept = {"raw": None, "body_hashes": None} if state == "done" else {}
    _set(session, held, state=state, reason=why[:200], ended_at=now, lease_until=None, **kept, **more)


def _set(session: Session, held: LeasedReply, **values: Any) -> None:
    ours = (InboundMail.id == held.id, InboundMail.state == "leased", InboundMail.attempts == held.attempts)
    if session.scalar(sa.update(InboundMail).where(*ours).values(values).returning(InboundMail.id)) is None:
        raise LeaseLostError


# --- what kind of mail it is --------------------------------------------------------------------------------------


def _process(ctx: WorkerContext, held: LeasedReply) -> str:
    if held.kind != "move":
        return _of_report(ctx, held)
    with ctx.services.database.read() as session:
        asked = _question(ctx, session, held)
    if asked is None:
        return _end(ctx, held, "done", "dead-token")
    try:
        found = ctx.read_mail(_unread(ctx, held, asked), ctx.dns)
    except TooMuchError as beyond:
        return _without_proof(ctx, held, asked, "quarantined", f"reading it exceeds a limit ({beyond})")
    if found.kind == "automatic":
        return _end(ctx, held, "done", "automatic")
    if found.kind == "unproven":
        return _without_proof(ctx, held, asked, "done", found.reason, stops=found.stops)
    return _act(ctx, held, asked, found)


def _question(ctx: WorkerContext, session: Session, held: LeasedReply) -> AnsweredQuestion | None:
    """The question that was answered; None if the token is void because the address has changed or was erased."""
    row = session.get(Notification, held.notification)
    account = None if row is None else session.get(Account, row.account_id)
    if row is None or account is None or account.email is None:
        return None
    subject = secrets.reply_subject(row, account.email)
    if subject is None or not secrets.is_good_reply(ctx.services.master, "move", held.token, subject):
        return None
    return AnsweredQuestion(row.id, account.id, subject.game, subject.seat, subject.seq, account.email)


def _unread(ctx: WorkerContext, held: LeasedReply, asked: AnsweredQuestion) -> UnreadMail:
    believed = ctx.services.settings.auth_results
    relay = Relay(believed[0]) if believed and held.relayed else None
    to = secrets.reply_address(ctx.origin.reply or secrets.REPLY_TOKEN, held.token)
    return UnreadMail(held.raw, ctx.origin, Claim(asked.email, to, held.received), relay, held.body_hashes)


def _without_proof(
    ctx: WorkerContext, held: LeasedReply, asked: AnsweredQuestion, state: str, reason: str, *, stops: bool = False
) -> str:
    """It may stop mail until its holder decides; otherwise notify the holder once per question, without content."""
    did = "unproven" if state == "done" else state
    with open_for_writing(ctx.services, asked.game) as ledger:
        why = did if state == "done" else reason
        _close(ledger.session, held, state, why, ctx.services.now(), outcome=_dump({"reason": reason}))
        if stops and asked.holds(ledger):
            seat = ledger.session.get_one(Seat, (asked.game, asked.seat), with_for_update={"key_share": True})
            switched_off.stop_table(ledger.session, seat, "reply", ctx.services.now())
        elif asked.holds(ledger):
            notify_answer(ledger.session, ctx, asked, held.id, "unproven", asked.seq)
    ctx.wake_up()
    log.info("reply", mail=held.id, did=did)
    return did


# --- reports on our mails -----------------------------------------------------------------------------------------


def _of_report(ctx: WorkerContext, held: LeasedReply) -> str:
    """Believed because it came to an address, or has a name, that only carriers of the mail had; checked again here."""
    try:
        said = report_of(held.raw) if held.kind == "report" else _bounced(ctx, held)
    except TooMuchError as beyond:
        return _end(ctx, held, "quarantined", f"reading it exceeds a limit ({beyond})")
    try:
        with ctx.services.database.write() as session:
            did = "nothing" if said is None else "dead-token"
            if said is not None and is_ours_still(ctx.services, session, session.get_one(InboundMail, held.id)):
                did = delivery_reports.note_report(ctx.services, session, held.notification, said, held.via)
            _close(session, held, "done", did, ctx.services.now())
    except delivery_reports.MailInTransitError as wait:
        raise RetryLaterError("on-its-way") from wait
    log.info("report", mail=held.id, did=did)
    return did


def _bounced(ctx: WorkerContext, held: LeasedReply) -> DeliveryReport | None:
    return ctx.read_mail(UnreadMail(held.raw, ctx.origin, body_hashes=held.body_hashes), ctx.dns).report


# --- carrying it out ----------------------------------------------------------------------------------------------


def _act(ctx: WorkerContext, held: LeasedReply, asked: AnsweredQuestion, found: ReadMail) -> str:
    try:
        done = _once(ctx, held, asked, found)
    except IntegrityError:
        if not _was_read(ctx, found.name):
            raise
        return _end(ctx, held, "done", "again")
    except EngineFault as fault:
        stop_game(ctx.services, asked.game, fault)
        raise RetryLaterError("game-stopped") from fault
    except Problem as no:
        raise RetryLaterError(no.code) from no
    ctx.wake_up()
    log.info("reply", mail=held.id, did=done.did)
    if done.did == "played":
        play_resigned(ctx.services, asked.game)
    return done.did


def _once(ctx: WorkerContext, held: LeasedReply, asked: AnsweredQuestion, found: ReadMail) -> ReplyDecision:
    with open_for_writing(ctx.services, asked.game) as ledger:
        _check_flood(ledger, asked)
        _close(ledger.session, held, "done", "read", ctx.services.now(), name=found.name)
        done = decide_reply(ledger, asked, found.text, Addressed(found.to_us, found.subject))
        _note(ledger.session, held, replace(done, answers=found.message_id))
        notify_answer(ledger.session, ctx, asked, held.id, "answer", ledger.table.size - 1)
    return done


def _note(session: Session, held: LeasedReply, done: ReplyDecision) -> None:
    row = sa.update(InboundMail).where(InboundMail.id == held.id)
    session.execute(row.values(reason=done.did, outcome=_dump(done)))


def _dump(told: object) -> str:
    return msgspec.json.encode(told).decode()


def _check_flood(ledger: Ledger, asked: AnsweredQuestion) -> None:
    """The limit of answers per hour; mails beyond it wait."""
    hour = ledger.services.now() - timedelta(hours=1)
    told = sa.select(sa.func.count()).where(
        Notification.account_id == asked.account, Notification.kind == "answer", Notification.created_at > hour
    )
    if (ledger.session.scalar(told) or 0) >= MOST_ANSWERS:
        raise RetryLaterError("flood")


def _was_read(ctx: WorkerContext, name: bytes) -> bool:
    with ctx.services.database.read() as session:
        return session.scalar(sa.select(InboundMail.id).where(InboundMail.name == name)) is not None
