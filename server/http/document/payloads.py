"""The payloads of signed acts, as schemas for the API document only.

The bytes are defined in docs/spec/record.md and read by `engine.record`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.record.signed.acts import MOST_ONLY
from server.http.document.game_schemas import typed

REF = "#/components/schemas/"
Json = dict[str, Any]

# The subject of each statement of an account. For a key backup: the SHA-256 of its text, in base64url.
ABOUT: Mapping[str, str] = {
    "erase": "empty",
    "address": "the new address, in lower case",
    "box": "the SHA-256 of the text of the key backup, in base64url",
    "drop-box": "the `kid` of the key backup",
    "drop-key": "the `kid` of the key to remove",
    "let-in": "the `kid` of the key to approve",
    "token": "the scopes of the token in alphabetical order, separated by spaces",
}

BINARY: Json = {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"}
HASH = "xxiGVPL12NBtpkM-mCpMvGPRs1ZFnFmWd5nUZ3jyzeA"
KID = "fFEzEIU09w65qyHJ04kl2keTc3ofvykyLz0wPkUg0dA"
NONCE = "fkevFY6dtU_F5JAplvU2CpM8WB57rTVDbVDkib070mI"
X = "k4Kauv2QtOWkJg9kUATH8OC9uQ6fN6KBAYgQ7wWofMc"
KEY: Json = {"$ref": f"{REF}Jwk"}
# No constant: generated Kotlin compares a constant integer with a text, which does not compile.
FORM: Json = {"type": "integer", "minimum": 1, "maximum": 1, "description": "Always 1.", "example": 1}
AUD = "The host that you send to, with its port unless it is the default one. Never take it from an answer."
SEALED = (
    "Hidden games only: SHA-256 of the ASCII bytes `sealedmove/1/move`, one zero byte, and the `text`, in base64url."
)
KEYS = (
    "With `add` or `drop`, signed with a device key of the seat; or with `only` and `recovery`, signed with its "
    "recovery key. A holder's device keys add at most 16 keys, and their recovery keys sign at most 16 of these acts."
)
RECOVERY = (
    "A key that can only replace the seat's keys and offer the seat. Keep it apart from other keys: with it you get "
    "the seat back if they are lost or stolen. Null: none, for good."
)
ONLY = (
    "The seat's device keys from now on: all others are dropped, and an offer of the seat is withdrawn. Null: the "
    "device keys stay. `only` and `recovery` must not both be null."
)
NEXT_RECOVERY = "The recovery key from now on. Null: the one that signs stays."
STATEMENT = (
    "A statement for an act that cannot be undone, signed with an approved key of the account. The recovery "
    "key may sign only for keys and key backups. Valid once, within ten minutes."
)
_SAID = "; ".join(f"`{act}`: {about}" for act, about in sorted(ABOUT.items()))
ONCE = (
    "32 random bytes. Make them once for each game, keep them, and send the same ones on every retry: all "
    "players' nonces together determine the draws."
)


def payloads() -> dict[str, Json]:
    """The header, the payload of each act, and the text of a sealed move."""
    return {
        "Jwk": _whole("An Ed25519 public key.", _JWK),
        "JwsHeader": _whole("The header of a signed act, with exactly these members.", _HEADER),
        "JoinPayload": _act("join", "Signed with the key in it, which your account has registered.", _JOIN),
        "LeavePayload": _act("leave", "Before the start only.", {}),
        "SealedMovePayload": _act("move", "A move in a hidden game. Send `text` beside it.", _SEALED_MOVE),
        "MovePayload": _act(
            "move", "A move in an open game, with `commands`. In a hidden game see `SealedMovePayload`.", _OPEN_MOVE
        ),
        "ResignPayload": _act("resign", "At any time, also when it is not your turn.", {}),
        **{name: _act("key", KEYS, members) for name, members in _KEYS.items()},
        "KeyPayload": {"description": KEYS, "oneOf": [{"$ref": f"{REF}{name}"} for name in _KEYS]},
        "OfferPayload": _act("offer", "Also ends your absence.", _OFFER),
        "TakePayload": _act("take", "Signed with the key in it, which your account has registered.", _TAKE),
        "RegisterPayload": _whole("Registers a key for your account. Signed with that key.", _REGISTER),
        "StatementPayload": _whole(STATEMENT, _STATEMENT),
        "MoveText": _whole("The text of a sealed move, in printable ASCII. Keep it until the game is over.", _TEXT),
    }


def _whole(says: str, members: Json) -> Json:
    shape: Json = {"type": "object", "description": says, "properties": members, "additionalProperties": False}
    return shape | {"required": list(members)}


def _act(act: str, says: str, members: Json) -> Json:
    """The members of every act, and its own."""
    place = {name: typed({"const": act}) if name == "act" else member for name, member in _PLACE.items()}
    return _whole(says, place | members)


def _member(says: str, shape: Json, example: Any = None) -> Json:
    return shape | {"description": says} | ({} if example is None else {"example": example})


_JWK: Json = {
    "crv": typed({"const": "Ed25519"}),
    "kty": typed({"const": "OKP"}),
    "x": _member("The 32 bytes of the key, in base64url.", BINARY, X),
}

_HEADER: Json = {
    "alg": {
        "type": "string",
        "enum": ["Ed25519", "EdDSA"],
        "description": "The new name of a type and its former one.",
    },
    "kid": _member(
        (
            'The key\'s RFC 7638 thumbprint: SHA-256 of `{"crv":"Ed25519","kty":"OKP","x":"..."}`, in this order '
            "and without spaces, in base64url."
        ),
        BINARY,
        KID,
    ),
    "typ": {
        "type": "string",
        "enum": ["sealedmove+jws", "sealedmove-key+jws", "sealedmove-account+jws"],
        "description": "The second only for `RegisterPayload`, the third only for `StatementPayload`.",
    },
}

_PLACE: Json = {
    "v": FORM,
    "aud": _member(AUD, {"type": "string"}, "games.example"),
    "game": _member("The game's id.", {"type": "string", "format": "uuid"}, "0193f3c2-0000-7000-8000-000000000001"),
    "act": {},
    "seat": _member("The seat that acts. The first seat is 0.", {"type": "integer", "minimum": 0}, 0),
    "seq": _member(
        "The number that the entry of this act will have: the game's `head.seq` + 1.",
        {"type": "integer", "minimum": 1},
        4,
    ),
    "prev": _member("The hash of the entry before it: the game's `head.hash`.", BINARY, HASH),
}

_HOLDER: Json = {
    "key": KEY,
    "recovery": {"anyOf": [KEY, {"type": "null"}], "description": RECOVERY},
    "bot": _member(
        "Whether a bot plays this seat. Nonces of bots do not go into the draws.", {"type": "boolean"}, False
    ),
}

_JOIN: Json = {**_HOLDER, "nonce": _member(ONCE, BINARY, NONCE)}

_TAKE: Json = _HOLDER

_OFFER: Json = {
    "open": _member(
        "True: others may take the seat. False: they no longer may, and an absent holder is back.",
        {"type": "boolean"},
        True,
    )
}

_COMMANDS: Json = {
    "type": "array",
    "x-of-game": "Step[]",
    "minItems": 1,
    "maxItems": 64,
}

_SEALED_MOVE: Json = {"sealed": _member(SEALED, BINARY, HASH)}

_OPEN_MOVE: Json = {"commands": _member("Played in order.", _COMMANDS)}

_KEYS: Json = {
    "AddKeyPayload": {"add": KEY},
    "DropKeyPayload": {"drop": _member("The `kid` of the key to drop. A seat keeps at least one key.", BINARY, KID)},
    "ReplaceKeysPayload": {
        "only": {"type": ["array", "null"], "items": KEY, "minItems": 1, "maxItems": MOST_ONLY, "description": ONLY},
        "recovery": {"anyOf": [KEY, {"type": "null"}], "description": NEXT_RECOVERY},
    },
}

_REGISTER: Json = {
    "v": FORM,
    "aud": _member(AUD, {"type": "string"}, "games.example"),
    "act": typed({"const": "register"}),
    "key": KEY,
    "nonce": _member("From `POST /v1/me/keys/challenge`, at most ten minutes old.", BINARY, NONCE),
}

_STATEMENT: Json = {
    "v": FORM,
    "aud": _member(AUD, {"type": "string"}, "games.example"),
    "act": typed({"enum": sorted(ABOUT)}),
    "account": _member("Your account's number: `id` of `GET /v1/me`.", {"type": "integer"}, 7),
    "about": _member(f"The subject of the act. {_SAID}.", {"type": "string"}, KID),
    "at": _member("From the challenge, unchanged.", {"type": "string", "format": "date-time"}, "2026-11-21T10:00:00Z"),
    "nonce": _member("From `POST /v1/me/keys/challenge`, at most ten minutes old.", BINARY, NONCE),
}

_TEXT: Json = {
    "commands": _member("Played in order.", _COMMANDS),
    "salt": _member(
        "32 random bytes, new for each move. Without them the move could be guessed from its hash.", BINARY, NONCE
    ),
}
