"""The section of a game's guide on what to type, for the text and the HTML part of a mail (pure)."""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup

from engine import guides, registry
from server.play.markdown import html
from workers.mail import layout

HEADING = "## What to type"
CODE = "    "
ITEM = "- "
COLUMNS = re.compile(r"(?<=\S) {2,}(?=\S)")  # the gap between a command and its explanation
# Mail programs ignore style sheets, and a line that cannot break makes the whole mail that wide.
STYLES = {
    '<pre tabindex="0">': '<pre style="font-size:13px;line-height:1.4;overflow-wrap:anywhere;white-space:pre-wrap">',
    "<th>": '<th align="left">',
    "<td>": '<td style="overflow-wrap:anywhere;padding:.1em .6em .1em 0" valign="top">',
}


@cache
def of(key: str) -> str:
    """The section of a game's guide, as Markdown; "" if the guide does not have one."""
    return block(registry.guide(key))


def block(guide: str) -> str:
    """The text below the heading, up to the next one, without pictures."""
    _, found, rest = f"\n{guide}".partition(f"\n{HEADING}\n")
    said = re.split(r"(?m)^## ", rest)[0] if found else ""
    return "".join(part for part in guides.parts(said) if isinstance(part, str)).strip("\n")


def text(markdown: str) -> str:
    """For the text part: code and lists line by line, a table as a list, no line wider than a mail."""
    return "\n\n".join("\n".join(_lines(part)) for part in re.split(r"\n\s*\n", markdown) if part.strip())


def _lines(part: str) -> list[str]:
    rows = part.split("\n")
    if rows[0].startswith(CODE):
        return [_code(row) for row in rows]
    if rows[0].startswith("|"):
        cells = [[_bare(cell.strip()) for cell in row.strip("|").split(" | ")] for row in rows[2:]]
        return [layout.item(": ".join(row)) for row in cells]
    if rows[0].startswith(ITEM):
        return [layout.item(_bare(" ".join(item.split()))) for item in f"\n{part}".split(f"\n{ITEM}")[1:]]
    return [layout.wrap(_bare(" ".join(rows)))]


def _code(row: str) -> str:
    """A line with its columns; a line that is too long continues below, indented."""
    first, *rest = layout.wrap(row.removeprefix(CODE), "  ").split("\n")
    return "\n".join([first, *(f"      {line.strip()}" for line in rest)])


def _bare(words: str) -> str:
    return re.sub(r"`([^`]+)`", r"\1", re.sub(r"\*\*(.+?)\*\*", r"\1", words))


def page(markdown: str, site: str) -> Markup:
    """For the HTML part, with absolute links and the columns of code one below the other, since phones wrap lines."""
    made = re.sub(r"(?s)<pre.*?</pre>", _stacked, str(html(markdown))).replace('href="/', f'href="{site}/')
    for plain, styled in STYLES.items():
        made = made.replace(plain, styled)
    return Markup(made)  # noqa: S704 - made of what `html` has escaped


def _stacked(code: re.Match[str]) -> str:
    return COLUMNS.sub("\n    ", code[0])
