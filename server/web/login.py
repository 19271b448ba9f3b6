"""Signing in: ask for a link, press the button behind it, read the API token once.

The link's token stands in the path, so these pages are stored nowhere and send no Referer; the app logs routes, never
paths. There is no session: a browser that was shown a token keeps nothing of it.
"""

from __future__ import annotations

from typing import Any

from flask import Response, request
from marshmallow import ValidationError

from server.api.schemas.login import LoginSchema
from server.auth import links
from server.errors import Problem
from server.usecases import account, sign_in
from server.web.house import blueprint, page, services
from server.wording import clean


@blueprint.get("/login")
def login_form() -> Response:
    """Where a person writes the address to which a link is mailed."""
    return page("login.html", email="", name="", errors={})


@blueprint.post("/login")
def ask_page() -> Response:
    """Have a link mailed; the answer is the same whether the address is known or not."""
    email, name = (request.form.get(field, "").strip() for field in ("email", "name"))
    try:
        given = LoginSchema().load({"email": email, "name": name})
    except ValidationError as no:
        return page("login.html", status=422, secret=True, email=email, name=name, errors=no.messages)
    sign_in.ask_for_link(services(), given["email"], given["name"])
    return page("login_sent.html", status=202, secret=True, mail_page=services().settings.mail_page_url)


@blueprint.get("/login/<token>")
def login_page(token: str) -> Response:
    """Only a button: whatever follows links does not sign in."""
    if links.read_login_token(services().settings.master, token) is None:
        raise Problem("bad-link")
    return page("login_button.html", secret=True)


@blueprint.post("/login/<token>")
def sign_in_page(token: str) -> Response:
    """Use the link and show the new API token, once."""
    made = sign_in.confirm(services(), token)
    url = services().settings.public_url
    return page(
        "login_done.html", secret=True, token=made.token, name=clean(made.name), url=url, trouble=_trouble(made)
    )


def _trouble(made: sign_in.SignedIn) -> dict[str, Any] | None:
    return account.show(services(), made.account_id)["mail_trouble"]  # type: ignore[no-any-return]
