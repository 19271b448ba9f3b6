"""A person at a terminal: a real pseudo-terminal, typed keys, and the text on the screen."""

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path

from tests.kit.patience import PATIENCE

ESCAPES = re.compile(r"\x1b\[[0-9;?>]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[=>78()][A-Z0-9]?|\r")
TAB, ENTER, UP, INTERRUPT, END = "\t", "\r", "\x1b[A", "\x03", "\x04"


class Person:
    """One command at a terminal of 100 columns and 60 lines."""

    def __init__(self, *words, env, columns=100, rows=60):
        self.raw = b""
        self._seen = 0
        self._screen, far = pty.openpty()
        ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        command = [Path(sys.executable).with_name("sealedmove"), *words]
        given = {**os.environ, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", **env}
        self.process = subprocess.Popen(command, stdin=far, stdout=far, stderr=far, env=given, start_new_session=True)
        os.close(far)

    def __enter__(self):
        return self

    def __exit__(self, *given):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
        os.close(self._screen)

    @property
    def shown(self):
        """All output without control sequences."""
        return ESCAPES.sub("", self.raw.decode("utf-8", "replace"))

    def types(self, text):
        os.write(self._screen, text.encode())

    def reads(self, *texts, patience=PATIENCE):
        """Wait until one of these appears after the text read before; returns the output up to its end."""
        until = time.monotonic() + patience
        while True:
            came = self.shown[self._seen :]
            ends = [came.index(text) + len(text) for text in texts if text in came]
            if ends:
                self._seen += min(ends)
                return came[: min(ends)]
            came_more = time.monotonic() < until and self._take(until - time.monotonic())
            assert came_more, f"no {texts} in:\n{came}"

    def leaves(self, patience=PATIENCE):
        """Wait for the end; its exit status."""
        until = time.monotonic() + patience
        while time.monotonic() < until and self._take(until - time.monotonic()):
            pass
        return self.process.wait(max(0.1, until - time.monotonic()))

    def _take(self, patience):
        """Read more output; False at its end."""
        if not select.select([self._screen], [], [], max(0, patience))[0]:
            return False
        try:
            self.raw += os.read(self._screen, 65536)
        except OSError:  # the other end is closed
            return False
        return True
