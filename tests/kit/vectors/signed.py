"""JWS, keys, Ed25519, sealed moves: what may be signed, and by which keys."""

from __future__ import annotations

import string
from typing import Any

from tests.kit import second
from tests.kit.vectors import scene
from tests.kit.vectors.cases import Case, accepted, refused, unpadded
from tests.kit.vectors.payloads import bad_payloads, good_payloads

SEED = scene.SEEDS[0]
ALPHABET = string.ascii_letters + string.digits + "-_"


def jws_cases() -> list[Case]:
    """Read with the usual typ, verified with seat 0's key, its payload read as an act."""
    good = second.jws(SEED, scene.payload())
    return [
        *[accepted(f"made by {name}", text) for name, text in scene.public_facts("foreign.json").items()],
        *good_payloads(),
        *_bad_headers(),
        *_bad_shapes(good),
        *bad_payloads(),
    ]


def _bad_headers() -> list[Case]:
    kid = second.b64(scene.thumbprint(0))
    once = f'{{"alg":"Ed25519","kid":"{kid}","typ":"sealedmove+jws"}}'
    twice = once.replace('"alg"', '"alg":"Ed25519","alg"', 1)
    rows: list[tuple[str, str, dict[str, Any]]] = [
        *[(f"alg {alg}", "bad-alg", {"alg": alg}) for alg in ("none", "HS256", "eddsa", "Ed448", "ES256", 1)],
        ("no alg", "bad-header", {"alg": None}),
        ("crit and b64", "bad-header", {"crit": ["b64"], "b64": False}),
        *[(name, "bad-header", {name: "x"}) for name in ("jku", "x5c", "zip", "cty")],
        ("jwk", "bad-header", {"jwk": second.jwk(second.public(SEED))}),
        ("no typ", "bad-header", {"typ": None}),
        ("typ JWT", "bad-typ", {"typ": "JWT"}),
        ("typ of a key registration", "bad-typ", {"typ": "sealedmove-key+jws"}),
        ("typ of a server's succession", "bad-typ", {"typ": "sealedmove-server+jws"}),
        ("typ with application/", "bad-typ", {"typ": "application/sealedmove+jws"}),
        ("no kid", "bad-header", {"kid": None}),
        ("kid of 31 bytes", "bad-length", {"kid": second.b64(bytes(31))}),
        ("another seat's kid", "wrong-key", {"kid": second.b64(scene.thumbprint(1))}),
    ]
    cases = [refused(name, code, second.jws(SEED, scene.payload(), **header)) for name, code, header in rows]
    texts = [
        ("a header member twice", "duplicate-key", twice),
        ("the same, escaped", "duplicate-key", twice.replace('"alg"', '"\\u0061lg"', 1)),
        ("a header with a space", "not-canonical", once.replace(":", ": ", 1)),
        ("a header on two lines", "not-ascii", once.replace(",", ",\n", 1)),
        ("a header with an escaped slash", "not-canonical", once.replace("sealedmove+", "sealedmove\\/", 1)),
    ]
    payload = second.canonical(scene.payload()).decode()
    return cases + [refused(name, code, second.jws_text(SEED, text, payload)) for name, code, text in texts]


def _bad_shapes(good: str) -> list[Case]:
    header, payload, signature = good.split(".")
    s = int.from_bytes(unpadded(signature)[32:], "little") + second.L
    malleable = second.b64(unpadded(signature)[:32] + s.to_bytes(32, "little"))
    as_json = second.canonical({"payload": payload, "signatures": [{"protected": header, "signature": signature}]})
    rows = [
        ("two parts", "bad-jws", f"{header}.{payload}"),
        ("four parts", "bad-jws", good + "."),
        ("JSON serialisation", "bad-jws", as_json.decode()),
        ("detached", "not-json", f"{header}..{signature}"),
        ("unsecured", "bad-length", f"{header}.{payload}."),
        ("S + L", "bad-signature", f"{header}.{payload}.{malleable}"),
        ("a signature of 63 bytes", "bad-length", f"{header}.{payload}.{second.b64(unpadded(signature)[:63])}"),
        ("padded", "bad-base64url", good + "=="),
        ("a space before", "bad-base64url", " " + good),
        ("one bit of the payload", "bad-signature", f"{header}.{_flip_seat(payload)}.{signature}"),
        ("one bit of R", "bad-signature", f"{header}.{payload}.{_flip(signature, 3)}"),
        ("one bit of S", "bad-signature", f"{header}.{payload}.{_flip(signature, 40)}"),
        ("the header of EdDSA, the signature of Ed25519", "bad-signature", _swapped_header(good)),
    ]
    long = refused("over 16 KiB", "too-long", [("e", 2**14 + 1)])
    return [*[refused(name, code, text) for name, code, text in rows], long, *_other_spellings(good)]


def _other_spellings(good: str) -> list[Case]:
    """64 bytes leave four spare bits: fifteen other texts of one signature, each of which would be another act."""
    last, signature = good[-1], good.split(".")[2]
    same = [good[:-1] + c for c in ALPHABET if c != last and unpadded(signature[:-1] + c) == unpadded(signature)]
    return [refused(f"last character {text[-1]} for {last}: other spare bits", "bad-base64url", text) for text in same]


def _flip(part: str, at: int) -> str:
    data = bytearray(unpadded(part))
    data[at] ^= 1
    return second.b64(bytes(data))


def _flip_seat(payload: str) -> str:
    return second.b64(unpadded(payload).replace(b'"seat":0', b'"seat":1'))


def _swapped_header(good: str) -> str:
    other = second.jws(SEED, scene.payload(), alg="EdDSA")
    return ".".join([other.split(".")[0], *good.split(".")[1:]])


def key_cases() -> list[Case]:
    """JWKs, as text, that a player registers or joins with."""
    key = second.public(SEED)
    jwk = second.jwk(key)
    spare = jwk["x"][:-1] + chr(ord(jwk["x"][-1]) + 1)
    bad_jwks: list[tuple[str, str, Any]] = [
        ("a private key", "bad-jwk", {**jwk, "d": second.b64(SEED)}),
        ("an extra member", "bad-jwk", {**jwk, "kid": "mine"}),
        ("no kty", "bad-jwk", {"crv": "Ed25519", "x": jwk["x"]}),
        ("padded x", "bad-base64url", {**jwk, "x": jwk["x"] + "="}),
        ("spare bits in x", "bad-base64url", {**jwk, "x": spare}),
        ("x of 31 bytes", "bad-length", {**jwk, "x": second.b64(key[:31])}),
        ("P-256", "bad-jwk", {"crv": "P-256", "kty": "EC", "x": jwk["x"], "y": jwk["x"]}),
        ("X25519", "bad-jwk", {**jwk, "crv": "X25519"}),
        ("Ed448", "bad-jwk", {**jwk, "crv": "Ed448"}),
        ("no object", "bad-jwk", jwk["x"]),
    ]
    points = [(name, "bad-key", second.jwk(point)) for name, point in _bad_points(key)]
    rows = [refused(name, code, second.canonical(value)) for name, code, value in bad_jwks + points]
    return [accepted("an Ed25519 key", second.canonical(jwk)), *rows]


def _bad_points(key: bytes) -> list[tuple[str, bytes]]:
    eight = second.ORDER8
    assert eight is not None
    orders = [(f"order {8 // n}", second.packed(second.times(n, eight))) for n in (1, 2, 4)]
    off = next(y for y in range(2, 99) if second.unpacked(y.to_bytes(32, "little")) is None)
    return [
        ("the identity", second.packed((0, 1))),
        *orders,
        ("mixed order", second.mixed(key)),
        ("y = p", second.P.to_bytes(32, "little")),
        ("y = p + 1, the identity in another spelling", (second.P + 1).to_bytes(32, "little")),
        ("the identity with the sign of x set", (1 | 1 << 255).to_bytes(32, "little")),
        ("not on the curve", off.to_bytes(32, "little")),
    ]


def ed25519_cases() -> list[Case]:
    """Signatures over hex messages; `key_ok`: the key could be registered."""
    cases = [_speccheck(i, vector) for i, vector in enumerate(scene.public_facts("speccheck.json"))]
    message = b"a sealed move"
    key, good = second.public(SEED), second.sign(SEED, message)
    s = (int.from_bytes(good[32:], "little") + second.L).to_bytes(32, "little")
    rows = [
        ("an honest signature", key, good),
        ("S + L", key, good[:32] + s),
        ("R plus a point of order 8: only a cofactored verifier accepts", key, _torsion(message)),
        ("R is the identity", key, _identity_r(message)),
        ("another message's signature", key, second.sign(SEED, message + b".")),
    ]
    return cases + [_signature(name, k, message, signature) for name, k, signature in rows]


def _torsion(message: bytes) -> bytes:
    """Signed by the key's owner with R off the subgroup: 8SB = 8R + 8kA holds, SB = R + kA does not."""
    assert second.ORDER8 is not None
    assert second.BASE is not None
    nonce, (a, _) = 12345, second.scalar(SEED)
    r = second.packed(second.add(second.times(nonce, second.BASE), second.ORDER8))
    s = (nonce + second.challenge(r, second.public(SEED), message) * a) % second.L
    return r + s.to_bytes(32, "little")


def _identity_r(message: bytes) -> bytes:
    r = second.packed((0, 1))
    s = second.challenge(r, second.public(SEED), message) * second.scalar(SEED)[0] % second.L
    return r + s.to_bytes(32, "little")


def _speccheck(i: int, vector: dict[str, str]) -> Case:
    key, message, signature = (bytes.fromhex(vector[name]) for name in ("pub_key", "message", "signature"))
    return _signature(f"ed25519-speccheck {i}", key, message, signature)


def _signature(name: str, key: bytes, message: bytes, signature: bytes) -> Case:
    code = None if second.verify(key, message, signature) else "bad-signature"
    facts = {"message": message.hex(), "signature": signature.hex(), "key_ok": second.is_key(key)}
    return {"name": name, "input": key.hex(), **facts, "code": code}


def move_cases() -> list[Case]:
    """Texts of moves, each with the commitment that was signed."""
    good = scene.MOVE_TEXT
    salt = second.b64(b"\xc0" * 32)
    texts: list[tuple[str, str, str]] = [
        ("a short salt", "bad-length", good.replace(salt, second.b64(b"\xc0" * 31))),
        ("no salt", "bad-move-text", '{"commands":[["take"]]}'),
        ("another member", "bad-move-text", good.replace("{", '{"v":1,', 1)),
        ("commands twice", "duplicate-key", good.replace("{", '{"commands":[["pass"]],', 1)),
        ("no commands", "bad-commands", f'{{"commands":[],"salt":"{salt}"}}'),
        ("commands as an object instead of a list", "bad-commands", f'{{"commands":{{}},"salt":"{salt}"}}'),
        ("65 commands", "bad-commands", f'{{"commands":[{",".join("1" * 65)}],"salt":"{salt}"}}'),
        ("a space after a colon", "not-canonical", good.replace(":", ": ", 1)),
        ("a space at the end", "not-canonical", good + " "),
        ("an escaped letter", "not-canonical", good.replace("take", "t\\u0061ke")),
        ("no JSON", "not-json", "take; give 7"),
    ]
    rows = [refused(name, code, text, sealed=second.sealed(text)) for name, code, text in texts]
    turned = f'{{"salt":"{salt}","commands":[["take"],["give",7]]}}'
    other = refused("the same in another order, not the one signed", "wrong-seal", turned, sealed=second.sealed(good))
    lines = refused("on two lines", "not-ascii", good.replace(",", ",\n", 1), sealed=second.b64(bytes(32)))
    orders = [("a move", good), ("members in the other order", turned)]
    return [*[accepted(name, text, sealed=second.sealed(text)) for name, text in orders], *rows, other, lines]
