"""Statements that an account signs: the act, the account, what it is about, and the time.

Mail gives access but must not allow destruction. Irreversible acts therefore need a statement by an approved key of the
account, or seven days (`server.accounts.waiting_acts`). The nonce and its time are the server's, so a statement is
valid once, for ten minutes, whatever the device's clock shows.

payload   {"v":1,"aud":SERVER,"act":ACT,"account":7,"about":TEXT,"at":TIME,"nonce":NONCE}, typ `sealedmove-account+jws`
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.signed import keys
from server.kernel.db.models import Account, AccountKey, KeyBox, KeyChallenge
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import iso

TYP = "sealedmove-account+jws"
MEMBERS = {"v", "aud", "act", "account", "about", "at", "nonce"}
# A recovery key adds and drops keys, and replaces the key backup; it signs nothing else.
OF_RECOVERY = frozenset({"box", "drop-box", "drop-key", "let-in"})


@dataclass(frozen=True, slots=True)
class AccountAct:
    """The requested act, which the statement must match."""

    account_id: int
    act: str
    about: str = ""


def check(services: Services, session: Session, compact: str, due: AccountAct) -> None:
    """Use up the statement, in the transaction of its act. Problem or BadRecord unless it is valid for this act."""
    jws = keys.read_jws(compact, TYP)
    _check_payload(services, jws, due)
    jws.verify(_signer(session, jws.kid, due))
    given_at = use_challenge(services, session, due.account_id, jws.payload["nonce"])
    if jws.payload["at"] != iso(given_at):
        raise Problem("wrong-statement", member="at", expected=iso(given_at), found=str(jws.payload["at"]))


def check_signed(services: Services, session: Session, compact: str | None, due: AccountAct) -> None:
    """The same; without a statement Problem `unsigned-act`."""
    if compact is None:
        raise Problem("unsigned-act", act=due.act, about=due.about)
    check(services, session, compact, due)


def check_person(services: Services, session: Session, compact: str | None, due: AccountAct) -> None:
    """The same for a person; a bot needs none, since no mail gives access to it."""
    if compact is not None or not session.get_one(Account, due.account_id).bot:
        check_signed(services, session, compact, due)


def is_version_1(value: object) -> bool:
    """The number 1, which `true` equals in Python."""
    return value == 1 and not isinstance(value, bool)


def _check_payload(services: Services, jws: keys.Jws, due: AccountAct) -> None:
    payload = jws.payload
    if set(payload) != MEMBERS or not is_version_1(payload["v"]):
        raise BadRecord("bad-form", "the payload has exactly v (1), aud, act, account, about, at and nonce")
    if payload["aud"] != services.settings.server_name:
        raise Problem("wrong-audience", found=payload["aud"], expected=services.settings.server_name)
    for member, expected in (("act", due.act), ("account", due.account_id), ("about", due.about)):
        if payload[member] != expected or isinstance(payload[member], bool):
            raise Problem("wrong-statement", member=member, expected=expected, found=payload[member])


def _signer(session: Session, kid: str, due: AccountAct) -> bytes:
    """The public key of the account that may sign this."""
    box = session.get(KeyBox, due.account_id)
    if due.act in OF_RECOVERY and box is not None and box.kid == kid:
        return canonical.from_base64url(box.x, 32)
    mine = sa.select(AccountKey).where(AccountKey.account_id == due.account_id, AccountKey.kid == kid)
    key = session.scalar(mine)
    if key is None:
        raise Problem("unregistered-key", kid=kid)
    if not key.counts:
        raise Problem("new-key", kid=kid)
    public = canonical.from_base64url(key.x, 32)
    assert keys.thumbprint(public) == kid
    return public


# --- Nonces that a key must sign --------------------------------------------------------------------------------------
# issued to one account, valid for ten minutes, used up by one signature.


CHALLENGE_LIFETIME = timedelta(minutes=10)


class Challenge(NamedTuple):
    """A nonce to sign, and when it was issued."""

    nonce: str
    at: datetime


def give_challenge(services: Services, account_id: int) -> Challenge:
    """A nonce for one signature."""
    made = Challenge(canonical.to_base64url(services.random(32)), services.now())
    with services.database.write() as session:
        session.add(KeyChallenge(account_id=account_id, nonce=made.nonce, created_at=made.at))
    return made


def use_challenge(services: Services, session: Session, account_id: int, nonce: object) -> datetime:
    """When it was issued; Problem `bad-challenge` if it is another account's, used, or too old."""
    now = services.now()
    live = (
        KeyChallenge.account_id == account_id,
        KeyChallenge.nonce == str(nonce),
        KeyChallenge.used_at.is_(None),
        KeyChallenge.created_at > now - CHALLENGE_LIFETIME,
    )
    used = sa.update(KeyChallenge).where(*live).values(used_at=now).returning(KeyChallenge.created_at)
    given_at = session.scalar(used)
    if given_at is None:
        raise Problem("bad-challenge")
    return given_at
