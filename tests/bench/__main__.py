"""Run the parts named on the command line, or all of them: `python -m tests.bench engine audit`."""

import importlib
import sys

from engine import registry

PARTS = ("engine", "audit", "length", "rebuild", "server", "store", "mail", "events", "hooks")


def main() -> None:
    registry.search("tests.kit.games")
    for part in sys.argv[1:] or PARTS:
        importlib.import_module(f"tests.bench.{part}_speed").main()


if __name__ == "__main__":
    main()
