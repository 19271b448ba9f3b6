"""Asking policies in a separate process, which is killed at a hard limit; some level always answers.

    the level that was asked   thinks as long as the question says, until `THINKS` of the limit at most, and is killed
                               at the limit; then
    easy                       in a new process, likewise; then
    default                    the game's default command, in a new process, likewise; then
    the first legal command    if the question says what is legal

So an answer takes at most three limits. The reply lists every failure on the way.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from contextlib import suppress
from typing import Self

import msgspec
from msgspec.structs import replace

from client.errors import ClientError
from client.players.questions import MoveRequest, Reply
from engine.players.answering import DEFAULT

LIMIT = 4.0  # seconds
THINKS = 0.6  # part of the limit; a policy that keeps to its budget is never killed
STARTS = 30.0  # seconds for a new process to start
MEGABYTES = 2048
FIRST = "first"


class NoReplyError(ClientError):
    """A process has not answered and was ended."""


class NoPolicyError(ClientError):
    """No level has answered, and the question has no legal commands. The server will play a default move."""


class Runner:
    """One process for thinking, started on demand."""

    def __init__(self, limit: float = LIMIT, megabytes: int = MEGABYTES) -> None:
        self.limit = limit
        self._command = [sys.executable, "-m", "client.players.policy_process", str(limit), str(megabytes)]
        self._child: subprocess.Popen[bytes] | None = None
        self._read = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process. The next question starts another one."""
        if self._child is None:
            return
        self._child.kill()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._child.wait()
        self._child, self._read = None, b""

    def ask(self, question: MoveRequest) -> Reply:
        """The reply of the requested level, or of its substitute."""
        troubles: list[str] = []
        for by in dict.fromkeys((question.level, "easy", DEFAULT)):
            try:
                found = self._ask_process(replace(question, level=by, due=min(question.due, THINKS * self.limit)))
            except NoReplyError as no:
                troubles.append(f"{by}: {no}")
            else:
                return replace(found, troubles=(*troubles, *found.troubles))
        if not question.legal:
            raise NoPolicyError("; ".join(troubles))
        return Reply(commands=question.legal[:1], by=FIRST, troubles=tuple(troubles))

    def _ask_process(self, question: MoveRequest) -> Reply:
        child = self._started()
        try:
            assert child.stdin is not None
            child.stdin.write(msgspec.json.encode(question) + b"\n")
            child.stdin.flush()
            return msgspec.json.decode(self._line(child, self.limit), type=Reply)
        except (NoReplyError, OSError, msgspec.MsgspecError) as no:
            self.close()
            raise NoReplyError(str(no)) from no

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            self.close()
            self._child = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - ours
            try:
                self._line(self._child, STARTS)
            except NoReplyError:
                self.close()
                raise
        return self._child

    def _line(self, child: subprocess.Popen[bytes], seconds: float) -> bytes:
        """The next line of the process; NoReplyError if it ends or the time runs out."""
        assert child.stdout is not None
        due = time.monotonic() + seconds
        with selectors.DefaultSelector() as waiting:
            waiting.register(child.stdout, selectors.EVENT_READ)
            while b"\n" not in self._read:
                if not waiting.select(max(0.0, due - time.monotonic())):
                    raise NoReplyError(f"no answer within {seconds:g} s")
                piece = os.read(child.stdout.fileno(), 65536)
                if not piece:
                    raise NoReplyError("the process has ended")
                self._read += piece
        line, _, self._read = self._read.partition(b"\n")
        return line
