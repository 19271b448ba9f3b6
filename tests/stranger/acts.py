"""Signed acts (5.2) and the texts of sealed moves (5.3), as players send them."""

from dataclasses import dataclass
from typing import Any

from tests.stranger.keys import kid_of, read_jwk, verify
from tests.stranger.lines import (
    LONGEST_SENT,
    SEATS,
    D,
    H,
    Json,
    array,
    bytes32,
    flag,
    from_base64url,
    matching,
    members,
    need,
    number,
    one_of,
    read_sent,
    to_base64url,
)

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
SERVER = r"[A-Za-z0-9._:\[\]-]{1,255}"
COMMANDS = 64
ONLY = 4
KINDS = {
    "join": "joined", "leave": "left", "move": "moved", "key": "keyed", "offer": "offered", "take": "taken",
    "resign": "resigned",
}  # fmt: skip
MEMBERS = {"v", "aud", "game", "act", "seat", "seq", "prev"}


@dataclass(frozen=True)
class Jws:
    """A compact JWS whose header has been judged, and whose signature has not."""

    kid: str
    payload: dict[str, Any]
    signed: bytes
    signature: bytes

    def verify(self, public: bytes) -> None:
        need(kid_of(public) == self.kid, "the JWS names another key")
        verify(public, self.signed, self.signature)


@dataclass(frozen=True)
class Act:
    """A signed act that can be read. `key` is the one that a `join`, a `take` or `add` brings."""

    jws: Jws
    act: str
    payload: dict[str, Any]
    key: bytes | None = None
    recovery: bytes | None = None
    only: tuple[bytes, ...] | None = None

    @property
    def kid(self) -> str:
        return self.jws.kid

    @property
    def keys(self) -> list[bytes]:
        return [key for key in (self.key, *(self.only or ()), self.recovery) if key is not None]

    @property
    def recovers(self) -> bool:
        """The form of the `key` act that a recovery key signs."""
        return "only" in self.payload

    def verify(self, public: bytes) -> None:
        self.jws.verify(public)


def read_jws(text: str, typ: str) -> Jws:
    need(len(text) <= LONGEST_SENT, f"a JWS of {len(text)} characters")
    parts = text.split(".")
    need(len(parts) == 3, f"a JWS of {len(parts)} parts")
    header = members(read_sent(from_base64url(parts[0])), {"alg", "kid", "typ"})
    need(header["alg"] in ("Ed25519", "EdDSA"), f"the algorithm {header['alg']}")
    need(header["typ"] == typ, f"the type {header['typ']}")
    bytes32(header["kid"])
    payload = read_sent(from_base64url(parts[1]))
    signature = from_base64url(parts[2], 64)
    return Jws(header["kid"], payload, f"{parts[0]}.{parts[1]}".encode("ascii"), signature)


def read_act(text: str) -> Act:
    jws = read_jws(text, "sealedmove+jws")
    payload = jws.payload
    act = one_of(payload.get("act"), KINDS)
    further = {name: value for name, value in payload.items() if name not in MEMBERS}
    members(payload, MEMBERS | further.keys())
    need(type(payload["v"]) is int and payload["v"] == 1, f"version {payload['v']}")
    matching(payload["aud"], SERVER)
    matching(payload["game"], UUID)
    number(payload["seat"], 0, SEATS - 1)
    number(payload["seq"], 0, 2**20 - 1)
    bytes32(payload["prev"])
    return Act(jws, act, payload, **_FURTHER[act](further))


def read_commands(value: Json) -> list[Json]:
    return array(value, 1, COMMANDS)


def _nothing(further: Json) -> dict[str, Any]:
    members(further, set())
    return {}


def _keys(further: Json) -> dict[str, Any]:
    flag(further["bot"])
    return {"key": read_jwk(further["key"]), "recovery": _recovery(further["recovery"])}


def _recovery(value: Json) -> bytes | None:
    return None if value is None else read_jwk(value)


def _join(further: Json) -> dict[str, Any]:
    bytes32(members(further, {"key", "nonce", "recovery", "bot"})["nonce"])
    return _keys(further)


def _take(further: Json) -> dict[str, Any]:
    return _keys(members(further, {"key", "recovery", "bot"}))


def _move(further: Json) -> dict[str, Any]:
    if "sealed" in further:
        bytes32(members(further, {"sealed"})["sealed"])
    else:
        read_commands(members(further, {"commands"})["commands"])
    return {}


def _key(further: Json) -> dict[str, Any]:
    if "add" in further:
        return {"key": read_jwk(members(further, {"add"})["add"])}
    if "drop" in further:
        bytes32(members(further, {"drop"})["drop"])
        return {}
    members(further, {"only", "recovery"})
    need(further["only"] is not None or further["recovery"] is not None, "neither only keys nor a recovery key")
    only = None if further["only"] is None else tuple(map(read_jwk, array(further["only"], 1, ONLY)))
    return {"only": only, "recovery": _recovery(further["recovery"])}


def _offer(further: Json) -> dict[str, Any]:
    flag(members(further, {"open"})["open"])
    return {}


_FURTHER = {
    "join": _join, "leave": _nothing, "move": _move, "key": _key, "offer": _offer, "take": _take, "resign": _nothing,
}  # fmt: skip


def read_move_text(data: bytes) -> list[Json]:
    """The commands in the text of a sealed move."""
    text = members(read_sent(data), {"commands", "salt"})
    bytes32(text["salt"])
    return read_commands(text["commands"])


def seal_of(text: bytes) -> str:
    """The commitment that is signed in place of a move's text."""
    return to_base64url(H(D("move") + text))
