"""The figures of a player: their games, and how many of their last turns they played themselves, and how quickly.

They count only public tables with another person, whoever asks: tables that are not listed, and the mail, blocks and
bots of an account, show in none of them. Rows are counted, and no log is read (`server.log.seats`).
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median_low
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import Account, Game, PlayedTurn, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import clean
from server.tables.read import title_of

LAST = 200  # turns
FEWEST, OTHERS = 20, 3  # turns, and people to have played them with: below, the player is new here
_beside, _person = sa.orm.aliased(Seat), sa.orm.aliased(Account)


class Turns(NamedTuple):
    """The last turns that count: how many, how many the clock ended, with how many people, and a usual one's seconds.

    `seconds` is None if too few are known.
    """

    ended: int
    by_clock: int
    people: int
    seconds: int | None

    @property
    def is_new(self) -> bool:
        return self.ended < FEWEST or self.people < OTHERS

    @property
    def in_time(self) -> int:
        """Per cent, rounded down: 100 means all."""
        return 100 * (self.ended - self.by_clock) // max(1, self.ended)


def show(services: Services, handle: str) -> dict[str, Any]:
    """What everybody may know of a player; Problem `no-such-player` alike for nobody, guests and deleted accounts."""
    with services.database.read() as session:
        account = find(session, handle)
        games, turns = _games(session, account), turns_of(session, account)
    finished = {key: count for (status, key, gone), count in games.items() if status == "finished" and not gone}
    shown = None if turns.is_new else turns
    return {
        "handle": account.handle,
        "name": clean(account.name),
        "bot": account.bot,
        "running": sum(count for (status, _, gone), count in games.items() if status == "running" and not gone),
        "finished": [_title(key, finished[key]) for key in sorted(finished, key=lambda key: (-finished[key], key))],
        "resigned": sum(count for (_, _, gone), count in games.items() if gone),
        "new": turns.is_new,
        "turns": shown and shown.ended,
        "in_time": shown and shown.in_time,
        "pace": shown and (None if account.hides_pace else shown.seconds),
    }


def _title(key: str, count: int) -> dict[str, Any]:
    return {"type": key, "title": title_of(key), "games": count}


def find(session: Session, handle: str) -> Account:
    """The account of a player who has a page."""
    where = (Account.handle == handle, Account.erased_at.is_(None), Account.guest_since.is_(None))
    found = session.scalar(sa.select(Account).where(*where)) if handle.isalnum() else None  # PostgreSQL takes no NUL
    if found is None:
        raise Problem("no-such-player")
    return found


def _games(session: Session, account: Account) -> Mapping[tuple[str, str, bool], int]:
    """How many, by status, type and whether the player has resigned."""
    by = (Game.status, Game.type, Seat.resigned)
    begun = (Game.door == "open", Game.status.in_(("running", "finished")))
    query = sa.select(*by, sa.func.count()).join(Game, Game.id == Seat.game_id).where(Seat.account_id == account.id)
    shared = sa.exists().where(_beside.game_id == Seat.game_id, *_other_person(account))
    found = session.execute(query.where(*begun, shared).group_by(*by))
    return {(status, key, bool(gone)): count for status, key, gone, count in found}


def _other_person(account: Account) -> tuple[sa.ColumnElement[bool], ...]:
    """The holder of a seat `_beside` is another person: no bot, and not the person behind the account."""
    own = (account.id, account.owner_id or account.id)
    return _beside.account_id == _person.id, _person.bot.is_(False), _person.id.not_in(own)


def count_finished(session: Session, account: Account) -> int:
    """Games that the player has played to their end."""
    games = _games(session, account).items()
    return sum(count for (status, _, gone), count in games if status == "finished" and not gone)


def turns_of(session: Session, account: Account) -> Turns:
    """Of the last 200 turns."""
    last = sa.select(PlayedTurn.game_id, PlayedTurn.seconds, PlayedTurn.by_clock)
    last = last.where(PlayedTurn.account_id == account.id).order_by(PlayedTurn.at.desc(), PlayedTurn.seq.desc())
    rows = session.execute(last.limit(LAST)).all()
    with_whom = sa.select(sa.func.count(sa.distinct(_person.id))).select_from(_beside)
    here = (_beside.game_id.in_({row.game_id for row in rows}), *_other_person(account))
    people = session.scalar(with_whom.join(_person, here[1]).where(*here)) or 0
    own = [row.seconds for row in rows if not row.by_clock and row.seconds is not None]
    seconds = median_low(own) if len(own) >= FEWEST else None
    return Turns(len(rows), sum(row.by_clock for row in rows), people, seconds)
