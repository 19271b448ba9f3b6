"""One's own account."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import flask
import sqlalchemy as sa
from flask import Response
from sqlalchemy.orm import Session

from server.accounts import address, read, sign_in, statements, waiting_acts, write
from server.accounts.schemas import (
    AddressSchema,
    AskedSchema,
    AskWaitingSchema,
    ConfirmSchema,
    ExportSchema,
    LoginSchema,
    MadeTokenSchema,
    MeSchema,
    NewTokenSchema,
    ProofSchema,
    RenameSchema,
    SessionSchema,
    SignedInSchema,
    TokenSchema,
    WaitingSchema,
)
from server.accounts.statements import AccountAct
from server.http import credentials
from server.http.resource import account_id, caller, may_refuse, requires_scope, resource, services
from server.http.schemas import MOST
from server.kernel.db.models import Account, ApiToken
from server.kernel.errors import Problem
from server.kernel.text import iso
from server.log import outbox
from server.mailbox import delivery_reports

me_blp = resource("me", "Your account.")


@me_blp.route("/me", methods=["GET"])
@requires_scope("read")
@me_blp.response(200, MeSchema)
def get_me() -> dict[str, Any]:
    """Who you are to this server.

    Your name and address, and what the token that you show may do.
    """
    return _me_json()


@me_blp.route("/me", methods=["PATCH"])
@requires_scope("account")
@me_blp.arguments(RenameSchema)
@me_blp.response(200, MeSchema)
def rename_me(given: dict[str, Any]) -> dict[str, Any]:
    """Take another name or time zone.

    The name is what others read at every table; the log of a game names keys and no people.
    """
    write.change_account(services(), account_id(), given)
    return _me_json()


@me_blp.route("/me", methods=["DELETE"])
@may_refuse(400, 401, 409)
@requires_scope("account")
@me_blp.arguments(ProofSchema, location="headers")
@me_blp.response(204)
def erase_me(arguments: dict[str, Any]) -> None:
    """Erase the account.

    Address, name, keys and tokens go; games stay, and the clock plays on where it must. Needs a statement `erase`;
    without a signature it can be asked for at `/v1/me/waiting`.
    """
    write.erase_signed(services(), account_id(), arguments.get("proof"))


@me_blp.route("/me/mail-stop", methods=["DELETE"])
@may_refuse(404)
@requires_scope("account")
@me_blp.response(204)
def want_mail() -> None:
    """Have mail sent again.

    It was stopped by what was said of your address: see `mail_stopped` of `GET /v1/me`. What your games ask of you now
    is mailed at once; if that comes back, mail is stopped again. 404 if none is.
    """
    delivery_reports.want_mail(services(), account_id())


@me_blp.route("/me/export", methods=["GET"])
@requires_scope("account")
@me_blp.response(200, ExportSchema)
def export_me() -> Response:
    """All that is kept of you.

    Account, keys, box, sessions, tokens, webhooks, bots, seats and mails. Games themselves are at `bundle` of each;
    what is a secret and never shown again, a token for instance, is in no export either.
    """
    answer = flask.jsonify(read.export_of(services(), account_id()))
    answer.headers["Content-Disposition"] = 'attachment; filename="sealedmove.json"'
    return answer


def _me_json() -> dict[str, Any]:
    principal = caller()
    assert principal is not None
    return write.show_account(services(), principal.account_id) | {"scopes": sorted(principal.scopes)}


# --- Signing in by a mailed link --------------------------------------------------------------------------------------


login_blp = resource("login", "Sign in by a mailed link; there are no passwords.")


@login_blp.route("/login", methods=["POST"])
@login_blp.arguments(LoginSchema)
@login_blp.response(202, AskedSchema)
def request_login(given: dict[str, Any]) -> dict[str, str]:
    """Have a link mailed.

    The answer is the same whether the address is known or not; the account is made when the link is followed.
    """
    sign_in.request_link(services(), given["email"], given.get("name", ""))
    return {}


@login_blp.route("/login/confirm", methods=["POST"])
@may_refuse(410)
@login_blp.arguments(ConfirmSchema)
@login_blp.response(201, SignedInSchema)
def confirm_login(given: dict[str, Any]) -> dict[str, Any]:
    """Follow a link with a program: it works once, for half an hour.

    The answer holds an API token with the `scopes` asked for, and for one hour `account` too: so that the program can
    register its key. A browser follows the link itself and needs no token.
    """
    scopes = tuple(sorted(set(given["scopes"])))
    made = sign_in.confirm(services(), given["token"], given["name"], scopes, given["days"])
    return {"token": made.token, "account": {"id": made.account_id, "name": made.name}}


# --- Sessions of one's own: the browsers that one is signed in with ---------------------------------------------------


sessions_blp = resource(
    "sessions", "Browsers that are signed in, by a cookie that counts from the pages of this server alone."
)


@sessions_blp.route("/me/sessions", methods=["GET"])
@requires_scope("account")
@sessions_blp.response(200, SessionSchema(many=True))
def list_sessions() -> list[dict[str, Any]]:
    """The sessions in force.

    One ends ninety days after it was last used, which is noted every five minutes at most.
    """
    principal = caller()
    shown = principal.shown if principal else None
    return [
        {
            "id": row.id,
            "created_at": iso(row.created_at),
            "last_used_at": iso(row.last_used_at),
            "current": shown == f"s{row.id}",
        }
        for row in credentials.sessions_of(services(), account_id())
    ]


@sessions_blp.route(f"/me/sessions/<int(max={MOST}):session_id>", methods=["DELETE"])
@requires_scope("account")
@sessions_blp.response(204)
def end_session(session_id: int) -> None:
    """End a session.

    That browser is signed in no more, and its streams end.
    """
    with services().database.write() as session:
        if not credentials.end_session(session, account_id(), session_id):
            raise Problem("not-found")
    services().waker.wake([], outbox.topics([account_id()]))


# --- API tokens of one's own ------------------------------------------------------------------------------------------


tokens_blp = resource("tokens", "API tokens: scoped, revocable, shown once.")
MAYBE = ("expires_at", "account_until", "last_used_at")


@tokens_blp.route("/me/tokens", methods=["GET"])
@requires_scope("account")
@tokens_blp.response(200, TokenSchema(many=True))
def list_tokens() -> list[dict[str, Any]]:
    """The tokens in force.

    By name, scope and use; none can be read again.
    """
    query = (
        sa.select(ApiToken)
        .join(Account)
        .where(ApiToken.account_id == account_id(), *credentials.live_tokens(services().now()))
    )
    with services().database.read() as session:
        return [_token_json(row) for row in session.scalars(query.order_by(ApiToken.id))]


@tokens_blp.route("/me/tokens", methods=["POST"])
@requires_scope("account")
@may_refuse(401, 409)
@tokens_blp.arguments(ProofSchema, location="headers")
@tokens_blp.arguments(NewTokenSchema)
@tokens_blp.response(201, MadeTokenSchema)
def create_token(arguments: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Make a token.

    It has no more scopes than the one that asks for it, and is shown in this answer only. One with the scope `account`
    needs a statement `token`: whoever reads your mail for an hour leaves no door open behind him.
    """
    principal, scopes = caller(), tuple(sorted(set(given["scopes"])))
    if principal is None or not principal.scopes.issuperset(scopes):
        raise Problem("missing-scope", expected=scopes)
    with services().database.write() as session:
        _check_signed(session, scopes, arguments.get("proof"))
        ends = credentials.token_end(services().now(), given["days"])
        token, number = credentials.issue_token(
            services(), session, account_id(), given["name"], scopes, expires_at=ends
        )
        return _token_json(session.get_one(ApiToken, number)) | {"token": token}


@tokens_blp.route(f"/me/tokens/<int(max={MOST}):token_id>", methods=["DELETE"])
@requires_scope("account")
@tokens_blp.response(204)
def revoke_token(token_id: int) -> None:
    """Revoke a token.

    From now on it opens nothing; the one that asks may revoke itself.
    """
    write.revoke_token(services(), account_id(), token_id)


def _check_signed(session: Session, scopes: tuple[str, ...], proof: str | None) -> None:
    if "account" in scopes:
        statements.check_person(services(), session, proof, AccountAct(account_id(), "token", " ".join(scopes)))


def _token_json(row: ApiToken) -> dict[str, Any]:
    known = {"id": row.id, "name": row.name, "scopes": sorted(credentials.scopes_of(row, services().now()))}
    return known | {"created_at": iso(row.created_at)} | {name: _iso(getattr(row, name)) for name in MAYBE}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)


# --- What waits for seven days, a change of address, and the button that ends everything ------------------------------


waiting_blp = resource("waiting", "Acts that cannot be undone: signed, or seven days in which they can be cancelled.")
ONE = f"/me/waiting/<int(max={MOST}):waiting_id>"


LOCATED = {"Location": {"$ref": "#/components/headers/Location"}}


def _located(number: int) -> tuple[dict[str, Any], int, dict[str, str]]:
    return waiting_acts.find(services(), account_id(), number), 202, {"Location": f"/v1/me/waiting/{number}"}


@waiting_blp.route("/me/waiting", methods=["GET"])
@requires_scope("read")
@waiting_blp.response(200, WaitingSchema(many=True))
def list_waiting() -> list[dict[str, Any]]:
    """What waits.

    The oldest first. Somebody who reads your mail may have asked for it: look, and cancel what is not yours.
    """
    return waiting_acts.pending(services(), account_id())


@waiting_blp.route("/me/waiting", methods=["POST"])
@may_refuse(404, 409)
@requires_scope("account")
@waiting_blp.arguments(AskWaitingSchema, example={"act": "erase"})
@waiting_blp.response(202, WaitingSchema, headers=LOCATED)
def ask_waiting(given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Ask without a signature for what cannot be undone.

    `erase` the account, `drop-key` the key of this `kid`, or `drop-box`. It happens in seven days; until then a mail
    and every page tell of it, and anybody who is signed in as you can cancel it. The same again is the one that waits.
    """
    return _located(waiting_acts.request_unsigned(services(), AccountAct(account_id(), given["act"], given["about"])))


@waiting_blp.route(ONE, methods=["GET"])
@requires_scope("read")
@waiting_blp.response(200, WaitingSchema)
def show_waiting(waiting_id: int) -> dict[str, Any]:
    """One act that waits.

    404 once it was carried out or cancelled.
    """
    return waiting_acts.find(services(), account_id(), waiting_id)


@waiting_blp.route(ONE, methods=["DELETE"])
@requires_scope("account")
@waiting_blp.response(204)
def cancel_waiting(waiting_id: int) -> None:
    """Cancel what waits.

    It needs no signature: whoever is signed in can. A key that waited to be let in is forgotten with it.
    """
    waiting_acts.cancel(services(), account_id(), waiting_id)


@waiting_blp.route("/me/address", methods=["POST"])
@may_refuse(400, 401, 409)
@requires_scope("account")
@waiting_blp.arguments(ProofSchema, location="headers")
@waiting_blp.arguments(AddressSchema, example={"email": "ada@new.example"})
@waiting_blp.response(202, WaitingSchema, headers=LOCATED)
def change_address(arguments: dict[str, Any], given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Change the mail address.

    A link goes to the new address, and one to the old. With a statement `address` it happens as soon as both are
    confirmed, or seven days later if the old one stays silent; without one it needs both, and the seven days.
    """
    return _located(address.request_change(services(), account_id(), given["email"], arguments.get("proof")))


@waiting_blp.route("/me/end-all", methods=["POST"])
@requires_scope("account")
@waiting_blp.response(204)
def end_everything() -> None:
    """End all sessions, tokens, webhooks and bots' tokens.

    The one that asks, too, and every sign-in link on its way; what waits is cancelled. Keys stay, and seats with them.
    """
    write.end_all(services(), account_id())
