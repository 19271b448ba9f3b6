"""What a player keeps of one game, in a folder: the log as checked, the last note, the nonce, the act not yet answered.

Losing it costs nothing but safety: entries can be fetched again, but only the note says that they are the same ones.
Each file is written whole and moved into place, so that a crash leaves the old one or the new one.
"""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

from client.signing import Signed


class Memory:
    """The folder of one game. Everything in it is for its owner's eyes alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def nonce(self) -> bytes:
        """The one nonce of this game, 32 random bytes, kept before it is first sent."""
        kept = self._read("nonce")
        if kept is not None:
            return bytes.fromhex(kept.decode())
        made = secrets.token_bytes(32)
        self._write("nonce", made.hex().encode())
        return made

    def note(self) -> str | None:
        """The last note that held."""
        kept = self._read("note")
        return None if kept is None else kept.decode()

    def keep_note(self, text: str) -> None:
        self._write("note", text.encode())

    def keep_evidence(self, text: str) -> Path:
        """A note that contradicts the last one: with it, a fork is proven. Where it was put."""
        self._write("note-against", text.encode())
        return self.folder / "note-against"

    def has_evidence(self) -> bool:
        return (self.folder / "note-against").exists()

    def lines(self) -> list[bytes]:
        """The entries that were checked before, oldest first."""
        whole, _, _ = (self._read("log") or b"").rpartition(b"\n")
        return whole.split(b"\n") if whole else []

    def keep_lines(self, lines: list[bytes]) -> None:
        """Add checked entries. A line that a crash cut off is dropped when the log is read, and fetched again."""
        with (self.folder / "log").open("r+b" if (self.folder / "log").exists() else "w+b") as file:
            whole, feed, _ = file.read().rpartition(b"\n")
            file.truncate(len(whole) + len(feed))
            file.seek(0, os.SEEK_END)
            file.write(b"".join(line + b"\n" for line in lines))

    def pending(self) -> Signed | None:
        """What was signed and sent but not answered yet."""
        kept = self._read("pending")
        if kept is None:
            return None
        value = json.loads(kept)
        return Signed(value["jws"], value.get("text"))

    def keep_pending(self, signed: Signed) -> None:
        self._write("pending", json.dumps(signed.body).encode())

    def drop_pending(self) -> None:
        (self.folder / "pending").unlink(missing_ok=True)

    def _read(self, name: str) -> bytes | None:
        path = self.folder / name
        return path.read_bytes() if path.exists() else None

    def _write(self, name: str, data: bytes) -> None:
        part = self.folder / f"{name}.part"
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.folder / name)
