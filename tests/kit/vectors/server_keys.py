"""The document of a server's keys: each key after the first signed by the one before it."""

from __future__ import annotations

from typing import Any

from tests.kit import second
from tests.kit.vectors import scene
from tests.kit.vectors.cases import Case, accepted, refused

SEEDS = (scene.SERVER_SEED, b"\x0b" * 32, b"\x0c" * 32)
SINCE = ("2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z", None)
Document = dict[str, Any]


def document(count: int = 3, **changed: Any) -> Document:
    """A valid document with this many keys, with some members replaced."""
    whole: Document = {
        "server": scene.SERVER, "keys": [key(number) for number in range(count)],
        "spec": "1", "software": "toy 1", "contact": None,
    }  # fmt: skip
    return {**whole, **changed}


def key(number: int, **changed: Any) -> Document:
    """The entry of key `number` in it, signed by the key before."""
    mine, until = second.public(SEEDS[number]), (*SINCE[1:], None)[number]
    signed = second.succession(scene.SERVER, SEEDS[number - 1], mine) if number else None
    kid = second.b64(second.thumbprint(mine))
    return {**second.jwk(mine), "kid": kid, "from": SINCE[number], "until": until, "signed": signed, **changed}


def of(*keys: Document) -> Document:
    return document(keys=list(keys))


def server_key_cases() -> list[Case]:
    rows = [*_bad_documents(), *_bad_keys(), *_bad_signatures()]
    cases = [refused(name, code, second.plain(value)) for name, code, value in rows]
    return [*[accepted(name, second.plain(value)) for name, value in _good()], *cases]


def _good() -> list[tuple[str, Document]]:
    payload = _payload(1)
    older = second.jws(SEEDS[0], payload, alg="EdDSA", typ=second.SUCCESSION)
    turned = second.jws(SEEDS[0], second.plain(payload), typ=second.SUCCESSION)
    return [
        ("one key", document(1)),
        ("one key, under which no game was begun", of(key(0, **{"from": None, "until": None}))),
        ("two keys", document(2)),
        ("three keys, the last in no use yet", document()),
        ("with members of a later day", document(policy="https://games.example/policy", mirrors=[])),
        ("without words for people", {name: document()[name] for name in ("server", "keys")}),
        ("signed under the algorithm's older name", of(key(0), key(1, signed=older))),
        ("signed with members in another order", of(key(0), key(1, signed=turned))),
        ("times that overlap, which are for information", of(key(0, until=None), key(1))),
    ]


def _bad_documents() -> list[tuple[str, str, Any]]:
    bad = "bad-server-document"
    return [
        ("no object", bad, [document()]),
        ("no keys in their list", bad, document(keys=[])),
        ("keys by their number", bad, document(keys={"1": key(0)})),
        ("no member keys", bad, {"server": scene.SERVER}),
        ("no server", bad, {"keys": [key(0)]}),
        ("a server with a path", "bad-member", document(server="games.example/x")),
        ("the server's number", "bad-member", document(server=7)),
    ]


def _bad_keys() -> list[tuple[str, str, Any]]:
    mine = second.public(SEEDS[0])
    small = second.packed(second.times(2, second.ORDER8))  # type: ignore[arg-type]  # a constant
    return [
        ("a mixed-order key", "bad-key", of(_with_point(0, second.mixed(mine)))),
        ("a mixed-order key as successor", "bad-key", of(key(0), _with_point(1, second.mixed(mine)))),
        ("the identity", "bad-key", of(_with_point(0, second.packed((0, 1))))),
        ("a key of order 4", "bad-key", of(_with_point(0, small))),
        ("a key off the curve", "bad-key", of(_with_point(0, (2).to_bytes(32, "little")))),
        ("x of 31 bytes", "bad-length", of(key(0, x=second.b64(mine[:31])))),
        ("a private key", "unknown-member", of(key(0, d=second.b64(SEEDS[0])))),
        ("a key on another curve", "bad-jwk", of(key(0, crv="X25519"))),
        ("the kid of another key", "wrong-key", of(key(0, kid=second.b64(scene.thumbprint(0))))),
        ("no kid", "missing-member", of({k: v for k, v in key(0).items() if k != "kid"})),
        ("no word on whether it is signed", "missing-member", of({k: v for k, v in key(0).items() if k != "signed"})),
        ("a day for a time", "bad-time", of(key(0, **{"from": "2026-01-01"}))),
        ("a time as a number", "bad-member", of(key(0, until=1767225600))),
        ("a key that is not an object", "not-an-object", document(keys=[second.b64(mine)])),
    ]


def _bad_signatures() -> list[tuple[str, str, Any]]:
    good, third = _payload(1), second.public(SEEDS[2])
    return [
        ("the first key, signed", "unsigned-key", of(key(0, signed=second.succession(scene.SERVER, SEEDS[1], third)))),
        ("the second key, not signed", "unsigned-key", of(key(0), key(1, signed=None))),
        ("the second key, signed by itself", "wrong-key", of(key(0), key(1, signed=_signed(good, SEEDS[1])))),
        ("the third key, signed by the first", "wrong-key", of(key(0), key(1), key(2, signed=_signed(_payload(2))))),
        ("the second key left out", "wrong-key", of(key(0), key(2))),
        ("keys in another order", "unsigned-key", of(key(1), key(0))),
        ("a key twice", "key-taken", of(key(0), key(1), key(0, signed=_signed(_payload(0), SEEDS[1])))),
        ("signed for another key", "wrong-act", of(key(0), key(1, signed=_signed(_payload(2))))),
        ("signed for another server", "wrong-act", of(key(0), key(1, signed=_signed({**good, "aud": "b.example"})))),
        ("signed as another act", "wrong-act", of(key(0), key(1, signed=_signed({**good, "act": "join"})))),
        ("signed with another member", "wrong-act", of(key(0), key(1, signed=_signed({**good, "game": scene.GAME})))),
        ("signed in version 2", "wrong-act", of(key(0), key(1, signed=_signed({**good, "v": 2})))),
        ("signed with true for 1", "wrong-act", of(key(0), key(1, signed=_signed({**good, "v": True})))),
        ("signed like a move", "bad-typ", of(key(0), key(1, signed=second.jws(SEEDS[0], good)))),
        ("signed with spaces", "not-canonical", of(key(0), key(1, signed=_signed(second.plain(good) + " ")))),
        ("one bit of the signature", "bad-signature", of(key(0), key(1, signed=_broken(_signed(good))))),
        ("a signature that is not a string", "bad-jws", of(key(0), key(1, signed="yes"))),
        ("signed true", "bad-member", of(key(0), key(1, signed=True))),
    ]


def _payload(number: int) -> Document:
    jwk = second.jwk(second.public(SEEDS[number]))
    return {"v": 1, "aud": scene.SERVER, "act": "succeed", "key": jwk}


def _signed(payload: Any, seed: bytes = SEEDS[0]) -> str:
    return second.jws(seed, payload, typ=second.SUCCESSION)


def _broken(compact: str) -> str:
    middle = len(compact) - 40
    return compact[:middle] + ("A" if compact[middle] != "A" else "B") + compact[middle + 1 :]


def _with_point(number: int, point: bytes) -> Document:
    """A key of this point, with all else as it would be."""
    kid, signed = second.b64(second.thumbprint(point)), second.succession(scene.SERVER, SEEDS[0], point)
    return key(number, **second.jwk(point), kid=kid, signed=signed if number else None)


def pairs() -> list[dict[str, Any]]:
    """The known keys of a server, and those shown later: `accepted` only if they continue the known ones."""
    other = document(1, keys=[key(1, signed=None)])
    rows = [
        ("the same", document(2), document(2), True),
        ("one key more", document(1), document(2), True),
        ("two keys more", document(1), document(3), True),
        ("other words, the same keys", document(2), document(2, software="toy 2"), True),
        ("a key removed", document(3), document(2), False),
        ("the first key removed", document(2), other, False),
        ("another key", document(1), other, False),
        ("another server's", document(1), document(1, server="b.example"), False),
        ("another successor", document(2), of(key(0), {**_succeeded_by(2)}), False),
    ]
    return [{"name": name, "known": known, "shown": shown, "accepted": ok} for name, known, shown, ok in rows]


def _succeeded_by(number: int) -> Document:
    """Key `number` right after the first."""
    return key(number, signed=_signed(_payload(number)))
