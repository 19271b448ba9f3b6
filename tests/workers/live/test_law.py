"""The law of mail, with real processes: whatever is killed, emptied or refused, every notification arrives; a second
copy only under the same Message-ID; and never one that is no longer true."""

from __future__ import annotations

import random
import re
import threading
import time
from collections import Counter, defaultdict

import pytest
import redis
import sqlalchemy as sa

from server.kernel.db.models import Outbox
from tests.databases import BOTH
from tests.kit.absent import mentions, not_told
from tests.kit.patience import PATIENCE, until
from tests.servers.redis import held
from tests.workers.processes import CLOCK, LEASE, WORKER
from workers.mail.mailer import LANES

pytestmark = pytest.mark.slow

MESSAGE_ID = re.compile(r"<g\.(?P<game>[0-9a-f-]{36})\.e(?P<seq>\d+)\.(?P<seat>\d+)\.(?P<kind>\w+)@localhost>")
ROUNDS = 2  # of all troubles; ten seconds


@pytest.fixture
def database_url(request, tmp_path):
    """SQLite; PostgreSQL for tests that request it."""
    if getattr(request, "param", "sqlite") == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture
def queue(redis_url):
    """The Redis of the server, which tests read and empty."""
    with redis.Redis.from_url(redis_url) as client:
        yield client


def is_drained(house) -> bool:
    """Nothing waits to be told."""
    with house.services.database.read() as session:
        waiting = session.scalar(sa.select(sa.func.count()).where(Outbox.dispatched_at.is_(None)))
    return not waiting and all(row.state in ("sent", "dropped") for row in house.rows())


def drain(house, *crews) -> None:
    """Wait until all is told; a failure shows what is left, and what the processes wrote."""

    def left() -> str:
        rows = [(row.kind, row.state, row.attempts, row.last_error) for row in house.rows()]
        return "\n".join([f"not everything was told: {Counter(rows)}", *(crew.report() for crew in crews)])

    until(lambda: is_drained(house), left)


def ids(sink) -> list[str]:
    return [mail["Message-ID"] for mail in sink.mails]


def check_arrived(house, sink) -> None:
    """Every row marked as sent has a mail, every open question too, and nobody got anybody else's."""
    arrived = set(ids(sink))
    sent = {row.message_id for row in house.rows() if row.state == "sent"}
    assert sent <= arrived
    assert arrived <= {row.message_id for row in house.rows()}
    for game in {row.game_id for row in house.rows()}:
        table = house.table(game)
        for seat in table.active:
            assert f"<g.{game}.e{table.questions[seat].seq}.{seat}.turn@localhost>" in arrived
        if table.is_over:
            assert {f"<g.{game}.e{table.size - 1}.{seat}.over@localhost>" for seat in range(table.seats)} <= arrived


@pytest.mark.parametrize("database_url", BOTH, indirect=True)
def test_every_notification_arrives_whatever_happens(house, sink, crew, queue):
    """Workers killed at random, Redis emptied, SMTP refusing and away, while games are played."""
    dice, answered = random.Random(5), {}
    games = [house.game(kind, seats=2 + n % 2, clock=None) for n, kind in enumerate(["pig", "bids"] * 5)]
    crew.start("clock", CLOCK)
    crew.start("worker", WORKER)
    troubles = [trouble for _ in range(ROUNDS) for trouble in dice.sample(list(TROUBLES), len(TROUBLES))]
    for trouble in troubles:
        TROUBLES[trouble](crew, sink, queue)
        _play_some(house, games, answered, dice)
        time.sleep(dice.random())
    sink.answer = "250 OK"
    drain(house, crew)
    check_arrived(house, sink)
    _check_second_copies(sink, crew)
    _check_nothing_late(sink, crew, answered)


def _check_second_copies(sink, crew) -> None:
    """Only after a worker died, and of one mail: no other is handed over until its row says that it was sent."""
    copies = defaultdict(list)
    for mail, at in zip(sink.mails, sink.times, strict=True):
        copies[mail["Message-ID"]].append(at)
    again = sorted(at for times in copies.values() for at in times[1:])
    for number, at in enumerate(again):
        assert number < sum(killed < at for killed in crew.killed)


def _kill(crew, sink, queue) -> None:
    crew.kill("worker")
    crew.start("worker", WORKER)


def _kill_busy(crew, sink, queue) -> None:
    """Kill a worker while it sends a mail, or after a second."""
    once, killed = threading.Lock(), threading.Event()

    def kill() -> None:
        if once.acquire(blocking=False):
            crew.kill("worker")
            killed.set()

    sink.before = kill
    if not killed.wait(1.0):
        kill()
    assert killed.wait(PATIENCE)
    crew.start("worker", WORKER)


def _flush(crew, sink, queue) -> None:
    queue.flushall()


def _refuse(crew, sink, queue) -> None:
    """Until the next time."""
    sink.answer = "250 OK" if sink.answer.startswith("451") else "451 not now"


def _go_away(crew, sink, queue) -> None:
    sink.stop()
    time.sleep(0.5)
    sink.start()


TROUBLES = {"kill": _kill, "kill busy": _kill_busy, "flush": _flush, "451": _refuse, "away": _go_away}


def _play_some(house, games, answered, dice) -> None:
    """Make some moves; remembers when each question was answered."""
    for game in dice.sample(games, 6):
        table = house.table(game)
        if not table.is_over:
            seat = house.play_default(game)
            answered[game, table.questions[seat].seq, seat] = time.monotonic()


def _check_nothing_late(sink, crew, answered) -> None:
    """No turn mail comes after the answer, except those in the lanes then, which were checked before it.

    A killed worker may have left as many mails in progress.
    """
    came = [(answered[question], at) for question, at in _questions(sink) if question in answered]
    for moment in answered.values():
        assert sum(before <= moment < at for before, at in came) <= LANES * (
            1 + sum(killed < moment for killed in crew.killed)
        )


def _questions(sink):
    """The recipient and the time of each mailed question."""
    for mail, at in zip(sink.mails, sink.times, strict=True):
        told = MESSAGE_ID.fullmatch(mail["Message-ID"])
        if told and told["kind"] == "turn":
            yield (told["game"], int(told["seq"]), int(told["seat"])), at


def test_a_worker_killed_before_noting_a_mail_sends_it_again(house, sink, crew):
    """The only way to a second copy, with the same bytes; only for the mail that the relay had just accepted."""
    kills = []

    def kill_once() -> None:
        if not kills:
            kills.append(crew.kill("worker"))

    sink.before = kill_once
    for _ in range(15):
        house.game(clock=None)
    crew.start("worker", WORKER)
    until(lambda: kills, "the worker sent nothing")
    crew.start("worker", WORKER)
    crew.start("clock", CLOCK)
    drain(house, crew)
    copies = Counter(ids(sink)).values()
    assert sorted(copies) == [1] * 29 + [2]
    check_arrived(house, sink)


def test_another_worker_sends_the_mail_of_a_dead_one(house, sink, crew):
    """Killed while the mail server is silent: another worker goes on after the lease."""
    died, begun_anew = threading.Event(), threading.Event()

    def die() -> str | None:
        if not died.is_set():
            crew.kill("worker")
            died.set()
        return None if begun_anew.is_set() else "451 nobody hears this"

    sink.before = die
    crew.start("worker", WORKER)
    house.game(clock=None)
    assert died.wait(PATIENCE)
    begun = time.monotonic()
    crew.start("worker", WORKER)
    crew.start("clock", CLOCK)
    until(lambda: time.monotonic() - begun > LEASE / 3, "time stands still")  # other lanes' letters are refused
    begun_anew.set()
    drain(house, crew)
    assert time.monotonic() - begun > LEASE - 2
    assert Counter(ids(sink)).most_common(1)[0][1] == 1


def test_mail_waits_for_smtp_and_is_dropped_if_answered_meanwhile(house, sink, crew):
    """The relay refuses, then is down, while the first player moves: nobody is asked for that move any more."""
    sink.answer = "451 not now"
    crew.start("worker", WORKER)
    crew.start("clock", CLOCK)
    game = house.game("bids", clock=None)
    until(lambda: len(house.rows()) == 2 and all(row.last_error for row in house.rows()), "nothing was refused")
    sink.stop()
    house.move(game, 0, "bid 3")
    until(lambda: all(row.attempts > 1 for row in house.rows()), "it was not tried again")
    sink.answer = "250 OK"
    sink.start()
    drain(house, crew)
    assert sink.subjects() == ["ben: Your turn"]
    assert house.row("turn", 0).reason == "answered"


def test_an_emptied_queue_is_filled_from_the_rows(house, sink, crew, queue):
    """No worker runs while games start and Redis is emptied. Each mail has its picture."""
    for _ in range(5):
        house.game(clock=None)
    queue.flushall()
    crew.start("worker", WORKER)
    crew.start("clock", CLOCK)
    drain(house, crew)
    assert len(sink.mails) == len(set(ids(sink))) == 10
    assert all("image/png" in {part.get_content_type() for part in mail.walk()} for mail in sink.mails)


def test_a_running_worker_outlives_an_emptied_redis(house, sink, crew, queue):
    """It needs no registration."""
    crew.start("worker", WORKER)
    house.game(clock=None)
    until(lambda: len(sink.mails) == 2, "the worker sent nothing")
    queue.flushall()
    house.game(clock=None)
    until(lambda: len(sink.mails) == 4, "the worker went deaf")
    assert crew.running["worker"].poll() is None


def test_jobs_hold_ids_and_logs_hold_no_secret(house, sink, crew, queue, tmp_path):
    """All of Redis and all output at DEBUG, while a hidden game is mailed."""
    game = house.game("bids", seats=3, clock=None)
    kept = held(queue)
    crew.start("worker", WORKER)
    crew.start("clock", CLOCK)
    drain(house, crew)
    printed = (tmp_path / "crew.log").read_text("utf-8")
    assert "workers." in kept
    assert "notification" in printed
    for secret in (house.settings.master.hex(), "example.org", "/login/", "/u/"):
        not_told(secret, kept, printed)
    for word in ("favourite", *(bidder.favourite for bidder in house.table(game).state.bidders)):
        assert mentions(word, kept) + mentions(word, printed) == 0


def test_a_commit_wakes_the_worker(house, sink, crew):
    """No sweeper runs here: each mail comes because the commit woke the worker. `make bench` measures the delay."""
    crew.start("worker", WORKER)
    game = house.game(clock=None, goal=100)
    until(lambda: len(sink.mails) == 2, "the worker sent nothing")
    for _ in range(10):
        before = len(sink.mails)
        house.play_default(game)
        until(lambda seen=before: len(sink.mails) > seen, "no mail came")
    assert not house.table(game).is_over
