"""One request: only to a checked address, by name in TLS, without redirects or proxies, within a time limit."""

import asyncio

import httpcore
import pytest

from server.hooks.urls import HookUrl, parse
from tests.servers.receiver import HERE, Led
from tests.servers.receiver import wire as wire_to
from workers.hooks.addresses import is_public
from workers.hooks.http_client import MOST_READ, DeliveryError, HookClient, NotPublicError, PublicOnly, Transport

URL = parse("https://receiver.example/hook?a=b")
HEADERS = {"content-type": "application/json", "webhook-id": "h1-e1"}


async def nothing() -> None:
    return


def post(wire, url=URL, *, limit=5.0, look=nothing, times=1):
    """The last status through one poster."""

    async def go() -> int:
        poster = HookClient(wire, limit, 8)
        try:
            for _ in range(times):
                status = (await poster.post(url, HEADERS, b'{"n":1}', look)).status
            return status
        finally:
            await poster.aclose()

    return asyncio.run(go())


def not_sent(wire, url=URL, **more) -> str:
    with pytest.raises(DeliveryError) as said:
        post(wire, url, **more)
    return str(said.value)


def test_a_message_arrives_unchanged(receiver):
    """With its name, path, query, headers and bytes; the connection serves the next one too."""
    assert post(receiver.wire(), times=3) == 204
    got = receiver.got[0]
    assert (got.host, got.target, got.body) == ("receiver.example", "/hook?a=b", b'{"n":1}')
    assert got.headers["webhook-id"] == "h1-e1"
    assert receiver.connections == 1


@pytest.mark.parametrize("status", [200, 301, 302, 307, 308, 404, 500])
def test_only_the_status_of_an_answer_counts(receiver, status):
    """A redirect is an answer like any other, and is not followed."""
    receiver.answer = lambda _: f"HTTP/1.1 {status} X\r\nLocation: https://a.example.net/\r\n\r\n".encode()
    assert post(receiver.wire()) == status
    assert [got.host for got in receiver.got] == ["receiver.example"]


MIXED = [[], ["10.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:127.0.0.1"], ["fe80::1%1"]]


@pytest.mark.parametrize("found", MIXED)
def test_a_name_with_an_address_that_is_not_public_is_not_dialled(receiver, found):
    """Not even at its public addresses; a name without any gives the same word."""
    led = Led(receiver.port)
    wire = wire_to(receiver.port, receiver.ca, resolve=lambda *_: found, allows=is_public, network=led)
    assert not_sent(wire) == "not-public"
    assert led.dialled == []
    assert receiver.got == []


@pytest.mark.parametrize("host", ["localhost", HERE, "127.1", "2130706433", "0x7f000001", "0"])
def test_the_production_wire_does_not_reach_this_machine(host):
    """With the system's resolver, which reads all these spellings, and the real list."""
    assert not_sent(Transport(), HookUrl(host, 443, "/")) == "not-public"


def test_a_name_that_changes_between_two_looks_is_looked_up_once(receiver):
    """DNS rebinding: the checked address is dialled; the next lookup is refused."""
    answers = iter([[HERE], ["10.0.0.1"]])
    led = Led(receiver.port)
    wire = wire_to(receiver.port, receiver.ca, resolve=lambda *_: next(answers), network=led)
    assert post(wire) == 204
    assert led.dialled == [(HERE, 443)]
    assert not_sent(wire) == "not-public"
    assert led.dialled == [(HERE, 443)]


@pytest.mark.parametrize("port", [22, 80, 6379, 8000])
def test_a_port_that_is_not_for_https_is_not_dialled(receiver, port):
    """Even if a row of the database said so."""
    led = Led(receiver.port)
    wire = wire_to(receiver.port, receiver.ca, network=led)
    assert not_sent(wire, HookUrl("receiver.example", port, "/")) == "not-public"
    assert led.dialled == []


def test_a_unix_socket_is_not_a_target():
    """httpcore supports them, so this is refused."""
    with pytest.raises(NotPublicError):
        asyncio.run(PublicOnly(Transport()).connect_unix_socket("/run/x"))


def test_a_certificate_of_another_name_is_refused(receiver):
    """TLS checks the name of the URL, whatever the address."""
    assert not_sent(receiver.wire(), parse("https://other.example/")) == "tls"
    assert receiver.got == []


def test_a_certificate_of_an_unknown_authority_is_refused(receiver):
    """With the system's authorities instead of the test's."""
    assert not_sent(wire_to(receiver.port, receiver.ca, tls=httpcore.default_ssl_context)) == "tls"
    assert receiver.got == []


def test_a_proxy_of_the_environment_is_not_used(receiver, monkeypatch):
    """It could connect to addresses that are refused here."""
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert post(receiver.wire()) == 204


class Deaf(Led):
    """Only this machine answers."""

    async def connect_tcp(self, host, port, *more):
        if host != HERE:
            self.dialled.append((host, port))
            raise httpcore.ConnectError
        return await super().connect_tcp(host, port, *more)


def test_the_next_address_of_a_name_is_tried(receiver):
    """If the first ones do not answer; at most three."""
    led, found = Deaf(receiver.port), ["2606:4700::1111", "1.1.1.1", HERE, "8.8.8.8"]
    wire = wire_to(receiver.port, receiver.ca, resolve=lambda *_: found, allows=lambda _: True, network=led)
    assert post(wire) == 204
    assert [host for host, _ in led.dialled] == found[:3]


def test_a_fourth_address_is_not_tried(receiver):
    """Although it would have answered: each may cost seconds."""
    led, found = Deaf(receiver.port), ["2606:4700::1111", "1.1.1.1", "9.9.9.9", HERE]
    wire = wire_to(receiver.port, receiver.ca, resolve=lambda *_: found, allows=lambda _: True, network=led)
    assert not_sent(wire) == "unreachable"
    assert [host for host, _ in led.dialled] == found[:3]


def test_a_refused_connection_has_its_own_word(receiver):
    """Nothing listens at the port."""
    assert not_sent(wire_to(1, receiver.ca)) == "unreachable"


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 200 X\r\n"])
def test_the_whole_request_has_one_limit(receiver, first):
    """Even if a header byte arrives now and then, which restarts the timeout of every read."""
    receiver.answer = lambda _: _drip(first)
    assert not_sent(receiver.wire(), limit=0.5) == "timeout"  # without the receiver's own end


async def _drip(first):
    """Send nothing for a minute, or an endless header."""
    yield first
    for _ in range(6000):
        await asyncio.sleep(0.01)
        yield b"x" if first else b""


def test_a_long_answer_is_not_read_to_its_end(receiver):
    """After 16 kB the connection is closed; the status counts."""
    receiver.answer = lambda _: b"HTTP/1.1 200 X\r\nContent-Length: 100000000\r\n\r\n" + b"x" * (4 * MOST_READ)
    assert post(receiver.wire(), limit=3.0) == 200


async def _stuck():
    yield b"HTTP/1.1 202 X\r\nContent-Length: 10\r\n\r\nxx"
    await asyncio.sleep(60)


def test_a_status_counts_even_if_the_body_does_not_end(receiver):
    receiver.answer = lambda _: _stuck()
    assert post(receiver.wire()) == 202  # the whole limit passes, and on a busy machine the status needs some of it


def test_an_answer_that_is_not_http_counts_as_broken(receiver):
    """It is not a fault of this program."""
    receiver.answer = lambda _: b"220 mail.example ESMTP\r\n\r\n"
    assert not_sent(receiver.wire()) == "broken"


def test_the_last_check_is_after_the_connection_and_before_the_first_byte(receiver):
    """An exception there ends the request unsent, on a reused connection too."""
    looked, led = [], Led(receiver.port)

    async def look() -> None:
        looked.append(len(led.dialled))
        if len(looked) == 2:
            raise LookupError

    with pytest.raises(LookupError):
        post(wire_to(receiver.port, receiver.ca, network=led), look=look, times=2)
    assert looked == [1, 1]
    assert len(receiver.got) == 1
