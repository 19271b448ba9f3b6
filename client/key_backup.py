"""The key box of docs/spec/keybox.md: an account's recovery key, wrapped with a code that its owner keeps (pure).

The server stores a box and cannot read it; what a page of it makes opens here, and the other way round. The reader
takes exactly one header, so nothing that a server sends chooses how it is opened.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any

from jwcrypto.common import JWException
from jwcrypto.jwe import JWE
from jwcrypto.jwk import JWK

from client.errors import ClientError
from client.keys import Key
from engine.chance import domain
from engine.errors import BadRecord
from engine.record import base64url, canonical
from engine.record.keys import Jwk, thumbprint

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LETTERS, GROUP, CHECK = 28, 4, 12  # letters of a code, of a group of it, and bits that tell a slip of the pen
FIXED = {"alg": "PBES2-HS512+A256KW", "enc": "A256GCM", "p2c": 8192}
MEMBERS = {*FIXED, "aud", "kid", "p2s", "sub"}
LONGEST = 4096
_SIGHT = str.maketrans("OIL", "011")


class KeyBackupError(ClientError):
    """No box of ours, or of another account (`other-box`), no code, or not the one that wrapped it (`wrong-code`)."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(says)
        self.code = code


# --- the code ---------------------------------------------------------------------------------------------------------


def new_code() -> str:
    """128 random bits in seven groups of four letters."""
    letters = _letters(secrets.token_bytes(16))
    return "-".join(letters[at : at + GROUP] for at in range(0, LETTERS, GROUP))


def read_code(typed: str) -> str:
    """The 28 letters of a code however it was typed; KeyBackupError `bad-code` if it is none."""
    text = re.sub(r"[\s\-\u2010-\u2015]", "", typed.upper()).translate(_SIGHT)
    if len(text) != LETTERS or set(text) - set(ALPHABET):
        raise KeyBackupError("bad-code", f"a recovery code has {LETTERS} letters and digits, in groups of {GROUP}")
    bits = sum(ALPHABET.index(letter) << 5 * place for place, letter in enumerate(reversed(text)))
    if _letters((bits >> CHECK).to_bytes(16, "big")) != text:
        raise KeyBackupError("bad-code", "this is no recovery code: one of its letters is mistyped")
    return text


def _letters(secret: bytes) -> str:
    check = int.from_bytes(hashlib.sha256(domain("code") + secret).digest()[:2], "big") >> 16 - CHECK
    bits = int.from_bytes(secret, "big") << CHECK | check
    return "".join(ALPHABET[bits >> 5 * place & 31] for place in reversed(range(LETTERS)))


# --- the box ----------------------------------------------------------------------------------------------------------


def wrap(key: Key, code: str, account: str, aud: str) -> str:
    """The box of a recovery key, for this account at this server."""
    head = {"alg": FIXED["alg"], "enc": FIXED["enc"], "aud": aud, "kid": key.kid, "sub": account}
    made = JWE(canonical.dumps(_private(key)), canonical.dumps(head).decode())
    made.add_recipient(JWK.from_password(read_code(code)))
    text: str = made.serialize(compact=True)
    _head(text)
    return text


def unwrap(box: str, code: str, account: str, aud: str) -> Key:
    """The recovery key in a box; KeyBackupError says why not."""
    head, password = _head(box), JWK.from_password(read_code(code))
    if (head["aud"], head["sub"]) != (aud, account):
        raise KeyBackupError("other-box", f"this key box is one of account {head['sub']} at {head['aud']}")
    opened = JWE(algs=[FIXED["alg"], FIXED["enc"]])
    try:
        opened.deserialize(box, password)
    except JWException:
        raise KeyBackupError("wrong-code", "this code does not open the key box of this account") from None
    key = _key_in(opened.payload)
    if key.kid != head["kid"]:
        raise KeyBackupError("bad-box", "the key in this box is not the one that its header names")
    return key


def kid_of(box: str) -> str:
    """The thumbprint of the recovery key in it, as its header says."""
    return str(_head(box)["kid"])


def kid_of_public(public: Jwk) -> str:
    return thumbprint(base64url.decode(public["x"], 32))


def _private(key: Key) -> dict[str, str]:
    return {**key.jwk, "d": base64url.encode(key.seed)}


def _head(box: str) -> dict[str, Any]:
    """The header, which is exactly ours; nothing of it decides anything."""
    try:
        if len(box) > LONGEST:
            raise BadRecord("too-long", f"a box has at most {LONGEST} characters")
        head = canonical.loads_sent(base64url.decode(box.partition(".")[0]))
        if set(head) != MEMBERS or any(head[name] != value for name, value in FIXED.items()):
            raise BadRecord("bad-header", "its header is another one")
        base64url.decode(head["p2s"], 16)
        base64url.decode(head["kid"], 32)
    except BadRecord as bad:
        raise KeyBackupError("bad-box", f"this is no key box of ours: {bad.says}") from None
    return head


def _key_in(text: bytes) -> Key:
    """The key, its public half made from `d` and from nothing else."""
    try:
        held = canonical.loads_sent(text)
        key = Key(base64url.decode(held.get("d"), 32))
    except BadRecord as bad:
        raise KeyBackupError("bad-box", f"this is no key box of ours: {bad.says}") from None
    if held != _private(key):
        raise KeyBackupError("bad-box", "this is no key box of ours: its key has other members")
    return key
