"""The process of one hint: its question as JSON on the input, the hint on the output.

The only module of the server that loads house players. It gets the seat's view, not the position, and limits end it.
"""

from __future__ import annotations

import random
import resource
import sys

import msgspec

from engine.errors import Refused
from engine.players.hint import HintQuestion, hint
from server.play.hints import IMPOSSIBLE

SECONDS, MEMORY = 5, 2**30  # processor time and bytes that it may use


def main() -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        asked = msgspec.json.decode(sys.stdin.buffer.read(), type=HintQuestion)
        found = hint(asked, random.Random(asked.seed))  # noqa: S311 - a player's own chance
    except Refused:
        return IMPOSSIBLE
    sys.stdout.buffer.write(msgspec.json.encode(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
