"""Games: listed, made, shown."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate

from engine.record.encoding.members import MOST_SECONDS
from engine.record.log.entry import HANDOVERS
from server.http.schemas import NAME, NEXT, SEAT, HeadSchema, StrictInteger, doc, game_id, moment, note, yes_or_no
from server.tables import time_controls

SITTING_BOTS = ("none", "house", "any")
STATUSES = ("lobby", "running", "finished", "cancelled")
DAY = 86400
SPAN = validate.Range(0, MOST_SECONDS)
HASH_PATTERN = r"^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$(?!\n)"  # 32 bytes and no spare bits
KEY = "A key of `GET /v1/types`"
STATUS = "`lobby`: seats are empty; `running`; `finished`; `cancelled`: taken back before it started."
HIDDEN = "Seats have secrets: a move is signed as `sealed`, with its text beside it. Else as `commands`."
CLOCK = {
    "move": "For each stretch of a seat.",
    "bank": "Beside that, what a stretch takes beyond `move`, until it is used up.",
    "increment": "Added to the bank for each stretch that ends with a move of the seat's own, up to `cap`.",
    "cap": "The most that a bank holds.",
    "grace": "After all that, and then the clock plays.",
    "missed": "Not seconds: after so many stretches in a row that the clock has ended, the seat counts as absent and "
    "is played after `grace` alone, until its holder signs anything again. 0: never.",
}
NEW_CLOCK = (
    "Null: nobody is hurried. Left out: the values that `Clock` has when they are left out; a game of one seat has "
    "none. `bank` is at most `cap`; `move` and `bank` together, and `grace`, are at least 60: else `bad-clock`."
)
HANDOVER = (
    "When a seat of the running game may be taken over by another account: `offer`, if its holder has opened it; "
    "`absent`, if its holder is absent; `both`, in either case; `none`, never. A seat that has resigned never."
)
TERMS = "SHA-256, in base64url, of a salted text kept elsewhere: a house agreement, a tournament. Null: none."
UNSIGNED = (
    "Whether an answer by mail is a move here. Nobody has signed such a move: nothing but the word of this server says "
    "that its player made it, and whoever has his mailbox can move for him."
)
BANK = "Seconds in the seat's bank as the log has it; a stretch takes from it when it ends. Null without a clock."
ABSENT = "The clock has played for it `missed` times in a row, and now waits for it only for the `grace`."
OPEN = "Its holder has offered it to others, and plays on until somebody takes it."
FREE = "Anybody may sit down here now: by `join` before the start, by `take` while the game runs."
STOPPED = (
    "The game and its clocks are held: by a fault of ours, or because entries are missing here and somebody has to "
    "hand them in (`missing`)."
)
IN_WORDS = "The options in words, where they are worth saying: the variant first."
PACE = "How quick its clock is: a `pace` of `GET /v1/clocks`."
ORDERS = ("newest", "urgent")
ORDER = (
    "`newest` first; or `urgent`: where you owe a move, the least time left first, then the others, then what is over."
)
RESULT = {
    "places": "Seats, the best first; seats that tie stand together.",
    "points": "Lines of the score sheet: `[heading, [points of seat 0, of seat 1, ...]]`.",
    "out": "Seats that a rule has put out.",
    "reason": "Why it ended: a code of the type's `endings`; `resigned` if fewer than two seats were left.",
    "won": "False: nobody has won, and the best place is no first place.",
}


def _each_once(seats: list[int]) -> None:
    if len(set(seats)) < len(seats):
        raise ValidationError("each seat once")


class ClockSchema(Schema):
    """What time a seat has, in seconds. A *stretch* is the time in which a seat owes moves without a break."""

    move = StrictInteger(load_default=3 * DAY, validate=SPAN, metadata=doc(CLOCK["move"], example=3 * DAY))
    bank = StrictInteger(load_default=0, validate=SPAN, metadata=doc(CLOCK["bank"]))
    increment = StrictInteger(load_default=0, validate=SPAN, metadata=doc(CLOCK["increment"]))
    cap = StrictInteger(validate=SPAN, metadata=doc(f"{CLOCK['cap']} Left out: as much as `bank`."))
    grace = StrictInteger(load_default=DAY // 2, validate=SPAN, metadata=doc(CLOCK["grace"]))
    missed = StrictInteger(load_default=2, validate=SPAN, metadata=doc(CLOCK["missed"]))

    @post_load
    def whole(self, data: dict[str, int], **_: object) -> dict[str, int]:
        return {"cap": data["bank"], **data}


BOTS = (
    "Which bots may sit here: `none`; `house`, house players alone; `any`. A bot is an account of a machine; people "
    "and the bots they answer for do not share a table unless it is `related`."
)
RELATED = "Whether a person may share the table with bots of his, and those with each other."
STAND_IN = "The level of a house player who takes a seat when its holder is absent and `handover` lets it be taken."
LISTED = (
    "Whether it stands in lists of games. If not, it is found by its address, and by its creator and who sits there."
)
LEVEL = "A level of house players: `easy`, `fair`, `strong`, if this server has them."
KEPT = "The level of the house player for whom the seat is kept, for ten minutes: nobody else sits here. Null: nobody."
BOT = "Whether a machine plays it: its account is a bot's, and has signed so."


def level(**more: Any) -> fields.String:
    """A level of house players."""
    return fields.String(validate=validate.Regexp(r"^[a-z]{1,10}$(?!\n)"), **more)


class HouseSeatSchema(Schema):
    """A seat kept for a house player."""

    seat = StrictInteger(required=True, validate=validate.Range(0, 63), metadata=doc(SEAT, example=1))
    level = level(required=True, metadata=doc(LEVEL, example="fair"))


class NewGameSchema(Schema):
    """What a creator chooses."""

    type = fields.String(required=True, validate=validate.Length(1, 40), metadata=doc(f"{KEY}.", example="livingstone"))
    seats = StrictInteger(
        required=True, validate=validate.Range(1, 64), metadata=doc("As many as the type allows.", example=2)
    )
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata=doc("As `GET /v1/types/{key}` says."))
    clock = fields.Nested(ClockSchema, allow_none=True, metadata=doc(NEW_CLOCK))
    handover = fields.String(load_default="both", validate=validate.OneOf(HANDOVERS), metadata=doc(HANDOVER))
    terms = fields.String(
        load_default=None, allow_none=True, validate=validate.Regexp(HASH_PATTERN), metadata=doc(TERMS)
    )
    unsigned = fields.Boolean(load_default=False, metadata=doc(UNSIGNED))
    bots = fields.String(load_default="any", validate=validate.OneOf(SITTING_BOTS), metadata=doc(BOTS))
    related = fields.Boolean(load_default=False, metadata=doc(RELATED))
    stand_in = level(load_default=None, allow_none=True, metadata=doc(STAND_IN))
    listed = fields.Boolean(load_default=True, metadata=doc(LISTED))
    house = fields.List(
        fields.Nested(HouseSeatSchema),
        load_default=list,
        validate=validate.Length(0, 64),
        metadata=doc("Seats kept for house players from the beginning; `bots` must let them sit."),
    )
    edition = fields.Dict(
        keys=fields.String(),
        load_default=None,
        allow_none=True,
        metadata=doc("Component data of your own, if the game takes it; else the edition that it brings along."),
    )

    @post_load
    def whole(self, data: dict[str, Any], **_: object) -> dict[str, Any]:
        """Nobody waits in a game of one seat; any other has a clock unless its creator wants none."""
        usual = None if data["seats"] == 1 else ClockSchema().load({})
        return {"clock": usual, **data}


class IdempotencySchema(Schema):
    """What is sent twice with one key is done once."""

    key = fields.String(
        data_key="Idempotency-Key",
        validate=validate.Length(1, 100),
        metadata=doc("Any text of yours; the same request sent again with it does nothing a second time."),
    )

    class Meta:
        unknown = "exclude"


class AnyGamesQuerySchema(Schema):
    """Which games; every filter that is named holds."""

    status = fields.String(validate=validate.OneOf(STATUSES), metadata=doc(STATUS))
    type = fields.String(validate=validate.Regexp(r"^[a-z0-9_-]{1,40}$(?!\n)"), metadata=doc(f"{KEY}."))
    handover = fields.String(validate=validate.OneOf(HANDOVERS), metadata=doc(HANDOVER))
    bots = fields.String(validate=validate.OneOf(SITTING_BOTS), metadata=doc(BOTS))
    hidden = yes_or_no("Whether seats have secrets.")
    seats = fields.Integer(validate=validate.Range(1, 64), metadata=doc("How many seats the game has."))
    stopped = yes_or_no("Whether the game is held, see `stopped` of a game.")
    pace = fields.String(validate=validate.OneOf(time_controls.KEYS), metadata=doc(PACE))
    free = yes_or_no("Whether a seat is free: empty before the start, or to be taken over.")
    after = fields.UUID(metadata=doc("The last game of the page before."))


class GamesQuerySchema(AnyGamesQuerySchema):
    """Which games; every filter that is named holds."""

    mine = yes_or_no("Whether you sit there; needs a token.")
    made = yes_or_no("Whether you opened it; needs a token.")
    player = fields.String(validate=NAME, metadata=doc("Somebody of exactly this name sits there.", example="Ada"))
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100))


class OwnGamesQuerySchema(AnyGamesQuerySchema):
    """Which of your games."""

    owes = yes_or_no("Whether you owe a move there.")
    order = fields.String(load_default="newest", validate=validate.OneOf(ORDERS), metadata=doc(ORDER))
    limit = fields.Integer(load_default=200, validate=validate.Range(1, 500))


class SittingSchema(Schema):
    """A seat in a list."""

    seat = fields.Integer(required=True, metadata=doc(SEAT))
    name = fields.String(
        required=True, allow_none=True, metadata=doc("Of the account that the key belongs to; null: empty or unknown.")
    )
    bot = fields.Boolean(required=True, metadata=doc(BOT))
    kept = fields.String(required=True, allow_none=True, metadata=doc(KEPT))


class FullSittingSchema(SittingSchema):
    """A seat with the thumbprint of the key that joined or took it."""

    kid = fields.String(required=True, allow_none=True, metadata=doc("Null: nobody sits here."))
    since = fields.Integer(
        required=True, allow_none=True, metadata=doc("The entry that put its holder there: a join or a take.")
    )
    resigned = fields.Boolean(required=True, metadata=doc("The clock plays it from then on."))
    absent = fields.Boolean(required=True, metadata=doc(ABSENT))
    open = fields.Boolean(required=True, metadata=doc(OPEN))
    free = fields.Boolean(required=True, metadata=doc(FREE))
    bank = fields.Integer(required=True, allow_none=True, metadata=doc(BANK))


class ShownClockSchema(Schema):
    """The clock of a game, in seconds but for `missed`."""

    move = fields.Integer(required=True, metadata=doc(CLOCK["move"]))
    bank = fields.Integer(required=True, metadata=doc(CLOCK["bank"]))
    increment = fields.Integer(required=True, metadata=doc(CLOCK["increment"]))
    cap = fields.Integer(required=True, metadata=doc(CLOCK["cap"]))
    grace = fields.Integer(required=True, metadata=doc(CLOCK["grace"]))
    missed = fields.Integer(required=True, metadata=doc(CLOCK["missed"]))


class SummarySchema(Schema):
    """A game in a list."""

    id = game_id()
    type = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES), metadata=doc(STATUS))
    hidden = fields.Boolean(required=True, metadata=doc(HIDDEN))
    stopped = fields.Boolean(required=True, metadata=doc(STOPPED))
    stopped_because = fields.String(required=True, allow_none=True, metadata=doc("Why, in words; null: it is not."))
    seats = fields.List(fields.Nested(SittingSchema), required=True)
    free_seats = fields.List(fields.Integer(), required=True, metadata=doc(f"Seats that are `free`. {FREE}"))
    clock = fields.Nested(ShownClockSchema, required=True, allow_none=True)
    handover = fields.String(required=True, validate=validate.OneOf(HANDOVERS), metadata=doc(HANDOVER))
    bots = fields.String(required=True, validate=validate.OneOf(SITTING_BOTS), metadata=doc(BOTS))
    related = fields.Boolean(required=True, metadata=doc(RELATED))
    stand_in = fields.String(required=True, allow_none=True, metadata=doc(STAND_IN))
    listed = fields.Boolean(required=True, metadata=doc(LISTED))
    options = fields.Dict(required=True, metadata=doc("As its creator chose them."))
    options_words = fields.List(fields.String(), required=True, metadata=doc(IN_WORDS))
    clock_words = fields.String(required=True, metadata=doc("The clock in words.", example="3 days for each turn"))
    head = fields.Nested(HeadSchema, required=True)
    created_at = moment()


class GamePageSchema(Schema):
    """Newest first; `next` goes into `after`."""

    games = fields.List(fields.Nested(SummarySchema), required=True)
    next = fields.String(required=True, allow_none=True, metadata=doc(NEXT, format="uuid"))


class OwnGameSchema(Schema):
    """A game in which you sit."""

    id = game_id()
    type = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES), metadata=doc(STATUS))
    stopped = fields.Boolean(required=True, metadata=doc(STOPPED))
    head = fields.Nested(HeadSchema, required=True)
    seats = fields.List(fields.Nested(SittingSchema), required=True)
    options_words = fields.List(fields.String(), required=True, metadata=doc(IN_WORDS))
    seat = fields.Integer(required=True, metadata=doc(f"Yours. {SEAT}"))
    owes = fields.Boolean(required=True, metadata=doc("Whether you owe a move."))
    deadline = moment(allow_none=True)
    absent = fields.Boolean(required=True, metadata=doc(ABSENT))
    open = fields.Boolean(required=True, metadata=doc(OPEN))


class OwnGamePageSchema(Schema):
    """Your games, in the order that was asked for."""

    games = fields.List(fields.Nested(OwnGameSchema), required=True)
    next = fields.String(required=True, allow_none=True, metadata=doc(NEXT, format="uuid"))


class DueSchema(Schema):
    """When the clock may play for a seat."""

    seat = fields.Integer(required=True, metadata=doc(SEAT))
    since = moment("When its time began to run. ")
    deadline = moment()


class ResultSchema(Schema):
    """How it ended, as the log says it."""

    places = fields.List(fields.List(fields.Integer()), required=True, metadata=doc(RESULT["places"]))
    points = fields.List(fields.Raw(), required=True, metadata=doc(RESULT["points"]))
    out = fields.List(fields.Integer(), required=True, metadata=doc(RESULT["out"]))
    won = fields.Boolean(required=True, metadata=doc(RESULT["won"]))
    reason = fields.String(required=True, metadata=doc(RESULT["reason"]))


class GameSchema(SummarySchema):
    """A game in full."""

    seats = fields.List(fields.Nested(FullSittingSchema), required=True)
    rules = fields.Integer(required=True, metadata=doc("The version of the rules that it is played by."))
    terms = fields.String(required=True, allow_none=True, metadata=doc(TERMS))
    unsigned = fields.Boolean(required=True, metadata=doc(UNSIGNED))
    active = fields.List(fields.Integer(), required=True, metadata=doc("The seats that owe a move now."))
    deadlines = fields.List(fields.Nested(DueSchema), required=True)
    result = fields.Nested(ResultSchema, required=True, allow_none=True)
    created = fields.String(
        required=True,
        metadata=doc("Entry 0, as it stands in the log: it commits the server to all dice before anybody has joined."),
    )
    note = note()


class GrantSchema(Schema):
    """Time for seats that owe a move: the clock plays them so much later."""

    seats = fields.List(
        StrictInteger(validate=validate.Range(0, 63)),
        required=True,
        validate=[validate.Length(1, 64), _each_once],
        metadata=doc(f"None of your own. {SEAT}", example=[1], uniqueItems=True),
    )
    seconds = StrictInteger(
        required=True,
        validate=validate.Range(1, 7 * DAY),
        metadata=doc("At most seven days at a time.", example=DAY),
    )


# --- Kinds of games ---------------------------------------------------------------------------------------------------


STAGES = ("tiny", "beta", "stable")


class SpanSchema(Schema):
    """Fewest and most players."""

    fewest = fields.Integer(required=True)
    most = fields.Integer(required=True)


class VersionsSchema(Schema):
    """Rules versions that run here."""

    first = fields.Integer(required=True)
    current = fields.Integer(required=True)


class TypeSchema(Schema):
    """Facts about a game."""

    key = fields.String(required=True, metadata=doc("What a new game names as its `type`.", example="livingstone"))
    title = fields.String(required=True)
    designers = fields.List(fields.String(), required=True)
    year = fields.Integer(required=True)
    seats = fields.Nested(SpanSchema, required=True)
    rules = fields.Nested(VersionsSchema, required=True)
    stage = fields.String(
        required=True,
        validate=validate.OneOf(STAGES),
        metadata=doc("How far the rules are tried out.", **{"x-open": True}),
    )
    hidden = fields.Boolean(
        required=True, metadata=doc("Whether seats have secrets with the default options; each game says its own.")
    )


class CommandKindSchema(Schema):
    """A kind of command: its text form, what only the seat may know, its JSON Schema."""

    notation = fields.String(required=True, metadata=doc("`{field}`, `[left out at will]`.", example="coins {die}"))
    sealed = fields.List(fields.String(), required=True, metadata=doc("Fields that others do not see."))
    schema = fields.Dict(required=True, metadata=doc("JSON Schema of the command."))


class FullTypeSchema(TypeSchema):
    """With what players send and why it may be refused."""

    options = fields.Dict(required=True, metadata=doc("JSON Schema of the options of a new game."))
    commands = fields.List(fields.Nested(CommandKindSchema), required=True)
    refusals = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=doc("Codes of a refused move, each with its sentence; `{names}` in it are `facts` of the problem."),
    )
    endings = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=doc("Why a game of this type can end: the `reason` of a result, each with its sentence."),
    )
    guide = fields.String(
        required=True,
        metadata=doc(
            "How the game is played here, as Markdown; as a page: `/play/{key}`. A line "
            "`![Caption](golden/NAME.txt#N)` is a picture, served at `/play/{key}/golden/NAME/N.svg`."
        ),
    )


class OfferedClockSchema(Schema):
    """A clock that a form offers."""

    pace = fields.String(
        required=True,
        validate=validate.OneOf(time_controls.KEYS),
        metadata=doc("Clocks as quick as this one are found by it.", **{"x-open": True}),
    )
    title = fields.String(required=True, metadata=doc("In words.", example="A turn a day"))
    clock = fields.Nested(
        ShownClockSchema, required=True, allow_none=True, metadata=doc("As a new game takes it. Null: none.")
    )


# --- The moves that one owes ------------------------------------------------------------------------------------------


HELD = (
    "Seconds to hold the request while `If-None-Match` names the list as it is; then the answer is 304. More than this "
    "server holds one is 422 `wait-too-long`; if all places are taken, it is 503 `no-place`."
)


class TurnsQuerySchema(Schema):
    """How long to wait."""

    wait = fields.Integer(load_default=0, validate=validate.Range(0), metadata=doc(HELD, maximum=25))


class TurnSchema(Schema):
    """A move that one owes."""

    game = game_id()
    type = fields.String(required=True)
    seat = fields.Integer(required=True, metadata=doc(SEAT))
    question_seq = fields.Integer(required=True, metadata=doc("The entry since which the move is owed."))
    since = moment(allow_none=True)
    deadline = moment(allow_none=True)
    bank = fields.Integer(required=True, allow_none=True, metadata=doc(BANK))
    absent = fields.Boolean(required=True, metadata=doc(f"{ABSENT} Any act that you sign ends it."))
    open = fields.Boolean(required=True, metadata=doc(OPEN))
    stopped = fields.Boolean(required=True)
