"""The server's own keys: the document at `/.well-known/sealedmove.json`, in which each key is signed by the one before.

    {"server": "games.example", "spec": "...", "software": "...", "contact": "...",
     "keys": [{"crv": "Ed25519", "kty": "OKP", "x": "...", "kid": "...", "from": "...", "until": "...", "signed": null},
              {"crv": "...", "kty": "...", "x": "...", "kid": "...", "from": "...", "until": null, "signed": "<JWS>"}]}

A key is never removed, so anyone who knew part of the list can check whether a longer one continues it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding import members as m
from engine.record.signed import keys

TYP = "sealedmove-server+jws"
MOST_KEYS = 1024


class ServerKeys(msgspec.Struct, frozen=True):
    """A server's name and its public keys (32 bytes each), the oldest first."""

    server: str
    keys: tuple[bytes, ...]


def succession(server: str, seed: bytes, new: bytes) -> str:
    """The JWS by which the key of `seed` names the one after it."""
    payload = {"v": 1, "aud": server, "act": "succeed", "key": keys.jwk(new)}
    return keys.sign_jws(seed, payload, typ=TYP)


def document(
    server: str, seeds: Sequence[bytes], since: Sequence[str | None], *, spec: str, software: str, contact: str | None
) -> dict[str, Any]:
    """The document of a server with these keys, the oldest first; `since` is when each came into use, if it has."""
    untils = (*since[1:], None)
    listed = [
        {
            **keys.jwk(keys.public_of(seed)),
            "kid": keys.thumbprint(keys.public_of(seed)),
            "from": since[number],
            "until": untils[number],
            "signed": succession(server, seeds[number - 1], keys.public_of(seed)) if number else None,
        }
        for number, seed in enumerate(seeds)
    ]
    return {"server": server, "keys": listed, "spec": spec, "software": software, "contact": contact}


def read(value: object) -> ServerKeys:
    """The keys of a document as it was parsed from JSON; BadRecord unless each follows from the one before.

    Other members of the document are ignored.
    """
    if not isinstance(value, dict) or "server" not in value or "keys" not in value:
        raise BadRecord("bad-server-document", "the key document of a server must be an object with server and keys")
    m.host(value["server"])
    listed = value["keys"]
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_KEYS:
        raise BadRecord("bad-server-document", f"a server must have 1 to {MOST_KEYS} keys")
    found: tuple[bytes, ...] = ()
    for item in listed:
        found = (*found, _next(value["server"], found, item))
    return ServerKeys(value["server"], found)


def continues(known: ServerKeys, shown: ServerKeys) -> bool:
    """Is the second list the first one, perhaps with later keys?"""
    return known.server == shown.server and shown.keys[: len(known.keys)] == known.keys


def _next(server: str, before: tuple[bytes, ...], item: object) -> bytes:
    _check_key(item)
    whole: dict[str, Any] = item  # type: ignore[assignment]  # the check has seen it
    public = keys.parse_jwk({name: whole[name] for name in ("crv", "kty", "x")})
    if whole["kid"] != keys.thumbprint(public):
        raise BadRecord("wrong-key", "the kid of a server's key must be its thumbprint")
    if public in before:
        raise BadRecord("key-taken", "a server must list each of its keys once")
    _check_signed(server, before, public, whole["signed"])
    return public


def _check_signed(server: str, before: tuple[bytes, ...], public: bytes, signed: str | None) -> None:
    if (signed is None) != (not before):
        raise BadRecord(
            "unsigned-key", "each key after the first must be signed by the one before it, and the first must not"
        )
    if signed is None:
        return
    found = keys.read_jws(signed, TYP)
    due = {"v": 1, "aud": server, "act": "succeed", "key": keys.jwk(public)}
    if canonical.dumps(found.payload) != canonical.dumps(due):  # true equals 1 in Python, and not here
        raise BadRecord("wrong-act", "the signed statement names a different key or server than the document")
    found.verify(before[-1])


def _check_time(value: object) -> None:
    m.text(value)
    canonical.seconds(str(value))


_time = m.nullable(m.MemberCheck(_check_time, str))
_check_key = m.Shape(
    "a key of a server",
    {
        "crv": m.text,
        "kty": m.text,
        "x": m.binary32,
        "kid": m.binary32,
        "from": _time,
        "until": _time,
        "signed": m.nullable(m.text),
    },
)
