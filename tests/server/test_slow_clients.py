"""Clients that send slowly, or never the rest: a real web server with few threads goes on for all others."""

import errno
import selectors
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import Mock

import pytest
from gunicorn.config import Config

from server.evidence import api as evidence
from server.mailbox import relays
from server.operate import slow_clients
from tests.kit.patience import PATIENCE, until
from tests.server.harness import sqlite_url
from tests.server.test_processes import gunicorn
from tests.servers import free, patient

HALF = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Unfinished: "
DRIP = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{"
FEW = {"WEB_WORKERS": "1", "WEB_THREADS": "2"}


@contextmanager
def serving(tmp_path, open_house, **more: str) -> Iterator[str]:
    url = sqlite_url(tmp_path)
    open_house(url)
    with gunicorn(url, **FEW, **more) as web:
        yield web


def connection(url: str, sent: bytes) -> socket.socket:
    port = int(url.rpartition(":")[2])
    made = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    made.sendall(sent.replace(b"Host: x", b"Host: 127.0.0.1:%d" % port))
    return made


def rest(sock: socket.socket) -> bytes:
    """Everything until the server closes."""
    with sock, sock.makefile("rb") as answer:
        return answer.read()


def test_half_sent_requests_and_clients_that_do_not_close_hold_up_nobody(tmp_path, open_house):
    """They are many more than there are threads, and their deadline does not come in this test."""
    with serving(tmp_path, open_house, REQUEST_SECONDS="3600") as url, ExitStack() as held:
        for sent in [HALF] * 60 + [DRIP] * 20 + [b"", b"G"] * 10 + [b"GET /healthz HTTP/1.0\r\n\r\n"] * 20:
            held.enter_context(connection(url, sent))
        assert [patient.get(f"{url}/healthz").status_code for _ in range(20)] == [200] * 20


def test_dripping_requests_are_answered_with_408_at_their_deadline(tmp_path, open_house):
    """A byte now and then does not put the deadline off. The metric counts them."""
    [numbered] = free.ports(1)
    metrics = {"METRICS_LISTEN": f"web=127.0.0.1:{numbered}"}
    with serving(tmp_path, open_house, REQUEST_SECONDS="5", **metrics) as url, ExitStack() as held:
        drips = [held.enter_context(connection(url, sent)) for sent in [DRIP] * 20 + [HALF] * 20]
        for one in drips:
            one.sendall(b" ")
        assert {rest(one).split(b"\r\n")[0] for one in drips} == {b"HTTP/1.1 408 Request Timeout"}
        assert rest(connection(url, b"")) == b""
        counted = lambda: patient.get(f"http://127.0.0.1:{numbered}/metrics").text  # noqa: E731
        until(lambda: "sealedmove_slow_requests_total 40.0" in counted(), counted)


def test_requests_in_every_form_are_answered_as_before(tmp_path, open_house):
    """Behind each other on one connection, in chunks, after `100 Continue`, with a body that is too long."""
    post = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    last = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with serving(tmp_path, open_house) as url:
        assert rest(connection(url, last.replace(b"Connection: close\r\n", b"") * 3 + last)).count(b" 200 OK") == 4
        chunked = rest(connection(url, post + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + last))
        assert [chunked.count(said) for said in (b" 401 ", b" 200 OK")] == [1, 1]
        waits = connection(url, post + b"Connection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert waits.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        waits.sendall(b"{}")
        assert rest(waits).startswith(b"HTTP/1.1 401 ")
        assert rest(connection(url, post + b"Content-Length: 99999999\r\n\r\n{")).startswith(b"HTTP/1.1 413 ")
        assert rest(connection(url, b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000)).startswith(b"HTTP/1.1 431 ")
        assert rest(connection(url, b"nonsense\r\n\r\n")).startswith(b"HTTP/1.1 400 ")


def test_a_request_that_finds_no_room_on_the_disk_is_refused_and_the_server_goes_on(monkeypatch):
    """The main loop must not end by it: it serves all others."""
    server, client = socket.socketpair()
    with server, client, selectors.DefaultSelector() as poller:
        worker = slow_clients.WholeRequestWorker(1, 1, [], None, 30, Config(), Mock())
        conn = slow_clients.Connection(worker.cfg, server, ("127.0.0.1", 1), ("127.0.0.1", 2))
        worker.poller, worker.nr_conns = poller, 1
        worker._wait(conn)
        monkeypatch.setattr(conn.scan, "feed", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
        client.sendall(b"x")
        worker.on_readable(conn, server)
        assert client.recv(100).startswith(b"HTTP/1.1 503 ")
        client.close()
        worker.on_readable(conn, server)
        assert (worker.nr_conns, worker.reading) == (0, set())
        worker.tmp.close()


def test_the_largest_body_of_every_operation_can_arrive():
    assert max(evidence.LARGEST_LINES, relays.ROOM) <= slow_clients.LARGEST


def test_the_web_server_refuses_to_encrypt():
    """It would have to wait for a client's handshake."""
    config = Config()
    config.set("certfile", "cert.pem")
    with pytest.raises(ValueError, match="end TLS at a proxy"):
        slow_clients.WholeRequestWorker.check_config(config, None)
