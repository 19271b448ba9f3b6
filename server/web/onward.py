"""The way to the next game that waits for its reader: looked up when he goes it, so a link to it is never old."""

from __future__ import annotations

from flask import Response, redirect, request

from server.projections import lists
from server.web.house import blueprint, guarded, reader, services


@blueprint.get("/next")
def next_page() -> Response:
    """To the most urgent game where the reader owes a move, another one than `from`; to the front page without one."""
    who = reader()
    owed = [] if who is None else [one["game"] for one in lists.turns(services(), who.account_id) if not one["stopped"]]
    others = [game for game in owed if game != request.args.get("from")]
    answer = redirect(f"/games/{(others or owed)[0]}" if owed else "/", 303)
    answer.headers["Cache-Control"] = "no-store"
    return guarded(answer)  # type: ignore[arg-type]  # werkzeug's, which Flask's own class is made of
