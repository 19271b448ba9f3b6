"""Schemas of signed acts, views, previews and draft moves."""

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
    "Hidden games only: the JSON text, without spaces, whose hash is signed as `sealed`, byte for byte. "
    "Schema: `MoveText`. Others cannot read it before the game is over."
)
COMPACT = r"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$(?!\n)"
SOME_TEXT = '{"commands":[{"do":"coins","die":3}],"salt":"fkevFY6dtU_F5JAplvU2CpM8WB57rTVDbVDkib070mI"}'

MOVE_TEXT = {"$ref": "#/components/schemas/MoveText"}
SEALED_TEXT = {"example": SOME_TEXT, "x-also": {"contentMediaType": "application/json", "contentSchema": MOVE_TEXT}}


def inside(payload: str) -> dict[str, Any]:
    """The description of a compact JWS in the API document."""
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
    """A signed move, in a hidden game with the text that the signature commits to."""

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


EVENTS = "The events that your seat may see: `is` names the event, the other members are its values."
SALT = (
    "32 bytes. The entry's `seals[your seat]` is SHA-256 of `sealedmove/1/seal`, one zero byte, this salt, and "
    "`events` as JSON without spaces, members sorted by name. Null in an open game."
)


class PositionSchema(Schema):
    """The position, as values and as text of at most 78 columns."""

    type = kind()
    status = fields.String(required=True, validate=validate.OneOf(STATUSES), metadata=doc(STATUS))
    seat = fields.Integer(
        required=True, allow_none=True, metadata=doc(f"The seat whose view this is; null: the public view. {SEAT}")
    )
    seq = fields.Integer(required=True, metadata=doc("The number of the entry after which this is the position."))
    head = fields.String(required=True, metadata=doc("The hash of this entry.", example=SOME_HASH))
    active = fields.List(fields.Integer(), required=True, metadata=doc("The seats that owe a move now."))
    view = fields.Dict(
        required=True,
        allow_none=True,
        metadata=per_game("View", "Values in the game's own terms; null before the start."),
    )
    board = fields.String(required=True, metadata=doc("The same for people, as ASCII art."))
    picture_url = fields.String(required=True, allow_none=True, metadata=doc("The same as SVG."))
    sentences = fields.List(fields.String(), required=True, metadata=doc("The effects of this entry, in sentences."))


class LookSchema(Schema):
    """The entry and the seat of the view."""

    at = StrictInteger(
        validate=validate.Range(0, MOST), metadata=doc("After the entry with this number; without it, now.")
    )
    seat = StrictInteger(
        validate=validate.Range(0, 15),
        metadata=doc(
            f"The seat of the view; without it, your own seat or the public view. Another seat only after the end. "
            f"{SEAT}"
        ),
    )


PALETTE = fields.String(
    validate=validate.OneOf(["light", "dark"]), metadata=doc("The colours of the picture; without it, light.")
)


class PictureSchema(LookSchema):
    """The entry and the seat of the picture, and its colours."""

    palette = PALETTE


class WordPartSchema(Schema):
    """One of several things that a word consists of."""

    word = fields.String(required=True)
    says = fields.String(metadata=doc("Its name for people, if that differs from the word."))


class CommandWordSchema(WordPartSchema):
    """A word of a command."""

    kind = fields.String(
        required=True,
        allow_none=True,
        metadata=doc(
            "The part of the picture, where `data-word` is kind and word: `cell:g4`. Null: nothing there.",
            example="cell",
        ),
    )
    seat = fields.Integer(metadata=doc(f"The seat that the piece belongs to, if that matters. {SEAT}"))
    parts = fields.List(
        fields.Nested(WordPartSchema),
        metadata=doc("For a word `a+b+b`: its parts, in any order; a part may repeat."),
    )


class LegalSchema(Schema):
    """A command that would be accepted now. `command` goes into `commands` unchanged."""

    type = kind()
    command = fields.Dict(required=True, metadata=per_game("Command"))
    notation = fields.String(required=True, metadata=doc("The same as text.", example="coins 3"))
    label = fields.String(required=True, metadata=doc("The same as a sentence for people."))
    kind = fields.String(required=True, metadata=doc("The `do` text of the command.", example="coins"))
    closes = fields.Boolean(
        required=True, metadata=doc("Whether it ends what can still be done: best shown last and apart.")
    )
    words = fields.List(
        fields.Nested(CommandWordSchema), required=True, metadata=doc("The words of `notation`, in order.")
    )
    says = fields.String(required=True, metadata=doc("The effect of all commands of this kind."))


class IntentSchema(Schema):
    """A move, either as commands or as text."""

    type = fields.String(
        validate=validate.Length(1, 40), metadata=doc("Optional: the game's type. A different one is refused.")
    )
    commands = fields.List(
        fields.Dict(), validate=validate.Length(1, 64), metadata=per_game("Step[]", "Played in order.")
    )
    notation = fields.String(
        validate=validate.Length(1, 4096),
        metadata=doc("Commands as text, separated by `;` or line ends. `try` before a command lets it be skipped."),
    )

    palette = PALETTE

    @validates_schema
    def one(self, data: dict[str, object], **_: object) -> None:
        if len(data.keys() & {"commands", "notation"}) != 1:
            raise ValidationError("send either commands or notation, not both")


class RefusalSchema(Schema):
    """Why a command was refused."""

    code = fields.String(required=True, metadata=doc("As in `Problem`."))
    says = fields.String(required=True)


class SpelledStepSchema(Schema):
    """A step of a move. `command` goes into `commands` unchanged."""

    command = fields.Dict(required=True, metadata=per_game("Step"))
    notation = fields.String(required=True, metadata=doc("As it is typed.", example="try coins 3"))
    label = fields.String(required=True, metadata=doc("As a sentence for people."))


class PreviewSchema(Schema):
    """The certain effects of the move: up to the first draw or reveal. `view` has the same values as `board`."""

    type = kind()
    events = fields.List(fields.Dict(), required=True, metadata=per_game("Event[]", EVENTS))
    sentences = fields.List(fields.String(), required=True, metadata=doc("The events in sentences."))
    others = fields.List(
        fields.String(),
        required=True,
        metadata=doc("The sentences that other players would see, without what your commands keep hidden."),
    )
    board = fields.String(required=True, metadata=doc("The board after these events."))
    picture = fields.String(required=True, metadata=doc("The same as SVG, from your seat."))
    view = fields.Dict(required=True, metadata=per_game("View"))
    done = fields.Integer(required=True, metadata=doc("How many of the commands were played."))
    refusal = fields.Nested(RefusalSchema, required=True, allow_none=True)
    certain = fields.Boolean(
        required=True, metadata=doc("False: chance or hidden information decides how the game continues.")
    )
    warnings = fields.List(
        fields.String(),
        required=True,
        metadata=doc(
            "Sentences about things that the move gives up although you could use them. Ask before you sign it.",
            example=["10 of 10 action points are unused and will be lost."],
        ),
    )
    commands = fields.List(fields.Dict(), required=True, metadata=per_game("Step[]", "As they go into the move."))
    steps = fields.List(
        fields.Nested(SpelledStepSchema),
        required=True,
        metadata=doc("The same commands, each as it is typed and as a sentence."),
    )
    legal = fields.List(
        fields.Nested(LegalSchema),
        required=True,
        metadata=doc("Your legal commands after that. Empty if `certain` is false, or the turn ends."),
    )


class OpeningsQuerySchema(PageSchema):
    """A page of openings."""

    limit = fields.Integer(load_default=500, validate=validate.Range(1, 1000))


class OpeningSchema(Schema):
    """The private part of an entry for your seat, and how far its own move went."""

    type = kind()
    seq = fields.Integer(required=True, metadata=doc("The number of the entry."))
    salt = fields.String(required=True, allow_none=True, metadata=doc(SALT))
    events = fields.List(fields.Dict(), required=True, allow_none=True, metadata=per_game("Event[]", EVENTS))
    done = fields.Integer(
        required=True, allow_none=True, metadata=doc("How many commands of your own move were played; otherwise null.")
    )
    refusal = fields.Nested(RefusalSchema, required=True, allow_none=True)


# --- A draft move -----------------------------------------------------------------------------------------------------


class PlanSchema(Schema):
    """Commands that you sent by email. They are not a move until you have checked and signed them."""

    type = kind()
    seat = fields.Integer(required=True, metadata=doc(f"Yours. {SEAT}"))
    via = fields.String(required=True, validate=validate.OneOf(["mail"]), metadata=doc("How it was sent."))
    commands = fields.List(fields.Dict(), required=True, metadata=per_game("Step[]", "As they go into `commands`."))
    notation = fields.String(required=True, metadata=doc("The same as text.", example="coins 3; end"))
    size = fields.Integer(required=True, metadata=doc("How many entries the game had when it arrived."))
    fresh = fields.Boolean(required=True, metadata=doc("Whether nothing has been logged since."))
    at = moment("When it arrived. ")
