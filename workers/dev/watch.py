"""`python -m workers.dev.watch`: ends what a runner that was killed left running.

A runner that gets SIGKILL stops nothing. So it starts this program before all others, in a session of its own, and
writes to its pipe who runs, whenever that changes. The end of the pipe is the end of the runner, however that came:
whoever runs then by the last line is ended. A runner that has stopped everything leaves an empty line.
"""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterable

from workers.dev import data_lock


class Watch:
    """The runner's end of the pipe. If the program was killed, too, the next start ends what is left (`leftovers`)."""

    def __init__(self) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-m", "workers.dev.watch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # neither Ctrl-C nor the end of the terminal reaches it
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
