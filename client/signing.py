"""From an act to the JWS that a player sends. Whether to sign is decided in `game.py`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from client.keys import Key
from engine.record.signed import acts, keys, moves
from engine.record.signed.keys import Jwk

REGISTER = "sealedmove-key+jws"
STATEMENT = "sealedmove-account+jws"


@dataclass(frozen=True, slots=True)
class ActPlace:
    """The place of an act: the server, the game, the seat, and the entry that it becomes.

    `aud` is the host (with its port) that the client was told to talk to, `prev` the 32-byte hash of the last entry.
    """

    aud: str
    game: str
    seat: int
    seq: int
    prev: bytes

    @property
    def given(self) -> tuple[str, str, int, int, bytes]:
        return self.aud, self.game, self.seat, self.seq, self.prev


@dataclass(frozen=True, slots=True)
class Signed:
    """A signed act: the JWS, and in a hidden game the text of the sealed move."""

    jws: str
    text: str | None = None

    @property
    def body(self) -> dict[str, str]:
        """The JSON object to post."""
        return {"jws": self.jws} if self.text is None else {"jws": self.jws, "text": self.text}


def join(key: Key, place: ActPlace, nonce: bytes, recovery: Jwk | None = None, *, bot: bool = False) -> Signed:
    """Take a seat with this key; `nonce` is the player's 32 bytes for this game, `bot` is true if a machine plays.

    `recovery` is a key kept elsewhere that can only replace the seat's keys and offer the seat.
    """
    return Signed(keys.sign_jws(key.seed, acts.join(*place.given, key.jwk, nonce, recovery, bot=bot)))


def take(key: Key, place: ActPlace, recovery: Jwk | None = None, *, bot: bool = False) -> Signed:
    """Take over an offered or absent seat of a running game with this key."""
    return Signed(keys.sign_jws(key.seed, acts.take(*place.given, key.jwk, recovery, bot=bot)))


def offer(key: Key, place: ActPlace, *, is_open: bool) -> Signed:
    """Offer the seat to others, or withdraw the offer: "I am back"."""
    return Signed(keys.sign_jws(key.seed, acts.offer(*place.given, open_=is_open)))


def move(key: Key, place: ActPlace, commands: list[Any]) -> Signed:
    """A move in an open game: 1 to 64 commands as JSON values."""
    return Signed(keys.sign_jws(key.seed, acts.move(*place.given, commands=commands)))


def sealed_move(key: Key, place: ActPlace, text: str) -> Signed:
    """A move in a hidden game: only the hash of its text (`seal_text`) is signed."""
    return Signed(keys.sign_jws(key.seed, acts.move(*place.given, sealed=moves.seal_move(text))), text)


def seal_text(commands: list[Any]) -> str:
    """The text of a move with its own salt, which stays the same if it is signed again on a later head."""
    return moves.move_text(commands, secrets.token_bytes(32))


def leave(key: Key, place: ActPlace) -> Signed:
    """Leave the seat before the start."""
    return Signed(keys.sign_jws(key.seed, acts.leave(*place.given)))


def resign(key: Key, place: ActPlace) -> Signed:
    """Resign from the game."""
    return Signed(keys.sign_jws(key.seed, acts.resign(*place.given)))


def add_key(key: Key, place: ActPlace, new: Jwk) -> Signed:
    """Add a key to the seat. `key` is one of its device keys."""
    return Signed(keys.sign_jws(key.seed, acts.key(*place.given, add=new)))


def drop_key(key: Key, place: ActPlace, kid: str) -> Signed:
    """Remove a key from the seat. `key` is one of its device keys."""
    return Signed(keys.sign_jws(key.seed, acts.key(*place.given, drop=kid)))


def replace_keys(recovery: Key, place: ActPlace, *, only: list[Jwk] | None = None, new: Jwk | None = None) -> Signed:
    """Make `only` the seat's device keys (None: they stay) and `new` its recovery key (None: `recovery` stays)."""
    return Signed(keys.sign_jws(recovery.seed, acts.replace_keys(*place.given, only=only, recovery=new)))


def register(key: Key, aud: str, nonce: str) -> str:
    """Prove possession of a key to register; `nonce` is the server's challenge."""
    payload = {"v": 1, "aud": aud, "act": "register", "key": key.jwk, "nonce": nonce}
    return keys.sign_jws(key.seed, payload, typ=REGISTER)


def statement(key: Key, aud: str, account: int, act: str, about: str, challenge: Mapping[str, str]) -> str:
    """The one-time statement of an account for an act that cannot be undone (`StatementPayload` of the API)."""
    said = {"v": 1, "aud": aud, "act": act, "account": account, "about": about}
    return keys.sign_jws(key.seed, said | {name: challenge[name] for name in ("at", "nonce")}, typ=STATEMENT)
