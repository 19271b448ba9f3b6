"""The little Markdown of our guides as HTML (pure): headings, paragraphs, lists, tables, code, emphasis, links.

Everything is escaped first, so a guide can hold no markup of its own; a link leads to https or to this site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

_INLINE = re.compile(r"`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\((https://[^)\s]+|/[^)\s]*)\)")
_HEADING = re.compile(r"(#{1,4}) (.*)")
_ITEM = re.compile(r"(?:[-*]|(\d{1,3})\.) (.*)")


def html(text: str, below: int = 0) -> Markup:
    """A guide as HTML; its first heading is h1, or as many levels `below` that, and then no heading has an id."""
    blocks = re.split(r"\n(?:[ \t]*\n)+", text.strip("\n"))
    return Markup("\n").join(drawn for block in _whole(blocks) for drawn in _block(block, below))


def _whole(blocks: list[str]) -> Iterator[str]:
    """Blocks of code that stand side by side are one, with the empty line between them."""
    held: list[str] = []
    for block in blocks:
        if held and not block.startswith("    "):
            yield "\n\n".join(held)
            held = []
        if block.startswith("    "):
            held.append(block)
        else:
            yield block
    if held:
        yield "\n\n".join(held)


def _block(block: str, below: int) -> Iterator[Markup]:
    lines = block.split("\n")
    heading = _HEADING.fullmatch(lines[0])
    if block.startswith("    "):
        yield Markup('<pre tabindex="0"><code>{}</code></pre>').format(
            "\n".join(line.removeprefix("    ") for line in lines)
        )
    elif heading:
        yield _heading(heading, below)
        if len(lines) > 1:
            yield from _block("\n".join(lines[1:]), below)
    elif lines[0].startswith("|"):
        yield _table(lines)
    elif _ITEM.fullmatch(lines[0]):
        yield _list(lines)
    else:
        before = next((at for at, line in enumerate(lines) if at and _ITEM.fullmatch(line)), len(lines))
        yield Markup("<p>{}</p>").format(_inline(" ".join(map(str.strip, lines[:before]))))
        if before < len(lines):
            yield _list(lines[before:])


def _heading(found: re.Match[str], below: int) -> Markup:
    """On a page of something else a heading's id might be one of that page's own."""
    level, said = min(6, len(found[1]) + below), found[2]
    if below:
        return Markup("<h{level}>{said}</h{level}>").format(level=level, said=_inline(said))
    name = re.sub(r"[^a-z0-9]+", "-", said.lower()).strip("-")
    return Markup('<h{level} id="{name}">{said}</h{level}>').format(level=level, name=name, said=_inline(said))


def _list(lines: list[str]) -> Markup:
    items: list[str] = []
    first = _ITEM.fullmatch(lines[0])
    for line in lines:
        found = _ITEM.fullmatch(line)
        if found:
            items.append(found[2])
        else:
            items[-1] += f" {line.strip()}"
    drawn = Markup("").join(Markup("<li>{}</li>").format(_inline(item)) for item in items)
    if first and first[1]:
        return Markup('<ol start="{}">{}</ol>').format(int(first[1]), drawn)
    return Markup("<ul>{}</ul>").format(drawn)


def _table(lines: list[str]) -> Markup:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    body = Markup("").join(_row("td", row) for row in rows[2:])
    return Markup("<table><thead>{}</thead><tbody>{}</tbody></table>").format(_row("th", rows[0]), body)


def _row(kind: str, cells: list[str]) -> Markup:
    kinds = [kind if cell else "td" for cell in cells]  # an empty heading heads nothing
    drawn = Markup("").join(
        Markup("<{0}>{1}</{0}>").format(*one) for one in zip(kinds, map(_inline, cells), strict=True)
    )
    return Markup("<tr>{}</tr>").format(drawn)


def _inline(text: str) -> Markup:
    at, parts = 0, [Markup("")]
    for found in _INLINE.finditer(text):
        parts += [escape(text[at : found.start()]), _marked(found)]
        at = found.end()
    return Markup("").join([*parts, escape(text[at:])])


def _marked(found: re.Match[str]) -> Markup:
    code, strong, soft, label, address = found.groups()
    if code is not None:
        return Markup("<code>{}</code>").format(code)
    if label is not None:
        return Markup('<a href="{}">{}</a>').format(address, label)
    return Markup("<{0}>{1}</{0}>").format("strong" if strong is not None else "em", _inline(strong or soft))
