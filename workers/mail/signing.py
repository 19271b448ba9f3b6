"""Signs our own mails with DKIM (RFC 6376, RFC 8463) if the relay does not. Exactly the signed bytes are sent.

Headers that readers see or mail programs act on are signed, and listed once more than they occur, so that nobody can
add a second one on top. `cryptography` signs, in half a millisecond; `dkimpy` makes the canonical forms.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import dkim
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from dkim.canonicalization import CanonicalizationPolicy

from server.kernel.config import ConfigError, Settings, domain_of

# `List-Unsubscribe` must be signed, or mail programs ignore it for one-click unsubscribing (RFC 8058 4).
COVERED = (
    b"from",
    b"to",
    b"reply-to",
    b"subject",
    b"date",
    b"message-id",
    b"in-reply-to",
    b"references",
    b"mime-version",
    b"content-type",
    b"content-transfer-encoding",
    b"auto-submitted",
    b"list-id",
    b"list-unsubscribe",
    b"list-unsubscribe-post",
)
SHORTEST = 2048  # bits of RSA
FORM = b"relaxed/simple"
CHUNK = 70
Sign = Callable[[bytes], bytes]


@dataclass(frozen=True)
class DkimSigner:
    """A private key and the name of its public half in the DNS."""

    domain: str
    selector: str
    key: RSAPrivateKey | Ed25519PrivateKey

    def sign(self, raw: bytes) -> bytes:
        """The mail with its signature on top."""
        headers, body = dkim.rfc822_parse(raw)
        form = CanonicalizationPolicy.from_c_value(FORM)
        tags = self._tags(headers, sha256(form.canonicalize_body(body)).digest())
        whole = [*_covered(headers), [b"DKIM-Signature", tags]]
        told = b"".join(name + b":" + value for name, value in form.canonicalize_headers(whole))
        signature = base64.b64encode(self._signature(told.removesuffix(b"\r\n")))
        chunks = [signature[at : at + CHUNK] for at in range(0, len(signature), CHUNK)]
        return b"DKIM-Signature:" + tags + b"\r\n\t".join(chunks) + b"\r\n" + raw

    def _tags(self, headers: list[list[bytes]], body: bytes) -> bytes:
        """The header without its signature, folded so that no line is too long."""
        kind = b"rsa" if isinstance(self.key, RSAPrivateKey) else b"ed25519"
        where = b"d=%s; s=%s" % (self.domain.encode("ascii"), self.selector.encode("ascii"))
        names = b":\r\n\t ".join(b":".join(group) for group in _groups(_named(headers)))
        first = b" v=1; a=%s-sha256; c=%s;\r\n\t%s;\r\n\t" % (kind, FORM, where)
        return first + b"h=%s;\r\n\tbh=%s;\r\n\tb=" % (names, base64.b64encode(body))

    def _signature(self, told: bytes) -> bytes:
        if isinstance(self.key, Ed25519PrivateKey):
            return self.key.sign(sha256(told).digest())
        return self.key.sign(told, PKCS1v15(), hashes.SHA256())

    def record(self) -> str:
        """The DNS record for `selector._domainkey.domain`."""
        public = self.key.public_key()
        if isinstance(self.key, Ed25519PrivateKey):
            raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
            return f"v=DKIM1; k=ed25519; p={base64.b64encode(raw).decode()}"
        der = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        return f"v=DKIM1; k=rsa; p={base64.b64encode(der).decode()}"


def _named(headers: list[list[bytes]]) -> list[bytes]:
    present = [name.lower() for name, _ in headers]
    return [name for name in COVERED for _ in range(present.count(name) + 1)]


def _covered(headers: list[list[bytes]]) -> list[list[bytes]]:
    """The headers in the order of their names; of several with one name the lowest first (RFC 6376 5.4.2)."""
    return [pair for name in COVERED for pair in reversed(headers) if pair[0].lower() == name]


def _groups(names: list[bytes], each: int = 3) -> Iterable[list[bytes]]:
    return (names[at : at + each] for at in range(0, len(names), each))


def load(domain: str, selector: str, path: Path) -> DkimSigner:
    """Read the key; ConfigError if receivers would not accept it."""
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as wrong:
        raise ConfigError(f"DKIM_SIGN_KEY_FILE does not hold a private key in PEM: {type(wrong).__name__}") from wrong
    if isinstance(key, Ed25519PrivateKey) or (isinstance(key, RSAPrivateKey) and key.key_size >= SHORTEST):
        return DkimSigner(domain, selector, key)
    raise ConfigError(f"DKIM_SIGN_KEY_FILE must hold an RSA key of {SHORTEST} bits or more, or an Ed25519 key")


def of(settings: Settings) -> DkimSigner | None:
    """The configured signer; None if the relay signs."""
    if settings.dkim_sign is None:
        return None
    selector, path = settings.dkim_sign
    # the tag `d` is exactly the domain of From, which strict DMARC alignment requires (RFC 7489 3.1.1)
    return load(domain_of(settings.mail_from), selector, path)


def signing(settings: Settings) -> Sign:
    """Sign if configured. The key is read for the first mail, since other processes may not have the file."""

    @cache
    def signer() -> DkimSigner | None:
        return of(settings)

    def sign(raw: bytes) -> bytes:
        found = signer()
        return raw if found is None else found.sign(raw)

    return sign
