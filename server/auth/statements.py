"""What an account signs for itself: a statement that names the act, the account, what it is about, and the time.

A mail lets in; it does not destroy. Whatever cannot be undone therefore needs this from a key that counts for the
account, or seven days (`server.usecases.waiting`). The nonce and its time are the server's, so a statement is good
once, for ten minutes, whatever the clock of the device says.

payload   {"v":1,"aud":SERVER,"act":ACT,"account":7,"about":TEXT,"at":TIME,"nonce":NONCE}, typ `sealedmove-account+jws`
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.errors import BadRecord
from engine.record.encoding import base64url
from engine.record.signed import jws as jwss
from engine.record.signed import keys
from server.auth.challenges import use
from server.db.models import Account, AccountKey, KeyBox
from server.errors import Problem
from server.projections.games import iso
from server.services import Services

TYP = "sealedmove-account+jws"
MEMBERS = {"v", "aud", "act", "account", "about", "at", "nonce"}
# What each act is about. Of a box it is the SHA-256 of its text, in base64url.
ABOUT: Mapping[str, str] = {
    "erase": "nothing: an empty text",
    "address": "the new address, in small letters",
    "box": "the SHA-256 of the box's text, in base64url",
    "drop-box": "the `kid` of the box",
    "drop-key": "the `kid` of the key that the account forgets",
    "let-in": "the `kid` of the key that signs for the account from now on",
    "token": "the scopes of the token in the order of the alphabet, with a space between",
}
# A recovery key adds and drops keys, and makes room for another of its kind; it decides nothing else.
OF_RECOVERY = frozenset({"box", "drop-box", "drop-key", "let-in"})


@dataclass(frozen=True, slots=True)
class Act:
    """What is to be done, as the request says it: the statement must say the same."""

    account_id: int
    act: str
    about: str = ""


def check(services: Services, session: Session, compact: str, due: Act) -> None:
    """Use the statement up, in the transaction of its act. Problem or BadRecord unless it is a good one of this act."""
    jws = jwss.read(compact, TYP)
    _check_payload(services, jws, due)
    jws.verify(_signer(session, jws.kid, due))
    given_at = use(services, session, due.account_id, jws.payload["nonce"])
    if jws.payload["at"] != iso(given_at):
        raise Problem("wrong-statement", member="at", expected=iso(given_at), found=str(jws.payload["at"]))


def check_signed(services: Services, session: Session, compact: str | None, due: Act) -> None:
    """The same; without one Problem `unsigned-act`."""
    if compact is None:
        raise Problem("unsigned-act", act=due.act, about=due.about)
    check(services, session, compact, due)


def check_person(services: Services, session: Session, compact: str | None, due: Act) -> None:
    """The same of a person; a bot was made by one, and no mail lets anybody in to it."""
    if compact is not None or not session.get_one(Account, due.account_id).bot:
        check_signed(services, session, compact, due)


def _check_payload(services: Services, jws: jwss.Jws, due: Act) -> None:
    payload = jws.payload
    if set(payload) != MEMBERS or payload["v"] != 1:
        raise BadRecord("bad-form", "the payload has exactly v (1), aud, act, account, about, at and nonce")
    if payload["aud"] != services.settings.server_name:
        raise Problem("wrong-audience", found=payload["aud"], expected=services.settings.server_name)
    for member, expected in (("act", due.act), ("account", due.account_id), ("about", due.about)):
        if payload[member] != expected or isinstance(payload[member], bool):
            raise Problem("wrong-statement", member=member, expected=expected, found=payload[member])


def _signer(session: Session, kid: str, due: Act) -> bytes:
    """The public key of the account that may sign this."""
    box = session.get(KeyBox, due.account_id)
    if due.act in OF_RECOVERY and box is not None and box.kid == kid:
        return base64url.decode(box.x, 32)
    mine = sa.select(AccountKey).where(AccountKey.account_id == due.account_id, AccountKey.kid == kid)
    key = session.scalar(mine)
    if key is None:
        raise Problem("unregistered-key", kid=kid)
    if not key.counts:
        raise Problem("new-key", kid=kid)
    public = base64url.decode(key.x, 32)
    assert keys.thumbprint(public) == kid
    return public
