"""Check the JSDoc types of the pages' scripts: `python -m tests.browser.types`, part of `make check`."""

from __future__ import annotations

import sys

from tests.generated import tools

CONFIG = tools.ROOT / "server" / "http" / "tsconfig.json"


def check() -> str:
    """The findings of tsc; empty if all is well."""
    done = tools.program("tsc", "--project", CONFIG)
    return done.stdout if done.returncode else ""


if __name__ == "__main__":
    sys.exit(check() or 0)
