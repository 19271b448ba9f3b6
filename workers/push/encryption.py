"""The encryption of push messages (RFC 8291: `aes128gcm` of RFC 8188 with a key that only the browser shares) (pure).

    ecdh_secret = ECDH(our key of this message, the browser's key)
    ikm   = HKDF(salt = the browser's secret, ecdh_secret, "WebPush: info" 0 its key, our key)
    key   = HKDF(salt, ikm, "Content-Encoding: aes128gcm" 0)       16 bytes
    nonce = HKDF(salt, ikm, "Content-Encoding: nonce" 0)           12 bytes
    body  = salt, record size, 65, our key, AES-128-GCM(key, nonce, text 2 0 0 0 ...)

Zeros pad every text to one length, so that a push service cannot tell kinds of news apart.
"""

from __future__ import annotations

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.hooks.push.vapid import CURVE, point

RECORD = 4096  # bytes; a push service need not accept more
LENGTH = 192  # of every padded text
DELIMITER = b"\x02"  # of the last record
SALT = 16  # bytes


def encrypt(
    text: bytes, p256dh: bytes, auth: bytes, salt: bytes, key: ec.EllipticCurvePrivateKey, length: int = LENGTH
) -> bytes:
    """The body of a request. `salt` and `key` are random, and of this message alone; `length` is that of all texts."""
    browser, ours = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, p256dh), point(key.public_key())
    secret = key.exchange(ec.ECDH(), browser)
    ikm = _hkdf(auth, secret, b"WebPush: info\0" + p256dh + ours, 32)
    sealing = AESGCM(_hkdf(salt, ikm, b"Content-Encoding: aes128gcm\0", 16))
    sealed = sealing.encrypt(_hkdf(salt, ikm, b"Content-Encoding: nonce\0", 12), _padded(text, length), None)
    return salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours + sealed


def _padded(text: bytes, length: int) -> bytes:
    if len(text) > length:
        raise ValueError(f"a push message has {len(text)} bytes: at most {length} are allowed")
    return text + DELIMITER + bytes(length - len(text))


def _hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
