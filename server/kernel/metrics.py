"""Prometheus metrics that every process counts; `server.operate.metrics_port` serves them."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("sealedmove_requests_total", "Requests answered.", ("route", "method", "status"))
SECONDS = Histogram("sealedmove_request_seconds", "Response time.", ("route",))
SLOW = Counter(
    "sealedmove_slow_requests_total", "Requests that were closed because they did not arrive within `REQUEST_SECONDS`."
)
ENTRIES = Counter("sealedmove_entries_total", "Entries logged.", ("kind",))
FAULTS = Counter("sealedmove_engine_faults_total", "Faults of game rules; each stopped a game.")
FORKS = Counter(
    "sealedmove_forks_total",
    "Submitted checkpoints that are signed by this server and contradict its log; each is evidence.",
)
LINES_MISSING = Counter(
    "sealedmove_lines_missing_total", "Submitted checkpoints that cover more entries than this server has."
)
LINES_TAKEN = Counter("sealedmove_lines_taken_total", "Missing entries that were submitted and recovered.")
INBOUND = Counter("sealedmove_inbound_mails_total", "Received mails, by whether they were kept.", ("via", "how"))
REDIS_AWAY = Counter("sealedmove_redis_away_total", "Times that Redis stopped answering the process.")
WAKES_FAILED = Counter("sealedmove_wakes_failed_total", "Jobs that were not enqueued; the clock finds them later.")
CONNECTIONS = Gauge(
    "sealedmove_database_connections", "Database connections in use.", ("pool",), multiprocess_mode="livesum"
)
