"""The API of web push."""

from __future__ import annotations

from typing import Any

from server.hooks.push import read, write
from server.hooks.push.schemas import KEY, SECRET, PushSchema, PushSubscriptionSchema, SubscribeSchema
from server.hooks.push.write import PushAddress
from server.http.resource import account_id, holder, may_refuse, requires_scope, resource, services
from server.http.schemas import MOST

push_blp = resource("push", "Notifications of browsers and of the installed app (web push). See docs/notifications.md.")
EXAMPLE = {
    "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAAAB",
    "keys": {"p256dh": KEY, "auth": SECRET},
}


@push_blp.route("/me/push", methods=["GET"])
@requires_scope("account")
@push_blp.response(200, PushSchema)
def show_push() -> dict[str, Any]:
    """Get your notifications.

    The key with which a browser subscribes, and the browsers that have. A subscription ends with the session or the
    token that made it.
    """
    return read.shown(services(), holder())


@push_blp.route("/me/push", methods=["POST"])
@may_refuse(403, 409)
@requires_scope("account")
@push_blp.arguments(SubscribeSchema, example=EXAMPLE)
@push_blp.response(201, PushSubscriptionSchema)
def subscribe_push(given: dict[str, Any]) -> dict[str, Any]:
    """Subscribe a browser.

    The same endpoint again renews its subscription; do so at each visit. Notifications follow your email settings:
    kinds that are off, muted tables, quiet hours, delays. Each is an encrypted `{"kind", "game", "count"}` and contains
    no names and no moves; `count` is the number of games that wait for you.
    """
    number, _ = write.subscribe(services(), holder(), PushAddress(given["endpoint"], **given["keys"]))
    return read.shown_one(services(), holder(), number)


@push_blp.route(f"/me/push/<int(max={MOST}):push_id>", methods=["DELETE"])
@requires_scope("account")
@push_blp.response(204)
def unsubscribe_push(push_id: int) -> None:
    """Unsubscribe a browser.

    Also deletes the notifications that wait for it.
    """
    write.delete(services(), account_id(), push_id)


@push_blp.route("/me/push/clicks", methods=["POST"])
@requires_scope("account")
@push_blp.response(204)
def note_push_click() -> None:
    """Note that a notification was opened.

    On the device of this session or token. Only then may notifications on it take the place of emails, if you have set
    `with_push` of your email settings to false.
    """
    write.note_click(services(), holder())
