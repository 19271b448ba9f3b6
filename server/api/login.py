"""Signing in by a mailed link."""

from __future__ import annotations

from typing import Any

from server.api.house import refuses, resource, services
from server.api.schemas.login import AskedSchema, ConfirmSchema, LoginSchema, SignedInSchema
from server.usecases import sign_in

blp = resource("login", "Sign in by a mailed link; there are no passwords.")


@blp.route("/login", methods=["POST"])
@blp.arguments(LoginSchema)
@blp.response(202, AskedSchema)
def request_login(given: dict[str, Any]) -> dict[str, str]:
    """Have a link mailed.

    The answer is the same whether the address is known or not; the account is made when the link is followed.
    """
    sign_in.ask_for_link(services(), given["email"], given.get("name", ""))
    return {}


@blp.route("/login/confirm", methods=["POST"])
@refuses(410)
@blp.arguments(ConfirmSchema)
@blp.response(201, SignedInSchema)
def confirm_login(given: dict[str, Any]) -> dict[str, Any]:
    """Follow a link with a program: it works once, for half an hour.

    The answer holds an API token with the `scopes` asked for, and for one hour `account` too: so that the program can
    register its key. A browser follows the link itself and needs no token.
    """
    scopes = tuple(sorted(set(given["scopes"])))
    made = sign_in.confirm(services(), given["token"], given["name"], scopes, given["days"])
    return {"token": made.token, "account": {"id": made.account_id, "name": made.name}}
