"""Ed25519 keys and what they sign: public keys as JWK (RFC 8037), named by their thumbprint (RFC 7638); compact JWS.

A key is a canonical point of the prime-order subgroup and a signature is checked as RFC 8032 writes it, without
cofactor: S < L, R compared as bytes and not of small order. Libraries disagree on everything else, and a signature that
one accepts and another refuses must never reach a record.

A player signs a compact JWS (RFC 7515, 8037): a header of exactly alg, kid and typ, and a JSON object. `alg` may
carry the old name (`EdDSA`, RFC 8037) or the new one (`Ed25519`, RFC 9864) and decides nothing: the key does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec
import nacl.bindings
import nacl.exceptions

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding.canonical import H

MAX_JWS = 2**14
TYP = "sealedmove+jws"
ALGS = ("Ed25519", "EdDSA")

Jwk = dict[str, str]
Verify = Callable[[bytes, bytes, bytes], bool]  # of a public key, a message and a signature: does it hold?


def public_of(seed: bytes) -> bytes:
    """The public key (32 bytes) of a private seed (32 bytes)."""
    return _pair_of(seed)[0]


def sign(seed: bytes, message: bytes) -> bytes:
    """The signature (64 bytes) of the message."""
    return nacl.bindings.crypto_sign(message, _pair_of(seed)[1])[:64]


@lru_cache(maxsize=64)
def _pair_of(seed: bytes) -> tuple[bytes, bytes]:
    """Cached: it costs more than a signature, and a server signs every note with the same few seeds."""
    found: tuple[bytes, bytes] = nacl.bindings.crypto_sign_seed_keypair(seed)
    return found


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """True if the signature was made with this key over this message."""
    if len(signature) != 64 or len(public) != 32:
        return False
    try:
        nacl.bindings.crypto_sign_open(signature + message, public)
    except nacl.exceptions.BadSignatureError:
        return False
    return True


def jwk(public: bytes) -> Jwk:
    """The JWK of a public key: exactly crv, kty and x."""
    return {"crv": "Ed25519", "kty": "OKP", "x": canonical.to_base64url(public)}


def parse_jwk(value: Any) -> bytes:
    """The public key (32 bytes) in a JWK; BadRecord unless it is exactly that and a sound point."""
    if not isinstance(value, dict) or set(value) != {"crv", "kty", "x"}:
        raise BadRecord("bad-jwk", "a key must be a JWK with exactly the members crv, kty and x")
    if value["kty"] != "OKP" or value["crv"] != "Ed25519":
        raise BadRecord("bad-jwk", "the key is not an Ed25519 key")
    public = canonical.from_base64url(value["x"], 32)
    check_point(public)
    return public


def check_point(public: bytes) -> None:
    """BadRecord unless these 32 bytes are a canonical point of the prime-order subgroup."""
    if not _is_sound(public):
        raise BadRecord("bad-key", "the key is not a canonical point of the prime-order subgroup")


@lru_cache(maxsize=1024)
def _is_sound(public: bytes) -> bool:
    """Cached: it costs as much as a signature, and the same few keys come again and again."""
    return bool(nacl.bindings.crypto_core_ed25519_is_valid_point(public))


@lru_cache(maxsize=1024)
def thumbprint(public: bytes) -> str:
    """The `kid` of a key: SHA-256 of its canonical JWK, in base64url."""
    return canonical.to_base64url(thumbprint_bytes(public))


def thumbprint_bytes(public: bytes) -> bytes:
    """The same, as 32 bytes."""
    return H(canonical.dumps(jwk(public)))


# --- compact JWS ------------------------------------------------------------------------------------------------------


class Jws(msgspec.Struct, frozen=True):
    """A JWS as it was read; its signature is not checked before `verify`."""

    header: dict[str, Any]
    payload: dict[str, Any]
    kid: str
    signing_input: bytes
    signature: bytes
    text: str

    def verify(self, public: bytes) -> None:
        """BadRecord unless this key has the JWS's kid and made its signature."""
        if thumbprint(public) != self.kid:
            raise BadRecord("wrong-key", "the JWS names another key")
        if not verify(public, self.signing_input, self.signature):
            raise BadRecord("bad-signature", "the signature is not valid")


def sign_jws(seed: bytes, payload: dict[str, Any], typ: str = TYP, alg: str = "Ed25519") -> str:
    """The compact JWS of a payload; BadRecord if it would be longer than a JWS may be."""
    header = {"alg": alg, "kid": thumbprint(public_of(seed)), "typ": typ}
    signing_input = ".".join(canonical.to_base64url(canonical.dumps(part)) for part in (header, payload))
    text = f"{signing_input}.{canonical.to_base64url(sign(seed, signing_input.encode()))}"
    _check_length(text)
    return text


def read_jws(compact: object, typ: str = TYP) -> Jws:
    """The parts of a compact JWS, its signature not yet verified; BadRecord if malformed or of another `typ`."""
    if not isinstance(compact, str):
        raise BadRecord("bad-jws", "a JWS must be a string in compact form")
    _check_length(compact)
    parts = compact.split(".")
    if len(parts) != 3:
        raise BadRecord("bad-jws", "a compact JWS must have three parts")
    header = _read_header(parts[0], typ)
    payload = canonical.loads_sent(canonical.from_base64url(parts[1]))
    signature = canonical.from_base64url(parts[2], 64)
    return Jws(header, payload, header["kid"], f"{parts[0]}.{parts[1]}".encode(), signature, compact)


def kid_of(compact: str) -> str | None:
    """The kid in the header of a JWS; None if it has no good header."""
    try:
        return str(_read_header(compact.partition(".")[0], TYP)["kid"])
    except BadRecord:
        return None


@lru_cache(maxsize=256)
def _read_header(text: str, typ: str) -> dict[str, Any]:
    """Cached: a key writes the same header in every JWS. Callers must not change the result."""
    header = canonical.loads_sent(canonical.from_base64url(text))
    if set(header) != {"alg", "kid", "typ"}:
        raise BadRecord("bad-header", "the header of a JWS must have exactly the members alg, kid and typ")
    if header["alg"] not in ALGS:
        raise BadRecord("bad-alg", "the algorithm of a JWS must be Ed25519, also called EdDSA")
    if header["typ"] != typ:
        raise BadRecord("bad-typ", f"expected a JWS of type {typ}")
    canonical.from_base64url(header["kid"], 32)
    return header


def _check_length(text: str) -> None:
    if len(text) > MAX_JWS:
        raise BadRecord("too-long", f"a JWS has at most {MAX_JWS} characters; this one has {len(text)}")
