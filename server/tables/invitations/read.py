"""Invitations as their host, and as the invited person, sees them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import secrets
from server.kernel.db.models import Account, Game, Place, Uninvited
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import badged, iso
from server.log import places
from server.log.seats import ASKED
from server.tables import blocks
from server.tables.read import game_row, title_of


def made(services: Services, game_id: str, account_id: int) -> list[dict[str, Any]]:
    """The invitations to a table, for its host; an address is shown to whoever typed it, while the seat is kept."""
    query = sa.select(Place, Account).join(Account, Account.id == Place.account_id, isouter=True)
    with services.database.read() as session:
        if game_row(session, game_id).host_id != account_id:
            raise Problem("not-host")
        here = query.where(Place.game_id == game_id, Place.kind != "house").order_by(Place.id)
        return [_made(services, account_id, *row) for row in session.execute(here)]


def _made(services: Services, account_id: int, place: Place, account: Account | None) -> dict[str, Any]:
    is_over = place.state == "asked" and place.until <= services.now()
    return {
        "id": place.id,
        "seat": place.seat,
        "handle": account and account.handle,
        "name": account and badged(account.name, bot=account.bot),
        "email": place.email if place.by_id == account_id else None,
        "state": "over" if is_over else place.state,
        "since": iso(place.made_at),
        "until": iso(place.until),
    }


def received(services: Services, account_id: int) -> list[dict[str, Any]]:
    """The seats that are kept for an account, oldest first, without those of inviters whom it refuses.

    `own`, for pages: the account asked for the rematch itself.
    """
    by = sa.orm.aliased(Account)
    with services.database.read() as session:
        query = sa.select(Place, Game, by).join(Game, Game.id == Place.game_id)
        query = query.join(by, by.id == Place.by_id, isouter=True).where(*lasting(services, session, account_id))
        found = session.execute(query.order_by(Place.made_at, Place.game_id, Place.seat)).all()
        return [_received(*row) | {"own": row.Place.by_id == account_id} for row in found]


def lasting(services: Services, session: Session, account_id: int) -> tuple[sa.ColumnElement[bool], ...]:
    """Of a row of `Place` and its `Game`: is the seat kept for this account, which does not refuse the inviter?"""
    account = session.get_one(Account, account_id)
    mac = mailbox(services, account)
    refused = sa.exists(sa.select(Uninvited.id).where(refusals(mac, account, Place.by_id)))
    unwanted = sa.or_(refused, sa.func.coalesce(Place.by_id, 0).in_(blocks.apart_with_bots(account)))
    lasts = sa.or_(Place.kind == "house", sa.and_(Place.until > services.now(), Game.status == "lobby"))
    return places.is_of(account), ASKED, lasts, sa.not_(unwanted)


def mailbox(services: Services, account: Account) -> bytes | None:
    """The mailbox of an account, as places name it."""
    return None if account.email is None else secrets.box_mac(services.master, account.email)


def refusals(box_mac: bytes | None, account: Account | None, by_id: object) -> sa.ColumnElement[bool]:
    """The wishes of this mailbox or account not to be invited by this inviter."""
    return sa.and_(refused_by(box_mac, account), sa.or_(Uninvited.by_id.is_(None), Uninvited.by_id == by_id))


def refused_by(box_mac: bytes | None, account: Account | None) -> sa.ColumnElement[bool]:
    """All the wishes of this mailbox or account not to be invited."""
    own = sa.false() if account is None else Uninvited.account_id == account.id
    box = sa.false() if box_mac is None else Uninvited.box_mac == box_mac
    return sa.or_(own, box)


def refused_inviters(services: Services, account_id: int) -> list[dict[str, Any]]:
    """The inviters whom an account refuses by itself or by its mailbox, newest first; `by` is None for everybody."""
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        own = refused_by(mailbox(services, account), account)
        query = sa.select(Uninvited, Account).join(Account, Account.id == Uninvited.by_id, isouter=True).where(own)
        found = session.execute(query.order_by(Uninvited.at.desc(), Uninvited.id.desc())).all()
    newest = {row.Uninvited.by_id: row for row in reversed(found)}
    return [_refused(*row) for row in found if newest[row.Uninvited.by_id] is row]


def _refused(refusal: Uninvited, by: Account | None) -> dict[str, Any]:
    return {"id": refusal.id, "by": by and {"name": by.name, "handle": by.handle}, "since": iso(refusal.at)}


def _received(place: Place, game: Game, by: Account | None) -> dict[str, Any]:
    return {
        "id": place.id,
        "game": game.id,
        "type": game.type,
        "title": title_of(game.type),
        "seat": place.seat,
        "kind": place.kind,
        "act": "join" if game.status == "lobby" else "take",
        "by": None if by is None else {"name": by.name, "handle": by.handle},
        "since": iso(place.made_at),
        "until": iso(place.until),
    }
