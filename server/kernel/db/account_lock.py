"""The lock under which what belongs to an account is written, erased or ended.

It is taken before the account's waiting acts, links, keys and nonces: transactions that take them in different orders
could wait for each other.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Account
from server.kernel.errors import Problem


def lock_account(session: Session, account_id: int, *, key_share: bool = False) -> Account:
    """The account, locked until the transaction ends; Problem `not-signed-in` if it was erased since the request began.

    With `key_share` others may still add rows that refer to it.
    """
    mine = sa.select(Account).where(Account.id == account_id, Account.erased_at.is_(None))
    account = session.scalar(mine.with_for_update(key_share=key_share))
    if account is None:
        raise Problem("not-signed-in")
    return account


def lock_accounts(session: Session, which: sa.ColumnElement[bool], *, key_share: bool = False) -> None:
    """The same for those that there are, erased or not."""
    session.execute(sa.select(Account.id).where(which).with_for_update(key_share=key_share))
