"""The id of a request follows what comes of it: its mails, its webhooks, and each process's lines about them."""

from __future__ import annotations

import logging
from collections.abc import Callable

import httpx
import pytest
import sqlalchemy as sa

from server.kernel import logs
from server.kernel.db.models import InboundMail, Notification, Outbox, UnnumberedEvent
from tests.kit.patience import until
from tests.servers import free, patient
from tests.workers.harness import Harness
from tests.workers.processes import WORKER, Crew
from tests.workers.test_log_lines import WEB, lines_of
from workers import dispatch as dispatching
from workers.digests import gather
from workers.dispatch import dispatch, dispatch_first
from workers.mail.mailer import Mailer

GIVEN = "0f3c2b1a-5d6e-4f70-8a9b-1c2d3e4f5061"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def in_request(act: Callable[[], object], number: str = GIVEN) -> None:
    """Do it as the web server does in the request with this id."""

    def asked() -> None:
        logs.bind_request(number)
        act()

    logs.apart(asked)


def ids(house: Harness, of: type[Outbox | Notification | UnnumberedEvent | InboundMail]) -> set[str | None]:
    with house.services.database.read() as session:
        return set(session.scalars(sa.select(of.request_id)))


@pytest.fixture
def lines(caplog):
    """The lines logged from here on, by event."""
    logs.configure("INFO")
    caplog.set_level(logging.INFO)
    said = lambda event: [one.msg for one in caplog.records if isinstance(one.msg, dict) and one.msg["event"] == event]  # noqa: E731
    return lambda event: [line.get("request") for line in said(event)]


def test_the_mails_of_a_request_have_its_id(house, lines):
    in_request(house.game)
    house.react()
    assert [mail["X-Request-Id"] for mail in house.sink.mails] == [GIVEN, GIVEN]
    assert set(lines("dispatched")) == ids(house, Outbox) == ids(house, Notification) == {GIVEN}


def test_what_no_request_caused_has_no_id(house, lines):
    """The clock's move, and its mail."""
    in_request(house.game)
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.update(Outbox).values(request_id=None, dispatched_at=None))
        session.execute(sa.delete(Notification))
    house.react()
    assert [mail["X-Request-Id"] for mail in house.sink.mails] == [None, None]
    assert lines("dispatched")[-1] is None


def test_each_event_of_one_job_keeps_the_id_of_its_own_request(house, lines):
    """The web server enqueues the events of several requests as one job."""
    first, second = "first-request", "second-request"
    in_request(house.game, first)
    in_request(house.game, second)
    house.game()
    with house.services.database.read() as session:
        numbers = list(session.scalars(sa.select(Outbox.id).order_by(Outbox.id)))
    dispatching.current, kept = (lambda: house.ctx), dispatching.current
    try:
        dispatch(*numbers)
    finally:
        dispatching.current = kept
    each = len(numbers) // 3
    assert lines("dispatched") == [first] * each + [second] * each + [None] * each
    assert ids(house, Notification) == {first, second, None}
    assert logs.request_id() is None


def test_an_event_that_cannot_be_dispatched_is_logged_with_the_id_of_its_request(house, lines, monkeypatch):
    in_request(house.game)
    monkeypatch.setattr(dispatching, "plan", lambda *_: 1 // 0)
    dispatch_first(house.ctx, ("started", "turn"), 10)
    assert set(lines("quarantined")) == {GIVEN}
    assert logs.request_id() is None


def test_a_mail_that_fails_is_logged_with_the_id_of_its_request(house, lines, monkeypatch):
    in_request(house.game)
    house.dispatch()
    monkeypatch.setattr("workers.mail.deliver.load", lambda *_: 1 // 0)
    house.deliver()
    assert lines("mail-fault") == [GIVEN, GIVEN]
    assert logs.request_id() is None


def test_the_end_of_a_mail_is_logged_with_the_id_of_its_request(house, lines):
    in_request(house.game)
    house.dispatch()
    mailer = Mailer(house.ctx)
    mailer.start()
    try:
        mailer.drain()
    finally:
        mailer.stop()
    assert lines("notification") == [GIVEN, GIVEN]


def test_a_digest_of_mails_from_several_requests_has_no_id(house):
    in_request(house.game)
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.update(Notification).values(state="held"))
    gather(house.ctx)
    assert {row.request_id for row in house.rows() if row.kind == "digest"} == {None}


@pytest.mark.slow
def test_web_and_worker_log_one_request_under_the_id_of_the_proxy(house, redis_url, tmp_path):
    """And its mail has the id, from the header of a trace as from the proxy's own."""
    [port] = free.ports(1)
    crew = Crew(
        house, tmp_path / "log", REDIS_URL=redis_url, PORT=str(port), HOSTS=f"127.0.0.1:{port}", PROXIES="1",
        WEB_WORKERS="1", LOG_LEVEL="INFO",
    )  # fmt: skip
    asked = {
        "ada": {"X-Request-Id": GIVEN},
        "ben": {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"},
    }
    try:
        crew.start("web", WEB, module="gunicorn")
        crew.start("worker", WORKER)
        until(lambda: _is_up(port), "the web server does not answer")
        for name, given in asked.items():
            sent = {"email": f"{name}@example.org"}
            patient.post(f"http://127.0.0.1:{port}/v1/login", json=sent, headers=given).raise_for_status()
        until(lambda: len(house.sink.mails) == 2, "the mails are not sent")
        until(lambda: crew.log.read_text().count('"event": "notification"') == 2, "the mails' ends are not logged")
    finally:
        crew.stop()
    mails = {mail["To"].addresses[0].username: mail["X-Request-Id"] for mail in house.sink.mails}
    assert mails == {"ada": GIVEN, "ben": TRACE}
    for number in mails.values():
        events = [line["event"] for line in lines_of(crew.log) if line.get("request") == number]
        assert sorted(events) == ["dispatched", "notification", "request"]


def _is_up(port: int) -> bool:
    try:
        return patient.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    except httpx.HTTPError:
        return False
