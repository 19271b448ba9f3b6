"""The account page: profile, addresses, keys, sessions and programs, waiting acts, and erasing the account.

The page works without a script, except for signing: unsigned requests wait for seven days. A form counts only if a page
of this server sent it. Each form ends with a redirect (303), so that reloading sends nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import Response, request
from marshmallow import ValidationError

from server.accounts import address, read, sign_in, waiting_acts, write
from server.accounts.bots import write as bots_write
from server.accounts.keys import write as keys_write
from server.accounts.people import read as people
from server.accounts.schemas import AddressSchema, CreateTokenSchema, LoginSchema, RenameSchema
from server.accounts.statements import AccountAct
from server.accounts.write import end_all
from server.hooks import write as hooks
from server.hooks.push import read as push_read
from server.hooks.push import write as push
from server.http import credentials, origin
from server.http.credentials import LASTING, Principal
from server.http.page import blueprint, frame_facts, page, reader, redirect_to, safe_path, services, signed_in
from server.kernel import text
from server.kernel.db.models import WaitingAct
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import outbox
from server.mailbox import delivery_reports
from server.mailbox import read as mailbox_read
from server.mailbox import write as mailbox_write
from server.tables.invitations import read as invitations
from server.tables.invitations import write as invitations_write

frame_facts(read.frame_facts)


@blueprint.get("/account")
def account_page() -> Response:
    """For signed-in readers; others sign in first."""
    principal = reader()
    if principal is None:
        return redirect_to("/login?next=/account")
    return _account_page(principal)


@blueprint.post("/account")
def change_account_page() -> Response:
    """Change the name, the time zone, or whether the pace is hidden."""
    principal = signed_in()
    given: dict[str, Any] = {name: request.form.get(name, "").strip() for name in ("name", "zone")}
    given["hides_pace"] = "hides_pace" in request.form
    try:
        write.change_account(services(), principal.account_id, RenameSchema().load(given))
    except ValidationError as no:
        return _account_page(principal, 422, wrong=no.messages_dict)
    except Problem as no:
        if no.code != "unknown-zone":
            raise
        return _account_page(principal, 422, wrong={"zone": True})
    return redirect_to("/account")


@blueprint.post("/account/address")
def change_address_page() -> Response:
    """Ask for another address: links go to both, and unsigned it also waits for seven days."""
    principal = signed_in()
    try:
        given = AddressSchema().load({"email": request.form.get("email", "").strip()})
    except ValidationError:
        return _account_page(principal, 422, wrong={"email": True})
    address.request_change(services(), principal.account_id, given["email"], None)
    return redirect_to("/account")


@blueprint.post("/account/waiting")
def ask_waiting_page() -> Response:
    """Request an irreversible act without a signature."""
    act, about = (request.form.get(name, "") for name in ("act", "about"))
    if act not in ("erase", "drop-key", "drop-box"):
        raise Problem("bad-request")
    principal = signed_in()
    if act == "drop-key" and keys_write.is_new(services(), principal.account_id, about):
        keys_write.remove(services(), principal.account_id, about, None)
    else:
        waiting_acts.request_unsigned(services(), AccountAct(principal.account_id, act, about))
    return redirect_to("/account")


def _cancel(services: Services, account_id: int, number: int) -> None:
    waiting_acts.cancel(services, account_id, number)


def _end_session(services: Services, account_id: int, number: int) -> None:
    with services.database.write() as session:
        if not credentials.end_session(session, account_id, number):
            raise Problem("not-found")
    services.waker.wake([], outbox.topics([account_id]))  # its streams end now


# The action of the button beside each kind of row, by the end of its address.
BUTTONS: dict[str, Callable[[Services, int, int], Any]] = {
    "cancel": _cancel,
    "session": _end_session,
    "token": write.revoke_token,
    "hook": hooks.delete,
    "push": push.delete,
    "bot": bots_write.rest,
    "refusal": invitations_write.allow,
}


@blueprint.post("/account/<any(cancel, session, token, hook, push, bot, refusal):what>/<int(max=2147483647):number>")
def end_one_page(what: str, number: int) -> Response:
    """End what one row shows."""
    BUTTONS[what](services(), signed_in().account_id, number)
    return redirect_to("/account")


@blueprint.post("/account/mail")
def want_mail_page() -> Response:
    """Resume mails to the reader. Pressing twice does the same as once."""
    principal = signed_in()
    with suppress(Problem):
        delivery_reports.want_mail(services(), principal.account_id)
    return redirect_to("/account")


@blueprint.post("/account/end-all")
def end_all_page() -> Response:
    """End everything that acts for the account, this browser's session included."""
    end_all(services(), signed_in().account_id)
    answer = redirect_to("/login")
    origin.drop_cookie(answer)
    return answer


def _account_page(principal: Principal, status: int = 200, wrong: Any = None) -> Response:
    found = read.overview(services(), principal.account_id)
    more: dict[str, Any] = {
        "this": principal.shown,
        "zones": sorted(text.zones()),
        "mail": mailbox_read.shown_choices(mailbox_write.show_choices(services(), principal.account_id)),
        "wrong": wrong or {},
        "given": request.form,
        "push": push_read.shown(services(), principal),
        "blocks": people.blocks(services(), principal.account_id),
        "refused": invitations.refused_inviters(services(), principal.account_id),
    }
    return page("account.html", status=status, **found, **more)


# --- Signing in: ask for a link, press the button behind it, and this browser has a session; signing out --------------
# The link's token stands in the path, so these pages are stored nowhere; the app logs routes, never paths. Only a page
# of this server can send its form, so no other site's page can sign anybody in, to their account or another.


@blueprint.get("/login")
def login_form() -> Response:
    """Where a person writes the address to which a link is mailed."""
    return page("login.html", email="", wrong=False, next=safe_path(request.args.get("next")), **_session_allowed())


@blueprint.post("/login")
def ask_page() -> Response:
    """Mail a link; the response is the same for known and unknown addresses."""
    email, then = request.form.get("email", "").strip(), safe_path(request.form.get("next"))
    try:
        given = LoginSchema().load({"email": email})
    except ValidationError:
        return page("login.html", status=422, secret=True, email=email, wrong=True, next=then, **_session_allowed())
    sign_in.request_link(services(), given["email"], "", then)
    return page("login_sent.html", status=202, secret=True, mail_page=services().settings.mail_page_url)


@blueprint.get("/login/<token>")
def login_page(token: str) -> Response:
    """The account that the link signs in, and a button; nothing happens on GET, since mail scanners follow links."""
    return _confirm_page(sign_in.link_target(services(), token))


@blueprint.post("/login/<token>")
def sign_in_page(token: str) -> Response:
    """Use the link, and redirect to the page that asked for it. A browser signed in to another account asks first."""
    target, principal = sign_in.link_target(services(), token), reader()
    if origin.cookie_name() is None:
        raise Problem("plain-http")
    if not origin.is_same_origin():
        raise Problem("other-origin")
    if (
        principal is not None
        and target.account_id != principal.account_id
        and request.form.get("instead") != str(principal.account_id)
    ):
        return _confirm_page(target, status=409)
    name = request.form.get("name", target.name).strip()
    if target.account_id is None and name and RenameSchema().validate({"name": name}):
        return _confirm_page(target, status=422, name=name)
    answer = redirect_to(target.leads_to or "/")
    origin.put_cookie(answer, sign_in.open_session(services(), token, principal, name))
    return answer


@blueprint.post("/logout")
def sign_out_page() -> Response:
    """End this browser's session."""
    if not origin.is_same_origin():
        raise Problem("other-origin")
    answer, principal = redirect_to("/"), reader()
    if principal is not None:
        _end(principal)
        origin.drop_cookie(answer)
    return answer


def _end(principal: Principal) -> None:
    with services().database.write() as session:
        credentials.end_session(session, principal.account_id, int(principal.shown[1:]))
    services().waker.wake([], outbox.topics([principal.account_id]))  # its streams end now


def _confirm_page(target: sign_in.LinkTarget, status: int = 200, name: str | None = None) -> Response:
    """With the name that was refused, if one was."""
    other = (principal := reader()) is not None and principal.account_id != target.account_id
    return page(
        "login_button.html",
        status=status,
        secret=True,
        email=target.email,
        account=target.account_id,
        name=target.name if name is None else name,
        wrong=name is not None,
        other=other,
        **_session_allowed(),
    )


def _session_allowed() -> dict[str, bool]:
    """Are there sessions at this host?"""
    return {"may": origin.cookie_name() is not None}


# --- A token for a program, made by hand: named, and shown once -------------------------------------------------------
# One with the scope `account` needs a signature, hence a program (`POST /v1/me/tokens`).


ENDS = (("30", "After 30 days"), ("90", "After 90 days"), ("365", "After a year"), ("", "Never"))


@blueprint.get("/account/token")
def token_form() -> Response:
    """The form: the token's name, its scopes, and how long it lasts."""
    _reader()
    return _token_form({"scopes": LASTING, "days": "90"})


@blueprint.post("/account/token")
def make_token_page() -> Response:
    """Make the token and show it, only this once."""
    principal, days = signed_in(), request.form.get("days", "")
    fields = {"name": request.form.get("name", "").strip(), "scopes": request.form.getlist("scopes")}
    try:
        given = CreateTokenSchema().load(fields | {"days": int(days) if days.isascii() and days.isdigit() else None})
        if not {*given["scopes"]} <= {*LASTING}:
            raise ValidationError({"scopes": [f"Of {', '.join(LASTING)}"]})
    except ValidationError as no:
        return _token_form(fields | {"days": days}, no.messages, 422)
    token = write.make_token(services(), principal, given["name"], given["scopes"], given["days"])
    return page("token_made.html", secret=True, token=token, name=given["name"], url=services().settings.public_url)


def _token_form(given: Any, errors: Any = (), status: int = 200) -> Response:
    return page("token.html", status=status, given=given, errors=errors, ends=ENDS)


def _reader() -> Principal:
    principal = reader()
    if principal is None:
        raise Problem("not-signed-in")
    return principal


# --- the page behind the link in a mail about a waiting act -----------------------------------------------------------
# It shows the act, with buttons that cancel or confirm it, by POST only.
#
# The link's token authorizes this, so nobody has to be signed in. The link mailed to the new address can only confirm;
# the one mailed to the old address can also cancel.


@blueprint.get("/waiting/<token>")
def waiting_page(token: str) -> Response:
    """Show the waiting act, with buttons."""
    act, side = address.link_target(services(), token)
    return _waiting_page("ask", act, side)


@blueprint.post("/waiting/<token>")
def answer_page(token: str) -> Response:
    """Confirm or cancel it."""
    if not origin.is_same_origin():
        raise Problem("other-origin")
    if request.form.get("do") == "cancel":
        return _waiting_page("cancelled", address.cancel(services(), token), "old")
    act = address.confirm(services(), token)
    return _waiting_page("done" if act.ended_at is not None else "said", act, "old")


def _waiting_page(stage: str, act: WaitingAct, side: str) -> Response:
    said: dict[str, Any] = {"act": act.act, "about": act.about, "due": act.due_at, "signed": act.is_signed}
    return page("waiting.html", secret=True, stage=stage, side=side, **said)
