"""The API over HTTP: one body of bytes a request, the same on every try; problems as one exception with their code."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

TRIES = 6
LATER = frozenset({429, 502, 503, 504})
LONGEST_WAIT = 60.0


class ApiError(Exception):
    """The server said no, with a stable `code` (RFC 9457). `problem` is the whole object that it sent."""

    def __init__(self, status: int, code: str, problem: Mapping[str, Any]) -> None:
        says = problem.get("detail") or problem.get("title") or ""
        super().__init__(f"{status} {code}: {says}")
        self.status = status
        self.code = code
        self.problem = problem


class NoAnswerError(Exception):
    """The server could not be reached, or was not ready, in as many tries as we make."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: its status, its ETag if it has one, and its JSON value (None for 204 and 304)."""

    status: int
    etag: str | None
    value: Any
    content: bytes


class Api:
    """One server, as one person or nobody. Give `http` to use another transport, `sleep` to wait otherwise."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self._http = http or httpx.Client(timeout=40.0, follow_redirects=False)
        self._sleep = sleep

    @property
    def host(self) -> str:
        """The server as every signed act must name it: the host, with its port, that we were told to talk to."""
        return urlsplit(self.url).netloc

    def as_(self, token: str | None) -> Api:
        """The same server over the same connections, with another token."""
        return Api(self.url, token, self._http, self._sleep)

    def get(self, path: str, *, etag: str | None = None, **query: str | int) -> Answer:
        """GET; with `etag` the answer may be 304 without a value."""
        headers = {} if etag is None else {"If-None-Match": etag}
        return self._send(
            self._http.build_request("GET", self.url + path, params=query, headers=self._headers(headers))
        )

    def post(self, path: str, body: Mapping[str, Any] | None = None, *, once: bool = False) -> Answer:
        """POST a JSON object. `once` marks a request that is no act: a key lets the server see that it is repeated."""
        extra = {"Content-Type": "application/json"}
        if once:
            extra["Idempotency-Key"] = str(uuid.uuid4())
        content = json.dumps(body or {}).encode()
        return self._send(
            self._http.build_request("POST", self.url + path, content=content, headers=self._headers(extra))
        )

    def delete(self, path: str) -> Answer:
        return self._send(self._http.build_request("DELETE", self.url + path, headers=self._headers({})))

    def _headers(self, extra: Mapping[str, str]) -> dict[str, str]:
        who = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {"Accept": "application/json", **who, **extra}

    def _send(self, request: httpx.Request) -> Answer:
        """Send until there is an answer. An answer that was lost on the way is got again by the very same bytes."""
        said = "no answer"
        for attempt in range(TRIES):
            try:
                answer = self._http.send(request)
            except httpx.TransportError as lost:
                said, pause = repr(lost), _pause(attempt)
            else:
                if answer.status_code not in LATER:
                    return _read(answer)
                said, pause = f"status {answer.status_code}", _asked_pause(answer, attempt)
            self._sleep(pause)
        raise NoAnswerError(f"{request.method} {request.url}: {said} after {TRIES} tries")


def _pause(attempt: int) -> float:
    """0.1, 0.2, 0.4, ... seconds."""
    return 0.1 * 2.0**attempt


def _asked_pause(answer: httpx.Response, attempt: int) -> float:
    """What Retry-After asks for in seconds, at most a minute; else as after a lost answer."""
    asked = answer.headers.get("Retry-After", "")
    return min(float(asked), LONGEST_WAIT) if asked.isdigit() else _pause(attempt)


def _read(answer: httpx.Response) -> Answer:
    value = answer.json() if answer.content and "json" in answer.headers.get("Content-Type", "") else None
    if answer.status_code >= 400:
        problem = value if isinstance(value, dict) else {"title": answer.text[:200]}
        raise ApiError(answer.status_code, str(problem.get("code", "no-code")), problem)
    return Answer(answer.status_code, answer.headers.get("ETag"), value, answer.content)
