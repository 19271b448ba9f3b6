"""Forms of the table talk and the notes on a game's page; they work without a script."""

from __future__ import annotations

from uuid import UUID

from flask import Response, request
from marshmallow import Schema, ValidationError

from server.http.page import blueprint, page, redirect_to, services, signed_in
from server.http.schemas import MOST
from server.tables.talk import write
from server.tables.talk.schemas import NotesSchema, ReportSchema, SendMessageSchema
from server.tables.talk.write import NewMessage

WRONG = {
    "text": "A message has 1 to 1,000 characters, notes at most 20,000.",
    "why": "A report has 1 to 500 characters.",
}


@blueprint.post("/games/<uuid:game_id>/talk")
def say_page(game_id: UUID) -> Response:
    """Write at the table. The form carries a random key, so that a repeated request writes once."""
    given = _given(SendMessageSchema(), "text")
    if isinstance(given, Response):
        return given
    new = NewMessage(given, "page", request.form.get("once", "")[:100] or None)
    write.say(services(), signed_in().account_id, str(game_id), new)
    return redirect_to(f"/games/{game_id}#talk")


@blueprint.post(f"/games/<uuid:game_id>/talk/<int(max={MOST}):n>/take-back")
def take_back_page(game_id: UUID, n: int) -> Response:
    """Remove one's own message."""
    write.take_back(services(), signed_in().account_id, str(game_id), n)
    return redirect_to(f"/games/{game_id}#talk")


@blueprint.post(f"/games/<uuid:game_id>/talk/<int(max={MOST}):n>/report")
def report_page(game_id: UUID, n: int) -> Response:
    """Report a message to the operator."""
    given = _given(ReportSchema(), "why")
    if isinstance(given, Response):
        return given
    write.report(services(), signed_in().account_id, str(game_id), n, given)
    return page("reported.html", secret=True, game_id=game_id)


@blueprint.post(f"/games/<uuid:game_id>/mutes/<int(max={MOST}):seat>")
def mute_page(game_id: UUID, seat: int) -> Response:
    """Mute the player at a seat, or read them again."""
    is_muted = request.form.get("muted") == "true"
    write.mute(services(), signed_in().account_id, str(game_id), seat, is_muted=is_muted)
    return redirect_to(f"/games/{game_id}#talk")


@blueprint.post("/games/<uuid:game_id>/notes")
def notes_page(game_id: UUID) -> Response:
    """Replace the notes, unless another device has changed them since the page was made."""
    given = _given(NotesSchema(), "text")
    if isinstance(given, Response):
        return given
    was = _lines(request.form.get("was", ""))
    write.keep_notes(services(), signed_in().account_id, str(game_id), given, lambda text: _lines(text) == was)
    return redirect_to(f"/games/{game_id}#notes")


def _given(schema: Schema, field: str) -> str | Response:
    """The field of the form, or a page about what is wrong with it."""
    signed_in()
    try:
        found: str = schema.load({field: _lines(request.form.get(field, ""))})[field]
    except ValidationError:
        told = {"title": "Some fields are invalid.", "says": WRONG[field], "code": "bad-fields"}
        return page("error.html", status=422, secret=True, **told)
    return found


def _lines(text: str) -> str:
    """A form sends its lines with carriage returns."""
    return text.replace("\r\n", "\n")
