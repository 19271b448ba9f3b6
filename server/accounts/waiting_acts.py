"""Waiting acts: acts that cannot be undone, requested without a signature, which anyone signed in can cancel.

Someone who reads a player's mail can sign in but must not be able to destroy anything. They can request such an act,
but it waits for seven days, announced by a mail and by a banner on every device. The clock carries out acts that are
due, each in one transaction under the lock of its row, so that it happens once and completely, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.accounts.statements import AccountAct
from server.kernel.db.account_lock import lock_account, lock_accounts
from server.kernel.db.models import Account, AccountKey, KeyBox, WaitingAct
from server.kernel.db.session import locked
from server.kernel.errors import Problem
from server.kernel.logs import log
from server.kernel.services import Services
from server.kernel.text import iso
from server.log import outbox, quotas
from server.tables import limits

SPAN = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class RequestedAct:
    """A waiting act, and the outbox row that announces it, if it is new."""

    id: int
    row: int | None


def request(services: Services, session: Session, due: AccountAct, **more: Any) -> RequestedAct:
    """Add a waiting act; a repeated request returns the one that already waits."""
    quotas.lock(services, session, due.account_id)
    lock_account(session, due.account_id)
    open_ = list(session.scalars(_open(due.account_id)))
    same = next((act for act in open_ if (act.act, act.about) == (due.act, due.about)), None)
    if same is not None:
        return RequestedAct(same.id, None)
    limits.check(services, session, due.account_id, "waiting")
    now = services.now()
    act = WaitingAct(account_id=due.account_id, act=due.act, about=due.about, created_at=now, due_at=now + SPAN, **more)
    session.add(act)
    session.flush()
    return RequestedAct(act.id, outbox.row_of_waiting(session, act.id, now))


def notify(services: Services, made: RequestedAct) -> int:
    """After the commit: announce it by mail."""
    if made.row is not None:
        services.waker.wake([made.row])
    return made.id


def pending(services: Services, account_id: int) -> list[dict[str, Any]]:
    """The account's waiting acts, oldest first."""
    with services.database.read() as session:
        return [as_json(act) for act in session.scalars(_open(account_id))]


def as_json(act: WaitingAct) -> dict[str, Any]:
    """The waiting act as its owner sees it."""
    return {
        "id": act.id,
        "act": act.act,
        "about": act.about,
        "signed": act.is_signed,
        "confirmed_old": act.old_said_at is not None,
        "confirmed_new": act.new_said_at is not None,
        "created_at": iso(act.created_at),
        "due_at": iso(act.due_at),
    }


def find(services: Services, account_id: int, number: int) -> dict[str, Any]:
    """One of them; Problem `not-found` once it has ended."""
    with services.database.read() as session:
        return as_json(_own_act(session, account_id, number))


def cancel(services: Services, account_id: int, number: int) -> None:
    """Cancel it. A key that was waiting for approval is removed with it."""
    with services.database.write() as session:
        lock_accounts(session, Account.id == account_id)
        end(services, session, _own_act(session, account_id, number), "cancelled")


def cancel_all(services: Services, session: Session, account_id: int) -> None:
    """Cancel all of them, in the caller's transaction."""
    for act in session.scalars(_open(account_id).with_for_update()).all():
        end(services, session, act, "cancelled")


def end_about(services: Services, session: Session, due: AccountAct) -> None:
    """End the waiting acts that a signed act has just carried out."""
    about = (WaitingAct.act == due.act, WaitingAct.about == due.about)
    for act in session.scalars(_open(due.account_id).where(*about).with_for_update()).all():
        act.ended_at, act.how = services.now(), "done"


def end_others(services: Services, session: Session, act: WaitingAct) -> None:
    """End the account's other waiting acts of this kind, which the one that takes effect replaces."""
    others = (WaitingAct.act == act.act, WaitingAct.id != act.id)
    for other in session.scalars(_open(act.account_id).where(*others).with_for_update()).all():
        end(services, session, other, "lapsed")


def end(services: Services, session: Session, act: WaitingAct, how: str) -> None:
    """Record how it ended, and remove a key that waited for approval unless that is `done`."""
    act.ended_at, act.how = services.now(), how
    if act.act == "let-in" and how != "done":
        late = (AccountKey.account_id == act.account_id, AccountKey.kid == act.about, ~AccountKey.counts)
        session.execute(sa.delete(AccountKey).where(*late))


def due(now: datetime) -> sa.Select[int]:
    """Acts whose time has come, oldest first."""
    late = (WaitingAct.ended_at.is_(None), WaitingAct.due_at <= now)
    return sa.select(WaitingAct.id).where(*late).order_by(WaitingAct.due_at)


Effect = Callable[[Services, Session, WaitingAct], bool]


def carry_out(services: Services, number: int, effects: Mapping[str, Effect]) -> bool:
    """Carry out an act that still waits and is due; was it done now?"""
    whose = sa.select(WaitingAct.account_id).where(WaitingAct.id == number).scalar_subquery()
    with services.database.write() as session:
        lock_accounts(session, Account.id == whose)
        act = session.scalar(sa.select(WaitingAct).where(WaitingAct.id == number).with_for_update())
        if act is None or act.ended_at is not None or act.due_at > services.now():
            return False
        done = effects[act.act](services, session, act)
        end(services, session, act, "done" if done else "lapsed")
    log.info("waited", act=act.act, done=done)
    return True


def _open(account_id: int) -> sa.Select[WaitingAct]:
    where = (WaitingAct.account_id == account_id, WaitingAct.ended_at.is_(None))
    return sa.select(WaitingAct).where(*where).order_by(WaitingAct.id)


def _own_act(session: Session, account_id: int, number: int) -> WaitingAct:
    return locked(session, _open(account_id).where(WaitingAct.id == number))


# --- Requests without a signature -------------------------------------------------------------------------------------
# irreversible acts on things that exist, to happen in seven days.


def request_unsigned(services: Services, due: AccountAct) -> int:
    """The number of the waiting act."""
    with services.database.write() as session:
        if not _is_there(session, due):
            raise Problem("not-found")
        made = request(services, session, due)
    return notify(services, made)


def _is_there(session: Session, due: AccountAct) -> bool:
    match due.act:
        case "drop-key":
            mine = (AccountKey.account_id == due.account_id, AccountKey.kid == due.about)
            return session.scalar(sa.select(AccountKey.id).where(*mine)) is not None
        case "drop-box":
            box = session.get(KeyBox, due.account_id)
            return box is not None and box.kid == due.about
        case _:
            return due.about == ""
