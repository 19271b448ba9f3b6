"""Where a hook may be sent: a strict spelling of https URLs, so that no two readers of one differ (pure).

A host is a name of public letters: no address in any of its spellings (`127.1`, `0x7f000001`, `[::1]`), nothing before
an `@`, no single word of a local net. What it resolves to is looked at when sending (`workers/hooks/addresses.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from server.kernel.errors import Problem

PORTS = (443, 8443)
LONGEST = 500
LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
# Names that mean this machine or its neighbours (RFC 6761, 6762, 8375, 9476), whatever a resolver says of them.
LOCAL = ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "arpa", "onion", "alt")
# The last label of a name begins with a letter, of an address with a digit in any spelling.
LAST = rf"(?!(?:{'|'.join(LOCAL)})(?:[:/?]|$))[A-Za-z][A-Za-z0-9-]{{0,61}}[A-Za-z0-9]"
# RFC 3986: pchar, `/` and `?`; a `%` stands before two hexadecimal digits. No fragment.
TARGET = r"[/?](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*"
PATTERN = rf"^https://(?:{LABEL}\.)+{LAST}(?::(?:{'|'.join(map(str, PORTS))}))?(?:{TARGET})?$"
PARTS = re.compile(r"https://([^:/?]+)(?::([0-9]+))?(.*)")


@dataclass(frozen=True, slots=True)
class HookUrl:
    """A URL in the parts that the wire needs."""

    host: str
    port: int
    target: str

    def __str__(self) -> str:
        port = "" if self.port == 443 else f":{self.port}"
        return f"https://{self.host}{port}{self.target}"


def parse(text: str) -> HookUrl:
    """The parts of a URL that a hook may have; refused with what is wrong."""
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
