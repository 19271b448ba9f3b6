"""Key backups: an account's recovery key, encrypted with a code that never leaves its owner (JWE, RFC 7516).

The server keeps the text and cannot open it. It checks only the form: exactly the header that all our readers accept
(docs/spec/keybox.md), for this server and account, with the `kid` of the recovery key, whose public half is sent with
it. A new code means a new recovery key, so no key is ever in two backups: the `kid` identifies a backup and is its
ETag. A replaced backup stays readable for its owner, since seats keep its key until each of them has the new one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.signed import keys
from server.accounts import statements, waiting_acts
from server.accounts.statements import AccountAct
from server.kernel.db.account_lock import lock_account
from server.kernel.db.models import AccountKey, FormerBox, KeyBox
from server.kernel.errors import Problem
from server.kernel.services import Services

LONGEST = 4096
MEMBERS = {"alg", "aud", "enc", "kid", "p2c", "p2s", "sub"}
# 128 random bits need no stretching, and common libraries accept about this many rounds by default.
FIXED = {"alg": "PBES2-HS512+A256KW", "enc": "A256GCM", "p2c": 8192}
SALT, WRAPPED, IV, TAG = 16, 40, 12, 16
LONGEST_KEY = 512
MOST_FORMER = 8


@dataclass(frozen=True, slots=True)
class SubmittedBackup:
    """A backup as its owner sent it: the JWE, and the public half of the key in it."""

    box: str
    x: str


def show(services: Services, account_id: int) -> tuple[KeyBox, list[str]]:
    """The account's backup and those that it has replaced, newest first; Problem `not-found` if it has none."""
    with services.database.read() as session:
        found = session.get(KeyBox, account_id)
        former = [row.box for row in _former(session, account_id) if row.box is not None]
    if found is None:
        raise Problem("not-found")
    return found, former


def put(
    services: Services, account_id: int, given: SubmittedBackup, has: Callable[[str | None], bool], proof: str | None
) -> bool:
    """Store this backup in place of the one that the caller `has`, by its kid; returns whether it is the first.

    Needs a signature. Players without a key first register one, which is approved after seven days.
    """
    kid = _kid(services, account_id, given)
    digest = canonical.to_base64url(hashlib.sha256(given.box.encode()).digest())
    try:
        with services.database.write() as session:
            before = _current(session, account_id, has)
            statements.check_signed(services, session, proof, AccountAct(account_id, "box", digest))
            _check_new(session, account_id, kid)
            if before is not None:
                _end(services, session, before, before.box)
            session.add(KeyBox(account_id=account_id, box=given.box, kid=kid, x=given.x, created_at=services.now()))
    except IntegrityError:  # the same key in another account's backup
        raise Problem("key-owned", kid=kid) from None
    return before is None


def delete(services: Services, account_id: int, has: Callable[[str | None], bool], proof: str | None) -> None:
    """Delete the backup; needs a signature."""
    with services.database.write() as session:
        box = _current(session, account_id, has)
        if box is None:
            raise Problem("not-found")
        act = AccountAct(account_id, "drop-box", box.kid)
        statements.check_signed(services, session, proof, act)
        waiting_acts.end_about(services, session, act)
        _end(services, session, box)


def drop(services: Services, session: Session, account_id: int, kid: str) -> None:
    """Carry out the waiting act: delete this backup and no later one."""
    box = session.get(KeyBox, account_id)
    if box is not None and box.kid == kid:
        _end(services, session, box)


def _current(session: Session, account_id: int, has: Callable[[str | None], bool]) -> KeyBox | None:
    """The backup, if it is the one that the caller has. Writers of an account's backup queue at its row."""
    lock_account(session, account_id)
    box = session.get(KeyBox, account_id)
    if not has(None if box is None else box.kid):
        raise Problem("box-changed", found=None if box is None else box.kid)
    return box


def _end(services: Services, session: Session, box: KeyBox, kept: str | None = None) -> None:
    """End the backup: its text is `kept` for seats that still have its key, or deleted with all former ones."""
    session.add(FormerBox(account_id=box.account_id, kid=box.kid, box=kept, ended_at=services.now()))
    session.delete(box)
    session.flush()
    for row in _former(session, box.account_id)[MOST_FORMER if kept else 0 :]:
        row.box = None


def _former(session: Session, account_id: int) -> Sequence[FormerBox]:
    """The former backups, newest first."""
    mine = sa.select(FormerBox).where(FormerBox.account_id == account_id)
    return session.scalars(mine.order_by(FormerBox.ended_at.desc(), FormerBox.kid)).all()


def _check_new(session: Session, account_id: int, kid: str) -> None:
    """Refuse a device's key as recovery key, and a recovery key that was in an earlier backup."""
    was = session.get(FormerBox, (account_id, kid)) is not None
    box = session.get(KeyBox, account_id)
    if was or (box is not None and box.kid == kid):
        raise Problem("same-recovery-key", kid=kid)
    if session.scalar(sa.select(AccountKey.id).where(AccountKey.kid == kid)) is not None:
        raise Problem("key-owned", kid=kid)


def _kid(services: Services, account_id: int, given: SubmittedBackup) -> str:
    """The thumbprint of the key in it; Problem `bad-box` unless it has the right form."""
    try:
        header = _parts(given.box)
        kid = keys.thumbprint(keys.parse_jwk({"crv": "Ed25519", "kty": "OKP", "x": given.x}))
    except BadRecord as bad:
        raise Problem("bad-box", says=bad.says) from None
    due = {**FIXED, "aud": services.settings.server_name, "kid": kid, "sub": str(account_id)}
    for member, expected in due.items():
        if header[member] != expected or type(header[member]) is not type(expected):
            raise Problem("bad-box", member=member, expected=expected, found=header[member])
    return kid


def _parts(box: str) -> dict[str, object]:
    """The header of the compact JWE, whose other parts must have the lengths that the algorithms give."""
    if len(box) > LONGEST:
        raise BadRecord("too-long", f"a box has at most {LONGEST} characters, this one {len(box)}")
    parts = box.split(".")
    if len(parts) != 5:
        raise BadRecord("bad-form", "a compact JWE has five parts")
    header = canonical.loads_sent(canonical.from_base64url(parts[0]))
    if set(header) != MEMBERS:
        raise BadRecord("bad-header", f"the header has exactly the members {', '.join(sorted(MEMBERS))}")
    canonical.from_base64url(header["p2s"], SALT)
    for part, length in ((1, WRAPPED), (2, IV), (4, TAG)):
        canonical.from_base64url(parts[part], length)
    if not 0 < len(canonical.from_base64url(parts[3])) <= LONGEST_KEY:
        raise BadRecord("bad-length", f"the wrapped key has 1 to {LONGEST_KEY} bytes")
    return header
