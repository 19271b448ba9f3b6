"""Run the parts named on the command line, or all of them: `python -m tests.bench engine audit`."""

import importlib
import sys

from tests.kit import installed

PARTS = ("engine", "legal", "audit", "length", "rebuild", "server", "store", "mail", "events", "hooks")


def main() -> None:
    installed.here()
    for part in sys.argv[1:] or PARTS:
        importlib.import_module(f"tests.bench.{part}_speed").main()


if __name__ == "__main__":
    main()
