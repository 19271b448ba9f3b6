"""The web server behind Caddy with the site of deploy/: a real run."""

import re

import pytest

from tests.deploy import certificates
from tests.deploy.nginx import NAME, SITE, BehindAnother, Site, program
from tests.deploy.test_nginx import asked, behind, has_a_limit_for_each_client, logged_while_away
from tests.kit.patience import until
from tests.servers import free

pytestmark = pytest.mark.long


class CaddySite(Site):
    """The example with other ports, a certificate of its own, and a second host that is down."""

    def __init__(self, folder, web):
        plain, self.port, down = free.ports(3)
        self.certificate, key = certificates.write(folder, NAME)
        text = self.example(SITE.with_name("Caddyfile"))
        ports = f"http_port {plain}\n\thttps_port {self.port}\n\tdefault_bind 127.0.0.1"
        text = text.replace("{\n", f"{{\n\tadmin off\n\t{ports}\n", 1)
        text = text.replace("servers {\n", "servers {\n\t\tprotocols h1 h2\n")  # `free` holds the port for UDP
        text = text.replace(f"\n{NAME} {{\n", f"\n{NAME} {{\n\ttls {self.certificate} {key}\n")
        self.log = folder / "log"
        text = text.replace("\tlog {\n", f"\tlog {{\n\t\toutput file {self.log}\n")
        text = re.sub(r"\{\$SEALEDMOVE_WEB.*?\}", f"127.0.0.1:{down} 127.0.0.1:{web}", text)
        (folder / "Caddyfile").write_text(text)
        homes = [f"{name}={folder}" for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")]
        self.command = ["env", *homes, program("caddy"), "run", "--adapter", "caddyfile"]
        self.command += ["--config", str(folder / "Caddyfile")]


class BehindAnotherCaddy(BehindAnother, CaddySite):
    """The same, behind another proxy."""


@pytest.fixture
def site(tmp_path):
    with behind(CaddySite, tmp_path) as made:
        yield made


def posted(site, length):
    """The status of a request with a body of so many zeros."""
    with site.connect() as connection:
        head = f"POST /v1/games HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: {length}\r\n\r\n"
        connection.sendall(head.encode() + bytes(length))
        return connection.recv(12).split()[1].decode()


def test_a_host_that_is_down_is_passed_over(site):
    """Also by requests with a body, which Caddy 2.6 does not send a second time."""
    assert {asked(site, "/readyz").split("\r\n")[0] for _ in range(9)} == {"HTTP/1.1 200 OK"}
    until(lambda: "502" not in {posted(site, 64 * 1024) for _ in range(9)}, "it still sends to the host that is down")


def test_a_body_that_is_too_long_closes_the_site_to_nobody(site):
    """Caddy would count it as a failure of the host that it was sent to."""
    assert {posted(site, 70000) for _ in range(9)} <= {"413", "502"}  # Caddy 2.6 has no better word for it
    assert asked(site, "/readyz").startswith("HTTP/1.1 200 ")


def test_what_a_client_says_of_its_address_is_not_believed(site):
    assert not has_a_limit_for_each_client(site)


def test_behind_another_proxy_each_client_has_its_own_limit(tmp_path):
    """With the line of the example for it, and PROXIES; another address, which the client has sent, is not believed."""
    with behind(BehindAnotherCaddy, tmp_path, proxies="2") as site:
        assert has_a_limit_for_each_client(site)


def test_metrics_are_closed(site):
    """By Caddy, whatever the web server serves there."""
    answer = asked(site, "/metrics")
    assert answer.startswith("HTTP/1.1 404 ")
    assert "gunicorn" not in answer


def test_a_mailed_link_is_not_logged_while_no_web_server_answers(tmp_path):
    """Only that a request failed."""
    lines = logged_while_away(CaddySite, tmp_path)
    assert '"status":50' in lines
    assert "SECRET" not in lines
