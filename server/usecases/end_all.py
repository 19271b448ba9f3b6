"""One button for whoever fears that somebody else is in: everything that acts for the account without its owner ends.

Keys stay, since they sign for seats; one is dropped by a signature. What waits is cancelled: who is afraid of somebody
wants none of it, and asks again for what he wanted.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.auth import sessions
from server.db.models import Account, ApiToken, KeyChallenge, LoginLink
from server.log import events
from server.services import Services
from server.usecases import calendar, hooks, waiting


def end_all(services: Services, account_id: int) -> None:
    """Sessions, links that are on their way, tokens, webhooks and the calendar, those of its bots with them."""
    with services.database.write() as session:
        theirs = sa.or_(Account.id == account_id, Account.owner_id == account_id)
        asked = sa.select(Account).where(theirs, Account.erased_at.is_(None)).order_by(Account.id)
        accounts = session.scalars(asked.with_for_update()).all()
        for account in accounts:
            _end(services, session, account)
    services.waker.wake([], events.pokes([account.id for account in accounts]))  # their streams end now


def _end(services: Services, session: Session, account: Account) -> None:
    now = services.now()
    live = (ApiToken.account_id == account.id, ApiToken.revoked_at.is_(None))
    session.execute(sa.update(ApiToken).where(*live).values(revoked_at=now))
    sessions.end_all(session, account.id)
    session.execute(sa.delete(KeyChallenge).where(KeyChallenge.account_id == account.id))
    hooks.delete_all(session, account.id)
    calendar.drop_in(session, account.id)
    waiting.cancel_all(services, session, account.id)
    if account.email is not None:
        links = (LoginLink.email == account.email, LoginLink.used_at.is_(None))
        session.execute(sa.update(LoginLink).where(*links).values(used_at=now))
