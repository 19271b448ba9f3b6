"""A server that lives through a year in minutes: its clock is set from one event to the next, and all else is real.

Events are what people do, rounds of the clock, and outages. After each, mails go out and the watcher looks. A round
comes every `ROUND`. The clock also looks at deadlines in the very second in which a seat is due by the record or by the
server.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from typing import Any
from unittest.mock import patch

import sqlalchemy as sa

from engine.kit import Step, dump_steps, legal, view
from engine.players import Anything, Facts, Positions, levels
from engine.record.audit import audit
from engine.record.log.table import Table
from server.kernel.db.models import Beat, Game, Notification, Outbox, Pause, Place, Seat
from server.kernel.db.models.quarantine import Quarantined
from server.play.write import submit
from server.tables.calendar import outages
from tests.server import surfaces
from tests.server.harness import Harness, Player
from tests.server.test_bots import house_player, sit
from tests.year.figures import Figures
from tests.year.laws import Watch, check_all
from tests.year.letters import Letters
from tests.year.written import Written
from workers.calendars import follow
from workers.deadlines import tick
from workers.digests import gather, settle
from workers.dispatch import dispatch
from workers.lobbies import end_unstarted
from workers.mail import deliver, leases
from workers.reminders import remind_early

ROUND = timedelta(hours=8)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
SLACK = 3 * HOUR  # for two hours after an outage the clock plays for nobody
# How long no web worker answers, and whether the clock runs meanwhile.
OUTAGES = (
    (10 * MINUTE, True),
    (40 * MINUTE, False),
    (3 * HOUR, True),
    (9 * HOUR, False),
    (26 * HOUR, True),
    (50 * HOUR, False),
)
AT_ONCE, OVER_TIME = 0.3, 0.5  # shares of the tables of a year
PARTS = (follow, tick, remind_early, gather, settle, end_unstarted)  # of a round, as in `workers.clock`


class World:
    """The server, its mails, and everybody."""

    def __init__(self, hall: Harness, days: int, most_tables: int, dice: random.Random) -> None:
        self.hall, self.dice, self.days, self.most_tables = hall, dice, days, most_tables
        self.services, self.ctx = hall.services, surfaces.context(hall)
        self.begins = hall.clock.at
        self.ends = self.begins + timedelta(days=days)
        self.figures = Figures()
        self.written = Written(self.services.database)
        self.watch = Watch(self.services, self.written, self.figures, SLACK)
        self.letters = Letters(self.services, self.watch)
        self.events: list[tuple[datetime, int, str, Callable[[], object]]] = []
        self.number, self.down, self.runs = count(), False, True
        self.actor: int | None = None
        self.house: list[Player] = []
        self.handles: list[str] = []
        self.browsers: dict[int, Any] = {}
        self.dispatched = self.mailed = self.answered = -1
        self.next_mail: datetime | None = None
        outages.beat(self.services)

    @property
    def tables(self) -> int:
        """How many have been opened so far."""
        return len(self.watch.heads)

    @property
    def most_new_tables(self) -> float:
        """Some at once, and more all year; the last of all are for rematches."""
        return self.most_tables * (AT_ONCE + OVER_TIME * (self.hall.clock() - self.begins) / (self.ends - self.begins))

    # --- Time -------------------------------------------------------------------------------------------------------

    def at(self, moment: datetime, what: Callable[[], object], who: str = "person") -> None:
        """Do this then, or as soon as the server answers."""
        if moment < self.ends:
            heappush(self.events, (moment.replace(microsecond=0), next(self.number), who, what))

    def run(self) -> None:
        """The whole year."""
        for number, (length, runs) in enumerate(OUTAGES):
            begins = self.begins + (number + self.dice.random()) * self.days / len(OUTAGES) * timedelta(days=1)
            self.at(begins, lambda runs=runs: self._go_down(runs), "outage")  # type: ignore[misc]  # bound at once
            self.at(begins + length, self._come_back, "outage")
        self.at(self.begins, self._rounds, "clock")
        while self.events:
            moment, _, who, what = heappop(self.events)
            if who == "person" and self.down:
                self.at(moment + self.dice.randrange(10, 90) * MINUTE, what)
                continue
            self.hall.clock.at = max(self.hall.clock.at, moment)
            what()
            self._go_on()

    def _go_on(self) -> None:
        """What follows from whatever happened: house players answer, mails go out, the watcher looks."""
        self.look()
        if not self.down:
            self._house_plays()
        self.mail()
        self.look()

    def look(self, *, whole: bool = False) -> None:
        news = self.watch.look(self.actor, whole=whole)
        self.actor = None
        for one in news:
            self.figures.counted[f"{one.kind} ({one.reason})" if one.kind == "cancelled" else one.kind] += 1
        if self.watch.soon is not None:
            self._round_at(self.watch.soon)

    def _round_at(self, moment: datetime) -> None:
        if not self.events or moment < self.events[0][0]:
            self.at(moment, self._tick, "clock")

    def _beat(self) -> None:
        """A web worker has beaten within half a minute, unless it is down. Only the clock reads it."""
        if not self.down:
            with self.services.database.write() as session:
                session.execute(
                    sa.update(Beat).values(at=self.hall.clock() - timedelta(seconds=self.dice.randrange(30)))
                )

    def _go_down(self, runs: bool) -> None:
        self._beat()
        self.down, self.runs = True, runs

    def _come_back(self) -> None:
        outages.beat(self.services)
        self.down, self.runs = False, True
        self.at(self.hall.clock() + MINUTE, self._round, "clock")

    def _rounds(self) -> None:
        """And once a day a look at every row."""
        self._round()
        if self.hall.clock().hour < ROUND / HOUR:
            self.look(whole=True)
        self.at(self.hall.clock() + ROUND, self._rounds, "clock")

    def _round(self) -> None:
        self._beat()
        if self.runs:
            for part in PARTS:
                part(self.ctx)
            self.look()
            self.watch.last_round = self.services.now()

    def _tick(self) -> None:
        self._beat()
        if self.runs:
            tick(self.ctx)

    # --- Mail -------------------------------------------------------------------------------------------------------

    def mail(self) -> None:
        """Send what has been written since the last time, and what is due by now."""
        if self.down and not self.runs:
            return
        if self.dispatched != self.written.times("outbox"):
            self._dispatch()
        self.dispatched = self.written.times("outbox")
        is_due = self.next_mail is not None and self.next_mail <= self.hall.clock()
        if is_due or self.mailed != self.written.times("notification"):
            self._send()
        self.mailed = self.written.times("notification")

    def _dispatch(self) -> None:
        with self.services.database.read() as session:
            rows = session.scalars(sa.select(Outbox.id).where(Outbox.dispatched_at.is_(None)).order_by(Outbox.id)).all()
        with patch("workers.dispatch.current", lambda: self.ctx):
            dispatch(*rows)

    def _send(self) -> None:
        now = self.hall.clock()
        while leased := leases.lease(self.ctx, 100, leases.waiting(now) | leases.late(now)):
            ends = [deliver.deliver(self.ctx, one, self.letters.line(one)) for one in leased]  # type: ignore[arg-type]
            for end in ends:
                if end.state == "sent":
                    self.figures.mails[end.of.kind] += 1
                elif end.state not in ("dropped", "held"):
                    self.watch.breach("a mail that failed", kind=end.of.kind, end=end.values)
            with self.services.database.write() as session:
                leases.store_results(session, ends)
        with self.services.database.read() as session:
            waits = sa.select(sa.func.min(Notification.next_at)).where(Notification.state == "pending")
            self.next_mail = session.scalar(waits)

    def meet(self, everybody: list[Any]) -> None:
        """Everybody is there, and reads their mails."""
        self.letters.readers = {one.player.account: one for one in everybody}
        self.handles = [one.handle for one in everybody]
        self.figures.people, self.figures.days = len(everybody), self.days

    def browser(self, person: Any) -> Any:
        """The browser in which somebody is signed in, anew if need be."""
        number = person.player.number
        if number not in self.browsers or "Sign out" not in self.browsers[number].get("/").get_data(as_text=True):
            self.browsers[number] = self.hall.browser()  # a session that nobody uses ends after 90 days
            self.browsers[number].sign_in(self.hall, f"player{number}@example.org")
        return self.browsers[number]

    # --- House players ----------------------------------------------------------------------------------------------

    def add_house(self) -> None:
        self.house = [house_player(self.hall, name, "easy") for name in ("York", "Sedan")]

    def _house_plays(self) -> None:
        """They sit down where a seat is kept for them, and move wherever they owe one."""
        if self.answered == self.written.times("place", "seat", "game"):
            return
        self._answer()
        self.answered = self.written.times("place", "seat", "game")

    def _answer(self) -> None:
        numbers = {one.account: one for one in self.house}
        asked = (Place.state == "asked", Place.account_id.in_(numbers), Place.until > self.hall.clock())
        owed = (Seat.account_id.in_(numbers), Seat.question_seq.is_not(None), Game.status == "running")
        places = sa.select(Place.game_id, Place.seat, Place.account_id, Game.status).join(
            Game, Game.id == Place.game_id
        )
        seats = sa.select(Seat.game_id, Seat.seat, Seat.account_id).join(Game, Game.id == Seat.game_id)
        for _ in range(200):
            with self.services.database.read() as session:
                kept, turns = session.execute(places.where(*asked)).all(), session.execute(seats.where(*owed)).all()
            if not kept and not turns:
                return
            for game, seat, account, status in kept:
                act = "join" if status == "lobby" else "take"
                self.check(sit(numbers[account], game, seat, act=act), "house")
            for game, seat, account in turns:
                self.play(numbers[account], game, seat)
        self.watch.breach("a house player without an end")

    def play(self, player: Player, game: str, seat: int) -> bool:
        """One move by the weakest policy of its title; False if the seat owes none."""
        with self.services.database.read() as session:
            table = self.services.tables.of(session, session.get_one(Game, game))
        if table.stage != "running" or seat not in table.active:
            return False
        player.seat = seat
        body = player.signed_move(game, dump_steps(thought(table, seat, self.dice)), (table.size, table.head))
        self.actor = player.account
        submit(self.services, game, body["jws"], body.get("text"))
        self.look()
        return True

    # --- What people find -------------------------------------------------------------------------------------------

    def check(self, answer: Any, what: str) -> bool:
        """Whether it was done; a refusal is counted by its code."""
        if answer.status_code < 300:
            return True
        assert answer.status_code < 500, answer.get_data(as_text=True)
        self.figures.refused[f"{what} {answer.get_json()['code']}"] += 1
        return False

    def audit(self) -> list[str]:
        def judge(game: str) -> str | None:
            report = audit(self.hall.client.get(f"/v1/games/{game}/bundle").data)
            still_hidden = report.verdict == "open" and report.stage == "running"
            return None if report.verdict == "holds" or still_hidden else report.text()

        return check_all(self.services, judge)

    def count_pauses(self) -> None:
        """How many pauses all players of a table have agreed to."""
        agreed = sa.select(sa.func.count()).where(Pause.kind == "all")
        with self.services.database.read() as session:
            self.figures.counted["pauses by all"] = session.scalar(agreed) or 0

    def set_aside(self) -> list[str]:
        """What a loop of the clock could not do."""
        with self.services.database.read() as session:
            return [f"set aside: {one.loop} {one.key} {one.error}" for one in session.scalars(sa.select(Quarantined))]


def thought(table: Table, seat: int, dice: random.Random) -> list[Step]:
    """A move by the weakest policy, from what the seat sees."""
    policy = next(iter(levels(table.game).values()), Anything())
    listed = tuple(legal(table.game, table.state, seat))
    facts = Facts(game=table.game, seat=seat, options=table.options, budget=Positions(20))
    return [Step(one) for one in policy.line(facts, view(table.game, table.state, seat), listed, dice)]
