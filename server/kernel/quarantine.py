"""Items that a loop failed at are set aside, so that the loop always reaches the others (docs/adr/quarantine.md).

Every loop over the oldest N of something passes its query to `process`: it takes the oldest N that have not failed,
then a few of those that have, when their time has come. The time to the next attempt grows with each failure. The rows
are in the database: all processes see them, also after a restart, as do a metric and `sealedmove quarantine`.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.errors import SealedMoveError
from server.kernel import operator_log
from server.kernel.db.models import Quarantined
from server.kernel.logs import apart, log
from server.kernel.operator_log import Operator
from server.kernel.services import Services

T = TypeVar("T")
Query = sa.Select[*tuple[Any, ...]]
RETRIES = 20  # items in a round that failed before
FIRST_WAIT, LONGEST_WAIT = 10, 86400  # seconds; each wait is four times the one before
NEVER = datetime(9999, 1, 1, tzinfo=UTC)  # the next attempt at an item that the operator has dropped
FORGOTTEN = timedelta(days=2)  # an item that no loop has tried for so long after its time has gone


@dataclass(frozen=True)
class Loop:
    """A loop by its name, with the column or expression that identifies an item in its queries."""

    name: str
    key: sa.SQLColumnExpression[Any]

    @property
    def _is_item(self) -> sa.ColumnElement[bool]:
        return sa.and_(Quarantined.loop == self.name, Quarantined.key == sa.cast(self.key, sa.String))

    def new(self, query: Query) -> Query:
        """The items of the query that have not failed."""
        return query.where(~sa.exists().where(self._is_item))

    def again(self, query: Query, now: datetime) -> Query:
        """The items that have failed and are due again."""
        return query.where(sa.exists().where(self._is_item, Quarantined.next_at <= now))

    def any_due(self, now: datetime) -> sa.Select[str]:
        """One item that is due again, which costs less to ask than `again`."""
        return sa.select(Quarantined.key).where(Quarantined.loop == self.name, Quarantined.next_at <= now).limit(1)

    def is_free(self, now: datetime) -> sa.ColumnElement[bool]:
        """Return whether the item has not failed, or is due again."""
        return ~sa.exists().where(self._is_item, Quarantined.next_at > now)

    def failure(self, session: Session, key: object) -> Quarantined | None:
        """The item with this key if it is set aside."""
        return session.get(Quarantined, (self.name, str(key)))

    def remove(self, session: Session, rows: sa.Select[Any]) -> None:
        """Remove the items of rows that are deleted: SQLite gives the number of the last one to the next."""
        keys = rows.with_only_columns(sa.cast(self.key, sa.String))
        session.execute(sa.delete(Quarantined).where(Quarantined.loop == self.name, Quarantined.key.in_(keys)))


def process(
    services: Services, loop: Loop, query: Query, most: int, act: Callable[..., T], retries: int | None = None
) -> list[T]:
    """Call `act` with each row, in the order of the query; the results of those that did not fail.

    At most `most` of them have not failed before, and at most `retries` have (RETRIES of them if it is None).
    """
    retries = RETRIES if retries is None else retries
    asked, now = query.add_columns(sa.cast(loop.key, sa.String).label("item")), services.now()
    with services.database.read() as session:
        new = session.execute(loop.new(asked).limit(most)).all()
        is_due = session.scalar(loop.any_due(now)) is not None
        again = session.execute(loop.again(asked, now).limit(retries)).all() if is_due else []
    done: list[T] = []
    for number, (*given, key) in enumerate([*new, *again]):
        done += attempt(services, loop, key, lambda row=given: act(*row), again=number >= len(new))  # type: ignore[misc]  # bound at once
    return done


def attempt(services: Services, loop: Loop, key: object, act: Callable[[], T], *, again: bool = True) -> list[T]:
    """The result of `act`; [] if it failed and the item was set aside. `again`: it may have failed before."""
    return apart(lambda: _attempt(services, loop, key, act, again=again))


def _attempt(services: Services, loop: Loop, key: object, act: Callable[[], T], *, again: bool) -> list[T]:
    try:
        done = act()
    except Exception as fault:  # one item; without a database this raises, too, and ends the round
        if isinstance(fault, SealedMoveError) and fault.code == "wrong-master":
            raise  # about this process, and true of every item
        _set_aside(services, loop, str(key), fault)
        return []
    if again:
        release(services, loop, [key])
    return [done]


def _kind(fault: Exception) -> str:
    """The kind of the error without its facts, which may contain hidden information."""
    return (fault.code if isinstance(fault, SealedMoveError) else type(fault).__name__)[:60]


def _place(fault: Exception) -> str:
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"


def _set_aside(services: Services, loop: Loop, key: str, fault: Exception) -> None:
    """Only the first failure of an item is logged, and only one of two processes that failed at once counts."""
    now, item, error = services.now(), {"loop": loop.name, "key": key}, _kind(fault)
    first = {"error": error, "failures": 1, "since": now, "next_at": now + _wait(1)}
    made = services.database.insert(Quarantined).values(**item, **first).on_conflict_do_nothing()
    with services.database.write() as session:
        is_new = session.scalar(made.returning(Quarantined.failures)) is not None
        row = session.get(Quarantined, (loop.name, key), with_for_update=True)
        if not is_new and row is not None and row.next_at <= now:
            row.failures, row.error = row.failures + 1, error
            row.next_at = now + _wait(row.failures)
    if is_new:
        log.error("quarantined", loop=loop.name, item=key, error=error, at=_place(fault))


def _wait(failures: int) -> timedelta:
    return timedelta(seconds=min(FIRST_WAIT * 4 ** min(failures - 1, 10), LONGEST_WAIT))


def release(services: Services, loop: Loop, keys: Iterable[object]) -> None:
    """Remove those of these items that are set aside: they have succeeded."""
    where = (Quarantined.loop == loop.name, Quarantined.key.in_([str(key) for key in keys]))
    with services.database.read() as session:
        found = session.scalars(sa.select(Quarantined.key).where(*where)).all()
    if found:
        with services.database.write() as session:
            session.execute(sa.delete(Quarantined).where(*where))
        log.info("released", loop=loop.name, items=found)


# --- for the operator -------------------------------------------------------------------------------------------------


def listed(services: Services) -> list[dict[str, Any]]:
    """All items, longest in quarantine first."""
    with services.database.read() as session:
        rows = session.scalars(sa.select(Quarantined).order_by(Quarantined.since, Quarantined.loop, Quarantined.key))
        names = ("loop", "key", "error", "failures", "since", "next_at")
        return [{name: getattr(row, name) for name in names} | {"dropped": row.next_at >= NEVER} for row in rows]


def counted(session: Session) -> dict[str, int]:
    """How many items each loop has set aside and will try again; loops without any are left out."""
    query = sa.select(Quarantined.loop, sa.func.count()).where(Quarantined.next_at < NEVER).group_by(Quarantined.loop)
    return {row[0]: row[1] for row in session.execute(query)}


def retry(services: Services, by: Operator, loop: str | None = None, key: str | None = None) -> int:
    """Try them in the next rounds: all that were not dropped, or one item in any case; return how many.

    Their failures still count.
    """
    is_one = (Quarantined.loop == loop, Quarantined.key == key)
    where = (Quarantined.next_at < NEVER,) if loop is None else is_one
    return _postpone(services, by, "quarantine-retry", services.now(), where)


def drop(services: Services, by: Operator, loop: str, key: str) -> int:
    """Never try this item again, until it is retried by name; return whether it was there."""
    return _postpone(services, by, "quarantine-drop", NEVER, (Quarantined.loop == loop, Quarantined.key == key))


def _postpone(
    services: Services, by: Operator, act: str, until: datetime, where: tuple[sa.ColumnElement[bool], ...]
) -> int:
    chosen = sa.update(Quarantined).where(*where).values(next_at=until).returning(Quarantined.loop, Quarantined.key)
    with services.database.write() as session:
        found = session.execute(chosen).all()
        for loop, key in found:
            operator_log.record(services, session, by, act, f"{loop} {key}")
    return len(found)


def forget(services: Services) -> int:
    """Remove items that their loops no longer find, such as seats of a cancelled game; return how many."""
    old = Quarantined.next_at < services.now() - FORGOTTEN
    with services.database.read() as session:
        if session.scalar(sa.select(Quarantined.key).where(old).limit(1)) is None:
            return 0
    with services.database.write() as session:
        return len(session.scalars(sa.delete(Quarantined).where(old).returning(Quarantined.key)).all())
