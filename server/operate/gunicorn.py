"""Gunicorn's configuration: threads, since a held `wait=` needs a thread, and SQLite's writers queue anyway.

A thread gets a request only once it has arrived whole (`slow_clients`).

There is no access log here: its lines would hold the paths of mailed links. The app logs each request by its route. The
app is not preloaded, so every process makes its own connections; its modules are preloaded, once for all.
"""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import socket
import tempfile
import threading
import time
from typing import Any

from engine.errors import SealedMoveError
from server.kernel.errors import ServerError

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
worker_class = "server.operate.slow_clients.WholeRequestWorker"
workers = int(os.environ.get("WEB_WORKERS", "2"))
threads = int(os.environ.get("WEB_THREADS", "16"))
preload_app = False
accesslog = None
loglevel = "warning"
# Gunicorn's lines go through the root logger, which `server.kernel.logs` gives the format of all others.
logconfig_dict = {
    "root": {"level": "INFO", "handlers": []},
    "loggers": {"gunicorn.error": {"level": "WARNING", "handlers": [], "propagate": True}},
}
graceful_timeout = 5
timeout = 60
keepalive = 30
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
limit_request_line = 4094
_metrics: list[socket.socket] = []  # opened once; all workers listen on it, and whichever is free answers


def on_starting(server: Any) -> None:
    """Make one folder for the metrics of all processes of this start; refuse to start with invalid settings."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="sealedmove-metrics-")
    from server.operate import (  # not earlier: on first import the client reads where the metrics go
        metrics_port,
        startup,
    )

    try:
        if (opened := metrics_port.listening(startup.checked_settings(), "web")) is not None:
            _metrics.append(opened)
    except (SystemExit, ServerError, SealedMoveError) as error:
        on_exit(server)
        raise SystemExit(str(error)) from None
    _load()


def _load() -> None:
    """Import what every worker needs, which takes more than a second; workers share it in memory."""
    gc.disable()
    importlib.import_module("server.http.app").preload()
    gc.enable()
    gc.freeze()


def post_fork(_server: Any, _worker: Any) -> None:
    """Make the app now. All of it stays, so garbage collection skips it (as in `sealedmove.load`)."""
    gc.disable()


def post_worker_init(worker: Any) -> None:
    from server.kernel import metrics

    gc.freeze()
    gc.enable()
    worker.count_slow = metrics.SLOW.inc
    _beat(worker.wsgi.extensions["sealedmove"])
    for opened in _metrics:
        _serve_metrics(opened, worker.wsgi.extensions["sealedmove"])


def _beat(services: Any) -> None:
    """Write every half minute that the web answers, so that an outage is noticed and given back."""
    from server.kernel.logs import log
    from server.tables.calendar import outages

    def beats() -> None:
        while True:
            try:
                outages.beat(services)
            except Exception as fault:  # noqa: BLE001 - the database may be back at the next beat
                log.error("beat-failed", error=type(fault).__name__)
            time.sleep(outages.EVERY)

    threading.Thread(target=beats, name="beat", daemon=True).start()


def _serve_metrics(opened: socket.socket, services: Any) -> None:
    """Answer with the counts of all workers, added up, and with those of the rows."""
    from prometheus_client import CollectorRegistry, multiprocess

    from server.operate import metrics_port
    from server.operate.process_metrics import ProcessCollector
    from server.operate.row_metrics import Rows

    whole = CollectorRegistry()
    multiprocess.MultiProcessCollector(whole)  # type: ignore[no-untyped-call]  # the library has no annotation here
    whole.register(Rows(services))
    whole.register(ProcessCollector(services.settings))
    metrics_port.serve(opened, whole)


def child_exit(_server: Any, worker: Any) -> None:
    """Drop the gauges of a process that has ended."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # the library has no annotation here


def on_exit(_server: Any) -> None:
    shutil.rmtree(os.environ.get("PROMETHEUS_MULTIPROC_DIR", ""), ignore_errors=True)
