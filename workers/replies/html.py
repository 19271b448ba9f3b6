"""The text of an HTML mail as its reader sees it, each quotation as one line `>` (pure).

Mail programs say by an element's class or id what they quote. Some wrap the quotation; some (Outlook) only put an
element before it, so all that follows is the quotation: there a line stands at which reading stops.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

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
UNSEEN = frozenset(("script", "style", "head", "title", "template"))


def text_of(html: str) -> str:
    """Lines as they are seen; markup that is broken gives some text, and never an error."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "".join(reader.parts)


class _Reader(HTMLParser):
    """Collects text. While `inside` is set, everything up to the end of that element is left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.inside: str | None = None
        self.depth = 0
        self.pre = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
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
        self._mark(tag, attrs)

    def _mark(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = " ".join(value or "" for name, value in attrs if name in ("class", "id", "fairemail", "data-marker"))
        if BEGINS.search(names):
            self._line(REST)
        elif tag == "blockquote" or WRAPS.search(names) or any(name == "fairemail" for name, _ in attrs):
            self._line(QUOTE)
            self.inside, self.depth = tag, 1

    def handle_endtag(self, tag: str) -> None:
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

    def handle_data(self, data: str) -> None:
        if self.inside is None:
            text = data if self.pre else re.sub(r"[ \t\r\n\f]+", " ", data)
            if text != " " or not self._is_at_start():
                self.parts.append(text)

    def _line(self, text: str) -> None:
        self._break()
        self.parts.append(f"{text}\n")

    def _break(self) -> None:
        if not self._is_at_start():
            self.parts.append("\n")

    def _is_at_start(self) -> bool:
        return not self.parts or self.parts[-1].endswith("\n")
