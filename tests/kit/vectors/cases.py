"""The form of a case: an input, and either that it is accepted or the code of its refusal.

An input is a string of ASCII, or {"hex": ...} for other bytes, or {"parts": [[text, times], ...]} for long ones.
"""

from __future__ import annotations

import base64
from typing import Any

Case = dict[str, Any]
Input = str | bytes | list[tuple[str, int]]


def refused(name: str, code: str, given: Input, **more: Any) -> Case:
    return {"name": name, "input": _written(given), **more, "code": code}


def accepted(name: str, given: Input, **more: Any) -> Case:
    return {"name": name, "input": _written(given), **more, "code": None}


def _written(given: Input) -> Any:
    if isinstance(given, list):
        return {"parts": [[text, times] for text, times in given]}
    if isinstance(given, bytes):
        return given.decode("ascii") if given.isascii() and b"\x00" not in given else {"hex": given.hex()}
    return given


def unpadded(text: str) -> bytes:
    """Decode base64url as leniently as Python does."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
