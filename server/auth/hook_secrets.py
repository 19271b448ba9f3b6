"""What signs a hook's messages, as Standard Webhooks spells it: derived from the master, never stored, shown once.

`v1` is HMAC-SHA256 and both sides have the same secret (`whsec_`). `v1a` is Ed25519: the receiver has the public half
(`whpk_`), so whoever reads his configuration can sign nothing.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from hmac import digest

from nacl.signing import SigningKey

from engine.chance import domain
from engine.record.encoding.hashes import M

SIGNATURES = ("v1", "v1a")


def secret_of(master: bytes, r: bytes) -> bytes:
    """32 bytes; `r`, 16 random ones, lie with the hook, and another `r` is another secret."""
    return M(master, domain("hook") + r)


def shown(signature: str, secret: bytes) -> str:
    """What the receiver verifies with: for `v1` the secret itself, for `v1a` the public key."""
    if signature == "v1":
        return "whsec_" + b64encode(secret).decode()
    return "whpk_" + b64encode(bytes(SigningKey(secret).verify_key)).decode()


def sign(signature: str, secret: bytes, message: bytes) -> str:
    """One signature, with its version before it."""
    made = digest(secret, message, sha256) if signature == "v1" else SigningKey(secret).sign(message).signature
    return f"{signature},{b64encode(made).decode()}"
