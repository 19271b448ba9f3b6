"""The process in which a policy thinks, with a line for each question and reply. It can be killed.

    python -m client.players.policy_process LIMIT MEGABYTES

It ends by itself at the end of its input, when an answer takes one second more than LIMIT, and when it needs more
memory than MEGABYTES. Output of a policy goes to standard error.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Sequence

import msgspec

from client.players.questions import MoveRequest, reply

READY = b"ready\n"
GRACE = 1.0  # seconds, so that the parent kills first


def main(given: Sequence[str]) -> None:
    limit, megabytes = float(given[0]), int(given[1])
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    replies.write(READY)
    for line in sys.stdin.buffer:
        signal.setitimer(signal.ITIMER_REAL, limit + GRACE)  # its default action ends the process
        replies.write(msgspec.json.encode(reply(msgspec.json.decode(line, type=MoveRequest))) + b"\n")
        signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
