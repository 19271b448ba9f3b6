"""The limits of an account: how much it may have, or do in a day. `LIMITS` is the whole table.

Counted under a lock of the account's own, so that of two requests at once the second one sees what the first has done.
A seat before the start also counts among the seats in all: its table may start at any moment. Where a setting gives the
number, a new account has half of it, and bots and servers for one have no limit. The process that holds the streams
counts those, by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import streams
from server.kernel.config import Settings
from server.kernel.db.models import (
    IN_FORCE,
    Account,
    ApiToken,
    Block,
    Game,
    Hook,
    Message,
    Place,
    PlayerReport,
    PushSubscription,
    Seat,
    WaitingAct,
)
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import places, quotas

NEW = timedelta(days=7)  # after this time, or with a finished game, an account is not new any more
DAY = timedelta(days=1)
MOST_ADDRESS_MAILS = 3  # of an account, and to a mailbox: nobody can flood a stranger's mailbox
Rows = Callable[[int, datetime], sa.Select[Any]]


class Limit(NamedTuple):
    """What is counted, in words; the number, or the setting that it comes from; and the rows, by account and time.

    Without rows the process that holds the streams counts.
    """

    says: str
    most: int | str
    rows: Rows | None


def _seats(*stages: str) -> Rows:
    held = sa.select(Seat.game_id).join(Game, Game.id == Seat.game_id).where(Game.status.in_(stages))
    return lambda who, _now: held.where(Seat.account_id == who)


def _invited(*which: sa.ColumnElement[bool]) -> Rows:
    made = sa.select(Place.id).where(Place.kind == "person", *which)
    return lambda who, now: made.where(Place.by_id == who, Place.made_at > now - DAY)


def _tokens(who: int, now: datetime) -> sa.Select[Any]:
    lives = sa.or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > now)
    return sa.select(ApiToken.id).where(ApiToken.account_id == who, ApiToken.revoked_at.is_(None), lives)


def _waiting(who: int, _now: datetime) -> sa.Select[Any]:
    return sa.select(WaitingAct.id).where(WaitingAct.account_id == who, WaitingAct.ended_at.is_(None))


def _messages(who: int, now: datetime) -> sa.Select[Any]:
    return sa.select(Message.n).where(Message.account_id == who, Message.at > now - DAY)


def _reports(who: int, now: datetime) -> sa.Select[Any]:
    return sa.select(PlayerReport.id).where(PlayerReport.by_id == who, PlayerReport.at > now - DAY)


def _bot_seats(who: int, _now: datetime) -> sa.Select[Any]:
    """Of a person's bot; for the person, of the bot that has most."""
    held = sa.select(Seat.account_id).join(Game, Game.id == Seat.game_id).join(Account, Account.id == Seat.account_id)
    held = held.where(Game.status.in_(("lobby", "running")), Account.owner_id.is_not(None))
    of_bot = held.where(sa.or_(Seat.account_id == who, Account.owner_id == who)).group_by(Seat.account_id)
    busiest = of_bot.order_by(sa.func.count().desc(), Seat.account_id).limit(1)
    return held.where(Seat.account_id == busiest.scalar_subquery())


def _address_mails(who: int, now: datetime) -> sa.Select[Any]:
    new = (WaitingAct.act == "address", WaitingAct.created_at > now - DAY)
    return sa.select(WaitingAct.id).where(WaitingAct.account_id == who, *new)


LIMITS: dict[str, Limit] = {
    "open_tables": Limit(
        "Tables that you host and that have not started",
        "most_open_tables",
        lambda who, _: sa.select(Game.id).where(Game.host_id == who, Game.status == "lobby"),
    ),
    "lobby_seats": Limit("Seats at tables that have not started", "most_lobby_seats", _seats("lobby")),
    "seats": Limit("Seats at tables that have not ended", "most_seats", _seats("lobby", "running")),
    "house_tables": Limit(
        "Tables of yours with house players that have not ended",
        places.MOST_HOUSE_TABLES,
        lambda who, _: places.house_tables(who),
    ),
    "invitations": Limit("Invitations in a day", 20, _invited()),
    "invited_addresses": Limit(
        "Email addresses invited in a day", 5, _invited(Place.box_mac.is_not(None), Place.account_id.is_(None))
    ),
    "messages": Limit("Messages at tables in a day", 200, _messages),
    "reports": Limit("Reports in a day", 20, _reports),
    "blocks": Limit("Blocked players", 500, lambda who, _: sa.select(Block.about_id).where(Block.account_id == who)),
    "hooks": Limit("Webhooks", 8, lambda who, _: sa.select(Hook.id).where(Hook.account_id == who)),
    "push": Limit(
        "Devices with notifications",
        16,
        lambda who, _: sa.select(PushSubscription.id).where(PushSubscription.account_id == who),
    ),
    "bots": Limit("Bots", 8, lambda who, _: sa.select(Account.id).where(Account.owner_id == who, *IN_FORCE)),
    "bot_seats": Limit("Seats of one bot at tables that have not ended", 32, _bot_seats),
    "tokens": Limit("Tokens", 64, _tokens),
    "streams": Limit("Open streams of your events", "streams_account", None),
    "waiting": Limit("Pending requests", 16, _waiting),
    "address_mails": Limit("Mails about a new address in a day", MOST_ADDRESS_MAILS, _address_mails),
}


def check(services: Services, session: Session, account_id: int, *names: str, more: int = 1) -> None:
    """Raise Problem `too-many` with the first limit that `more` of it would pass."""
    account = session.get_one(Account, account_id)
    quotas.lock(services, session, account_id)
    for name in names:
        most = _most(services, session, account, name)
        if most is not None and (_used(services, session, account_id, name) or 0) + more > most:
            raise reached(name, most)


def reached(name: str, most: int) -> Problem:
    """The refusal of one more."""
    return Problem("too-many", limit=name, says=LIMITS[name].says, most=most)


def overview(services: Services, account_id: int) -> list[dict[str, Any]]:
    """Each limit with what the account uses of it; `most` is None where there is none."""
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        return [
            {
                "name": name,
                "says": limit.says,
                "used": _used(services, session, account_id, name),
                "most": _most(services, session, account, name),
            }
            for name, limit in LIMITS.items()
        ]


def most_of(settings: Settings, name: str, *, is_new: bool) -> int | None:
    """The limit for an account; None if the operator has switched it off."""
    given = LIMITS[name].most
    if isinstance(given, int):
        return given
    most: int = getattr(settings, given)
    return None if most == 0 else max(1, most // 2) if is_new else most


def _most(services: Services, session: Session, account: Account, name: str) -> int | None:
    if LIMITS[name].rows is None:
        return services.settings.streams_account
    if isinstance(LIMITS[name].most, str) and (account.bot or services.settings.is_for_one):
        return None
    return most_of(services.settings, name, is_new=_is_new(services, session, account))


def _is_new(services: Services, session: Session, account: Account) -> bool:
    if account.created_at <= services.now() - NEW:
        return False
    played = sa.select(Seat.seat).join(Game, Game.id == Seat.game_id)
    return session.scalar(played.where(Seat.account_id == account.id, Game.status == "finished").limit(1)) is None


def _used(services: Services, session: Session, account_id: int, name: str) -> int | None:
    """The use of the account; None for streams if the process that holds them does not answer."""
    rows = LIMITS[name].rows
    if rows is None:
        held = streams.numbers(services.settings.events_socket, f"a{account_id}")
        return None if held is None else held.of_key
    counted = rows(account_id, services.now()).subquery()
    return session.scalar(sa.select(sa.func.count()).select_from(counted)) or 0
