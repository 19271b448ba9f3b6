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
from sqlalchemy.orm import Session

from engine.kit import count
from server.evidence import audit
from server.hooks import streams
from server.kernel import own_keys, quarantine
from server.kernel.config import ConfigError
from server.kernel.db import schema
from server.kernel.services import Services
from server.mailbox import read as mailbox
from server.tables.read import without_rules

K = TypeVar("K")
T = TypeVar("T")
blp = Blueprint("health", __name__)


@blp.get("/healthz")
def healthz() -> Response:
    """Alive: checks nothing else."""
    return Response("ok\n", mimetype="text/plain")


@blp.get("/readyz")
def readyz() -> Response:
    """Ready: the database has this process's schema and keys. What is degraded loses nothing, but needs mending."""
    services: Services = current_app.extensions["sealedmove"]
    try:
        with services.database.read() as session:
            schema.check(session)
            own_keys.check(services.settings, session)
            found = _degraded(services, session)
    except sa.exc.SQLAlchemyError:
        return _not_ready("the database does not answer")
    except ConfigError as error:
        return _not_ready(str(error))
    lines = ["ready", *(f"degraded: {one}" for one in found)]
    return Response("".join(f"{line}\n" for line in lines), mimetype="text/plain")


def _degraded(services: Services, session: Session) -> list[str]:
    """What works less well than it should, in sentences."""
    failed = audit.counted(session)["fails"]
    audits = f"{count(failed, 'game')} failed the server's audit. `sealedmove audits` lists them."
    redis = "Redis does not answer. Mails are late, and each process counts rate limits on its own."
    rules = [
        f"the rules of {key}, version {version}, are not installed here; games that wait: {games}"
        for (key, version), games in without_rules(session).items()
    ]
    return [audits] * bool(failed) + [redis] * services.waker.is_away() + rules


def _not_ready(why: str) -> Response:
    return Response(f"{why}\n", 503, {"Retry-After": "5"}, mimetype="text/plain")


@blp.get("/metrics")
def numbers() -> Response:
    """The metrics for Prometheus."""
    services: Services = current_app.extensions["sealedmove"]
    mailed, said = lambda: _rows(services, mailbox.counted_mails), lambda: _rows(services, mailbox.counted_reports)
    waiting = lambda: _rows(services, _without_rules)  # noqa: E731 - as the others
    stored = lambda: _rows(services, _stored)  # noqa: E731
    numbers = exposition(services.settings.events_socket, mailed, said, waiting, stored)
    return Response(numbers, content_type="text/plain; version=0.0.4; charset=utf-8")


def _rows(services: Services, count: Callable[[Services], dict[K, T]]) -> dict[K, T]:
    """No rows while the database is unreachable, when the other numbers matter most."""
    try:
        return count(services)
    except sa.exc.SQLAlchemyError:
        return {}


def _without_rules(services: Services) -> dict[tuple[str, int], int]:
    with services.database.read() as session:
        return without_rules(session)


def _stored(services: Services) -> dict[str, dict[str, int]]:
    with services.database.read() as session:
        audits = audit.counted(session)
        due = audit.waiting(session, services.now())
        return {"audits": audits, "due": {"": due}, "quarantine": quarantine.counted(session)}


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


class GamesWithoutRules:
    """Counts of games that wait for their rules, from the rows; the same on every host."""

    def __init__(self, look: Callable[[], dict[tuple[str, int], int]]) -> None:
        self._look = look

    def collect(self) -> Iterator[Metric]:
        games = GaugeMetricFamily(
            "sealedmove_games_without_rules", "Games whose rules are not installed here.", labels=("type", "version")
        )
        for (key, version), number in self._look().items():
            games.add_metric([key, str(version)], number)
        yield games


class Stored:
    """Audits and quarantined items, from the rows; the same on every host."""

    def __init__(self, look: Callable[[], dict[str, dict[str, int]]]) -> None:
        self._look = look

    def collect(self) -> Iterator[Metric]:
        found = self._look()
        audits = GaugeMetricFamily(
            "sealedmove_audits", "Games that failed their last audit or could not be judged.", labels=("verdict",)
        )
        aside = GaugeMetricFamily("sealedmove_quarantined", "Items that a loop set aside.", labels=("loop",))
        for family, name in ((audits, "audits"), (aside, "quarantine")):
            for label, number in found.get(name, {}).items():
                family.add_metric([label], number)
            yield family
        for number in found.get("due", {}).values():
            yield GaugeMetricFamily("sealedmove_audits_due", "Games that wait for an audit.", number)


def exposition(
    events_socket: Path,
    mails: Callable[[], dict[str, int]],
    mailboxes: Callable[[], dict[str, dict[str, int]]] = dict,
    without: Callable[[], dict[tuple[str, int], int]] = dict,
    stored: Callable[[], dict[str, dict[str, int]]] = dict,
) -> bytes:
    """All numbers of this process, or of all processes of this host."""
    held = CollectorRegistry()
    held.register(Streams(events_socket))
    held.register(Mails(mails))
    held.register(Mailboxes(mailboxes))
    held.register(GamesWithoutRules(without))
    held.register(Stored(stored))
    return _ours() + generate_latest(held)


def _ours() -> bytes:
    if values.ValueClass.__name__ != "MmapedValue":
        return generate_latest(REGISTRY)
    whole = CollectorRegistry()
    multiprocess.MultiProcessCollector(whole)  # type: ignore[no-untyped-call]  # the library has no annotation here
    return generate_latest(whole)
