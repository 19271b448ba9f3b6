"""The server's name towards push services (RFC 8292): a P-256 key, and the signed header of each request (pure).

The key is derived from the master alone, so it is the same as long as the server is: another key would end every
subscription. Signatures are the raw `r` and `s` of JWS (RFC 7518, 3.4), not DER.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from functools import lru_cache

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from engine.record.encoding.canonical import to_base64url
from server.kernel import secrets

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256 (SEC 2)
LASTS = timedelta(hours=12)  # a token; RFC 8292 allows 24


def key_from(random: bytes) -> ec.EllipticCurvePrivateKey:
    """A private key from at least 40 random bytes; so many that no key is noticeably more likely than another."""
    return ec.derive_private_key(int.from_bytes(random, "big") % (ORDER - 1) + 1, CURVE)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as 65 bytes, uncompressed."""
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


@lru_cache(maxsize=4)
def server_key(master: bytes) -> ec.EllipticCurvePrivateKey:
    """The key of the server with this master."""
    return key_from(secrets.push_key(master))


def public_key(master: bytes) -> str:
    """What a browser needs to subscribe: `applicationServerKey`, in base64url."""
    return to_base64url(point(server_key(master).public_key()))


def header(key: ec.EllipticCurvePrivateKey, origin: str, contact: str, now: datetime) -> str:
    """The header `Authorization` for a push service; `contact` is a `mailto:` or `https:` address of the operator."""
    claims: dict[str, str | int] = {"aud": origin, "exp": int((now + LASTS).timestamp()), "sub": contact}
    signed = f"{_part({'typ': 'JWT', 'alg': 'ES256'})}.{_part(claims)}"
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = to_base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature}, k={to_base64url(point(key.public_key()))}"


def _part(claims: dict[str, str | int]) -> str:
    return to_base64url(json.dumps(claims, separators=(",", ":")).encode())
