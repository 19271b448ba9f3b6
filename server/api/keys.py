"""Keys of one's own."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from server.api.house import account_id, needs, refuses, resource, services
from server.api.schemas.me import ChallengeSchema, KeySchema, RegisterKeySchema
from server.db.models import AccountKey
from server.projections.games import iso
from server.usecases import own_keys

blp = resource("keys", "Keys that you sign with; the server never holds the private half.")


@blp.route("/me/keys/challenge", methods=["POST"])
@needs("account")
@blp.response(201, ChallengeSchema)
def create_key_challenge() -> dict[str, str]:
    """A nonce to sign with a new key.

    It is good once, for ten minutes; the signed answer goes to `POST /v1/me/keys`.
    """
    return {"nonce": own_keys.challenge(services(), account_id())}


@blp.route("/me/keys", methods=["GET"])
@needs("read")
@blp.response(200, KeySchema(many=True))
def list_keys() -> list[dict[str, Any]]:
    """Your registered keys.

    The oldest first, by thumbprint; their private halves never leave you.
    """
    asked = sa.select(AccountKey).where(AccountKey.account_id == account_id()).order_by(AccountKey.id)
    with services().database.read() as session:
        return [_shown(row) for row in session.scalars(asked)]


@blp.route("/me/keys", methods=["POST"])
@refuses(401, 409)
@needs("account")
@blp.arguments(RegisterKeySchema)
@blp.response(201, KeySchema)
def register_key(given: dict[str, Any]) -> dict[str, Any]:
    """Register the key that signed the challenge.

    The JWS has the type `sealedmove-key+jws`; its payload is a `RegisterPayload`. The same key again is the same
    registration.
    """
    return _shown(own_keys.register(services(), account_id(), given["jws"]))


@blp.route("/me/keys/<kid:kid>", methods=["DELETE"])
@needs("account")
@blp.response(204)
def forget_key(kid: str) -> None:
    """Forget a key.

    The server then knows no more whose it is; seats that it holds keep it.
    """
    own_keys.remove(services(), account_id(), kid)


def _shown(row: AccountKey) -> dict[str, Any]:
    return {"kid": row.kid, "x": row.x, "created_at": iso(row.created_at)}
