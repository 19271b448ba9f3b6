"""While the database is away, the loops of the workers log their failures once a minute."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
import structlog
from sqlalchemy.exc import ProgrammingError
from structlog.testing import CapturingLogger

from tests.workers.harness import Harness
from workers import failure_log
from workers.analyst import Analyst
from workers.auditor import Auditor
from workers.clock import round_of
from workers.failure_log import EVERY, FailureLog
from workers.hooks.delivery_policy import DeliveryPolicy
from workers.hooks.http_client import Transport
from workers.mail.mailer import Mailer
from workers.push.sender import PushSender
from workers.queues import WorkerContext
from workers.replies.lanes import ReplyLanes
from workers.streams.hub import Hub, StreamLimits, StreamTiming
from workers.streams.poll import poll

PARTS = (
    "follow",
    "resume_with_rules",
    "tick",
    "remind_early",
    "gather",
    "settle",
    "end_unstarted",
    "carry_out",
    "end_guests",
    "sweep",
)


class AwayError(Exception):
    """The database does not answer."""


@pytest.fixture
def database_url(tmp_path) -> str:
    """One kind will do, since it does not answer."""
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture
def lines(monkeypatch) -> Callable[[], list[tuple[Any, ...]]]:
    """The part, the error and the number of failures of each line."""
    told = CapturingLogger()
    bound = structlog.wrap_logger(told, processors=[lambda _, __, event: ((), event)])
    monkeypatch.setattr(failure_log, "log", bound)
    return lambda: [tuple(call.kwargs[name] for name in ("part", "error", "failures")) for call in told.calls]


def test_the_first_failure_is_logged_at_once_and_then_one_line_a_minute(lines):
    """With the number of failures since the line before; a part that works again has no line."""
    times = (0.0, 1.0, EVERY - 1, EVERY, EVERY + 1, 10 * EVERY)
    failures = FailureLog(partial(next, iter(times)))
    for _ in times:
        failures.note("mail", AwayError())
    assert lines() == [("mail", "AwayError", 1), ("mail", "AwayError", 3), ("mail", "AwayError", 2)]


def test_another_part_and_another_error_are_logged_at_once(lines):
    failures = FailureLog(lambda: 0.0)
    for part, fault in (("mail", AwayError()), ("replies", AwayError()), ("mail", KeyError()), ("mail", AwayError())):
        failures.note(part, fault)
    assert lines() == [("mail", "AwayError", 1), ("replies", "AwayError", 1), ("mail", "KeyError", 1)]


def test_the_database_s_own_message_is_logged_and_no_other(monkeypatch):
    """In one line, without the statement and its values."""
    told = CapturingLogger()
    monkeypatch.setattr(failure_log, "log", structlog.wrap_logger(told, processors=[lambda _, __, event: ((), event)]))
    denied = Exception("permission denied for table game\nDETAIL: of nobody")
    for fault in (ProgrammingError("SELECT 1", {"of": "seat 1"}, denied), KeyError("the hand of seat 1")):
        FailureLog().note("mail", fault)
    assert [call.kwargs.get("says") for call in told.calls] == ["permission denied for table game", None]


def of_clock(ctx: WorkerContext) -> None:
    failures = FailureLog()
    for _ in range(2):
        round_of(ctx, failures)


def of_thread(lanes: Analyst | Auditor) -> None:
    for _ in range(2):
        lanes._round()


def of_mailer(ctx: WorkerContext) -> None:
    mailer = Mailer(ctx)
    for _ in range(2):
        mailer._try(lambda: mailer._round(is_told=True))


def of_replies(ctx: WorkerContext) -> None:
    lanes = ReplyLanes(ctx)
    for _ in range(2):
        lanes._round(ctx)


def of_push(ctx: WorkerContext) -> None:
    async def rounds() -> None:
        sender = PushSender(ctx, DeliveryPolicy(), Transport())
        for _ in range(2):
            await sender._try_round()
        await sender._end()

    asyncio.run(rounds())


def of_streams(ctx: WorkerContext) -> None:
    async def rounds() -> None:
        hub = Hub(partial(poll, ctx.services), StreamLimits(), StreamTiming())
        hub._followers["a1"] = {Mock(last=0, **{"ask.key": "a1", "ask.shown": None})}
        for _ in range(2):
            await hub._round({"a1"})

    asyncio.run(rounds())


LOOPS: dict[str, tuple[Callable[[WorkerContext], None], tuple[str, ...]]] = {
    "analyst": (lambda ctx: of_thread(Analyst(ctx)), ("analyst",)),
    "auditor": (lambda ctx: of_thread(Auditor(ctx)), ("auditor",)),
    "clock": (of_clock, PARTS),
    "mailer": (of_mailer, ("mail",)),
    "push": (of_push, ("push",)),
    "replies": (of_replies, ("replies",)),
    "streams": (of_streams, ("events",)),
}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_without_a_database_logs_each_part_once(house: Harness, lines, monkeypatch, loop: str):
    """However many rounds fail; another loop begins anew."""

    def away() -> None:
        raise AwayError

    run, parts = LOOPS[loop]
    monkeypatch.setattr(house.services.database, "read", away)
    monkeypatch.setattr(house.services.database, "write", away)
    run(house.ctx)
    assert lines() == [(part, "AwayError", 1) for part in parts]
