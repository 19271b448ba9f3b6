"""The account's page: who one is here, what acts in one's name, what waits, and the ways out. All of it reads without a
script, and all but signing works so: what is not signed waits for seven days.

A form is ours only if a page of this server sent it. After each the page is shown anew (303), so that going back and
loading again send nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import Response, request
from marshmallow import ValidationError

from server import cookies
from server.api.schemas.account import AddressSchema
from server.api.schemas.me import RenameSchema
from server.auth import sessions
from server.auth.holder import Holder
from server.auth.statements import Act
from server.errors import Problem
from server.log import events
from server.projections import account as shown
from server.projections import choices
from server.services import Services
from server.usecases import account, address, asking, bots, hooks, mailbox, own_keys, own_tokens, preferences, waiting
from server.usecases.end_all import end_all
from server.web.house import blueprint, own, page, reader, services, to


@blueprint.get("/account")
def account_page() -> Response:
    """For who is signed in; anybody else signs in first."""
    who = reader()
    if who is None:
        return to("/login?next=/account")
    return _page(who)


@blueprint.post("/account")
def change_account_page() -> Response:
    """Another name, or other hours."""
    who, given = own(), {name: request.form.get(name, "").strip() for name in ("name", "zone")}
    try:
        account.change(services(), who.account_id, RenameSchema().load(given))
    except ValidationError as no:
        return _page(who, 422, wrong=no.messages_dict)
    except Problem as no:
        if no.code != "unknown-zone":
            raise
        return _page(who, 422, wrong={"zone": True})
    return to("/account")


@blueprint.post("/account/address")
def change_address_page() -> Response:
    """Ask for another address: links go to both, and unsigned it also waits for seven days."""
    who = own()
    try:
        given = AddressSchema().load({"email": request.form.get("email", "").strip()})
    except ValidationError:
        return _page(who, 422, wrong={"email": True})
    address.ask(services(), who.account_id, given["email"], None)
    return to("/account")


@blueprint.post("/account/waiting")
def ask_waiting_page() -> Response:
    """Ask without a signature for what cannot be undone."""
    act, about = (request.form.get(name, "") for name in ("act", "about"))
    if act not in ("erase", "drop-key", "drop-box"):
        raise Problem("bad-request")
    who = own()
    if act == "drop-key" and own_keys.is_new(services(), who.account_id, about):
        own_keys.remove(services(), who.account_id, about, None)
    else:
        asking.ask(services(), Act(who.account_id, act, about))
    return to("/account")


def _cancel(services: Services, account_id: int, number: int) -> None:
    waiting.cancel(services, account_id, number)


def _end_session(services: Services, account_id: int, number: int) -> None:
    with services.database.write() as session:
        if not sessions.end(session, account_id, number):
            raise Problem("not-found")
    services.waker.wake([], events.pokes([account_id]))  # its streams end now


# What one button beside one row does, by the end of its address.
BUTTONS: dict[str, Callable[[Services, int, int], Any]] = {
    "cancel": _cancel,
    "session": _end_session,
    "token": own_tokens.revoke,
    "hook": hooks.delete,
    "bot": bots.rest,
}


@blueprint.post("/account/<any(cancel, session, token, hook, bot):what>/<int(max=2147483647):number>")
def end_one_page(what: str, number: int) -> Response:
    """One row less."""
    BUTTONS[what](services(), own().account_id, number)
    return to("/account")


@blueprint.post("/account/mail")
def want_mail_page() -> Response:
    """Mail again, for who has the address in order. Pressed twice it is the same."""
    who = own()
    with suppress(Problem):
        mailbox.want(services(), who.account_id)
    return to("/account")


@blueprint.post("/account/end-all")
def end_all_page() -> Response:
    """Everything that acts in one's name without oneself ends, this browser's session with it."""
    end_all(services(), own().account_id)
    answer = to("/login")
    cookies.drop(answer)
    return answer


def _page(who: Holder, status: int = 200, wrong: Any = None) -> Response:
    found = shown.overview(services(), who.account_id)
    more: dict[str, Any] = {
        "this": who.shown,
        "zones": sorted(account.zones()),
        "mail": choices.shown(preferences.show(services(), who.account_id)),
        "wrong": wrong or {},
        "given": request.form,
    }
    return page("account.html", status=status, **found, **more)
