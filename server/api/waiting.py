"""What waits for seven days, a change of address, and the button that ends everything."""

from __future__ import annotations

from typing import Any

from server.api.house import account_id, needs, refuses, resource, services
from server.api.schemas.account import AddressSchema, AskWaitingSchema, ProofSchema, WaitingSchema
from server.api.schemas.base import MOST
from server.auth.statements import Act
from server.usecases import address, asking, end_all, waiting

blp = resource("waiting", "Acts that cannot be undone: signed, or seven days in which they can be cancelled.")
ONE = f"/me/waiting/<int(max={MOST}):waiting_id>"


LOCATED = {"Location": {"$ref": "#/components/headers/Location"}}


def _located(number: int) -> tuple[dict[str, Any], int, dict[str, str]]:
    return waiting.show(services(), account_id(), number), 202, {"Location": f"/v1/me/waiting/{number}"}


@blp.route("/me/waiting", methods=["GET"])
@needs("read")
@blp.response(200, WaitingSchema(many=True))
def list_waiting() -> list[dict[str, Any]]:
    """What waits.

    The oldest first. Somebody who reads your mail may have asked for it: look, and cancel what is not yours.
    """
    return waiting.listed(services(), account_id())


@blp.route("/me/waiting", methods=["POST"])
@refuses(404, 409)
@needs("account")
@blp.arguments(AskWaitingSchema, example={"act": "erase"})
@blp.response(202, WaitingSchema, headers=LOCATED)
def ask_waiting(given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Ask without a signature for what cannot be undone.

    `erase` the account, `drop-key` the key of this `kid`, or `drop-box`. It happens in seven days; until then a mail
    and every page tell of it, and anybody who is signed in as you can cancel it. The same again is the one that waits.
    """
    return _located(asking.ask(services(), Act(account_id(), given["act"], given["about"])))


@blp.route(ONE, methods=["GET"])
@needs("read")
@blp.response(200, WaitingSchema)
def show_waiting(waiting_id: int) -> dict[str, Any]:
    """One act that waits.

    404 once it was carried out or cancelled.
    """
    return waiting.show(services(), account_id(), waiting_id)


@blp.route(ONE, methods=["DELETE"])
@needs("account")
@blp.response(204)
def cancel_waiting(waiting_id: int) -> None:
    """Cancel what waits.

    It needs no signature: whoever is signed in can. A key that waited to be let in is forgotten with it.
    """
    waiting.cancel(services(), account_id(), waiting_id)


@blp.route("/me/address", methods=["POST"])
@refuses(400, 401, 409)
@needs("account")
@blp.arguments(ProofSchema, location="headers")
@blp.arguments(AddressSchema, example={"email": "ada@new.example"})
@blp.response(202, WaitingSchema, headers=LOCATED)
def change_address(asked: dict[str, Any], given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Change the mail address.

    A link goes to the new address, and one to the old. With a statement `address` it happens as soon as both are
    confirmed, or seven days later if the old one stays silent; without one it needs both, and the seven days.
    """
    return _located(address.ask(services(), account_id(), given["email"], asked.get("proof")))


@blp.route("/me/end-all", methods=["POST"])
@needs("account")
@blp.response(204)
def end_everything() -> None:
    """End all sessions, tokens, webhooks and bots' tokens.

    The one that asks, too, and every sign-in link on its way; what waits is cancelled. Keys stay, and seats with them.
    """
    end_all.end_all(services(), account_id())
