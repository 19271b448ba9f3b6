"""`python -m workers.dev.watch`: ends what a runner that was killed left running.

A runner that gets SIGKILL stops nothing. So it starts this program before all others, in a session of its own, and
writes the running processes to its pipe whenever they change. The pipe ends when the runner does, in whatever way: then
the processes in the last line are ended. A runner that has stopped everything leaves an empty line.
"""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterable

from workers.dev import data_lock


class Watchdog:
    """The runner's end of the pipe. If the program was killed, too, the next start ends what is left (`leftovers`)."""

    def __init__(self) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-m", "workers.dev.watch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # out of reach of Ctrl-C and of the end of the terminal
            text=True,
        )

    def tell(self, pids: Iterable[int]) -> None:
        """Send the ids of the processes that run now."""
        assert self.child.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.child.stdin.write(json.dumps(data_lock.born(pids)) + "\n")
            self.child.stdin.flush()

    def close(self) -> None:
        """Everything has been stopped."""
        assert self.child.stdin is not None
        self.tell([])
        with contextlib.suppress(BrokenPipeError):
            self.child.stdin.close()
        self.child.wait()


def main() -> None:
    last = "{}"
    for line in sys.stdin:
        last = line
    data_lock.end(json.loads(last))


if __name__ == "__main__":
    main()
