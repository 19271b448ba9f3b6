"""What the operator watches of the house players of this process."""

from __future__ import annotations

from typing import Any

from prometheus_client import Counter, Gauge, Histogram, start_http_server

MOVES = Counter(
    "sealedmove_player_moves_total", "Moves of house players, by game and who thought of them.", ("type", "by")
)
SECONDS = Histogram("sealedmove_player_seconds", "Time from a look at the table to the move.", ("type",))
TROUBLES = Counter("sealedmove_player_troubles_total", "Levels that did not answer, refusals, outages; each is logged.")
WAITING = Gauge("sealedmove_player_waiting", "Accounts that wait to be looked at.")
ACCOUNTS = Gauge("sealedmove_player_accounts", "Accounts that are played for.")


def count(event: str, facts: dict[str, Any]) -> None:
    """What is told in the log is counted too."""
    if event == "played":
        MOVES.labels(facts["type"], facts["by"]).inc()
        SECONDS.labels(facts["type"]).observe(facts["ms"] / 1000)
    elif event == "trouble":
        TROUBLES.inc()


def serve(port: int, host: str = "127.0.0.1") -> None:
    """In a thread of its own."""
    start_http_server(port, addr=host)
