"""Pauses of a running table, by its host or agreed by all: no clock runs until they end.

A host has a number of days, chosen when the table was opened, and a pause that ends early gives none back. Players
who owe a move keep all the time that they were told: a pause ends early for later stretches only. So no seat ever gets
more from its host than those days. A pause that all have agreed to takes none of them (`after.consents`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from math import ceil
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.errors import Refused
from server.kernel.db.models import Game, Pause
from server.kernel.db.tables import Row
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import iso
from server.log.ledger import Ledger, check_host, open_for_writing

DAY = timedelta(days=1)
SHORTEST = timedelta(hours=1)
BY_HOST, BY_ALL = "host", "all"


def pause(services: Services, game_id: str, account_id: int, until: datetime) -> bool:
    """Pause the game until then, or extend its pause if that is at least an hour more; whether it did."""
    with open_for_writing(services, game_id) as ledger:
        check_host(ledger, account_id)
        check_runs(ledger)
        now, found = services.now().replace(microsecond=0), current(ledger.session, game_id, services.now())
        begins = now if found is None else found
        if until < begins + SHORTEST:
            if found is not None:
                return False
            raise Problem("bad-pause")
        _spend(ledger, ceil((until - begins) / DAY))
        times = {"starts_at": begins, "ends_at": until}
        ledger.session.add(Pause(game_id=game_id, kind=BY_HOST, by_id=account_id, **times))
        ledger.session.flush()
        ledger.recount(mails=True)
    return True


def pause_for(services: Services, game_id: str, account_id: int, days: int) -> None:
    """The same for so many days: a paused game is not paused for longer, however often the button is pressed."""
    pause(services, game_id, account_id, services.now().replace(microsecond=0) + days * DAY)


def agreed(ledger: Ledger, until: datetime) -> None:
    """Pause the game until then, as all who play it have agreed."""
    times = {"starts_at": ledger.services.now().replace(microsecond=0), "ends_at": until}
    ledger.session.add(Pause(game_id=ledger.game.id, kind=BY_ALL, by_id=None, **times))
    ledger.session.flush()
    ledger.recount(mails=True)


def check_runs(ledger: Ledger) -> None:
    """Refuse a game that has not started, is over, or has no clock."""
    if ledger.table.stage != "running":
        raise Problem("game-over" if ledger.table.is_over else "not-started")
    if ledger.table.created["clock"] is None:
        raise Refused("no-clock")


def _spend(ledger: Ledger, days: int) -> None:
    left = ledger.game.host_pause
    if days > left:
        raise Problem("pause-too-long", found=days, left=left)
    ledger.session.execute(sa.update(Game).where(Game.id == ledger.game.id).values(host_pause=left - days))


def agreed_days(session: Session, games: Iterable[Row]) -> dict[str, int]:
    """For how many days in all the host of each game may pause it: those that are left, and those that are used."""
    days = {game.id: game.host_pause for game in games}
    for one in session.scalars(sa.select(Pause).where(Pause.game_id.in_(list(days)), Pause.kind == BY_HOST)):
        days[one.game_id] += ceil((one.ends_at - one.starts_at) / DAY)
    return days


def resume(services: Services, game_id: str, account_id: int) -> None:
    """End the pause now. Nothing happens if there is none."""
    with open_for_writing(services, game_id) as ledger:
        check_host(ledger, account_id)
        now = services.now().replace(microsecond=0)
        going = (Pause.game_id == game_id, Pause.kind == BY_HOST, Pause.ended_at.is_(None), Pause.ends_at > now)
        ledger.session.execute(sa.update(Pause).where(*going).values(ended_at=now))


def current(session: Session, game_id: str, now: datetime, *kinds: str) -> datetime | None:
    """Until when the game is paused, in one of these ways if any are named; None if it is not."""
    return session.scalar(latest(game_id, now).where(Pause.kind.in_(kinds or (BY_HOST, BY_ALL))))


def latest(game_id: Any, now: datetime) -> sa.Select[datetime]:
    """The same as a query, also for a column of games."""
    going = (Pause.game_id == game_id, Pause.ended_at.is_(None), Pause.ends_at > now)
    return sa.select(sa.func.max(Pause.ends_at)).where(*going)


def shown(services: Services, game_id: str) -> dict[str, Any]:
    """Until when a game is paused, and for how many more days its host may pause it."""
    with services.database.read() as session:
        left = session.scalar(sa.select(Game.host_pause).where(Game.id == game_id))
        until = current(session, game_id, services.now())
    return {"until": until and iso(until), "host_pause": left}
