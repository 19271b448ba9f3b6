"""Requests to a receiver's machine: to public addresses only, one DNS lookup each, within a time limit.

TLS and `Host` use the name in the URL; the connection goes to an address that was checked, so a name that resolves
differently a moment later gains nothing. A name with any address that is not public is refused: mixing both is an
attack or a mistake. Redirects, proxies of the environment and cookies are ignored. Up to 16 kB of an answer are read
and discarded, so that the connection can be used again.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpcore

from server.hooks.urls import PORTS, HookUrl
from workers.errors import WorkerError
from workers.hooks.addresses import is_public

MOST_READ = 16 * 1024
KEPT_OPEN = 5.0  # seconds for which an idle connection, and with it a checked address, is used again
MOST_TRIED = 3  # addresses of one name
CONNECT = 3.0  # seconds for each


class DeliveryError(WorkerError):
    """The request got no answer. The message is a word for the history, vague so as not to reveal internal names."""


class NotPublicError(WorkerError, httpcore.ConnectError):
    """The name has no address, or one that is not public."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The head of an answer: its status, and `Retry-After` if it is a number of seconds."""

    status: int
    retry_after: int | None = None


Resolve = Callable[[str, int], list[str]]


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name, from the system's resolver. Blocks."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@dataclass(frozen=True)
class Transport:
    """The parts that tests replace. No setting of an operator changes them."""

    resolve: Resolve = resolve
    allows: Callable[[str], bool] = is_public
    network: httpcore.AsyncNetworkBackend = field(default_factory=httpcore.AnyIOBackend)
    tls: Callable[[], ssl.SSLContext] = httpcore.default_ssl_context


class PublicOnly(httpcore.AsyncNetworkBackend):
    """Connects to public addresses only. Names are looked up in threads, one thread per name at a time."""

    def __init__(self, transport: Transport, threads: int = 32) -> None:
        self._wire = transport
        self._pool = ThreadPoolExecutor(threads, "resolver")
        self._asked: dict[str, asyncio.Future[list[str]]] = {}

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - httpcore's; the whole request has a limit
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = await self._public(host, port)
        for address in addresses[: MOST_TRIED - 1]:
            try:
                return await self._wire.network.connect_tcp(address, port, CONNECT, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._wire.network.connect_tcp(addresses[-1], port, CONNECT, local_address, socket_options)

    async def connect_unix_socket(self, *_args: Any, **_more: Any) -> httpcore.AsyncNetworkStream:
        raise NotPublicError

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _public(self, host: str, port: int) -> list[str]:
        """The first few addresses; raises if any is not public."""
        if port not in PORTS:
            raise NotPublicError
        found = await self._addresses(host, port)
        if not found or not all(map(self._wire.allows, found)):
            raise NotPublicError
        return found[:MOST_TRIED]

    async def _addresses(self, host: str, port: int) -> list[str]:
        """A dead name server blocks one thread per name, however many requests wait for it."""
        asked = self._asked.get(host)
        if asked is None:
            asked = asyncio.get_running_loop().run_in_executor(self._pool, self._wire.resolve, host, port)
            self._asked[host] = asked
            asked.add_done_callback(lambda _: self._asked.pop(host, None))
        return await asyncio.shield(asked)


class HookClient:
    """Posts messages; one per process, made inside its event loop."""

    def __init__(self, transport: Transport, limit: float, most: int) -> None:
        self._limit = limit
        self._network = PublicOnly(transport)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=transport.tls(),
            max_connections=2 * most,
            max_keepalive_connections=most,
            keepalive_expiry=KEPT_OPEN,
            network_backend=self._network,
        )

    async def post(
        self, url: HookUrl, headers: Mapping[str, str], body: bytes, check: Callable[[], Awaitable[None]]
    ) -> HttpAnswer:
        """Post and return the head of the answer. `check` runs once connected; if it raises, nothing is sent."""
        last_check, got = LastCheck(check), list[HttpAnswer]()
        asked = httpcore.Request(
            "POST",
            httpcore.URL(scheme=b"https", host=url.host.encode(), port=url.port, target=url.target.encode()),
            headers=[("host", _host(url)), ("content-length", str(len(body))), *headers.items()],
            content=body,
            extensions={"trace": last_check},
        )
        try:
            async with asyncio.timeout(self._limit):
                await self._exchange(asked, got)
        except NotPublicError:
            raise DeliveryError("not-public") from None
        except (TimeoutError, httpcore.TimeoutException):
            if not got:  # else the answer has come, and only its body would not end
                raise DeliveryError("timeout") from None
        except (httpcore.ConnectError, ssl.SSLError) as error:
            raise DeliveryError("tls" if _is_tls(error) else "unreachable") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError):
            raise DeliveryError("broken") from None
        assert last_check.done, "the library no longer reports when it sends"
        return got[0]

    async def aclose(self) -> None:
        self._network.close()
        await self._pool.aclose()

    async def _exchange(self, asked: httpcore.Request, got: list[HttpAnswer]) -> None:
        answer = await self._pool.handle_async_request(asked)
        got.append(HttpAnswer(answer.status, _retry_after(answer)))
        try:
            with suppress(httpcore.NetworkError, httpcore.ProtocolError, ssl.SSLError, OSError):
                await _drain(answer)
        finally:
            await answer.aclose()


async def _drain(answer: httpcore.Response) -> None:
    read = 0
    async for part in answer.aiter_stream():
        read += len(part)
        if read > MOST_READ:
            return


class LastCheck:
    """A tracer for httpcore that checks once, right before the first byte of the request."""

    def __init__(self, check: Callable[[], Awaitable[None]]) -> None:
        self._check = check
        self.done = False

    async def __call__(self, event: str, _info: Mapping[str, Any]) -> None:
        if event == "http11.send_request_headers.started":
            await self._check()
            self.done = True


def _retry_after(answer: httpcore.Response) -> int | None:
    found = [value for name, value in answer.headers if name.lower() == b"retry-after"]
    return int(found[0]) if found and re.fullmatch(rb"[0-9]{1,7}", found[0]) else None


def _host(url: HookUrl) -> str:
    return url.host if url.port == 443 else f"{url.host}:{url.port}"


def _is_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
