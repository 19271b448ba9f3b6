"""A player's key: an Ed25519 seed that never leaves this machine, in a file that only its owner can read."""

from __future__ import annotations

import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from client import atomic_files
from client.errors import ClientError
from engine.record.encoding import canonical
from engine.record.signed import keys
from engine.record.signed.keys import Jwk

Warn = Callable[[str], None]
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


def load(path: Path, warn: Warn | None = None) -> Key:
    """Load a key; KeyFileError if others than its owner may read or write the file, BadRecord if it has no seed.

    With `warn`, a key on a memory stick, whose file system has no modes, is loaded with a warning.
    """
    if path.stat().st_mode & OTHERS:
        if warn is None or _has_modes(path):
            raise KeyFileError(f"others can read {path}: run chmod 600 on it, and replace the key, which they may know")
        warn(f"the file system of {path} cannot keep others from reading it: keep it where only you have access")
    return Key(canonical.from_base64url(path.read_text(encoding="ascii").strip(), 32))


def _has_modes(path: Path) -> bool:
    """Would chmod have an effect? The mode stays, so that a key that others may know is refused the next time, too."""
    mode = path.stat().st_mode
    try:
        path.chmod(mode & ~OTHERS)
    except OSError:  # somebody else's, or write-protected
        return True
    changed = path.stat().st_mode != mode
    path.chmod(mode)
    return changed


def load_or_make(path: Path, warn: Warn | None = None) -> Key:
    """Load the key in a file, or make one there."""
    if not path.exists():
        with suppress(FileExistsError):  # another process has made one meanwhile
            save(make(), path)
    return load(path, warn)
