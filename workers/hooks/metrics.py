"""What the operator watches of the hooks of this process."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram, start_http_server

from workers.hooks.claim import Done

TRIES = Counter("sealedmove_hook_tries_total", "Requests to hooks, by what became of them.", ("result",))
SECONDS = Histogram("sealedmove_hook_seconds", "Time of a request to a hook.")
OPEN = Gauge("sealedmove_hook_requests_open", "Requests to hooks that are open now.")


def count(done: Done) -> None:
    """One try: `taken`, `refused` by its status, or the word of what was in the way."""
    result = "taken" if done.is_taken else "refused" if done.status else done.untrue or done.error or "none"
    TRIES.labels(result).inc()
    SECONDS.observe(done.ms / 1000)


def serve(host: str, port: int) -> None:
    """In a thread of its own."""
    start_http_server(port, addr=host)
