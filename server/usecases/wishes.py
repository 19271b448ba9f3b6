"""What a link in a mail chooses about mails: one thing, by POST, for whoever has the mail.

So a mail that was forwarded can change which mails come, and nothing more: nobody is signed in, and nothing is told of
the account. A link about a table works as long as its reader sits there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.auth import links
from server.db.models import Account, Seat
from server.errors import Problem
from server.mailing import kept
from server.mailing.choices import KINDS, Choices
from server.services import Services
from server.usecases import preferences


@dataclass(frozen=True, slots=True)
class Wish:
    """What a link chooses, for whom, and at which table if not everywhere."""

    name: str
    account_id: int
    game_id: str | None


def read(services: Services, token: str) -> Wish:
    """What the link would do; Problem `bad-link` if it does nothing."""
    with services.database.read() as session:
        return _read(services, session, token)


def carry_out(services: Services, token: str, *, back: bool = False) -> Wish:
    """Do it, or take it `back`."""
    with services.database.write() as session:
        wish = _read(services, session, token)
        session.execute(sa.select(Account.id).where(Account.id == wish.account_id).with_for_update())
        choices = kept.of(session, wish.account_id).choices
        given, now = WISHES[wish.name](choices, back), services.now()
        if wish.game_id is None:
            preferences.change_in(session, wish.account_id, given, now)
        else:
            preferences.change_there_in(session, wish.account_id, wish.game_id, given, now)
    return wish


def _digest(_: Choices, back: bool) -> Mapping[str, Any]:
    return dict.fromkeys(KINDS, None if back else "digest")


def _text(_: Choices, back: bool) -> Mapping[str, Any]:
    return {"picture": back}


def _off(_: Choices, back: bool) -> Mapping[str, Any]:
    return dict.fromkeys(KINDS, "on" if back else "off")


def _no_digest(choices: Choices, back: bool) -> Mapping[str, Any]:
    """Whoever takes it back has his questions in it again: what else was in it nobody knows any more."""
    return {"turn": "digest"} if back else {kind: "off" for kind in KINDS if choices.mode(kind) == "digest"}


WISHES: Mapping[str, Callable[[Choices, bool], Mapping[str, Any]]] = {
    "digest": _digest,
    "text": _text,
    "off": _off,
    "no-digest": _no_digest,
}


def _read(services: Services, session: Session, token: str) -> Wish:
    named = links.read_wish_token(services.settings.master, token)
    if named is None or not _is_there(session, *named[1:]):
        raise Problem("bad-link")
    return Wish(*named)


def _is_there(session: Session, account_id: int, game_id: str | None) -> bool:
    account = session.get(Account, account_id)
    if account is None or account.erased_at is not None:
        return False
    held = sa.select(Seat.seat).where(Seat.game_id == game_id, Seat.account_id == account_id)
    return game_id is None or session.scalar(held) is not None
