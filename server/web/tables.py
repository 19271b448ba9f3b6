"""The lobby: tables with their filters, which are an address and need no script, and the form that opens one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from flask import Response, request
from marshmallow import ValidationError

from engine import registry
from engine.record.log.entry import HANDOVERS
from server import paces, wording
from server.api.schemas.games import SITTING_BOTS, GamesQuerySchema
from server.projections import lists
from server.usecases import house
from server.web import choosing
from server.web.house import blueprint, page, reader, services
from server.web.rows import kinds, rows

A_PAGE = 30
OWN = ("mine", "made")
STATUSES = (("lobby", "open"), ("running", "being played"), ("finished", "over"), ("cancelled", "cancelled"))
BOTS = {"any": "People and bots", "house": "People and house players", "none": "People only"}

CHANGE = {
    "both": "If it is offered, or its holder is absent",
    "absent": "If its holder is absent",
    "offer": "If it is offered",
    "none": "Never",
}


@blueprint.get("/tables")
def tables_page() -> Response:
    """Tables, newest first. A filter that cannot be read counts as left out: nobody is refused a list."""
    who = reader()
    asked = _asked(signed_in=who is not None)
    found = lists.listed(services(), asked, A_PAGE, who.account_id if who else None)
    shown = {name: value for name, value in asked.items() if name != "after"}
    return page(
        "tables.html",
        tables=rows(found["games"]),
        asked=asked,
        kinds=kinds(),
        paces=paces.PACES,
        statuses=STATUSES,
        next=f"/tables?{urlencode(_spelled(shown | {'after': found['next']}))}" if found["next"] else None,
    )


def _asked(*, signed_in: bool) -> dict[str, Any]:
    given = {name: value for name, value in request.args.items() if value and (signed_in or name not in OWN)}
    given = given if request.args else {"status": "lobby"}
    schema = GamesQuerySchema(unknown="exclude")
    try:
        return _kept(schema.load(given))
    except ValidationError as no:
        return _kept(schema.load({name: value for name, value in given.items() if name not in no.messages_dict}))


def _kept(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if name != "limit"}


def _spelled(asked: Mapping[str, Any]) -> dict[str, str]:
    """Filters as an address says them: `true`, not `True`."""
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in asked.items()}


@blueprint.get("/tables/new")
def new_table_page() -> Response:
    """The form: for the game that the address names, with the choices that the game's schema has."""
    known = registry.games()
    game = known.get(request.args.get("type", "")) or next(iter(known.values()))
    fewest, most = game.meta.seats
    return page(
        "new_table.html",
        kind=game.meta,
        kinds=kinds(),
        choices=choosing.choices(game.meta.options),
        counts=range(fewest, most + 1),
        usual=min(max(2, fewest), most),
        levels=house.shown(services())["levels"],
        paces=[(pace, wording.clock(pace.clock)) for pace in paces.PACES],
        usual_pace=paces.USUAL,
        handovers=[(how, CHANGE[how]) for how in reversed(HANDOVERS)],
        bots=[(who, BOTS[who]) for who in reversed(SITTING_BOTS)],
        unsigned=wording.UNSIGNED,
    )
