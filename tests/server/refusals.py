"""docs/refusals.md from the tables of the code; `python -m tests.server.refusals` writes it again."""

from __future__ import annotations

from pathlib import Path

from engine.record.laws.preconditions import LAWS
from server.http.schemas import UNREADABLE
from server.kernel.errors import ENGINE, SERVER, TITLES

PAGE = Path(__file__).parents[2] / "docs" / "refusals.md"

HEAD = """# Why the server says no

Every error is a problem document (RFC 9457) with a stable `code`: that is for programs, `title` for people, and `facts`
name what was expected and what was found. This page is made from `server/kernel/errors.py` and from the record's own
table (`engine/record/laws/preconditions.py`); `python -m tests.server.refusals` writes it again. A rule of a game
refuses with 422 and a code of that game, which `GET /v1/types/{key}` lists. Names in braces are in `facts`.

"""

UNREAD = """
Signed bytes that cannot be read, or are not what is due, are refused with 400 or 422. `detail` gives the reason: {}.
"""


def page() -> str:
    """The whole page."""
    told = {code: (status, title) for code, (status, title) in SERVER.items()}
    told |= {code: (status, TITLES[code]) for code, status in ENGINE.items()}
    laws = {rule.code: rule.law for rule in LAWS}
    rows = [
        f"| `{code}` | {status} | {title} | {laws.get(code, '')} |" for code, (status, title) in sorted(told.items())
    ]
    table = "\n".join(["| Code | Status | Title | The record's law |", "|---|---|---|---|", *rows])
    return HEAD + table + "\n" + UNREAD.format(", ".join(f"`{code}`" for code in sorted(UNREADABLE)))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
