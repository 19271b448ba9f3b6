"""Files from other people, read up to a bound, so that even an endless one is refused."""

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
    """A file is not of the kind that is needed; the text gives the reason."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


def read_bounded(path: Path, most: int, begins: bytes = b"") -> bytes:
    """The bytes of a file, at most one more than `most`; only the first block if its start is wrong."""
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
    """A file for the audit, which accepts any bytes."""
    return read_bounded(path, MOST_BYTES, HEAD)


def read_mail(path: Path) -> bytes:
    """A checkpoint or a mail; UnreadableError if it is longer than any mail."""
    data = read_bounded(path, MAX_MAIL)
    if len(data) > MAX_MAIL:
        raise UnreadableError(path, f"it has more than {MAX_MAIL} bytes, too many for an email")
    return data


def notes_in(path: Path) -> list[str]:
    """The checkpoints in a file, which may be a text or a saved mail."""
    return saved_mails.notes_of(read_mail(path))


def read_notes(path: Path) -> list[str]:
    """Like `notes_in`, but UnreadableError if there is none."""
    found = notes_in(path)
    if not found:
        raise UnreadableError(path, "it has no checkpoint")
    return found


def read_server(path: Path) -> ServerKeys:
    """A server's document, from `/.well-known/sealedmove.json`."""
    data = read_bounded(path, MAX_DOCUMENT)
    if len(data) > MAX_DOCUMENT:
        raise UnreadableError(path, f"it has more than {MAX_DOCUMENT} bytes, too many for a server's document")
    try:
        return server_keys.read(json.loads(data))
    except (ValueError, RecursionError):
        raise UnreadableError(path, "not JSON") from None
    except BadRecord as bad:
        raise UnreadableError(path, f"not a server's document: {bad.says}") from None
