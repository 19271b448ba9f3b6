"""Letters beyond ASCII in data that the record holds: written as references (`&#233;` is an e with an acute accent)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

LETTER = r"&#[0-9]{3,6};"  # in patterns of names
_REFERENCE = re.compile(r"&#([0-9]{3,6});")


def as_ascii(value: Any) -> Any:
    """Plain data with every letter beyond ASCII in its texts as a reference."""
    if isinstance(value, str):
        return value if value.isascii() else "".join(c if c.isascii() else f"&#{ord(c)};" for c in value)
    if isinstance(value, Mapping):
        return {as_ascii(name): as_ascii(member) for name, member in value.items()}
    return [as_ascii(item) for item in value] if isinstance(value, (list, tuple)) else value


def readable(text: str) -> str:
    """The text as people read it; a reference to no printable letter stays."""
    return _REFERENCE.sub(_letter, text) if "&#" in text else text


def _letter(found: re.Match[str]) -> str:
    code = int(found[1])
    letter = chr(code) if code <= 0x10FFFF else ""
    return letter if letter.isprintable() and letter else found[0]
