"""The end of a request is found in its bytes, wherever they are cut, as Gunicorn's own parser finds it."""

import random
from contextlib import ExitStack, closing

import pytest
from gunicorn import http
from gunicorn.config import Config
from gunicorn.http.errors import InvalidHeader

from server.operate.request_scan import LARGEST_HEAD, RequestScan

PLAIN = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
LONG = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n\r\n\r\nend"
CHUNKED = (
    b"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n00A\r\n0123\r\n\r\n89\r\n0\r\nX: y\r\n\r\n"
)
BODIES = {PLAIN: b"", LONG: b"\r\n\r\nend", CHUNKED: b"abc0123\r\n\r\n89"}


@pytest.fixture
def scanning():
    """Makes scans, and closes them after the test."""
    with ExitStack() as made:

        def scan():
            return made.enter_context(closing(RequestScan(1000)))

        yield scan


def parser(scan):
    return http.get_parser(Config(), scan, ("127.0.0.1", 1))


def test_requests_in_pieces_of_any_size_are_those_that_were_sent(scanning):
    """Several behind each other on one connection, as a client may send them without waiting."""
    for size in (1, 2, 3, 7, 20, 64, 1000):
        sent = random.choices(list(BODIES), k=12)
        stream, scan, found = b"".join(sent), scanning(), []
        reader = parser(scan)
        for at in range(0, len(stream), size):
            scan.feed(stream[at : at + size])
            while scan.is_whole:
                found.append(next(reader).body.read())
                assert reader.unreader.buf.getvalue() == scan.recv(100) == b""
                scan.again()
        assert found == [BODIES[one] for one in sent]
        assert not scan.is_begun


@pytest.mark.parametrize("start", [0, 20, len(PLAIN) - 1])
def test_a_request_without_its_last_byte_is_not_whole(scanning, start):
    for request in BODIES:
        scan = scanning()
        scan.feed(request[:-1])
        assert (scan.is_whole, scan.is_begun) == (False, True)
        scan.feed(request[-1:])
        assert scan.is_whole


def test_a_body_above_the_limit_is_not_waited_for(scanning):
    """The app refuses it by its length; what has come of it is not read."""
    scan = scanning()
    scan.feed(b"POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n{")
    assert (scan.is_whole, scan.is_cut) == (True, True)


@pytest.mark.parametrize("endless", [b"x" * 100, b"A: b\r\n" * 100])
def test_a_head_without_an_end_is_cut(scanning, endless):
    scan = scanning()
    while not scan.is_whole:
        scan.feed(endless)
        assert scan.size < 2 * LARGEST_HEAD
    assert scan.is_cut


def test_chunks_without_an_end_are_cut(scanning):
    scan = scanning()
    scan.feed(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in range(LARGEST_HEAD):
        scan.feed(b"5\r\nhello\r\n")
    assert (scan.is_whole, scan.is_cut) == (True, True)
    assert scan.size < 2 * LARGEST_HEAD


@pytest.mark.parametrize(
    "framing",
    [
        b"Content-Length: 3\r\nTransfer-Encoding: chunked",
        b"Content-Length: +3",
        b"Content-Length: 3\r\nContent-Length: 4",
        b"Transfer-Encoding: chunked, identity",
    ],
)
def test_ambiguous_framing_is_left_to_the_parser_which_refuses_it(scanning, framing):
    scan = scanning()
    scan.feed(b"POST / HTTP/1.1\r\n" + framing + b"\r\n\r\n0\r\n\r\n")
    assert scan.is_whole
    with pytest.raises(InvalidHeader):
        next(parser(scan))
