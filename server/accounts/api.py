"""The API of an account: profile, sign-in, sessions, tokens, waiting acts."""

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
    CreateTokenSchema,
    ExportSchema,
    LoginSchema,
    MadeTokenSchema,
    MeSchema,
    ProofSchema,
    RenameSchema,
    SessionSchema,
    SignedInSchema,
    TokenSchema,
    WaitingSchema,
)
from server.accounts.statements import AccountAct
from server.http import credentials
from server.http.resource import account_id, caller, holder, may_refuse, requires_scope, resource, services
from server.http.schemas import MOST
from server.kernel.db.models import Account, ApiToken
from server.kernel.errors import Problem
from server.kernel.text import iso
from server.log import outbox
from server.mailbox import delivery_reports
from server.tables import guests, limits

me_blp = resource("me", "Your account.")


@me_blp.route("/me", methods=["GET"])
@requires_scope("read")
@me_blp.response(200, MeSchema)
def get_me() -> dict[str, Any]:
    """Get your account.

    Your name and email address, and the scopes of the token that you send.
    """
    return _me_json()


@me_blp.route("/me", methods=["PATCH"])
@requires_scope("account")
@me_blp.arguments(RenameSchema)
@me_blp.response(200, MeSchema)
def rename_me(given: dict[str, Any]) -> dict[str, Any]:
    """Change your name, time zone, or what your page shows.

    Other players see your name at every table. The log of a game names keys, not people.
    """
    write.change_account(services(), account_id(), given)
    return _me_json()


@me_blp.route("/me", methods=["DELETE"])
@may_refuse(400, 401, 409)
@requires_scope("account")
@me_blp.arguments(ProofSchema, location="headers")
@me_blp.response(204)
def erase_me(arguments: dict[str, Any]) -> None:
    """Delete your account.

    Deletes your email address, name, keys and tokens. Your games remain, and the server plays default moves for your
    seats. Needs a statement `erase`. Without a signature, request it at `/v1/me/waiting`.
    """
    write.erase_signed(services(), account_id(), arguments.get("proof"))


@me_blp.route("/me/mail-stop", methods=["DELETE"])
@may_refuse(404)
@requires_scope("account")
@me_blp.response(204)
def want_mail() -> None:
    """Resume emails to you.

    They were stopped because of delivery failures or a spam complaint: see `mail_stopped` of `GET /v1/me`. Emails about
    your current turns are then sent at once. If they fail, emails stop again. 404 if emails are not stopped.
    """
    delivery_reports.want_mail(services(), account_id())


@me_blp.route("/me/export", methods=["GET"])
@requires_scope("account")
@me_blp.response(200, ExportSchema)
def export_me() -> Response:
    """Export your data.

    Account, keys, key backup, sessions, tokens, webhooks, bots, seats and emails. Download each game at its `bundle`.
    The export does not contain secrets such as tokens.
    """
    answer = flask.jsonify(read.export_of(services(), account_id()))
    answer.headers["Content-Disposition"] = 'attachment; filename="sealedmove.json"'
    return answer


def _me_json() -> dict[str, Any]:
    return write.show_account(services(), account_id()) | {"scopes": sorted(holder().scopes)}


# --- Signing in by a mailed link --------------------------------------------------------------------------------------


login_blp = resource("login", "Sign in with an emailed link. There are no passwords.")


@login_blp.route("/login", methods=["POST"])
@login_blp.arguments(LoginSchema)
@login_blp.response(202, AskedSchema)
def request_login(given: dict[str, Any]) -> dict[str, str]:
    """Request a sign-in link by email.

    The answer is the same for known and unknown addresses. A new account is made when the link is used.
    """
    sign_in.request_link(services(), given["email"], given.get("name", ""))
    return {}


@login_blp.route("/login/confirm", methods=["POST"])
@may_refuse(403, 410)
@login_blp.arguments(ConfirmSchema)
@login_blp.response(201, SignedInSchema)
def confirm_login(given: dict[str, Any]) -> dict[str, Any]:
    """Use a sign-in link from a program.

    A link works once, within half an hour. The answer holds an API token with the requested `scopes`, and for one hour
    also `account`, so that the program can register its key. Browsers open the link itself and do not need a token.
    """
    scopes = tuple(sorted(set(given["scopes"])))
    made = sign_in.confirm(services(), given["token"], given["name"], scopes, given["days"])
    return {"token": made.token, "account": {"id": made.account_id, "name": made.name}}


# --- Your sessions: the browsers in which you are signed in -----------------------------------------------------------


sessions_blp = resource("sessions", "Signed-in browsers. Their cookie is accepted only from pages of this server.")


@sessions_blp.route("/me/sessions", methods=["GET"])
@requires_scope("account")
@sessions_blp.response(200, SessionSchema(many=True))
def list_sessions() -> list[dict[str, Any]]:
    """List your sessions.

    A session ends ninety days after its last use, which is recorded at most every five minutes.
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

    Signs that browser out and ends its streams.
    """
    with services().database.write() as session:
        if not credentials.end_session(session, account_id(), session_id):
            raise Problem("not-found")
    services().waker.wake([], outbox.topics([account_id()]))


# --- Your API tokens --------------------------------------------------------------------------------------------------


tokens_blp = resource("tokens", "API tokens: scoped, revocable, shown once.")
MAYBE = ("expires_at", "account_until", "last_used_at")


@tokens_blp.route("/me/tokens", methods=["GET"])
@requires_scope("account")
@tokens_blp.response(200, TokenSchema(many=True))
def list_tokens() -> list[dict[str, Any]]:
    """List your tokens.

    With name, scopes and last use. The tokens themselves are not shown again.
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
@tokens_blp.arguments(CreateTokenSchema)
@tokens_blp.response(201, MadeTokenSchema)
def create_token(arguments: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Make a token.

    It cannot have more scopes than the token that requests it, and is shown only in this answer. A token with the scope
    `account` needs a statement `token`, so that someone who can read your emails for an hour cannot keep access.
    """
    principal, scopes = holder(), tuple(sorted(set(given["scopes"])))
    if not principal.scopes.issuperset(scopes):
        raise Problem("missing-scope", expected=scopes)
    with services().database.write() as session:
        guests.check_is_none(session.get_one(Account, account_id()))
        limits.check(services(), session, account_id(), "tokens")
        credentials.check_in_force(services(), session, principal)
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

    It stops working at once. A token may revoke itself.
    """
    write.revoke_token(services(), account_id(), token_id)


@tokens_blp.route("/me/tokens/current", methods=["DELETE"])
@requires_scope(None)
@may_refuse(404)
@tokens_blp.response(204)
def revoke_current_token() -> None:
    """Revoke the token of this request.

    This is how a program signs out, whatever the scopes of its token. Repeat the request if its answer is lost: 401
    `bad-token` means that the token has ended. A browser's session is not a token (404): end it at `/v1/me/sessions`.
    """
    principal = caller()
    kind, number = (principal.shown[0], int(principal.shown[1:])) if principal else ("", 0)
    if kind != "t":
        raise Problem("not-found")
    write.revoke_token(services(), account_id(), number)


def _check_signed(session: Session, scopes: tuple[str, ...], proof: str | None) -> None:
    if "account" in scopes:
        statements.check_person(services(), session, proof, AccountAct(account_id(), "token", " ".join(scopes)))


def _token_json(row: ApiToken) -> dict[str, Any]:
    known = {"id": row.id, "name": row.name, "scopes": sorted(credentials.scopes_of(row, services().now()))}
    return known | {"created_at": iso(row.created_at)} | {name: _iso(getattr(row, name)) for name in MAYBE}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)


# --- Waiting acts, a change of address, and the button that ends all access -------------------------------------------


waiting_blp = resource(
    "waiting", "Acts that cannot be undone. They need a signature, or wait seven days in which you can cancel them."
)
ONE = f"/me/waiting/<int(max={MOST}):waiting_id>"


LOCATED = {"Location": {"$ref": "#/components/headers/Location"}}


def _located(number: int) -> tuple[dict[str, Any], int, dict[str, str]]:
    return waiting_acts.find(services(), account_id(), number), 202, {"Location": f"/v1/me/waiting/{number}"}


@waiting_blp.route("/me/waiting", methods=["GET"])
@requires_scope("read")
@waiting_blp.response(200, WaitingSchema(many=True))
def list_waiting() -> list[dict[str, Any]]:
    """List waiting acts.

    Oldest first. Someone who can read your emails may have requested them: cancel the ones that are not yours.
    """
    return waiting_acts.pending(services(), account_id())


@waiting_blp.route("/me/waiting", methods=["POST"])
@may_refuse(404, 409)
@requires_scope("account")
@waiting_blp.arguments(AskWaitingSchema, example={"act": "erase"})
@waiting_blp.response(202, WaitingSchema, headers=LOCATED)
def ask_waiting(given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Request an act without a signature.

    `erase` deletes the account, `drop-key` removes the key with this `kid`, `drop-box` deletes the key backup. The act
    takes effect in seven days. Until then an email and every page show it, and anyone signed in to the account can
    cancel it. A repeated request returns the act that is already waiting.
    """
    return _located(waiting_acts.request_unsigned(services(), AccountAct(account_id(), given["act"], given["about"])))


@waiting_blp.route(ONE, methods=["GET"])
@requires_scope("read")
@waiting_blp.response(200, WaitingSchema)
def show_waiting(waiting_id: int) -> dict[str, Any]:
    """Get a waiting act.

    404 once it has been carried out or cancelled.
    """
    return waiting_acts.find(services(), account_id(), waiting_id)


@waiting_blp.route(ONE, methods=["DELETE"])
@requires_scope("account")
@waiting_blp.response(204)
def cancel_waiting(waiting_id: int) -> None:
    """Cancel a waiting act.

    This does not need a signature. Cancelling the approval of a key also removes that key.
    """
    waiting_acts.cancel(services(), account_id(), waiting_id)


@waiting_blp.route("/me/address", methods=["POST"])
@may_refuse(400, 401, 409)
@requires_scope("account")
@waiting_blp.arguments(ProofSchema, location="headers")
@waiting_blp.arguments(AddressSchema, example={"email": "ada@new.example"})
@waiting_blp.response(202, WaitingSchema, headers=LOCATED)
def change_address(arguments: dict[str, Any], given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Change your email address.

    Sends a link to the new address and to the old one. With a statement `address` the change takes effect once both are
    confirmed, or after seven days if only the new one is. Without a statement it needs both confirmations and seven
    days.
    """
    return _located(address.request_change(services(), account_id(), given["email"], arguments.get("proof")))


@waiting_blp.route("/me/end-all", methods=["POST"])
@requires_scope("account")
@waiting_blp.response(204)
def end_everything() -> None:
    """End all sessions and revoke all access.

    Ends all sessions, this one too, all tokens, webhooks, bots' tokens and unused sign-in links, and cancels waiting
    acts. Your keys and seats stay.
    """
    write.end_all(services(), account_id())
