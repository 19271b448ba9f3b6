"""The guides of games: pages and pictures."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

from flask import Response
from markupsafe import Markup

from engine import guides, lessons, registry, selfplay
from engine.kit import board_of, view
from server.http.etags import conditional
from server.http.page import DRAWING, blueprint, guarded, page
from server.http.schemas import MOST
from server.kernel.errors import Problem
from server.play.markdown import html

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Flo")
SEATS = 3
FAR = 90  # commands into a game, so that the picture shows something


@blueprint.get("/play/<key>")
def guide_page(key: str) -> Response:
    """The guide of a game; 404 if there is no such game."""
    game = registry.find(key)
    shown: dict[str, Any] = {
        "guide": guide_of(key, below=0),
        "lesson": lessons.lesson(key),
        "source": registry.source(key),
    }
    return page("guide.html", key=key, title=game.meta.title, meta=game.meta, **shown)


@blueprint.get("/play/<key>/picture.svg")
def example_picture(key: str) -> Response:
    """The board of a made-up game, the same for everybody."""
    return drawing(example(registry.find(key).meta.key))


@blueprint.get(f"/play/<key>/golden/<name>/<int(max={MOST}):moves>.svg")
def guide_picture(key: str, name: str, moves: int) -> Response:
    """A picture in the guide. 404 for other positions: each needs a replay to draw."""
    shown = next((one for one in guides.pictures(key) if (one.golden, one.moves) == (name, moves)), None)
    if shown is None:
        raise Problem("not-found")
    return drawing(_drawn(key, shown))


def drawing(svg: str) -> Response:
    """The answer with a picture that everybody may keep for an hour."""
    answer = Response(svg, mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "public, max-age=3600"
    answer.headers["Content-Security-Policy"] = DRAWING
    return guarded(conditional(answer))


_drawn = cache(guides.svg)  # replays for up to half a second, once


@cache
def example(key: str) -> str:
    """A random game seeded with the game's name: takes a tenth of a second, once."""
    game = registry.find(key)
    fewest, most = game.meta.seats
    seats = max(fewest, min(SEATS, most))
    *_, last = islice(selfplay.walk(game, seats, game.meta.options(), selfplay.seed_of(key)), FAR)
    return board_of(game.picture(view(game, last.after, None), NAMES[:seats]))


@cache
def guide_of(key: str, below: int) -> Markup:
    """A game's guide, with its headings that many levels lower. Cached: rendering takes 20 ms."""
    return html(registry.guide(key), below, f"/play/{key}")
