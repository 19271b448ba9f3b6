"""Looks up DKIM keys in the DNS or, for everything on one machine, in the mail page's file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dns.exception
import dns.name
import dns.resolver

from workers.errors import WorkerError

Dns = Callable[[str], bytes | None]
"""The key record of a name, None if it has none; raises `DnsError` if that cannot be known now."""

TIMEOUT = 5.0
LOCAL = "sealedmove-local._domainkey."


class DnsError(WorkerError):
    """The DNS does not answer: try again later."""


def ask(name: str) -> bytes | None:
    """The first key record of this name."""
    records = [b"".join(record.strings) for record in _resolve(name, "TXT")]
    return next((record for record in records if b"p=" in record), None)


def texts(name: str) -> list[str]:
    """The TXT records of this name; DnsError if the DNS does not answer."""
    return [b"".join(record.strings).decode("ascii", "replace") for record in _resolve(name, "TXT")]


def mail_hosts(name: str) -> list[str]:
    """The hosts of the MX records of this name; DnsError if the DNS does not answer."""
    return [str(record.exchange) for record in _resolve(name, "MX")]


def _resolve(name: str, kind: str) -> list[Any]:
    """The records. A name that cannot exist has none, whoever wrote it into a mail."""
    try:
        asked = dns.name.from_text(name)
    except dns.exception.DNSException:
        return []
    try:
        return list(dns.resolver.resolve(asked, kind, lifetime=TIMEOUT))
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError) as error:
        raise DnsError(type(error).__name__) from error


def with_file(path: Path) -> Dns:
    """Look up only our own selector, of any domain, in this file."""

    def local(name: str) -> bytes | None:
        return path.read_bytes().strip() if name.startswith(LOCAL) and path.is_file() else None

    return local
