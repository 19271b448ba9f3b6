"""The server's public keys that the games in the database were made with: the master must yield them.

Under another master a process would log moves that nobody can verify, and discard mails whose tokens it cannot read.
So nothing is derived from a master that was not checked against these keys (`Services.master`). Each key is recorded
with the first game that names it in entry 0.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.signed import keys
from server.kernel import secrets
from server.kernel.config import ConfigError, Settings
from server.kernel.db.models import ServerKey
from server.kernel.db.session import Database
from server.kernel.errors import Problem
from server.kernel.logs import log

RECORDED = sa.select(ServerKey.public).where(ServerKey.number == sa.bindparam("number"))


class OtherKey(NamedTuple):
    """A recorded key that the master does not yield: its number, its `kid`, and the `kid` that the master yields."""

    number: int
    expected: str
    found: str


def check(settings: Settings, session: Session) -> None:
    """ConfigError if the master or the key number is not the one of the games in this database."""
    used = session.scalar(sa.select(sa.func.max(ServerKey.number)))
    if used is not None and used > settings.key_number:
        raise ConfigError(
            f"SEALEDMOVE_KEY_NUMBER is {settings.key_number}, but games of this server are signed with key {used}: "
            f"set it to {used} or higher, since a key is never taken back"
        )
    other = other_key(settings, session)
    if other is not None:
        raise ConfigError(
            f"SEALEDMOVE_MASTER is not the master of this database: its games are signed with key {other.number} "
            f"{other.expected}, but this master yields {other.found}. Set the master with which the games were made"
        )


def other_key(settings: Settings, session: Session) -> OtherKey | None:
    """The first recorded key that the master does not yield; None if it yields them all."""
    for number, public in session.execute(sa.select(ServerKey.number, ServerKey.public).order_by(ServerKey.number)):
        found = secrets.server_key(settings.master, number)
        if found != public:
            return OtherKey(number, keys.thumbprint(public), keys.thumbprint(found))
    return None


def record(database: Database, session: Session, number: int, public: bytes) -> None:
    """Record the key of a new game. Problem `wrong-master` if another process recorded another key first."""
    recorded = session.scalar(RECORDED, {"number": number})
    if recorded is None:
        session.execute(
            database.insert(ServerKey).values(number=number, public=public).on_conflict_do_nothing()
        )  # if two first games are made at once, the later one waits here
        recorded = session.scalars(RECORDED, {"number": number}).one()
    if recorded != public:
        other = OtherKey(number, keys.thumbprint(recorded), keys.thumbprint(public))
        raise refused(other)


def refused(other: OtherKey, game: str | None = None) -> Problem:
    """Log it for the operator; return the problem to raise."""
    log.error("wrong-master", **({"game": game} if game else {}), **other._asdict())
    return Problem("wrong-master", expected=other.expected)
