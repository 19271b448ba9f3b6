"""What a link in a mail chooses about mails: one thing, by POST, for whoever has the mail.

So a mail that was forwarded can change which mails come, and nothing more: nobody is signed in, and nothing is told of
the account. A link about a table works as long as its reader sits there. One about all mail counts at all tables, also
where something else was chosen: who wants no more of it gets no more of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.auth import links
from server.db.models import Account, MailException, Seat
from server.errors import Problem
from server.mailing import kept
from server.mailing.choices import KINDS, Choices, Exceptions
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
        preferences.lock(session, wish.account_id, wish.game_id)
        _change(session, wish, services.now(), back=back)
    return wish


def _change(session: Session, wish: Wish, now: datetime, *, back: bool) -> None:
    whose, choose = wish.account_id, WISHES[wish.name]
    if wish.game_id is not None:
        here = kept.of(session, whose, wish.game_id).exceptions
        preferences.change_there_in(session, whose, wish.game_id, choose(here, back), now)
        return
    preferences.change_in(session, whose, choose(kept.of(session, whose).choices, back), now)
    tables = sa.select(MailException.game_id).where(MailException.account_id == whose)
    for game_id in session.scalars(tables.order_by(MailException.game_id)).all():
        there = choose(kept.of(session, whose, game_id).exceptions, back)
        preferences.change_there_in(session, whose, game_id, there, now)


Chosen = Choices | Exceptions


def _digest(_: Chosen, back: bool) -> Mapping[str, Any]:
    return dict.fromkeys(KINDS, None if back else "digest")


def _text(was: Chosen, back: bool) -> Mapping[str, Any]:
    return {"picture": back if isinstance(was, Choices) else None}


def _off(was: Chosen, back: bool) -> Mapping[str, Any]:
    everywhere = "on" if back else "off"
    return dict.fromkeys(KINDS, everywhere if isinstance(was, Choices) else None)


def _no_digest(was: Chosen, back: bool) -> Mapping[str, Any]:
    """Whoever takes it back has his questions in it again: what else was in it nobody knows any more."""
    if back:
        return {"turn": "digest"} if was.turn == "off" else {}
    return {kind: "off" for kind in KINDS if getattr(was, kind) == "digest"}


WISHES: Mapping[str, Callable[[Chosen, bool], Mapping[str, Any]]] = {
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
