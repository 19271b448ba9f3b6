"""A cheat between a client and its server: it sees every request, and may answer instead of the server.

    way = Proxy(house)
    player = At(house, folder, 0, way)
    way.acts = refuse("not-active")        # from now on every act is answered with this
    way.reads["log"] = stale(house, 5)     # and the log ends after five entries

A handler takes the request and gives a response, or None to let the house answer.
"""

import json
from collections.abc import Callable

import httpx

from client.http import Api
from engine.record.signed import acts, keys

from .fake_server import HOST, FakeServer, problem

Handler = Callable[[httpx.Request], httpx.Response | None]
NOT_ACTS = ("compare", "missing")


class Proxy:
    """`acts` answers acts, `reads` answers reads, by the last part of the path. `seen`: the bodies of all acts."""

    def __init__(self, house: FakeServer) -> None:
        self.house = house
        self.acts: Handler | None = None
        self.reads: dict[str, Handler] = {}
        self.seen: list[bytes] = []
        self.order: list[str] = []

    def api(self, token: str | None = "token") -> Api:
        return Api(f"http://{HOST}", token, httpx.Client(transport=httpx.MockTransport(self)), self.house._wait)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.rpartition("/")[2]
        is_act = request.method == "POST" and path not in NOT_ACTS
        self.order.append("act" if is_act else path)
        if is_act:
            self.seen.append(request.content)
        handler = self.acts if is_act else self.reads.get(path)
        answer = handler(request) if handler else None
        return self.house(request) if answer is None else answer

    def signed_for(self, seq: int) -> int:
        """The number of different signatures for this place that the client has sent."""
        sent = {jws_of(body) for body in self.seen}
        return len([one for one in sent if acts.read_act(keys.read_jws(one)).seq == seq])


def refuse(code: str, status: int = 422, times: int = 1000) -> Handler:
    """Refuse with this code this many times, and forward nothing."""
    left = [times]

    def handler(_request: httpx.Request) -> httpx.Response | None:
        left[0] -= 1
        return problem(status, code, detail="so they say") if left[0] >= 0 else None

    return handler


def log_and_refuse(house: FakeServer, code: str) -> Handler:
    """Forward the act, which the server logs, and answer with a refusal."""

    def handler(request: httpx.Request) -> httpx.Response:
        house(request)
        return problem(422, code, detail="so they say")

    return handler


def stale(house: FakeServer, size: int) -> Handler:
    """Show the log as it was at this size, with its checkpoint."""

    def handler(request: httpx.Request) -> httpx.Response:
        start = int(request.url.params["after"]) + 1
        lines = [line.decode() for line in house.lines[start:size]]
        return httpx.Response(200, json={"entries": lines, "note": house.note(size)})

    return handler


def say(status: int = 200, times: int = 1000, **given) -> Handler:
    """Give this answer to any request, this many times."""
    left = [times]

    def handler(_request: httpx.Request) -> httpx.Response | None:
        left[0] -= 1
        return httpx.Response(status, **given) if left[0] >= 0 else None

    return handler


def lose(times: int = 1000) -> Handler:
    """Break the connection before the request arrives, this many times."""
    left = [times]

    def handler(request: httpx.Request) -> None:
        left[0] -= 1
        if left[0] >= 0:
            raise httpx.ReadError("the connection broke", request=request)

    return handler


def jws_of(body: bytes) -> str:
    return json.loads(body)["jws"]
