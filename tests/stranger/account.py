"""Registrations and statements that keys sign for an account (docs/spec/account.md)."""

from collections.abc import Collection
from dataclasses import dataclass

from tests.stranger.acts import Jws, read_jws
from tests.stranger.keys import kid_of, read_jwk
from tests.stranger.lines import Json, members, need

OF_RECOVERY = ("let-in", "drop-key", "box", "drop-box")  # signed with a recovery key, too


@dataclass(frozen=True)
class Request:
    """A request to a server, and the challenge that was given for it."""

    aud: str
    account: int
    act: str
    about: str
    at: str
    nonce: str


def check_registration(text: str, aud: str, nonce: str) -> bytes:
    """The key that a JWS registers at this server with this challenge."""
    jws = read_jws(text, "sealedmove-key+jws")
    payload = members(jws.payload, {"v", "aud", "act", "key", "nonce"})
    _compare(payload, {"v": 1, "aud": aud, "act": "register", "nonce": nonce})
    key = read_jwk(payload["key"])
    jws.verify(key)
    return key


def check_statement(text: str, request: Request, approved: Collection[bytes], recovery: bytes | None = None) -> None:
    """Check that a key of the account signed this request and no other."""
    jws = read_jws(text, "sealedmove-account+jws")
    asked: dict[str, Json] = {"v": 1, **vars(request)}
    _compare(members(jws.payload, asked.keys()), asked)
    keys = {*approved}
    if recovery is not None and request.act in OF_RECOVERY:
        keys.add(recovery)
    jws.verify(_signer(jws, keys))


def _compare(payload: dict[str, Json], due: dict[str, Json]) -> None:
    for name, value in due.items():
        same = type(payload[name]) is type(value) and payload[name] == value  # 1 == True
        need(same, f"{name} is {payload[name]!r:.80} and not {value!r:.80}")


def _signer(jws: Jws, keys: Collection[bytes]) -> bytes:
    signers = [key for key in keys if kid_of(key) == jws.kid]
    need(signers, "the signing key does not decide this for the account")
    return signers[0]
