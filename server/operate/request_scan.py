"""Finds the end of each request in the bytes of a connection (RFC 9112, sections 6 and 7), without waiting for any.

It judges nothing: a request whose framing is invalid ends where that shows, and Gunicorn's parser refuses it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import IO

LARGEST_HEAD = 64 * 1024  # bytes; a line or a field that is too long for Gunicorn is refused by its parser
IN_MEMORY = 128 * 1024  # bytes of a request; a larger one goes to a file
LINE = 8190  # bytes of a chunk's size with its extensions
END = b"\r\n\r\n"


class RequestScan:
    """One request at a time: `feed` bytes until `is_whole`, `recv` them, then `again` for the next request."""

    def __init__(self, largest: int) -> None:
        self.largest = largest
        self._rest = bytearray()  # what follows the bytes that belong to the request
        self._begin()

    def _begin(self) -> None:
        self.size = 0
        self.is_whole = self.is_cut = self.has_head = self.wants_continue = False
        self._passed: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - `close` closes it
        self._steps = self._scan()
        self._advance()

    def feed(self, data: bytes) -> None:
        """Take further bytes of the connection."""
        self._rest += data
        self._advance()

    def recv(self, size: int) -> bytes:
        """The request's next bytes, as its parser asks a socket for them; none at its end."""
        return self._passed.read(size)

    def again(self) -> None:
        """Begin with the next request, of which some bytes may be here already."""
        self.close()
        self._begin()

    def close(self) -> None:
        self._passed.close()

    @property
    def is_begun(self) -> bool:
        return bool(self.size or self._rest)

    def _advance(self) -> None:
        if not self.is_whole and next(self._steps, "end") == "end":
            self.is_whole = True
            self._passed.seek(0)

    def _scan(self) -> Generator[None]:
        """One step for each `feed`; ends with the request, or where nothing more of it is to be read."""
        head = yield from self._until(END, LARGEST_HEAD)
        self.has_head = head.endswith(END)
        length, self.wants_continue = framing(head)
        if length is None:
            yield from self._chunks()
        elif length > self.largest:
            self.is_cut = True
        else:
            yield from self._pass(length)

    def _chunks(self) -> Generator[None]:
        while not self.is_cut:
            size = chunk_size((yield from self._until(b"\r\n", LINE)))
            if not size:
                break
            yield from self._pass(size + 2)
        while not self.is_cut and (yield from self._until(b"\r\n", LARGEST_HEAD)) != b"\r\n":
            pass  # trailers

    def _until(self, end: bytes, most: int) -> Generator[None, None, bytes]:
        """Pass on the bytes through `end`, which come within `most`; otherwise the request is cut."""
        searched = 0
        while (found := self._rest.find(end, searched)) < 0:
            if len(self._rest) > most:
                self.is_cut = True
                return self._move(len(self._rest))
            searched = max(0, len(self._rest) - len(end) + 1)
            yield
        return self._move(found + len(end))

    def _pass(self, size: int) -> Generator[None]:
        while size and not self.is_cut:
            if not self._rest:
                yield
                continue
            size -= len(self._move(min(size, len(self._rest))))

    def _move(self, size: int) -> bytes:
        moved = bytes(self._rest[:size])
        del self._rest[:size]
        self._passed.write(moved)
        self.size += len(moved)
        self.is_cut |= self.size > self.largest + LARGEST_HEAD
        return moved


def framing(head: bytes) -> tuple[int | None, bool]:
    """The length of the body, None if it comes in chunks; and whether the client waits before it sends the body."""
    length: int | None = 0
    waits = False
    for name, value in _fields(head):
        if name == b"content-length" and re.fullmatch(rb"[0-9]{1,18}", value):
            length = int(value)
        elif name == b"transfer-encoding":
            return None if value.lower().endswith(b"chunked") else 0, waits
        elif name == b"expect":
            waits = value.lower() == b"100-continue"
    return length, waits


def _fields(head: bytes) -> Iterator[tuple[bytes, bytes]]:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        yield name.lower(), value.strip(b" \t")


def chunk_size(line: bytes) -> int:
    """0 ends the body; so does a size that is not one, which the parser refuses."""
    with suppress(ValueError):
        return max(0, int(line.partition(b";")[0], 16))
    return 0
