"""What all pages share: the blueprint, the strict headers, the words of the templates.

A page reads without a script and loads nothing from elsewhere: files of this server are all that the policy lets in,
and nothing of a page is script or style. What a link's token allows, its bearer does by pressing a button, and nothing
happens on GET, since mail scanners follow links. `reader` returns the person signed in on this browser.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    g,
    make_response,
    redirect,
    render_template,
    request,
    send_from_directory,
)
from markupsafe import Markup, escape

from engine import registry
from engine.kit import count
from server.http import origin, scripts
from server.http.credentials import Principal
from server.kernel import text
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import zone_of

blueprint = Blueprint("web", __name__, static_folder="static", static_url_path="/static")
blueprint.add_app_template_filter(text.people, "people")
blueprint.add_app_template_filter(text.clean, "clean")
blueprint.add_app_template_filter(count, "count")

STATIC = Path(__file__).parent / "static"
DIGITS = 10  # of a version; no folder of `static` has a name of that length
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
DRAWING = "default-src 'none'; frame-ancestors 'none'"  # a picture holds no style, by a law of the conformance suite
A_YEAR = 365 * 86400
# Some 120 bytes for each of 60 scripts: a file that is kept for good has a tag, and is not downloaded.
NEEDLESS = ("Content-Disposition", "Last-Modified", "Accept-Ranges")
UNSEEN = (421, 500, 503)  # pages of trouble that ask for nobody: by another name, or with the database away
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "strict-origin",  # with `no-referrer` a form of our own would say `Origin: null`
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def services() -> Services:
    """The services of this app."""
    found: Services = current_app.extensions["sealedmove"]
    return found


def reader() -> Principal | None:
    """The signed-in reader of the page; None also for requests whose cookie does not count."""
    if "reader" not in g:
        g.reader = origin.cookie_holder() if origin.is_for_reader() else None
    who: Principal | None = g.reader
    return who


@blueprint.app_template_filter("moment")
def moment(at: datetime) -> str:
    """A time in the reader's own zone; a script tells it in that of the device instead."""
    who = reader()
    return text.moment(at, zone_of(who.zone if who else None))


def page(template: str, *, status: int = 200, secret: bool = False, **said: Any) -> Response:
    """A page. A `secret` one hangs on the token of a link: it is stored and indexed nowhere."""
    who = reader() if status not in UNSEEN else None
    words = {"asset": asset_url, "script": script, "guides": _guides(), "reader": who}
    words |= {"server": services().settings.server_name, "here": safe_path(request.path) if status == 200 else None}
    for shows in _frame_facts:
        words |= shows(services(), who.account_id if who else None)
    answer = make_response(render_template(template, **(words | said)), status)
    answer.headers["Cache-Control"] = "no-store" if secret else "no-cache"
    if secret:
        answer.headers["X-Robots-Tag"] = "noindex"
    if who is not None and request.method == "GET":
        origin.keep_cookie(answer)
    return guarded(answer)


_frame_facts: list[Callable[[Services, int | None], dict[str, Any]]] = []


def frame_facts(shows: Callable[[Services, int | None], dict[str, Any]]) -> None:
    """A room's own words for the head of every page, given the account that reads it; `frame.html` says them."""
    _frame_facts.append(shows)


SAFE_PATH = re.compile(r"/(?!/|login)[A-Za-z0-9/_-]{0,150}", re.ASCII)


def safe_path(path: str | None) -> str | None:
    """A page of ours to go on at, or None: never the address of another host, nor of a link."""
    return path if path and SAFE_PATH.fullmatch(path) else None


@cache
def _guides() -> list[tuple[str, str]]:
    """Key and title of every game that has a guide, for the foot of every page."""
    return [(key, game.meta.title) for key, game in registry.games().items() if registry.guide(key)]


def guarded(answer: Response) -> Response:
    """The headers of every page, where the page has not said otherwise."""
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    origin.keep_apart(answer)
    return answer


@blueprint.get(f"/static/<string(length={DIGITS}):version>/<path:filename>")
def versioned_file(version: str, filename: str) -> Response:
    """A file by the address of these very files, which never changes; an old page is given what is here now."""
    if version != _version():
        return blueprint.send_static_file(filename)
    answer = send_from_directory(STATIC, filename, etag=version)
    answer.headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
    for name in NEEDLESS:
        answer.headers.pop(name, None)
    return answer


@blueprint.after_request
def of_file(answer: Response) -> Response:
    """No page of another origin loads them."""
    if answer.direct_passthrough:
        answer.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    return answer


def asset_url(name: str) -> str:
    """The address of a static file; a script asks for those beside it by the same one."""
    return f"/static/{_version()}/{name}"


def script(entry: str) -> Markup:
    """The entry script of a page, with all that it imports asked for at once; each file once in a page."""
    known: set[str] = g.setdefault("preloaded", set())
    ahead = [name for name in _loaded(entry)[1:] if name not in known]
    known.update(ahead)
    links = [Markup('<link rel="modulepreload" href="{}">\n').format(asset_url(name)) for name in ahead]
    return Markup("").join(links) + Markup('<script src="{}" type="module"></script>').format(asset_url(entry))


@cache
def _loaded(entry: str) -> list[str]:
    """The files stay as they are while a process lives."""
    texts = {path.relative_to(STATIC).as_posix(): path.read_text("utf-8") for path in STATIC.rglob("*.js")}
    return scripts.loaded(entry, texts)


@cache
def _version() -> str:
    """Another one as soon as any of the files changes."""
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    named = (str(path.relative_to(STATIC)).encode() + path.read_bytes() for path in files)
    return hashlib.sha256(b"".join(named)).hexdigest()[:DIGITS]


def signed_in() -> Principal:
    """The signed-in reader who pressed a button on a page of this server."""
    if not origin.is_same_origin():
        raise Problem("other-origin")
    who = reader()
    if who is None:
        raise Problem("not-signed-in")
    return who


def redirect_to(path: str) -> Response:
    """Shown anew, so that loading again sends nothing twice."""
    answer = redirect(path, 303)
    answer.headers["Cache-Control"] = "no-store"
    return guarded(answer)  # type: ignore[arg-type]  # werkzeug's, which Flask's own class is made of


# --- Sentences on a page (pure) ---------------------------------------------------------------------------------------


@blueprint.app_template_filter("marked")
def marked(words: str) -> Markup:
    """Text in which `this` is code and **this** strong, as HTML; everything else is escaped."""
    parts = re.split(r"`([^`]+)`|\*\*([^*`]+)\*\*", words)
    return Markup("").join(_drawn(*parts[at : at + 3]) for at in range(0, len(parts), 3))


def _drawn(plain: str, code: str | None = None, strong: str | None = None) -> Markup:
    if code is not None:
        return escape(plain) + Markup("<code>{}</code>").format(code)
    return escape(plain) + (Markup("") if strong is None else Markup("<strong>{}</strong>").format(strong))
