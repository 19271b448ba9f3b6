"""Mail settings as forms: on the account's page, for one table, and behind the links in a mail.

The forms do what the API does, by the same schemas, and work without a script. A link in a mail does one thing: its
page describes it, and only its button does it, or a mail program's one-click POST (RFC 8058); nobody has to be signed
in.
"""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from flask import Response, request
from marshmallow import Schema, ValidationError

from server.http.credentials import Principal
from server.http.etags import conditional
from server.http.page import blueprint, frame_facts, guarded, page, reader, redirect_to, services, signed_in
from server.kernel.errors import Problem
from server.mailbox import calendar, write
from server.mailbox import read as mailbox_read
from server.mailbox.choices import KINDS
from server.mailbox.schemas import ChangeChoicesSchema, ChangeExceptionsSchema
from server.mailbox.write import LinkedChoice, mute, muted_game
from server.tables.read import game_row, title_of

frame_facts(mailbox_read.frame_facts)

MOST_SHOWN = 25
HOURS = ("digest_hour", "quiet_from", "quiet_until")


@blueprint.post("/account/mail-choices")
def choose_mail_page() -> Response:
    """The form of the account's page; errors are shown on a page of their own, with what was typed."""
    principal = signed_in()
    given = _everywhere()
    try:
        write.change_choices(services(), principal.account_id, _loaded(ChangeChoicesSchema(), given))
    except (ValidationError, Problem) as no:
        return page("mail.html", status=422, choices=mailbox_read.usual() | given, wrong=_wrong(no), game_id=None)
    return redirect_to("/account#mail")


@blueprint.get("/games/<uuid:game_id>/mail")
def table_mail_page(game_id: UUID) -> Response:
    """The exceptions for one table, for its players."""
    principal = reader()
    if principal is None:
        return redirect_to(f"/login?next=/games/{game_id}/mail")
    return _table(principal, str(game_id))


@blueprint.post("/games/<uuid:game_id>/mail")
def choose_table_mail_page(game_id: UUID) -> Response:
    """Store the exceptions for one table."""
    principal = signed_in()
    given = _at_table()
    try:
        there = _loaded(ChangeExceptionsSchema(), given)
        write.change_exceptions(services(), principal.account_id, str(game_id), there)
    except ValidationError as no:
        return _table(principal, str(game_id), status=422, given=given, wrong=_wrong(no))
    return redirect_to(f"/games/{game_id}/mail")


@blueprint.get("/m/<token>")
def wish_page(token: str) -> Response:
    """The page behind a link: only a button. The last mail links to it with `undo`, until its reader has decided."""
    choice = write.linked_choice(services(), token)
    is_done = "undo" in request.args and write.is_undecided(services(), choice)
    return _linked_choice("done" if is_done else "ask", choice)


@blueprint.post("/m/<token>")
def carry_out_wish_page(token: str) -> Response:
    """Do what the link is for; with `again=yes`, the page's own button, undo it."""
    back = request.form.get("again") == "yes"
    return _linked_choice("back" if back else "done", write.apply_linked_choice(services(), token, back=back))


@blueprint.get("/account/mails")
def mails_page() -> Response:
    """The mails to the account, newest first, and why others were not sent."""
    principal = reader()
    if principal is None:
        return redirect_to("/login?next=/account/mails")
    after = request.args.get("after", "")
    if after and not re.fullmatch("[0-9]{1,9}", after, re.ASCII):
        raise Problem("bad-request")
    found = mailbox_read.listed_mails(services(), principal.account_id, None, int(after) if after else None, MOST_SHOWN)
    titles = {one["game"]: _title(one["game"]) for one in found["mails"] if one["game"]}
    return page("mails.html", titles=titles, **found)


def _linked_choice(stage: str, choice: LinkedChoice) -> Response:
    return page(
        "linked_choice.html",
        secret=True,
        stage=stage,
        wish=choice.name,
        table=_title(choice.game_id),
        game_id=choice.game_id,
    )


def _title(game_id: str | None) -> str | None:
    if game_id is None:
        return None
    with services().database.read() as session:
        return f"{title_of(game_row(session, game_id).type)} #{game_id[:4]}"


def _table(principal: Principal, game_id: str, status: int = 200, given: Any = None, wrong: Any = None) -> Response:
    stored, muted = write.show_exceptions(services(), principal.account_id, game_id)
    there = mailbox_read.shown_exceptions(stored, game_id, muted=muted)
    words: dict[str, Any] = {"table": _title(game_id), "everywhere": mailbox_read.shown_choices(stored)}
    words |= {"why": mailbox_read.why_mailed(services(), principal.account_id, game_id)}
    words |= mailbox_read.listed_mails(services(), principal.account_id, game_id, limit=MOST_SHOWN)
    chosen = there | (given or {})
    return page("mail.html", status=status, choices=chosen, wrong=wrong or (), game_id=game_id, **words)


def _everywhere() -> dict[str, Any]:
    """The fields of the account's form. Browsers do not send a box that is not ticked."""
    form = request.form
    given: dict[str, Any] = {name: form.get(name) for name in (*KINDS, "remind", *HOURS)}
    given |= {name: given[name] or None for name in ("quiet_from", "quiet_until")}
    given |= {name: name in form for name in ("picture", "talk", "on_site", "with_push")}
    return given | {"delay": _number(form.get("delay")), "hours": _hours(form.get("hours"))}


def _at_table() -> dict[str, Any]:
    """The fields of a table's form; empty ones mean the general setting."""
    form = request.form
    given: dict[str, Any] = {name: form.get(name) or None for name in (*KINDS, "remind")}
    given |= {name: {"yes": True, "no": False}.get(form.get(name, "")) for name in ("picture", "talk", "on_site")}
    given |= {
        name: read(form[name]) if form.get(name) else None for name, read in (("delay", _number), ("hours", _hours))
    }
    return given | {"muted": "muted" in form}


def _number(text: str | None) -> Any:
    """A number, or what was typed, which the schema refuses."""
    return int(text) if text and re.fullmatch("[0-9]{1,6}", text.strip(), re.ASCII) else text


def _hours(text: str | None) -> Any:
    """`24, 3` as it is typed."""
    return [_number(word) for word in re.split("[ ,;]+", (text or "").strip())]


def _loaded(schema: Schema, given: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = schema.load(given)
    return write.in_order(found)


def _wrong(no: ValidationError | Problem) -> tuple[str, ...]:
    """The invalid fields."""
    if isinstance(no, ValidationError):
        return tuple(no.messages_dict)
    if no.code != "bad-quiet-hours":
        raise no
    return ("quiet_from", "quiet_until")


# --- Unsubscribing from one game --------------------------------------------------------------------------------------
# a page with a button, and the one-click POST of mail programs (RFC 8058).
#
# Only POST changes anything, needs no cookie, and answers 200 without a redirect, as RFC 8058 asks.


@blueprint.get("/u/<token>")
def unsubscribe_page(token: str) -> Response:
    """The page behind the link: buttons that stop mail, or resume it."""
    game_id, is_muted = muted_game(services(), token)
    return _page("undo" if is_muted else "ask", game_id)


@blueprint.post("/u/<token>")
def unsubscribe(token: str) -> Response:
    """Stop the mail; with `again=yes`, the page's own button, resume it."""
    wanted = request.form.get("again") == "yes"
    game_id = mute(services(), token, muted=not wanted)
    return _page("wanted" if wanted else "stopped", game_id)


def _page(stage: str, game_id: str) -> Response:
    with services().database.read() as session:
        game = game_row(session, game_id)
        facts: dict[str, Any] = {
            "title": title_of(game.type),
            "is_running": game.status == "running",
            "has_clock": game.clock_move is not None,
        }
    return page("unsubscribe.html", secret=True, stage=stage, game_id=game_id, **facts)


# --- The calendar of a player's deadlines, at its secret link ---------------------------------------------------------
# and the buttons that make and revoke the link.


@blueprint.get("/me/calendar.ics")
def calendar_file() -> Response:
    """The calendar, for anyone who has the link, signed in or not."""
    account_id = calendar.link_reader(services(), request.args.get("link", ""))
    answer = Response(calendar.deadlines_of(services(), account_id), content_type="text/calendar; charset=utf-8")
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["X-Robots-Tag"] = "noindex"
    return guarded(conditional(answer))


@blueprint.post("/account/calendar")
def make_calendar_page() -> Response:
    """Make the link and show it, only this once."""
    return page("calendar_made.html", secret=True, url=calendar.make_link(services(), signed_in()))


@blueprint.post("/account/calendar/drop")
def drop_calendar_page() -> Response:
    """Revoke the link."""
    calendar.drop_link(services(), signed_in().account_id)
    return redirect_to("/account#in")
