"""The API over HTTP: each request has one body, the same on every try; problems are one exception with their code.

After a lost connection, 5xx or 429 the fate of a request is unknown: NoAnswerError, after `get` and `post` have tried
again. `act` tries only once, because its author reads the log before repeating it. Anything but a problem document
(RFC 9457), such as the page of a proxy, does not count as an answer to an act.
"""

from __future__ import annotations

import json
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from client.errors import ClientError

TRIES = 6
LONGEST_WAIT = 60.0
LARGEST_ANSWER = 2**26
PROBLEM = "application/problem+json"


class ApiError(ClientError):
    """The server refused, with a stable `code` (RFC 9457). `problem` is the whole object, `content` its bytes.

    `repeated`: an earlier try has no answer, and may have been carried out.
    """

    repeated = False

    def __init__(self, status: int, code: str, problem: Mapping[str, Any], content: bytes = b"") -> None:
        says = problem.get("detail") or problem.get("title") or ""
        super().__init__(f"{status} {code}: {says}")
        self.status = status
        self.code = code
        self.problem = problem
        self.content = content


class NoAnswerError(ClientError):
    """The fate of the request is unknown. `pause` is the number of seconds that the server asks us to wait, if any."""

    def __init__(self, says: str, pause: float | None = None) -> None:
        super().__init__(says)
        self.pause = pause


class FullError(NoAnswerError):
    """The server cannot hold another request now: ask without holding, and retry after the pause."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer: its status, its ETag if it has one, and its JSON value (None for 204 and 304).

    `after` is the start of the next page of a longer list.
    """

    status: int
    etag: str | None
    value: Any
    content: bytes
    after: int | None = None


class ByteStream:
    """The bytes of an answer as they come. `cut` ends it from another thread, also while that thread waits."""

    def __init__(self, answer: httpx.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        return self._answer.iter_bytes()

    def cut(self) -> None:
        network = self._answer.extensions.get("network_stream")
        sock = None if network is None else network.get_extra_info("socket")
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


class Api:
    """One server, with or without an account. `http` replaces the transport, `sleep` the waiting."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.pause = sleep
        self._http = http or httpx.Client(timeout=40.0, follow_redirects=False)

    @property
    def host(self) -> str:
        """The server's name for signed acts: the host, with its port, that the user named."""
        return urlsplit(self.url).netloc

    def as_(self, token: str | None) -> Api:
        """The same server over the same connections with another token, or without one."""
        return Api(self.url, token, self._http, self.pause)

    def get(self, path: str, *, etag: str | None = None, **query: str | int) -> HttpAnswer:
        """GET; with `etag` the answer may be 304 without a value."""
        return self._send(self._get(path, query, {} if etag is None else {"If-None-Match": etag}))

    @contextmanager
    def stream(
        self, path: str, *, after: int | None = None, body: Mapping[str, Any] | None = None
    ) -> Iterator[ByteStream | None]:
        """GET a stream once, or POST if there is a body, and yield its bytes as they come; None if there is none (204).

        NoAnswerError, also while reading, if there is no answer or it is cut off; FullError if there is no room for
        another one, on the server or for this account.
        """
        accept = {"Accept": "text/event-stream"}
        query = {} if after is None else {"after": after}
        request = self._get(path, query, accept) if body is None else self._post(path, body, accept)
        what = f"{request.method} {request.url}"
        try:
            answer = self._http.send(request, stream=True)
            with closing(answer):
                if answer.status_code != 200:
                    _to_answer(answer, _content(answer, what), what, act=False)
                yield None if answer.status_code == 204 else ByteStream(answer)
        except ApiError as no:
            raise FullError(str(no)) if no.code == "too-many" else no from None
        except httpx.RequestError as lost:
            raise NoAnswerError(f"{what}: {lost!r}") from lost
        finally:
            self._http.cookies.clear()

    def post(
        self,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        once: bool = False,
    ) -> HttpAnswer:
        """POST a JSON object. `once` adds an idempotency key to a request that is not an act."""
        extra = {"Idempotency-Key": str(uuid.uuid4())} if once else {}
        return self._send(self._post(path, body or {}, {**extra, **(headers or {})}))

    def form(self, path: str, fields: Mapping[str, str]) -> HttpAnswer:
        """POST a form, as OAuth has it."""
        return self._send(self._http.build_request("POST", self.url + path, data=fields, headers=self._headers({})))

    def act(self, path: str, body: Mapping[str, Any]) -> HttpAnswer:
        """POST a signed act once; NoAnswerError if its fate stays unknown."""
        return self._exchange(self._post(path, body, {}), act=True)

    def put(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> HttpAnswer:
        """PUT a JSON object; the headers carry the precondition and the signed statement."""
        told = self._headers({"Content-Type": "application/json", **(headers or {})})
        content = json.dumps(body).encode()
        return self._send(self._http.build_request("PUT", self.url + path, content=content, headers=told))

    def delete(self, path: str, headers: Mapping[str, str] | None = None) -> None:
        """DELETE; a repeat that finds nothing has been carried out before."""
        try:
            self._send(self._http.build_request("DELETE", self.url + path, headers=self._headers(headers or {})))
        except ApiError as no:
            if not (no.repeated and no.code == "not-found"):
                raise

    def _get(self, path: str, query: Mapping[str, str | int], extra: Mapping[str, str]) -> httpx.Request:
        """Add `query` to the query string that the path already has."""
        url = httpx.URL(self.url + path).copy_merge_params(query)
        return self._http.build_request("GET", url, headers=self._headers(extra))

    def _post(self, path: str, body: Mapping[str, Any], extra: Mapping[str, str]) -> httpx.Request:
        headers = self._headers({"Content-Type": "application/json", **extra})
        return self._http.build_request("POST", self.url + path, content=json.dumps(body).encode(), headers=headers)

    def _headers(self, extra: Mapping[str, str]) -> dict[str, str]:
        who = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {"Accept": "application/json", **who, **extra}

    def _send(self, request: httpx.Request) -> HttpAnswer:
        """Send until there is an answer. The same bytes get a lost answer again."""
        said = "no answer"
        for attempt in range(TRIES):
            try:
                return self._exchange(request)
            except ApiError as no:
                no.repeated = attempt > 0
                raise
            except FullError:
                raise
            except NoAnswerError as lost:
                said = str(lost)
                self.pause(pause_before(attempt, lost))
        raise NoAnswerError(f"{said}, after {TRIES} tries")

    def _exchange(self, request: httpx.Request, *, act: bool = False) -> HttpAnswer:
        """One try. Cookies are not kept, so that requests without a token stay anonymous."""
        what = f"{request.method} {request.url}"
        try:
            answer = self._http.send(request, stream=True)
            content = _content(answer, what)
        except httpx.RequestError as lost:
            raise NoAnswerError(f"{what}: {lost!r}") from lost
        finally:
            self._http.cookies.clear()
        return _to_answer(answer, content, what, act=act)


def pause_before(attempt: int, lost: NoAnswerError) -> float:
    """The pause that the server asks for, at most a minute, and at least 0.1, 0.2, 0.4, ... in case it rounds down."""
    return max(0.1 * 2.0**attempt, min(lost.pause or 0.0, LONGEST_WAIT))


def _content(answer: httpx.Response, what: str) -> bytes:
    """The body, up to the largest answer that the API can give."""
    parts, size = [], 0
    try:
        for part in answer.iter_bytes():
            parts.append(part)
            size += len(part)
            if size > LARGEST_ANSWER:
                raise NoAnswerError(f"{what}: the answer has more than {LARGEST_ANSWER} bytes")
    finally:
        answer.close()
    return b"".join(parts)


def _to_answer(answer: httpx.Response, content: bytes, what: str, *, act: bool) -> HttpAnswer:
    status, kind = answer.status_code, answer.headers.get("Content-Type", "")
    value = _value(content) if "json" in kind else None
    if status < 300 or status == 304:
        return HttpAnswer(status, answer.headers.get("ETag"), value, content, _after(answer))
    problem = value if isinstance(value, dict) else {"title": content[:200].decode("utf-8", "replace")}
    code = problem.get("code") if kind.startswith(PROBLEM) or not act else None
    if 400 <= status < 500 and status != 429 and (isinstance(code, str) or not act):
        raise ApiError(status, code if isinstance(code, str) else "no-code", problem, content)
    says = problem.get("detail") or problem.get("title") or ""
    kind_of_lost = FullError if code == "no-place" else NoAnswerError
    raise kind_of_lost(f"{what}: status {status} {says}", _asked_pause(answer))


def _value(content: bytes) -> Any:
    """None if the body is not JSON; callers check the shape of a value anyway."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _after(answer: httpx.Response) -> int | None:
    """The number `after` in the `Link` to the next page; the rest of that address is ignored."""
    named = parse_qs(urlsplit(answer.links.get("next", {}).get("url", "")).query).get("after", [""])[0]
    return int(named) if named.isascii() and named.isdigit() and len(named) < 11 else None


def _asked_pause(answer: httpx.Response) -> float | None:
    asked = answer.headers.get("Retry-After", "")
    return float(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else None
