"""Gunicorn's configuration: threads, since a held `wait=` costs a thread and SQLite's writers stand in line anyway.

There is no access log here: its lines would hold the paths of mailed links. The app logs each request by its route.
The app is not preloaded, so every process makes its own connections; its modules are, once for all of them.
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
    """One folder for the numbers of all processes of this start; and no start with settings that cannot be."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="sealedmove-metrics-")
    from server.operate import (
        startup,  # not before the line above: the numbers go where it says when they are first imported
    )

    try:
        startup.checked_settings()
    except SystemExit:
        on_exit(server)
        raise
    _load()


def _load() -> None:
    """What every worker is made of, which takes most of a second: each begins with it in memory, and shares it."""
    gc.disable()
    importlib.import_module("server.http.app")
    gc.enable()
    gc.freeze()


def post_fork(_server: Any, _worker: Any) -> None:
    """The app is made now, all of it to stay: looking for garbage finds none (as in `sealedmove.load`)."""
    gc.disable()


def post_worker_init(_worker: Any) -> None:
    gc.freeze()
    gc.enable()


def child_exit(_server: Any, worker: Any) -> None:
    """The gauges of a process end with it."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # the library has no annotation here


def on_exit(_server: Any) -> None:
    shutil.rmtree(os.environ.get("PROMETHEUS_MULTIPROC_DIR", ""), ignore_errors=True)
