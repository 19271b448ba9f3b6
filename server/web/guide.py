"""The guide of a game: what a player must know to play it here, for whoever knows the printed game."""

from __future__ import annotations

from flask import Response

from engine import registry
from server.web.house import blueprint, page
from server.web.markdown import html


@blueprint.get("/play/<key>")
def guide_page(key: str) -> Response:
    """404, if there is no such game."""
    game = registry.find(key)
    return page("guide.html", title=game.meta.title, guide=html(registry.guide(key)))
