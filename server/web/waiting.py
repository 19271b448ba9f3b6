"""Behind the link in a mail about what waits: what it is, and buttons that cancel it or say yes; by POST alone.

The link's token is what allows it, so nobody has to be signed in. Whoever reads the mail of the new address can say
yes and nothing else; whoever reads that of the old one can cancel, too.
"""

from __future__ import annotations

from typing import Any

from flask import Response, request

from server import cookies
from server.auth.holder import Holder
from server.db.models import WaitingAct
from server.errors import Problem
from server.projections import account
from server.usecases import address
from server.web.house import above_every_page, blueprint, page, services


@blueprint.get("/waiting/<token>")
def waiting_page(token: str) -> Response:
    """What waits, with buttons."""
    act, side = address.read(services(), token)
    return _page("ask", act, side)


@blueprint.post("/waiting/<token>")
def answer_page(token: str) -> Response:
    """Yes, or cancel it."""
    if not cookies.is_same_origin():
        raise Problem("other-origin")
    if request.form.get("do") == "cancel":
        return _page("cancelled", address.cancel(services(), token), "old")
    act = address.confirm(services(), token)
    return _page("done" if act.ended_at is not None else "said", act, "old")


def _page(stage: str, act: WaitingAct, side: str) -> Response:
    said: dict[str, Any] = {"act": act.act, "about": act.about, "due": act.due_at, "signed": act.is_signed}
    return page("waiting.html", secret=True, stage=stage, side=side, **said)


@above_every_page
def _waits(who: Holder | None) -> dict[str, Any]:
    """What happens in some days unless the reader cancels it."""
    return {"waits": [] if who is None else account.waiting(services(), who.account_id)}
