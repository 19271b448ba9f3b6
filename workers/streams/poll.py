"""Polling the database for all streams at once, in few queries.

A wake-up only triggers a poll. Every poll checks the tokens and sessions before anything is sent, so a stream gets
nothing more after its token was revoked, its session has ended, or its account was erased.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.hooks import numbering
from server.hooks import read as hooks
from server.hooks.read import EventPage
from server.http import credentials
from server.kernel.db.models import Account, ApiToken, Game, WebSession
from server.kernel.services import Services

MOST = 100  # events at a time: about 20 kB, the most that is buffered for one reader


class NewEvents(NamedTuple):
    """The news under a key: numbers, each with its event in JSON; with `reset` one event, for readers at `after`.

    `over`: nothing follows the last one.
    """

    after: int
    events: list[tuple[int, bytes]]
    reset: bool = False
    over: bool = False


class PollResult(NamedTuple):
    """The result of a poll: the news by key, and the tokens and sessions that are no longer valid."""

    news: Mapping[str, NewEvents]
    dead: frozenset[str]


def poll(services: Services, after: Mapping[str, int], shown: Iterable[str]) -> PollResult:
    """All news under each key after the given number; keys without news are left out."""
    accounts = {int(key[1:]): n for key, n in after.items() if key.startswith("a")}
    games = {key[1:]: n for key, n in after.items() if key.startswith("g")}
    held = set(shown)
    numbering.number(services.database, accounts)
    with services.database.read() as session:
        dead = _dead(session, held, services.now())
        news = _of_accounts(session, accounts, services.now()) | _of_games(session, games, services.now())
    if used := [int(one[1:]) for one in held - dead if one.startswith("s")]:
        credentials.note_open_session(services, used)
    return PollResult(news, dead)


KINDS: tuple[tuple[str, Any, Any], ...] = (
    ("t", ApiToken, credentials.live_tokens),
    ("s", WebSession, credentials.live_sessions),
)


def _dead(session: Session, shown: set[str], now: datetime) -> frozenset[str]:
    """The credentials (`t7`, `s7`) that are no longer valid."""
    live: set[str] = set()
    for letter, kind, is_live in KINDS:
        if numbers := [int(one[1:]) for one in shown if one.startswith(letter)]:
            asked = sa.select(kind.id).join(Account, Account.id == kind.account_id)
            found = session.scalars(asked.where(kind.id.in_(numbers), *is_live(now)))
            live |= {f"{letter}{number}" for number in found}
    return frozenset(shown - live)


def _of_accounts(session: Session, after: Mapping[int, int], now: datetime) -> dict[str, NewEvents]:
    found = session.execute(sa.select(Account.id, Account.events).where(Account.id.in_(after))) if after else ()
    behind = [account for account, newest in found if newest != after[account]]
    pages = {account: hooks.events_after(session, account, after[account], MOST) for account in behind}
    return {f"a{account}": _news("n", after[account], page, now) for account, page in pages.items() if page.tells}


def _of_games(session: Session, after: Mapping[str, int], now: datetime) -> dict[str, NewEvents]:
    asked = sa.select(Game.id, Game.type, Game.head_seq, Game.status).where(Game.id.in_(after))
    behind = [row for row in session.execute(asked) if row.head_seq != after[row.id]] if after else ()
    pages = {row.id: hooks.events_of_game(session, row, after[row.id], MOST) for row in behind}
    return {f"g{game}": _news("seq", after[game], page, now) for game, page in pages.items() if page.tells}


def _news(number: str, after: int, page: EventPage, now: datetime) -> NewEvents:
    told = [hooks.reset_event(page.last, now, number)] if page.reset else page.events
    return NewEvents(after, [(event[number], msgspec.json.encode(event)) for event in told], page.reset, page.over)
