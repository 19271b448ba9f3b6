"""The guide of a game: what a player must know to play it here who knows the printed game; and what it looks like."""

from __future__ import annotations

from functools import cache
from itertools import islice

from flask import Response
from markupsafe import Markup

from engine import registry, selfplay
from engine.kit import view
from server.http.page import DRAWING, blueprint, guarded, page
from server.http.resource import conditional
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
    answer = Response(_example(registry.find(key).meta.key), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "public, max-age=3600"
    answer.headers["Content-Security-Policy"] = DRAWING
    return guarded(conditional(answer))


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
    return html(registry.guide(key), below)
