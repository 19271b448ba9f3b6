"""The mail about a seat that is kept for somebody: to an account, or to an address that may have none."""

from __future__ import annotations

from sqlalchemy.orm import Session

from server.kernel import secrets, text
from server.kernel.db import models
from server.tables.invitations import write
from server.tables.read import clock, seat_holders, title_of
from workers.mail import account_facts, facts
from workers.mail.errors import OutdatedMailError
from workers.queues import WorkerContext


def load(ctx: WorkerContext, session: Session, row: models.Notification) -> tuple[facts.Reader, account_facts.Invited]:
    """The reader and the facts, while the seat is kept."""
    place, game = session.get_one(models.Place, row.place_id), session.get_one(models.Game, row.game_id)
    if write.is_over(place, game, ctx.services.now()):
        raise OutdatedMailError("invitation-over")
    account = None if row.account_id is None else session.get(models.Account, row.account_id)
    if write.is_refused(session, place, account):
        raise OutdatedMailError("invitation-over")
    return _reader(place, account), _facts(ctx, session, row, place, game)


def _reader(place: models.Place, account: models.Account | None) -> facts.Reader:
    if account is not None and account.email is not None:
        return facts.Reader(account.name, account.email, account.zone or "UTC")
    if place.email is None:
        raise OutdatedMailError("account-erased")
    return facts.Reader("", place.email)


def _facts(
    ctx: WorkerContext, session: Session, row: models.Notification, place: models.Place, game: models.Game
) -> account_facts.Invited:
    host = None if place.by_id is None else session.get(models.Account, place.by_id)
    people = [one.name for one in seat_holders(session, [game.id]).get(game.id, {}).values() if one.name]
    return account_facts.Invited(
        message_id=row.message_id or "",
        game=game.id,
        title=title_of(game.type),
        by=write.public_name(host),
        people=tuple(write.plain(name) for name in people),
        clock=text.clock(clock(game)),
        link=f"{ctx.origin.site}/i/{secrets.invitation_token(ctx.services.master, place)}",
        until=place.until,
        again=place.kind == "rematch",
    )
