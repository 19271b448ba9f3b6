"""A new mail address: confirmed by a link at the new one, and at the old one unless a key has signed for it.

Besides the new address, two of three are needed: the old address, a signature, seven days. Signed and confirmed at both
addresses, the change happens at once. Signed alone, it waits so that the old address can cancel it; unsigned, it needs
the old address and the seven days. A guest needs only a link at the new address. A change ends the others that
wait. Only the reader of its mail learns whether the new address already has an account.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.accounts import statements, waiting_acts
from server.accounts.statements import AccountAct
from server.kernel import secrets
from server.kernel.db.account_lock import lock_account, lock_accounts
from server.kernel.db.models import Account, LoginLink, WaitingAct
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import box_of
from server.log import quotas
from server.mailbox import delivery_reports
from server.tables import limits


def request_change(services: Services, account_id: int, email: str, proof: str | None) -> int:
    """Mail links to both addresses, or to a guest's first one; the number of the waiting act."""
    email = email.strip().lower()
    due = AccountAct(account_id, "address", email)
    with services.database.write() as session:
        quotas.lock(services, session, account_id)
        account = lock_account(session, account_id)
        if account.bot or account.email == email:
            raise Problem("same-address", found=email)
        if proof is not None:
            statements.check(services, session, proof, due)
        _check_often(services, session, due)
        made = waiting_acts.request(services, session, due)
        act = session.get_one(WaitingAct, made.id)
        act.is_signed = act.is_signed or proof is not None
        if account.guest_since is not None:
            act.is_signed, act.old_said_at = True, services.now()
        _do_if_sure(services, session, act)
    return waiting_acts.notify(services, made)


def link_target(services: Services, token: str) -> tuple[WaitingAct, str]:
    """The act and the side (`old` or `new`) of a mailed link; Problem `bad-link` once the act has ended."""
    named = secrets.waiting_number(token)
    with services.database.read() as session:
        act = None if named is None else session.get(WaitingAct, named[0])
    if named is None or act is None or act.ended_at is not None:
        raise Problem("bad-link")
    if not secrets.is_good_link(token, secrets.waiting_token(services.master, act, named[1])):
        raise Problem("bad-link")
    return act, named[1]


def confirm(services: Services, token: str) -> WaitingAct:
    """Confirm one of the two addresses with the token that was mailed to it."""
    found, side = link_target(services, token)
    if found.act != "address":
        raise Problem("bad-link")
    with services.database.write() as session:
        lock_accounts(session, Account.id == found.account_id)
        act = session.scalars(sa.select(WaitingAct).where(WaitingAct.id == found.id).with_for_update()).one()
        if act.ended_at is not None:
            raise Problem("bad-link")
        if side == "new":
            _check_free(session, act)
            act.new_said_at = act.new_said_at or services.now()
        else:
            act.old_said_at = act.old_said_at or services.now()
        _do_if_sure(services, session, act)
    return act


def cancel(services: Services, token: str) -> WaitingAct:
    """Cancel the act that the link in the mail to the account's own address is about."""
    found, side = link_target(services, token)
    if side != "old":
        raise Problem("bad-link")
    waiting_acts.cancel(services, found.account_id, found.id)
    return found


def change(services: Services, session: Session, act: WaitingAct) -> bool:
    """Change the address after the wait; False if confirmations are missing or the address now has an account."""
    if act.new_said_at is None or not (act.is_signed or act.old_said_at):
        return False
    if session.scalar(_holder(act.about)) is not None:
        return False
    account = session.scalars(sa.select(Account).where(Account.id == act.account_id).with_for_update()).one()
    used = sa.update(LoginLink).where(LoginLink.email == account.email, LoginLink.used_at.is_(None))
    session.execute(used.values(used_at=services.now()))
    account.email, account.guest_since = act.about, None
    waiting_acts.end_others(services, session, act)  # somebody else may read the mailbox of a mistyped one
    delivery_reports.lift_stop(services, session, account.id)
    return True


def _do_if_sure(services: Services, session: Session, act: WaitingAct) -> None:
    if act.is_signed and act.old_said_at and act.new_said_at and change(services, session, act):
        waiting_acts.end(services, session, act, "done")


def _check_free(session: Session, act: WaitingAct) -> None:
    """Refused only after the new address is confirmed, so that it reveals nothing to others."""
    if session.scalar(_holder(act.about)) is not None:
        raise Problem("address-taken")


def _holder(email: str) -> sa.Select[int]:
    return sa.select(Account.id).where(Account.email == email)


def _check_often(services: Services, session: Session, due: AccountAct) -> None:
    """By the account's own requests, and by all that were about this mailbox."""
    limits.check(services, session, due.account_id, "address_mails")
    quotas.lock_mailbox(services, session, due.about)
    new = (WaitingAct.act == "address", WaitingAct.created_at > services.now() - limits.DAY)
    there = WaitingAct.about.endswith(f"@{due.about.rpartition('@')[2]}", autoescape=True)
    asked = session.scalars(sa.select(WaitingAct.about).where(*new, there))
    if sum(box_of(to) == box_of(due.about) for to in asked) >= limits.MOST_ADDRESS_MAILS:
        raise limits.reached("address_mails", limits.MOST_ADDRESS_MAILS)
