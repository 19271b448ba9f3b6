"""The services given to each use case: settings, the database, the tables in memory, the clock, randomness, the waker.

Made once in a process, by `create_app` or by a worker; nothing connects before it is used.

The waker enqueues jobs after a commit, best effort: the sweeper finds lost ones in the outbox. Jobs are named by
strings and take only ids; the web process enqueues `workers.dispatch.dispatch(*outbox_ids)`. The waker also publishes
on EVENTS, for streams and webhooks, what has changed: words separated by spaces, `a17` for an account, `g` and a UUID
for a game. Listeners also poll. And it keeps the last note of each game in Redis, which a restore of the database does
not undo.
"""

from __future__ import annotations

import secrets
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from queue import SimpleQueue
from threading import Event
from typing import Any, Generic, TypeVar

from engine import registry, struct_types
from engine.errors import EngineFault
from engine.record.signed import note
from server.kernel import metrics, own_keys, store_urls
from server.kernel import secrets as kernel_secrets
from server.kernel.config import Settings
from server.kernel.db.session import Database, TimeLimits
from server.kernel.db.tables import PastTables, Row, TableCache
from server.kernel.logs import log

T = TypeVar("T")
QUEUE = "sealedmove"
DISPATCH = "workers.dispatch.dispatch"
EVENTS = "sealedmove-events"
PROBE = "sealedmove-probe"
NOTE = "sealedmove-note-"  # and a game: the key of its last note, a hash of `size` and `note`
KEEP = """
local kept = redis.call("HMGET", KEYS[1], "size", "note")
if ARGV[4] == "" then
    if tonumber(ARGV[1]) <= tonumber(kept[1] or "0") then return end
elseif kept[2] ~= ARGV[4] then return end
redis.call("HSET", KEYS[1], "size", ARGV[1], "note", ARGV[2])
if ARGV[3] == "0" then redis.call("PERSIST", KEYS[1]) else redis.call("EXPIRE", KEYS[1], ARGV[3]) end
"""
AFTER_THE_END = 90 * 86400  # seconds: no older copy is restored
GATHER = 0.02  # seconds; players wait for the news
GATHER_ROWS = 0.25  # a mail may wait longer: a job for each move costs the worker more than the rows of twenty
MOST_UNSENT, UNSENT_AT_ONCE = 10_000, 500  # games
KEEPS = {"job_timeout": 60, "result_ttl": 0, "failure_ttl": 86400}


def utc_now() -> datetime:
    """The wall clock, in whole seconds as the record writes it."""
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class KeptNote:
    """The server's note on a game at its present end, to be kept outside the database."""

    game: str
    size: int
    text: str
    is_last: bool  # the game is over, so the note need not be kept forever


@dataclass(frozen=True, slots=True)
class Services:
    """Passed to every use case; a test replaces the clock or the chance, never the store.

    `known_sizes` are the numbers of entries that this process has seen of games, 0 if it has only compared the kept
    note.
    """

    settings: Settings
    database: Database
    waker: Waker
    tables: TableCache = field(default_factory=TableCache)
    now: Callable[[], datetime] = utc_now
    random: Callable[[int], bytes] = secrets.token_bytes
    past_tables: PastTables = field(default_factory=PastTables)
    known_sizes: dict[str, int] = field(default_factory=dict)
    confirmed: Event = field(default_factory=Event)

    @property
    def master(self) -> bytes:
        """The master, once it was held against the keys of the games here; Problem `wrong-master` if it is another."""
        if not self.confirmed.is_set():
            with self.database.read() as session:
                other = own_keys.other_key(self.settings, session)
            if other is not None:
                raise own_keys.refused(other)
            self.confirmed.set()
        return self.settings.master

    def seed(self, number: int) -> bytes:
        """The private seed of the server's key of this number."""
        return kernel_secrets.server_seed(self.master, number)

    def server_key(self, number: int) -> bytes:
        """The public key of this number."""
        return kernel_secrets.server_key(self.master, number)

    def note_of(self, game: Row, size: int, head: bytes) -> str:
        """The server's note on a log of this size, signed with the game's own key; always the same bytes."""
        return note.write(self.settings.server_name, game.id, size, head, self.seed(game.key_number))

    def report_fault(self, game_id: str, fault: EngineFault) -> None:
        """Log for the operator where it happened, without the facts, which may hold what a seat hides."""
        metrics.FAULTS.inc()
        log.error("engine-fault", game=game_id, code=fault.code, **fault_place(fault))


def fault_place(fault: Exception) -> dict[str, Any]:
    """The kind of the error behind a fault, and where in the code it happened, without its facts."""
    cause = fault.__cause__ or fault
    places = [
        f"{frame.filename.rpartition('/engine/')[2]}:{frame.lineno}"
        for frame in traceback.extract_tb(cause.__traceback__)
    ]
    return {"error": type(cause).__name__, "at": places[-6:]}


def open_services(settings: Settings, waker: Waker | None = None) -> Services:
    """The services of a process; ConfigError if the address of the database or of Redis cannot be used."""
    store_urls.check_database(settings.database_url)
    store_urls.check_redis(settings.redis_url)
    for home, why in registry.flaws().items():  # logged for the operator; all other games are served
        log.error("game-out", folder=home, why=why)
    struct_types.read_all()
    limits = TimeLimits(settings.statement_timeout, settings.lock_timeout)
    database = Database(settings.database_url, limits, settings.database_connections)
    return Services(settings, database, waker or Waker(settings.redis_url))


# --- the waker --------------------------------------------------------------------------------------------------------


class Waker:
    """Enqueues jobs; without a Redis URL it does nothing.

    While Redis is away, jobs and topics are dropped, since the loops of the workers find their rows, and notes are
    kept here until it is back.
    """

    def __init__(self, redis_url: str | None) -> None:
        self._redis_url = redis_url
        self._unsent: dict[str, KeptNote] = {}
        self._is_unread = False

    @property
    def keeps_notes(self) -> bool:
        return self._redis_url is not None

    @cached_property
    def pool(self) -> Any:
        """The connections that all uses of Redis in a process share, with their breaker."""
        from server.kernel.breaker import guarded_pool  # loads redis, which most commands do without

        return guarded_pool(self._redis_url or "")

    @cached_property
    def redis(self) -> Any:
        """The client, made on first use."""
        import redis

        return redis.Redis(connection_pool=self.pool)

    def flaw(self) -> str | None:
        """Why Redis cannot be used now, as a sentence; a full one still answers. Waits for it once in a process."""
        import redis

        if self._redis_url is None:
            return None
        try:
            self.redis.set(PROBE, 1, ex=60)
        except redis.ResponseError as error:
            return f"Redis takes nothing more: {str(error).rstrip('.')}."
        except redis.RedisError:
            return str(self.pool.breaker.why)
        return None

    def jobs(self) -> dict[str, int] | None:
        """How many jobs wait, and how many failed within a day; None without an answer of Redis."""
        import redis

        if self._redis_url is None:
            return None
        try:
            return {"waiting": self.queue.count, "failed": self.queue.failed_job_registry.count}
        except redis.RedisError:
            return None

    @cached_property
    def queue(self) -> Any:
        """The queue of the workers, made on first use."""
        from rq import Queue
        from rq.serializers import JSONSerializer

        return Queue(QUEUE, connection=self.redis, serializer=JSONSerializer)

    def close(self) -> None:
        """Close the connections to Redis; a later use opens new ones."""
        pool = vars(self).pop("pool", None)
        if pool is not None:
            for name in ("redis", "queue"):
                vars(self).pop(name, None)
            pool.breaker.close()
            pool.disconnect()

    def wake_first(self, outbox_id: int) -> None:
        """Enqueue the dispatch of this row ahead of all others: somebody is waiting for this mail."""
        if self._redis_url is not None:
            self._at_best(lambda batch: self._enqueue(batch, [outbox_id], at_front=True))

    def wake(self, outbox_ids: Sequence[int], topics: Sequence[str] = (), notes: Sequence[KeptNote] = ()) -> None:
        """Enqueue the dispatch of these rows, publish what has changed, keep these notes.

        Everything is committed, so nothing is lost if it fails.
        """
        if self._redis_url is None or not (outbox_ids or topics or notes):
            return
        unsent = [] if self.pool.breaker.is_open else list(self._unsent.values())[:UNSENT_AT_ONCE]
        if self._at_best(lambda batch: self._tell(batch, outbox_ids, topics, [*unsent, *notes])):
            self._forget_sent(unsent)
        else:
            self._keep_unsent(notes)

    def _forget_sent(self, notes: Sequence[KeptNote]) -> None:
        for one in notes:
            if self._unsent.get(one.game) is one:
                self._unsent.pop(one.game, None)

    def _keep_unsent(self, notes: Sequence[KeptNote]) -> None:
        """Keep the newest of each game for a wake after Redis is back; a process that ends before loses them."""
        for one in notes:
            if one.game in self._unsent or len(self._unsent) < MOST_UNSENT:
                self._unsent[one.game] = one

    def replace_note(self, judged: bytes, note: KeptNote) -> None:
        """Keep this note in place of the judged one, even if that is longer, unless another has been kept meanwhile."""
        if self._redis_url is not None:
            self._at_best(lambda batch: _keep_note(batch, note, judged))

    def notes(self, games: Sequence[str]) -> list[bytes | None] | None:
        """The kept notes of these games, unverified, each None without one; None if Redis does not answer (logged)."""
        import redis

        if self._redis_url is None:
            return [None] * len(games)
        try:
            with self.redis.pipeline(transaction=False) as batch:
                for game in games:
                    batch.hget(f"{NOTE}{game}", "note")
                found = list(batch.execute())
        except redis.RedisError as error:
            if not self._is_unread:  # once in an outage
                log.warning("notes-unread", error=type(error).__name__)
            self._is_unread = True
            return None
        self._is_unread = False
        return found

    def _at_best(self, tell: Callable[[Any], None]) -> bool:
        """False if Redis did not answer. The breaker logs that once."""
        import redis

        try:
            with self.redis.pipeline() as batch:  # RQ's own way makes two round trips
                tell(batch)
                batch.execute()
        except redis.RedisError:
            metrics.WAKES_FAILED.inc()
            return False
        return True

    def _tell(self, batch: Any, outbox_ids: Sequence[int], topics: Sequence[str], notes: Sequence[KeptNote]) -> None:
        if outbox_ids:
            self._enqueue(batch, outbox_ids)  # RQ begins a MULTI, so this comes first
        for one in notes:
            _keep_note(batch, one)
        if topics:
            batch.publish(EVENTS, " ".join(dict.fromkeys(topics)))

    def _enqueue(self, batch: Any, outbox_ids: Sequence[int], at_front: bool = False) -> None:
        self.queue.enqueue(DISPATCH, *outbox_ids, at_front=at_front, pipeline=batch, **KEEPS)


class LaterWaker(Waker):
    """For a process that answers requests: no response waits for Redis, and the rows of several moves go in one job."""

    def __init__(self, redis_url: str | None) -> None:
        super().__init__(redis_url)
        self._news: Gathering[str | KeptNote] = Gathering("waker-news", GATHER, self._send_news)
        self._rows: Gathering[int] = Gathering("waker-rows", GATHER_ROWS, super().wake)

    def wake(self, outbox_ids: Sequence[int], topics: Sequence[str] = (), notes: Sequence[KeptNote] = ()) -> None:
        """Wake within moments."""
        if self._redis_url is not None:
            self._news.put([*topics, *notes])
            self._rows.put(outbox_ids)

    def wake_first(self, outbox_id: int) -> None:
        """The same, without making the request wait."""
        if self._redis_url is not None:
            self._news.submit(super().wake_first, outbox_id)

    def _send_news(self, told: Sequence[str | KeptNote]) -> None:
        notes = [one for one in told if isinstance(one, KeptNote)]
        super().wake([], [one for one in told if isinstance(one, str)], notes)


class Gathering(Generic[T]):
    """Gives what was put within some seconds to `send` together.

    One thread sends, started by the first item, so after any fork; a process that ends sends the rest.
    """

    def __init__(self, name: str, seconds: float, send: Callable[[Sequence[T]], None]) -> None:
        self._seconds, self._give = seconds, send
        self._waiting: SimpleQueue[T] = SimpleQueue()
        self._is_due = False
        self._sender = ThreadPoolExecutor(1, name)

    def put(self, items: Sequence[T]) -> None:
        for one in items:
            self._waiting.put(one)
        if items and not self._is_due:
            self._is_due = True
            self.submit(self._send)

    def submit(self, work: Callable[..., None], *given: object) -> None:
        """Run it in the thread, which reports what it raises."""
        with suppress(RuntimeError):  # the process is ending; the sweeper finds the rows
            self._sender.submit(work, *given).add_done_callback(_report)

    def _send(self) -> None:
        time.sleep(self._seconds)
        self._is_due = False  # before the rest is taken: what comes later is due again
        if not self._waiting.empty():
            self._give([self._waiting.get() for _ in range(self._waiting.qsize())])


def _keep_note(batch: Any, note: KeptNote, judged: bytes = b"") -> None:
    """Keep the note in place of a shorter one, or in place of exactly the `judged` one."""
    batch.eval(KEEP, 1, f"{NOTE}{note.game}", note.size, note.text, AFTER_THE_END if note.is_last else 0, judged)


def _report(sent: Future[None]) -> None:
    """Report a fault in the thread: nobody waits for its result, and the sweeper would hide it."""
    error = sent.exception()
    if error is not None:
        metrics.WAKES_FAILED.inc()
        log.error("waker-failed", error=type(error).__name__)
