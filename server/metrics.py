"""What the operator watches, in Prometheus' text form.

With PROMETHEUS_MULTIPROC_DIR set, as gunicorn's configuration does, the numbers of all worker processes are added up.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess, values
from prometheus_client.registry import REGISTRY

REQUESTS = Counter("sealedmove_requests_total", "Requests answered.", ("route", "method", "status"))
SECONDS = Histogram("sealedmove_request_seconds", "Time to answer.", ("route",))
ENTRIES = Counter("sealedmove_entries_total", "Entries logged.", ("kind",))
FAULTS = Counter("sealedmove_engine_faults_total", "Rules that broke their contract; each stopped a game.")
FORKS = Counter("sealedmove_forks_total", "Notes of ours shown that contradict the log here; each is evidence.")
LINES_MISSING = Counter("sealedmove_lines_missing_total", "Notes of ours shown on more entries than are here.")
LINES_TAKEN = Counter("sealedmove_lines_taken_total", "Missing entries that were handed in and taken.")
WAKES_FAILED = Counter("sealedmove_wakes_failed_total", "Jobs not enqueued; the sweeper finds them later.")


def exposition() -> bytes:
    """All numbers of this process, or of all processes of this host."""
    if values.ValueClass.__name__ != "MmapedValue":
        return generate_latest(REGISTRY)
    whole = CollectorRegistry()
    multiprocess.MultiProcessCollector(whole)  # type: ignore[no-untyped-call]  # the library has no annotation here
    return generate_latest(whole)
