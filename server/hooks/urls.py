"""URLs of webhooks: a strict form of https URLs that every parser reads in the same way (pure).

A host is a public DNS name: no IP address in any spelling (`127.1`, `0x7f000001`, `[::1]`), nothing before an `@`, no
single-label name of a local network. Its addresses are checked when sending (`workers/hooks/addresses.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from server.kernel.errors import Problem

PORTS = (443, 8443)
LONGEST = 500
LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
# Names of this machine or its neighbours (RFC 6761, 6762, 8375, 9476), whatever a resolver returns for them.
LOCAL = ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "arpa", "onion", "alt")
# The last label of a name begins with a letter; that of an address begins with a digit in any spelling.
LAST = rf"(?!(?:{'|'.join(LOCAL)})(?:[:/?]|$))[A-Za-z][A-Za-z0-9-]{{0,61}}[A-Za-z0-9]"
# RFC 3986: pchar, `/` and `?`; a `%` stands before two hexadecimal digits. No fragment.
TARGET = r"[/?](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*"
PATTERN = rf"^https://(?:{LABEL}\.)+{LAST}(?::(?:{'|'.join(map(str, PORTS))}))?(?:{TARGET})?$"
PARTS = re.compile(r"https://([^:/?]+)(?::([0-9]+))?(.*)")


@dataclass(frozen=True, slots=True)
class HookUrl:
    """The parts of a URL that a request needs."""

    host: str
    port: int
    target: str

    def __str__(self) -> str:
        port = "" if self.port == 443 else f":{self.port}"
        return f"https://{self.host}{port}{self.target}"


def parse(text: str) -> HookUrl:
    """Parse the URL of a webhook; an invalid one is refused with the reason."""
    if len(text) > LONGEST or not re.fullmatch(PATTERN[1:-1], text):
        raise _bad(f"https://name/path of at most {LONGEST} characters, without user, fragment, address or other port")
    found = PARTS.fullmatch(text)
    assert found is not None
    host, target = found[1].lower(), found[3] or "/"
    if host.rpartition(".")[2] in LOCAL:
        raise _bad("a name that is known everywhere")
    return HookUrl(host, int(found[2] or 443), target if target.startswith("/") else f"/{target}")


def _bad(expected: str) -> Problem:
    return Problem("bad-hook-url", expected=expected)
