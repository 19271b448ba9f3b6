"""What the operator watches, in Prometheus' text form.

With PROMETHEUS_MULTIPROC_DIR set, as gunicorn's configuration does, the numbers of all worker processes are added up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess, values
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import REGISTRY

from server import streams

REQUESTS = Counter("sealedmove_requests_total", "Requests answered.", ("route", "method", "status"))
SECONDS = Histogram("sealedmove_request_seconds", "Time to answer.", ("route",))
ENTRIES = Counter("sealedmove_entries_total", "Entries logged.", ("kind",))
FAULTS = Counter("sealedmove_engine_faults_total", "Rules that broke their contract; each stopped a game.")
FORKS = Counter("sealedmove_forks_total", "Notes of ours shown that contradict the log here; each is evidence.")
LINES_MISSING = Counter("sealedmove_lines_missing_total", "Notes of ours shown on more entries than are here.")
LINES_TAKEN = Counter("sealedmove_lines_taken_total", "Missing entries that were handed in and taken.")
INBOUND = Counter("sealedmove_inbound_mails_total", "Mails that came in, and whether they were kept.", ("via", "how"))
WAKES_FAILED = Counter("sealedmove_wakes_failed_total", "Jobs not enqueued; the sweeper finds them later.")


class Streams:
    """What the process that holds the streams of this host has counted, asked for when somebody wants to know."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def collect(self) -> Iterator[Metric]:
        counted = streams.numbers(self._path)
        if counted is None:
            return
        is_open = GaugeMetricFamily("sealedmove_streams_open", "Streams that are held now.", labels=("kind",))
        ended = CounterMetricFamily("sealedmove_streams_ended", "Streams that ended, and why.", labels=("why",))
        for family, numbers in ((is_open, counted.open), (ended, counted.ended)):
            for label, number in numbers.items():
                family.add_metric([label], number)
        sent = CounterMetricFamily("sealedmove_stream_events", "Events written to streams.", counted.sent)
        yield from (is_open, ended, sent)


class Mails:
    """What the rows say of mail; the same on every host."""

    def __init__(self, look: Callable[[], dict[str, int]]) -> None:
        self._look = look

    def collect(self) -> Iterator[Metric]:
        mails = GaugeMetricFamily("sealedmove_mails", "Mails that are not sent, by how they stand.", labels=("state",))
        for state, number in self._look().items():
            mails.add_metric([state], number)
        yield mails


class Mailboxes:
    """What was said of mails in the last weeks, and to how many people none goes; the same on every host."""

    def __init__(self, look: Callable[[], dict[str, dict[str, int]]]) -> None:
        self._look = look

    def collect(self) -> Iterator[Metric]:
        found = self._look()
        said = GaugeMetricFamily("sealedmove_mail_reports", "Reports on mails, of thirty days.", labels=("kind",))
        stops = GaugeMetricFamily("sealedmove_mail_stops", "People whose mail is stopped, by why.", labels=("why",))
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
