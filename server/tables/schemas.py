"""Schemas of games, clocks, seats, and moves that are owed."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate

from engine.record.encoding.members import MOST_SECONDS
from engine.record.log.entry import HANDOVERS
from server.http.schemas import NAME, NEXT, SEAT, HeadSchema, StrictInteger, doc, game_id, moment, note, yes_or_no
from server.kernel import text
from server.log.deadlines import HOLIDAYS
from server.log.kind import MOST_REST_DAYS, is_slow
from server.log.kind import WHY as WHYS
from server.tables import time_controls
from server.tables.waits import WAITS

SITTING_BOTS = ("none", "house", "any")
STATUSES = ("lobby", "running", "finished", "cancelled")
DAY = 86400
SPAN = validate.Range(0, MOST_SECONDS)
HASH_PATTERN = r"^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$(?!\n)"  # 32 bytes and no spare bits
KEY = "A key of `GET /v1/types`"
STATUS = "`lobby`: waiting for players; `running`; `finished`; `cancelled`: before it started."
HIDDEN = (
    "Whether seats have secrets. If so, moves are signed as `sealed` with a separate text, otherwise as `commands`."
)
CLOCK = {
    "move": "Time for each stretch of a seat.",
    "bank": "Time bank for the whole game, used when a stretch takes longer than `move`.",
    "increment": "Added to the bank after each stretch that ends with the seat's own move, up to `cap`.",
    "cap": "The most that the bank holds.",
    "grace": "Grace period after all that. Then the server plays a default move.",
    "missed": (
        "Not seconds: the number of missed stretches in a row after which the seat counts as absent. It then only "
        "gets `grace` until its holder signs any act. 0: never."
    ),
    "grants": "The most that the game's host may give to each seat in the whole game. Time that the server gives "
    "back after an outage does not count.",
}
NEW_CLOCK = (
    "Null: no clock. If left out: the defaults of `Clock`; a game of one seat has none. `bank` is at most "
    "`cap`; `move` plus `bank`, and `grace`, are at least 60 each, otherwise `bad-clock`."
)
HANDOVER = (
    "When another account may take a seat of the running game: `offer`: if its holder offers it; `absent`: if "
    "its holder is absent; `both`: in either case; `none`: never. The seat of a player who resigned cannot be "
    "taken."
)
OFFER_WAIT = (
    "How long an offered seat waits, in seconds, before anyone may take it. Until then its holder can withdraw an "
    "offer that someone else signed with a stolen key. An offer signed with the seat's recovery key does not wait."
)
NEW_OFFER_WAIT = (
    f"{OFFER_WAIT} Default: one `clock.move`, but at least an hour and at most seven days; seven days without a "
    "clock. 0 if `handover` is `none` or `absent`, otherwise `bad-handover`."
)
FREE_FROM = "When an offered seat that still waits can be taken. Null: it can be taken now, or not at all."
TERMS = "SHA-256, in base64url, of a salted text kept elsewhere, such as the rules of a tournament. Null: none."
UNSIGNED = (
    "Whether moves by email are accepted. They are not signed: only this server vouches for their author, and "
    "anyone who can read a player's emails can move for that player."
)
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
    "for you; `cancel`: players want to cancel the game, and you have not answered; `ready`: the table starts when you "
    "are ready; `offer`: your seat is offered, and others may take it; `talk`: messages of the last week that you have "
    "not seen."
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
TOO_QUICK = "Needs a clock that gives a turn at least a day: `move` and `bank` together, in seconds."
MOST_PAUSE = 14
REST = (
    "Days of the week on which no clock of this table runs, from midnight to midnight in `zone`. Only with a clock "
    "that gives a turn at least a day, `move` and `bank` together. Null: none."
)
NEW_HOLIDAYS = (
    "Which holidays of its players count, during which their clock does not run: `yes`; `ahead`: those announced 48 "
    "hours before; `no`. Default: `yes` with a clock that gives a turn at least a day, otherwise `no`, which is then "
    "the only choice."
)
SHOWN_HOLIDAYS = "Which holidays of its players count: `yes`; `ahead`: those announced 48 hours before; `no`."
HOST_PAUSE = "For how many days in all the table's host may pause the running game."
HOST_PAUSE_LEFT = "For how many more days the table's host may pause the running game."
WHY = (
    "Why `deadline` is later than `promised`: rest days (`weekend`), a `holiday`, a `pause`, an `outage` of the "
    "server. Empty for those who have no seat here."
)
SERVERS = (
    "When the server plays a default move. For those who have no seat here it is `promised`, and the server may "
    "wait longer. "
)


def each_once(given: list[Any]) -> None:
    if len(set(given)) < len(given):
        raise ValidationError("each only once")


class RestSchema(Schema):
    """Days of the week on which no clock runs."""

    days = fields.List(
        fields.String(validate=validate.OneOf(text.WEEKDAYS)),
        required=True,
        validate=[validate.Length(1, MOST_REST_DAYS), each_once],
        metadata=doc("At most three.", example=["sat", "sun"], uniqueItems=True),
    )
    zone = fields.String(
        required=True,
        validate=validate.Length(1, 40),
        metadata=doc("The time zone of the table, by its IANA name.", example="Europe/Berlin"),
    )


class ClockSchema(Schema):
    """The time of a seat, in seconds. A *stretch* is the time in which a seat owes moves without a break."""

    move = StrictInteger(load_default=3 * DAY, validate=SPAN, metadata=doc(CLOCK["move"], example=3 * DAY))
    bank = StrictInteger(load_default=0, validate=SPAN, metadata=doc(CLOCK["bank"]))
    increment = StrictInteger(load_default=0, validate=SPAN, metadata=doc(CLOCK["increment"]))
    cap = StrictInteger(validate=SPAN, metadata=doc(f"{CLOCK['cap']} Default: the same as `bank`."))
    grace = StrictInteger(load_default=DAY // 2, validate=SPAN, metadata=doc(CLOCK["grace"]))
    missed = StrictInteger(load_default=2, validate=SPAN, metadata=doc(CLOCK["missed"]))
    grants = StrictInteger(load_default=14 * DAY, validate=SPAN, metadata=doc(CLOCK["grants"]))

    @post_load
    def whole(self, data: dict[str, int], **_: object) -> dict[str, int]:
        return {"cap": data["bank"], **data}


BOTS = (
    "Which bots may join: `none`; `house`: only house players; `any`. People and their own bots do not share a "
    "table unless it is `related`."
)
RELATED = "Whether a person may share the table with their own bots, and those with each other."
STAND_IN = "The level of a house player that takes the seat of an absent player, if `handover` allows it."
DOORS = ("open", "link", "invited")
DOOR = (
    "`open`: in public lists, anyone may join; `link`: in no public list, anyone with its link may join; `invited`: in "
    "no public list, only invited players may join."
)
TALKS = ("seats", "off")
TALK = (
    "Whether those who hold seats may talk: `seats`, or `off`. Nobody else reads it; a player who takes a seat later "
    "reads all of it."
)
LISTED = "Whether it is in public lists of games: whether its `door` is `open`."

ASKS = (
    "Demands on anyone who sits down, also in the running game: otherwise `too-few-games` or `too-often-by-clock`. Not "
    "on its host, on house players, and on players for whom a seat is kept. Null: none."
)
ASKS_GAMES = "The least number of finished games."
ASKS_CLOCK = "The least share of their last turns that they ended in time, in per cent. Players who are `new` pass."
STARTS = ("full", "ready")
START = "When it starts: `full`: as soon as all seats are taken; `ready`: when also all people at it are ready."
ENDS_AT = "When a table that has not started ends; null once it has started or ended."
HOST = "The handle of its host, who leads the table; null: nobody."
HANDLE = (
    "The short name of its player's account, which is unique and never changes, see `GET /v1/players/{handle}`. Null: "
    "the seat is empty, or its player is unknown or a guest."
)
LEVEL = "A level of house players: `easy`, `fair`, `strong`, if this server has them."
KEPT = (
    "For whom the seat is reserved: `person` for an invited player, or the level of a house player, for ten minutes. "
    "Null: not reserved."
)
BOT = "Whether a bot plays it: its account is a bot's, and its join is signed so."


def level(**more: Any) -> fields.String:
    """A level of house players."""
    return fields.String(validate=validate.Regexp(r"^[a-z]{1,10}$(?!\n)"), **more)


class AsksSchema(Schema):
    """The demands of a table on anyone who sits down, by the figures of `GET /v1/players/{handle}`."""

    games = StrictInteger(load_default=0, validate=validate.Range(0, 50), metadata=doc(ASKS_GAMES, example=3))
    clock = StrictInteger(load_default=0, validate=validate.Range(0, 100), metadata=doc(ASKS_CLOCK, example=90))


class HouseSeatSchema(Schema):
    """A seat reserved for a house player."""

    seat = StrictInteger(required=True, validate=validate.Range(0, 63), metadata=doc(SEAT, example=1))
    level = level(required=True, metadata=doc(LEVEL, example="fair"))


class CreateGameSchema(Schema):
    """The choices of the creator."""

    type = fields.String(required=True, validate=validate.Length(1, 40), metadata=doc(f"{KEY}.", example="livingstone"))
    seats = StrictInteger(
        required=True, validate=validate.Range(1, 64), metadata=doc("A number that the type allows.", example=2)
    )
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata=doc("As `GET /v1/types/{key}` specifies."))
    clock = fields.Nested(ClockSchema, allow_none=True, metadata=doc(NEW_CLOCK))
    handover = fields.String(load_default="both", validate=validate.OneOf(HANDOVERS), metadata=doc(HANDOVER))
    offer_wait = StrictInteger(
        load_default=None, allow_none=True, validate=SPAN, metadata=doc(NEW_OFFER_WAIT, example=3 * DAY)
    )
    terms = fields.String(
        load_default=None, allow_none=True, validate=validate.Regexp(HASH_PATTERN), metadata=doc(TERMS)
    )
    unsigned = fields.Boolean(load_default=False, metadata=doc(UNSIGNED))
    bots = fields.String(load_default="any", validate=validate.OneOf(SITTING_BOTS), metadata=doc(BOTS))
    related = fields.Boolean(load_default=False, metadata=doc(RELATED))
    stand_in = level(load_default=None, allow_none=True, metadata=doc(STAND_IN))
    talk = fields.String(load_default="seats", validate=validate.OneOf(TALKS), metadata=doc(TALK))
    door = fields.String(validate=validate.OneOf(DOORS), metadata=doc(f"{DOOR} Default: as `listed` says."))
    start = fields.String(load_default="full", validate=validate.OneOf(STARTS), metadata=doc(START))
    listed = fields.Boolean(load_default=True, metadata=doc("False: `door` is `link` unless you name another."))
    rest = fields.Nested(RestSchema, load_default=None, allow_none=True, metadata=doc(REST))
    holidays = fields.String(validate=validate.OneOf(HOLIDAYS), metadata=doc(NEW_HOLIDAYS))
    host_pause = StrictInteger(load_default=0, validate=validate.Range(0, MOST_PAUSE), metadata=doc(HOST_PAUSE))
    asks = fields.Nested(AsksSchema, load_default=None, allow_none=True, metadata=doc(ASKS))
    house = fields.List(
        fields.Nested(HouseSeatSchema),
        load_default=list,
        validate=validate.Length(0, 64),
        metadata=doc("Seats reserved for house players from the start; `bots` must admit them."),
    )
    edition = fields.Dict(
        keys=fields.String(),
        load_default=None,
        allow_none=True,
        metadata=doc("Your own component data, if the game accepts it. Default: the game's own edition."),
    )

    @post_load
    def whole(self, data: dict[str, Any], **_: object) -> dict[str, Any]:
        """Give a game of several seats a clock unless its creator wants none; only slow clocks may rest."""
        data.setdefault("clock", None if data["seats"] == 1 else ClockSchema().load({}))
        data.setdefault("door", "open" if data.pop("listed") else "link")
        slow = is_slow(data["clock"])
        data.setdefault("holidays", "yes" if slow else "no")
        quick = {"rest": data["rest"] is not None, "holidays": data["holidays"] != "no"}
        if not slow and any(quick.values()):
            raise ValidationError({name: [TOO_QUICK] for name, is_so in quick.items() if is_so})
        return data


class IdempotencySchema(Schema):
    """Requests with the same key are carried out once."""

    key = fields.String(
        data_key="Idempotency-Key",
        validate=validate.Length(1, 100),
        metadata=doc(
            "Any text of your own. The same request with the same key has no further effect, for 30 days unless the "
            "operator has chosen another time."
        ),
    )

    class Meta:
        unknown = "exclude"


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
    talk = fields.String(required=True, validate=validate.OneOf(TALKS), metadata=doc(TALK, **{"x-open": True}))
    door = fields.String(required=True, validate=validate.OneOf(DOORS), metadata=doc(DOOR))
    rest = fields.Nested(RestSchema, required=True, allow_none=True, metadata=doc(REST))
    holidays = fields.String(required=True, validate=validate.OneOf(HOLIDAYS), metadata=doc(SHOWN_HOLIDAYS))
    host_pause = fields.Integer(required=True, metadata=doc(HOST_PAUSE_LEFT))
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
    deadlines = fields.List(fields.Nested(DueSchema), required=True)
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
