"""Addresses that a person may answer to: one for each mail, 24 letters long, of use for nothing else.

A token names its notification and proves that this server made it for that game, seat and question and for that very
address: it ends with the address, and never moves by itself, since whoever is forwarded a mail has it too. Base32 of 15
bytes leaves no bit over, so no two texts are one token, and letters may lose their case on the way.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import uuid
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from engine.chance import domain
from engine.record.encoding.hashes import M

Kind = Literal["move", "bounce"]
LENGTH = 24
PROOF = 10
NUMBER = 5  # bytes of a notification's id
TOKEN = "{token}"  # noqa: S105 - where it stands in an address


@dataclass(frozen=True, slots=True)
class Subject:
    """What a token is about: a notification, its game, seat and entry, and whom it was mailed to."""

    notification: int
    game: str
    seat: int
    seq: int
    email: str


def token(master: bytes, kind: Kind, about: Subject) -> str:
    """The token of a mail."""
    return base64.b32encode(_whole(master, kind, about)).decode().lower()


def number_of(text: str) -> int | None:
    """The notification that a token names; whether it is one of ours is not said yet."""
    data = _decoded(text)
    return None if data is None else int.from_bytes(data[:NUMBER], "big")


def is_good(master: bytes, kind: Kind, text: str, about: Subject) -> bool:
    """Is this the token of that mail?"""
    data = _decoded(text)
    return data is not None and hmac.compare_digest(data, _whole(master, kind, about))


def address(pattern: str, text: str) -> str:
    """`move+{token}@play.example` with its token."""
    return pattern.replace(TOKEN, text)


def token_in(pattern: str, email: str) -> str | None:
    """The token of an address of this pattern, in whatever letters; None if it is another address."""
    before, _, after = pattern.lower().partition(TOKEN)
    plain = email.strip().lower()
    if not (plain.startswith(before) and plain.endswith(after)):
        return None
    text = plain[len(before) : len(plain) - len(after)]
    return text if len(text) == LENGTH else None


def is_pattern(text: str) -> bool:
    """May this be a setting?"""
    return bool(re.fullmatch(r"[a-z0-9.=+_-]*\{token\}[a-z0-9.=+_-]*@[a-z0-9.-]+", text))


def _whole(master: bytes, kind: Kind, about: Subject) -> bytes:
    number = about.notification.to_bytes(NUMBER, "big")
    place = uuid.UUID(about.game).bytes + bytes([about.seat]) + about.seq.to_bytes(4, "big")
    whom = sha256(about.email.strip().lower().encode()).digest()
    return number + M(master, domain(f"reply-{kind}") + number + place + whom)[:PROOF]


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b32decode(text.upper()) if len(text) == LENGTH else None
    except (binascii.Error, ValueError):
        return None
