"""Ed25519 keys and signatures: public keys as JWK (RFC 8037), named by their thumbprint (RFC 7638).

A key is a canonical point of the prime-order subgroup and a signature is checked as RFC 8032 writes it, without
cofactor: S < L, R compared as bytes and not of small order. On everything else the libraries of the world disagree,
and what one accepts and another refuses must never reach a record.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import nacl.bindings
import nacl.exceptions

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding.canonical import H

Jwk = dict[str, str]
Verify = Callable[[bytes, bytes, bytes], bool]  # of a public key, a message and a signature: does it hold?


def public_of(seed: bytes) -> bytes:
    """The public key (32 bytes) of a private seed (32 bytes)."""
    return nacl.bindings.crypto_sign_seed_keypair(seed)[0]


def sign(seed: bytes, message: bytes) -> bytes:
    """The signature (64 bytes) of the message."""
    _, secret = nacl.bindings.crypto_sign_seed_keypair(seed)
    return nacl.bindings.crypto_sign(message, secret)[:64]


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is one of this key over this message."""
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
        raise BadRecord("bad-jwk", "a key is a JWK with exactly the members crv, kty and x")
    if value["kty"] != "OKP" or value["crv"] != "Ed25519":
        raise BadRecord("bad-jwk", "the key is not an Ed25519 key")
    public = canonical.from_base64url(value["x"], 32)
    check_point(public)
    return public


def check_point(public: bytes) -> None:
    """BadRecord unless these 32 bytes are a canonical point of the prime-order subgroup."""
    if not _is_sound(public):
        raise BadRecord("bad-key", "the key is no canonical point of the prime-order subgroup")


@lru_cache(maxsize=1024)
def _is_sound(public: bytes) -> bool:
    """Costs as much as a signature, and the same few keys come again and again."""
    return bool(nacl.bindings.crypto_core_ed25519_is_valid_point(public))


@lru_cache(maxsize=1024)
def thumbprint(public: bytes) -> str:
    """The `kid` of a key: SHA-256 of its canonical JWK, in base64url."""
    return canonical.to_base64url(thumbprint_bytes(public))


def thumbprint_bytes(public: bytes) -> bytes:
    """The same, as 32 bytes."""
    return H(canonical.dumps(jwk(public)))
