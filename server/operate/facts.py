"""The facts of the checks, as far as they are inside of this machine, its database and its Redis."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from redis import RedisError
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from engine import registry
from server.evidence import audit
from server.kernel import own_keys, quarantine
from server.kernel.config import ConfigError
from server.kernel.db import roles, schema
from server.kernel.db.models import Game
from server.kernel.db.session import database_message
from server.kernel.services import Services
from server.log import before_writing, outbox
from server.operate import checks, stopped_games
from server.operate.checks import Finding
from server.play import overdue
from server.tables.game_types import without_rules

MAY_CHANGE = sa.text("SELECT has_table_privilege(to_regclass(:table), 'UPDATE, DELETE, TRUNCATE')")  # any of them
OWNS = sa.text("SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(:table)")
READS_ONLY = sa.text("SHOW transaction_read_only")  # also `on` in a standby
# In PostgreSQL's answer to a new connection, after a word in the server's language: `FATAL:  password authentication
# failed`. Its client library gives no code for it, and writes nothing like this about a server that does not answer.
REFUSED = ":  "
DENIED = "42501"  # PostgreSQL's insufficient_privilege


def quick(services: Services) -> list[Finding]:
    """The checks that `/readyz` and Prometheus ask for every few seconds; only those of the database if one fails."""
    try:
        with services.database.read() as session:
            found = list(_of_database(services, session))
            if any(one.is_critical for one in found):
                return found
            found.append(checks.audits(audit.counted(session)["fails"]))
            missing = without_rules(session)
    except SQLAlchemyError as error:
        return [_failed(services, error)]
    found.append(checks.redis(services.waker.flaw()))
    return [*found, *checks.rules(missing), _disk(services)]


def _failed(services: Services, error: SQLAlchemyError) -> Finding:
    """The database does not answer, refuses a connection, or answers that the role of this process may not ask."""
    says = database_message(error)
    if (flaw := services.database.file.flaw) is not None:
        return checks.replaced(flaw.says) if flaw.is_replaced else checks.file_lost(flaw.says)
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    if state is None and REFUSED in says and not services.database.is_sqlite:
        return checks.refused_connection(says)
    if state != DENIED:
        return checks.database(says)
    with suppress(SQLAlchemyError), services.database.read() as session:
        says = _rights(session).wrong or says
    return checks.denied(says)


def _of_database(services: Services, session: Session) -> Iterator[Finding]:
    refusal = _refusal(schema.check, session)
    yield checks.schema(refusal)
    if refusal is None:
        yield checks.migrations(schema.version(session), schema.NEWEST)
        yield checks.master(_refusal(own_keys.check, services.settings, session))
    yield checks.writes(reads_only=not services.database.is_sqlite and session.scalar(READS_ONLY) == "on")
    yield checks.database(None)


def _refusal(check: Callable[..., None], *given: Any) -> str | None:
    try:
        check(*given)
    except ConfigError as no:
        return str(no)
    return None


def _disk(services: Services) -> Finding:
    """The disk of the database, if that is a file; otherwise the one of this folder."""
    database = services.database.url.database
    where = Path(database) if services.database.is_sqlite and database else Path()
    try:
        free = shutil.disk_usage(where).free
        if services.database.is_sqlite and not os.access(where, os.W_OK):
            return checks.unwritable(str(where.resolve()))
        return checks.disk(free, str(where.resolve()))
    except OSError as no:  # the folder in which this process runs was removed
        return checks.unknown_disk(f"{where}: {no.strerror}")


def thorough(services: Services) -> list[Finding]:
    """The quick checks, and those that read more; the latter only while the database can be used."""
    found = [*checks.settings(services.settings), *quick(services), *_games()]
    if any(one.is_critical for one in found):
        return found
    is_redis_well = not any(one.wrong for one in found if one.check == "redis")
    try:
        return found + _read_more(services, is_redis_well=is_redis_well)
    except SQLAlchemyError as error:  # it has answered the quick ones
        return [*(one for one in found if one.check != "database"), _failed(services, error)]


def _read_more(services: Services, *, is_redis_well: bool) -> list[Finding]:
    ahead: dict[str, float] = {}
    numbers: dict[str, tuple[int, ...]] = {"Python": tuple(sys.version_info[:3])}
    with services.database.read() as session:
        found = _of_rows(services, session)
        if services.database.is_sqlite:
            numbers["SQLite"] = sqlite3.sqlite_version_info
        else:
            found.append(_rights(session))
            ahead["the database"] = _ahead(services, services.database.time(session))
            number = int(session.scalar(sa.text("SHOW server_version_num")) or 0)
            numbers["PostgreSQL"] = (number // 10000, number % 10000)
    if is_redis_well and services.settings.redis_url is not None:
        found.append(_of_redis(services, ahead, numbers))
    return [*found, checks.skew(ahead), checks.versions(numbers)]


def _games() -> list[Finding]:
    sources = map(registry.source, registry.games())
    return checks.games(registry.flaws(), {one.key: f"{one.package} {one.version}" for one in sources if one.package})


def _of_rows(services: Services, session: Session) -> list[Finding]:
    name = _refusal(before_writing.check_name, services.settings, session)
    return [
        *([] if name is None else [checks.refused_settings(name)]),
        checks.stopped(stopped_games.counted(session)),
        checks.quarantine(sum(quarantine.counted(session).values())),
        checks.outbox(outbox.backlog(session, services.now())[1]),
        checks.lag(overdue.lag(session, services.now())),
    ]


def _rights(session: Session) -> Finding:
    role = str(session.scalar(sa.text("SELECT current_user")))
    changes = [table for table in roles.ADDED_TO if session.scalar(MAY_CHANGE, {"table": table})]
    owns = bool(session.scalar(OWNS, {"table": Game.__tablename__}))
    return checks.rights(role, changes, roles.lacking(session.connection()), owns=owns)


def _ahead(services: Services, there: datetime | None) -> float:
    """The seconds by which another clock is ahead; ours is read to the second."""
    return 0.0 if there is None else (there - services.now()).total_seconds()


def _of_redis(services: Services, ahead: dict[str, float], numbers: dict[str, tuple[int, ...]]) -> Finding:
    """The finding on its settings; adds its clock and its version. A hosted Redis may refuse to tell either."""
    client, told = services.waker.redis, dict[str, Any]()
    with suppress(RedisError, KeyError, ValueError):
        ahead["Redis"] = _ahead(services, datetime.fromtimestamp(client.time()[0], UTC))
        numbers["Redis"] = tuple(int(part) for part in str(client.info("server")["redis_version"]).split(".")[:3])
        told = client.config_get("maxmemory-policy", "appendonly")
    said = {_text(name): _text(value) for name, value in told.items()}
    return checks.redis_settings(said.get("maxmemory-policy"), said.get("appendonly"))


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
