"""A person's account at a server: sign-in by a mailed link, tokens and registered keys. There are no passwords."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack

from client import signing
from client.http import Api, ApiError
from client.keys import Key

_LINK = re.compile(r"/login/([A-Za-z0-9_.~-]{16,256})")


@dataclass(frozen=True, slots=True)
class Session:
    """A signed-in account. `api` carries its token."""

    api: Api
    account: str
    name: str


def request_link(api: Api, email: str, name: str | None = None) -> None:
    """Request a sign-in link by mail; the first one creates the account with this name."""
    api.post("/v1/login", {"email": email} if name is None else {"email": email, "name": name})


def token_in(mail: str) -> str | None:
    """The token of the sign-in link in a mail's text, if there is one."""
    found = _LINK.search(mail)
    return found[1] if found else None


def confirm(api: Api, link_token: str, name: str = "a program") -> Session:
    """Use the link, once; returns the session. `name` is the name of its token in the account's list."""
    given = api.post("/v1/login/confirm", {"token": link_token, "name": name}).value
    return Session(api.as_(given["token"]), str(given["account"]["id"]), given["account"]["name"])


def register_key(session: Session, key: Key) -> None:
    """Register this key with the account, by a signature over the server's challenge."""

    def send() -> None:
        nonce = session.api.post("/v1/me/keys/challenge").value["nonce"]
        session.api.post("/v1/me/keys", {"jws": signing.register(key, session.api.host, nonce)})

    _with_a_nonce(send)


def prove(session: Session, key: Key, act: str, about: str = "") -> dict[str, str]:
    """The header for an act that cannot be undone, signed by a key that counts for the account."""
    given = session.api.post("/v1/me/keys/challenge").value
    said = signing.statement(key, session.api.host, int(session.account), act, about, given)
    return {"Sealed-Move-Proof": said}


def approve_key(session: Session, kid: str, signer: Key) -> None:
    """Approve the account's key `kid`; `signer` is a key that counts already, or the recovery key."""
    path = f"/v1/me/keys/{kid}/let-in"
    _with_a_nonce(lambda: session.api.post(path, headers=prove(session, signer, "let-in", kid)))


def _with_a_nonce(send: Callable[[], object]) -> None:
    """Send, and again with another nonce if that one is used: a try whose answer was lost has used it."""
    try:
        send()
    except ApiError as no:
        if no.code != "bad-challenge":
            raise
        send()


def forget_key(session: Session, kid: str, signer: Key) -> None:
    """Remove the key from the account."""
    session.api.delete(f"/v1/me/keys/{kid}", prove(session, signer, "drop-key", kid))


def make_token(session: Session, name: str, scopes: tuple[str, ...], key: Key | None = None) -> tuple[int, Api]:
    """Another token of this account, for a bot or another machine: its number, and the server with it.

    `scopes` are among read, play and account, and no more than this session has; for the last of them `key` signs.
    """
    proof = {} if key is None else prove(session, key, "token", " ".join(sorted(scopes)))
    made = session.api.post("/v1/me/tokens", {"name": name, "scopes": list(scopes)}, proof).value
    return int(made["id"]), session.api.as_(made["token"])


def revoke_token(session: Session, number: int) -> None:
    """Revoke a token."""
    session.api.delete(f"/v1/me/tokens/{number}")


def revoke_own_token(session: Session) -> None:
    """Revoke the token of this session. One that does not work any more is revoked already."""
    try:
        session.api.delete("/v1/me/tokens/current")
    except ApiError as no:
        if no.code != "bad-token":
            raise


def turns(session: Session) -> list[dict[str, Any]]:
    """The games in which this account owes a move, the most urgent first."""
    found: list[dict[str, Any]] = session.api.get("/v1/me/turns").value
    return found


class TableWishes(TypedDict, total=False):
    """What a table may have besides its game, seats and clock. None, or nothing, leaves it to the server."""

    handover: Literal["none", "offer", "absent", "both"] | None  # when seats may change hands
    offer_wait: int | None  # seconds after which anyone may take an offered seat
    terms: str | None  # the hash (32 bytes in base64url) of a salted text agreed elsewhere
    door: Literal["open", "link", "invited"]  # to everyone, people with its id, or those invited
    unsigned: bool  # a mail from a player is a move
    house: Mapping[int, str]  # levels of house players, by the seats reserved for them
    asks: Mapping[str, int] | None  # the demands on players
    hints: bool  # players may ask a house player for advice
    start: Literal["full", "ready"] | None  # when all seats are taken, or when all people at it are also ready


def create_game(
    session: Session,
    key: str,
    seats: int,
    options: Mapping[str, Any] | None = None,
    clock: Mapping[str, int] | Literal["usual"] | None = "usual",
    **wishes: Unpack[TableWishes],
) -> str:
    """Open a table for a game of this type; returns its id.

    `clock` holds seconds and a number of stretches, {"move", "bank", "increment", "cap", "grace", "missed", "grants"},
    or some of them; None means without a clock.
    """
    body: dict[str, Any] = {"type": key, "seats": seats, "options": options or {}}
    body |= {name: value for name, value in wishes.items() if value is not None}
    body["house"] = [{"seat": seat, "level": level} for seat, level in wishes.get("house", {}).items()]
    body |= {} if clock == "usual" else {"clock": clock if clock is None else dict(clock)}
    return str(session.api.post("/v1/games", body, once=True).value["id"])
