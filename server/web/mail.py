"""What somebody wants of our mails, as forms: on the account's page, for one table, and behind the links in a mail.

The forms do what the API does, by the same schemas, and work without a script. A link in a mail does one thing: its
page says what, and only its button does it, or a mail program's one-click POST (RFC 8058); nobody has to be signed in.
"""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from flask import Response, request
from marshmallow import Schema, ValidationError

from server.api.schemas.mail import ChangeChoicesSchema, ChangeExceptionsSchema
from server.auth.holder import Holder
from server.errors import Problem
from server.mailing.choices import KINDS
from server.projections import choices as shown
from server.projections import mailed, mails
from server.projections.games import game_row
from server.projections.types import title_of
from server.usecases import preferences, wishes
from server.usecases.wishes import Wish
from server.web.house import above_every_page, blueprint, own, page, reader, services, to

MOST_SHOWN = 25
HOURS = ("digest_hour", "quiet_from", "quiet_until")


@blueprint.post("/account/mail-choices")
def choose_mail_page() -> Response:
    """The form of the account's page; what is wrong is said on a page of its own, with what was typed."""
    who = own()
    given = _everywhere()
    try:
        preferences.change(services(), who.account_id, _loaded(ChangeChoicesSchema(), given))
    except (ValidationError, Problem) as no:
        return page("mail.html", status=422, choices=shown.usual() | given, wrong=_wrong(no), game_id=None)
    return to("/account#mail")


@blueprint.get("/games/<uuid:game_id>/mail")
def table_mail_page(game_id: UUID) -> Response:
    """What is otherwise at a table, for who sits there."""
    who = reader()
    if who is None:
        return to(f"/login?next=/games/{game_id}/mail")
    return _table(who, str(game_id))


@blueprint.post("/games/<uuid:game_id>/mail")
def choose_table_mail_page(game_id: UUID) -> Response:
    """Its form."""
    who = own()
    given = _at_table()
    try:
        there = _loaded(ChangeExceptionsSchema(), given)
        preferences.change_there(services(), who.account_id, str(game_id), there)
    except ValidationError as no:
        return _table(who, str(game_id), status=422, given=given, wrong=_wrong(no))
    return to(f"/games/{game_id}/mail")


@blueprint.get("/m/<token>")
def wish_page(token: str) -> Response:
    """Only a button."""
    return _wish("ask", wishes.read(services(), token))


@blueprint.post("/m/<token>")
def carry_out_wish_page(token: str) -> Response:
    """Do it; with `again=yes`, the page's own button, take it back."""
    back = request.form.get("again") == "yes"
    return _wish("back" if back else "done", wishes.carry_out(services(), token, back=back))


@blueprint.get("/account/mails")
def mails_page() -> Response:
    """What was mailed, the newest first, and why what was not was not."""
    who = reader()
    if who is None:
        return to("/login?next=/account/mails")
    after = request.args.get("after", "")
    if after and not re.fullmatch("[0-9]{1,9}", after, re.ASCII):
        raise Problem("bad-request")
    found = mailed.listed(services(), who.account_id, None, int(after) if after else None, MOST_SHOWN)
    titles = {one["game"]: _title(one["game"]) for one in found["mails"] if one["game"]}
    return page("mails.html", titles=titles, **found)


def _wish(stage: str, wish: Wish) -> Response:
    return page("wish.html", secret=True, stage=stage, wish=wish.name, table=_title(wish.game_id), game_id=wish.game_id)


def _title(game_id: str | None) -> str | None:
    if game_id is None:
        return None
    with services().database.read() as session:
        return f"{title_of(game_row(session, game_id).type)} #{game_id[:4]}"


def _table(who: Holder, game_id: str, status: int = 200, given: Any = None, wrong: Any = None) -> Response:
    kept, muted = preferences.show_there(services(), who.account_id, game_id)
    there = shown.shown_there(kept, game_id, muted=muted)
    words: dict[str, Any] = {"table": _title(game_id), "everywhere": shown.shown(kept)}
    words |= {"why": mailed.why(services(), who.account_id, game_id)}
    words |= mailed.listed(services(), who.account_id, game_id, limit=MOST_SHOWN)
    chosen = there | (given or {})
    return page("mail.html", status=status, choices=chosen, wrong=wrong or (), game_id=game_id, **words)


def _everywhere() -> dict[str, Any]:
    """What the form of the account's page says. A box that is not ticked is not sent."""
    form = request.form
    given: dict[str, Any] = {name: form.get(name) for name in (*KINDS, "remind", *HOURS)}
    given |= {name: given[name] or None for name in ("quiet_from", "quiet_until")}
    given |= {name: name in form for name in ("picture", "on_site")}
    return given | {"delay": _number(form.get("delay")), "hours": _hours(form.get("hours"))}


def _at_table() -> dict[str, Any]:
    """What the form of a table says; nothing chosen is as everywhere else."""
    form = request.form
    given: dict[str, Any] = {name: form.get(name) or None for name in (*KINDS, "remind")}
    given |= {name: {"yes": True, "no": False}.get(form.get(name, "")) for name in ("picture", "on_site")}
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
    return preferences.in_order(found)


def _wrong(no: ValidationError | Problem) -> tuple[str, ...]:
    """The fields that cannot be as they were typed."""
    if isinstance(no, ValidationError):
        return tuple(no.messages_dict)
    if no.code != "bad-quiet-hours":
        raise no
    return ("quiet_from", "quiet_until")


@above_every_page
def _stopped(who: Holder | None) -> dict[str, Any]:
    """That the last mail to the reader did not arrive, or that none goes out, is said where it is read."""
    if who is None:
        return {}
    with services().database.read() as session:
        stopped = mails.stopped(session, who.account_id)
        return {"mail_stop": stopped, "trouble": None if stopped else mails.trouble(session, who.account_id)}
