"""Everything secret that the server derives from its one master: nothing of it is stored, logged or put on a queue."""

from __future__ import annotations

from engine.chance import derive, domain
from engine.record.encoding.hashes import M
from engine.record.signed import keys


def game_secret(master: bytes, r: bytes) -> bytes:
    """S of a game: `r`, 32 random bytes, lies with the game, and says nothing without the master."""
    return M(master, domain("master") + r)


def server_seed(master: bytes, number: int) -> bytes:
    """The seed of the server's key `number`, from 1: an Ed25519 key that signs the notes of its games."""
    return derive(master, "server", number, 0)


def server_key(master: bytes, number: int) -> bytes:
    """Its public half."""
    return keys.public_of(server_seed(master, number))
