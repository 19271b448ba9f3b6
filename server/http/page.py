"""The base of all pages: the blueprint, the strict headers, the words of the templates.

Pages work without a script and load nothing from elsewhere: the content security policy allows only files of this
server, and no inline script or style. A link's token takes effect when its bearer presses a button, never on GET, since
mail scanners follow links. `reader` returns the person signed in on this browser.
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
from werkzeug.exceptions import HTTPException

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
DIGITS = 10  # in a versioned path; no folder of `static` has a name of that length
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; worker-src 'self'"
)
DRAWING = "default-src 'none'; frame-ancestors 'none'"  # pictures contain no style; the conformance suite checks that
A_YEAR = 365 * 86400
# About 120 bytes for each of 60 scripts: a permanently cached file has a tag and is not downloaded again.
NEEDLESS = ("Content-Disposition", "Last-Modified", "Accept-Ranges")
UNSEEN = (421, 429, 500, 503)  # error pages without a reader: for another host name, without a budget or a database
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "strict-origin",  # with `no-referrer` our own forms would send `Origin: null`
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
def moment(at: datetime | str) -> str:
    """A time, perhaps as the API has it, in the reader's zone; a script replaces it with the device's."""
    who = reader()
    at = datetime.fromisoformat(at) if isinstance(at, str) else at
    return text.moment(at, zone_of(who.zone if who else None))


def page(template: str, *, status: int = 200, secret: bool = False, **said: Any) -> Response:
    """A page. A `secret` one depends on a link's token: it must not be stored or indexed."""
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
    """Register a room's facts for the head of every page, given the account that reads it; `frame.html` shows them."""
    _frame_facts.append(shows)


SAFE_PATH = re.compile(r"/(?!/|login)[A-Za-z0-9/_-]{0,150}", re.ASCII)


def safe_path(path: str | None) -> str | None:
    """The path of a page of ours to continue at, or None: never another host's address, nor a mailed link's."""
    return path if path and SAFE_PATH.fullmatch(path) and _is_page(path) else None


def _is_page(path: str) -> bool:
    """Pages behind mailed links need no session, except for an invitation, which whoever signs in may accept."""
    try:
        endpoint, given = current_app.url_map.bind("").match(path, method="GET")
    except HTTPException:
        return False
    is_link = "token" in given and endpoint != "web.invitation_page"
    return endpoint.startswith("web.") and not is_link and "filename" not in given


@cache
def _guides() -> list[tuple[str, str]]:
    """Key and title of every game that has a guide, for every page's footer."""
    return [(key, game.meta.title) for key, game in registry.games().items() if registry.guide(key)]


def guarded(answer: Response) -> Response:
    """Set the headers of every page, unless the page has set them."""
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    origin.keep_apart(answer)
    return answer


@blueprint.get(f"/static/<string(length={DIGITS}):version>/<path:filename>")
def versioned_file(version: str, filename: str) -> Response:
    """A file by its versioned address, whose content never changes; an old page gets the present file."""
    if version != _version():
        return blueprint.send_static_file(filename)
    answer = send_from_directory(STATIC, filename, etag=version)
    answer.headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
    for name in NEEDLESS:
        answer.headers.pop(name, None)
    return answer


@blueprint.after_request
def of_file(answer: Response) -> Response:
    """Keep pages of other origins from loading it."""
    if answer.direct_passthrough:
        answer.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    return answer


def asset_url(name: str) -> str:
    """The address of a static file; a script imports its neighbours below the same one."""
    return f"/static/{_version()}/{name}"


def script(entry: str) -> Markup:
    """The entry script of a page, with preloads for all its imports; each file once in a page."""
    known: set[str] = g.setdefault("preloaded", set())
    begins, *imported = _loaded(entry)
    ahead = [name for name in imported if name not in known]
    known.update(ahead)
    links = [Markup('<link rel="modulepreload" href="{}">\n').format(asset_url(name)) for name in ahead]
    return Markup("").join(links) + Markup('<script src="{}" type="module"></script>').format(asset_url(begins))


@cache
def _loaded(entry: str) -> list[str]:
    """The files stay as they are while a process lives."""
    texts, made_from = script_texts(), STATIC / scripts.BUNDLE / scripts.MADE_FROM
    if made_from.exists() and made_from.read_text("utf-8").strip() == scripts.digest(texts):
        return scripts.loaded(scripts.bundled(entry), script_texts(bundles=True))
    return scripts.loaded(entry, texts)


def script_texts(*, bundles: bool = False) -> dict[str, str]:
    """The scripts as they are written, or their bundles, by their names in the static folder."""
    named = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*.js")}
    chosen = {name: path for name, path in named.items() if name.startswith(f"{scripts.BUNDLE}/") is bundles}
    return {name: path.read_text("utf-8") for name, path in chosen.items()}


@cache
def _version() -> str:
    """Changes as soon as any of the files changes."""
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
    """Redirect after a form, so that a reload sends nothing twice."""
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
