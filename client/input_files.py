"""Files that somebody hands over, read up to a bound: none is too large, or endless, to be refused."""

from __future__ import annotations

import json
from pathlib import Path

from client import saved_mails
from client.errors import ClientError
from engine.errors import BadRecord
from engine.record.audit.run import MOST_BYTES
from engine.record.signed import server_keys
from engine.record.signed.server_keys import ServerKeys

HEAD = b"sealedmove bundle "
MAX_MAIL = 2**25
MAX_DOCUMENT = 2**20
_BLOCK = 2**20


class UnreadableError(ClientError):
    """A file that cannot be read as what it was given for, and why."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


def read_bounded(path: Path, most: int, begins: bytes = b"") -> bytes:
    """The bytes of a file, and at most one more than `most`; of one that begins otherwise, only its first block."""
    data = bytearray()
    try:
        with path.open("rb") as file:
            while len(data) <= most and (block := file.read(min(_BLOCK, most + 1 - len(data)))):
                data += block
                if not data.startswith(begins):
                    break
    except OSError as error:
        raise UnreadableError(path, error.strerror or type(error).__name__) from None
    return bytes(data)


def read_bundle(path: Path) -> bytes:
    """A file for the audit, which answers any bytes."""
    return read_bounded(path, MOST_BYTES, HEAD)


def read_mail(path: Path) -> bytes:
    """A note or a mail; UnreadableError if it is longer than any mail."""
    data = read_bounded(path, MAX_MAIL)
    if len(data) > MAX_MAIL:
        raise UnreadableError(path, f"more than {MAX_MAIL} bytes: no mail is that long")
    return data


def notes_in(path: Path) -> list[str]:
    """The notes in a file, as text or in a mail as it was saved."""
    return saved_mails.notes_of(read_mail(path))


def read_notes(path: Path) -> list[str]:
    """As `notes_in`; UnreadableError if there is none."""
    found = notes_in(path)
    if not found:
        raise UnreadableError(path, "there is no note in it")
    return found


def read_server(path: Path) -> ServerKeys:
    """A server's document, as `/.well-known/sealedmove.json` gives it."""
    data = read_bounded(path, MAX_DOCUMENT)
    if len(data) > MAX_DOCUMENT:
        raise UnreadableError(path, f"more than {MAX_DOCUMENT} bytes: no server's document is that long")
    try:
        return server_keys.read(json.loads(data))
    except (ValueError, RecursionError):
        raise UnreadableError(path, "not JSON") from None
    except BadRecord as bad:
        raise UnreadableError(path, f"no server's document: {bad.says}") from None
