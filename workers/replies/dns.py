"""Looks up DKIM keys in the DNS or, for everything on one machine, in the mail page's file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import dns.exception
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
    try:
        found = dns.resolver.resolve(name, "TXT", lifetime=TIMEOUT)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return None
    except (dns.exception.DNSException, OSError) as error:
        raise DnsError(type(error).__name__) from error
    records = [b"".join(record.strings) for record in found]
    return next((record for record in records if b"p=" in record), None)


def with_file(path: Path) -> Dns:
    """Look up only our own selector, of any domain, in this file."""

    def local(name: str) -> bytes | None:
        return path.read_bytes().strip() if name.startswith(LOCAL) and path.is_file() else None

    return local
