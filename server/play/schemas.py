"""Signed acts and their answers."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from server.http.schemas import MOST, SEAT, SOME_HASH, PageSchema, StrictInteger, doc, kind, moment, per_game
from server.tables.schemas import STATUS, STATUSES

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
    described = doc(JWS.format(payload=f"`{payload}`"), **inside(payload))
    return fields.String(
        required=True, validate=[validate.Length(1, LARGEST), validate.Regexp(COMPACT)], metadata=described
    )


class JoinSchema(Schema):
    """A signed join."""

    jws = jws("JoinPayload")


class LeaveSchema(Schema):
    """A signed leave."""

    jws = jws("LeavePayload")


class MoveSchema(Schema):
    """A signed move; in a hidden game with the text that the signature seals."""

    jws = jws("MovePayload")
    text = fields.String(validate=validate.Length(1, LARGEST), metadata=doc(TEXT, **SEALED_TEXT))


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


# --- What a seat may see and do ---------------------------------------------------------------------------------------


EVENTS = "What happened, as your seat may know it: `is` names the event, the rest are its values."
SALT = (
    "32 bytes. With it the entry's `seals[your seat]` is SHA-256 of `sealedmove/1/seal`, one zero byte, the salt, and "
    "`events` as JSON without spaces, members sorted by name. Null in an open game."
)


class PositionSchema(Schema):
    """The position, as values and as text of at most 78 columns."""

    type = kind()
    status = fields.String(required=True, validate=validate.OneOf(STATUSES), metadata=doc(STATUS))
    seat = fields.Integer(
        required=True, allow_none=True, metadata=doc(f"Whose eyes these are; null: anybody's. {SEAT}")
    )
    seq = fields.Integer(required=True, metadata=doc("The number of the entry after which it is."))
    head = fields.String(required=True, metadata=doc("Hash of this entry.", example=SOME_HASH))
    active = fields.List(fields.Integer(), required=True, metadata=doc("The seats that owe a move now."))
    view = fields.Dict(
        required=True,
        allow_none=True,
        metadata=per_game("View", "Values in the game's own words; null before the start."),
    )
    board = fields.String(required=True, metadata=doc("The same for people, drawn in ASCII."))
    picture_url = fields.String(required=True, allow_none=True, metadata=doc("The same as SVG."))
    sentences = fields.List(fields.String(), required=True, metadata=doc("What this entry brought, for people."))


class LookSchema(Schema):
    """When, and through whose eyes."""

    at = StrictInteger(validate=validate.Range(0, MOST), metadata=doc("After the entry of this number; left out: now."))
    seat = StrictInteger(
        validate=validate.Range(0, 15),
        metadata=doc(f"Whose eyes; left out: your own seat's, or anybody's. Another seat's only after the end. {SEAT}"),
    )


class WordPartSchema(Schema):
    """One of several things that stand in a word."""

    word = fields.String(required=True)
    says = fields.String(metadata=doc("What people call it, if they do not say the word itself."))


class CommandWordSchema(WordPartSchema):
    """A word of a command."""

    kind = fields.String(
        required=True,
        allow_none=True,
        metadata=doc(
            "What it points at on the picture, where `data-word` is kind and word: `cell:g4`. Null: nothing there.",
            example="cell",
        ),
    )
    seat = fields.Integer(metadata=doc(f"Whose piece it is, if that matters. {SEAT}"))
    parts = fields.List(
        fields.Nested(WordPartSchema),
        metadata=doc("Of a word `a+b+b`: what stands in it, in any order, one thing perhaps several times."),
    )


class LegalSchema(Schema):
    """A command that would be accepted now."""

    type = kind()
    command = fields.Dict(required=True, metadata=per_game("Command", "As it goes into `commands`."))
    notation = fields.String(required=True, metadata=doc("The same as text.", example="coins 3"))
    label = fields.String(required=True, metadata=doc("The same in a sentence for people."))
    kind = fields.String(required=True, metadata=doc("What `do` of the command says.", example="coins"))
    closes = fields.Boolean(
        required=True, metadata=doc("It leaves what could still be done: better shown last, and apart.")
    )
    words = fields.List(
        fields.Nested(CommandWordSchema), required=True, metadata=doc("The words of `notation`, in their order.")
    )
    says = fields.String(required=True, metadata=doc("What all commands of this kind do."))


class IntentSchema(Schema):
    """A move as commands or as text; exactly one of them."""

    type = fields.String(
        validate=validate.Length(1, 40), metadata=doc("The game's key, if you say it: another is refused.")
    )
    commands = fields.List(
        fields.Dict(), validate=validate.Length(1, 64), metadata=per_game("Step[]", "Played in order.")
    )
    notation = fields.String(
        validate=validate.Length(1, 4096),
        metadata=doc("Commands as text, parted by `;` or line ends; `try` before one lets it be skipped."),
    )

    @validates_schema
    def one(self, data: dict[str, object], **_: object) -> None:
        if len(data.keys() & {"commands", "notation"}) != 1:
            raise ValidationError("commands or notation, and not both")


class RefusalSchema(Schema):
    """Why a command was refused."""

    code = fields.String(required=True, metadata=doc("As in `Problem`."))
    says = fields.String(required=True)


class SpelledStepSchema(Schema):
    """A step of a move."""

    command = fields.Dict(required=True, metadata=per_game("Step", "As it goes into `commands`."))
    notation = fields.String(required=True, metadata=doc("As it is typed.", example="try coins 3"))
    label = fields.String(required=True, metadata=doc("In a sentence for people."))


class PreviewSchema(Schema):
    """What the move would do as far as it is certain: up to the first draw or reveal."""

    type = kind()
    events = fields.List(fields.Dict(), required=True, metadata=per_game("Event[]", EVENTS))
    sentences = fields.List(fields.String(), required=True, metadata=doc("The events for people."))
    others = fields.List(
        fields.String(),
        required=True,
        metadata=doc("The same as all others are told it: without what you keep sealed."),
    )
    board = fields.String(required=True, metadata=doc("The table after them."))
    picture = fields.String(required=True, metadata=doc("The same as SVG, as your seat sees it."))
    view = fields.Dict(required=True, metadata=per_game("View", "The same as values."))
    done = fields.Integer(required=True, metadata=doc("How many of the commands were played."))
    refusal = fields.Nested(RefusalSchema, required=True, allow_none=True)
    certain = fields.Boolean(required=True, metadata=doc("False: chance or another seat decides how it goes on."))
    commands = fields.List(fields.Dict(), required=True, metadata=per_game("Step[]", "As they go into the move."))
    steps = fields.List(
        fields.Nested(SpelledStepSchema),
        required=True,
        metadata=doc("The same, each as it is typed, and in a sentence."),
    )
    legal = fields.List(
        fields.Nested(LegalSchema),
        required=True,
        metadata=doc("What your seat may do after that; none where chance or another seat decides, or the turn ends."),
    )


class OpeningsQuerySchema(PageSchema):
    """A page of openings."""

    limit = fields.Integer(load_default=500, validate=validate.Range(1, 1000))


class OpeningSchema(Schema):
    """One entry as the seat alone may know it, and how far its own move went."""

    type = kind()
    seq = fields.Integer(required=True, metadata=doc("The number of the entry."))
    salt = fields.String(required=True, allow_none=True, metadata=doc(SALT))
    events = fields.List(fields.Dict(), required=True, allow_none=True, metadata=per_game("Event[]", EVENTS))
    done = fields.Integer(
        required=True, allow_none=True, metadata=doc("How many commands of your own move were played; else null.")
    )
    refusal = fields.Nested(RefusalSchema, required=True, allow_none=True)


# --- A plan of a seat -------------------------------------------------------------------------------------------------


class PlanSchema(Schema):
    """Commands that you have mailed: no move until you have looked at them and signed them."""

    type = kind()
    seat = fields.Integer(required=True, metadata=doc(f"Yours. {SEAT}"))
    via = fields.String(required=True, validate=validate.OneOf(["mail"]), metadata=doc("How it came here."))
    commands = fields.List(fields.Dict(), required=True, metadata=per_game("Step[]", "As they go into `commands`."))
    notation = fields.String(required=True, metadata=doc("The same as text.", example="coins 3; end"))
    size = fields.Integer(required=True, metadata=doc("How many entries there were when it came."))
    fresh = fields.Boolean(required=True, metadata=doc("Whether nothing has been logged since."))
    at = moment("When it came. ")
