"""Errors become answers, in one place: RFC 9457 for the API, a sentence for the pages."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import sqlalchemy as sa
from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException

from engine import registry
from engine.errors import Refused, SealedMoveError
from engine.kit import explain, unfilled
from engine.record.laws.preconditions import LAWS
from server.http.page import blueprint, page
from server.http.schemas import UNREADABLE
from server.kernel.advice import ADVICE, OF_RULES, UNREAD
from server.kernel.db.session import database_message
from server.kernel.errors import ENGINE, SERVER, TITLES, UNPROCESSABLE, Code, Problem
from server.kernel.logs import log
from server.kernel.problem_bodies import body_of

PROBLEM = "application/problem+json"

# Refusals of the framework itself, by status.
OF_STATUS: Mapping[int, Code] = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    413: "too-large",
    415: "not-json",
    422: "bad-fields",
    429: "too-many-requests",
    503: "unavailable",
}

# Refused in any game; the sentence of the case, after the kind's title, has what would do instead.
NAMING = frozenset({"ambiguous", "not-now"})

# SQLAlchemy's errors for a database that is unreachable, full, or out of connections; never a fault of ours.
OUTAGE = (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError)
# What PostgreSQL calls a write to a replica, as after a failover, a statement for which the role lacks rights, a table
# in a schema that it may not use or search, and a transaction that it ended because nothing came for minutes.
REFUSED = ("25006", "42501", "42P01", "25P03")
# Seconds until a retry may succeed; a stopped game waits for the operator.
RETRY_AFTER = {
    **dict.fromkeys(("no-place", "no-streams", "unavailable"), 5),
    **dict.fromkeys(("game-stopped", "rules-missing", "wrong-master"), 600),
}


def register(app: Flask) -> None:
    """Register the handlers through which every error of this app leaves."""
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(SealedMoveError, _refusal)
    for kind in OUTAGE:
        app.register_error_handler(kind, _database_away)
    app.register_error_handler(sa.exc.DBAPIError, _database_error)
    app.register_error_handler(Exception, _fault)


def _refusal(error: SealedMoveError) -> Response:
    return answer(body_of(error, _own_words(error)))


def _own_words(error: SealedMoveError) -> str | None:
    """The whole sentence for a refusal of the game's rules, or of a command that could be several or none now."""
    game_id = (request.view_args or {}).get("game_id")
    titled = error.code in SERVER or error.code in TITLES.keys() - NAMING
    if not isinstance(error, Refused) or titled or game_id is None:
        return None
    table = current_app.extensions["sealedmove"].tables.cached(str(game_id))
    if table is None or error.code not in table.game.refusals.keys() | NAMING:
        return None
    return explain(table.game, error)


def _database_away(error: Exception) -> Response:
    """The database is unreachable or refuses writes: nothing was written, and the same request may be sent again."""
    told = {"error": type(error).__name__, "says": database_message(error), "at": _places(error)[-3:]}
    log.error("database-away", route=str(request.url_rule), **told)
    return answer(body_of(Problem("unavailable")))


def _database_error(error: sa.exc.DBAPIError) -> Response:
    return _database_away(error) if getattr(error.orig, "sqlstate", None) in REFUSED else _fault(error)


def _fault(error: Exception) -> Response:
    """Unforeseen faults of ours: the operator gets the traceback, the caller no details."""
    log.error("internal-error", route=str(request.url_rule), error=type(error).__name__, at=_places(error))
    return answer(body_of(Problem("internal-error")))


def _places(error: Exception) -> list[str]:
    """The traceback's places without the message, which may quote a secret."""
    frames = traceback.extract_tb(error.__traceback__)[-12:]
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]


def http_problem(error: HTTPException) -> Response:
    """The problem for a refusal of the framework, with the headers that it sets."""
    usual = error.get_response()
    if (error.code or 500) < 400:
        return usual  # type: ignore[return-value]  # a redirect
    code = OF_STATUS.get(error.code or 500, "internal-error")
    made = body_of(Problem(code)) | {"status": error.code or 500}
    made |= _errors(getattr(error, "data", None) or {})
    given = answer(made)
    for name, value in usual.headers.items():
        if name not in ("Content-Type", "Content-Length"):
            given.headers[name] = value
    return given


def _errors(data: dict[str, Any]) -> dict[str, Any]:
    """The errors that webargs found, by place and field."""
    found = data.get("messages") or data.get("errors")
    return {"errors": found} if found else {}


def answer(body: dict[str, Any]) -> Response:
    """A problem document, or the same as a page."""
    pause = body.get("facts", {}).get("retry_after")
    g.retry_after = pause or RETRY_AFTER.get(body["code"])  # otherwise the limiter would set its own
    return _document(body) if request.path.startswith(("/v1/", "/.well-known/", "/oauth/")) else _page(body)


def _page(body: dict[str, Any]) -> Response:
    """The problem as a page for browsers, with the same title and sentence as the document."""
    status = int(body["status"])
    says = body.get("detail") or ADVICE.get(body["code"])
    return page("error.html", status=status, secret=True, title=body["title"], says=says, code=body["code"])


def _document(body: dict[str, Any]) -> Response:
    status = int(body["status"])
    given = Response(msgspec.json.encode(body, enc_hook=str), status, mimetype=PROBLEM)
    given.headers["Cache-Control"] = "no-store"
    if status == 401:
        given.headers["WWW-Authenticate"] = 'Bearer realm="sealedmove"'
    return given


# --- Where the `type` of a problem points: what it means, what is expected, and what to do ----------------------------


SAID_BY_LAW = {law.code: law.law for law in LAWS}


@blueprint.get("/problems/<code>")
def problem_type_page(code: str) -> Response:
    """The page of a problem; 404 for an unknown code."""
    means = list(meanings(code))
    if not means:
        raise Problem("not-found")
    return page("problem.html", code=code, means=means, law=SAID_BY_LAW.get(code))


def meanings(code: str) -> Iterator[dict[str, Any]]:
    """Each status that a code can have, with its sentence and what to do; games may use one for their own rules."""
    if code in SERVER:
        yield _meaning(*SERVER[code], ADVICE[code])
    if code in ENGINE:
        yield _meaning(ENGINE[code], TITLES[code], ADVICE[code])
    if code in UNREADABLE:
        unread = f"The signed or sent bytes cannot be read. For example: {UNREADABLE[code]}."
        yield _meaning(422 if code in UNPROCESSABLE else 400, unread, UNREAD)
    if code not in ENGINE:
        for game in registry.games().values():
            if code in game.refusals:
                yield _meaning(422, unfilled(game.refusals[code]), OF_RULES, game.meta.title)


def _meaning(status: int, title: str, advice: str, of: str | None = None) -> dict[str, Any]:
    return {"status": status, "title": title, "do": advice, "of": of, "in_facts": "{" in title}
