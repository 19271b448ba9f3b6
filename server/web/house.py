"""What all pages share: the blueprint, the strict headers, the words of the templates.

A page needs no script and loads nothing from elsewhere; a stylesheet and a picture from this server are all that the
policy lets in. No page sets a cookie: what a link's token allows, its bearer does by pressing a button, and nothing
happens on GET, since mail scanners follow links.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, make_response, render_template

from engine import registry
from server import wording
from server.services import Services
from server.web import words

blueprint = Blueprint("web", __name__, template_folder="templates", static_folder="static", static_url_path="/static")
blueprint.add_app_template_filter(wording.moment, "moment")
blueprint.add_app_template_filter(wording.people, "people")
blueprint.add_app_template_filter(words.marked, "marked")

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SCRIPTED = f"{POLICY}; script-src 'self'; connect-src 'self'"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def services() -> Services:
    """The services of this app."""
    found: Services = current_app.extensions["sealedmove"]
    return found


def page(template: str, *, status: int = 200, secret: bool = False, **said: Any) -> Response:
    """A page. A `secret` one hangs on the token of a link: it is stored and indexed nowhere."""
    answer = make_response(render_template(template, asset=asset, guides=_guides(), **said), status)
    answer.headers["Cache-Control"] = "no-store" if secret else "no-cache"
    if secret:
        answer.headers["X-Robots-Tag"] = "noindex"
    return guarded(answer)


@cache
def _guides() -> list[tuple[str, str]]:
    """Key and title of every game that has a guide, for the foot of every page."""
    return [(key, game.meta.title) for key, game in registry.games().items() if registry.guide(key)]


def guarded(answer: Response) -> Response:
    """The headers of every page, where the page has not said otherwise."""
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    return answer


@cache
def asset(name: str) -> str:
    """The address of a static file, with a part that changes when the file does."""
    data = (Path(__file__).parent / "static" / name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(data).hexdigest()[:8]}"
