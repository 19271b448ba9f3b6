"""The front page: what this is, and the games that are open, being played, or lately over."""

from __future__ import annotations

from typing import Any

from flask import Response

from engine import registry
from server.projections import lists
from server.web.house import blueprint, page, services
from server.wording import badged

MOST = 30
LISTS = (("lobby", "Open", 30), ("running", "Being played", 30), ("finished", "Lately over", 10))


@blueprint.get("/")
def front() -> Response:
    """Anybody's page."""
    lists = [(status, heading, _listed(status, most)) for status, heading, most in LISTS]
    return page("home.html", lists=lists, types=[_type(game) for game in registry.games().values()])


def _listed(status: str, most: int) -> list[dict[str, Any]]:
    found = lists.listed(services(), {"status": status}, most)
    return [_row(game) for game in found["games"]]


def _row(game: dict[str, Any]) -> dict[str, Any]:
    names = [badged(seat["name"], bot=seat["bot"]) for seat in game["seats"] if seat["name"] is not None]
    return game | {"title": title_of(game["type"]), "names": names, "number": game["id"][:4]}


def title_of(key: str) -> str:
    """A game's title; its key, if the game is no longer here."""
    found = registry.games().get(key)
    return key if found is None else found.meta.title


def _type(game: Any) -> dict[str, Any]:
    fewest, most = game.meta.seats
    players = f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
    return {"key": game.meta.key, "title": game.meta.title, "players": players, "year": game.meta.year,
            "designers": game.meta.designers}  # fmt: skip
