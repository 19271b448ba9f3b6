"""Metrics of the streams that this process holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from server.kernel import streams


class StreamCounts:
    """A collector. It asks over the socket, as a scrape has a thread of its own and the counts belong to the loop."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def collect(self) -> Iterator[Metric]:
        counted = streams.numbers(self._path)
        if counted is None:
            return
        is_open = GaugeMetricFamily(
            "sealedmove_streams_open", "Open streams; a `shared` one has several accounts.", labels=("kind",)
        )
        ended = CounterMetricFamily(
            "sealedmove_streams_ended",
            "Ended streams: the reader left, was `slow` or `revoked`, its accounts were `full`, the game is `over`, "
            "the process `stopped`.",
            labels=("why",),
        )
        for family, numbers in ((is_open, counted.open), (ended, counted.ended)):
            for label, number in numbers.items():
                family.add_metric([label], number)
        sent = CounterMetricFamily("sealedmove_stream_events", "Events written to streams.", counted.sent)
        yield from (is_open, ended, sent)
