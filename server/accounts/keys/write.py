"""Keys of an account: a signature of the server's nonce by the new key proves possession.

The first one is approved at once. A further one plays like any key, but signs for the account only once an approved key
or the recovery key has approved it, or after seven days: otherwise anyone who reads the mail could sign.
"""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.signed import keys
from server.accounts import statements, waiting_acts
from server.accounts.statements import AccountAct
from server.kernel.db.account_lock import lock_account
from server.kernel.db.models import Account, AccountKey, KeyBox
from server.kernel.db.session import locked
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import quotas, recovery

TYP = "sealedmove-key+jws"
APPROVAL_TIME = timedelta(minutes=10)  # how long a request for approval is good
MEMBERS = {"v", "aud", "act", "key", "nonce"}


def register(services: Services, account_id: int, compact: str, session_id: int | None = None) -> AccountKey:
    """Register the key that signed the challenge; if it is registered already, request approval again.

    `session_id` is the browser's session that asks, so that ending that session can drop its key too.
    """
    jws = keys.read_jws(compact, TYP)
    public = _check_payload(services, jws)
    kid = keys.thumbprint(public)
    try:
        with services.database.write() as session:
            quotas.lock(services, session, account_id)  # that of a waiting act: before the account
            account = lock_account(session, account_id)  # registrations of an account queue at its row
            statements.use_challenge(services, session, account_id, jws.payload["nonce"])
            owned = _owned(session, account_id, kid)
            made = None if owned is not None else _add(services, session, account, public)
            owned = owned or session.scalars(sa.select(AccountKey).where(AccountKey.kid == kid)).one()
            owned.asked_at, owned.session_id = services.now(), session_id
    except IntegrityError:
        raise Problem("key-owned", kid=kid) from None
    if made is not None:
        waiting_acts.notify(services, made)
    return owned


def approve(services: Services, account_id: int, kid: str, proof: str | None) -> AccountKey:
    """Approve a key that asked in the last ten minutes; needs the signature of an approved one."""
    due = AccountAct(account_id, "let-in", kid)
    with services.database.write() as session:
        key = _own_key(session, account_id, kid)
        if key.asked_at is None or key.asked_at <= services.now() - APPROVAL_TIME:
            raise Problem("asked-too-long-ago", kid=kid)
        statements.check_signed(services, session, proof, due)
        key.counts = True
        waiting_acts.end_about(services, session, due)
    return key


def remove(services: Services, account_id: int, kid: str, proof: str | None) -> None:
    """Forget whose key it is. A key that is not approved needs no signature, since its loss does no harm.

    Seats that it holds keep it: dropping a seat's key is an act of the record.
    """
    due = AccountAct(account_id, "drop-key", kid)
    with services.database.write() as session:
        key = _own_key(session, account_id, kid)
        if key.counts or proof is not None:
            statements.check_person(services, session, proof, due)
        session.delete(key)
        for act in (due, AccountAct(account_id, "let-in", kid)):
            waiting_acts.end_about(services, session, act)


def is_new(services: Services, account_id: int, kid: str) -> bool:
    """Is it a key of the account that is not approved yet?"""
    new = (AccountKey.account_id == account_id, AccountKey.kid == kid, ~AccountKey.counts)
    with services.database.read() as session:
        return session.scalar(sa.select(AccountKey.id).where(*new)) is not None


def _owned(session: Session, account_id: int, kid: str) -> AccountKey | None:
    """The key, if the account already has it; Problem `key-owned` if another has, or if it is a recovery key."""
    found = session.scalar(sa.select(AccountKey).where(AccountKey.kid == kid))
    boxed = session.scalar(sa.select(KeyBox.account_id).where(KeyBox.kid == kid))
    if boxed is not None or (found is not None and found.account_id != account_id):
        raise Problem("key-owned", kid=kid)
    return found


def _add(services: Services, session: Session, account: Account, public: bytes) -> waiting_acts.RequestedAct | None:
    """Add a key, approved or waiting for approval."""
    kid, now = keys.thumbprint(public), services.now()
    counts = account.bot or not _is_guarded(session, account.id)
    session.add(
        AccountKey(account_id=account.id, kid=kid, x=canonical.to_base64url(public), counts=counts, created_at=now)
    )
    recovery.assign_seats(session, account.id, kid)
    session.flush()
    return None if counts else waiting_acts.request(services, session, AccountAct(account.id, "let-in", kid))


def _is_guarded(session: Session, account_id: int) -> bool:
    """Does the account have anything that can sign for it?"""
    counting = sa.select(AccountKey.id).where(AccountKey.account_id == account_id, AccountKey.counts).limit(1)
    return session.get(KeyBox, account_id) is not None or session.scalar(counting) is not None


def _own_key(session: Session, account_id: int, kid: str) -> AccountKey:
    lock_account(session, account_id)
    mine = sa.select(AccountKey).where(AccountKey.account_id == account_id, AccountKey.kid == kid)
    return locked(session, mine)


def _check_payload(services: Services, jws: keys.Jws) -> bytes:
    payload = jws.payload
    if set(payload) != MEMBERS or payload["act"] != "register" or not statements.is_version_1(payload["v"]):
        raise BadRecord("bad-form", "the payload has exactly v (1), aud, act (register), key and nonce")
    if payload["aud"] != services.settings.server_name:
        raise Problem("wrong-audience", found=payload["aud"], expected=services.settings.server_name)
    public = keys.parse_jwk(payload["key"])
    jws.verify(public)
    return public
