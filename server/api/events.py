"""Streams of events: asked for here, held by the process `events` (`server.streams`)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import sqlalchemy as sa
from flask import Response, request

from server.api.house import account_id, caller, needs, resource, services
from server.api.schemas.events import AccountEventSchema, EventsQuerySchema, GameEventSchema, LastEventSchema
from server.cors import cross
from server.db.models import Game
from server.errors import Problem
from server.projections import events
from server.streams import Open, hand_over

blp = resource("events", "What happens, as it happens: streams of server-sent events.")

STREAM = "text/event-stream"
RESUMED = "Nothing will follow what you have: the game is over. It tells an `EventSource` to come back no more."


@blp.route("/me/events", methods=["GET"])
@needs("read")
@blp.arguments(EventsQuerySchema, location="query")
@blp.arguments(LastEventSchema, location="headers")
@blp.response(200, AccountEventSchema, content_type=STREAM)
def stream_my_events(asked: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Follow what happens to your seats.

    A stream of server-sent events (`text/event-stream`): `data` of each is an event in JSON, `id` its number. It begins
    with an `id` alone, the number after which it goes on, and has a comment at least every 20 seconds. Come back with
    the last number as `Last-Event-ID`, and nothing is lost or told twice. What is older than the server keeps it cannot
    tell: then there is one event `{"kind": "reset", "n": 120, "at": "..."}`; read `GET /v1/me/turns`, and go on after
    that number. The stream ends with its token. 503 `no-place` or `no-streams`: wait as `Retry-After` says, or poll.
    """
    with services().database.read() as session:
        newest = events.last(session, account_id())
    held = caller()
    assert held is not None
    return _streamed(f"a{account_id()}", _after(asked, headers, newest), held.shown)


@blp.route("/games/<uuid:game_id>/events", methods=["GET"])
@blp.arguments(EventsQuerySchema, location="query")
@blp.arguments(LastEventSchema, location="headers")
@blp.response(200, GameEventSchema, content_type=STREAM)
@blp.alt_response(204, description=RESUMED, success=True)
def stream_game_events(asked: dict[str, Any], headers: dict[str, Any], game_id: UUID) -> Response:
    """Follow a game as anybody.

    A stream as that of your own events; a number is that of an entry in the log, so `after=-1` begins at the first. It
    ends with the game. `{"kind": "reset", "seq": 50, "at": "..."}` says that the log here is shorter than yours: the
    server was set back to an older copy, and you have what it lacks.
    """
    with services().database.read() as session:
        game = session.execute(sa.select(Game.head_seq, Game.status).where(Game.id == str(game_id))).one_or_none()
    if game is None:
        raise Problem("no-such-game")
    after = _after(asked, headers, game.head_seq)
    if game.status in ("finished", "cancelled") and after == game.head_seq:
        return Response(status=204)
    return _streamed(f"g{game_id}", after, None)


def _after(asked: dict[str, Any], headers: dict[str, Any], newest: int) -> int:
    return int(headers.get("last", asked.get("after", newest)))


def _streamed(key: str, after: int, shown: str | None) -> Response:
    """The connection is another process's from here on, and what is returned goes nowhere; but not of a HEAD."""
    answer = Response(content_type=STREAM, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    if request.method == "GET":
        ask = Open(head_of(answer), key, after, request.remote_addr or "", shown)
        hand_over(services().settings.events_socket, request.environ, ask)
    return answer


USUAL = {"Connection": "close", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


def head_of(answer: Response) -> bytes:
    """The status line and the headers, as every answer of ours has them."""
    answer.headers.extend(USUAL)
    told = [f"{name}: {value}" for name, value in cross(answer).headers.items() if name != "Content-Length"]
    lines = ["HTTP/1.1 200 OK", *told]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")
