"""A player's key: an Ed25519 seed that never leaves this machine, in a file that only its owner can read."""

from __future__ import annotations

import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from client import atomic_files
from client.errors import ClientError
from engine.record.encoding import canonical
from engine.record.signed import keys
from engine.record.signed.keys import Jwk

OTHERS = stat.S_IRWXG | stat.S_IRWXO


class KeyFileError(ClientError):
    """The file has no key, or others can read it."""


@dataclass(frozen=True, slots=True)
class Key:
    """A private seed of 32 bytes, with its public key."""

    seed: bytes = field(repr=False)

    @property
    def public(self) -> bytes:
        return keys.public_of(self.seed)

    @property
    def jwk(self) -> Jwk:
        return keys.jwk(self.public)

    @property
    def kid(self) -> str:
        """The thumbprint that names this key in entries and JWS."""
        return keys.thumbprint(self.public)


def make() -> Key:
    """A new key from the system's randomness."""
    return Key(secrets.token_bytes(32))


def save(key: Key, path: Path) -> None:
    """Write the seed as one line of base64url into a new file of mode 0600; FileExistsError if there is one already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_files.create(path, f"{canonical.to_base64url(key.seed)}\n".encode("ascii"))


def load(path: Path) -> Key:
    """Load a key; KeyFileError if others than its owner may read or write the file, BadRecord if it has no seed."""
    if path.stat().st_mode & OTHERS:
        raise KeyFileError(f"others can read {path}: run chmod 600 on it, and replace the key, which they may know")
    return Key(canonical.from_base64url(path.read_text(encoding="ascii").strip(), 32))


def load_or_make(path: Path) -> Key:
    """Load the key in a file, or make one there."""
    if not path.exists():
        with suppress(FileExistsError):  # another process has made one meanwhile
            save(make(), path)
    return load(path)
