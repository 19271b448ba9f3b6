"""Signed acts and their answers."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import line, note, says

LARGEST = 2**14
JWS = (
    "Compact JWS, `header.payload.signature`, each part base64url without `=`. Header: `JwsHeader`. Payload: {payload}."
)
PAYLOADS = (
    "`JoinPayload`, `LeavePayload`, `MovePayload`, `ResignPayload`, `KeyPayload`, `OfferPayload` or `TakePayload`, "
    "whichever the address takes"
)
TEXT = (
    "Hidden games only: the JSON text, without spaces, whose hash was signed as `sealed`, byte for byte. Schema: "
    "`MoveText`. Others cannot read it before the game is over."
)
SOME_TEXT = '{"commands":[{"do":"coins","die":3}],"salt":"fkevFY6dtU_F5JAplvU2CpM8WB57rTVDbVDkib070mI"}'


class ActSchema(Schema):
    """A signed act of a seat."""

    jws = fields.String(
        required=True, validate=validate.Length(1, LARGEST), metadata=says(JWS.format(payload=PAYLOADS))
    )


class MoveSchema(ActSchema):
    """A signed move; in a hidden game with the text that the signature seals."""

    text = fields.String(validate=validate.Length(1, LARGEST), metadata=says(TEXT, example=SOME_TEXT))


class AnswerSchema(Schema):
    """What the act became: public bytes only, since anybody can post the same JWS again."""

    entry = line()
    note = note()
