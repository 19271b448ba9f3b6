"""Seals over what each seat saw, and commitments to the state, so that the end of the game proves its middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from engine.chance import derive, domain
from engine.record.encoding import base64url, canonical
from engine.record.encoding.hashes import H


def seals(secret: bytes, seq: int, views: Sequence[Sequence[object]]) -> list[str]:
    """The seals of entry `seq`: one for each seat's list of events, and last one for the full list."""
    return [seal(seal_salt(secret, seq, i), events) for i, events in enumerate(views)]


def seal(salt: bytes, events: Sequence[object]) -> str:
    """H(D("seal") | salt | canonical list of events), in base64url."""
    return base64url.encode(H(domain("seal") + salt + canonical.dumps(events)))


def seal_salt(secret: bytes, seq: int, i: int) -> bytes:
    """K("seal", seq, i): with it seat i checks its own seal, and nobody another's."""
    return derive(secret, "seal", seq, i)


def state_hash(salt: bytes, state: object) -> str:
    """H(D("state") | salt | canonical state), in base64url."""
    return base64url.encode(H(domain("state") + salt + canonical.dumps(state)))


def committed(state: Any) -> Any:
    """The state as the record commits to it: what entry 0 pins for the whole game is null."""
    return replace(state, **dict.fromkeys(state.constant)) if state.constant else state


def state_salt(secret: bytes | None, seq: int) -> bytes:
    """K("state", seq, 0) in a hidden game; without a secret, in an open one, 32 zero bytes."""
    return bytes(32) if secret is None else derive(secret, "state", seq, 0)
