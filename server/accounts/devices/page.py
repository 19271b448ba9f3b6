"""The page on which a person lets a program in: type its code, see what it asks for, allow or deny it.

No link has the code in it, so nobody can lead a person past the question where it comes from.
"""

from __future__ import annotations

from typing import Any

from flask import Response, request

from server.accounts.devices import write
from server.accounts.page import ENDS
from server.http.page import blueprint, page, reader, redirect_to, services, signed_in
from server.kernel import secrets
from server.kernel.errors import Problem

DAYS = "90"


@blueprint.get("/device")
def device_page() -> Response:
    """Where the code is typed."""
    if reader() is None:
        return redirect_to("/login?next=/device")
    return page("device.html", code="", wrong=False)


@blueprint.post("/device")
def ask_device_page() -> Response:
    """Show what the program with this code asks for."""
    signed_in()
    return _ask(request.form.get("code", ""), {"days": DAYS})


@blueprint.post("/device/answer")
def answer_device_page() -> Response:
    """Allow or deny it."""
    code, principal = request.form.get("code", ""), signed_in()
    days, scopes = request.form.get("days", DAYS), request.form.getlist("scopes")
    if request.form.get("do") != "allow":
        write.deny(services(), code)
        return page("device_done.html", secret=True, name=None)
    if not scopes or days not in dict(ENDS):
        return _ask(code, {"scopes": scopes, "days": days}, status=422)
    name = write.approve(services(), principal, code, scopes, int(days) if days else None)
    return page("device_done.html", secret=True, name=name)


def _ask(code: str, given: dict[str, Any], status: int = 200) -> Response:
    """The question, or the form again if no request has this code."""
    account = signed_in().account_id
    try:
        found = write.show(services(), account, code)
    except Problem as no:
        if no.code != "bad-user-code":
            raise
        return page("device.html", status=422, secret=True, code=code, wrong=True)
    said = {
        "code": secrets.shown_user_code(code),
        "asked": found,
        "near": found.address == (request.remote_addr or ""),
        "ends": ENDS,
        "given": {"scopes": found.scopes} | given,
        "wrong": status != 200,
    }
    return page("device_ask.html", status=status, secret=True, **said)
