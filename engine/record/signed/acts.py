"""The acts that a player signs: the payload of a JWS, built by a client and read strictly by everybody else.

Every payload names the server, the game, the seat, and the entry that it becomes (`seq` and `prev`): it can be logged
once, in one place, and it confirms all history before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding import members as m
from engine.record.signed import keys
from engine.record.signed.keys import Jwk, Jws, read_jws
from engine.record.signed.moves import MAX_COMMANDS, check_commands

# kind of entry -> the act that its JWS must be
ACT_OF: Mapping[str, str] = {
    "joined": "join",
    "left": "leave",
    "moved": "move",
    "keyed": "key",
    "offered": "offer",
    "taken": "take",
    "resigned": "resign",
}
KIND_OF: Mapping[str, str] = {act: kind for kind, act in ACT_OF.items()}


class Act(msgspec.Struct, frozen=True):
    """A payload as it was read. `prev` and `nonce` are 32 bytes; members that its act lacks are None."""

    act: str
    aud: str
    game: str
    seat: int
    seq: int
    prev: bytes
    key: Jwk | None = None
    nonce: bytes | None = None
    commands: list[Any] | None = None
    sealed: str | None = None
    add: Jwk | None = None
    drop: str | None = None
    only: list[Jwk] | None = None
    recovery: Jwk | None = None
    bot: bool | None = None
    open: bool | None = None

    @property
    def coming(self) -> tuple[Jwk, ...]:
        """The keys that the act brings into the game: to sign with, and to recover with."""
        return tuple(key for key in (self.key, self.add, *(self.only or ()), self.recovery) if key is not None)

    @property
    def replaces(self) -> bool:
        """Is this the form of a `key` act that only a recovery key signs?"""
        return self.act == "key" and self.add is None and self.drop is None


class SignedAct(msgspec.Struct, frozen=True):
    """An act with the JWS that carries it."""

    jws: Jws
    act: Act


def join(
    aud: str, game: str, seat: int, seq: int, prev: bytes, key: Jwk, nonce: bytes, recovery: Jwk | None, *, bot: bool
) -> dict[str, Any]:
    """The payload that takes a seat with a key; `nonce` is 32 random bytes, the same on every retry of one game.

    `recovery` is a key that can add and drop keys and nothing else, or None; `bot` states that a program will play.
    """
    body = {"key": key, "nonce": canonical.to_base64url(nonce), "recovery": recovery, "bot": bot}
    return {**_payload("join", aud, game, seat, seq, prev), **body}


def take(
    aud: str, game: str, seat: int, seq: int, prev: bytes, key: Jwk, recovery: Jwk | None, *, bot: bool
) -> dict[str, Any]:
    """The payload that takes over an offered or absent seat of a running game with a key of your own."""
    return {**_payload("take", aud, game, seat, seq, prev), "key": key, "recovery": recovery, "bot": bot}


def offer(aud: str, game: str, seat: int, seq: int, prev: bytes, *, open_: bool) -> dict[str, Any]:
    """The payload that offers your seat to others, or withdraws the offer; withdrawing also means "I am back"."""
    return {**_payload("offer", aud, game, seat, seq, prev), "open": open_}


def move(
    aud: str,
    game: str,
    seat: int,
    seq: int,
    prev: bytes,
    *,
    commands: list[Any] | None = None,
    sealed: str | None = None,
) -> dict[str, Any]:
    """The payload of a move: its commands in an open game, their seal (`moves.seal_move`) in a hidden one."""
    if (commands is None) == (sealed is None):
        raise BadRecord("bad-form", "a move must have either commands or sealed, not both")
    body = {"sealed": sealed} if commands is None else {"commands": commands}
    return {**_payload("move", aud, game, seat, seq, prev), **body}


def leave(aud: str, game: str, seat: int, seq: int, prev: bytes) -> dict[str, Any]:
    """The payload that gives a seat up before the start."""
    return _payload("leave", aud, game, seat, seq, prev)


def resign(aud: str, game: str, seat: int, seq: int, prev: bytes) -> dict[str, Any]:
    """The payload that gives the game up, in turn or not."""
    return _payload("resign", aud, game, seat, seq, prev)


def key(
    aud: str,
    game: str,
    seat: int,
    seq: int,
    prev: bytes,
    *,
    add: Jwk | None = None,
    drop: str | None = None,
) -> dict[str, Any]:
    """The payload by which a device key adds a device key to its seat (a JWK), or drops one (its kid)."""
    given = {"add": add, "drop": drop}
    body = {name: value for name, value in given.items() if value is not None}
    if len(body) != 1:
        raise BadRecord("bad-form", "a key act of a device key must add one key or drop one")
    return {**_payload("key", aud, game, seat, seq, prev), **body}


def replace_keys(
    aud: str,
    game: str,
    seat: int,
    seq: int,
    prev: bytes,
    *,
    only: list[Jwk] | None = None,
    recovery: Jwk | None = None,
) -> dict[str, Any]:
    """The payload by which a recovery key names the only device keys of its seat, its own successor, or both.

    `only` None keeps the device keys, `recovery` None keeps the recovery key.
    """
    body = {"only": only, "recovery": recovery}
    if only is None and recovery is None:
        raise BadRecord("bad-form", "a key act must name the only device keys, a new recovery key, or both")
    return {**_payload("key", aud, game, seat, seq, prev), **body}


def read_signed(compact: object) -> SignedAct:
    """The act in a compact JWS, its signature not yet verified; BadRecord if it is malformed."""
    jws = read_jws(compact)
    return SignedAct(jws, read_act(jws))


def read_act(jws: Jws) -> Act:
    """The act in a payload; BadRecord unless its members are exactly those of its act."""
    payload = jws.payload
    act = payload.get("act")
    if "act" not in payload:
        raise BadRecord("missing-member", "a payload must name its act")
    if not isinstance(act, str) or act not in SHAPES:
        raise BadRecord("unknown-act", f"the act of a payload must be one of {', '.join(SHAPES)}")
    shape = SHAPES[act]
    shape(payload)
    _check_form(shape, payload)
    return _act(payload)


def _check_form(shape: m.Shape, payload: dict[str, Any]) -> None:
    """Exactly one optional member is present, or the two of a recovery key's `key` act, not both null."""
    given = [name for name in shape.optional if name in payload]
    if given == ["only", "recovery"] and (payload["only"], payload["recovery"]) != (None, None):
        return
    if shape.optional and (len(given) != 1 or given[0] in ("only", "recovery")):
        raise BadRecord("bad-form", f"{shape.what} has one form: {FORMS[payload['act']]}")


def _payload(act: str, aud: str, game: str, seat: int, seq: int, prev: bytes) -> dict[str, Any]:
    where = {"aud": aud, "game": game, "seat": seat, "seq": seq, "prev": canonical.to_base64url(prev)}
    return {"v": 1, "act": act, **where}


def _act(payload: dict[str, Any]) -> Act:
    told, nonce = payload.get, payload.get("nonce")
    return Act(
        act=payload["act"],
        aud=payload["aud"],
        game=payload["game"],
        seat=payload["seat"],
        seq=payload["seq"],
        prev=canonical.from_base64url(payload["prev"], 32),
        key=told("key"),
        nonce=None if nonce is None else canonical.from_base64url(nonce, 32),
        commands=told("commands"),
        sealed=told("sealed"),
        add=told("add"),
        drop=told("drop"),
        only=told("only"),
        recovery=told("recovery"),
        bot=told("bot"),
        open=told("open"),
    )


def _check_v(value: object) -> None:
    if type(value) is not int or value != 1:
        raise BadRecord("bad-version", "a payload must have version 1, like its game")


_v = m.MemberCheck(_check_v, Literal[1], whole=True)


def _check_only(value: object) -> None:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_ONLY:
        raise m.bad(f"a list of 1 to {MOST_ONLY} keys is due here")
    for key in value:
        keys.parse_jwk(key)


MOST_ONLY = 4
FORMS = {"move": "commands, or sealed", "key": "add, or drop, or only and recovery, not both null"}

_key = m.MemberCheck(keys.parse_jwk)
_only = m.MemberCheck(_check_only, list[Any])
_commands = m.MemberCheck(check_commands, Annotated[list[Any], Meta(min_length=1, max_length=MAX_COMMANDS)], whole=True)

_COMMON: m.Members = {
    "v": _v,
    "aud": m.text,
    "game": m.game_id,
    "act": m.text,
    "seat": m.seat,
    "seq": m.seq,
    "prev": m.binary32,
}

_NEW_HOLDER: m.Members = {"key": _key, "recovery": m.nullable(_key), "bot": m.boolean}

# act -> members that it has, members of which it has exactly one
_BODIES: dict[str, tuple[m.Members, m.Members]] = {
    "join": ({**_COMMON, **_NEW_HOLDER, "nonce": m.binary32}, m.NONE),
    "take": ({**_COMMON, **_NEW_HOLDER}, m.NONE),
    "offer": ({**_COMMON, "open": m.boolean}, m.NONE),
    "move": (_COMMON, {"commands": _commands, "sealed": m.binary32}),
    "key": (_COMMON, {"add": _key, "drop": m.binary32, "only": m.nullable(_only), "recovery": m.nullable(_key)}),
    "leave": (_COMMON, m.NONE),
    "resign": (_COMMON, m.NONE),
}
SHAPES = {act: m.Shape(f"the {act} payload", *members) for act, members in _BODIES.items()}
