"""What every process counts for the operator, in Prometheus' terms; `health` shows them."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

REQUESTS = Counter("sealedmove_requests_total", "Requests answered.", ("route", "method", "status"))
SECONDS = Histogram("sealedmove_request_seconds", "Time to answer.", ("route",))
ENTRIES = Counter("sealedmove_entries_total", "Entries logged.", ("kind",))
FAULTS = Counter("sealedmove_engine_faults_total", "Rules that broke their contract; each stopped a game.")
FORKS = Counter("sealedmove_forks_total", "Notes of ours shown that contradict the log here; each is evidence.")
LINES_MISSING = Counter("sealedmove_lines_missing_total", "Notes of ours shown on more entries than are here.")
LINES_TAKEN = Counter("sealedmove_lines_taken_total", "Missing entries that were handed in and taken.")
INBOUND = Counter("sealedmove_inbound_mails_total", "Mails that came in, and whether they were kept.", ("via", "how"))
WAKES_FAILED = Counter("sealedmove_wakes_failed_total", "Jobs not enqueued; the sweeper finds them later.")
