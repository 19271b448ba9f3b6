"""Lists, the clock's queries and what is forgotten, over a store of many finished games: they must not cost more.

Rows are inserted, not played: lists and the clock read rows only. Times are of the function without HTTP, in
processor time; on PostgreSQL (`DATABASE_URL`) the server's own is not in it.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import sqlalchemy as sa

from server.evidence import audit
from server.kernel.config import Settings
from server.kernel.db import migrate
from server.kernel.db.models import Account, Base, Game, Notification, Outbox, Seat
from server.kernel.services import Services, open_services
from server.operate import retention
from server.tables import lists

from .timing import heading, line

SIZES = (2_000, 20_000)
PEOPLE, RUNNING, LOBBY, BATCH = 40, 40, 10, 1000
RUNS = 7
ENTRY, LINE = Base.metadata.tables["entry"], 800  # bytes of a signed move, about


def main() -> None:
    url = os.environ.get("DATABASE_URL")
    heading("Store: milliseconds over 2,000 and 20,000 finished games (aim: the same)")
    with tempfile.TemporaryDirectory() as folder:
        report(opened(url or f"sqlite:///{Path(folder) / 'store.db'}"), SIZES)


def report(services: Services, sizes: tuple[int, ...]) -> None:
    found: dict[str, list[float]] = {}
    for before, size in zip((0, *sizes), sizes, strict=False):
        fill(services, before, size)
        for name, work in queries(services).items():
            found.setdefault(name, []).append(1000 * _seconds(work))
    for name, times in found.items():
        line(name, " -> ".join(f"{one:.1f}" for one in times), "ms")
    services.database.dispose()


def _seconds(work: Callable[[], object]) -> float:
    work()
    times = []
    for _ in range(RUNS):
        began = time.thread_time()
        work()
        times.append(time.thread_time() - began)
    return median(times)


def queries(services: Services) -> Mapping[str, Callable[[], object]]:
    """What is asked, by name: by readers of lists, by the clock in each round."""
    now = services.now()
    return {
        "GET /v1/games": lambda: lists.games(services, {}, 50),
        "GET /v1/games?status=finished&type=livingstone": lambda: lists.games(
            services, {"status": "finished", "type": "livingstone"}, 50
        ),
        "GET /v1/games?stopped=true": lambda: lists.games(services, {"stopped": True}, 50),
        "GET /v1/games?free=true": lambda: lists.games(services, {"free": True}, 50),
        "GET /v1/games?hidden=true": lambda: lists.games(services, {"hidden": True}, 50),
        "GET /v1/games?status=finished&seats=6": lambda: lists.games(services, {"status": "finished", "seats": 6}, 50),
        "GET /v1/games?mine=true": lambda: lists.games(services, {"mine": True}, 50, 1),
        "GET /v1/games?player=": lambda: lists.games(services, {"player": "Player 3"}, 50),
        "GET /v1/me/games": lambda: lists.own_games(services, 1, {}, 50),
        "GET /v1/me/games?order=urgent": lambda: lists.own_games(services, 1, {"order": "urgent"}, 50),
        "GET /v1/me/turns": lambda: lists.turns(services, 1),
        "audits that are due": lambda: _all(services, audit.due(now).limit(1)),
        "a round of retention": lambda: retention.forget(services),
    }


def _all(services: Services, query: sa.Select[Any]) -> object:
    with services.database.read() as session:
        return session.execute(query).all()


# --- the store --------------------------------------------------------------------------------------------------------


def opened(url: str) -> Services:
    services = open_services(Settings(master=bytes(32), database_url=url, public_url="http://127.0.0.1:8000"))
    migrate.migrate(services.database)
    return services


def fill(services: Services, before: int, count: int, entries: int = 0) -> None:
    """Bring a store from `before` finished games to `count`, each with so many entries.

    With the first come people, running games and open tables.
    """
    chosen, now = random.Random(count), services.now()
    with services.database.write() as session:
        if not before:
            people = [{"name": f"Player {n}", "created_at": now, "events": 0, "bot": False} for n in range(PEOPLE)]
            session.execute(sa.insert(Account), people)
    statuses = ["running"] * RUNNING * (not before) + ["lobby"] * LOBBY * (not before) + ["finished"] * (count - before)
    for first in range(0, len(statuses), BATCH):
        rows = [_game(chosen, now, status) for status in statuses[first : first + BATCH]]
        with services.database.write() as session:
            session.execute(sa.insert(Game), rows)
            session.execute(sa.insert(Seat), [seat for game in rows for seat in _seats(chosen, game)])
            session.execute(sa.insert(Outbox), [_outbox(game) for game in rows])
            session.execute(sa.insert(Notification), [_mail(game) for game in rows])
            if entries:
                session.execute(sa.insert(ENTRY), [one for game in rows for one in _entries(chosen, game, entries)])
    with services.database.writer.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.exec_driver_sql("ANALYZE")


def _game(chosen: random.Random, now: datetime, status: str) -> dict[str, Any]:
    made = now - timedelta(seconds=chosen.randrange(86400, 900 * 86400))
    return {
        "id": f"{chosen.getrandbits(128):032x}",
        "type": chosen.choice(("livingstone", "tikal", "discoveries", "lewis_clark")),
        "rules": 1,
        "options": "{}",
        "status": status,
        "seats": 4,
        "hidden": False,
        "handover": "both",
        "offer_wait": 3600,
        "bots": "any",
        "related": False,
        "door": "open",
        "head_seq": 200,
        "head_hash": chosen.randbytes(32),
        "creator_id": chosen.randrange(PEOPLE) + 1,
        "secret_r": bytes(32),
        "key_number": 1,
        "shown_size": 0,
        "created_at": made,
    }


def _seats(chosen: random.Random, game: Mapping[str, Any]) -> list[dict[str, Any]]:
    who = chosen.sample(range(1, PEOPLE + 1), 2 if game["status"] == "lobby" else 4)
    plain = {"since_seq": 1, "absent": False, "open": False, "muted": False}
    going = {"question_seq": None, "deadline": None}
    rows = [{"game_id": game["id"], "seat": seat, "account_id": one} | plain | going for seat, one in enumerate(who)]
    if game["status"] == "running":
        rows[0] |= {"question_seq": 200, "deadline": datetime.now(UTC) + timedelta(days=3)}
    return rows


def _entries(chosen: random.Random, game: Mapping[str, Any], count: int) -> Iterator[dict[str, Any]]:
    about = {"game_id": game["id"], "kind": "moved", "at": game["created_at"]}
    for seq in range(count):
        line, leaf, jws = chosen.randbytes(LINE), chosen.randbytes(32), chosen.randbytes(32)
        yield about | {"seq": seq, "line": line, "leaf_hash": leaf, "jws_sha256": jws}


def _outbox(game: Mapping[str, Any]) -> dict[str, Any]:
    when = datetime.now(UTC) - timedelta(hours=1)
    return {"kind": "turn", "game_id": game["id"], "seq": 199, "created_at": when, "dispatched_at": when}


def _mail(game: Mapping[str, Any]) -> dict[str, Any]:
    when = datetime.now(UTC) - timedelta(hours=1)
    about = {"kind": "turn", "account_id": 1, "game_id": game["id"], "seat": 0, "seq": 199, "state": "sent"}
    return about | {"dedupe_key": game["id"], "attempts": 1, "next_at": when, "created_at": when}
