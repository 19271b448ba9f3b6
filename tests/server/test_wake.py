"""Jobs enqueued after a commit, their senders, and an unavailable Redis."""

import threading

import pytest
import redis
from rq import Queue
from rq.serializers import JSONSerializer

from server.kernel import metrics
from server.kernel.breaker import REFUSES, SILENT
from server.kernel.services import DISPATCH, EVENTS, QUEUE, LaterWaker, Waker
from tests.kit.patience import PATIENCE, until
from tests.servers import free
from tests.servers import redis as redis_server


def waiting(redis_url: str) -> list[tuple[int, ...]]:
    """The arguments of the queued jobs, in order."""
    with redis.Redis.from_url(redis_url) as client:
        jobs = Queue(QUEUE, connection=client, serializer=JSONSerializer).jobs
        assert {job.func_name for job in jobs} <= {DISPATCH}
        return [tuple(job.args) for job in jobs]


def finish(waker: LaterWaker) -> None:
    """As at the end of the process."""
    for gathering in (waker._news, waker._rows):
        gathering._sender.shutdown()


def test_rows_are_enqueued_in_their_order_before_wake_returns(redis_url):
    Waker(redis_url).wake([3, 4])
    assert waiting(redis_url) == [(3, 4)]


@pytest.mark.parametrize("kind", [Waker, LaterWaker])
def test_a_sign_in_mail_goes_first(redis_url, kind):
    waker = kind(redis_url)
    Waker(redis_url).wake([3, 4])
    waker.wake_first(7)
    if kind is LaterWaker:
        finish(waker)
    assert waiting(redis_url) == [(7,), (3, 4)]


def test_everything_is_enqueued_before_the_process_ends(redis_url):
    waker = LaterWaker(redis_url)
    for number in range(20):
        waker.wake([number])
    finish(waker)
    jobs = waiting(redis_url)
    assert len(jobs) < 20
    assert [number for job in jobs for number in job] == list(range(20))


def test_news_wait_for_no_rows(redis_url):
    """The news of a move are sent at once, though its rows wait for those of others."""
    with redis.Redis.from_url(redis_url) as client, client.pubsub() as listening:
        listening.subscribe(EVENTS)
        assert listening.get_message(timeout=PATIENCE)["type"] == "subscribe"
        waker = LaterWaker(redis_url)
        held = threading.Event()
        waker._rows.submit(held.wait)
        waker.wake([7], ["gc"])
        assert listening.get_message(timeout=PATIENCE)["data"] == b"gc"
        assert waiting(redis_url) == []
        held.set()
        finish(waker)
    assert waiting(redis_url) == [(7,)]


def test_a_wake_after_the_end_is_ignored(redis_url):
    waker = LaterWaker(redis_url)
    finish(waker)
    waker.wake([1])
    assert waiting(redis_url) == []


@pytest.mark.parametrize("kind", [Waker, LaterWaker])
def test_an_unavailable_redis_is_counted_and_raises_nothing(kind):
    before = metrics.WAKES_FAILED._value.get()
    (port,) = free.ports(1)
    waker = kind(f"redis://127.0.0.1:{port}/0")
    waker.wake([1])
    if kind is LaterWaker:
        finish(waker)
    assert metrics.WAKES_FAILED._value.get() == before + 1


@pytest.mark.parametrize("kind", [Waker, LaterWaker])
def test_without_redis_nothing_is_enqueued(kind):
    waker = kind(None)
    waker.wake([1])
    assert "redis" not in vars(waker)


def test_a_fault_of_the_sending_thread_is_counted(redis_url, monkeypatch):
    """Any error that stops the thread is reported to the operator."""
    before = metrics.WAKES_FAILED._value.get()
    waker = LaterWaker(redis_url)
    monkeypatch.setattr(waker, "_enqueue", lambda *_: 1 // 0)
    waker.wake([1])
    finish(waker)
    assert metrics.WAKES_FAILED._value.get() == before + 1


@pytest.mark.parametrize("kind", [Waker, LaterWaker])
def test_listeners_get_topics_only(kind, redis_url):
    """Each once; a wake without rows enqueues no job."""
    with redis.Redis.from_url(redis_url) as client, client.pubsub() as listening:
        listening.subscribe(EVENTS)
        assert listening.get_message(timeout=PATIENCE)["type"] == "subscribe"
        waker = kind(redis_url)
        waker.wake([], ["gb", "a1", "a1"])
        if kind is LaterWaker:
            finish(waker)
        assert listening.get_message(timeout=PATIENCE)["data"] == b"gb a1"
        assert waiting(redis_url) == []
        waker = kind(redis_url)
        waker.wake([7], ["gc"])
        if kind is LaterWaker:
            finish(waker)
        assert listening.get_message(timeout=PATIENCE)["data"] == b"gc"
    assert waiting(redis_url) == [(7,)]


def test_a_redis_that_refuses_the_password_is_not_reported_as_silent(tmp_path):
    """The operator would look for a fault of the network. It is so while the breaker is open, too."""
    with redis_server.running(tmp_path) as url:
        waker = Waker(url)
        with redis.Redis.from_url(url) as client:
            client.config_set("requirepass", "secret")
        assert [waker.flaw(), waker.flaw()] == [REFUSES, REFUSES]
        waker.close()


@pytest.mark.slow
def test_a_redis_that_comes_back_with_a_password_is_not_silent_any_more(tmp_path):
    """As after a restart with other settings: the reason is found anew, and the outage ends with the password."""
    with redis_server.pausable(tmp_path) as server, redis.Redis.from_url(server.url) as client:
        waker = Waker(server.url)
        client.config_set("requirepass", "secret")
        server.hang()
        assert waker.flaw() == SILENT
        server.go_on()
        until(lambda: waker.flaw() == REFUSES, "the reason stays")
        client.config_set("requirepass", "")
        until(lambda: waker.flaw() is None, "the outage does not end")
        waker.close()
