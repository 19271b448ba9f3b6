"""The two functions under everything: H is SHA-256, M is HMAC-SHA256; and the leaf hash of an entry."""

from __future__ import annotations

import hashlib

from engine.chance import hmac_of


def H(data: bytes) -> bytes:
    """SHA-256: 32 bytes."""
    return hashlib.sha256(data).digest()


def M(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA256 (RFC 2104): 32 bytes."""
    return hmac_of(key, data)


def leaf(line: bytes) -> bytes:
    """The hash of an entry: the leaf hash that a Merkle tree would take later (RFC 6962, section 2.1)."""
    return H(b"\x00" + line)
