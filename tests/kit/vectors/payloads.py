"""Payloads: the members of each act, and the allowed spellings."""

from __future__ import annotations

from typing import Any

from tests.kit import second
from tests.kit.vectors import scene
from tests.kit.vectors.cases import Case, accepted, refused

SEED = scene.SEEDS[0]


def good_payloads() -> list[Case]:
    mine, other = second.jwk(second.public(SEED)), second.jwk(second.public(scene.SEEDS[1]))
    back = second.jwk(second.public(scene.RECOVERY_SEED))
    nonce, kid = second.b64(scene.NONCES[0]), second.b64(scene.thumbprint(1))
    bodies: list[tuple[str, dict[str, Any]]] = [
        ("join", {"key": mine, "nonce": nonce, "recovery": None, "bot": False}),
        ("join", {"key": mine, "nonce": nonce, "recovery": back, "bot": True}),
        ("take", {"key": mine, "recovery": None, "bot": True}),
        ("take", {"key": mine, "recovery": back, "bot": False}),
        ("offer", {"open": True}),
        ("offer", {"open": False}),
        ("move", {"commands": [["take"], ["give", 7]]}),
        ("move", {"sealed": second.sealed(scene.MOVE_TEXT)}),
        ("key", {"add": other}),
        ("key", {"drop": kid}),
        ("key", {"only": [other], "recovery": None}),
        ("key", {"only": [mine, other], "recovery": back}),
        ("key", {"only": None, "recovery": back}),
        ("key", {"only": [second.jwk(second.public(bytes([n]) * 32)) for n in range(4, 8)], "recovery": None}),
        ("leave", {}),
        ("resign", {}),
    ]
    acts = [accepted(_named(act, b), second.jws(SEED, _act(act, **b))) for act, b in bodies]
    old = accepted("alg EdDSA", second.jws(SEED, scene.payload(), alg="EdDSA"))
    return [*acts, old, accepted("members in any order", second.jws(SEED, second.plain(scene.payload())))]


def _named(act: str, body: dict[str, Any]) -> str:
    """The act, named in a word."""
    said = [name if isinstance(value, dict | str) else f"{name} {_short(value)}" for name, value in body.items()]
    return f"{act} {' '.join(said)}".strip().lower()


def _short(value: Any) -> Any:
    return f"of {len(value)}" if isinstance(value, list) else value


def _act(act: str, **body: Any) -> dict[str, Any]:
    return {**scene.payload("leave"), "act": act, **body}


def bad_payloads() -> list[Case]:
    rows: list[tuple[str, str, Any]] = [*_bad_spellings(), *_bad_members(), *_bad_comings(), *_bad_keyings()]
    return [refused(name, code, second.jws(SEED, payload)) for name, code, payload in rows]


def _bad_spellings() -> list[tuple[str, str, Any]]:
    text = second.canonical(scene.payload()).decode()
    twice = text.replace('"seat":0', '"seat":0,"seat":0')
    return [
        ("a payload with a space", "not-canonical", text.replace(":", ": ", 1)),
        ("a payload with a space at the end", "not-canonical", text + " "),
        ("a payload on several lines", "not-ascii", second.json.dumps(scene.payload(), indent=2)),
        ("a payload with an escaped letter", "not-canonical", text.replace('"move"', '"mo\\u0076e"')),
        ("a payload with an escaped slash", "not-canonical", text.replace("games.example", "games\\/example")),
        ("a payload member twice", "duplicate-key", twice),
        ("the same, escaped, in a payload", "duplicate-key", twice.replace('"seat":0,', '"\\u0073eat":0,')),
        ("a payload that is not an object", "not-an-object", "[]"),
    ]


def _bad_members() -> list[tuple[str, str, Any]]:
    seal = second.sealed(scene.MOVE_TEXT)
    return [
        ("an unknown member", "unknown-member", {**scene.payload(), "iat": 0}),
        ("a missing member", "missing-member", {k: v for k, v in scene.payload().items() if k != "aud"}),
        ("no act", "missing-member", {k: v for k, v in scene.payload().items() if k != "act"}),
        ("an unknown act", "unknown-act", _act("undo")),
        ("v 2 in a game of v 1", "bad-version", {**scene.payload(), "v": 2}),
        ("true for 1", "bad-version", {**scene.payload(), "v": True}),
        ("commands and their seal", "bad-form", _act("move", commands=[["take"]], sealed=seal)),
        ("a move of nothing", "bad-form", _act("move")),
        ("a move of no commands", "bad-commands", _act("move", commands=[])),
        ("a move of 65 commands", "bad-commands", _act("move", commands=[["take"]] * 65)),
        ("resign with commands", "unknown-member", _act("resign", commands=[["take"]])),
        ("a seat below zero", "bad-member", {**scene.payload(), "seat": -1}),
        ("seat 64", "bad-member", {**scene.payload(), "seat": 64}),
        ("a seat in quotes", "bad-member", {**scene.payload(), "seat": "0"}),
        ("seq 2^20", "bad-member", {**scene.payload(), "seq": 2**20}),
    ]


def _bad_comings() -> list[tuple[str, str, Any]]:
    """Joins, takes and offers."""
    key, nonce = second.jwk(second.public(SEED)), second.b64(bytes(32))
    join = {"key": key, "nonce": nonce, "recovery": None, "bot": False}
    take, nobody = {"key": key, "recovery": None, "bot": False}, second.jwk(second.packed((0, 1)))
    lacks = [
        (f"{act} without {name}", "missing-member", _act(act, **{k: v for k, v in body.items() if k != name}))
        for act, body in (("join", join), ("take", take), ("offer", {"open": True}))
        for name in body
    ]
    return [
        *lacks,
        ("join with a nonce of 31 bytes", "bad-length", _act("join", **{**join, "nonce": second.b64(bytes(31))})),
        ("join with a private key", "bad-jwk", _act("join", **{**join, "key": {**key, "d": key["x"]}})),
        ("join with a recovery kid", "bad-jwk", _act("join", **{**join, "recovery": second.b64(scene.thumbprint(1))})),
        ("join with a recovery key of mixed order", "bad-key", _act("join", **{**join, "recovery": _mixed()})),
        ("join with 0 for false", "bad-member", _act("join", **{**join, "bot": 0})),
        ("join with bot null", "bad-member", _act("join", **{**join, "bot": None})),
        ("take with a nonce", "unknown-member", _act("take", **take, nonce=nonce)),
        (
            "take with the identity for a key",
            "bad-key",
            _act("take", **{**take, "key": nobody}),
        ),
        ("take with no key", "bad-jwk", _act("take", **{**take, "key": None})),
        ("take with an empty recovery key", "bad-jwk", _act("take", **{**take, "recovery": {}})),
        ("offer with 1 for true", "bad-member", _act("offer", open=1)),
        ("offer to somebody", "unknown-member", _act("offer", open=True, to=second.b64(scene.thumbprint(1)))),
        ("move by a bot", "unknown-member", {**scene.payload(), "bot": True}),
    ]


def _bad_keyings() -> list[tuple[str, str, Any]]:
    key, kid = second.jwk(second.public(scene.SEEDS[1])), second.b64(scene.thumbprint(1))
    return [
        ("a key both added and dropped", "bad-form", _act("key", add=key, drop=kid)),
        ("a key added, and a recovery key", "bad-form", _act("key", add=key, recovery=key)),
        ("a key act of nothing", "bad-form", _act("key")),
        ("a recovery key alone, as in the draft", "bad-form", _act("key", recovery=key)),
        ("the only keys without a recovery", "bad-form", _act("key", only=[key])),
        ("only and recovery both null", "bad-form", _act("key", only=None, recovery=None)),
        ("a key added, only and recovery null", "bad-form", _act("key", add=key, only=None, recovery=None)),
        ("add null", "bad-jwk", _act("key", add=None)),
        ("no only key", "bad-member", _act("key", only=[], recovery=None)),
        ("five only keys", "bad-member", _act("key", only=[key] * 5, recovery=None)),
        ("only one key, not in a list", "bad-member", _act("key", only=key, recovery=None)),
        ("an only key named by its kid", "bad-jwk", _act("key", only=[kid], recovery=None)),
        ("an only key of mixed order", "bad-key", _act("key", only=[_mixed()], recovery=None)),
        ("a recovery key named by its kid", "bad-jwk", _act("key", only=None, recovery=kid)),
        ("a recovery key of mixed order", "bad-key", _act("key", only=None, recovery=_mixed())),
        ("a private recovery key", "bad-jwk", _act("key", only=None, recovery={**key, "d": key["x"]})),
        ("a key dropped by its JWK", "bad-base64url", _act("key", drop=key)),
        ("a key added for another office", "unknown-member", _act("key", add=key, use="recovery")),
    ]


def _mixed() -> dict[str, str]:
    return second.jwk(second.mixed(second.public(scene.SEEDS[1])))
