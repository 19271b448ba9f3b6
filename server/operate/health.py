"""Health, readiness, and metrics in Prometheus' text form.

With PROMETHEUS_MULTIPROC_DIR set, as in gunicorn's configuration, the numbers of all worker processes are added up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa
from flask import Blueprint, Response, current_app
from prometheus_client import CollectorRegistry, generate_latest, multiprocess, values
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import REGISTRY

from server.evidence.server_keys import check_number
from server.hooks import streams
from server.kernel.config import ConfigError
from server.kernel.db.models import Game
from server.kernel.services import Services
from server.mailbox import read as mailbox

T = TypeVar("T")
blp = Blueprint("health", __name__)


@blp.get("/healthz")
def healthz() -> Response:
    """Alive: checks nothing else."""
    return Response("ok\n", mimetype="text/plain")


@blp.get("/readyz")
def readyz() -> Response:
    """Ready: the database answers and is migrated. What is degraded loses nothing, but the operator should act."""
    services: Services = current_app.extensions["sealedmove"]
    try:
        with services.database.read() as session:
            session.execute(sa.select(Game.id).limit(1))
        check_number(services)
    except sa.exc.SQLAlchemyError:
        return _not_ready("the database does not answer or its tables are missing")
    except ConfigError as error:
        return _not_ready(str(error))
    redis = "degraded: Redis does not answer. Mails are late, and each process counts rate limits on its own.\n"
    return Response("ready\n" + redis * services.waker.is_away(), mimetype="text/plain")


def _not_ready(why: str) -> Response:
    return Response(f"{why}\n", 503, {"Retry-After": "5"}, mimetype="text/plain")


@blp.get("/metrics")
def numbers() -> Response:
    """The metrics for Prometheus."""
    services: Services = current_app.extensions["sealedmove"]
    mailed, said = lambda: _rows(services, mailbox.counted_mails), lambda: _rows(services, mailbox.counted_reports)
    numbers = exposition(services.settings.events_socket, mailed, said)
    return Response(numbers, content_type="text/plain; version=0.0.4; charset=utf-8")


def _rows(services: Services, count: Callable[[Services], dict[str, T]]) -> dict[str, T]:
    """No rows while the database is unreachable, when the other numbers matter most."""
    try:
        return count(services)
    except sa.exc.SQLAlchemyError:
        return {}


class Streams:
    """The counts of the process that holds this host's streams, fetched on each scrape."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def collect(self) -> Iterator[Metric]:
        counted = streams.numbers(self._path)
        if counted is None:
            return
        is_open = GaugeMetricFamily("sealedmove_streams_open", "Open streams.", labels=("kind",))
        ended = CounterMetricFamily("sealedmove_streams_ended", "Ended streams, by reason.", labels=("why",))
        for family, numbers in ((is_open, counted.open), (ended, counted.ended)):
            for label, number in numbers.items():
                family.add_metric([label], number)
        sent = CounterMetricFamily("sealedmove_stream_events", "Events written to streams.", counted.sent)
        yield from (is_open, ended, sent)


class Mails:
    """Counts of mails, from the rows; the same on every host."""

    def __init__(self, look: Callable[[], dict[str, int]]) -> None:
        self._look = look

    def collect(self) -> Iterator[Metric]:
        mails = GaugeMetricFamily("sealedmove_mails", "Unsent mails, by state.", labels=("state",))
        for state, number in self._look().items():
            mails.add_metric([state], number)
        yield mails


class Mailboxes:
    """Delivery reports of the last weeks, and how many people get no mail; the same on every host."""

    def __init__(self, look: Callable[[], dict[str, dict[str, int]]]) -> None:
        self._look = look

    def collect(self) -> Iterator[Metric]:
        found = self._look()
        said = GaugeMetricFamily(
            "sealedmove_mail_reports", "Delivery reports of the last thirty days.", labels=("kind",)
        )
        stops = GaugeMetricFamily(
            "sealedmove_mail_stops", "Accounts whose mail is stopped, by reason.", labels=("why",)
        )
        for family, name in ((said, "reports"), (stops, "stops")):
            for label, number in found.get(name, {}).items():
                family.add_metric([label], number)
            yield family


def exposition(
    events_socket: Path,
    mails: Callable[[], dict[str, int]],
    mailboxes: Callable[[], dict[str, dict[str, int]]] = dict,
) -> bytes:
    """All numbers of this process, or of all processes of this host."""
    held = CollectorRegistry()
    held.register(Streams(events_socket))
    held.register(Mails(mails))
    held.register(Mailboxes(mailboxes))
    return _ours() + generate_latest(held)


def _ours() -> bytes:
    if values.ValueClass.__name__ != "MmapedValue":
        return generate_latest(REGISTRY)
    whole = CollectorRegistry()
    multiprocess.MultiProcessCollector(whole)  # type: ignore[no-untyped-call]  # the library has no annotation here
    return generate_latest(whole)
