"""What a mail says that was saved to a file: its parts decoded, one after the other, forwarded mails among them.

Mail programs wrap, quote and encode what they pass on; a note has to be found in all of it. Whatever is no mail is read
as text. Nothing here says that a note is true: `note.find` looks for notes in the text, and a key verifies them.
"""

from __future__ import annotations

import email
import re
from email.message import Message
from html.parser import HTMLParser

from engine.record import note

_MAIL = re.compile(rb"(?:From [^\n]*\n)?(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+\r?\n")
_KNOWN = re.compile(rb"(?im)^(?:from|date|subject|received|message-id|mime-version|content-type):")
_NEXT = re.compile(rb"\r?\n\r?\nFrom (?=[^\n]*\d\d:\d\d)")
_LINES = "address article blockquote br div dd dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section table td th tr ul"
_BLOCKS = frozenset(_LINES.split())
_SILENT = frozenset(("script", "style", "title"))
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def notes_of(data: bytes) -> list[str]:
    """The notes in a saved mail, in a mailbox, or in a text, each once."""
    return list(dict.fromkeys(found for text in texts_of(data) for found in note.find(text)))


def texts_of(data: bytes) -> list[str]:
    """All the texts in a saved mail, in a mailbox of them, or in a file that is neither."""
    if not _is_mail(data):
        return [_as_text(data)]
    mails = _NEXT.split(data) if data.startswith(b"From ") else [data]
    return [text for mail in mails for text in _texts(mail)]


def _is_mail(data: bytes) -> bool:
    """A note's first line may look like a header: `127.0.0.1:8000/game/...` has a colon, too."""
    head = _MAIL.match(data)
    return head is not None and _KNOWN.search(head[0]) is not None


def _as_text(data: bytes) -> str:
    return data.decode(next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8"), "replace")


def _texts(data: bytes) -> list[str]:
    """The texts of a mail; the raw one if there is none, or if its parts lie too deep in each other."""
    try:
        parts = list(email.message_from_bytes(data).walk())
    except RecursionError:
        return [_as_text(data)]
    texts = [_shown(part) for part in parts if part.get_content_maintype() == "text" and not part.is_multipart()]
    return texts or [_as_text(data)]


def _shown(part: Message) -> str:
    text = _decoded(part)
    return _plain(text) if part.get_content_subtype() == "html" else text


def _decoded(part: Message) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    try:
        return data.decode(part.get_content_charset() or "utf-8", "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


def _plain(html: str) -> str:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "".join(reader.said)


class _Reader(HTMLParser):
    """HTML as the lines that a reader sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: list[str] = []
        self._silent = 0
        self._kept = 0

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self._count(tag, 1)

    def handle_endtag(self, tag: str) -> None:
        self._count(tag, -1)

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.said.append(data if self._kept else re.sub(r"[ \t\r\n]+", " ", data))

    def _count(self, tag: str, by: int) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent + by)
        if tag == "pre":
            self._kept = max(0, self._kept + by)
        if tag in _BLOCKS:
            self.said.append("\n")
