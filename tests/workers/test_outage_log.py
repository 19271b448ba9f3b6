"""An outage is one line of the log, with the words of what is away."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from structlog.testing import CapturingLogger

from server.accounts.sign_in import request_link
from tests.kit.patience import until
from tests.servers import free, smtp
from workers import outage_log
from workers.mail import leases
from workers.mail.mailer import Mailer
from workers.mail.smtp import Smtp
from workers.outage_log import OutageLog
from workers.queues import RetryPolicy


@pytest.fixture
def said(monkeypatch) -> CapturingLogger:
    made = CapturingLogger()
    monkeypatch.setattr(outage_log, "log", made)
    return made


def events(said: CapturingLogger) -> list[tuple[object, ...]]:
    return [(*call.args, *call.kwargs.values()) for call in said.calls]


def test_an_outage_has_a_line_when_it_begins_and_one_when_it_ends(said):
    """However many threads try it meanwhile, and although its words change a little."""
    log = OutageLog("relay-away", "relay-back")
    for why in (None, "421 busy, 17:01", "421 busy, 17:02", None, None):
        log.note(why)
    assert events(said) == [("relay-away", "421 busy, 17:01"), ("relay-back",)]


def test_another_kind_of_failure_is_news(said):
    """The first may be mended, and the second be there because of that."""
    log = OutageLog("relay-away", "relay-back")
    for why in ("ConnectionRefusedError: no", "554 not you", "554 not you"):
        log.note(why)
    assert events(said) == [("relay-away", "ConnectionRefusedError: no"), ("relay-away", "554 not you")]


def test_mails_that_an_outage_has_put_off_go_out_when_it_ends(house, sink):
    """After a long one each would wait for its own next try, up to an hour. One that was refused still does."""
    sink.answer = "451 later"
    refused = put_off(house)
    sink.stop()
    away = put_off(house)
    sink.answer = "250 OK"
    sink.start()
    house.time += timedelta(minutes=6)
    request_link(house.services, "dee@example.org", "")
    mailer = Mailer(house.ctx)
    mailer.start()
    try:
        until(lambda: states(house, away) == {"sent"}, "the mails still wait")
    finally:
        mailer.stop()
    assert states(house, refused) == {"pending"}


def put_off(house) -> set[int]:
    """The mails of a new game, which are tried, and now wait for an hour."""
    before = {row.id for row in house.rows()}
    object.__setattr__(house.ctx, "pace", RetryPolicy(back_off=(3600,)))
    house.game()
    house.dispatch()
    mailer = Mailer(house.ctx)
    mailer.start()
    mailer.drain()
    mailer.stop()
    return {row.id for row in house.rows()} - before


def states(house, numbers: set[int]) -> set[str]:
    return {row.state for row in house.rows() if row.id in numbers}


def test_a_mail_that_has_just_been_tried_is_not_due_again_at_once(house, sink):
    """A relay that takes every second connection would use up its tries within minutes."""
    sink.stop()
    away = put_off(house)
    leases.release(house.ctx)
    assert {row.next_at for row in house.rows() if row.id in away} == {house.time + timedelta(hours=1)}
    sink.start()


def test_a_worker_logs_why_its_mails_wait_and_when_they_go_out_again(house, said):
    """The line about each mail has only its state: an answer to a mail may hold an address."""
    [port] = free.ports(1)
    ctx = replace(house.ctx, smtp=Smtp.at(f"smtp://127.0.0.1:{port}"), pace=RetryPolicy(back_off=(0,)))
    mailer = Mailer(ctx)
    house.game()
    house.dispatch()
    mailer.start()
    try:
        until(lambda: said.calls, "the log has nothing")
        with smtp.running(port):
            until(lambda: len(said.calls) == 2, "the relay is not back")
            until(lambda: {row.state for row in house.rows()} == {"sent"}, "mails are not sent")
    finally:
        mailer.stop()
    [(event, why), back] = events(said)
    assert (event, why.partition(":")[0], back) == ("relay-away", "ConnectionRefusedError", ("relay-back",))
