"""The page of a player, and forms that block a player or end a block."""

from __future__ import annotations

from flask import Response, request

from server.accounts.people import read, write
from server.http.page import blueprint, page, reader, redirect_to, safe_path, services, signed_in
from server.kernel import text
from server.tables import players


@blueprint.get("/players/<handle>")
def player_page(handle: str) -> Response:
    """The figures of a player, which search engines must not index."""
    found, who = players.show(services(), handle), reader()
    answer = page(
        "player.html",
        player=found,
        shown=text.badged(found["name"], bot=found["bot"]),
        pace=None if found["pace"] is None else text.seconds(found["pace"]),
        fewest=players.FEWEST,
        least_people=players.OTHERS,
        is_own=who is not None and read.handle_of(services(), who.account_id) == handle,
        is_blocked=who is not None and handle in [one["handle"] for one in read.blocks(services(), who.account_id)],
    )
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


@blueprint.post("/account/blocks/<handle>")
def block_page(handle: str) -> Response:
    """Block or unblock; back to the page of the form."""
    act = write.unblock if request.form.get("end") == "yes" else write.block
    act(services(), signed_in().account_id, handle)
    return redirect_to(safe_path(request.form.get("back")) or "/account#blocks")
