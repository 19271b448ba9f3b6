"""One seat as the log tells of it: who holds it with which keys, what it is asked, who gave it up before the start."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from engine.record.signed import keys
from engine.record.signed.acts import Act


class Occupant(msgspec.Struct, frozen=True):
    """Who holds a seat: the key that joined or took it, every key in force now, and how many each kind has added.

    `nonce` is that of the join, None for who took the seat over. `recovery` adds and drops keys and nothing else.
    """

    bot: bool
    kid: str
    nonce: bytes | None
    since: int
    keys: tuple[tuple[str, bytes], ...]
    recovery: tuple[str, bytes] | None = None
    added: int = 0
    restored: int = 0
    open: bool = False

    def public(self, kid: str) -> bytes | None:
        """The public key (32 bytes) of this `kid`, if it is in force."""
        return next((public for own, public in self.keys if own == kid), None)

    def recovers(self, kid: str) -> bool:
        """Is this the seat's recovery key?"""
        return self.recovery is not None and self.recovery[0] == kid


class Question(msgspec.Struct, frozen=True):
    """The entry after which a seat owes an answer."""

    seq: int
    at: str


class Leave(msgspec.Struct, frozen=True):
    """A seat given up before the start; `removed` by the server alone, without a signature."""

    seq: int
    seat: int
    kid: str
    removed: bool


def seated(act: Act, seq: int) -> Occupant:
    """Whom a `join` or a `take`, logged as entry `seq`, puts into the seat."""
    kid, public = pair(act.key)
    recovery = None if act.recovery is None else pair(act.recovery)
    return Occupant(bool(act.bot), kid, act.nonce, seq, ((kid, public),), recovery)


def rekeyed(occupant: Occupant, act: Act, signer: str) -> Occupant:
    """After a `key` act, signed with this kid. What the recovery key brings is counted apart."""
    if act.drop is not None:
        return replace(occupant, keys=tuple(own for own in occupant.keys if own[0] != act.drop))
    recovers = occupant.recovers(signer)
    occupant = replace(occupant, added=occupant.added + (not recovers), restored=occupant.restored + recovers)
    if act.recovery is not None:
        return replace(occupant, recovery=pair(act.recovery))
    return replace(occupant, keys=(*occupant.keys, pair(act.add)))


def pair(key: Any) -> tuple[str, bytes]:
    """A JWK's kid and public key (32 bytes)."""
    public = keys.parse_jwk(key)
    return keys.thumbprint(public), public
