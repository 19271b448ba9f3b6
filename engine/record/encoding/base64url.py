"""base64url without padding (RFC 4648, section 5), read only if encoding it again gives the same text."""

from __future__ import annotations

import binascii
import re
from functools import lru_cache
from typing import TypeGuard

from engine.errors import BadRecord

# 32 bytes are 43 letters, the last of which carries four bits: nearly every binary value of a record.
WHOLE = "[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]"
_whole = re.compile(WHOLE)
# What the last letter may be, by the bytes that are left over from threes: it carries no more bits than they have.
_LAST = ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", "AQgw", "AEIMQUYcgkosw048")
_to_url = bytes.maketrans(b"+/", b"-_")
_from_url = bytes.maketrans(b"-_+/=\n\r \t", b"+/*******")


def encode(data: bytes) -> str:
    """The one text of these bytes."""
    return binascii.b2a_base64(data, newline=False).translate(_to_url, b"=").decode("ascii")


def is_32(text: object) -> TypeGuard[str]:
    """Whether `decode` would read 32 bytes here."""
    return isinstance(text, str) and _whole.fullmatch(text) is not None


@lru_cache(maxsize=256)
def _decode_32(text: str) -> bytes | None:
    """Kept, because an audit meets each hash and key several times; None for what is to be refused."""
    return binascii.a2b_base64(text.encode().translate(_from_url) + b"=") if is_32(text) else None


def decode(text: object, length: int | None = None) -> bytes:
    """The bytes of `text`, `length` of them if it is given; BadRecord for any text that `encode` does not make."""
    if length == 32 and isinstance(text, str) and len(text) == 43 and (data := _decode_32(text)) is not None:
        return data
    if not isinstance(text, str) or not text.isascii():
        raise BadRecord("bad-base64url", "binary values are base64url text")
    try:
        data = binascii.a2b_base64(text.encode().translate(_from_url) + b"=" * (-len(text) % 4), strict_mode=True)
    except binascii.Error:
        raise BadRecord("bad-base64url", "not base64url without padding") from None
    if data and text[-1] not in _LAST[len(data) % 3]:
        raise BadRecord("bad-base64url", "base64url in another spelling than the one of its bytes")
    if length is not None and len(data) != length:
        raise BadRecord("bad-length", f"{length} bytes are due here, not {len(data)}")
    return data
