"""What must hold all year: every breach of a law, as its watcher sees it in rows, entries, pages and mails."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from server.kernel.db.models import Entry, Game, Holiday, Outage, Pause, Seat
from server.kernel.services import Services
from server.log import kind
from tests.year.figures import Figures, Stretch
from tests.year.written import Written

NONE, DAY = timedelta(0), timedelta(days=1)
COLUMNS = (
    "game_id seat account_id since_seq active_since promised deadline deadline_n remind_at resigned absent free_from"
)
# Without the ORM, and first as the database has them: building a statement and converting rows cost more than reading.
_seat, _game = Seat.metadata.tables["seat"], Game.metadata.tables["game"]
ROWS = sa.select(*(_seat.c[name] for name in COLUMNS.split())).join(_game, _game.c.id == _seat.c.game_id)
RUNNING = ROWS.where(_game.c.status == "running")
CHANGED = RUNNING.where(_game.c.id.in_(sa.bindparam("games", expanding=True)))
STORED = str(RUNNING.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
HEADS = "SELECT id, head_seq FROM game"


class Event(NamedTuple):
    """An entry of a log, as its watcher reads it."""

    game: str
    seq: int
    kind: str
    at: datetime
    seat: int | None
    reason: str | None


class Watch:
    """Compares the rows of all seats with what they were before the last thing that happened."""

    def __init__(self, services: Services, written: Written, figures: Figures, slack: timedelta) -> None:
        self.services, self.written, self.figures, self.slack = services, written, figures, slack
        self.breaches: list[str] = []
        self.seen = -1
        self.stored: dict[tuple[str, int], Any] = {}  # as the database has them
        self.rows: dict[tuple[str, int], Any] = {}
        self.heads: dict[str, int] = {}
        self.last: dict[str, datetime] = {}
        self.free: dict[tuple[str, int, int], datetime] = {}
        self.soon: datetime | None = None
        self.last_round = services.now()

    def breach(self, law: str, **facts: object) -> None:
        told = " ".join(f"{name}={fact}" for name, fact in facts.items())
        self.breaches.append(f"{self.services.now():%m-%d %H:%M} {law}: {told}")

    def look(self, actor: int | None, *, whole: bool = False) -> list[Event]:
        """After something that this account did, or nobody: judge what has changed; returns the new entries.

        `whole`: read every row, even if nothing has been written since the last time.
        """
        written, news = self.written.times("seat", "game"), []
        if whole or written != self.seen:
            self.seen, news = written, self._compare(actor, whole=whole)
        self._look_ahead()
        return news

    def _compare(self, actor: int | None, *, whole: bool) -> list[Event]:
        with self.services.database.read() as session:
            rows = self._read_rows(session, whole=whole)
            heads = session.connection().exec_driver_sql(HEADS).all()
            news = [one for game, head in heads for one in self._news(session, game, head)]
            for key, row in rows.items():
                if (before := self.rows.get(key)) is not None and before.deadline != row.deadline:
                    self._judge_move(session, before, row, actor)
        for one in news:
            self._judge_entry(one, rows)
        self.rows = rows
        return news

    def _read_rows(self, session: sa.orm.Session, *, whole: bool) -> dict[tuple[str, int], Any]:
        """The rows of all seats of running games; those that are stored as they were are not converted again."""
        stored = {(row[0], row[1]): tuple(row) for row in session.connection().exec_driver_sql(STORED)}
        changed = {key[0] for key, row in stored.items() if whole or self.stored.get(key) != row}
        rows = {key: self.rows[key] for key in stored if key[0] not in changed}
        if changed:
            found = session.connection().execute(CHANGED, {"games": sorted(changed)})
            rows |= {(row.game_id, row.seat): row for row in found}
        self.stored = stored
        return rows

    def _news(self, session: sa.orm.Session, game: str, head: int) -> list[Event]:
        since = self.heads.get(game, -1)
        if head == since:
            return []
        self.heads[game] = head
        query = sa.select(Entry).where(Entry.game_id == game, Entry.seq > since).order_by(Entry.seq)
        return [self._read(game, one) for one in session.scalars(query)]

    def _read(self, game: str, entry: Entry) -> Event:
        line = json.loads(entry.line)
        if entry.kind == "created":
            move, bank = (timedelta(seconds=line["clock"][name]) / DAY for name in ("move", "bank"))
            self.figures.clocks[game] = f"{move:g} d" + (f" + bank {bank:g} d" if bank else "")
        return Event(game, entry.seq, entry.kind, entry.at, line.get("seat"), line.get("reason"))

    def _judge_move(self, session: sa.orm.Session, before: Any, row: Any, actor: int | None) -> None:
        """A deadline of one stretch never moves back but by its holder's own act, and each has a number."""
        if row.deadline is not None and row.deadline_n <= before.deadline_n:
            self.breach("a deadline without a number", game=row.game_id, seat=row.seat)
        same = (row.since_seq, row.active_since) == (before.since_seq, before.active_since)
        if not same or row.resigned or None in (row.deadline, before.deadline) or row.deadline >= before.deadline:
            return
        own = actor == row.account_id or self._ended_holiday(session, row.account_id)
        if not own:
            self.breach("moved back by others", game=row.game_id, seat=row.seat, was=before.deadline, now=row.deadline)

    def _ended_holiday(self, session: sa.orm.Session, account: int) -> bool:
        """By an act of theirs, which the clock follows in its next round."""
        query = sa.select(Holiday.id).where(Holiday.account_id == account, Holiday.ended_at >= self.last_round)
        return session.scalar(query.limit(1)) is not None

    def _judge_entry(self, one: Event, rows: dict[tuple[str, int], Any]) -> None:
        self.figures.stand(one.at - self.last.get(one.game, one.at), one.game)
        self.last[one.game] = one.at
        if one.seat is None or (before := self.rows.get((one.game, one.seat))) is None:
            return
        if one.kind == "taken":
            since = self.free.get((one.game, one.seat, before.since_seq), one.at)
            self.figures.takes.append(max(NONE, one.at - since))
        if one.kind not in ("moved", "expired") or before.resigned or before.deadline is None:
            return
        if one.kind == "expired":
            self._judge_expiry(one, before)
        after = rows.get((one.game, one.seat))
        if after is None or after.active_since != before.active_since or after.absent != before.absent:
            self._end_stretch(one, before)

    def _judge_expiry(self, one: Event, before: Any) -> None:
        if one.at < before.deadline:
            self.breach("played before the deadline", game=one.game, seq=one.seq, told=before.deadline, at=one.at)
        with self.services.database.read() as session:
            outages = session.scalars(sa.select(Outage).where(Outage.ends_at > before.deadline)).all()
        lost = sum((min(gap.ends_at, one.at) - max(gap.starts_at, before.deadline) for gap in outages), NONE)
        if one.at - before.deadline - max(lost, NONE) > self.slack:
            self.breach("played late", game=one.game, seq=one.seq, told=before.deadline, at=one.at)

    def _end_stretch(self, one: Event, before: Any) -> None:
        if before.active_since is None:
            return
        with self.services.database.read() as session:
            rests = self._rests(session, before)
        took, record = one.at - before.active_since, before.promised - before.active_since
        most = (record + sum((length for _, length in rests), NONE) + timedelta(seconds=kind.SETTLE)) * 7 / 4
        if before.deadline - before.active_since > most + timedelta(days=10):
            self.breach("stands beyond its bound", game=one.game, seat=one.seat, deadline=before.deadline)
        why = {name for name, _ in rests} if before.deadline > before.promised else set()
        late = one.kind == "expired" or one.at > before.promised
        self.figures.ended(
            Stretch(before.account_id, one.game, took, one.kind == "expired", late, before.absent, frozenset(why))
        )

    def _rests(self, session: sa.orm.Session, seat: Any) -> list[tuple[str, timedelta]]:
        """What may have rested during the seat's stretch, with its whole length."""
        since, until = seat.active_since, seat.deadline
        found = []
        for name, table, where in (
            (kind.HOLIDAY, Holiday, Holiday.account_id == seat.account_id),
            (kind.PAUSE, Pause, Pause.game_id == seat.game_id),
            (kind.OUTAGE, Outage, sa.true()),
        ):
            rows = session.scalars(sa.select(table).where(where, table.starts_at < until, table.ends_at > since))
            found += [(name, row.ends_at - row.starts_at) for row in rows]
        return found or [(kind.WEEKEND, NONE)]

    def _look_ahead(self) -> None:
        """When something is due next; and since when seats have been free."""
        now = self.services.now()
        dates = (at for row in self.rows.values() for at in (row.deadline, row.promised, row.remind_at))
        due = [at for at in dates if at is not None and at > now]
        self.soon = min(due, default=None)
        for row in self.rows.values():
            if row.free_from is not None and row.free_from <= now:
                self.free.setdefault((row.game_id, row.seat, row.since_seq), now)


def check_all(services: Services, judge: Callable[[str], str | None]) -> list[str]:
    """What the audit of each game that began finds wrong."""
    with services.database.read() as session:
        games = session.scalars(sa.select(Game.id).where(Game.head_seq > 0)).all()
    return [f"{game}: {found}" for game in games if (found := judge(game)) is not None]
