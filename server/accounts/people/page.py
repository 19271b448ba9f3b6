"""Forms that block a player, or end that."""

from __future__ import annotations

from flask import Response, request

from server.accounts.people import write
from server.http.page import blueprint, redirect_to, safe_path, services, signed_in


@blueprint.post("/account/blocks/<handle>")
def block_page(handle: str) -> Response:
    """Block or unblock; back to the page of the form."""
    act = write.unblock if request.form.get("end") == "yes" else write.block
    act(services(), signed_in().account_id, handle)
    return redirect_to(safe_path(request.form.get("back")) or "/account#blocks")
