"""The way to the next game that waits for its reader: looked up when he goes it, so a link to it is never old."""

from __future__ import annotations

from typing import Any

from flask import Response, redirect, request

from server.auth.holder import Holder
from server.projections import lists
from server.web.house import above_every_page, blueprint, guarded, reader, services


@blueprint.get("/next")
def next_page() -> Response:
    """To the most urgent game where the reader owes a move, another one than `from`; to the front page without one."""
    who = reader()
    owed = _owed(who)
    others = [game for game in owed if game != request.args.get("from")]
    answer = redirect(f"/games/{(others or owed)[0]}" if owed else "/", 303)
    answer.headers["Cache-Control"] = "no-store"
    return guarded(answer)  # type: ignore[arg-type]  # werkzeug's, which Flask's own class is made of


@above_every_page
def _what_is_owed(who: Holder | None) -> dict[str, Any]:
    return {"owed": _owed(who)}


def _owed(who: Holder | None) -> list[str]:
    """The games in which the reader owes a move that can be made."""
    found = [] if who is None else lists.turns(services(), who.account_id)
    return [one["game"] for one in found if not one["stopped"]]
