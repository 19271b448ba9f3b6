"""The queue, how a job is put on it, and what a job is given to work with.

A job names a function by a string and takes one id: nothing that anybody may not read lies in Redis. Redis may be
emptied at any moment; what must happen stands in `outbox` and `notification`, and the sweeper asks for it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import redis
from rq import Queue, Retry
from rq.serializers import JSONSerializer

from server.config import Settings, settings
from server.logs import log
from server.services import Services, open_services
from server.wake import DISPATCH, QUEUE
from workers.mail.facts import House
from workers.mail.smtp import Smtp
from workers.replies.dns import Dns, ask, with_file

DELIVER = "workers.mail.deliver.deliver"
JUDGE = "workers.judge.judge"
BACK_OFF = (10, 60, 300, 900, 3600)
JOB_TIMEOUT = 60
LONGEST_WAIT = 86400

__all__ = ["BACK_OFF", "DELIVER", "DISPATCH", "JUDGE", "QUEUE", "Pace", "Shop", "enqueue", "open_queue", "open_shop"]


@dataclass(frozen=True)
class Pace:
    """How patient the workers are, in seconds. A lease outlives the longest job, so that nobody delivers beside it."""

    lease: int = JOB_TIMEOUT + 15
    back_off: tuple[int, ...] = BACK_OFF
    tries: int = 80  # with an hour between the last ones, three days
    pause: int = 600  # until a seat whose own move left it to move is asked by mail: it has just been there

    def wait(self, attempts: int) -> int:
        """How long to wait after this many tries; after the last of them twice as long each time, at most a day."""
        usual = self.back_off[min(attempts, len(self.back_off)) - 1]
        beyond = min(max(0, attempts - self.tries), 10)
        return min(usual << beyond, max(usual, LONGEST_WAIT))


@dataclass(frozen=True)
class Shop:
    """What a reaction works with: the server's services, the house that mail comes from, SMTP, the pace,
    where keys of senders are asked for.
    """

    services: Services
    house: House
    smtp: Smtp
    pace: Pace = Pace()
    queue: Callable[[], Queue | None] = lambda: None
    dns: Dns = ask


def open_shop(chosen: Settings | None = None, pace: Pace | None = None) -> Shop:
    """A process's own shop. Nothing connects before it is used."""
    given = chosen or settings()
    house = House(given.mail_from, given.public_url, given.reply_address, given.bounce_address)
    opened: list[Queue] = []

    def queue() -> Queue | None:
        if given.redis_url and not opened:
            opened.append(open_queue(given.redis_url))
        return opened[0] if opened else None

    dns = with_file(given.dkim_key_file) if given.dkim_key_file else ask
    return Shop(open_services(given), house, Smtp.at(given.smtp_url), pace or Pace(), queue, dns)


def open_queue(redis_url: str) -> Queue:
    """The queue over a connection that notices a dead server within seconds."""
    connection = redis.Redis.from_url(redis_url, socket_connect_timeout=5, health_check_interval=30)
    return Queue(QUEUE, connection=connection, serializer=JSONSerializer)


def enqueue(queue: Queue | None, notifications: Iterable[int], first: bool = False) -> None:
    """Ask for these deliveries, `first` before all others; at best effort, since the rows stay."""
    if queue is None:
        return
    try:
        for number in notifications:
            queue.enqueue(
                DELIVER,
                number,
                job_id=f"deliver-{number}",
                job_timeout=JOB_TIMEOUT,
                at_front=first,
                result_ttl=0,
                failure_ttl=86400,
                retry=Retry(max=len(BACK_OFF), interval=list(BACK_OFF)),
            )
    except redis.RedisError as error:
        log.warning("not-enqueued", error=type(error).__name__)
