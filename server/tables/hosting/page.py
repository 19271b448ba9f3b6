"""The forms of a table before its start: for its host, and for players who get ready."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from flask import Response, request

from server.http.page import blueprint, redirect_to, services, signed_in
from server.http.schemas import MOST
from server.kernel.db.models import Account, Game, Seat
from server.kernel.db.tables import Row
from server.kernel.services import Services
from server.kernel.text import badged
from server.tables.hosting import write
from server.tables.invitations import read as invitations


def facts(shown: Services, game: Row, account_id: int | None) -> dict[str, Any] | None:
    """The data of `hosting.html`; None for readers who are neither the host nor at the table."""
    query = sa.select(Seat.seat, Seat.since_seq, Seat.account_id, Seat.ready, Account.name, Account.bot)
    query = query.join(Account, Account.id == Seat.account_id).where(Seat.game_id == game.id).order_by(Seat.seat)
    with shown.database.read() as session:
        seated = session.execute(query).all()
    own = next((one for one in seated if one.account_id == account_id), None)
    is_host = account_id is not None and account_id == game.host_id
    if account_id is None or not (is_host or own):
        return None
    return {
        "is_host": is_host,
        "others": [_other(one) for one in seated if one.account_id != account_id],
        "is_ready": None if own is None or game.start != "ready" else own.ready,
        "invited": [] if not is_host else _open(shown, game.id, account_id),
        "ends_at": game.ends_at,
        "may_keep": is_host and _is_near(game, shown.now()) and game.kept_open < write.MOST_KEPT,
    }


def _other(one: Any) -> dict[str, Any]:
    return {"seat": one.seat, "since": one.since_seq, "name": badged(one.name, bot=one.bot), "bot": one.bot}


def _open(shown: Services, game_id: str, account_id: int) -> list[dict[str, Any]]:
    """The seats that are kept for others."""
    with shown.database.read() as session:
        own = session.get_one(Account, account_id).handle
    made = invitations.made(shown, game_id, account_id)
    return [one for one in made if one["state"] == "asked" and one["handle"] != own]


def _is_near(game: Game | Row, now: datetime) -> bool:
    return game.ends_at is not None and game.ends_at - now <= write.WARNING


def _back(game_id: UUID) -> Response:
    return redirect_to(f"/games/{game_id}#seat-actions")


@blueprint.post(f"/games/<uuid:game_id>/seats/<int(max={MOST}):seat>/remove")
def remove_player_page(game_id: UUID, seat: int) -> Response:
    """Remove the player that the form shows, and no one who came later."""
    since = request.form.get("since", type=int)
    write.remove_player(services(), str(game_id), signed_in().account_id, seat, -1 if since is None else since)
    return _back(game_id)


@blueprint.post("/games/<uuid:game_id>/ready")
def ready_page(game_id: UUID) -> Response:
    """Be ready, or not any more."""
    write.set_ready(services(), str(game_id), signed_in().account_id, ready=request.form.get("ready") == "yes")
    return _back(game_id)


@blueprint.post("/games/<uuid:game_id>/keep")
def keep_open_page(game_id: UUID) -> Response:
    """Keep the table open."""
    write.keep_open(services(), str(game_id), signed_in().account_id)
    return _back(game_id)


@blueprint.post("/games/<uuid:game_id>/host")
def pass_on_page(game_id: UUID) -> Response:
    """Make the player that the form shows the host, and no one who came later."""
    seat, since = request.form.get("seat", 64, type=int), request.form.get("since", type=int)
    write.pass_on(services(), str(game_id), signed_in().account_id, seat, -1 if since is None else since)
    return _back(game_id)
