"""Schemas of games as they are listed and shown, of time given to seats, and of moves that are owed."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from engine.record.log.entry import HANDOVERS
from server.http.schemas import NAME, NEXT, SEAT, HeadSchema, StrictInteger, doc, game_id, moment, note, yes_or_no
from server.log.deadlines import HOLIDAYS
from server.log.kind import WHY as WHYS
from server.tables import time_controls
from server.tables.choice_schemas import (
    ASKS,
    BOTS,
    CLOCK,
    DAY,
    DOOR,
    DOORS,
    HANDOVER,
    HINTS,
    HOST_PAUSE,
    KEY,
    OFFER_WAIT,
    RELATED,
    REST,
    SITTING_BOTS,
    STAND_IN,
    START,
    STARTS,
    TALK,
    TALKS,
    TERMS,
    UNSIGNED,
    AsksSchema,
    RestSchema,
    each_once,
)
from server.tables.waits import WAITS

STATUSES = ("lobby", "running", "finished", "cancelled")
STATUS = "`lobby`: waiting for players; `running`; `finished`; `cancelled`: ended without a result."
HIDDEN = (
    "Whether seats have secrets. If so, moves are signed as `sealed` with a separate text, otherwise as `commands`."
)
FREE_FROM = "When an offered seat that still waits can be taken. Null: it can be taken now, or not at all."
BANK = "Seconds in the seat's bank according to the log; a stretch reduces it when it ends. Null without a clock."
ABSENT = "It has missed `missed` turns in a row and now only gets the grace period."
OPEN = "Its holder has offered it, and plays on until someone takes it."
FREE = "Anyone may take it now: with `join` before the start, with `take` in a running game."
STOPPED = (
    "Whether the game and its clocks are stopped: by a fault of this server, because its log contradicts a "
    "checkpoint, because its rules are not installed here, or because entries are missing that someone has to submit "
    "(`missing`)."
)
RULES = "The version of the rules for this game."
IN_WORDS = "The notable options in words, the variant first."
PACE = "How quick its clock is: a `pace` of `GET /v1/clocks`."
ORDERS = ("newest", "urgent")
ORDER = (
    "`newest` first; or `urgent`: games where you owe a move, least time left first, then those where something else "
    "waits for you, then running and then ended games."
)
WAITING = (
    "All that waits for you there, most urgent first. `move`: you owe a move; `rematch`, `invitation`: a seat is kept "
    "for you; `cancel`, `pause`: players want to cancel or pause the game, and you have not answered; `ready`: the "
    "table starts when you are ready; `offer`: your seat is offered, and others may take it; `talk`: messages of the "
    "last week that you have not seen."
)
INVITATION = (
    "The number of the invitation by which a seat is kept for you, in `GET /v1/me/invitations`. Null: you have a seat."
)
RESULT = {
    "places": "Seats, best first; tied seats are in one list.",
    "points": "Rows of the score sheet: `[heading, [points of seat 0, of seat 1, ...]]`.",
    "out": "Seats that were eliminated by a rule.",
    "reason": "Why it ended: a code of the type's `endings`; `resigned` if fewer than two seats were left.",
    "won": "False: nobody has won, and the best place does not count as first.",
}
SHOWN_HOLIDAYS = "Which holidays of its players count: `yes`; `ahead`: those announced 48 hours before; `no`."
HOST_PAUSE_LEFT = "For how many more days. Null: you are neither its host nor one of its players."
WHY = (
    "Why `deadline` is later than `promised`: rest days (`weekend`), a `holiday`, a `pause`, an `outage` of the "
    "server. Empty for those who have no seat here."
)
SERVERS = (
    "When the server plays a default move. For those who have no seat here it is `promised`, and the server may "
    "wait longer. "
)
PAUSED = "Until when the game is paused: no clock runs meanwhile, and players may move."
PAUSED_UNTIL = f"{PAUSED} Null: it is not paused, or you are neither its host nor one of its players. "
LISTED = "Whether it is in public lists of games: whether its `door` is `open`."
ENDS_AT = "When a table that has not started ends; null once it has started or ended."
HOST = "The handle of its host, who leads the table; null: nobody, or a guest."
HANDLE = (
    "The short name of its player's account, which is unique and never changes, see `GET /v1/players/{handle}`. Null: "
    "the seat is empty, or its player is unknown or a guest."
)
KEPT = (
    "For whom the seat is reserved: `person` for an invited player, or the level of a house player, for ten minutes. "
    "Null: not reserved."
)
BOT = "Whether a bot plays it: its account is a bot's, and its join is signed so."


class AnyGamesQuerySchema(Schema):
    """The filters of every list of games: all must match."""

    status = fields.String(validate=validate.OneOf(STATUSES), metadata=doc(STATUS))
    type = fields.String(validate=validate.Regexp(r"^[a-z0-9_-]{1,40}$(?!\n)"), metadata=doc(f"{KEY}."))
    handover = fields.String(validate=validate.OneOf(HANDOVERS), metadata=doc(HANDOVER))
    bots = fields.String(validate=validate.OneOf(SITTING_BOTS), metadata=doc(BOTS))
    hidden = yes_or_no("Whether seats have secrets.")
    seats = fields.Integer(validate=validate.Range(1, 64), metadata=doc("How many seats the game has."))
    stopped = yes_or_no("Whether the game is stopped, see `stopped` of a game.")
    pace = fields.String(validate=validate.OneOf(time_controls.KEYS), metadata=doc(PACE))
    free = yes_or_no("Whether a seat can be taken: before the start, or in the running game.")
    after = fields.UUID(metadata=doc("The last game of the previous page."))


class GamesQuerySchema(AnyGamesQuerySchema):
    """The filters of the list of all games: all must match."""

    mine = yes_or_no("Whether you have a seat; needs a token.")
    made = yes_or_no("Whether you created it; needs a token.")
    player = fields.String(validate=NAME, metadata=doc("A player with exactly this name has a seat.", example="Ada"))
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100))


class OwnGamesQuerySchema(AnyGamesQuerySchema):
    """The filters and the order of your own games."""

    owes = yes_or_no("Whether you owe a move.")
    waits = yes_or_no("Whether something waits for you, see `waits` of a game.")
    kept = yes_or_no("`true`: also tables that keep a seat for you, see `invitation` of a game.")
    order = fields.String(load_default="newest", validate=validate.OneOf(ORDERS), metadata=doc(ORDER))
    limit = fields.Integer(load_default=200, validate=validate.Range(1, 500))


class SittingSchema(Schema):
    """A seat in a list."""

    seat = fields.Integer(required=True, metadata=doc(SEAT))
    name = fields.String(
        required=True, allow_none=True, metadata=doc("The name of its player's account; null: empty or unknown.")
    )
    handle = fields.String(required=True, allow_none=True, metadata=doc(HANDLE, example="k7f2mq9x"))
    bot = fields.Boolean(required=True, metadata=doc(BOT))
    kept = fields.String(required=True, allow_none=True, metadata=doc(KEPT))
    free_from = moment(f"{FREE_FROM} ", allow_none=True)


class FullSittingSchema(SittingSchema):
    """A seat with the thumbprint of the key that joined or took it."""

    kid = fields.String(required=True, allow_none=True, metadata=doc("Null: the seat is empty."))
    since = fields.Integer(
        required=True, allow_none=True, metadata=doc("The entry by which its holder joined or took it.")
    )
    resigned = fields.Boolean(
        required=True, metadata=doc("Whether its player has resigned. The server then plays default moves.")
    )
    absent = fields.Boolean(required=True, metadata=doc(ABSENT))
    open = fields.Boolean(required=True, metadata=doc(OPEN))
    free = fields.Boolean(required=True, metadata=doc(FREE))
    ready = fields.Boolean(required=True, metadata=doc("Whether its player is ready; see `start` of the game."))
    bank = fields.Integer(required=True, allow_none=True, metadata=doc(BANK))


class ShownClockSchema(Schema):
    """The clock of a game, in seconds except for `missed`."""

    move = fields.Integer(required=True, metadata=doc(CLOCK["move"]))
    bank = fields.Integer(required=True, metadata=doc(CLOCK["bank"]))
    increment = fields.Integer(required=True, metadata=doc(CLOCK["increment"]))
    cap = fields.Integer(required=True, metadata=doc(CLOCK["cap"]))
    grace = fields.Integer(required=True, metadata=doc(CLOCK["grace"]))
    missed = fields.Integer(required=True, metadata=doc(CLOCK["missed"]))
    grants = fields.Integer(required=True, metadata=doc(CLOCK["grants"]))


class SummarySchema(Schema):
    """A game in a list."""

    id = game_id()
    type = fields.String(required=True)
    rules = fields.Integer(required=True, metadata=doc(RULES))
    status = fields.String(required=True, validate=validate.OneOf(STATUSES), metadata=doc(STATUS))
    hidden = fields.Boolean(required=True, metadata=doc(HIDDEN))
    stopped = fields.Boolean(required=True, metadata=doc(STOPPED))
    stopped_because = fields.String(
        required=True, allow_none=True, metadata=doc("The reason in words; null: not stopped.")
    )
    seats = fields.List(fields.Nested(SittingSchema), required=True)
    free_seats = fields.List(fields.Integer(), required=True, metadata=doc(f"Seats that are `free`. {FREE}"))
    clock = fields.Nested(ShownClockSchema, required=True, allow_none=True)
    handover = fields.String(required=True, validate=validate.OneOf(HANDOVERS), metadata=doc(HANDOVER))
    offer_wait = fields.Integer(required=True, metadata=doc(OFFER_WAIT))
    bots = fields.String(required=True, validate=validate.OneOf(SITTING_BOTS), metadata=doc(BOTS))
    related = fields.Boolean(required=True, metadata=doc(RELATED))
    stand_in = fields.String(required=True, allow_none=True, metadata=doc(STAND_IN))
    start = fields.String(required=True, validate=validate.OneOf(STARTS), metadata=doc(START))
    listed = fields.Boolean(required=True, metadata=doc(LISTED))
    hints = fields.Boolean(required=True, metadata=doc(HINTS))
    talk = fields.String(required=True, validate=validate.OneOf(TALKS), metadata=doc(TALK, **{"x-open": True}))
    door = fields.String(required=True, validate=validate.OneOf(DOORS), metadata=doc(DOOR))
    rest = fields.Nested(RestSchema, required=True, allow_none=True, metadata=doc(REST))
    holidays = fields.String(required=True, validate=validate.OneOf(HOLIDAYS), metadata=doc(SHOWN_HOLIDAYS))
    host_pause = fields.Integer(required=True, metadata=doc(HOST_PAUSE))
    rest_words = fields.String(required=True, metadata=doc("When no clock of the table runs, in words; empty: always."))
    asks = fields.Nested(AsksSchema, required=True, allow_none=True, metadata=doc(ASKS))
    asks_words = fields.String(required=True, metadata=doc("The demands in words; empty: the table has none."))
    options = fields.Dict(required=True, metadata=doc("As its creator chose them."))
    options_words = fields.List(fields.String(), required=True, metadata=doc(IN_WORDS))
    clock_words = fields.String(required=True, metadata=doc("The clock in words.", example="3 days for each turn"))
    head = fields.Nested(HeadSchema, required=True)
    created_at = moment()


class GamePageSchema(Schema):
    """Newest first. Send `next` as `after`."""

    games = fields.List(fields.Nested(SummarySchema), required=True)
    next = fields.String(required=True, allow_none=True, metadata=doc(NEXT, format="uuid"))


class OwnGameSchema(Schema):
    """A game in which you have a seat, or in which one is kept for you."""

    id = game_id()
    type = fields.String(required=True)
    rules = fields.Integer(required=True, metadata=doc(RULES))
    status = fields.String(required=True, validate=validate.OneOf(STATUSES), metadata=doc(STATUS))
    stopped = fields.Boolean(required=True, metadata=doc(STOPPED))
    head = fields.Nested(HeadSchema, required=True)
    seats = fields.List(fields.Nested(SittingSchema), required=True)
    options_words = fields.List(fields.String(), required=True, metadata=doc(IN_WORDS))
    seat = fields.Integer(required=True, metadata=doc(f"Yours. {SEAT}"))
    owes = fields.Boolean(required=True, metadata=doc("Whether you owe a move."))
    deadline = moment(allow_none=True)
    paused_until = moment(f"{PAUSED} Null: it is not paused, or you have no seat in it yet. ", allow_none=True)
    absent = fields.Boolean(required=True, metadata=doc(ABSENT))
    open = fields.Boolean(required=True, metadata=doc(OPEN))
    waits = fields.List(
        fields.String(validate=validate.OneOf(WAITS), metadata={"x-open": True}), required=True, metadata=doc(WAITING)
    )
    invitation = fields.Integer(required=True, allow_none=True, metadata=doc(INVITATION))


class OwnGamePageSchema(Schema):
    """Your games, in the requested order."""

    games = fields.List(fields.Nested(OwnGameSchema), required=True)
    next = fields.String(required=True, allow_none=True, metadata=doc(NEXT, format="uuid"))


class DueSchema(Schema):
    """When the server may play a default move for a seat."""

    seat = fields.Integer(required=True, metadata=doc(SEAT))
    since = moment("When its time started. ")
    promised = moment("When an entry of the log may end it at the earliest, by the clock alone. ")
    deadline = moment(SERVERS)
    own_until = moment("When the seat's own time ends, and its grace period begins. Null: not shown. ", allow_none=True)
    why = fields.List(
        fields.String(validate=validate.OneOf(WHYS), metadata={"x-open": True}), required=True, metadata=doc(WHY)
    )


class HintedSchema(Schema):
    """A seat that had a hint."""

    seat = fields.Integer(required=True)
    seq = fields.Integer(required=True, metadata=doc("The number of the last entry before the hint."))
    at = moment("When it asked.")


class LoweredSchema(Schema):
    """A move of a house player that another level than its own has made."""

    seq = fields.Integer(required=True, metadata=doc("The number of the move's entry."))
    own = fields.String(required=True, metadata=doc("The player's level.", example="strong"))
    level = fields.String(
        required=True,
        metadata=doc("The level that made the move, or `default`: none has answered.", example="fair"),
    )


class ResultSchema(Schema):
    """The result as the log states it."""

    places = fields.List(fields.List(fields.Integer()), required=True, metadata=doc(RESULT["places"]))
    points = fields.List(fields.Raw(), required=True, metadata=doc(RESULT["points"]))
    out = fields.List(fields.Integer(), required=True, metadata=doc(RESULT["out"]))
    won = fields.Boolean(required=True, metadata=doc(RESULT["won"]))
    reason = fields.String(required=True, metadata=doc(RESULT["reason"]))


class GameSchema(SummarySchema):
    """A game in full."""

    seats = fields.List(fields.Nested(FullSittingSchema), required=True)
    host = fields.String(required=True, allow_none=True, metadata=doc(HOST, example="k7f2mq9x"))
    ends_at = moment(f"{ENDS_AT} ", allow_none=True)
    terms = fields.String(required=True, allow_none=True, metadata=doc(TERMS))
    unsigned = fields.Boolean(required=True, metadata=doc(UNSIGNED))
    active = fields.List(fields.Integer(), required=True, metadata=doc("The seats that owe a move now."))
    hinted = fields.List(
        fields.Nested(HintedSchema), required=True, metadata=doc("The seats that had a hint, in order of the entries.")
    )
    lowered = fields.List(
        fields.Nested(LoweredSchema),
        required=True,
        metadata=doc("The moves of house players that another level than their own has made, in order of the entries."),
    )
    deadlines = fields.List(fields.Nested(DueSchema), required=True)
    host_pause_left = fields.Integer(required=True, allow_none=True, metadata=doc(HOST_PAUSE_LEFT))
    paused_until = moment(PAUSED_UNTIL, allow_none=True)
    result = fields.Nested(ResultSchema, required=True, allow_none=True)
    created = fields.String(
        required=True,
        metadata=doc(
            "Entry 0 of the log, unchanged: with it the server commits to all chance before anyone has joined."
        ),
    )
    note = note()


class GrantSchema(Schema):
    """More time for seats that owe a move: moves their deadline."""

    seats = fields.List(
        StrictInteger(validate=validate.Range(0, 63)),
        required=True,
        validate=[validate.Length(1, 64), each_once],
        metadata=doc(f"Not your own seats. {SEAT}", example=[1], uniqueItems=True),
    )
    seconds = StrictInteger(
        required=True,
        validate=validate.Range(1, 7 * DAY),
        metadata=doc("At most seven days at a time.", example=DAY),
    )


# --- The moves that you owe -------------------------------------------------------------------------------------------


HELD = (
    "Seconds to hold the request while `If-None-Match` names the current list; then the answer is 304. More "
    "than the server's limit is 422 `wait-too-long`. If the server cannot hold any more requests, the answer "
    "is 503 `no-place`."
)


class TurnsQuerySchema(Schema):
    """How long to wait."""

    wait = fields.Integer(load_default=0, validate=validate.Range(0), metadata=doc(HELD, maximum=25))


class TurnSchema(Schema):
    """A move that you owe."""

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
