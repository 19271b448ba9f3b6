"""The recovery code and the key backup that it opens (docs/spec/keybox.md)."""

import hashlib

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap

from tests.stranger.keys import kid_of, read_jwk
from tests.stranger.lines import D, H, Json, Refused, bytes32, from_base64url, members, need, read_sent

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TYPED = str.maketrans("abcdefghijklmnopqrstuvwxyzOIL", "ABCDEFGH1JK1MN0PQRSTUVWXYZ011", " -")
LONGEST = 4096
ALG, ENC, COUNT = "PBES2-HS512+A256KW", "A256GCM", 8192
WRAPPED, IV, TAG = 40, 12, 16


def write_code(random: bytes) -> str:
    """The recovery code of 16 bytes."""
    letters = _letters(random)
    return "-".join(letters[at : at + 4] for at in range(0, 28, 4))


def read_code(text: str) -> str:
    """The 28 characters of a recovery code, in any spelling that people type."""
    letters = text.translate(TYPED)
    need(len(letters) == 28, f"a code of {len(letters)} letters")
    need(set(letters) <= set(LETTERS), "a letter outside the alphabet of codes")
    bits = sum(LETTERS.index(letter) << 5 * place for place, letter in enumerate(reversed(letters)))
    need(_letters((bits >> 12).to_bytes(16, "big")) == letters, "a letter of the code is wrong")
    return letters


def _letters(random: bytes) -> str:
    check = int.from_bytes(H(D("code") + random)[:2], "big") >> 4
    bits = int.from_bytes(random, "big") << 12 | check
    return "".join(LETTERS[bits >> 5 * place & 31] for place in reversed(range(28)))


def open_backup(text: str, code: str, aud: str, account: int) -> bytes:
    """The private half, `d`, of the recovery key in the backup of this account at this server."""
    password = read_code(code).encode("ascii")
    need(len(text) <= LONGEST, f"a backup of {len(text)} characters")
    parts = text.split(".")
    need(len(parts) == 5, f"a backup of {len(parts)} parts")
    header = _header(from_base64url(parts[0]), aud, account)
    wrapped, iv, sealed, tag = map(from_base64url, parts[1:], (WRAPPED, IV, None, TAG))
    key = _unwrap(password, header["p2s"], wrapped)
    try:
        plain = AESGCM(key).decrypt(iv, sealed + tag, parts[0].encode("ascii"))
    except InvalidTag:
        raise Refused("the backup was changed") from None
    return _recovery_key(plain, header["kid"])


def _header(data: bytes, aud: str, account: int) -> dict[str, Json]:
    header = members(read_sent(data), {"alg", "enc", "p2c", "p2s", "kid", "aud", "sub"})
    need((header["alg"], header["enc"]) == (ALG, ENC), "other algorithms")
    need(type(header["p2c"]) is int and header["p2c"] == COUNT, "another count")
    from_base64url(header["p2s"], 16)
    bytes32(header["kid"])
    need((header["aud"], header["sub"]) == (aud, str(account)), "the backup of another account")
    return header


def _unwrap(password: bytes, p2s: str, wrapped: bytes) -> bytes:
    """The content key, by PBES2 of RFC 7518, section 4.8."""
    salt = ALG.encode("ascii") + b"\0" + from_base64url(p2s)
    wrapping = hashlib.pbkdf2_hmac("sha512", password, salt, COUNT, 32)
    try:
        return aes_key_unwrap(wrapping, wrapped)
    except InvalidUnwrap:
        raise Refused("the code does not open this backup") from None


def _recovery_key(plain: bytes, kid: str) -> bytes:
    jwk = members(read_sent(plain), {"crv", "kty", "x", "d"})
    private = bytes32(jwk.pop("d"))
    public = Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
    need(kid_of(public) == kid, "the kid of another key")
    need(read_jwk(jwk) == public, "the public half of another key")
    return private
