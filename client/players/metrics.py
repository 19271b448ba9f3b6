"""Metrics of this process's house players, for the operator."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from prometheus_client import Counter, Gauge, Histogram, start_http_server

MOVES = Counter(
    "sealedmove_player_moves_total", "Moves of house players, by game and by the level that chose them.", ("type", "by")
)
SECONDS = Histogram("sealedmove_player_seconds", "Time from a look at the table to the move.", ("type",))
TROUBLES = Counter("sealedmove_player_troubles_total", "Levels without an answer, refusals, outages; each is logged.")
LOWER = Counter("sealedmove_player_lower_total", "Moves by a lower level than the player's own; each is logged.")
REFUSED = Gauge("sealedmove_player_refused_tokens", "Accounts whose token the server refuses; the log names them.")
WAITING = Gauge("sealedmove_player_waiting", "Answers that are owed.")
ACCOUNTS = Gauge("sealedmove_player_accounts", "Accounts in play.")
BUILD = Gauge("sealedmove_build_info", "Always 1; the label is the version.", ("version",))


def count(event: str, facts: dict[str, Any]) -> None:
    """Count a log event."""
    if event == "played":
        MOVES.labels(facts["type"], facts["by"]).inc()
        SECONDS.labels(facts["type"]).observe(facts["ms"] / 1000)
    elif event == "trouble":
        TROUBLES.inc()
    elif event == "lower-level":
        LOWER.inc()


def serve(port: int, host: str = "127.0.0.1") -> None:
    """Serve the metrics in a thread."""
    BUILD.labels(version("sealedmove")).set(1)
    start_http_server(port, addr=host)
