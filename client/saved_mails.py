"""Checkpoints in saved mails: all parts are decoded, including forwarded mails.

Mail programs wrap, quote and encode what they pass on, and a checkpoint must be found in all of it. A file that is not
a mail is read as text. Finding a checkpoint does not verify it; a key does.
"""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from email.message import Message
from html.parser import HTMLParser

from engine.errors import BadRecord
from engine.record.signed import note

_MARGIN = re.compile(r"^[\s>|]*")
_SIGNATURE = re.compile(r"\u2014 [^\s+]+ [A-Za-z0-9+/]+={0,2}")
_WORDS = 3  # of a signature line: a dash, a name, base64
_MAIL = re.compile(rb"(?:From [^\n]*\n)?(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+\r?\n")
_KNOWN = re.compile(rb"(?im)^(?:from|date|subject|received|message-id|mime-version|content-type):")
_NEXT = re.compile(rb"\r?\n\r?\nFrom (?=[^\n]*\d\d:\d\d)")
_LINES = "address article blockquote br div dd dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section table td th tr ul"
_BLOCKS = frozenset(_LINES.split())
_SILENT = frozenset(("script", "style", "title"))
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def notes_of(data: bytes) -> list[str]:
    """The checkpoints in a saved mail, in a mailbox, or in a text, each once."""
    return list(dict.fromkeys(found for text in texts_of(data) for found in notes_in(text)))


def notes_in(text: str) -> list[str]:
    """The checkpoints in a text, each once.

    `note.find` reads them from a mail as it was sent. Programs that forward it, or turn HTML into text, also break
    lines at spaces and add or drop empty ones; such lines are put together here, and a key verifies the result.
    """
    found = dict.fromkeys(note.find(text))
    bodies = {note.read(one).text for one in found}
    return [*found, *(one for one in _put_together(text) if note.read(one).text not in bodies)]


def _put_together(text: str) -> Iterator[str]:
    lines = [line for given in text[: note.MAX_TEXT].splitlines() if (line := _MARGIN.sub("", given).rstrip())]
    lines = [line.replace("\u00a0", " ") for line in lines]
    starts = (start for start, line in enumerate(lines) if "/game/" in line)
    yield from dict.fromkeys(found for start in starts if (found := _note_at(lines, start)) is not None)


def _note_at(lines: list[str], start: int) -> str | None:
    signed = start + 3
    found = "\n".join(lines[start:signed]) + "\n\n"
    found += "".join(f"{line}\n" for line in _signatures(lines[signed : signed + _WORDS * note.MAX_SIGNATURES]))
    try:
        note.read(found)
    except BadRecord:
        return None
    return found


def _signatures(lines: list[str]) -> Iterator[str]:
    """Consecutive signature lines, each put together from as few lines as possible."""
    at = found = 0
    while found < note.MAX_SIGNATURES:
        whole = ((n, " ".join(lines[at : at + n])) for n in range(1, _WORDS + 1))
        taken, line = next(((n, line) for n, line in whole if _SIGNATURE.fullmatch(line)), (0, ""))
        if not taken:
            return
        yield line
        at, found = at + taken, found + 1


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
    """The texts of a mail; the raw text if it has none or is nested too deeply."""
    try:
        parts = list(email.message_from_bytes(data).walk())
    except RecursionError:
        return [_as_text(data)]
    texts = [_text_of(part) for part in parts if part.get_content_maintype() == "text" and not part.is_multipart()]
    return texts or [_as_text(data)]


def _text_of(part: Message) -> str:
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
    reader = _HtmlLines()
    reader.feed(html)
    reader.close()
    return "".join(reader.said)


class _HtmlLines(HTMLParser):
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
