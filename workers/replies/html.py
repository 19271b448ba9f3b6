"""The text of an HTML mail as its reader sees it, each quotation as one line `>` (pure).

Mail programs mark a quotation by an element's class or id. Most wrap it; Outlook only puts an element before it, so
everything that follows is quoted, and a line is inserted there at which the parser stops.

The standard library's parser takes quadratic time for tags and comments that never end. Here every token matches up to
the end of the text at the latest, and no text is read twice, so the time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

QUOTE = ">"
REST = "---- quoted ----"
WRAPS = re.compile(
    r"gmail_(quote|attr|signature)|yahoo_quoted|moz-(cite-prefix|signature)|quoted-content|protonmail_(quote|signature)"
    r"|tutanota_quote|zmail_extra|apple-signature|iosymail|x_?gmail_quote|quotetext",
    re.IGNORECASE,
)
BEGINS = re.compile(
    r"divrplyfwdmsg|appendonsend|reference-message|ms-outlook-mobile-(reference|signature)|_?originalcontent|replysplit",
    re.IGNORECASE,
)
BLOCKS = re.compile(
    "address|article|aside|center|d[dlt]|div|footer|form|h[1-6]|header|li|main|ol|pre|section|table|tr|ul|p|blockquote"
)
UNSEEN = frozenset(("head", "template"))
TOKEN = re.compile(
    r"""<!--.*?(?:-->|\Z)
    |<(?P<raw>script|style|title)\b[^>]*+(?:>|\Z).*?(?:</(?P=raw)\b[^>]*+(?:>|\Z)|\Z)
    |<(?P<end>/?)(?P<tag>[a-z][^\s/>]*+)(?P<more>(?:[^>"']++|"[^"]*+"|'[^']*+'|["'])*+)(?:>|\Z)
    |<[!?/][^>]*+(?:>|\Z)
    |(?P<text>[^<]++|<)""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
ATTRIBUTE = re.compile(r"""([^\s=/"'>]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]*+))?""")


def text_of(html: str) -> str:
    """The visible lines; broken markup gives some text and never an error."""
    reader = _TextCollector()
    for token in TOKEN.finditer(html):
        if token["text"]:
            reader.data(unescape(token["text"]))
        elif token["tag"] and token["end"]:
            reader.end(token["tag"].lower())
        elif token["tag"]:
            reader.start(token["tag"].lower(), dict(_attributes(token["more"])))
    return "".join(reader.parts)


def _attributes(text: str) -> Iterator[tuple[str, str]]:
    for found in ATTRIBUTE.finditer(text):
        yield found[1].lower(), unescape((found[2] or "").strip("\"'"))


class _TextCollector:
    """Collects text. While `inside` is set, everything up to the end of that element is left out."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.inside: str | None = None
        self.depth = 0
        self.pre = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self.inside is not None:
            self.depth += tag == self.inside
            return
        if tag in UNSEEN:
            self.inside, self.depth = tag, 1
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "hr":
            self._line("___")
        elif BLOCKS.fullmatch(tag):
            self._break()
        self.pre += tag == "pre"
        self._mark(tag, attributes)

    def _mark(self, tag: str, attributes: dict[str, str]) -> None:
        names = " ".join(attributes.get(name, "") for name in ("class", "id", "fairemail", "data-marker"))
        if BEGINS.search(names):
            self._line(REST)
        elif tag == "blockquote" or WRAPS.search(names) or "fairemail" in attributes:
            self._line(QUOTE)
            self.inside, self.depth = tag, 1

    def end(self, tag: str) -> None:
        if self.inside is not None:
            self.depth -= tag == self.inside
            if not self.depth:
                self.inside = None
            return
        if BLOCKS.fullmatch(tag):
            self._break()
        if tag == "p":
            self.parts.append("\n")
        self.pre -= tag == "pre" and self.pre > 0

    def data(self, text: str) -> None:
        if self.inside is None:
            seen = text if self.pre else re.sub(r"[ \t\r\n\f]+", " ", text)
            if seen != " " or not self._is_at_start():
                self.parts.append(seen)

    def _line(self, text: str) -> None:
        self._break()
        self.parts.append(f"{text}\n")

    def _break(self) -> None:
        if not self._is_at_start():
            self.parts.append("\n")

    def _is_at_start(self) -> bool:
        return not self.parts or self.parts[-1].endswith("\n")
