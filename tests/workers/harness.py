"""A server for the workers' tests: a real database, real use cases, signed acts and SMTP, and a settable clock."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as WIRE
from functools import lru_cache, partial
from html import unescape
from typing import Any

import sqlalchemy as sa

from engine.kit import Step, dump_steps, parse
from engine.record.encoding.canonical import H
from engine.record.log.table import Table
from engine.record.signed import acts, keys, moves
from engine.record.signed.keys import sign_jws
from server.kernel.config import Settings
from server.kernel.db.models import Account, AccountKey, Entry, Game, Notification, Outbox, Seat
from server.kernel.logs import apart
from server.kernel.services import open_services, utc_now
from server.play.write import join, offer, resign, submit, take
from server.tables.write import GameRequest, create_game
from tests import databases
from tests.servers import free
from tests.servers.lines import Controller
from workers.dispatch import dispatch_in
from workers.mail import deliver, leases
from workers.mail.facts import MailOrigin as Sender
from workers.mail.smtp import KeptConnection, Smtp
from workers.queues import RetryPolicy, WorkerContext

START = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)
PEOPLE = ("Ada", "Ben", "Cy")
MASTER = bytes(range(32))
DAY = 86400
CLOCK = {"move": 3 * DAY, "bank": 0, "increment": 0, "cap": 0, "grace": 300, "missed": 2, "grants": 14 * DAY}


@dataclass
class Sink:
    """A real SMTP server that stores its mails, or answers with `before` or `answer`."""

    answer: str = "250 OK"
    mails: list[EmailMessage] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    before: Any = None

    def __post_init__(self) -> None:
        self.port = free.ports(1)[0]
        self.start()

    def start(self) -> None:
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self.controller.start()

    async def handle_DATA(self, server, session, envelope) -> str:
        answer = (self.before and self.before()) or self.answer
        if answer.startswith("250"):
            self.times.append(time.monotonic())
            self.mails.append(message_from_bytes(envelope.content, policy=WIRE))
        return answer

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def subjects(self) -> list[str]:
        return [subject(mail) for mail in self.mails]

    def stop(self) -> None:
        self.controller.stop()


@lru_cache(maxsize=2000)
def subject(mail: EmailMessage) -> str:
    """The recipient and the topic, read once: a whole game has many mails, and is asked for them after each move."""
    return f"{recipient(mail).username}: {about(mail).partition('] ')[2]}"


@lru_cache(maxsize=2000)
def recipient(mail: EmailMessage) -> Address:
    return mail["To"].addresses[0]


def about(mail: EmailMessage) -> str:
    """The title of the HTML part: what the mail is about. The subject is the same for all mails of a game."""
    return unescape(re.search("<title>(.*)</title>", mail.get_body(("html",)).get_content())[1])


class Harness:
    """Accounts for Ada, Ben and Cy, and games between them."""

    def __init__(
        self, database_url: str, sink: Sink, redis_url: str | None = None, dns: Any = None, **more: Any
    ) -> None:
        given = {"public_url": "http://127.0.0.1:8000", **more}
        self.settings = Settings(
            master=MASTER, database_url=database_url, smtp_url=sink.url, redis_url=redis_url, **given
        )
        self.time = START
        self.sink = sink
        services = open_services(self.settings)
        databases.migrate(services.database, database_url)
        object.__setattr__(services, "now", lambda: self.time)
        chosen = self.settings
        sender = Sender(chosen.mail_from, chosen.public_url, chosen.reply_address, chosen.bounce_address)
        self.ctx = WorkerContext(services, sender, Smtp.at(sink.url), RetryPolicy(), dns=dns or (lambda _: None))
        self.services = services
        self._people()

    def _people(self) -> None:
        with self.services.database.write() as session:
            for name in PEOPLE:
                account = Account(email=f"{name.lower()}@example.org", name=name, created_at=START)
                session.add(account)
                session.flush()
                jwk, kid = keys.jwk(keys.public_of(seed(name))), keys.thumbprint(keys.public_of(seed(name)))
                session.add(AccountKey(account_id=account.id, kid=kid, x=jwk["x"], created_at=START))

    def follow_wall_clock(self) -> None:
        """Take the time from the machine from now on, not from `time`."""
        object.__setattr__(self.services, "now", utc_now)

    # --- games ------------------------------------------------------------------------------------------------------

    def game(
        self,
        kind: str = "pig",
        seats: int = 2,
        clock: int | dict[str, int] | None = 3 * DAY,
        handover: str = "both",
        unsigned: bool = False,
        wait: int = 0,
        recovery: str | None = None,
        **options: Any,
    ) -> str:
        """A running game of the first people, in order. `clock`: the time of a move, or members of a clock.

        `wait`: the seconds that an offered seat waits. `recovery`: the name that seeds everybody's recovery key.
        """
        given = {"move": clock} if isinstance(clock, int) else clock
        times = None if given is None else CLOCK | given
        wish = GameRequest(
            type=kind,
            seats=seats,
            options=options,
            clock=times,
            handover=handover,
            offer_wait=wait,
            unsigned=unsigned,
        )
        game_id = create_game(self.services, 1, wish)
        for seat in range(seats):
            nonce = H(f"{game_id} {seat}".encode())
            act = acts.join(**self._where(game_id, seat), **self._holder(PEOPLE[seat], recovery), nonce=nonce)
            join(self.services, game_id, sign_jws(seed(PEOPLE[seat]), act))
        return game_id

    def _holder(self, name: str, recovery: str | None = None) -> dict[str, Any]:
        back = None if recovery is None else keys.jwk(keys.public_of(seed(recovery)))
        return {"key": keys.jwk(keys.public_of(seed(name))), "recovery": back, "bot": False}

    def offer(self, game_id: str, seat: int, *, is_open: bool = True, by: str | None = None) -> None:
        act = acts.offer(**self._where(game_id, seat), open_=is_open)
        offer(self.services, game_id, sign_jws(seed(by or PEOPLE[seat]), act))

    def take(self, game_id: str, seat: int, name: str) -> None:
        """Take the seat for this person."""
        act = acts.take(**self._where(game_id, seat), **self._holder(name))
        take(self.services, game_id, sign_jws(seed(name), act))

    def table(self, game_id: str) -> Table:
        with self.services.database.read() as session:
            game = session.get(Game, game_id)
            assert game is not None
            return self.services.tables.of(session, game)

    def _where(self, game_id: str, seat: int) -> dict[str, Any]:
        table = self.table(game_id)
        return {"aud": table.server, "game": game_id, "seat": seat, "seq": table.size, "prev": table.head}

    def move(self, game_id: str, seat: int, text: str, by: str | None = None) -> None:
        """Sign and submit a move by notation; sealed in a hidden game. `by`: the present holder after a takeover."""
        table, key = self.table(game_id), seed(by or PEOPLE[seat])
        commands = dump_steps(parse(table.game, text))
        if table.hidden:
            whole = moves.move_text(commands, H(text.encode()))
            act = acts.move(**self._where(game_id, seat), sealed=moves.seal_move(whole))
            submit(self.services, game_id, sign_jws(key, act), whole)
        else:
            act = acts.move(**self._where(game_id, seat), commands=commands)
            submit(self.services, game_id, sign_jws(key, act))

    def play_default(self, game_id: str) -> int:
        """Play the default move for the active seat; returns that seat."""
        table = self.table(game_id)
        seat = table.active[0]
        from engine.kit import format_steps

        self.move(game_id, seat, format_steps([Step(table.game.default(table.state, seat))]))
        return seat

    def play_default_by(self, game_id: str, name: str) -> None:
        """The same, by the player who took the seat."""
        table = self.table(game_id)
        from engine.kit import format_steps

        self.move(
            game_id, table.active[0], format_steps([Step(table.game.default(table.state, table.active[0]))]), name
        )

    def resign(self, game_id: str, seat: int) -> None:
        resign(self.services, game_id, sign_jws(seed(PEOPLE[seat]), acts.resign(**self._where(game_id, seat))))

    # --- reactions --------------------------------------------------------------------------------------------------

    def pass_time(self, **length: float) -> None:
        self.time += timedelta(**length)

    def dispatch(self) -> list[int]:
        """Dispatch every outbox row, in order; the notifications made."""
        with self.services.database.read() as session:
            rows = list(session.scalars(sa.select(Outbox.id).order_by(Outbox.id)))
        return [number for row in rows for number in apart(partial(dispatch_in, self.ctx, row))]

    def deliver(self) -> list[str]:
        """Try every notification once; returns the results."""
        return [deliver_in(self.ctx, row.id) for row in self.rows()]

    def react(self) -> list[str]:
        """Dispatch and deliver once; returns the mails as `ada: Your turn`."""
        self.dispatch()
        self.deliver()
        return self.sink.subjects()

    def rows(self) -> list[Notification]:
        with self.services.database.read() as session:
            return list(session.scalars(sa.select(Notification).order_by(Notification.id)))

    def ask(self, query: Any) -> list[Any]:
        """The rows that a loop's query has now."""
        with self.services.database.read() as session:
            return list(session.execute(query(self.time)))

    def row(self, kind: str, seat: int) -> Notification:
        return next(row for row in reversed(self.rows()) if (row.kind, row.seat) == (kind, seat))

    def kinds(self, game_id: str) -> list[str]:
        with self.services.database.read() as session:
            return list(session.scalars(sa.select(Entry.kind).where(Entry.game_id == game_id).order_by(Entry.seq)))

    def seat(self, game_id: str, seat: int) -> Seat:
        with self.services.database.read() as session:
            found = session.get(Seat, (game_id, seat))
            assert found is not None
            return found

    def close(self) -> None:
        self.services.waker.close()
        self.services.database.dispose()


def deliver_in(ctx: WorkerContext, notification_id: int) -> str:
    """Deliver one mail as a lane does: `sent`, `dropped`, `failed`, `later`, or `not-due` if it must wait."""
    now = ctx.services.now()
    whose = (Notification.id == notification_id, leases.waiting(now) | leases.late(now))
    for one in leases.lease(ctx, 1, *whose):
        line = KeptConnection(ctx.smtp)
        try:
            end = deliver.deliver(ctx, one, line)
        finally:
            line.close()
        with ctx.services.database.write() as session:
            leases.store_results(session, [end])
        return "later" if end.state in ("pending", "held") else end.state
    return "not-due"


def seed(name: str) -> bytes:
    return H(name.encode())
