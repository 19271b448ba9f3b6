"""Statements that an account signs, and key backups: docs/spec/account.md and docs/spec/keybox.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.kit import second
from tests.kit.vectors import scene
from tests.kit.vectors.cases import Case, accepted, refused, unpadded

SEED, OTHER_SEED, DROPPED_SEED = b"\x01" * 32, b"\x04" * 32, b"\x05" * 32
ACCOUNT, AT, NONCE = 7, "2026-11-21T10:00:00Z", second.b64(b"\x02" * 32)
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
    """A statement for removing the key of seed 05*32 from account 7."""
    changed: list[tuple[str, str, dict[str, Any]]] = [
        *_changed_alike(SAID),
        ("another act", "wrong-statement", SAID | {"act": "let-in"}),
        ("another account", "wrong-statement", SAID | {"account": 8}),
        ("the account as a string", "wrong-statement", SAID | {"account": "7"}),
        ("another key to remove", "wrong-statement", SAID | {"about": kid(SEED)}),
        ("another time", "wrong-statement", SAID | {"at": "2026-11-21T10:00:01Z"}),
        ("the time as a number", "wrong-statement", SAID | {"at": 1795255200}),
    ]
    made = [refused(name, code, second.jws(SEED, payload, typ=STATEMENT)) for name, code, payload in changed]
    stranger = second.jws(OTHER_SEED, SAID, typ=STATEMENT)
    good = second.jws(SEED, SAID, typ=STATEMENT)
    return [
        accepted("a statement", good),
        accepted("with the older name of the algorithm", second.jws(SEED, SAID, typ=STATEMENT, alg="EdDSA")),
        *made,
        refused("signed with a key of nobody", "unregistered-key", stranger),
        *_bad_forms(good, SAID, REGISTER),
    ]


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
        refused("typ of an act", "bad-typ", second.jws(SEED, payload)),
        refused("typ of the other kind", "bad-typ", second.jws(SEED, payload, typ=other)),
        refused("a payload with spaces", "not-canonical", spaced),
        refused("a signature of zeros", "bad-signature", f"{head}.{body}.{forged}"),
        refused("without a signature", "bad-jws", f"{head}.{body}"),
        refused("a signature of 63 bytes", "bad-length", f"{head}.{body}.{second.b64(unpadded(signature)[:63])}"),
    ]


def backup_cases() -> list[Case]:
    """The example of the specification, opened with its code for account 7 at games.example."""
    code, _, *lines = re.search(r"\*\*An example\.\*\*.*?```\n(.*?)\n```", KEYBOX.read_text("utf-8"), re.DOTALL)[
        1
    ].split("\n")  # type: ignore[index]
    text = "".join(lines)
    head, *rest = text.split(".")
    header: dict[str, Any] = json.loads(unpadded(head))
    changed: list[tuple[str, str, dict[str, Any]]] = [
        ("another algorithm", "bad-box", {"alg": "PBES2-HS256+A128KW"}),
        ("another content encryption", "bad-box", {"enc": "A128GCM"}),
        ("a larger count", "bad-box", {"p2c": 8193}),
        ("a salt of 15 bytes", "bad-box", {"p2s": second.b64(bytes(15))}),
        ("a kid of 31 bytes", "bad-box", {"kid": second.b64(bytes(31))}),
        ("a member more", "bad-box", {"zip": "DEF"}),
        ("another server", "other-box", {"aud": "elsewhere.example"}),
        ("another account", "other-box", {"sub": "8"}),
        ("another salt", "wrong-code", {"p2s": second.b64(bytes(16))}),
    ]
    made = [
        refused(name, why, ".".join([second.b64(second.canonical(header | new)), *rest]), unlock=code)
        for name, why, new in changed
    ]
    short = {name: ".".join([*text.split(".")[:place], "AAAA", *text.split(".")[place + 1 :]]) for place, name in (
        (1, "a wrapped key of 3 bytes"), (2, "a nonce of 3 bytes"), (4, "a tag of 3 bytes"))}  # fmt: skip
    return [
        accepted("the example", text, unlock=code),
        accepted("its code as it may be typed", text, unlock=code.lower().replace("-", " ").replace("0", "o")),
        *made,
        *[refused(name, "bad-box", one, unlock=code) for name, one in short.items()],
        refused("four parts", "bad-box", text.rpartition(".")[0], unlock=code),
        refused("nothing", "bad-box", "", unlock=code),
        refused("another code", "wrong-code", text, unlock=OTHER_CODE),
        refused("a code with a letter mistyped", "bad-code", text, unlock=f"1{code[1:]}"),
        refused("a code that is too short", "bad-code", text, unlock=code[:-1]),
    ]


def _other_code() -> str:
    """The code of sixteen zero bytes."""
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    check = int.from_bytes(second.H(second.label("code") + bytes(16))[:2], "big") >> 4
    letters = "".join(alphabet[check >> 5 * place & 31] for place in reversed(range(28)))
    return "-".join(letters[at : at + 4] for at in range(0, 28, 4))


OTHER_CODE = _other_code()
