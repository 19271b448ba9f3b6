"""Draws pictures in separate processes, because the renderer holds the interpreter's lock; caches them.

The cache key is the text of the drawing, so equal views share a picture and different views never do. If a process dies
or its alarm ends it for taking too long, its pool is lost and the next picture starts a new one. A pool that does not
answer is also lost: one that breaks while it takes a drawing forgets it (CPython 3.11). If a drawing loses two pools,
its mail is sent without a picture.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import OrderedDict
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process

from server.kernel.logs import log
from workers.mail import near

PROCESSES = 2
KEPT = 64  # pictures of about 30 kB
LONGEST = 10.0  # seconds for a picture, which usually takes a tenth of one
PATIENCE = 30.0  # seconds for an answer, with the pictures before it


class RenderPool:
    """Draws for all threads of a process, in processes that are started on demand."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._is_closed = False
        self._drawn: OrderedDict[str, Future[bytes | None]] = OrderedDict()

    def draw(self, svg: str) -> bytes | None:
        """The picture, drawn now or for an earlier request; None if it cannot be drawn."""
        for _ in range(2):
            asked = self._future(svg)
            try:
                return asked.result(PATIENCE)
            except (BrokenProcessPool, CancelledError, TimeoutError):
                self._renew(svg, asked)
        log.warning("not-drawn", octets=len(svg))
        return None

    def _future(self, svg: str) -> Future[bytes | None]:
        with self._lock:
            if svg not in self._drawn:
                self._drawn[svg] = self._submit(svg)
            self._drawn.move_to_end(svg)
            while len(self._drawn) > KEPT:
                self._drawn.popitem(last=False)
            return self._drawn[svg]

    def _submit(self, svg: str) -> Future[bytes | None]:
        if self._is_closed:
            never: Future[bytes | None] = Future()
            never.cancel()
            return never
        try:
            return self._open().submit(_draw, svg)
        except BrokenProcessPool:  # it broke while idle
            self._end()
            return self._open().submit(_draw, svg)

    def _open(self) -> ProcessPoolExecutor:
        self._pool = self._pool or ProcessPoolExecutor(PROCESSES, get_context("spawn"), _live_with_parent)
        return self._pool

    def _renew(self, svg: str, asked: Future[bytes | None]) -> None:
        """End the pool that was asked, unless another thread has done so."""
        with self._lock:
            if self._drawn.get(svg) is asked:
                self._end()

    def _end(self, *, wait: bool = False) -> None:
        pool, self._pool = self._pool, None
        self._drawn = OrderedDict((svg, one) for svg, one in self._drawn.items() if _is_drawn(one))
        if pool is not None:
            pool.shutdown(wait=wait, cancel_futures=True)

    def close(self) -> None:
        """Wait until the processes have ended; nothing is drawn any more.

        A forked process, such as the worker of `sealedmove house`, closes the pool's queue before it joins the pool's
        processes. Those that had not yet been told to end through that queue would wait forever, and so would it.
        """
        with self._lock:
            self._is_closed = True
            self._end(wait=True)


def _is_drawn(one: Future[bytes | None]) -> bool:
    return one.done() and not one.cancelled() and one.exception() is None


# --- in a process of the pool -----------------------------------------------------------------------------------------


def _live_with_parent() -> None:
    """End with the worker: exit when it does, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
    os._exit(0)


def _draw(svg: str) -> bytes | None:
    """Draw under an alarm without a handler, which ends the process even if the renderer hangs."""
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        return near.png(svg)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
