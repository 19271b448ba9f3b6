"""Sign in without a browser of one's own: show a code, and wait until somebody has typed it on the server's page.

The OAuth 2.0 device authorization grant (RFC 8628).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from client.errors import ClientError
from client.http import Api, ApiError
from client.session import Session

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
SCOPES = ("read", "play", "account")
USUAL_PAUSE = 5.0  # seconds between two polls where the server names none (RFC 8628, 3.2), and more after `slow_down`
WAITING = ("authorization_pending", "slow_down")


class DeviceSignInError(ClientError):
    """The server gives no token: `code` is OAuth's, such as `access_denied` or `expired_token`."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(says or code)
        self.code = code
        self.says = says or code


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """A request that was begun. Show `url` and `user_code` to the person; the code lives for `seconds`."""

    name: str
    url: str
    user_code: str
    seconds: int
    device_code: str
    pause: float


@dataclass(frozen=True, slots=True)
class DeviceSession:
    """The signed-in account, and the scopes that the person has allowed."""

    session: Session
    scopes: frozenset[str]


def begin(api: Api, name: str, scopes: Sequence[str] = SCOPES) -> DeviceRequest:
    """Begin: `name` is what the person reads about this program. Scope `account` lasts for an hour."""
    given = _ask(api, "/oauth/device", client_id=name, scope=" ".join(scopes))
    pause = float(given.get("interval", USUAL_PAUSE))
    where = str(given["verification_uri"]), str(given["user_code"]), int(given["expires_in"])
    return DeviceRequest(name, *where, str(given["device_code"]), pause)


def wait(api: Api, request: DeviceRequest, sleep: Callable[[float], None] | None = None) -> DeviceSession:
    """Poll until the person has answered; DeviceSignInError if they deny it, or if the codes expire."""
    pause, form = request.pause, {"device_code": request.device_code, "client_id": request.name}
    while True:
        (sleep or api.pause)(pause)
        try:
            given = _ask(api, "/oauth/token", grant_type=GRANT, **form)
        except DeviceSignInError as no:
            if no.code not in WAITING:
                raise
            pause += USUAL_PAUSE if no.code == "slow_down" else 0
            continue
        known = api.as_(str(given["access_token"]))
        me = known.get("/v1/me").value
        scopes = frozenset(str(given.get("scope", " ".join(SCOPES))).split())
        return DeviceSession(Session(known, str(me["id"]), str(me["name"])), scopes)


def _ask(api: Api, path: str, **form: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = api.form(path, form).value
    except ApiError as no:
        if "error" not in no.problem:
            raise
        raise DeviceSignInError(str(no.problem["error"]), str(no.problem.get("error_description", ""))) from no
    return found
