"""The list of a server's keys (section 16)."""

import json
from dataclasses import dataclass
from typing import Any

from tests.stranger.acts import SERVER, read_jws
from tests.stranger.entries import read_time
from tests.stranger.keys import kid_of, read_jwk
from tests.stranger.lines import Json, Refused, array, matching, members, need

MOST = 1024
JWK = ("crv", "kty", "x")


@dataclass(frozen=True)
class ServerKeys:
    """The public keys of a server, the oldest first."""

    server: str
    keys: tuple[bytes, ...]


def server_keys(text: str, known: ServerKeys | None = None) -> ServerKeys:
    """The list in a document; Refused if it does not begin with the known list of the same server."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("this is not JSON") from None
    need(isinstance(document, dict), "this is not an object")
    server = matching(document.get("server"), SERVER)
    keys: list[bytes] = []
    for item in array(document.get("keys"), 1, MOST):
        keys.append(_key(item, keys, server))
    shown = ServerKeys(server, tuple(keys))
    if known is not None:
        need(server == known.server, f"the list of {server}")
        need(shown.keys[: len(known.keys)] == known.keys, "a key that was known is not in its place")
    return shown


def _key(item: Json, before: list[bytes], server: str) -> bytes:
    members(item, {*JWK, "kid", "from", "until", "signed"})
    jwk = {member: item[member] for member in JWK}
    key = read_jwk(jwk)
    need(key not in before, "a key stands there twice")
    need(item["kid"] == kid_of(key), "the kid of another key")
    for time in (item["from"], item["until"]):
        need(time is None or isinstance(time, str), "a time that is neither null nor a string")
        if time is not None:
            read_time(time)
    if before:
        _check_succession(item["signed"], before[-1], {"v": 1, "aud": server, "act": "succeed", "key": jwk})
    else:
        need(item["signed"] is None, "the first key is signed")
    return key


def _check_succession(signed: Json, by: bytes, expected: dict[str, Any]) -> None:
    need(isinstance(signed, str), "a later key is not signed")
    jws = read_jws(signed, "sealedmove-server+jws")
    jws.verify(by)
    need(jws.payload == expected and jws.payload["v"] is not True, "another act was signed")
