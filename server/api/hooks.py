"""Webhooks of one's own."""

from __future__ import annotations

from typing import Any

from flask import Response

from server.api.house import MORE, UNCHANGED, account_id, needs, paged, refuses, resource, services, tagged
from server.api.schemas.base import MOST
from server.api.schemas.hooks import (
    ChangeHookSchema,
    DeliveriesQuerySchema,
    DeliveryPageSchema,
    DeliverySchema,
    HookSchema,
    HookSecretSchema,
    MadeHookSchema,
    NewHookSchema,
    ReplayedSchema,
    ReplaySchema,
)
from server.projections import hooks as shown
from server.usecases import hooks
from server.usecases.hooks import Wish

blp = resource("hooks", "Webhooks: events of your games, sent to a program of yours. See docs/webhooks.md.")
HOOK = f"/me/hooks/<int(max={MOST}):hook_id>"
DELIVERY = f"{HOOK}/deliveries/<int(max={MOST}):delivery_id>"


@blp.route("/me/hooks", methods=["GET"])
@needs("account")
@blp.response(200, HookSchema(many=True))
def list_hooks() -> list[dict[str, Any]]:
    """Your webhooks.

    With when each was made and last used, and whether it fails or is paused. Their secrets cannot be read again.
    """
    return shown.listed(services(), account_id())


@blp.route("/me/hooks", methods=["POST"])
@refuses(409)
@needs("account")
@blp.arguments(
    NewHookSchema, example={"url": "https://bot.example/sealedmove", "name": "my bot", "kinds": ["turn", "over"]}
)
@blp.response(201, MadeHookSchema, headers={"Location": {"$ref": "#/components/headers/Location"}})
def create_hook(given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Make a webhook.

    It is told of every event of your account from now on. At most eight an account.
    """
    number, secret = hooks.create(services(), account_id(), Wish(**given))
    made = shown.shown(services(), account_id(), number) | {"secret": secret}
    return made, 201, {"Location": f"/v1/me/hooks/{number}", "Cache-Control": "no-store"}


@blp.route(HOOK, methods=["GET"])
@needs("account")
@blp.response(200, HookSchema)
def show_hook(hook_id: int) -> dict[str, Any]:
    """One webhook.

    `failing_since` is the first failure since something was taken, `paused` says whether and why nothing is sent.
    """
    return shown.shown(services(), account_id(), hook_id)


@blp.route(HOOK, methods=["PATCH"])
@refuses(409)
@needs("account")
@blp.arguments(ChangeHookSchema, example={"paused": False})
@blp.response(200, HookSchema)
def change_hook(given: dict[str, Any], hook_id: int) -> dict[str, Any]:
    """Change, pause or resume a webhook.

    What waits is sent to the new URL. `paused: false` lets it go on with all that has waited, from the first.
    """
    hooks.change(services(), account_id(), hook_id, given)
    return shown.shown(services(), account_id(), hook_id)


@blp.route(HOOK, methods=["DELETE"])
@needs("account")
@blp.response(204)
def delete_hook(hook_id: int) -> None:
    """Delete a webhook.

    With its history. A request that is open at this moment may still arrive, nothing after it.
    """
    hooks.delete(services(), account_id(), hook_id)


@blp.route(f"{HOOK}/secret", methods=["POST"])
@needs("account")
@blp.response(201, HookSecretSchema)
def rotate_secret(hook_id: int) -> tuple[dict[str, str], int, dict[str, str]]:
    """Change the secret.

    For a day each message is signed with the new and with the former one; then the former is worth nothing. Asked for
    again within the day, the one before the former ends at once.
    """
    return {"secret": hooks.rotate(services(), account_id(), hook_id)}, 201, {"Cache-Control": "no-store"}


@blp.route(f"{HOOK}/ping", methods=["POST"])
@refuses(409)
@needs("account")
@blp.response(202, DeliverySchema)
def ping_hook(hook_id: int) -> dict[str, Any]:
    """Send a test message.

    Of kind `ping`, about no game, tried once; `GET` its delivery to see what was answered. One at a time.
    """
    number = hooks.ping(services(), account_id(), hook_id)
    return shown.delivery(services(), account_id(), hook_id, number)


@blp.route(f"{HOOK}/replay", methods=["POST"])
@refuses(409)
@needs("account")
@blp.arguments(ReplaySchema, example={"since": 12})
@blp.response(202, ReplayedSchema)
def replay_events(given: dict[str, Any], hook_id: int) -> dict[str, int]:
    """Send all events again from a number on.

    In the order of each game, of the kinds that the hook wants now, also those from before it was made.
    """
    return {"first": hooks.replay_since(services(), account_id(), hook_id, given["since"])}


@blp.route(f"{HOOK}/deliveries", methods=["GET"])
@needs("account")
@blp.arguments(DeliveriesQuerySchema, location="query")
@blp.response(200, DeliveryPageSchema, headers=MORE)
@blp.alt_response(304, description=UNCHANGED, success=True)
def list_deliveries(asked: dict[str, Any], hook_id: int) -> Response:
    """What was sent to a webhook.

    The newest first, with every try and what was answered. It is kept for two weeks.
    """
    body = shown.deliveries(services(), account_id(), hook_id, after=asked.get("after"), limit=asked["limit"])
    return paged(tagged(body, private=True), body["next"])


@blp.route(DELIVERY, methods=["GET"])
@needs("account")
@blp.response(200, DeliverySchema)
def show_delivery(hook_id: int, delivery_id: int) -> dict[str, Any]:
    """One delivery.

    With every try and what was answered.
    """
    return shown.delivery(services(), account_id(), hook_id, delivery_id)


@blp.route(f"{DELIVERY}/replay", methods=["POST"])
@refuses(409)
@needs("account")
@blp.response(202, DeliverySchema)
def replay_delivery(hook_id: int, delivery_id: int) -> dict[str, Any]:
    """Send one message again.

    Under the same `webhook-id`, whatever was answered before. One that waits for its next try is tried at once.
    """
    hooks.replay(services(), account_id(), hook_id, delivery_id)
    return shown.delivery(services(), account_id(), hook_id, delivery_id)
