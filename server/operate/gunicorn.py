"""Gunicorn's configuration: threads, since a held `wait=` needs a thread, and SQLite's writers queue anyway.

There is no access log here: its lines would hold the paths of mailed links. The app logs each request by its route. The
app is not preloaded, so every process makes its own connections; its modules are preloaded, once for all.
"""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import tempfile
from typing import Any

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
worker_class = "gthread"
workers = int(os.environ.get("WEB_WORKERS", "2"))
threads = int(os.environ.get("WEB_THREADS", "16"))
preload_app = False
accesslog = None
errorlog = "-"
loglevel = "warning"
graceful_timeout = 5
timeout = 60
keepalive = 30
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
limit_request_line = 4094


def on_starting(server: Any) -> None:
    """Make one folder for the metrics of all processes of this start; refuse to start with invalid settings."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="sealedmove-metrics-")
    from server.operate import (
        startup,  # not earlier: on first import the client reads where the metrics go
    )

    try:
        startup.checked_settings()
    except SystemExit:
        on_exit(server)
        raise
    _load()


def _load() -> None:
    """Import what every worker needs, which takes most of a second; workers share it in memory."""
    gc.disable()
    importlib.import_module("server.http.app")
    gc.enable()
    gc.freeze()


def post_fork(_server: Any, _worker: Any) -> None:
    """Make the app now. All of it stays, so garbage collection skips it (as in `sealedmove.load`)."""
    gc.disable()


def post_worker_init(_worker: Any) -> None:
    gc.freeze()
    gc.enable()


def child_exit(_server: Any, worker: Any) -> None:
    """Drop the gauges of a process that has ended."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # the library has no annotation here


def on_exit(_server: Any) -> None:
    shutil.rmtree(os.environ.get("PROMETHEUS_MULTIPROC_DIR", ""), ignore_errors=True)
