"""Keys of one's own."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from server.api.house import account_id, caller, needs, refuses, resource, services
from server.api.schemas.account import ProofSchema
from server.api.schemas.me import ChallengeSchema, KeySchema, RegisterKeySchema
from server.auth import challenges
from server.db.models import AccountKey
from server.usecases import own_keys
from server.wording import iso

blp = resource("keys", "Keys that you sign with; the server never holds the private half.")


@blp.route("/me/keys/challenge", methods=["POST"])
@needs("account")
@blp.response(201, ChallengeSchema)
def create_key_challenge() -> dict[str, str]:
    """A nonce to sign once.

    It is good once, for ten minutes. What is signed is a `RegisterPayload` for `POST /v1/me/keys`, or a
    `StatementPayload`, which also repeats `at`.
    """
    made = challenges.give(services(), account_id())
    return {"nonce": made.nonce, "at": iso(made.at)}


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

    The JWS has the type `sealedmove-key+jws`; its payload is a `RegisterPayload`. The first one counts for the account
    at once; a further one when a statement `let-in` lets it in, or after seven days. The same key again is the same
    registration, and asks anew to be let in.
    """
    return _shown(own_keys.register(services(), account_id(), given["jws"], _session()))


@blp.route("/me/keys/<kid:kid>", methods=["DELETE"])
@refuses(400, 401, 409)
@needs("account")
@blp.arguments(ProofSchema, location="headers")
@blp.response(204)
def forget_key(asked: dict[str, Any], kid: str) -> None:
    """Forget a key.

    The server then knows no more whose it is; seats that it holds keep it. Needs a statement `drop-key`, unless the key
    does not count yet; without a signature it can be asked for at `/v1/me/waiting`.
    """
    own_keys.remove(services(), account_id(), kid, asked.get("proof"))


@blp.route("/me/keys/<kid:kid>/let-in", methods=["POST"])
@refuses(400, 401, 409, 410)
@needs("account")
@blp.arguments(ProofSchema, location="headers")
@blp.response(200, KeySchema)
def let_key_in(asked: dict[str, Any], kid: str) -> dict[str, Any]:
    """Let a key count for the account.

    Needs a statement `let-in` by a key that counts, or by the recovery key, within ten minutes after the new key was
    registered. Compare what its device shows with what you sign: the list of keys comes from the server.
    """
    return _shown(own_keys.let_in(services(), account_id(), kid, asked.get("proof")))


def _session() -> int | None:
    held = caller()
    return int(held.shown[1:]) if held is not None and held.shown.startswith("s") else None


def _shown(row: AccountKey) -> dict[str, Any]:
    asked = None if row.counts or row.asked_at is None else iso(row.asked_at)
    made = {"kid": row.kid, "x": row.x, "counts": row.counts, "session": row.session_id}
    return made | {"asked_at": asked, "created_at": iso(row.created_at)}
