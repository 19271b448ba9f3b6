"""A real https receiver on the loopback address, with a certificate by a test CA.

It answers as a test sets, stores requests, and is reached by names that only the test's resolver knows: production
code gets a `Wire`, never a setting, that leads port 443 of those names here.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import ipaddress
import ssl
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import h11
import httpcore
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.kit.patience import PATIENCE
from tests.servers.lines import accept_no_more
from workers.hooks.http_client import Transport

HERE = "127.0.0.1"


@dataclass
class Got:
    """A received request."""

    host: str
    target: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[Got], Any]  # a status, or bytes to send as they are, or a generator of bytes; or a coroutine of one


class Receiver:
    """Started by `with`. `answer` is called for each request; `got` has all of them, in order of arrival."""

    def __init__(self, folder: Path, names: Iterable[str] = ("receiver.example", "*.example.net")) -> None:
        self.folder, self.names = folder, list(names)
        self.answer: Answer = lambda _: 204
        self.got: list[Got] = []
        self.open = self.most_open = self.connections = 0
        self._writers: weakref.WeakSet[asyncio.StreamWriter] = weakref.WeakSet()
        self._loop = asyncio.new_event_loop()
        self._certificates()

    def __enter__(self) -> Self:
        started = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(started,), daemon=True)
        self._thread.start()
        assert started.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set_result, None)
        self._thread.join(PATIENCE)

    @property
    def ca(self) -> Path:
        return self.folder / "ca.pem"

    def ids(self) -> list[str]:
        return [one.headers["webhook-id"] for one in list(self.got)]

    def reset(self) -> None:
        """Return to its state at the start."""
        self.answer = lambda _: 204
        self.got.clear()
        self.most_open = self.connections = 0

    def wire(self, **more: Any) -> Transport:
        return wire(self.port, self.ca, **more)

    # --- serving ------------------------------------------------------------------------------------------------------

    def _serve(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._run(started))
        self._loop.close()

    async def _run(self, started: threading.Event) -> None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.folder / "server.pem")
        server = await asyncio.start_server(self._connected, HERE, 0, ssl=context)
        self.port = server.sockets[0].getsockname()[1]
        self._stopped: asyncio.Future[None] = self._loop.create_future()
        started.set()
        await self._stopped
        await accept_no_more(server)
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.wait([*tasks, asyncio.create_task(asyncio.sleep(0))])
        for writer in self._writers:
            writer.transport.abort()
        for _ in range(5):  # with TLS a transport calls back some times before it is closed
            await asyncio.sleep(0)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        try:
            await self._requests(reader, writer)
        except (OSError, ssl.SSLError, asyncio.CancelledError, h11.RemoteProtocolError):
            pass
        finally:
            writer.close()

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = h11.Connection(h11.SERVER)
        while (got := await _request(wire, reader)) is not None:
            self.open += 1
            self.most_open = max(self.most_open, self.open)
            self.got.append(got)
            try:
                answer = self.answer(got)
                answer = await answer if asyncio.iscoroutine(answer) else answer
            except BaseException:
                self.open -= 1
                raise
            self.open -= isinstance(answer, int)  # before it is heard: the next request may come at once
            try:
                async for part in _parts(answer):
                    writer.write(part)
                    await writer.drain()
            finally:
                self.open -= not isinstance(answer, int)
            if not isinstance(answer, int):
                return
            wire = h11.Connection(h11.SERVER)

    # --- certificates -------------------------------------------------------------------------------------------------

    def _certificates(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        ca_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        ca_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a test's CA")])
        ca = _certificate(ca_name, ca_name, ca_key, ca_key, ca=True)
        mine = _certificate(x509.Name([]), ca_name, key, ca_key, names=self.names)
        self.ca.write_bytes(_pem(ca))
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        (self.folder / "server.pem").write_bytes(private + _pem(mine))


async def _request(wire: h11.Connection, reader: asyncio.StreamReader) -> Got | None:
    head, body = None, b""
    while True:
        event = wire.next_event()
        if event is h11.NEED_DATA:
            data = await reader.read(65536)
            if not data and head is None:
                return None
            wire.receive_data(data)
        elif isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += event.data
        elif isinstance(event, h11.EndOfMessage):
            assert head is not None
            headers = {name.decode(): value.decode() for name, value in head.headers}
            return Got(headers["host"], head.target.decode(), headers, bytes(body))
        else:
            return None


async def _parts(answer: Any) -> AsyncIterator[bytes]:
    if isinstance(answer, int):
        yield f"HTTP/1.1 {answer} Said\r\nContent-Length: 0\r\n\r\n".encode()
    elif isinstance(answer, bytes):
        yield answer
    else:
        async for part in answer:
            yield part


def _certificate(subject, issuer, key, signer, *, ca=False, names=()):
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=2))
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
    )
    if names:
        alternatives = [x509.DNSName(name) for name in names] + [x509.IPAddress(ipaddress.ip_address(HERE))]
        made = made.add_extension(x509.SubjectAlternativeName(alternatives), critical=True)
    return made.sign(signer, hashes.SHA256())


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


# --- the way there --------------------------------------------------------------------------------------------------


@dataclass
class Led(httpcore.AsyncNetworkBackend):
    """Port 443 of the loopback address leads to the receiver's port; dialled addresses are stored."""

    port: int
    dialled: list[tuple[str, int]] = field(default_factory=list)

    async def connect_tcp(self, host, port, *more):
        self.dialled.append((host, port))
        return await httpcore.AnyIOBackend().connect_tcp(host, self.port, *more)


def wire(port: int, ca: Path, **more: Any) -> Transport:
    """Every name leads here, and this address counts as public; for a test's own process too."""
    given: dict[str, Any] = {
        "resolve": lambda _host, _port: [HERE],
        "allows": lambda address: address == HERE,
        "network": Led(port),
        "tls": lambda: ssl.create_default_context(cafile=str(ca)),
    }
    return Transport(**given | more)
