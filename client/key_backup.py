"""The key backup of docs/spec/keybox.md: an account's recovery key, wrapped with a code that its owner keeps (pure).

The server stores a backup and cannot read it; pages and this client can open each other's backups. The reader accepts
exactly one header, so a server cannot choose how a backup is opened.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from client.errors import ClientError
from client.keys import Key
from engine.chance import domain
from engine.errors import BadRecord
from engine.record.encoding import canonical

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LETTERS, GROUP, CHECK = 28, 4, 12  # letters of a code and of a group, and bits that detect a slip of the pen
ALG, COUNT = "PBES2-HS512+A256KW", 8192
FIXED = {"alg": ALG, "enc": "A256GCM", "p2c": COUNT}
MEMBERS = {*FIXED, "aud", "kid", "p2s", "sub"}
LONGEST = 4096
SALT, CONTENT_KEY, WRAPPED_KEY, IV, TAG = 16, 32, 40, 12, 16  # bytes (RFC 7518, 4.8, 4.4 and 5.3)
_SIGHT = str.maketrans("OIL", "011")


class KeyBackupError(ClientError):
    """Not a backup, another account's (`other-box`), not a code, or not the code that wrapped it (`wrong-code`)."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(says)
        self.code = code


class WrongCodeError(KeyBackupError):
    """The code belongs to another backup."""


# --- the code ---------------------------------------------------------------------------------------------------------


def new_code() -> str:
    """128 random bits in seven groups of four letters."""
    letters = _letters(secrets.token_bytes(16))
    return "-".join(letters[at : at + GROUP] for at in range(0, LETTERS, GROUP))


def read_code(typed: str) -> str:
    """The 28 letters of a typed code in any form; KeyBackupError `bad-code` if it is not a code."""
    text = re.sub(r"[\s\-\u2010-\u2015]", "", typed.upper()).translate(_SIGHT)
    if len(text) != LETTERS or set(text) - set(ALPHABET):
        raise KeyBackupError("bad-code", f"a recovery code has {LETTERS} letters and digits, in groups of {GROUP}")
    bits = sum(ALPHABET.index(letter) << 5 * place for place, letter in enumerate(reversed(text)))
    if _letters((bits >> CHECK).to_bytes(16, "big")) != text:
        raise KeyBackupError("bad-code", "this is not a recovery code: one of its letters is mistyped")
    return text


def _letters(secret: bytes) -> str:
    check = int.from_bytes(hashlib.sha256(domain("code") + secret).digest()[:2], "big") >> 16 - CHECK
    bits = int.from_bytes(secret, "big") << CHECK | check
    return "".join(ALPHABET[bits >> 5 * place & 31] for place in reversed(range(LETTERS)))


# --- the backup -------------------------------------------------------------------------------------------------------


def wrap(key: Key, code: str, account: str, aud: str) -> str:
    """Wrap a recovery key for this account at this server."""
    salt, content, iv = (secrets.token_bytes(length) for length in (SALT, CONTENT_KEY, IV))
    head = {**FIXED, "aud": aud, "kid": key.kid, "p2s": canonical.to_base64url(salt), "sub": account}
    header = canonical.to_base64url(canonical.dumps(head))
    wrapped = aes_key_wrap(_wrapping_key(read_code(code), salt), content)
    sealed = AESGCM(content).encrypt(iv, canonical.dumps(_private(key)), header.encode())
    text = ".".join([header, *map(canonical.to_base64url, (wrapped, iv, sealed[:-TAG], sealed[-TAG:]))])
    _head(text)
    return text


def unwrap(box: str, code: str, account: str, aud: str) -> Key:
    """Open a backup; returns the recovery key or raises KeyBackupError with the reason."""
    head, letters = _head(box), read_code(code)
    if (head["aud"], head["sub"]) != (aud, account):
        raise KeyBackupError("other-box", f"this key backup belongs to account {head['sub']} at {head['aud']}")
    key = _key_in(_opened(box, _wrapping_key(letters, canonical.from_base64url(head["p2s"]))))
    if key.kid != head["kid"]:
        raise KeyBackupError("bad-box", "the key in this backup is not the one that its header names")
    return key


def kid_of(box: str) -> str:
    """The thumbprint of the recovery key in a backup, from its header."""
    return str(_head(box)["kid"])


def _private(key: Key) -> dict[str, str]:
    return {**key.jwk, "d": canonical.to_base64url(key.seed)}


def _head(box: str) -> dict[str, Any]:
    """The header, which must be exactly the expected one and decides nothing."""
    try:
        if len(box) > LONGEST:
            raise BadRecord("too-long", f"a key backup has at most {LONGEST} characters")
        head = canonical.loads_sent(canonical.from_base64url(box.partition(".")[0]))
        if set(head) != MEMBERS or any(head[name] != value for name, value in FIXED.items()):
            raise BadRecord("bad-header", "its header is not the expected one")
        if not isinstance(head["aud"], str) or not isinstance(head["sub"], str):
            raise BadRecord("bad-header", "its header is not the expected one")
        canonical.from_base64url(head["p2s"], 16)
        canonical.from_base64url(head["kid"], 32)
    except BadRecord as bad:
        raise KeyBackupError("bad-box", f"this is not a key backup: {bad.says}") from None
    return head


def _parts(box: str) -> tuple[bytes, bytes, bytes]:
    """The wrapped content key, the nonce, and the ciphertext with its tag (RFC 7516, 7.1)."""
    parts = box.split(".")
    if len(parts) != 5:
        raise KeyBackupError("bad-box", f"this is not a key backup: it has {len(parts)} parts, not 5")
    try:
        wrapped, iv = canonical.from_base64url(parts[1], WRAPPED_KEY), canonical.from_base64url(parts[2], IV)
        return wrapped, iv, canonical.from_base64url(parts[3]) + canonical.from_base64url(parts[4], TAG)
    except BadRecord as bad:
        raise KeyBackupError("bad-box", f"this is not a key backup: {bad.says}") from None


def _wrapping_key(letters: str, salt: bytes) -> bytes:
    """The key that wraps the content key, from the letters of a code (RFC 7518, 4.8)."""
    salted = ALG.encode() + b"\0" + salt
    return hashlib.pbkdf2_hmac("sha512", letters.encode(), salted, COUNT, 32)


def _opened(box: str, wrapping_key: bytes) -> bytes:
    """Decrypt; the header is authenticated exactly as received."""
    wrapped, iv, sealed = _parts(box)
    try:
        content = aes_key_unwrap(wrapping_key, wrapped)
        return AESGCM(content).decrypt(iv, sealed, box.partition(".")[0].encode())
    except (InvalidUnwrap, InvalidTag):
        raise WrongCodeError("wrong-code", "this code does not open the key backup of this account") from None


def _key_in(text: bytes) -> Key:
    """The key, with its public half derived from `d` alone."""
    try:
        held = canonical.loads_sent(text)
        key = Key(canonical.from_base64url(held.get("d"), 32))
    except BadRecord as bad:
        raise KeyBackupError("bad-box", f"this is not a key backup: {bad.says}") from None
    if held != _private(key):
        raise KeyBackupError("bad-box", "this is not a key backup: its key has other members")
    return key
