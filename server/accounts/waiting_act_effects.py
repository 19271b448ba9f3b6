"""The effects of waiting acts when seven days are over, by name; each is carried out once, completely or not at all."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.accounts import address, waiting_acts, write
from server.accounts.keys import backup
from server.accounts.waiting_acts import Effect
from server.kernel.db.models import Account, AccountKey, WaitingAct
from server.kernel.services import Services
from server.log import outbox


def _erase(services: Services, session: Session, act: WaitingAct) -> bool:
    write.erase_account_in(services, session, act.account_id)
    return True


def _drop_key(_services: Services, session: Session, act: WaitingAct) -> bool:
    session.execute(sa.delete(AccountKey).where(*_key(act)))
    return True


def _approve_key(_services: Services, session: Session, act: WaitingAct) -> bool:
    session.execute(sa.update(AccountKey).where(*_key(act)).values(counts=True))
    return True


def _drop_box(services: Services, session: Session, act: WaitingAct) -> bool:
    backup.drop(services, session, act.account_id, act.about)
    return True


def _key(act: WaitingAct) -> tuple[sa.ColumnElement[bool], ...]:
    return (AccountKey.account_id == act.account_id, AccountKey.kid == act.about)


EFFECTS: Mapping[str, Effect] = {
    "erase": _erase,
    "address": address.change,
    "drop-key": _drop_key,
    "drop-box": _drop_box,
    "let-in": _approve_key,
}


def carry_out(services: Services, number: int) -> bool:
    """Carry it out; False if another clock already has."""
    with services.database.read() as session:
        act = session.get_one(WaitingAct, number)
        bots = session.scalars(sa.select(Account.id).where(Account.owner_id == act.account_id)).all()
    done = waiting_acts.carry_out(services, number, EFFECTS)
    services.waker.wake([], outbox.topics([act.account_id, *bots] if done else []))
    return done
