"""The law of hooks, with real processes: whatever is killed, every event arrives, in the order of its game; twice only
if a process was killed or silent between the answer and its note."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from collections import Counter, defaultdict

import pytest
import redis
import sqlalchemy as sa

from server.kernel.db.models import Account, AccountEvent, Hook, HookDelivery, UnnumberedEvent
from tests.kit.patience import PATIENCE, until
from tests.workers.hooks.post import ADA, BEN, BOTH, CY, when

pytestmark = pytest.mark.slow
PATIENT = ("300", "200")  # seconds of a lease and of a request: more than a process stands still for on a busy machine


def is_drained(house) -> bool:
    """Every event is a delivery, and each was accepted."""
    with house.services.database.read() as session:
        behind = sa.select(Hook.id).join(Account, Account.id == Hook.account_id).where(Hook.cursor < Account.events)
        new = sa.select(UnnumberedEvent.id).join(Hook, Hook.account_id == UnnumberedEvent.account_id)
        left = sa.select(HookDelivery.id).where(HookDelivery.state != "delivered")
        return all(session.scalar(waiting.limit(1)) is None for waiting in (new, behind, left))


def lanes(receiver) -> dict[tuple[str, str], list[int]]:
    """The messages of each game at each hook, in order of arrival."""
    found = defaultdict(list)
    for got in list(receiver.got):
        event = json.loads(got.body)
        found[got.target, event["game"]].append(event["n"])
    return found


def check_arrived(house, receiver) -> None:
    """Everything arrived in order; a number is repeated only before the next one."""
    told = lanes(receiver)
    for numbers in told.values():
        assert numbers == sorted(numbers)
    with house.services.database.read() as session:
        hooked = AccountEvent.account_id.in_(sa.select(Hook.account_id))
        owed = Counter(session.scalars(sa.select(AccountEvent.account_id).where(hooked)))
    assert owed
    for account, count in owed.items():
        arrived = {n for (target, _), numbers in told.items() for n in numbers if target == f"/{account}"}
        assert arrived == set(range(1, count + 1))


def play(house, games, dice, times) -> None:
    for _ in range(times):
        game = dice.choice(games)
        if not house.table(game).is_over:
            house.play_default(game)


@BOTH
def test_every_event_arrives_whatever_is_killed(post, house, receiver, crew, start):
    """With requests open, and receivers that fail now and then."""
    dice, chance = random.Random(7), random.Random(8)
    receiver.answer = lambda _: 500 if chance.random() < 0.1 else 204
    for who in (ADA, BEN, CY):
        post.hook(who)
    start("one")
    games = [house.game(seats=2 + n % 2, clock=None, goal=100) for n in range(4)]
    for name in ("one", "one"):
        play(house, games, dice, 6)
        _kill_busy(receiver, crew, name)
        start(name)
    receiver.answer = lambda _: 204
    until(lambda: is_drained(house), "not everything arrived")
    check_arrived(house, receiver)


def _kill_busy(receiver, crew, name) -> None:
    """Kill it while it has a request open, or after a second."""
    end = time.monotonic() + 1
    while not receiver.open and time.monotonic() < end:
        time.sleep(0.001)
    crew.kill(name)


def test_a_process_killed_before_noting_the_answer_sends_again_with_the_same_id(post, house, receiver, crew, start):
    """The only way to a second copy; the next event of the game waits for it."""
    killed = threading.Event()

    def die(_got) -> int:
        if not killed.is_set():
            crew.kill("one")
            killed.set()
        return 204

    receiver.answer = die
    post.hook()
    house.game(clock=None)
    start("one")
    assert killed.wait(PATIENCE)
    start("one")
    until(lambda: is_drained(house), "not everything arrived")
    check_arrived(house, receiver)
    counts = Counter(receiver.ids())
    assert counts.pop(receiver.ids()[0]) == 2
    assert set(counts.values()) <= {1}


@BOTH
def test_two_processes_send_nothing_twice(post, house, receiver, crew, start):
    """Nor two messages of one game at the same time."""
    open_now, doubled = Counter(), []

    async def slowly(got) -> int:
        lane = got.target, json.loads(got.body)["game"]
        open_now[lane] += 1
        doubled.append(open_now[lane] > 1)
        await asyncio.sleep(0.02)
        open_now[lane] -= 1
        return 204

    receiver.answer = slowly
    for who in (ADA, BEN):
        post.hook(who)
    for name in ("one", "two"):
        start(name, *PATIENT)
    games = [house.game(clock=None, goal=100) for _ in range(4)]
    play(house, games, random.Random(3), 12)
    until(lambda: is_drained(house), "not everything arrived")
    check_arrived(house, receiver)
    assert not any(doubled)
    assert set(Counter(receiver.ids()).values()) == {1}


def test_an_emptied_redis_loses_nothing(post, house, receiver, crew, start, redis_url):
    """It only wakes processes; the rows are the truth."""
    post.hook()
    start("one")
    with redis.Redis.from_url(redis_url) as client:
        client.flushall()
        house.game(clock=None)
        client.flushall()
    until(lambda: is_drained(house), "not everything arrived")
    check_arrived(house, receiver)


def test_a_commit_is_delivered_at_once(post, house, receiver, crew, start, tmp_path):
    """Without waiting for the next poll: the use cases publish the account's number, and the process listens."""
    heard = threading.Event()
    with redis.Redis.from_url(house.settings.redis_url) as client:
        post.hook()
        start("one")
        until(lambda: client.pubsub_numsub("sealedmove-events")[0][1] == 1, "nobody listens")
        receiver.answer = lambda _: heard.set() or 204
        house.game(clock=None)
        assert heard.wait(PATIENCE)


def test_a_stopped_process_finishes_its_requests(post, house, receiver, crew, start):
    """SIGTERM: open requests get their answer, and it is noted."""
    begun, told = threading.Event(), threading.Event()

    async def wait(_got) -> int:
        begun.set()
        await when(told.is_set)
        return 204

    receiver.answer = wait
    post.hook(kinds=["started"])
    house.game(clock=None)
    start("one", *PATIENT)
    assert begun.wait(PATIENCE)
    process = crew.running["one"]
    process.terminate()
    told.set()
    assert process.wait(PATIENCE) == 0
    assert post.states() == ["delivered"]
    assert post.answers() == [204]


def test_no_secret_is_printed(post, house, receiver, crew, start, tmp_path):
    """At DEBUG: neither the signing secret nor the URL, which may hold a password."""
    number = post.hook(url="https://receiver.example/a?key=tell-nobody")
    start("one")
    house.game("bids", clock=None)
    until(lambda: is_drained(house), "not everything arrived")
    crew.stop()
    printed = (tmp_path / "crew.log").read_text("utf-8")
    assert '"event": "hook"' in printed
    signatures = {got.headers["webhook-signature"].partition(",")[2] for got in receiver.got}
    for secret in (post.secrets[number].removeprefix("whsec_"), "tell-nobody", "receiver.example", *signatures):
        assert secret not in printed
