"""The analysis as a page, with a button that requests it."""

from __future__ import annotations

from uuid import UUID

from flask import Response, request

from engine.analysis import curve, words
from engine.analysis.results import LEAST_LOST
from server.http.page import DRAWING, blueprint, guarded, page, reader, redirect_to, services, signed_in
from server.play import read
from server.play.analysis import rows, sentences
from server.tables.read import title_of


@blueprint.get("/games/<uuid:game_id>/analysis")
def analysis_page(game_id: UUID) -> Response:
    """The turning points and the chances, or the button."""
    answer, at = rows.answer(services(), str(game_id)), _perspective(game_id)
    players = sentences.people(services(), at)
    return page(
        "analysis.html",
        game=at.game,
        type_title=title_of(at.game.type),
        state=answer.state,
        points=sentences.points(answer.found, players) if answer.found else [],
        table=sentences.table(answer.found, players) if answer.found else [],
        names=at.names,
        opinion=words.opinion(answer.found) if answer.found else "",
        least=words.per_hundred(LEAST_LOST),
    )


@blueprint.post("/games/<uuid:game_id>/analysis")
def request_analysis_page(game_id: UUID) -> Response:
    """Request it."""
    signed_in()
    rows.request(services(), str(game_id))
    return redirect_to(f"/games/{game_id}/analysis")


@blueprint.get("/games/<uuid:game_id>/analysis.svg")
def analysis_picture(game_id: UUID) -> Response:
    """The curve of the chances; `palette=dark` for dark pages."""
    answer, at = rows.answer(services(), str(game_id)), _perspective(game_id)
    dark = request.args.get("palette") == "dark"
    drawn = curve.picture(answer.found, at.names, "dark" if dark else "light") if answer.found else ""
    found = Response(drawn, 200 if drawn else 404, mimetype="image/svg+xml")
    found.headers["Content-Security-Policy"] = DRAWING
    found.headers["Cache-Control"] = "no-cache"
    return guarded(found)


def _perspective(game_id: UUID) -> read.Perspective:
    who = reader()
    return read.perspective(services(), str(game_id), who.account_id if who else None)
