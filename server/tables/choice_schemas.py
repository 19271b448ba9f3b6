"""Schemas of what the creator of a game chooses, and the words for it, which lists and games repeat."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate

from engine.record.encoding.members import MOST_SECONDS
from engine.record.log.entry import HANDOVERS
from server.http.schemas import SEAT, StrictInteger, doc
from server.kernel import text
from server.log.deadlines import HOLIDAYS
from server.log.kind import MOST_REST_DAYS, is_slow

SITTING_BOTS = ("none", "house", "any")
DAY = 86400
SPAN = validate.Range(0, MOST_SECONDS)
HASH_PATTERN = r"^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$(?!\n)"  # 32 bytes and no spare bits
KEY = "A key of `GET /v1/types`"
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
TERMS = "SHA-256, in base64url, of a salted text kept elsewhere, such as the rules of a tournament. Null: none."
UNSIGNED = (
    "Whether moves by email are accepted. They are not signed: only this server vouches for their author, and "
    "anyone who can read a player's emails can move for that player."
)
TOO_QUICK = "Needs a clock that gives a turn at least a day: `move` and `bank` together, in seconds."
MOST_PAUSE = 14
HINTS = (
    "Whether a player who owes a move may ask a house player for a hint (`POST /v1/games/{id}/hint`). Everyone sees "
    "who had one."
)
REST = (
    "Days of the week on which no clock of this table runs, from midnight to midnight in `zone`. Only with a clock "
    "that gives a turn at least a day, `move` and `bank` together. Null: none."
)
NEW_HOLIDAYS = (
    "Which holidays of its players count, during which their clock does not run: `yes`; `ahead`: those announced 48 "
    "hours before; `no`. Default: `yes` with a clock that gives a turn at least a day, otherwise `no`, which is then "
    "the only choice."
)
HOST_PAUSE = "For how many days in all the table's host may pause the running game."


def each_once(given: list[Any]) -> None:
    if len(set(given)) < len(given):
        raise ValidationError("each only once")


class RestSchema(Schema):
    """Days of the week on which no clock runs."""

    days = fields.List(
        fields.String(validate=validate.OneOf(text.WEEKDAYS)),
        required=True,
        validate=[validate.Length(1, MOST_REST_DAYS), each_once],
        metadata=doc("At most three, each once.", example=["sat", "sun"]),
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
ASKS = (
    "Demands on anyone who sits down, also in the running game: otherwise `too-few-games` or `too-often-by-clock`. Not "
    "on its host, on house players, and on players for whom a seat is kept. Null: none."
)
ASKS_GAMES = "The least number of finished games."
ASKS_CLOCK = "The least share of their last turns that they ended in time, in per cent. Players who are `new` pass."
STARTS = ("full", "ready")
START = "When it starts: `full`: as soon as all seats are taken; `ready`: when also all people at it are ready."
LEVEL = "A level of house players: `easy`, `fair`, `strong`, if this server has them."


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
    hints = fields.Boolean(load_default=False, metadata=doc(HINTS))
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
