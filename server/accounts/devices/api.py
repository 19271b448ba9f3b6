"""The endpoints of RFC 8628 for programs: `POST /oauth/device` begins, `POST /oauth/token` asks for the token.

Forms in and JSON out, with OAuth's own errors, as every OAuth library expects: so they are beside the API's document,
and `/.well-known/oauth-authorization-server` (RFC 8414) describes them.
"""

from __future__ import annotations

from typing import Any

import flask
from flask import Blueprint, Response, current_app, request

from server.accounts.devices import write
from server.accounts.devices.write import DeviceError
from server.accounts.schemas import RenameSchema
from server.http.credentials import LASTING, SCOPES
from server.kernel.services import Services

blp = Blueprint("oauth", __name__)
GRANT = "urn:ietf:params:oauth:grant-type:device_code"
PAGE = "/device"


@blp.get("/.well-known/oauth-authorization-server")
def oauth_metadata() -> Response:
    """The endpoints, for programs that look for them (RFC 8414)."""
    url = _services().settings.public_url
    return flask.jsonify(
        issuer=url,
        device_authorization_endpoint=f"{url}/oauth/device",
        token_endpoint=f"{url}/oauth/token",
        grant_types_supported=[GRANT],
        response_types_supported=[],
        scopes_supported=list(SCOPES),
        token_endpoint_auth_methods_supported=["none"],
    )


@blp.post("/oauth/device")
def begin_device() -> Response:
    """Begin: `client_id` is the program's name as the person reads it, `scope` what it wants."""
    name = _field("client_id", needed=True)
    if RenameSchema().validate({"name": name}):
        raise DeviceError("invalid_request", "client_id must be 1 to 40 printable characters.")
    scopes = _field("scope").split() or list(LASTING)
    if not {*scopes} <= {*SCOPES}:
        raise DeviceError("invalid_scope", f"The scopes are {', '.join(SCOPES)}.")
    made = write.begin(_services(), name, scopes, request.remote_addr or "")
    return _unstored(
        device_code=made.device_code,
        user_code=made.user_code,
        verification_uri=f"{_services().settings.public_url}{PAGE}",
        expires_in=int(write.LIFETIME.total_seconds()),
        interval=write.INTERVAL,
    )


@blp.post("/oauth/token")
def give_token() -> Response:
    """The token, once its owner has allowed it; an error that says what to do until then."""
    if _field("grant_type", needed=True) != GRANT:
        raise DeviceError("unsupported_grant_type", f"The grant type is {GRANT}.")
    given = write.redeem(_services(), _field("device_code", needed=True), _field("client_id", needed=True))
    lasts = {} if given.seconds is None else {"expires_in": given.seconds}
    return _unstored(access_token=given.token, token_type="Bearer", scope=" ".join(given.scopes), **lasts)  # noqa: S106


def _field(name: str, *, needed: bool = False) -> str:
    """A parameter of the form; an empty one counts as left out, and none may come twice (RFC 6749, 3.2)."""
    found = request.form.getlist(name)
    if len(found) > 1:
        raise DeviceError("invalid_request", f"{name} is given more than once.")
    if needed and not any(found):
        raise DeviceError("invalid_request", f"{name} is missing. Send a form (application/x-www-form-urlencoded).")
    return found[0] if found else ""


@blp.errorhandler(DeviceError)
def _refused(error: DeviceError) -> Response:
    answer = _unstored(error=error.code, error_description=error.says)
    answer.status_code = 400
    return answer


def _unstored(**said: Any) -> Response:
    answer = flask.jsonify(said)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _services() -> Services:
    found: Services = current_app.extensions["sealedmove"]
    return found
