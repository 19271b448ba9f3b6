"""Webhooks of one's own."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import sqlalchemy as sa
from flask import Response, request

from server.hooks import read, write
from server.hooks.schemas import (
    AccountEventSchema,
    ChangeHookSchema,
    DeliveriesQuerySchema,
    DeliveryPageSchema,
    DeliverySchema,
    EventsQuerySchema,
    GameEventSchema,
    HookSchema,
    HookSecretSchema,
    LastEventSchema,
    MadeHookSchema,
    NewHookSchema,
    ReplayedSchema,
    ReplaySchema,
)
from server.hooks.streams import HoldStream, hand_over
from server.hooks.write import HookRequest
from server.http.origin import cross
from server.http.resource import (
    MORE,
    UNCHANGED,
    account_id,
    caller,
    may_refuse,
    paged,
    requires_scope,
    resource,
    services,
    tagged,
)
from server.http.schemas import MOST
from server.kernel.db.models import Game
from server.kernel.errors import Problem

hooks_blp = resource("hooks", "Webhooks: events of your games, sent to a program of yours. See docs/webhooks.md.")
HOOK = f"/me/hooks/<int(max={MOST}):hook_id>"
DELIVERY = f"{HOOK}/deliveries/<int(max={MOST}):delivery_id>"


@hooks_blp.route("/me/hooks", methods=["GET"])
@requires_scope("account")
@hooks_blp.response(200, HookSchema(many=True))
def list_hooks() -> list[dict[str, Any]]:
    """Your webhooks.

    With when each was made and last used, and whether it fails or is paused. Their secrets cannot be read again.
    """
    return read.listed_hooks(services(), account_id())


@hooks_blp.route("/me/hooks", methods=["POST"])
@may_refuse(409)
@requires_scope("account")
@hooks_blp.arguments(
    NewHookSchema, example={"url": "https://bot.example/sealedmove", "name": "my bot", "kinds": ["turn", "over"]}
)
@hooks_blp.response(201, MadeHookSchema, headers={"Location": {"$ref": "#/components/headers/Location"}})
def create_hook(given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Make a webhook.

    It is told of every event of your account from now on. At most eight an account.
    """
    number, secret = write.create(services(), account_id(), HookRequest(**given))
    made = read.shown_hook(services(), account_id(), number) | {"secret": secret}
    return made, 201, {"Location": f"/v1/me/hooks/{number}", "Cache-Control": "no-store"}


@hooks_blp.route(HOOK, methods=["GET"])
@requires_scope("account")
@hooks_blp.response(200, HookSchema)
def show_hook(hook_id: int) -> dict[str, Any]:
    """One webhook.

    `failing_since` is the first failure since something was taken, `paused` says whether and why nothing is sent.
    """
    return read.shown_hook(services(), account_id(), hook_id)


@hooks_blp.route(HOOK, methods=["PATCH"])
@may_refuse(409)
@requires_scope("account")
@hooks_blp.arguments(ChangeHookSchema, example={"paused": False})
@hooks_blp.response(200, HookSchema)
def change_hook(given: dict[str, Any], hook_id: int) -> dict[str, Any]:
    """Change, pause or resume a webhook.

    What waits is sent to the new URL. `paused: false` lets it go on with all that has waited, from the first.
    """
    write.change(services(), account_id(), hook_id, given)
    return read.shown_hook(services(), account_id(), hook_id)


@hooks_blp.route(HOOK, methods=["DELETE"])
@requires_scope("account")
@hooks_blp.response(204)
def delete_hook(hook_id: int) -> None:
    """Delete a webhook.

    With its history. A request that is open at this moment may still arrive, nothing after it.
    """
    write.delete(services(), account_id(), hook_id)


@hooks_blp.route(f"{HOOK}/secret", methods=["POST"])
@requires_scope("account")
@hooks_blp.response(201, HookSecretSchema)
def rotate_secret(hook_id: int) -> tuple[dict[str, str], int, dict[str, str]]:
    """Change the secret.

    For a day each message is signed with the new and with the former one; then the former is worth nothing. Asked for
    again within the day, the one before the former ends at once.
    """
    return {"secret": write.rotate(services(), account_id(), hook_id)}, 201, {"Cache-Control": "no-store"}


@hooks_blp.route(f"{HOOK}/ping", methods=["POST"])
@may_refuse(409)
@requires_scope("account")
@hooks_blp.response(202, DeliverySchema)
def ping_hook(hook_id: int) -> dict[str, Any]:
    """Send a test message.

    Of kind `ping`, about no game, tried once; `GET` its delivery to see what was answered. One at a time.
    """
    number = write.ping(services(), account_id(), hook_id)
    return read.delivery(services(), account_id(), hook_id, number)


@hooks_blp.route(f"{HOOK}/replay", methods=["POST"])
@may_refuse(409)
@requires_scope("account")
@hooks_blp.arguments(ReplaySchema, example={"since": 12})
@hooks_blp.response(202, ReplayedSchema)
def replay_events(given: dict[str, Any], hook_id: int) -> dict[str, int]:
    """Send all events again from a number on.

    In the order of each game, of the kinds that the hook wants now, also those from before it was made.
    """
    return {"first": write.replay_since(services(), account_id(), hook_id, given["since"])}


@hooks_blp.route(f"{HOOK}/deliveries", methods=["GET"])
@requires_scope("account")
@hooks_blp.arguments(DeliveriesQuerySchema, location="query")
@hooks_blp.response(200, DeliveryPageSchema, headers=MORE)
@hooks_blp.alt_response(304, description=UNCHANGED, success=True)
def list_deliveries(arguments: dict[str, Any], hook_id: int) -> Response:
    """What was sent to a webhook.

    The newest first, with every try and what was answered. It is kept for two weeks.
    """
    body = read.deliveries(services(), account_id(), hook_id, after=arguments.get("after"), limit=arguments["limit"])
    return paged(tagged(body, private=True), body["next"])


@hooks_blp.route(DELIVERY, methods=["GET"])
@requires_scope("account")
@hooks_blp.response(200, DeliverySchema)
def show_delivery(hook_id: int, delivery_id: int) -> dict[str, Any]:
    """One delivery.

    With every try and what was answered.
    """
    return read.delivery(services(), account_id(), hook_id, delivery_id)


@hooks_blp.route(f"{DELIVERY}/replay", methods=["POST"])
@may_refuse(409)
@requires_scope("account")
@hooks_blp.response(202, DeliverySchema)
def replay_delivery(hook_id: int, delivery_id: int) -> dict[str, Any]:
    """Send one message again.

    Under the same `webhook-id`, whatever was answered before. One that waits for its next try is tried at once.
    """
    write.replay(services(), account_id(), hook_id, delivery_id)
    return read.delivery(services(), account_id(), hook_id, delivery_id)


# --- Streams of events: asked for here, held by the process `events` (`server.hooks.streams`) -------------------------


events_blp = resource("events", "What happens, as it happens: streams of server-sent events.")

STREAM = "text/event-stream"
RESUMED = "Nothing will follow what you have: the game is over. It tells an `EventSource` to come back no more."


@events_blp.route("/me/events", methods=["GET"])
@requires_scope("read")
@events_blp.arguments(EventsQuerySchema, location="query")
@events_blp.arguments(LastEventSchema, location="headers")
@events_blp.response(200, AccountEventSchema, content_type=STREAM)
def stream_my_events(arguments: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Follow what happens to your seats.

    A stream of server-sent events (`text/event-stream`): `data` of each is an event in JSON, `id` its number. It begins
    with an `id` alone, the number after which it goes on, and has a comment at least every 20 seconds. Come back with
    the last number as `Last-Event-ID`, and nothing is lost or told twice. What is older than the server keeps it cannot
    tell: then there is one event `{"kind": "reset", "n": 120, "at": "..."}`; read `GET /v1/me/turns`, and go on after
    that number. The stream ends with its token. 503 `no-place` or `no-streams`: wait as `Retry-After` says, or poll.
    """
    with services().database.read() as session:
        newest = read.last_event(session, account_id())
    principal = caller()
    assert principal is not None
    return _streamed(f"a{account_id()}", _after(arguments, headers, newest), principal.shown)


@events_blp.route("/games/<uuid:game_id>/events", methods=["GET"])
@events_blp.arguments(EventsQuerySchema, location="query")
@events_blp.arguments(LastEventSchema, location="headers")
@events_blp.response(200, GameEventSchema, content_type=STREAM)
@events_blp.alt_response(204, description=RESUMED, success=True)
def stream_game_events(arguments: dict[str, Any], headers: dict[str, Any], game_id: UUID) -> Response:
    """Follow a game as anybody.

    A stream as that of your own events; a number is that of an entry in the log, so `after=-1` begins at the first. It
    ends with the game. `{"kind": "reset", "seq": 50, "at": "..."}` says that the log here is shorter than yours: the
    server was set back to an older copy, and you have what it lacks.
    """
    with services().database.read() as session:
        game = session.execute(sa.select(Game.head_seq, Game.status).where(Game.id == str(game_id))).one_or_none()
    if game is None:
        raise Problem("no-such-game")
    after = _after(arguments, headers, game.head_seq)
    if game.status in ("finished", "cancelled") and after == game.head_seq:
        return Response(status=204)
    return _streamed(f"g{game_id}", after, None)


def _after(arguments: dict[str, Any], headers: dict[str, Any], newest: int) -> int:
    return int(headers.get("last", arguments.get("after", newest)))


def _streamed(key: str, after: int, shown: str | None) -> Response:
    """The connection is another process's from here on, and what is returned goes nowhere; but not of a HEAD."""
    answer = Response(content_type=STREAM, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    if request.method == "GET":
        ask = HoldStream(head_of(answer), key, after, request.remote_addr or "", shown)
        hand_over(services().settings.events_socket, request.environ, ask)
    return answer


USUAL = {"Connection": "close", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


def head_of(answer: Response) -> bytes:
    """The status line and the headers, as every answer of ours has them."""
    answer.headers.extend(USUAL)
    headers = [f"{name}: {value}" for name, value in cross(answer).headers.items() if name != "Content-Length"]
    lines = ["HTTP/1.1 200 OK", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")
