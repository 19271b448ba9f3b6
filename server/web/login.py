"""Signing in: ask for a link, press the button behind it, and this browser has a session; signing out.

The link's token stands in the path, so these pages are stored nowhere; the app logs routes, never paths. Only a page of
this server can press a button of it, so nobody is signed in, as himself or as somebody else, by a page of another.
"""

from __future__ import annotations

from flask import Response, redirect, request
from marshmallow import ValidationError

from server import cookies
from server.api.schemas.login import LoginSchema
from server.auth import sessions
from server.auth.holder import Holder
from server.errors import Problem
from server.log import events
from server.usecases import sign_in
from server.web.house import blueprint, guarded, page, place, reader, services


@blueprint.get("/login")
def login_form() -> Response:
    """Where a person writes the address to which a link is mailed."""
    return page("login.html", email="", name="", errors={}, next=place(request.args.get("next")), **_may())


@blueprint.post("/login")
def ask_page() -> Response:
    """Have a link mailed; the answer is the same whether the address is known or not."""
    email, name = (request.form.get(field, "").strip() for field in ("email", "name"))
    then = place(request.form.get("next"))
    try:
        given = LoginSchema().load({"email": email, "name": name})
    except ValidationError as no:
        wrong = {"email": email, "name": name, "errors": no.messages, "next": then}
        return page("login.html", status=422, secret=True, **wrong, **_may())
    sign_in.ask_for_link(services(), given["email"], given["name"], then)
    return page("login_sent.html", status=202, secret=True, mail_page=services().settings.mail_page_url)


@blueprint.get("/login/<token>")
def login_page(token: str) -> Response:
    """Only a button that says who it signs in: whatever follows links does not sign in."""
    return _asked(sign_in.look(services(), token))


@blueprint.post("/login/<token>")
def sign_in_page(token: str) -> Response:
    """Use the link, and go on where it was asked for. Whoever is signed in here as somebody else is asked first."""
    led, who = sign_in.look(services(), token), reader()
    if cookies.name() is None:
        raise Problem("plain-http")
    if not cookies.is_same_origin():
        raise Problem("other-origin")
    if who is not None and led.account_id != who.account_id and request.form.get("instead") != str(who.account_id):
        return _asked(led, status=409)
    answer = _leading(led.leads_to or "/")
    cookies.put(answer, sign_in.enter(services(), token, who))
    return answer


@blueprint.post("/logout")
def sign_out_page() -> Response:
    """End this browser's session."""
    if not cookies.is_same_origin():
        raise Problem("other-origin")
    answer, who = _leading("/"), reader()
    if who is not None:
        _end(who)
        cookies.drop(answer)
    return answer


def _end(who: Holder) -> None:
    with services().database.write() as session:
        sessions.end(session, who.account_id, int(who.shown[1:]))
    services().waker.wake([], events.pokes([who.account_id]))  # its streams end now


def _asked(led: sign_in.Led, status: int = 200) -> Response:
    other = (who := reader()) is not None and who.account_id != led.account_id
    return page(
        "login_button.html", status=status, secret=True, email=led.email, account=led.account_id, other=other, **_may()
    )


def _may() -> dict[str, bool]:
    """Is there a session to be had here?"""
    return {"may": cookies.name() is not None}


def _leading(path: str) -> Response:
    answer = redirect(path, 303)
    answer.headers["Cache-Control"] = "no-store"
    return guarded(answer)  # type: ignore[arg-type]  # werkzeug's, which Flask's own class is made of
