"""Mails as mail programs send them, with DKIM signatures by test keys, and the DNS that holds these keys."""

from __future__ import annotations

import base64
import math
import random
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from functools import cache

import dkim
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from nacl.signing import SigningKey

SELECTOR = "post"
KEY = SigningKey(b"\5" * 32)
OTHER = SigningKey(b"\6" * 32)
COVERED = (b"from", b"to", b"date", b"subject", b"message-id")


def record(key: SigningKey = KEY, more: str = "") -> bytes:
    return f"v=DKIM1; k=ed25519; {more}p={base64.b64encode(bytes(key.verify_key)).decode()}".encode()


def dns(name: str) -> bytes | None:
    """example.org and evil.example have a key each; no other domain has one."""
    return {"example.org.": record(), "evil.example.": record(OTHER)}.get(name.removeprefix(f"{SELECTOR}._domainkey."))


def written(text: str, to: str, at: datetime, **changed: str) -> bytes:
    """A reply in plain text; `changed` are headers, `from_` the sender; an empty header is left out."""
    mail = EmailMessage(policy=SMTP)
    heads = {
        "from": "Ada <ada@example.org>",
        "to": to,
        "subject": "Re: Your turn",
        "date": format_datetime(at),
        "message-id": "<1@example.org>",
    }
    for name, value in {**heads, **{key.strip("_").replace("_", "-"): text for key, text in changed.items()}}.items():
        if value:
            mail[name] = value
    mail.set_content(text)
    return mail.as_bytes()


def signed(raw: bytes, domain: str = "example.org", key: SigningKey = KEY, covered=COVERED, **more) -> bytes:
    """With a signature on top."""
    private = base64.b64encode(bytes(key))
    given = {"include_headers": list(covered), "signature_algorithm": b"ed25519-sha256", **more}
    return dkim.sign(raw, SELECTOR.encode(), domain.encode(), private, **given) + raw


@cache
def rsa_key(bits: int = 1024) -> tuple[bytes, bytes]:
    """A private key as PEM, and its record. The library makes none that is shorter."""
    made = rsa.generate_private_key(65537, bits) if bits >= 1024 else _short_key(bits)
    forms = serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    public = made.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return made.private_bytes(*forms), b"v=DKIM1; p=" + base64.b64encode(public)


def _short_key(bits: int) -> rsa.RSAPrivateKey:
    p, q = _prime(bits // 2, 1), _prime(bits // 2, 2)
    d = pow(65537, -1, math.lcm(p - 1, q - 1))
    parts = rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q)
    return rsa.RSAPrivateNumbers(p, q, d, *parts, rsa.RSAPublicNumbers(65537, p * q)).private_key()


def _prime(bits: int, seed: int) -> int:
    dice = random.Random(seed)
    while True:
        odd = dice.getrandbits(bits) | 1 | (3 << (bits - 2))
        if odd % 65537 != 1 and all(pow(base, odd - 1, odd) == 1 for base in (2, 3, 5)):
            return odd
