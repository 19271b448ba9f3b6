"""The guide of a game: what a player must know to play it here, for whoever knows the printed game."""

from __future__ import annotations

from functools import cache

from flask import Response
from markupsafe import Markup

from engine import registry
from server.web.house import blueprint, page
from server.web.markdown import html


@blueprint.get("/play/<key>")
def guide_page(key: str) -> Response:
    """404, if there is no such game."""
    game = registry.find(key)
    return page("guide.html", title=game.meta.title, guide=html(registry.guide(key)))


@cache
def guide_of(key: str, below: int) -> Markup:
    """A game's guide as a part of another page, its headings so many levels lower."""
    return html(registry.guide(key), below)
