"""deploy/nginx.conf on free ports of this machine, as nginx of its own."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.deploy import certificates
from tests.kit.patience import PATIENCE, until
from tests.servers import free

SITE = Path(__file__).parents[2] / "deploy" / "nginx.conf"
NAME = "games.example"
WHOLE = """\
{user}
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def program(name: str) -> str:
    """A program of this machine; without it the test is left out, visibly."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


class Site:
    """The example with another address of the web server, other ports and a certificate of its own."""

    def __init__(self, folder: Path, web: int) -> None:
        self.log = folder / "error.log"
        self.command = [program("nginx"), "-e", str(self.log), "-p", str(folder), "-c", "nginx.conf"]
        plain, self.port = free.ports(2)
        self.certificate, key = certificates.write(folder, NAME)
        text = self.example(SITE).replace("127.0.0.1:8000", f"127.0.0.1:{web}")
        text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
        text = text.replace("listen 80;", f"listen 127.0.0.1:{plain};").replace(
            "listen 443 ", f"listen 127.0.0.1:{self.port} "
        )
        text = re.sub(r"(ssl_certificate) .*;", rf"\1 {self.certificate};", text)
        text = re.sub(r"(ssl_certificate_key) .*;", rf"\1 {key};", text)
        text = text.replace("/var/log/nginx/error.log", str(self.log))
        (folder / "site.conf").write_text(text)
        user = "user root;" if os.geteuid() == 0 else ""  # its workers use this folder
        (folder / "nginx.conf").write_text(WHOLE.format(folder=folder, user=user))

    def example(self, file: Path) -> str:
        return file.read_text("utf-8")

    def check(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*self.command, "-t"], capture_output=True, text=True)

    @contextmanager
    def running(self) -> Iterator[None]:
        with subprocess.Popen(self.command) as server:
            try:
                until(self._answers, "the proxy does not answer")
                yield
            finally:
                server.terminate()
                server.wait(PATIENCE)

    def _answers(self) -> bool:
        try:
            self.connect().close()
        except OSError:
            return False
        return True

    def connect(self) -> ssl.SSLSocket:
        """A connection over TLS whose certificate is checked."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        trusting = ssl.create_default_context(cafile=str(self.certificate))
        return trusting.wrap_socket(plain, server_hostname=NAME)


class BehindAnother(Site):
    """The example with its lines for another proxy, which is at this machine."""

    def example(self, file: Path) -> str:
        lines = re.sub(r"^(\s*)#(?=[a-z])", r"\1", file.read_text("utf-8"), flags=re.MULTILINE)
        return lines.replace("198.51.100.0/24", "127.0.0.1")
