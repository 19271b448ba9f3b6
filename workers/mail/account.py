"""Mails about an account: a waiting act, to its owner; a link to confirm, to a new address."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from server.kernel import secrets
from server.kernel.db import models
from server.tables.calendar.holidays import end_of, left_of
from workers.mail import facts
from workers.mail.account_facts import Confirm, Holiday, Waiting
from workers.mail.errors import OutdatedMailError
from workers.queues import WorkerContext

WAITING = ("waiting", "confirm")


def load_holiday(session: Session, row: models.Notification, now: datetime) -> tuple[facts.Reader, Holiday]:
    """The reader and the facts, unless the holiday has ended or was cancelled."""
    one = session.get(models.Holiday, row.holiday_id)
    if one is None or end_of(one) <= now or one.ended_at is not None:
        raise OutdatedMailError("holiday-over")
    account = session.get_one(models.Account, one.account_id)
    if account.erased_at is not None or account.email is None:
        raise OutdatedMailError("account-erased")
    left = left_of(session, account, now)
    words = Holiday(row.message_id or "", one.starts_at, one.ends_at, left)
    return facts.Reader(account.name, account.email, account.zone or "UTC"), words


def load(ctx: WorkerContext, session: Session, row: models.Notification) -> tuple[facts.Reader, Waiting | Confirm]:
    """The reader and the facts, while the act waits."""
    act = session.get(models.WaitingAct, row.waiting_act_id)
    if act is None or act.ended_at is not None:
        raise OutdatedMailError("waits-no-more")
    if row.kind == "confirm":
        return facts.Reader("", act.about), Confirm(row.message_id or "", _link(ctx, act, "new"), act.due_at)
    account = session.get_one(models.Account, act.account_id)
    if account.erased_at is not None or account.email is None:
        raise OutdatedMailError("account-erased")
    words = Waiting(row.message_id or "", act.act, act.about, _link(ctx, act, "old"), act.due_at, act.is_signed)
    return facts.Reader(account.name, account.email, account.zone or "UTC"), words


def _link(ctx: WorkerContext, act: models.WaitingAct, side: str) -> str:
    return f"{ctx.origin.site}/waiting/{secrets.waiting_token(ctx.services.master, act, side)}"
