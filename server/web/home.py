"""The front page: whose move it is for who is signed in, a game at once, a table of one's own, and what is played."""

from __future__ import annotations

from typing import Any

from flask import Response

from engine import registry
from server.projections import lists
from server.usecases import house
from server.web.house import blueprint, page, reader, services
from server.web.rows import kinds, own_rows, rows

LISTS = (("running", "Being played", 10), ("finished", "Lately over", 10))
OPEN, MINE = 10, 12


@blueprint.get("/")
def front() -> Response:
    """Anybody's page; one's own games stand first."""
    who = reader()
    mine = [] if who is None else lists.mine(services(), who.account_id, {"order": "urgent"}, MINE + 1)["games"]
    return page(
        "home.html",
        mine=own_rows(mine[:MINE], services().now()),
        more=len(mine) > MINE,
        open=_listed({"status": "lobby", "free": True}, OPEN),
        lists=[(status, heading, _listed({"status": status}, most)) for status, heading, most in LISTS],
        kinds=kinds(),
        levels=house.shown(services())["levels"],
        most=max((game.meta.seats[1] for game in registry.games().values()), default=0),
    )


def _listed(asked: dict[str, Any], most: int) -> list[dict[str, Any]]:
    return rows(lists.listed(services(), asked, most)["games"])
