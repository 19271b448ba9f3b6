"""An account without an address: begun by one press, and ended after thirty days without a move.

Only the session and the key of its browser lead to it. Once its owner confirms an address it is an account like any
other, with the same name, seats and keys.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import sqlalchemy as sa

from server.accounts.write import erase_account_in
from server.http import credentials
from server.kernel import quarantine, secrets
from server.kernel.db.models import Account, Entry, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import outbox, quotas

KEPT = timedelta(days=30)  # without a move
BATCH = 20  # guests ended in a round of the clock
LOOP = quarantine.Loop("guests", Account.id)


def begin(services: Services) -> tuple[int, str]:
    """A new guest: its account's id, and the secret of its session. Problem `no-guests` if there is room for none."""
    most = services.settings.most_guests
    with services.database.write() as session:
        quotas.lock_guests(services, session)
        here = sa.select(sa.func.count()).select_from(Account).where(Account.guest_since.is_not(None))
        if (session.scalar(here) or 0) >= most:
            raise Problem("no-guests", most=most)
        now, handle = services.now(), secrets.handle(services.random(8))
        account = Account(name=f"Guest {handle[:4]}", handle=handle, created_at=now, guest_since=now)
        session.add(account)
        session.flush()
        return account.id, credentials.begin_session(services, session, account.id)


def end_idle(services: Services) -> int:
    """Erase guests who have not moved for thirty days; returns how many."""
    return sum(quarantine.process(services, LOOP, idle(services.now()), BATCH, partial(_end, services)))


def _end(services: Services, account_id: int) -> bool:
    """Erase a guest, unless they have moved or confirmed an address since they were found."""
    with services.database.write() as session:
        still = idle(services.now()).where(Account.id == account_id).with_for_update(of=Account)
        if session.scalar(still) is None:
            return False
        gone = erase_account_in(services, session, account_id)
    services.waker.wake([], outbox.topics(gone))  # their streams end now
    return True


def idle(now: datetime) -> sa.Select[int]:
    """Guests who have not moved for thirty days, oldest first."""
    late = now - KEPT
    moved = sa.exists().where(
        Seat.account_id == Account.id, Entry.game_id == Seat.game_id, Entry.kind == "moved", Entry.at > late
    )
    guests = sa.select(Account.id).where(Account.guest_since.is_not(None), Account.guest_since <= late, ~moved)
    return guests.order_by(Account.guest_since)
