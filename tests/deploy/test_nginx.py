"""The web server behind nginx with the site of deploy/: a real run."""

import ssl
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic

import pytest

from tests.deploy.nginx import NAME, BehindAnother, Site
from tests.server.harness import harness, sqlite_url
from tests.server.test_processes import gunicorn
from tests.servers import free

pytestmark = pytest.mark.long

HALF = f"GET /healthz HTTP/1.1\r\nHost: {NAME}\r\nX-Unfinished: "
DRIP = f"POST /v1/games HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{{"


@contextmanager
def behind(proxy, folder, proxies="1"):
    """A web server as in deploy/env.example, but for the ports and the database, behind a site of this kind."""
    url = sqlite_url(folder)
    harness(url).services.database.dispose()
    (folder / "proxy").mkdir()
    with gunicorn(url, PUBLIC_URL=f"https://{NAME}", PROXIES=proxies, WEB_WORKERS="1", WEB_THREADS="4") as web:
        made = proxy(folder / "proxy", int(web.rpartition(":")[2]))
        with made.running():
            yield made


@pytest.fixture
def site(tmp_path):
    with behind(Site, tmp_path) as made:
        yield made


def asked(site, path, *headers, method="GET"):
    """The answer to one request over TLS."""
    with site.connect() as connection:
        lines = (f"{method} {path} HTTP/1.1", f"Host: {NAME}", "Connection: close", *headers, "", "")
        connection.sendall("\r\n".join(lines).encode())
        with connection.makefile("rb") as answer:
            return answer.read().decode()


def timed(act, *given):
    """The result, and the seconds until it was there."""
    begin = monotonic()
    return act(*given), monotonic() - begin


def end(connection):
    """Wait until the proxy has ended it, with an answer or without; TimeoutError if it does not."""
    with suppress(ConnectionResetError, ssl.SSLEOFError):
        while connection.recv(4096):
            pass


def test_two_hundred_slow_connections_hurt_nobody_and_are_ended(site):
    """Half of them stop in the head, half in the body."""
    with ExitStack() as held:
        slow = [held.enter_context(site.connect()) for _ in range(200)]
        for connection, sent in zip(slow, [HALF, DRIP] * 100, strict=True):
            connection.sendall(sent.encode())
        answers = [timed(asked, site, path) for path in ("/healthz", "/readyz", "/", "/v1/types") * 5]
        assert {one.split("\r\n")[0] for one, _ in answers} == {"HTTP/1.1 200 OK"}
        ended = sum(timed(end, connection)[1] for connection in slow)
    slowest = max(seconds for _, seconds in answers)
    print(f"\nslowest answer {slowest:.2f} s; all slow ones ended {ended:.1f} s later")  # noqa: T201 - told by -s
    assert ended < 45  # the site's deadlines are 10 s, nginx's own 60 s


def test_metrics_are_closed_and_long_bodies_are_refused(site):
    assert asked(site, "/metrics").startswith("HTTP/1.1 404 ")
    long = "Content-Length: 70000"
    assert asked(site, "/v1/games", long, method="POST").startswith("HTTP/1.1 413 ")
    assert not asked(site, "/inbound/raw", "Content-Length: 0", method="POST").startswith("HTTP/1.1 413 ")


def test_the_web_server_sees_its_name_and_https(site):
    """Otherwise it would refuse the name, or leave out what belongs to https."""
    front = asked(site, "/")
    assert front.startswith("HTTP/1.1 200 OK")
    assert "strict-transport-security: max-age=" in front.lower()


def left_to(site, address):
    """How many requests the limit of addresses leaves after one that another proxy passes on for this client."""
    answer = asked(site, "/v1/types", f"X-Forwarded-For: 203.0.113.66, {address}")
    return next(line for line in answer.splitlines() if line.lower().startswith("x-ratelimit-remaining: ")).split()[1]


def has_a_limit_for_each_client(site):
    first, *others = (left_to(site, address) for address in ("192.0.2.1", "192.0.2.2", "192.0.2.2"))
    return others == [first, str(int(first) - 1)]


def test_what_a_client_says_of_its_address_is_not_believed(site):
    assert not has_a_limit_for_each_client(site)


def test_behind_another_proxy_each_client_has_its_own_limit(tmp_path):
    """With the lines of the example for it. Another address, which the client has sent itself, is not believed."""
    with behind(BehindAnother, tmp_path) as site:
        assert has_a_limit_for_each_client(site)


def logged_while_away(proxy, folder):
    """The log of a proxy after a request for a mailed link, while no web server answers."""
    site = proxy(folder, *free.ports(1))
    with site.running():
        assert asked(site, "/login/SECRET").split()[1] in ("502", "503")
    return site.log.read_text()


def test_a_mailed_link_is_not_logged_while_the_web_server_does_not_answer(tmp_path):
    """It has not been used, so anyone who reads the log could sign in."""
    assert "SECRET" not in logged_while_away(Site, tmp_path)
