"""The process of one analysis: a bundle on its input, the analysis as JSON on its output.

The only module of workers that loads house players. It judges finished games, in which nothing is hidden any more.
"""

from __future__ import annotations

import os
import random
import sys

import msgspec

from engine.analysis.turning import analyse
from engine.errors import Refused

IMPOSSIBLE = 3  # exit status: this game cannot be analysed
LOWEST = 15  # priority: everything else goes first


def main() -> int:
    os.nice(LOWEST)
    try:
        found = analyse(sys.stdin.buffer.read(), random.Random)
    except Refused:
        return IMPOSSIBLE
    sys.stdout.buffer.write(msgspec.json.encode(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
