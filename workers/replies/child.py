"""A process that parses mails for one lane, with limits on time and memory.

It may be ended at any moment. After that, the next mail gets a new process.

    lane ◄─── b"" ──────────── child      it has started
         ──── UnreadMail ────►
         ◄─── Asks(name) ─────         the keys of DKIM: a child has no network
         ──── Record ─────────►
         ◄─── ReaderAnswer ───         ReadMail, or why there is none

Both use MessagePack, so that a child's output is only data, even if a mail has compromised it.
"""

from __future__ import annotations

import resource
import signal
import sys
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Literal

import msgspec

from server.kernel.logs import log
from workers.errors import WorkerError, where
from workers.replies.dns import Dns, DnsError
from workers.replies.incoming import TooMuchError
from workers.replies.reading import ReadMail, UnreadMail, read

CPU = 2.0  # seconds of computing; the worst mail in the tests, of 2 MB, takes a quarter of it
MEMORY = 1024**3  # bytes of address space, most of which the interpreter uses
OUT_OF_MEMORY = 77  # the exit status of a child without the memory to report it
PATIENCE = 40.0  # seconds for a mail, with DNS lookups; with those of a start less than a lease
TO_START = 20.0  # seconds; a busy machine may need longer


class ChildFaultError(WorkerError):
    """The child failed at this mail, was silent, or died of something other than its limits; try again."""


class NoChildError(WorkerError):
    """No child has started yet, through no fault of the mail; try again."""


class Asks(msgspec.Struct, frozen=True, tag=True):
    """A request for the key record of this name."""

    name: str


class Record(msgspec.Struct, frozen=True):
    """The record, if there is one; `away`: why it cannot be known now."""

    found: bytes | None
    away: str = ""


class ReaderAnswer(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """The result; or the limit that it is `beyond`, why the DNS is `away`, or where a `fault` is."""

    found: ReadMail | None = None
    beyond: str = ""
    away: str = ""
    fault: str = ""


class ReadingChild:
    """One process at a time, started on demand."""

    def __init__(
        self, cpu: float = CPU, memory: int = MEMORY, patience: float = PATIENCE, to_start: float = TO_START
    ) -> None:
        self._cpu, self._memory, self._patience, self._to_start = cpu, memory, patience, to_start
        self._line: Connection | None = None
        self._process: SpawnProcess | None = None
        self._state: Literal["new", "late", "ready"] = "new"

    def read(self, unread: UnreadMail, dns: Dns) -> ReadMail:
        """As `reading.read`, within limits."""
        try:
            answer = self._talk(unread, dns)
        except (OSError, EOFError) as end:
            raise self._ended() from end
        except NoChildError:
            raise
        except BaseException:
            self.close()
            raise
        if answer.away:
            raise DnsError(answer.away)
        if answer.beyond:
            self.close()
            raise TooMuchError(answer.beyond)
        if answer.found is None:
            raise ChildFaultError(answer.fault)
        return answer.found

    def _talk(self, unread: UnreadMail, dns: Dns) -> ReaderAnswer:
        line = self._open()
        self._await_start(line)
        end = time.monotonic() + self._patience
        line.send_bytes(msgspec.msgpack.encode(unread))
        while True:
            if not line.poll(max(0.0, end - time.monotonic())):
                raise ChildFaultError("the reader does not answer")
            said = msgspec.msgpack.decode(line.recv_bytes(), type=Asks | ReaderAnswer)
            if isinstance(said, ReaderAnswer):
                return said
            line.send_bytes(msgspec.msgpack.encode(_record(dns, said.name)))

    def _open(self) -> Connection:
        if self._line is None or self._process is None or not self._process.is_alive():
            self.close()
            self._line, self._process = self._started()
        return self._line

    def _started(self) -> tuple[Connection, SpawnProcess]:
        """A new process and the line to it; NoChildError if the machine has no room for one now."""
        context = get_context("spawn")
        line, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, self._cpu, self._memory), daemon=True)
        with theirs:
            try:
                process.start()
            except OSError as error:
                line.close()
                raise NoChildError(f"the reader does not start: {type(error).__name__}") from error
        return line, process

    def _await_start(self, line: Connection) -> None:
        """NoChildError if it takes too long. It may go on, for the next mail; the second time it is ended."""
        if self._state == "ready":
            return
        if not line.poll(self._to_start):
            if self._state == "late":
                self.close()
            else:
                self._state = "late"
            raise NoChildError("the reader has not started")
        line.recv_bytes()
        self._state = "ready"

    @property
    def pid(self) -> int | None:
        """The process that reads, if there is one."""
        return None if self._process is None else self._process.pid

    def _ended(self) -> WorkerError:
        """Why the child ended: the alarm of its computing time has a signal of its own."""
        if self._process is None:
            return NoChildError("the reader does not start: no more files can be opened")
        self._process.join(self._patience)
        code, was_ready = self._process.exitcode, self._state == "ready"
        self.close()
        log.warning("reader-ended", code=code)
        if not was_ready:
            return NoChildError(f"the reader ended with {code} before it had started")
        limit = {-signal.SIGPROF: "cpu", OUT_OF_MEMORY: "memory"}.get(code or 0)
        return TooMuchError(limit) if limit else ChildFaultError(f"the reader ended with {code}")

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self._line is not None:
            self._line.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        self._line = self._process = None
        self._state = "new"


def _record(dns: Dns, name: str) -> Record:
    try:
        return Record(dns(name))
    except DnsError as away:
        return Record(None, str(away) or "dns")


# --- in the child -----------------------------------------------------------------------------------------------------


def _serve(line: Connection, cpu: float, memory: int) -> None:
    """Run until the other end closes. The alarm has no handler, so it ends the process even inside a parser."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        line.send_bytes(b"")
        if sys.platform == "linux":
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        while True:
            unread = msgspec.msgpack.decode(line.recv_bytes(), type=UnreadMail)
            signal.setitimer(signal.ITIMER_PROF, cpu)
            answer = msgspec.msgpack.encode(_answer(line, unread))
            signal.setitimer(signal.ITIMER_PROF, 0)
            line.send_bytes(answer)
    except MemoryError:
        sys.exit(OUT_OF_MEMORY)
    except (EOFError, OSError):
        return


def _answer(line: Connection, unread: UnreadMail) -> ReaderAnswer:
    def ask(name: str) -> bytes | None:
        line.send_bytes(msgspec.msgpack.encode(Asks(name)))
        said = msgspec.msgpack.decode(line.recv_bytes(), type=Record)
        if said.away:
            raise DnsError(said.away)
        return said.found

    try:
        return ReaderAnswer(read(unread, ask))
    except TooMuchError as beyond:
        return ReaderAnswer(beyond=str(beyond))
    except DnsError as away:
        return ReaderAnswer(away=str(away))
    except (EOFError, OSError):
        raise
    except Exception as fault:  # noqa: BLE001 - noted by its place: a message could quote the mail
        return ReaderAnswer(fault=where(fault))
