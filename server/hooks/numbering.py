"""Numbers the events of accounts, before anybody reads them.

The numbers of an account have no gap, even with concurrent writers: a reader of event n has seen all up to n. An entry
stores its events without numbers and locks no account (`server.log.outbox`). Here the rows of the accounts are locked,
and what has been committed by then is numbered in the order of its ids. What is committed later gets higher numbers, so
no reader ever misses a lower one. Entries of one game are written one at a time, so their events stay in order.

An event that nobody reads waits without a number until it is as old as events are kept. Then it is deleted, and its
number counts as used, so a later reader gets `reset` (`server.operate.retention`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Base, Hook
from server.kernel.db.session import Database

MOST = 1000  # events in one transaction, which locks their accounts
_tables = Base.metadata.tables
_account, _event, _unnumbered = (_tables[name] for name in ("account", "account_event", "unnumbered_event"))
COPIED = [column for column in _unnumbered.columns if column.name != "id"]


def number(database: Database, accounts: Collection[int]) -> None:
    """Number all events of these accounts."""
    if accounts:
        _number_all(database, _unnumbered.c.account_id.in_(accounts))


def number_hooked(database: Database) -> None:
    """Number all events of accounts with webhooks that run."""
    running = sa.select(Hook.account_id).where(Hook.paused.is_(None))
    _number_all(database, _unnumbered.c.account_id.in_(running))


def _number_all(database: Database, which: sa.ColumnElement[bool]) -> None:
    """Look first: usually there are none, and nothing is written."""
    asked = sa.select(_unnumbered.c.account_id).where(which).order_by(_unnumbered.c.id).limit(MOST)
    found = True
    while found:
        with database.read() as session:
            accounts = set(session.scalars(asked))
        if not accounts:
            return
        with database.write() as session:
            found = _number_in(session, accounts)


def _number_in(session: Session, accounts: Collection[int]) -> bool:
    """The oldest events of these accounts, in one transaction; False if all that are left are just being deleted.

    Those of erased accounts are deleted.
    """
    held = sa.select(_account.c.id, _account.c.events, _account.c.erased_at).where(_account.c.id.in_(accounts))
    locked = session.execute(held.order_by(_account.c.id).with_for_update(key_share=True)).all()
    asked = sa.select(_unnumbered).where(_unnumbered.c.account_id.in_(accounts)).order_by(_unnumbered.c.id)
    rows = session.execute(asked.limit(MOST).with_for_update(skip_locked=True)).all()  # those being deleted are too old
    last = {row.id: row.events for row in locked if row.erased_at is None}
    numbered = [_numbered(row, last) for row in rows if row.account_id in last]
    if numbered:
        session.execute(sa.insert(_event), numbered)
        for account in {row["account_id"] for row in numbered}:
            session.execute(sa.update(_account).where(_account.c.id == account).values(events=last[account]))
    session.execute(sa.delete(_unnumbered).where(_unnumbered.c.id.in_([row.id for row in rows])))
    return bool(rows)


def _numbered(row: Any, last: dict[int, int]) -> dict[str, Any]:
    last[row.account_id] += 1
    return {column.name: getattr(row, column.name) for column in COPIED} | {"n": last[row.account_id]}
