"""No more mail about one game: a page with a button, and the one-click POST of mail programs (RFC 8058).

Only POST changes anything, needs no cookie, and answers 200 without a redirect, as RFC 8058 asks.
"""

from __future__ import annotations

from flask import Response, request

from server.projections.games import game_row
from server.projections.types import title_of
from server.usecases.mute import game_of, mute
from server.web.house import blueprint, page, services


@blueprint.get("/u/<token>")
def unsubscribe_page(token: str) -> Response:
    """Only a button."""
    return _page("ask", game_of(services(), token))


@blueprint.post("/u/<token>")
def unsubscribe(token: str) -> Response:
    """Stop the mail; with `again=yes`, the page's own button, want it again."""
    wanted = request.form.get("again") == "yes"
    game_id = mute(services(), token, muted=not wanted)
    return _page("wanted" if wanted else "stopped", game_id)


def _page(stage: str, game_id: str) -> Response:
    with services().database.read() as session:
        title = title_of(game_row(session, game_id).type)
    return page("unsubscribe.html", secret=True, stage=stage, title=title, game_id=game_id)
