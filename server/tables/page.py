"""The pages of tables: the front page, the list with its filters, the form that opens one, and the next turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from flask import Response, redirect, request
from marshmallow import ValidationError

from engine import lessons, registry
from engine.game import Options
from engine.kit import choices as words
from engine.kit import count
from engine.record.log.entry import HANDOVERS
from server.http import origin
from server.http.page import blueprint, frame_facts, guarded, page, reader, services
from server.kernel import text
from server.kernel.text import badged, distinct_names, span
from server.tables import house_players, lists, time_controls
from server.tables.choice_schemas import SITTING_BOTS
from server.tables.invitations import read as invitations
from server.tables.read import title_of
from server.tables.schemas import GamesQuerySchema

A_PAGE = 30
OWN = ("mine", "made")
STATUSES = (
    ("lobby", "waiting for players"),
    ("running", "running"),
    ("finished", "finished"),
    ("cancelled", "cancelled"),
)
BOTS = {"any": "People and bots", "house": "People and house players", "none": "People only"}

CHANGE = {
    "both": "If its player offers it or is absent",
    "absent": "If its player is absent",
    "offer": "If its player offers it",
    "none": "Never",
}

# Seconds that an offered seat may wait, to choose from.
WAITS = (0, time_controls.HOUR, *(days * time_controls.DAY for days in (1, 3, 7)))

# Days of the week without a clock, to choose from, and days for which a host may pause a game.
RESTS = (("", "none"), ("sat sun", "Saturdays and Sundays"), ("sun", "Sundays"), ("fri sat", "Fridays and Saturdays"))
HOLIDAYS = {"yes": "Count", "ahead": "Count if announced 48 hours ahead", "no": "Do not count"}
ASKS_GAMES = ((0, "any number"), *((least, f"at least {least}") for least in (1, 3, 10, 25)))
ASKS_CLOCK = ((0, "any share"), *((least, f"at least {least}%") for least in (80, 90, 95)))
PAUSES = ((7, "up to 7 days in all"), (14, "up to 14 days in all"), (0, "not at all"))

frame_facts(lists.frame_facts)


@blueprint.get("/tables")
def tables_page() -> Response:
    """Tables, newest first. An invalid filter is ignored, so the page always shows a list."""
    principal = reader()
    filters = _filters(signed_in=principal is not None)
    account_id = principal.account_id if principal else None
    found = lists.games(services(), filters, A_PAGE, account_id)
    if not found["games"] and not request.args:  # nothing to join: show what there is
        filters = {}
        found = lists.games(services(), filters, A_PAGE, account_id)
    shown = {name: value for name, value in filters.items() if name != "after"}
    return page(
        "tables.html",
        tables=rows(found["games"]),
        asked=filters,
        kinds=kinds(),
        paces=time_controls.TIME_CONTROLS,
        statuses=STATUSES,
        next=f"/tables?{urlencode(_spelled(shown | {'after': found['next']}))}" if found["next"] else None,
    )


def _filters(*, signed_in: bool) -> dict[str, Any]:
    given = {name: value for name, value in request.args.items() if value and (signed_in or name not in OWN)}
    given = given if request.args else {"status": "lobby"}
    schema = GamesQuerySchema(unknown="exclude")
    try:
        return _remembered_filters(schema.load(given))
    except ValidationError as no:
        return _remembered_filters(
            schema.load({name: value for name, value in given.items() if name not in no.messages_dict})
        )


def _remembered_filters(filters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in filters.items() if name != "limit"}


def _spelled(filters: Mapping[str, Any]) -> dict[str, str]:
    """Filters as they are in a URL: `true`, not `True`."""
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in filters.items()}


@blueprint.get("/tables/new")
def new_table_page() -> Response:
    """The form for the game in the URL, with the options of that game's schema."""
    known = registry.games()
    game = known.get(request.args.get("type", "")) or next(iter(known.values()))
    fewest, most = game.meta.seats
    return page(
        "new_table.html",
        kind=game.meta,
        kinds=kinds(),
        choices=choices(game.meta.options),
        counts=range(fewest, most + 1),
        usual=min(max(2, fewest), most),
        levels=house_players.overview(services())["levels"],
        paces=[(pace, text.clock(pace.clock)) for pace in time_controls.TIME_CONTROLS],
        usual_pace=time_controls.USUAL,
        handovers=[(how, CHANGE[how]) for how in reversed(HANDOVERS)],
        offer_waits=[(wait, text.seconds(wait) if wait else "not at all") for wait in WAITS],
        bots=[(who, BOTS[who]) for who in reversed(SITTING_BOTS)],
        unsigned=text.UNSIGNED,
        clock_words=text.CLOCK,
        rests=RESTS,
        holidays=HOLIDAYS.items(),
        pauses=PAUSES,
        asks=(("asks_games", "Finished games", ASKS_GAMES), ("asks_clock", "Turns in time", ASKS_CLOCK)),
    )


# --- The options of a new table as the fields of a form, from their schema alone (pure) -------------------------------
# A choice is a `select` of its values, a yes-or-no option a checkbox, a number a field with its bounds; `only` gives
# the choices with which it has an effect, in words and as data.


Schema = Mapping[str, Any]


def choices(kind: type[Options]) -> list[dict[str, Any]]:
    """Each option: its name, title, kind, possible values and default."""
    found = words.options_schema(kind).get("properties", {})
    return [_choice(name, one, found) for name, one in found.items() if _kind(one) is not None]


def _choice(name: str, one: Schema, others: Mapping[str, Schema]) -> dict[str, Any]:
    return {
        "name": name,
        "title": _title(name, one),
        "kind": _kind(one),
        "default": one.get("default"),
        "choices": [(value, _word(one, value)) for value in _values(one)],
        "least": one.get("minimum"),
        "most": one.get("maximum"),
        "only": [_only(other, value, others) for other, value in one.get("x-only", {}).items()],
    }


def _title(name: str, one: Schema) -> str:
    return str(one.get("title", name.replace("_", " ").capitalize()))


def _kind(one: Schema) -> str | None:
    """The kind of form field; None for an option that no form field fits, which keeps its default."""
    if "enum" in one:
        return "choice"
    return {"boolean": "yes-no", "integer": "number"}.get(one.get("type", ""))


def _values(one: Schema) -> list[Any]:
    """In the order of the game's own words; the schema lists values alphabetically."""
    named = list(one.get("x-words", {}))
    return sorted(one.get("enum", ()), key=lambda value: named.index(str(value)) if str(value) in named else len(named))


def _word(one: Schema, value: Any) -> str:
    return str(one.get("x-words", {}).get(str(value)) or value)


def _only(name: str, value: Any, others: Mapping[str, Schema]) -> tuple[str, str, str]:
    """The other option, its value, and the value in words."""
    if name == "seats":
        return name, str(value), count(value, "player")
    return name, str(value).lower(), _word(others[name], value)


# --- The front page ---------------------------------------------------------------------------------------------------
# the reader's own games, a quick start, the form for a new table, and the list of games.


LISTS = (("running", "Running games", 10), ("finished", "Recently finished", 10))
OPEN, MINE = 10, 12


@blueprint.get("/")
def front() -> Response:
    """The front page; for a signed-in reader their own games come first."""
    mine = _own()
    return page(
        "home.html",
        mine=mine[:MINE],
        more=len(mine) > MINE,
        open=_game_rows({"status": "lobby", "free": True}, OPEN),
        lists=[(status, heading, _game_rows({"status": status}, most)) for status, heading, most in LISTS],
        **quick_start(),
    )


def quick_start() -> dict[str, Any]:
    """The facts of the form "Play now" (`play_now.html`)."""
    return {
        "kinds": kinds(),
        "guests": services().settings.most_guests and origin.cookie_name() is not None,
        "levels": house_players.overview(services())["levels"],
        "most": max((game.meta.seats[1] for game in registry.games().values()), default=0),
    }


def _own() -> list[Row]:
    """The reader's own tables and those that keep a seat for them, with the inviter; one too many."""
    principal = reader()
    if principal is None:
        return []
    found = lists.own_games(services(), principal.account_id, {"order": "urgent", "kept": True}, MINE + 1)["games"]
    kept = {one["id"]: one for one in invitations.received(services(), principal.account_id)}
    gone = {"own": False, "by": None}
    return [row | {"kept": kept.get(row["invitation"], gone)} for row in own_rows(found, services().now())]


def _game_rows(filters: dict[str, Any], most: int) -> list[dict[str, Any]]:
    who = reader()
    return rows(lists.games(services(), filters, most, who.account_id if who else None)["games"])


# --- Games as rows of a page ------------------------------------------------------------------------------------------


Row = dict[str, Any]


def rows(games: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Games of a list, with names and badges as people read them."""
    return [_row(game) for game in games]


def _row(game: Mapping[str, Any]) -> Row:
    return {
        **game,
        "title": title_of(game["type"]),
        "lacks_rules": game["stopped"] and not registry.has(game["type"], game["rules"]),
        "number": game["id"][:4],
        "players": _players(game["seats"]),
        "free_from": min(
            (datetime.fromisoformat(one["free_from"]) for one in game["seats"] if one["free_from"]), default=None
        ),
        "kept": [seat["kept"] for seat in game["seats"] if seat["kept"] and seat["name"] is None],
    }


def _players(seats: Sequence[Mapping[str, Any]], but: int | None = None) -> list[Row]:
    """The players, without the one at seat `but`, with their handles; names that look alike show their seats."""
    named = distinct_names([seat["name"] and badged(seat["name"], bot=seat["bot"]) for seat in seats])
    return [
        {"name": name, "handle": seat["handle"]}
        for seat, name in zip(seats, named, strict=True)
        if name is not None and seat["seat"] != but
    ]


def own_rows(games: Sequence[Mapping[str, Any]], now: datetime) -> list[Row]:
    """Rows of the reader's own games, with the time left and the other players."""
    return [_row(game) | {"others": _others(game), "left": _left(game, now)} for game in games]


def _others(game: Mapping[str, Any]) -> list[str]:
    return [one["name"] for one in _players(game["seats"], game["seat"])]


def _left(game: Mapping[str, Any], now: datetime) -> str | None:
    if not game["owes"] or game["deadline"] is None:
        return None
    due = datetime.fromisoformat(game["deadline"])
    return f"{span(due - now)} left" if now < due else "time is up"


def kinds() -> list[dict[str, Any]]:
    """The games that can be played here."""
    return [_row_kind(game.meta) for game in registry.games().values()]


def _row_kind(meta: Any) -> dict[str, Any]:
    fewest, most = meta.seats
    return {
        "key": meta.key,
        "title": meta.title,
        "players": count(most, "player") if fewest == most else f"{fewest} to {most} players",
        "fewest": fewest,
        "most": most,
        "year": meta.year,
        "designers": meta.designers,
        "steps": len(taught.steps) if (taught := lessons.lesson(meta.key)) else 0,
    }


# --- The next game that waits for the reader --------------------------------------------------------------------------
# looked up when the link is followed, so the link never goes stale.


@blueprint.get("/next")
def next_page() -> Response:
    """Redirect to the most urgent game in which the reader owes a move, other than `from`, or to the front page."""
    principal = reader()
    owed = lists.owed(services(), principal.account_id if principal else None)
    others = [game for game in owed if game != request.args.get("from")]
    answer = redirect(f"/games/{(others or owed)[0]}" if owed else "/", 303)
    answer.headers["Cache-Control"] = "no-store"
    return guarded(answer)  # type: ignore[arg-type]  # werkzeug's, which Flask's own class is made of
