"""One's own account."""

from __future__ import annotations

from typing import Any

from server.api.house import account_id, caller, needs, resource, services
from server.api.schemas.me import MeSchema, RenameSchema
from server.usecases import account

blp = resource("me", "Your account.")


@blp.route("/me", methods=["GET"])
@needs("read")
@blp.response(200, MeSchema)
def get_me() -> dict[str, Any]:
    """Who you are to this server.

    Your name and address, and what the token that you show may do.
    """
    return _shown()


@blp.route("/me", methods=["PATCH"])
@needs("account")
@blp.arguments(RenameSchema)
@blp.response(200, MeSchema)
def rename_me(given: dict[str, Any]) -> dict[str, Any]:
    """Take another name.

    It is what others read at every table; the log of a game names keys and no people.
    """
    account.rename(services(), account_id(), given["name"])
    return _shown()


@blp.route("/me", methods=["DELETE"])
@needs("account")
@blp.response(204)
def erase_me() -> None:
    """Erase the account.

    Address, name, keys and tokens go; games stay, and the clock plays on where it must.
    """
    account.erase(services(), account_id())


def _shown() -> dict[str, Any]:
    held = caller()
    assert held is not None
    return account.show(services(), held.account_id) | {"scopes": sorted(held.scopes)}
