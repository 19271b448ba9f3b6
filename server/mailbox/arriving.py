"""A mail as it arrives: of a long one only the beginning is kept, with two hashes of its whole body (pure).

What a person types comes first, attachments follow and are not read. A DKIM signature covers the body by its hash
(RFC 6376, `bh`), so the hash of all bytes replaces the bytes that are not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

LARGEST = 25 * 1024 * 1024  # bytes of a mail, as large as most servers send
KEPT = 2 * 1024 * 1024  # a reply that quotes our picture and includes one of its own is kept whole
PIECE = 256 * 1024

_END = re.compile(rb"\A\r?\n|\r?\n\r?\n")
_LINE_FEED = re.compile(rb"(?<!\r)\n")
_BLANKS = re.compile(rb"[ \t]{2,}|\t")
_LINE_ENDS = re.compile(rb"(?:\n\r)*+")  # in reverse


class ArrivingMail:
    """Takes pieces of any length. `beginning` ends at the end of a line."""

    def __init__(self) -> None:
        self.size = 0
        self._kept = bytearray()
        self._hashes: BodyHashes | None = None

    @classmethod
    def of(cls, raw: bytes) -> ArrivingMail:
        """A mail that is here as a whole."""
        made = cls()
        for begin in range(0, len(raw), PIECE):
            made.take(raw[begin : begin + PIECE])
        return made

    @property
    def is_too_large(self) -> bool:
        return self.size > LARGEST

    @property
    def beginning(self) -> bytes:
        return bytes(self._kept)

    def take(self, data: bytes) -> None:
        self.size += len(data)
        if self.is_too_large:
            self._kept.clear()
        elif self._hashes is not None:
            self._hashes.take(data)
        else:
            self._kept += data
            if len(self._kept) > KEPT:
                self._cut()

    def _cut(self) -> None:
        """Without an empty line there is no body; the headers alone are too long then."""
        self._hashes, head = BodyHashes(), _END.search(self._kept)
        if head is not None:
            self._hashes.take(bytes(self._kept[head.end() :]))
        del self._kept[self._kept.rfind(b"\n", 0, KEPT) + 1 :]

    def body_hashes(self) -> bytes | None:
        """SHA-256 of the body in its `simple` and its `relaxed` form; None if the mail is kept whole."""
        return None if self._hashes is None else self._hashes.end()


class BodyHashes:
    """The hashes of a body that comes in pieces, as a signature's `bh` would be."""

    def __init__(self) -> None:
        self._simple, self._relaxed = _BodyHash(), _BodyHash()
        self._line = bytearray()  # the last one, still without its end

    def take(self, data: bytes) -> None:
        end = data.rfind(b"\n") + 1
        if end:
            self._lines(bytes(self._line) + data[:end])
            self._line.clear()
        self._line += data[end:]

    def _lines(self, lines: bytes) -> None:
        lines = _LINE_FEED.sub(b"\r\n", lines)
        self._simple.take(lines)
        self._relaxed.take(_BLANKS.sub(b" ", lines).replace(b" \r\n", b"\r\n"))

    def end(self) -> bytes:
        self._lines(bytes(self._line))
        self._line.clear()
        return self._simple.end() + self._relaxed.end(is_empty_without_lines=True)


class _BodyHash:
    """All empty lines at the end count as one."""

    def __init__(self) -> None:
        self._hash = sha256()
        self._ends = 0
        self._is_empty = True

    def take(self, lines: bytes) -> None:
        letters = lines.rstrip(b"\r\n")
        found = _LINE_ENDS.match(lines[len(letters) :][::-1])
        ends = 0 if found is None else len(found[0]) // 2
        if kept := lines[: len(lines) - 2 * ends]:
            for piece in _line_ends(self._ends):
                self._hash.update(piece)
            self._hash.update(kept)
            self._ends, self._is_empty = 0, False
        self._ends += ends

    def end(self, *, is_empty_without_lines: bool = False) -> bytes:
        if not (self._is_empty and is_empty_without_lines):
            self._hash.update(b"\r\n")
        return self._hash.digest()


def _line_ends(count: int) -> Iterator[bytes]:
    """That many, in pieces: a hostile body has millions."""
    for done in range(0, count, PIECE):
        yield b"\r\n" * min(PIECE, count - done)
