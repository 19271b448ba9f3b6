"""The picture that messengers and social sites show beside a link to a game: the board as everyone may see it.

They read PNG, not SVG. A picture is drawn once for a position; a site asks for one when somebody sends a link.
"""

from __future__ import annotations

from functools import lru_cache
from uuid import UUID
from xml.parsers import expat

from flask import Response
from resvg import render, usvg

from server.http.etags import conditional_ahead
from server.http.page import blueprint, guarded, services
from server.kernel.errors import Problem
from server.kernel.logs import log
from server.play import read
from server.play.guide import example

AS_IT_IS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
WHITE = (255, 255, 255, 255)
KEPT = 64  # pictures in memory, of some 100 kB each
A_MINUTE = 60


@blueprint.get("/games/<uuid:game_id>/preview.png")
def social_picture(game_id: UUID) -> Response:
    """The public view, whoever asks; before the start an example of the game."""
    at = read.perspective(services(), str(game_id), None)

    def drawn() -> Response:
        made = png(example(at.game.type) if at.table.state is None else read.picture(at))
        if made is None:
            raise Problem("not-found")
        return Response(made, mimetype="image/png")

    answer = conditional_ahead(f"social {at.game.type} {at.fingerprint}", drawn)
    answer.headers["Cache-Control"] = f"public, max-age={A_MINUTE}"
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # it is made to be shown elsewhere
    return guarded(answer)


@lru_cache(maxsize=KEPT)
def png(svg: str) -> bytes | None:
    """The drawing; None if it cannot be drawn."""
    try:
        expat.ParserCreate().Parse(svg, True)  # of broken XML the renderer would panic
        options = usvg.Options.default()
        options.load_system_fonts()
        return bytes(render(usvg.Tree.from_str(svg, options), AS_IT_IS, bg_color=WHITE))
    except BaseException as wrong:  # a panic of the renderer is not an Exception, and must cost only the picture
        if not isinstance(wrong, (ValueError, RuntimeError, expat.ExpatError)) and type(wrong).__name__ != PANIC:
            raise
        log.warning("not-drawn", error=type(wrong).__name__)  # its message may quote the drawing
        return None


PANIC = "PanicException"  # found by name, because no module exports it
