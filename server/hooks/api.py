"""The API of webhooks and streams."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import sqlalchemy as sa
from flask import Response, request

from server.hooks import numbering, read, write
from server.hooks.schemas import (
    ANY_SHARED_EVENT,
    AccountEventSchema,
    ChangeHookSchema,
    CreateHookSchema,
    DeliveriesQuerySchema,
    DeliveryPageSchema,
    DeliverySchema,
    EventsQuerySchema,
    GameEventSchema,
    HookSchema,
    HookSecretSchema,
    LastEventSchema,
    MadeHookSchema,
    ReplayedSchema,
    ReplaySchema,
    StreamEventsSchema,
)
from server.hooks.write import HookRequest
from server.http import credentials
from server.http.origin import cross
from server.http.resource import (
    MORE,
    UNCHANGED,
    account_id,
    holder,
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
from server.kernel.streams import Follow, HoldStream, hand_over
from server.tables import limits

hooks_blp = resource("hooks", "Webhooks send the events of your games to your program. See docs/webhooks.md.")
HOOK = f"/me/hooks/<int(max={MOST}):hook_id>"
DELIVERY = f"{HOOK}/deliveries/<int(max={MOST}):delivery_id>"


@hooks_blp.route("/me/hooks", methods=["GET"])
@requires_scope("account")
@hooks_blp.response(200, HookSchema(many=True))
def list_hooks() -> list[dict[str, Any]]:
    """List your webhooks.

    With when each was made and last used, and whether it fails or is paused. Their secrets are not shown again.
    """
    return read.listed_hooks(services(), account_id())


@hooks_blp.route("/me/hooks", methods=["POST"])
@may_refuse(409)
@requires_scope("account")
@hooks_blp.arguments(
    CreateHookSchema, example={"url": "https://bot.example/sealedmove", "name": "my bot", "kinds": ["turn", "over"]}
)
@hooks_blp.response(201, MadeHookSchema, headers={"Location": {"$ref": "#/components/headers/Location"}})
def create_hook(given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Make a webhook.

    It gets all events of your account from now on. An account can have up to eight webhooks.
    """
    number, secret = write.create(services(), holder(), HookRequest(**given))
    made = read.shown_hook(services(), account_id(), number) | {"secret": secret}
    return made, 201, {"Location": f"/v1/me/hooks/{number}", "Cache-Control": "no-store"}


@hooks_blp.route(HOOK, methods=["GET"])
@requires_scope("account")
@hooks_blp.response(200, HookSchema)
def show_hook(hook_id: int) -> dict[str, Any]:
    """Get a webhook.

    `failing_since` is the first failure since the last success, `paused` is why deliveries have stopped.
    """
    return read.shown_hook(services(), account_id(), hook_id)


@hooks_blp.route(HOOK, methods=["PATCH"])
@may_refuse(409)
@requires_scope("account")
@hooks_blp.arguments(ChangeHookSchema, example={"paused": False})
@hooks_blp.response(200, HookSchema)
def change_hook(given: dict[str, Any], hook_id: int) -> dict[str, Any]:
    """Change, pause or resume a webhook.

    Waiting deliveries go to the new URL. `paused: false` resumes with the oldest waiting event.
    """
    write.change(services(), account_id(), hook_id, given)
    return read.shown_hook(services(), account_id(), hook_id)


@hooks_blp.route(HOOK, methods=["DELETE"])
@requires_scope("account")
@hooks_blp.response(204)
def delete_hook(hook_id: int) -> None:
    """Delete a webhook.

    Also deletes its history. A request that is open at this moment may still arrive.
    """
    write.delete(services(), account_id(), hook_id)


@hooks_blp.route(f"{HOOK}/secret", methods=["POST"])
@requires_scope("account")
@hooks_blp.response(201, HookSecretSchema)
def rotate_secret(hook_id: int) -> tuple[dict[str, str], int, dict[str, str]]:
    """Replace the secret of a webhook.

    For one day every message is signed with the new and the previous secret, then only with the new one. If you replace
    it again within that day, the oldest secret stops at once.
    """
    return {"secret": write.rotate(services(), account_id(), hook_id)}, 201, {"Cache-Control": "no-store"}


@hooks_blp.route(f"{HOOK}/ping", methods=["POST"])
@may_refuse(409)
@requires_scope("account")
@hooks_blp.response(202, DeliverySchema)
def ping_hook(hook_id: int) -> dict[str, Any]:
    """Send a test event.

    An event of kind `ping` without a game, sent once. Get its delivery to see the answer. Only one can be on its way at
    a time.
    """
    number = write.ping(services(), account_id(), hook_id)
    return read.delivery(services(), account_id(), hook_id, number)


@hooks_blp.route(f"{HOOK}/replay", methods=["POST"])
@may_refuse(409)
@requires_scope("account")
@hooks_blp.arguments(ReplaySchema, example={"since": 12})
@hooks_blp.response(202, ReplayedSchema)
def replay_events(given: dict[str, Any], hook_id: int) -> dict[str, int]:
    """Send events again.

    All events from a number on, in the order of each game, of the kinds that the webhook now wants, including those
    from before it was made.
    """
    return {"first": write.replay_since(services(), account_id(), hook_id, given["since"])}


@hooks_blp.route(f"{HOOK}/deliveries", methods=["GET"])
@requires_scope("account")
@hooks_blp.arguments(DeliveriesQuerySchema, location="query")
@hooks_blp.response(200, DeliveryPageSchema, headers=MORE)
@hooks_blp.alt_response(304, description=UNCHANGED, success=True)
def list_deliveries(arguments: dict[str, Any], hook_id: int) -> Response:
    """List the deliveries of a webhook.

    Newest first, with every attempt and its answer. Deliveries are kept for two weeks.
    """
    body = read.deliveries(services(), account_id(), hook_id, after=arguments.get("after"), limit=arguments["limit"])
    return paged(tagged(body, private=True), body["next"])


@hooks_blp.route(DELIVERY, methods=["GET"])
@requires_scope("account")
@hooks_blp.response(200, DeliverySchema)
def show_delivery(hook_id: int, delivery_id: int) -> dict[str, Any]:
    """Get a delivery.

    With every attempt and its answer.
    """
    return read.delivery(services(), account_id(), hook_id, delivery_id)


@hooks_blp.route(f"{DELIVERY}/replay", methods=["POST"])
@may_refuse(409)
@requires_scope("account")
@hooks_blp.response(202, DeliverySchema)
def replay_delivery(hook_id: int, delivery_id: int) -> dict[str, Any]:
    """Send a delivery again.

    With the same `webhook-id`, whatever the earlier answer was. A delivery that waits for its next attempt is sent at
    once.
    """
    write.replay(services(), account_id(), hook_id, delivery_id)
    return read.delivery(services(), account_id(), hook_id, delivery_id)


# --- Streams of events: asked for here, held by the process `events` (`server.kernel.streams`) ------------------------


events_blp = resource("events", "Streams of events as they happen (server-sent events).")

STREAM = "text/event-stream"
RESUMED = "The game is over, so nothing follows. An `EventSource` does not reconnect after this."


@events_blp.route("/me/events", methods=["GET"])
@may_refuse(409)
@requires_scope("read")
@events_blp.arguments(EventsQuerySchema, location="query")
@events_blp.arguments(LastEventSchema, location="headers")
@events_blp.response(200, AccountEventSchema, content_type=STREAM)
def stream_my_events(arguments: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Stream your events.

    Server-sent events (`text/event-stream`): `data` is an event in JSON, `id` its number. The stream begins with an
    `id` alone, the number after which it continues, and sends a comment at least every 20 seconds. Reconnect with the
    last number as `Last-Event-ID` to get every event exactly once. If the server no longer has the events after that
    number, it sends one event `{"kind": "reset", "n": 120, "at": "..."}`: read `GET /v1/me/turns` and continue after
    that number. The stream ends when its token does. After 503 `no-place` or `no-streams`, wait for the delay in
    `Retry-After`, or poll. An account with as many open streams as it may have gets `too-many` (`GET /v1/me/limits`).
    """
    newest = _newest(account_id())
    return _streamed(Follow(f"a{account_id()}", _after(arguments, headers, newest), holder().shown))


@events_blp.route("/events", methods=["POST"])
@events_blp.arguments(StreamEventsSchema, example={"follow": [{"token": "sm_...", "after": 12}, {"token": "sm_..."}]})
@events_blp.response(200, ANY_SHARED_EVENT, content_type=STREAM)
def stream_events(given: dict[str, Any]) -> Response:
    """Stream the events of several accounts.

    One stream for a program that plays for many accounts, such as a host of bots. `data` is an event as in the stream
    of one account, with `index`, the place of its account in `follow`. There is no `id`: keep the last `n` of each
    account, and reconnect with it as `after` to get every event exactly once. The stream begins with `{"index": 0,
    "kind": "following", "n": 12}` for each account, `n` being the number after which it continues. `{"index": 1,
    "kind": "refused", "problem": {"status": 401, "code": "bad-token", ...}}` means that an account is not followed, or
    no longer: `bad-token`, `missing-scope`, `too-many` (`GET /v1/me/limits`). The others are not affected; the stream
    ends when it follows none. To follow another account, reconnect.
    """
    follows, refused = [], b""
    for index, one in enumerate(given["follow"]):
        try:
            follows.append(_followed(index, **one))
        except Problem as problem:
            refused += read.as_data(read.refused_event(index, problem))
    return _streamed(*follows, begins=refused)


def _followed(index: int, token: str, after: int | None = None) -> Follow:
    held = credentials.token_holder(services(), token)
    if held is None:
        raise Problem("bad-token")
    if "read" not in held.scopes:
        raise Problem("missing-scope", expected="read", found=sorted(held.scopes))
    return Follow(f"a{held.account_id}", _newest(held.account_id) if after is None else after, held.shown, index)


def _newest(account: int) -> int:
    numbering.number(services().database, [account])
    with services().database.read() as session:
        return read.last_event(session, account)


@events_blp.route("/games/<uuid:game_id>/events", methods=["GET"])
@events_blp.arguments(EventsQuerySchema, location="query")
@events_blp.arguments(LastEventSchema, location="headers")
@events_blp.response(200, GameEventSchema, content_type=STREAM)
@events_blp.alt_response(204, description=RESUMED, success=True)
def stream_game_events(arguments: dict[str, Any], headers: dict[str, Any], game_id: UUID) -> Response:
    """Stream the public events of a game.

    Like the stream of your own events, but numbers are those of log entries, so `after=-1` starts with the first. The
    stream ends with the game. `{"kind": "reset", "seq": 50, "at": "..."}` means that the server's log is shorter than
    yours: the server was restored from an older backup, and you have entries that it lacks.
    """
    with services().database.read() as session:
        game = session.execute(sa.select(Game.head_seq, Game.status).where(Game.id == str(game_id))).one_or_none()
    if game is None:
        raise Problem("no-such-game")
    after = _after(arguments, headers, game.head_seq)
    if game.status in ("finished", "cancelled") and after == game.head_seq:
        return Response(status=204)
    return _streamed(Follow(f"g{game_id}", after))


def _after(arguments: dict[str, Any], headers: dict[str, Any], newest: int) -> int:
    return int(headers.get("last", arguments.get("after", newest)))


def _streamed(*follows: Follow, begins: bytes = b"") -> Response:
    """Hand the connection to the stream process; the returned response is not sent.

    It is sent for HEAD, and if there is nothing to follow.
    """
    answer = Response(begins, content_type=STREAM, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    if request.method != "HEAD" and follows:
        ask = HoldStream(head_of(answer) + begins, follows, request.remote_addr or "")
        held = hand_over(services().settings.events_socket, request.environ, ask)
        if held.full == "account":
            raise limits.reached("streams", held.most)
        if not held.taken:
            raise Problem("no-place", of=held.full, most=held.most)
    return answer


USUAL = {"Connection": "close", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


def head_of(answer: Response) -> bytes:
    """The status line and headers of the response."""
    answer.headers.extend(USUAL)
    headers = [f"{name}: {value}" for name, value in cross(answer).headers.items() if name != "Content-Length"]
    lines = ["HTTP/1.1 200 OK", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")
