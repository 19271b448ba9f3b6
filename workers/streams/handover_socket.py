"""The Unix socket at which the web server hands connections over, in a folder that only its owner can use.

It runs in a thread, since no event loop of Python can receive descriptors. Each request is answered at once.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import threading
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from server.kernel.config import ConfigError
from server.kernel.logs import log
from server.kernel.streams import CountStreams, StreamAnswer, StreamRequest, read_request
from workers.streams.hub import Hub

PATIENCE = 1.0  # of one request; it may have waited in the socket before, so each says until when it may be taken


def listening(path: Path) -> socket.socket:
    """The socket; ConfigError if it cannot be made, others could reach it, or another process answers there."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as no:
        raise ConfigError(f"EVENTS_SOCKET: the folder {path.parent} cannot be made: {no.strerror}") from None
    folder = path.parent.stat()
    if folder.st_uid != os.getuid() or stat.S_IMODE(folder.st_mode) & 0o077:
        raise ConfigError(f"{path.parent} must be a folder that only its owner can enter (mode 0700)")
    with suppress(OSError), socket.socket(socket.AF_UNIX) as other:
        other.connect(os.fspath(path))
        raise ConfigError(f"another process already serves streams at {path}")
    made = socket.socket(socket.AF_UNIX)
    try:
        path.unlink(missing_ok=True)
        made.bind(os.fspath(path))
    except OSError as no:
        made.close()
        raise ConfigError(f"EVENTS_SOCKET: {path} cannot be made: {no.strerror or no}") from None
    made.listen(256)
    return made


def serve(hub: Hub, door: socket.socket, loop: asyncio.AbstractEventLoop) -> threading.Thread:
    """Answer requests until the socket is shut down."""

    def answer_all() -> None:
        while True:
            try:
                unix, _ = door.accept()
            except OSError:
                return
            with unix:
                _answer_one(hub, unix, loop)

    thread = threading.Thread(target=answer_all, name="door", daemon=True)
    thread.start()
    return thread


def close(door: socket.socket, thread: threading.Thread) -> None:
    """Accept no more connections."""
    door.shutdown(socket.SHUT_RDWR)
    thread.join(PATIENCE)


def _answer_one(hub: Hub, unix: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
    """Answer one request; a malformed one, or one whose sender is gone, is dropped."""
    unix.settimeout(PATIENCE)
    try:
        ask, descriptors = read_request(unix)
        unix.sendall(msgspec.json.encode(_within(hub, ask, descriptors, loop)))
    except EOFError:
        return
    except (OSError, ValueError, TimeoutError) as fault:
        log.warning("not-handed-over", error=type(fault).__name__)


def _within(hub: Hub, ask: StreamRequest, descriptors: list[int], loop: asyncio.AbstractEventLoop) -> StreamAnswer:
    """The answer in time. A busy loop that has not begun by then finds the list empty, and writes nothing."""
    asked = asyncio.run_coroutine_threadsafe(_answer(hub, ask, descriptors), loop)
    try:
        return asked.result(PATIENCE)
    except TimeoutError:
        asked.cancel()
        raise
    finally:
        loop.call_soon_threadsafe(_close_all, descriptors)


async def _answer(hub: Hub, ask: StreamRequest, descriptors: list[int]) -> StreamAnswer:
    """Take the descriptor off the list: from then on it is the hub's. One that waited for too long stays there."""
    if isinstance(ask, CountStreams):
        return hub.numbers(ask.key)
    if ask.until is not None and time.monotonic() > ask.until:
        return StreamAnswer()
    return await hub.open(ask, descriptors.pop()) if descriptors else StreamAnswer()


def _close_all(descriptors: list[int]) -> None:
    while descriptors:
        os.close(descriptors.pop())
