"""The facts of a digest: every move that its reader owes, least time left first, and the news that waited for it.

It also lists what else waits for its reader, such as invitations. A digest names the table, the players and the
deadline, and whether others have written there. It shows nothing that only a seat may see, and nothing of what they
wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import secrets
from server.kernel.db.models import Account, Game, Notification, Seat
from server.log import seats
from server.mailbox.choices import load_choices
from server.tables import lists
from server.tables.read import seat_names, title_of
from workers.digests import against
from workers.mail import account_facts, facts
from workers.mail.errors import OutdatedMailError
from workers.mail.headers import clean
from workers.queues import WorkerContext

MOST_WAITING = 100


def load(ctx: WorkerContext, session: Session, row: Notification) -> tuple[facts.Reader, account_facts.Digest]:
    """The reader and the facts; OutdatedMailError if nothing in the digest applies any more."""
    account, now = session.get(Account, row.account_id), ctx.services.now()
    if account is None or account.erased_at is not None or account.email is None:
        raise OutdatedMailError("account-erased")
    told = sa.select(Notification).where(Notification.digest_id == row.id).order_by(Notification.id)
    rows = [one for one in session.scalars(told) if against(session, one, now) is None]
    if not rows:
        raise OutdatedMailError("nothing-left")
    news = tuple(_news(session, one) for one in rows if one.kind not in ("turn", "reminder"))
    owes = owed(session, account.id)
    waits = tuple(_waiting(ctx, session, account.id, now))
    reader = facts.Reader(account.name, account.email, account.zone or "UTC")
    master = ctx.services.master
    stops = (secrets.choice_token(master, wish, account) for wish in ("no-digest", "off"))
    return reader, account_facts.Digest(row.message_id or "", now, owes, news, waits, *stops)


def owed(session: Session, account_id: int, *, unwanted: bool = False) -> tuple[account_facts.OwedMove, ...]:
    """The moves that the reader owes, the most urgent first: where they want mail, or `unwanted` ones too."""
    owing = session.execute(_owing(account_id)).all()
    return tuple(_owed(session, seat, game) for seat, game in owing if unwanted or _is_wanted(session, seat))


def _owing(account_id: int) -> sa.Select[Seat, Game]:
    """All moves that the reader owes, including those already mailed."""
    return (
        sa.select(Seat, Game)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.account_id == account_id, Seat.question_seq.is_not(None))
        .where(Game.status == "running", Game.faulted_at.is_(None), Game.missing_since.is_(None))
        .order_by(Seat.deadline.is_(None), Seat.deadline, Game.id)
    )


def _is_wanted(session: Session, seat: Seat) -> bool:
    assert seat.account_id is not None
    return not seat.muted and load_choices(session, seat.account_id, seat.game_id).in_force.turn != "off"


def _owed(session: Session, seat: Seat, game: Game) -> account_facts.OwedMove:
    grace, others = seats.grace(seat), _others(session, game, seat.seat)
    return account_facts.OwedMove(game.id, title_of(game.type), seat.seat, seat.deadline, grace, seat.absent, others)


def _news(session: Session, row: Notification) -> account_facts.Happened:
    game = session.get_one(Game, row.game_id)
    at: datetime = row.created_at
    return account_facts.Happened(game.id, title_of(game.type), row.kind, at, _others(session, game, row.seat))


def _waiting(ctx: WorkerContext, session: Session, account_id: int, now: datetime) -> Iterator[account_facts.Happened]:
    """What else waits, as the front page has it, except at tables about which the reader wants no mail."""
    filters = {"order": "urgent", "kept": True, "waits": True}
    muted = set(session.scalars(sa.select(Seat.game_id).where(Seat.account_id == account_id, Seat.muted)))
    for one in lists.own_games(ctx.services, account_id, filters, MOST_WAITING)["games"]:
        talks = "talk" in one["waits"] and load_choices(session, account_id, one["id"]).in_force.talk
        kinds = [kind for kind in one["waits"] if kind != "move" and (kind != "talk" or talks)]
        if one["id"] not in muted and kinds:
            game = session.get_one(Game, one["id"])
            others = _others(session, game, one["seat"])
            yield from (account_facts.Happened(game.id, title_of(game.type), kind, now, others) for kind in kinds)


def _others(session: Session, game: Game, mine: int | None) -> tuple[str, ...]:
    """The other players; a player without a name is shown by seat."""
    names = (clean(name or "") for name in seat_names(session, game))
    return tuple(name or f"Seat {seat}" for seat, name in enumerate(names, 1) if seat - 1 != mine)
