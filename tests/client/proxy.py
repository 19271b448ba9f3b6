"""A proxy on this machine that answers for `games.example`, so that a command can run as a process against a record."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from tests.client.replay_server import ReplayServer
from tests.kit.play_record import Record


@pytest.fixture
def proxy():
    """Shows a record to any client that requests `games.example` through this proxy."""
    shown = ReplayServer(Record("livingstone", seed=2).play(2), grows=False)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            answer = shown(httpx.Request("GET", self.path))
            time.sleep(0.05)
            self.send_response(answer.status_code)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()
