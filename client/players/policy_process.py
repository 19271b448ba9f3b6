"""The process in which a policy thinks: questions come in by lines, replies go out by lines, and it can be killed.

    python -m client.players.policy_process LIMIT MEGABYTES [PACKAGE...]

It ends by itself when nobody asks any more, when an answer takes LIMIT seconds and one more though nobody has killed
it, and when it wants more memory than MEGABYTES. What a policy prints goes to standard error.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Sequence

import msgspec

from client.players.questions import Question, reply
from engine import registry

READY = b"ready\n"
GRACE = 1.0  # seconds: whoever asked kills first


def main(given: Sequence[str]) -> None:
    limit, megabytes = float(given[0]), int(given[1])
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    for package in given[2:]:
        registry.search(package)
    replies.write(READY)
    for line in sys.stdin.buffer:
        signal.setitimer(signal.ITIMER_REAL, limit + GRACE)  # whose default is the end of the process
        replies.write(msgspec.json.encode(reply(msgspec.json.decode(line, type=Question))) + b"\n")
        signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
