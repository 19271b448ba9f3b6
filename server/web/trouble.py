"""A problem as a page: the same title and sentence as the API's document, for whoever came with a browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from server.web.house import page

# Nothing but words of ours and of the games: a page for a mistyped address tells nothing about other addresses.
WAYS_ON: Mapping[str, str] = {
    "bad-link": "Ask for a new link; the newest mail has it.",
    "not-found": "Perhaps the address was cut off by a mail program.",
    "no-such-game": "Perhaps the address was cut off by a mail program.",
    "too-many-requests": "Wait a minute, then try again.",
    "lines-missing": "Nothing that was signed is lost as long as one player has it, and no clock runs meanwhile.",
    "game-stopped": "Nothing is lost, and no clock runs meanwhile.",
}


def problem_page(body: Mapping[str, Any]) -> Response:
    """The page of a problem document; `detail` and `code` stand as they are."""
    status = int(body["status"])
    says = body.get("detail") or WAYS_ON.get(body["code"])
    return page("trouble.html", status=status, secret=True, title=body["title"], says=says, code=body["code"])
