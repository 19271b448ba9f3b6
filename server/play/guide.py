"""The guide of a game: what a player must know to play it here who knows the printed game; and what it looks like."""

from __future__ import annotations

from functools import cache
from itertools import islice

from flask import Response
from markupsafe import Markup

from engine import guides, registry, selfplay
from engine.kit import view
from server.http.page import DRAWING, blueprint, guarded, page
from server.http.resource import conditional
from server.kernel.errors import Problem
from server.play.markdown import html

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Flo")
SEATS = 3
FAR = 90  # commands into a game there is something to be seen


@blueprint.get("/play/<key>")
def guide_page(key: str) -> Response:
    """404, if there is no such game."""
    game = registry.find(key)
    return page("guide.html", title=game.meta.title, guide=guide_of(key, below=0))


@blueprint.get("/play/<key>/picture.svg")
def example_picture(key: str) -> Response:
    """A position of a game that nobody has played, the same for everybody."""
    return _drawing(_example(registry.find(key).meta.key))


@blueprint.get("/play/<key>/golden/<name>/<int:moves>.svg")
def guide_picture(key: str, name: str, moves: int) -> Response:
    """A picture of the guide. 404 for every other position: each takes a replay to draw."""
    shown = next((one for one in guides.pictures(key) if (one.golden, one.moves) == (name, moves)), None)
    if shown is None:
        raise Problem("not-found")
    return _drawing(_drawn(key, shown))


def _drawing(svg: str) -> Response:
    answer = Response(svg, mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "public, max-age=3600"
    answer.headers["Content-Security-Policy"] = DRAWING
    return guarded(conditional(answer))


_drawn = cache(guides.svg)  # a replay of up to half a second, once


@cache
def _example(key: str) -> str:
    """Played at random from the game's own name: a tenth of a second, once."""
    game = registry.find(key)
    fewest, most = game.meta.seats
    seats = max(fewest, min(SEATS, most))
    *_, last = islice(selfplay.walk(game, seats, game.meta.options(), selfplay.seed_of(key)), FAR)
    return str(game.picture(view(game, last.after, None), NAMES[:seats]))


@cache
def guide_of(key: str, below: int) -> Markup:
    """A game's guide; as a part of another page its headings are so many levels lower. Drawn once: it takes 20 ms."""
    return html(registry.guide(key), below, f"/play/{key}")
