"""The server's own keys."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from server.api.schemas.base import SOME_HASH, says

SIGNED = (
    "By the key before it: a compact JWS of `typ` `sealedmove-server+jws` over `v` (1), `aud` (the server), `act` "
    "(`succeed`) and `key` (this JWK). Null for the first key."
)


class ServerKeySchema(Schema):
    """A key of the server: the members of a JWK, and what goes with it."""

    crv = fields.String(required=True, validate=validate.Equal("Ed25519"))
    kty = fields.String(required=True, validate=validate.Equal("OKP"))
    x = fields.String(required=True, metadata=says("The 32 bytes of the key, in base64url.", example=SOME_HASH))
    kid = fields.String(required=True, metadata=says("Its RFC 7638 thumbprint.", example=SOME_HASH))
    since = fields.String(
        data_key="from",
        required=True,
        allow_none=True,
        metadata=says("When the first game under it was made.", format="date-time"),
    )
    until = fields.String(
        required=True,
        allow_none=True,
        metadata=says("When the first game under the next was made.", format="date-time"),
    )
    signed = fields.String(required=True, allow_none=True, metadata=says(SIGNED))


class ServerKeysSchema(Schema):
    """Who the server is, and its keys, the oldest first. `from` and `until` are for information."""

    server = fields.String(required=True, metadata=says("What acts name as `aud`.", example="games.example"))
    keys = fields.List(fields.Nested(ServerKeySchema), required=True)
    spec = fields.String(required=True, metadata=says("The record that is written here.", example="sealedmove/1"))
    software = fields.String(required=True)
    contact = fields.String(required=True, allow_none=True, metadata=says("Where its operator can be reached."))
