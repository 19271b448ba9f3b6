"""The port at which a process serves its metrics to Prometheus: METRICS_LISTEN has one for each process.

The site's own port has no metrics, because whatever it answers, a proxy passes on.
"""

from __future__ import annotations

import socket
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import make_wsgi_app
from prometheus_client.registry import REGISTRY, CollectorRegistry

from server.kernel.config import ConfigError, Settings
from server.operate.process_metrics import ProcessCollector


def start(settings: Settings, process: str) -> None:
    """Serve this process's metrics in a thread, if the settings have a port for it; SystemExit if it is taken."""
    try:
        opened = listening(settings, process)
    except ConfigError as error:
        raise SystemExit(str(error)) from None
    if opened is not None:
        REGISTRY.register(ProcessCollector(settings))
        serve(opened, REGISTRY)


def listening(settings: Settings, process: str) -> socket.socket | None:
    """The process's socket; None if the settings have no port for it."""
    address = dict(settings.metrics_listen).get(process)
    if address is None:
        return None
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    try:
        opened = socket.create_server(address, family=family)
    except OSError as error:
        where, why = f"{address[0]}, port {address[1]}", str(error.strerror).partition(" (")[0]
        raise ConfigError(f"METRICS_LISTEN: {process} cannot listen on {where}: {why}") from None
    opened.setblocking(False)  # of several processes on one socket only one gets a connection
    return opened


def serve(opened: socket.socket, registry: CollectorRegistry) -> WSGIServer:
    """Answer with the numbers of the registry, in threads of this process."""
    host, port = opened.getsockname()[:2]
    server = _Server((host, port), _Handler, bind_and_activate=False)
    server.socket.close()
    server.socket, server.server_name, server.server_port = opened, host, port
    server.setup_environ()
    server.set_app(make_wsgi_app(registry))
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    timeout = 10  # seconds without a byte from the client

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Log no request: there is one every few seconds."""
