"""A browser's side of web push, as RFC 8291 describes it: its keys, and how it reads a message."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.hooks.push.write import PushAddress

HOST = "push.example.net"
CURVE = ec.SECP256R1()


def to_text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def to_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def raw(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


@dataclass
class Device:
    """The keys of one browser. The test's own: they need not be hard to guess."""

    name: str = "ada"
    key: ec.EllipticCurvePrivateKey = field(init=False)

    def __post_init__(self) -> None:
        self.key = ec.derive_private_key(int.from_bytes(self.name.encode(), "big"), CURVE)
        self.auth = self.name.encode().ljust(16, b".")

    @property
    def endpoint(self) -> str:
        return f"https://{HOST}/{self.name}"

    @property
    def address(self) -> PushAddress:
        return PushAddress(self.endpoint, to_text(raw(self.key.public_key())), to_text(self.auth))

    @property
    def body(self) -> dict[str, Any]:
        """As `PushSubscription.toJSON()` gives it."""
        keys = {"p256dh": self.address.p256dh, "auth": self.address.auth}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> Any:
        """The content of a message."""
        return json.loads(self.opened(body))

    def opened(self, body: bytes) -> bytes:
        salt, size, theirs, sealed = body[:16], body[16:20], body[21 : 21 + body[20]], body[21 + body[20] :]
        assert int.from_bytes(size, "big") >= len(sealed), "more than one record"
        secret = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
        ikm = hkdf(self.auth, secret, b"WebPush: info\0" + raw(self.key.public_key()) + theirs, 32)
        key, nonce = (
            hkdf(salt, ikm, b"Content-Encoding: aes128gcm\0", 16),
            hkdf(salt, ikm, b"Content-Encoding: nonce\0", 12),
        )
        text = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert text.endswith(b"\2"), "the last record ends with this delimiter"
        return text[:-1]


def hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def claims_of(header: str) -> dict[str, Any]:
    """The claims of an `Authorization` header of RFC 8292, once its signature is checked with the key that it names."""
    scheme, _, parts = header.partition(" ")
    assert scheme == "vapid"
    given = dict(part.strip().split("=", 1) for part in parts.split(","))
    signed, _, signature = given["t"].rpartition(".")
    r, s = to_bytes(signature)[:32], to_bytes(signature)[32:]
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to_bytes(given["k"]))
    der = encode_dss_signature(int.from_bytes(r, "big"), int.from_bytes(s, "big"))
    assert len(r + s) == 64
    key.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
    head, claims = (json.loads(to_bytes(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    return claims | {"k": given["k"]}
