"""Signed acts and their answers."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from server.api.schemas.base import line, note, says

LARGEST = 2**14
JWS = (
    "Compact JWS, `header.payload.signature`, each part base64url without `=`. Header: `JwsHeader`. Payload: {payload}."
)
TEXT = (
    "Hidden games only: the JSON text, without spaces, whose hash was signed as `sealed`, byte for byte. Schema: "
    "`MoveText`. Others cannot read it before the game is over."
)
COMPACT = r"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$(?!\n)"
SOME_TEXT = '{"commands":[{"do":"coins","die":3}],"salt":"fkevFY6dtU_F5JAplvU2CpM8WB57rTVDbVDkib070mI"}'

MOVE_TEXT = {"$ref": "#/components/schemas/MoveText"}
SEALED_TEXT = {"example": SOME_TEXT, "x-also": {"contentMediaType": "application/json", "contentSchema": MOVE_TEXT}}


def inside(payload: str) -> dict[str, Any]:
    """What the document says of a compact JWS: what it holds."""
    held = {
        "contentMediaType": "application/jose",
        "contentSchema": {"$ref": f"#/components/schemas/{payload}"},
        "x-header": {"$ref": "#/components/schemas/JwsHeader"},
    }
    return {"x-also": held}


def jws(payload: str) -> fields.String:
    """A signed act whose payload has this schema."""
    told = says(JWS.format(payload=f"`{payload}`"), **inside(payload))
    return fields.String(required=True, validate=[validate.Length(1, LARGEST), validate.Regexp(COMPACT)], metadata=told)


class JoinSchema(Schema):
    """A signed join."""

    jws = jws("JoinPayload")


class LeaveSchema(Schema):
    """A signed leave."""

    jws = jws("LeavePayload")


class MoveSchema(Schema):
    """A signed move; in a hidden game with the text that the signature seals."""

    jws = jws("MovePayload")
    text = fields.String(validate=validate.Length(1, LARGEST), metadata=says(TEXT, **SEALED_TEXT))


class ResignSchema(Schema):
    """A signed resignation."""

    jws = jws("ResignPayload")


class ChangeKeysSchema(Schema):
    """A signed change of a seat's keys."""

    jws = jws("KeyPayload")


class OfferSchema(Schema):
    """A signed offer."""

    jws = jws("OfferPayload")


class TakeSchema(Schema):
    """A signed take."""

    jws = jws("TakePayload")


class AnswerSchema(Schema):
    """What the act became: public bytes only, since anybody can post the same JWS again."""

    entry = line()
    note = note()
