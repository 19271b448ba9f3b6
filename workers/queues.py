"""The job queue, and the context that jobs run in.

A job is the name of a function and ids, so Redis holds nothing secret. Redis may be emptied at any time: the work is in
`outbox`, and the sweeper takes up what was lost. Mail waits in `notification` and in no queue (`workers.mail.mailer`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

from server.kernel.config import Settings, settings
from server.kernel.services import DISPATCH, QUEUE, Services, open_services
from workers.mail import near
from workers.mail.facts import MailOrigin
from workers.mail.signing import signing
from workers.mail.smtp import Smtp
from workers.replies.dns import Dns, ask, with_file
from workers.replies.reading import ReadMail, UnreadMail, read

BACK_OFF = (10, 60, 300, 900, 3600)
JOB_TIMEOUT = 60
LONGEST_WAIT = 86400

__all__ = ["BACK_OFF", "DISPATCH", "QUEUE", "RetryPolicy", "WorkerContext", "open_context", "open_queue"]


@dataclass(frozen=True)
class RetryPolicy:
    """Leases and retries, in seconds. The lease of a mail that is being sent is renewed while its process lives."""

    lease: int = JOB_TIMEOUT + 15
    back_off: tuple[int, ...] = BACK_OFF
    tries: int = 80  # three days, with an hour between the last ones
    pause: int = 600  # before the mail to a player who must move again right after their own move

    def wait(self, attempts: int) -> int:
        """How long to wait after this many tries; beyond `tries` it doubles each time, up to a day."""
        usual = self.back_off[min(attempts, len(self.back_off)) - 1]
        beyond = min(max(0, attempts - self.tries), 10)
        return min(usual << beyond, max(usual, LONGEST_WAIT))


@dataclass(frozen=True)
class WorkerContext:
    """The services of a job: the server's own, the sender of mails, the relay, and functions that tests replace."""

    services: Services
    origin: MailOrigin
    smtp: Smtp
    pace: RetryPolicy = RetryPolicy()
    queue: Callable[[], Queue | None] = lambda: None
    dns: Dns = ask
    draw: Callable[[str], bytes | None] = lambda svg: near.png(svg)  # noqa: PLW0108 - a test may draw nothing
    read_mail: Callable[[UnreadMail, Dns], ReadMail] = read
    wake_up: Callable[[], None] = lambda: None


def open_context(chosen: Settings | None = None, pace: RetryPolicy | None = None) -> WorkerContext:
    """A process's own context. Nothing connects before it is used."""
    given = chosen or settings()
    origin = MailOrigin(given.mail_from, given.public_url, given.reply_address, given.bounce_address)
    opened: list[Queue] = []

    def queue() -> Queue | None:
        if given.redis_url and not opened:
            opened.append(open_queue(given.redis_url))
        return opened[0] if opened else None

    dns = with_file(given.dkim_key_file) if given.dkim_key_file else ask
    return WorkerContext(
        open_services(given), origin, Smtp.at(given.smtp_url, signing(given)), pace or RetryPolicy(), queue, dns
    )


def open_queue(redis_url: str) -> Queue:
    """The queue over a connection of its own, since a worker waits in it, that notices a dead server within seconds."""
    once = Retry(NoBackoff(), 1)  # a worker that waits for jobs has its own way of trying again
    connection = redis.Redis.from_url(redis_url, socket_connect_timeout=5, health_check_interval=30, retry=once)
    return Queue(QUEUE, connection=connection, serializer=JSONSerializer)
