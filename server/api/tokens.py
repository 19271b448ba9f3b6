"""API tokens of one's own."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.api.house import account_id, caller, needs, refuses, resource, services
from server.api.schemas.account import ProofSchema
from server.api.schemas.base import MOST
from server.api.schemas.me import MadeTokenSchema, NewTokenSchema, TokenSchema
from server.auth import statements, tokens
from server.auth.statements import Act
from server.db.models import Account, ApiToken
from server.errors import Problem
from server.usecases import own_tokens
from server.wording import iso

blp = resource("tokens", "API tokens: scoped, revocable, shown once.")
MAYBE = ("expires_at", "account_until", "last_used_at")


@blp.route("/me/tokens", methods=["GET"])
@needs("account")
@blp.response(200, TokenSchema(many=True))
def list_tokens() -> list[dict[str, Any]]:
    """The tokens in force.

    By name, scope and use; none can be read again.
    """
    asked = sa.select(ApiToken).join(Account).where(ApiToken.account_id == account_id(), *tokens.live(services().now()))
    with services().database.read() as session:
        return [_shown(row) for row in session.scalars(asked.order_by(ApiToken.id))]


@blp.route("/me/tokens", methods=["POST"])
@needs("account")
@refuses(401, 409)
@blp.arguments(ProofSchema, location="headers")
@blp.arguments(NewTokenSchema)
@blp.response(201, MadeTokenSchema)
def create_token(asked: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Make a token.

    It has no more scopes than the one that asks for it, and is shown in this answer only. One with the scope `account`
    needs a statement `token`: whoever reads your mail for an hour leaves no door open behind him.
    """
    held, scopes = caller(), tuple(sorted(set(given["scopes"])))
    if held is None or not held.scopes.issuperset(scopes):
        raise Problem("missing-scope", expected=scopes)
    with services().database.write() as session:
        _check_signed(session, scopes, asked.get("proof"))
        ends = tokens.end_of(services().now(), given["days"])
        token, number = tokens.issue(services(), session, account_id(), given["name"], scopes, expires_at=ends)
        return _shown(session.get_one(ApiToken, number)) | {"token": token}


@blp.route(f"/me/tokens/<int(max={MOST}):token_id>", methods=["DELETE"])
@needs("account")
@blp.response(204)
def revoke_token(token_id: int) -> None:
    """Revoke a token.

    From now on it opens nothing; the one that asks may revoke itself.
    """
    own_tokens.revoke(services(), account_id(), token_id)


def _check_signed(session: Session, scopes: tuple[str, ...], proof: str | None) -> None:
    if "account" in scopes:
        statements.check_person(services(), session, proof, Act(account_id(), "token", " ".join(scopes)))


def _shown(row: ApiToken) -> dict[str, Any]:
    known = {"id": row.id, "name": row.name, "scopes": sorted(tokens.scopes_of(row, services().now()))}
    return known | {"created_at": iso(row.created_at)} | {name: _iso(getattr(row, name)) for name in MAYBE}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)
