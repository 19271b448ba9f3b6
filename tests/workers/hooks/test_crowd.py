"""Many hooks at once: a slow receiver, or a name that does not resolve, delays nobody else."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from contextlib import asynccontextmanager
from unittest.mock import AsyncMock

import pytest

from server.kernel.db.models import HookDelivery
from tests.kit.patience import PATIENCE
from tests.workers.hooks.post import ADA, BEN, BOTH, CY, when
from workers.hooks import feed, leases
from workers.hooks.delivery_policy import DeliveryPolicy

PATIENT = DeliveryPolicy(every=0.05, request=60.0, lease=90)


@pytest.fixture
def hanging(post):
    """Hosts that begin with `slow` answer only at the end of the test."""
    over = threading.Event()

    async def hang() -> int:
        await when(over.is_set)
        return 204

    post.receiver.answer = lambda got: hang() if got.host.startswith("slow") else 204
    yield over
    over.set()


@BOTH
def test_a_second_look_that_fails_frees_the_places_of_the_first(post, monkeypatch):
    """Otherwise these places would be taken until the process ends."""
    post.hook()
    post.house.game()
    sender, real, looks = post.sender(), leases.candidates, iter((True, False))

    def look(*given):
        if not next(looks):
            raise ConnectionError
        return real(*given)

    monkeypatch.setattr(leases, "candidates", look)
    monkeypatch.setattr(leases, "LOOKED_AT", 1)
    with pytest.raises(ConnectionError):
        sender._prepare()
    assert sender.busy.count == 0


@asynccontextmanager
async def serving(sender, over):
    """The process's own loop. When it ends, nothing hangs any more."""
    task = asyncio.create_task(sender.serve())
    try:
        yield
    finally:
        over.set()
        sender.stop()
        await task


def serve_until(post, over, is_so, pace=PATIENT, **more) -> None:
    async def go() -> None:
        async with serving(post.sender(pace, **more), over), asyncio.timeout(PATIENCE):
            await when(is_so)

    asyncio.run(go())


def arrived(post) -> Counter:
    return Counter(got.host for got in list(post.receiver.got))


@pytest.mark.slow
@BOTH
def test_one_slow_receiver_of_twenty_does_not_delay_the_others(post, house, hanging):
    """Their messages have arrived while the first request of the slow one is still open."""
    post.hook(ADA, "slow.example.net", kinds=["started"])
    others = [(who, f"quick{n}.example.net") for n, who in enumerate([ADA] * 7 + [BEN] * 6 + [CY] * 6)]
    for who, host in others:
        post.hook(who, host, kinds=["started"])
    for _ in range(3):
        house.game(seats=3, clock=None)
    serve_until(post, hanging, lambda: sum(n for host, n in arrived(post).items() if host[0] == "q") == 57)
    assert {arrived(post)[host] for _, host in others} == {3}
    assert len(others) == 19


@pytest.mark.slow
def test_a_slow_hook_holds_a_few_places_and_a_slow_host_some_more(post, house, hanging):
    """However many games wait: four for a hook, sixteen for a host."""
    for who in (ADA, BEN, CY):
        for _ in range(3):
            post.hook(who, "slow.example.net", kinds=["started"])
    for _ in range(6):
        house.game(seats=3, clock=None)
    serve_until(post, hanging, lambda: post.receiver.most_open >= 16)
    assert post.receiver.most_open == 16


@pytest.mark.slow
def test_a_failing_hook_is_tried_by_one_message_at_a_time(post, house, hanging):
    """Its others wait meanwhile; a healthy hook gets all of its messages."""
    post.hook(ADA, "slow.example.net", kinds=["started"])
    for _ in range(6):
        house.game(clock=None)
    hang, post.receiver.answer = post.receiver.answer, lambda _: 500
    post.send()
    post.receiver.answer, failed = hang, arrived(post)["slow.example.net"]
    house.pass_time(days=1)
    post.hook(BEN, "quick.example.net", kinds=["started"])
    for _ in range(3):
        house.game(clock=None)
    serve_until(post, hanging, lambda: arrived(post)["quick.example.net"] == 3)
    assert arrived(post)["slow.example.net"] - failed == 1


@BOTH
def test_a_blocked_hook_hides_no_other_rows(post, house, hanging, monkeypatch):
    """More of its rows are due than a round reads, and all of them are older."""
    monkeypatch.setattr(leases, "LOOKED_AT", 10)
    slow = post.hook(ADA, "slow.example.net", kinds=[])
    with house.services.database.write() as session:
        for n in range(40):
            session.add(_row(house, slow, n))
    house.pass_time(seconds=60)
    post.hook(BEN, "quick.example.net", kinds=["started"])
    house.game(clock=None)
    serve_until(post, hanging, lambda: arrived(post)["quick.example.net"] == 1)
    assert arrived(post)["slow.example.net"] <= PATIENT.most_of_hook


def _row(house, hook, n) -> HookDelivery:
    given = {"hook_id": hook, "n": None, "lane": f"{n}", "kind": "ping", "seat": None, "body": "{}", "state": "waiting"}
    return HookDelivery(**given, attempts=0, next_at=house.time, created_at=house.time)


def test_a_dead_name_server_delays_nobody_else(post, house, hanging):
    """Lookups have threads of their own, one for each name."""
    asked = []

    def look_up(host, _port):
        if host.startswith("dead"):
            asked.append(host)
            hanging.wait(PATIENCE)
        return ["127.0.0.1"]

    for _ in range(3):
        post.hook(ADA, "dead.example.net", kinds=["started"])
    post.hook(BEN, "quick.example.net", kinds=["started"])
    for _ in range(3):
        house.game(clock=None)
    wire = post.receiver.wire(resolve=look_up)
    serve_until(post, hanging, lambda: arrived(post)["quick.example.net"] == 3, wire=wire)
    assert asked == ["dead.example.net"]


def test_the_process_survives_a_database_outage(post, house, hanging):
    """A round that fails is logged, and the next one does the work."""
    post.hook(kinds=["started"])
    house.game(clock=None)
    sender, failed = post.sender(PATIENT), []
    true = sender.round

    async def round_() -> bool:
        if len(failed) < 3:
            failed.append(1)
            raise ConnectionError
        return await true()

    sender.round = round_

    async def go() -> None:
        async with serving(sender, hanging), asyncio.timeout(PATIENCE):
            await when(lambda: "delivered" in post.states())

    asyncio.run(go())
    assert len(failed) == 3


@BOTH
def test_a_hook_whose_backlog_is_full_hides_no_other(post, house, hanging, monkeypatch):
    """Hooks get events in turn, even if the first ones can take no more."""
    monkeypatch.setattr(feed, "MOST", 1)
    post.hook(ADA, "slow.example.net")
    post.hook(BEN, "quick.example.net", kinds=["started"])
    for _ in range(4):
        house.game(clock=None)
    full = DeliveryPolicy(every=0.02, request=60.0, lease=90, window=1)
    serve_until(post, hanging, lambda: arrived(post)["quick.example.net"] == 4, full)
    assert arrived(post)["slow.example.net"] == 1


def test_a_failed_round_is_followed_by_a_pause(post, monkeypatch):
    """So an unavailable database is not asked without end."""
    sender = post.sender(PATIENT)
    monkeypatch.setattr(sender, "round", AsyncMock(side_effect=OSError))
    assert asyncio.run(sender._try_round()) is False
