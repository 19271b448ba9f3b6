"""The certificate with which the SMTP server offers STARTTLS. It is read again when its files have changed."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509

from server.kernel.logs import log


class TlsCertificate:
    """The context for new connections. ValueError if the certificate is unusable when the process starts."""

    def __init__(self, chain: Path, key: Path | None = None) -> None:
        self._chain, self._key = chain, key or chain
        self._read = self._stamps()
        self._context = self._loaded()

    def context(self) -> ssl.SSLContext:
        """Of the files as they are now; if they cannot be used, as they were: most senders would send nothing."""
        now = self._stamps()
        if now != self._read:
            self._read = now
            try:
                self._context = self._loaded()
            except ValueError:
                log.error("certificate-not-renewed", file=str(self._chain))
        return self._context

    def _stamps(self) -> Sequence[int]:
        return [_stamp(file) for file in (self._chain, self._key)]

    def _loaded(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            chain, _ = self._chain.read_bytes(), self._key.read_bytes()  # the error names a missing file
            context.load_cert_chain(self._chain, self._key, password=_no_password)
            ends = x509.load_pem_x509_certificate(chain).not_valid_after_utc
        except (OSError, ValueError) as no:  # ssl.SSLError is an OSError
            raise ValueError(
                f"INBOUND_CERTIFICATE_FILE cannot be used: {_why(no)}. It must hold the certificate chain as PEM, and "
                "INBOUND_KEY_FILE its private key without a password"
            ) from no
        if ends <= datetime.now(UTC):
            raise ValueError(f"INBOUND_CERTIFICATE_FILE cannot be used: it expired on {ends:%Y-%m-%d}. Renew it")
        return context


def _stamp(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:  # it is missing, or in a folder of another user
        return 0


def _no_password() -> bytes:
    """A key with a password is refused; otherwise the library would ask for it at the terminal."""
    raise ValueError("the key has a password")


def _why(no: Exception) -> str:
    if isinstance(no, ssl.SSLError) and no.reason == "KEY_VALUES_MISMATCH":
        return "the key is of another certificate"
    if isinstance(no, ssl.SSLError):
        return "it holds no usable certificate or key"
    return f"{no.strerror}: {no.filename}" if isinstance(no, OSError) and no.filename else str(no)
