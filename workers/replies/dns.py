"""Where the keys of DKIM are asked for: the DNS, or on one machine a file with the key of its mail page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import dns.exception
import dns.resolver

from workers.errors import WorkerError

Dns = Callable[[str], bytes | None]
"""The key record of a name, None if it has none; raises `NoAnswer` if that cannot be known now."""

TIMEOUT = 5.0
LOCAL = "sealedmove-local._domainkey."


class DnsError(WorkerError):
    """The DNS is away: what cannot be asked is asked later."""


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
    """One's own selector of any domain has the record that the file holds; all else has none."""

    def local(name: str) -> bytes | None:
        return path.read_bytes().strip() if name.startswith(LOCAL) and path.is_file() else None

    return local
