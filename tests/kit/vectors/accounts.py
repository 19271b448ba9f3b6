"""Statements that an account signs, and key backups: docs/spec/account.md and docs/spec/keybox.md."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.keywrap import aes_key_wrap

from tests.kit import second
from tests.kit.vectors import scene
from tests.kit.vectors.cases import Case, accepted, refused, unpadded

SEED, OTHER_SEED, DROPPED_SEED = b"\x01" * 32, b"\x04" * 32, b"\x05" * 32
ACCOUNT, AT, NONCE = 7, "2026-11-21T10:00:00Z", second.b64(b"\x02" * 32)
RECOVERY_SEED = hashlib.sha256(b"a recovery key that everybody knows").digest()
ALG = "PBES2-HS512+A256KW"
REGISTER, STATEMENT = "sealedmove-key+jws", "sealedmove-account+jws"
KEYBOX = Path(__file__).parents[3] / "docs" / "spec" / "keybox.md"


def kid(seed: bytes) -> str:
    return second.b64(second.thumbprint(second.public(seed)))


REGISTRATION: dict[str, Any] = {
    "v": 1, "aud": scene.SERVER, "act": "register", "key": second.jwk(second.public(SEED)), "nonce": NONCE,
}  # fmt: skip
SAID: dict[str, Any] = {
    "v": 1, "aud": scene.SERVER, "act": "drop-key", "account": ACCOUNT, "about": kid(DROPPED_SEED), "at": AT,
    "nonce": NONCE,
}  # fmt: skip
NO_NONCE = second.b64(b"\x06" * 32)


def registration_cases() -> list[Case]:
    """A registration of the key of seed 01*32."""
    changed: list[tuple[str, str, dict[str, Any]]] = [
        *_changed_alike(REGISTRATION),
        ("a statement's act", "bad-form", REGISTRATION | {"act": "let-in"}),
        ("a key that is not the signer's", "wrong-key", REGISTRATION | {"key": second.jwk(second.public(OTHER_SEED))}),
        ("a key with a member more", "bad-jwk", REGISTRATION | {"key": REGISTRATION["key"] | {"use": "sig"}}),
        ("the identity as key", "bad-key", REGISTRATION | {"key": second.jwk(b"\x01" + bytes(31))}),
    ]
    made = [refused(name, code, second.jws(SEED, payload, typ=REGISTER)) for name, code, payload in changed]
    good = second.jws(SEED, REGISTRATION, typ=REGISTER)
    return [
        accepted("a registration", good),
        accepted("with the older name of the algorithm", second.jws(SEED, REGISTRATION, typ=REGISTER, alg="EdDSA")),
        *made,
        *_bad_forms(good, REGISTRATION, STATEMENT),
    ]


def statement_cases() -> list[Case]:
    """Statements of account 7; those that are refused for other reasons come with a request to remove a key."""
    changed: list[tuple[str, str, dict[str, Any]]] = [
        *_changed_alike(SAID),
        ("another act", "wrong-statement", SAID | {"act": "let-in"}),
        ("another account", "wrong-statement", SAID | {"account": 8}),
        ("the account as a string", "wrong-statement", SAID | {"account": "7"}),
        ("another key to remove", "wrong-statement", SAID | {"about": kid(SEED)}),
        ("another time", "wrong-statement", SAID | {"at": "2026-11-21T10:00:01Z"}),
        ("the time as a number", "wrong-statement", SAID | {"at": 1795255200}),
    ]
    made = [refused(name, code, _stated(payload)) for name, code, payload in changed]
    cases = [
        accepted("a statement", _stated(SAID)),
        accepted("with the older name of the algorithm", second.jws(SEED, SAID, typ=STATEMENT, alg="EdDSA")),
        *made,
        refused("signed with a key of nobody", "unregistered-key", _stated(SAID, OTHER_SEED)),
        *_bad_forms(_stated(SAID), SAID, REGISTER),
    ]
    return [_asked("drop-key", case) for case in cases] + _acts() + _by_recovery()


def _stated(payload: dict[str, Any], seed: bytes = SEED) -> str:
    return second.jws(seed, payload, typ=STATEMENT)


def _asked(act: str, case: Case, *, backup: bool = False) -> Case:
    """With the request that the statement comes with, and whether the recovery key is in the account's backup."""
    return {**case, "act": act, "about": ABOUT[act], "backup": backup}


def _acts() -> list[Case]:
    """Each act, with its object in another form than the specification's."""
    good = [
        _asked(act, accepted(f"the act {act}", _stated(SAID | {"act": act, "about": about})))
        for act, about in ABOUT.items()
        if act != "drop-key"
    ]
    wrong: list[tuple[str, str, Any]] = [
        ("a key that is not the one approved", "let-in", kid(SEED)),
        ("a kid with padding", "let-in", f"{kid(DROPPED_SEED)}="),
        ("the hash of another backup", "box", second.b64(bytes(32))),
        ("a hash with padding", "box", f"{ABOUT['box']}="),
        ("another recovery key", "drop-box", kid(SEED)),
        ("an address in capitals", "address", "New@example.org"),
        ("scopes in another order", "token", "read account"),
        ("scopes with two spaces", "token", "account  read"),
        ("fewer scopes", "token", "account"),
        ("scopes as an array", "token", ["account", "read"]),
        ("something to erase", "erase", "everything"),
        ("null to erase", "erase", None),
        ("an about of 9,000 letters", "address", "a" * 9_000),
    ]
    return good + [
        _asked(act, refused(name, "wrong-statement", _stated(SAID | {"act": act, "about": about})))
        for name, act, about in wrong
    ]


def _by_recovery() -> list[Case]:
    """The recovery key decides four acts, if it is in the account's backup."""
    cases = []
    for act, about in ABOUT.items():
        signed = _stated(SAID | {"act": act, "about": about}, RECOVERY_SEED)
        name = f"{act}, signed with the recovery key"
        decides = act in ("let-in", "drop-key", "box", "drop-box")
        case = accepted(name, signed) if decides else refused(name, "unregistered-key", signed)
        cases.append(_asked(act, case, backup=True))
        if decides:
            without = refused(f"{name} of no backup", "unregistered-key", signed)
            cases.append(_asked(act, without))
    forged = SAID | {"about": kid(SEED)}
    other = refused("another key to remove, signed with the recovery key", "wrong-statement",
                    _stated(forged, RECOVERY_SEED))  # fmt: skip
    return [*cases, _asked("drop-key", other, backup=True)]


def _changed_alike(payload: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        ("another server", "wrong-audience", payload | {"aud": "elsewhere.example"}),
        ("v 2", "bad-form", payload | {"v": 2}),
        ("v true", "bad-form", payload | {"v": True}),
        ("a member more", "bad-form", payload | {"game": scene.GAME}),
        *[(f"without {name}", "bad-form", {k: v for k, v in payload.items() if k != name}) for name in payload],
        ("a nonce that was not given", "bad-challenge", payload | {"nonce": NO_NONCE}),
        ("a nonce that is not a string", "bad-challenge", payload | {"nonce": None}),
    ]


def _bad_forms(good: str, payload: dict[str, Any], other: str) -> list[Case]:
    head, body, signature = good.split(".")
    forged = second.b64(bytes(64))
    spaced = second.jws(SEED, json.dumps(payload), typ=json.loads(unpadded(head))["typ"])
    return [
        refused("a header with padding", "bad-base64url", f"{head}=.{body}.{signature}"),
        refused("a payload with padding", "bad-base64url", f"{head}.{body}=.{signature}"),
        refused("a signature with padding", "bad-base64url", f"{head}.{body}.{signature}=="),
        refused("more than 16,384 characters", "too-long", [("e", 2**14 + 1)]),
        refused("typ of an act", "bad-typ", second.jws(SEED, payload)),
        refused("typ of the other kind", "bad-typ", second.jws(SEED, payload, typ=other)),
        refused("a payload with spaces", "not-canonical", spaced),
        refused("a signature of zeros", "bad-signature", f"{head}.{body}.{forged}"),
        refused("without a signature", "bad-jws", f"{head}.{body}"),
        refused("a signature of 63 bytes", "bad-length", f"{head}.{body}.{second.b64(unpadded(signature)[:63])}"),
    ]


def backup_cases() -> list[Case]:
    """The example of the specification, opened with its code for account 7 at games.example; and others like it."""
    code, text = EXAMPLE
    head, *rest = text.split(".")
    header: dict[str, Any] = json.loads(unpadded(head))
    changed: list[tuple[str, str, dict[str, Any]]] = [
        ("another algorithm", "bad-box", {"alg": "PBES2-HS256+A128KW"}),
        ("another content encryption", "bad-box", {"enc": "A128GCM"}),
        ("a larger count", "bad-box", {"p2c": 8193}),
        ("the count as a string", "bad-box", {"p2c": "8192"}),
        ("the count as true", "bad-box", {"p2c": True}),
        ("a salt of 15 bytes", "bad-box", {"p2s": second.b64(bytes(15))}),
        ("a salt with padding", "bad-box", {"p2s": f"{header['p2s']}=="}),
        ("a kid of 31 bytes", "bad-box", {"kid": second.b64(bytes(31))}),
        ("a kid with padding", "bad-box", {"kid": f"{header['kid']}="}),
        ("a member more", "bad-box", {"zip": "DEF"}),
        ("the account as a number", "bad-box", {"sub": 7}),
        ("the server as null", "bad-box", {"aud": None}),
        ("another server", "other-box", {"aud": "elsewhere.example"}),
        ("another account", "other-box", {"sub": "8"}),
        ("the account with a zero before it", "other-box", {"sub": "07"}),
        ("another salt", "wrong-code", {"p2s": second.b64(bytes(16))}),
    ]
    made = [
        refused(name, why, ".".join([second.b64(second.canonical(header | new)), *rest]), unlock=code)
        for name, why, new in changed
    ]
    less = {name: value for name, value in header.items() if name != "sub"}
    short = {name: _with(place, "AAAA") for place, name in (
        (1, "a wrapped key of 3 bytes"), (2, "a nonce of 3 bytes"), (4, "a tag of 3 bytes"))}  # fmt: skip
    padded = {
        f"{name} with padding": _with(place, text.split(".")[place] + "=")
        for place, name in enumerate(("a header", "a wrapped key", "a nonce", "a ciphertext", "a tag"))
    }
    flipped = {f"{name} with one bit changed": _with(place, _flipped(text.split(".")[place])) for place, name in (
        (1, "a wrapped key"), (2, "a nonce"), (3, "a ciphertext"), (4, "a tag"))}  # fmt: skip
    return [
        accepted("the example", text, unlock=code),
        accepted("its code as it may be typed", text, unlock=code.lower().replace("-", " ").replace("0", "o")),
        accepted("its code with I and L for 1", text, unlock=code.replace("1", "I", 1).replace("1", "l")),
        *made,
        refused("without an account", "bad-box", _with(0, second.b64(second.canonical(less))), unlock=code),
        refused("a header with a space", "bad-box", _with(0, second.b64(json.dumps(header).encode())), unlock=code),
        *[refused(name, "bad-box", one, unlock=code) for name, one in {**short, **padded}.items()],
        *[refused(name, "wrong-code", one, unlock=code) for name, one in flipped.items()],
        refused("a tag whose last bits are not zero", "bad-box", text[:-1] + "R", unlock=code),
        refused("four parts", "bad-box", text.rpartition(".")[0], unlock=code),
        refused("six parts", "bad-box", f"{text}.", unlock=code),
        refused("nothing", "bad-box", "", unlock=code),
        *_plaintexts(),
        *_lengths(),
        refused("another code", "wrong-code", text, unlock=OTHER_CODE),
        refused("a code with a letter mistyped", "bad-code", text, unlock=f"1{code[1:]}"),
        refused("a code with a letter that no code has", "bad-code", text, unlock=f"U{code[1:]}"),
        refused("a code that is too short", "bad-code", text, unlock=code[:-1]),
        refused("a code that is too long", "bad-code", text, unlock=f"{code}0"),
        refused("no code", "bad-code", text, unlock=""),
    ]


def _example() -> tuple[str, str]:
    """The code and the backup that the specification prints."""
    printed = KEYBOX.read_text("utf-8").partition("**An example.**")[2].split("```")[1].split()
    return printed[0], "".join(printed[2:])


def _with(place: int, part: str) -> str:
    """The example with another part."""
    parts = EXAMPLE[1].split(".")
    return ".".join([*parts[:place], part, *parts[place + 1 :]])


def _flipped(part: str) -> str:
    data = unpadded(part)
    return second.b64(bytes([data[0] ^ 1]) + data[1:])


def _plaintexts() -> list[Case]:
    """Backups that the code decrypts; their plaintext is the recovery key in the right form, or something else."""
    key: dict[str, Any] = second.jwk(second.public(RECOVERY_SEED)) | {"d": second.b64(RECOVERY_SEED)}
    own, other = kid(RECOVERY_SEED), second.jwk(second.public(OTHER_SEED))
    turned = dict(reversed(key.items()))
    good = {
        "members of the plaintext in another order": _wrapped(_text(turned), own),
        "members of the header in another order": _wrapped(_text(key), own, is_turned=True),
    }
    bad = {
        "a plaintext with a member more": _text(key | {"use": "sig"}),
        "a plaintext without the public half": _text({name: key[name] for name in key if name != "x"}),
        "a plaintext without the private half": _text({name: key[name] for name in key if name != "d"}),
        "a plaintext with the public half of another key": _text(key | {"x": other["x"]}),
        "a plaintext with another curve": _text(key | {"crv": "X25519"}),
        "a private half of 31 bytes": _text(key | {"d": second.b64(RECOVERY_SEED[:31])}),
        "a private half with padding": _text(key | {"d": f"{key['d']}="}),
        "a public half with padding": _text(key | {"x": f"{key['x']}="}),
        "a plaintext with a space": json.dumps(key),
        "a plaintext with a member twice": _text(key).replace("{", '{"crv":"Ed25519",', 1),
        "a plaintext that is not an object": "[]",
    }
    code = EXAMPLE[0]
    return [
        *[accepted(name, one, unlock=code) for name, one in good.items()],
        *[refused(name, "bad-box", _wrapped(one, own), unlock=code) for name, one in bad.items()],
        refused("the kid of another key", "bad-box", _wrapped(_text(key), kid(OTHER_SEED)), unlock=code),
    ]


def _text(value: dict[str, Any]) -> str:
    """JSON as 3.3 has it: without spaces, members in any order."""
    return json.dumps(value, separators=(",", ":"))


def _wrapped(plaintext: str, named: str, *, is_turned: bool = False) -> str:
    """A backup of this plaintext under the code of the example, with constants for the random parts."""
    salt, iv, content = bytes(16), bytes(12), bytes(32)
    header: dict[str, Any] = {
        "alg": ALG, "aud": scene.SERVER, "enc": "A256GCM", "kid": named, "p2c": 8192, "p2s": second.b64(salt),
        "sub": str(ACCOUNT),
    }  # fmt: skip
    head = second.b64(_text(dict(reversed(header.items())) if is_turned else header).encode())
    password = EXAMPLE[0].replace("-", "").encode()
    wrapping = hashlib.pbkdf2_hmac("sha512", password, ALG.encode() + b"\0" + salt, 8192, 32)
    sealed = AESGCM(content).encrypt(iv, plaintext.encode(), head.encode())
    parts = (aes_key_wrap(wrapping, content), iv, sealed[:-16], sealed[-16:])
    return ".".join([head, *map(second.b64, parts)])


def _lengths() -> list[Case]:
    """The length of a text is checked before everything else: the shorter one is the backup of another server."""
    head, *rest = EXAMPLE[1].split(".")
    header: dict[str, Any] = json.loads(unpadded(head))
    found = {}
    for length in range(2600, 2800):
        long = second.b64(second.canonical(header | {"aud": "a" * length}))
        text = ".".join([long, *rest])
        found[len(text)] = text
    return [
        refused("4,096 characters, for another server", "other-box", found[4096], unlock=EXAMPLE[0]),
        refused("4,098 characters", "bad-box", found[4098], unlock=EXAMPLE[0]),
    ]


def _other_code() -> str:
    """The code of sixteen zero bytes."""
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    check = int.from_bytes(second.H(second.label("code") + bytes(16))[:2], "big") >> 4
    letters = "".join(alphabet[check >> 5 * place & 31] for place in reversed(range(28)))
    return "-".join(letters[at : at + 4] for at in range(0, 28, 4))


OTHER_CODE = _other_code()

EXAMPLE = _example()
ABOUT = {
    "let-in": kid(DROPPED_SEED),
    "drop-key": kid(DROPPED_SEED),
    "box": second.b64(hashlib.sha256(EXAMPLE[1].encode()).digest()),
    "drop-box": kid(RECOVERY_SEED),
    "address": "new@example.org",
    "token": "account read",
    "erase": "",
}
