"""The form of the pages' scripts and of their tests in node: `python -m tests.browser.lint`, part of `make check`.

`--fix` repairs what it can, like `make fix`.
"""

from __future__ import annotations

import sys

from tests.generated import tools

SCRIPTS = ("server/http/static/**/*.js", "client/npm/*.js", "tests/**/*.mjs", "*.mjs")


def check() -> str:
    """The findings of eslint and prettier; empty if all is well."""
    found = (tools.program("eslint", *SCRIPTS), tools.program("prettier", "--check", *SCRIPTS))
    return "".join(done.stdout for done in found if done.returncode)


def fix() -> None:
    tools.program("eslint", "--fix", *SCRIPTS)
    tools.program("prettier", "--write", *SCRIPTS)


if __name__ == "__main__":
    if "--fix" in sys.argv:
        fix()
    sys.exit(check() or 0)
