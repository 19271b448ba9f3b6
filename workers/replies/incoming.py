"""Parses an incoming mail: whether a person wrote it, and its text as the writer sees it (pure).

Anyone can send one, so headers, parts, their depth and decoded text are limited (`TooMuchError`), a part is opened only
on demand, and every search takes one pass.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser
from email.utils import collapse_rfc2231_value

from workers.errors import WorkerError
from workers.mail.facts import MailOrigin
from workers.replies.html import text_of

MOST_HEADERS = 32 * 1024  # bytes, of all opened parts together
LONGEST_HEADER = 2000  # characters; parsing such a header may take quadratic time
DEEPEST, MOST_PARTS = 20, 50
MOST_TEXT, MOST_HTML = 64 * 1024, 20 * 1024  # characters; what a person types comes long before
FIRST_LINES = 2 * 1024  # characters that are read of an unproven mail
GRAMMAR = ("Content-Type", "Content-Disposition")
CHARSETS = re.compile(r"(utf|ascii|iso|cp\d|koi8|gb|hz|big5|shift|euc|mac|tis|johab|kz1048)")
WINDOWS = frozenset(("iso-8859-1", "latin-1", "latin1", "windows-1252"))  # all read as the last
_END = re.compile(rb"\A\r?\n|\r?\n\r?\n")
# How our Message-IDs begin (`workers.mail.facts`): mails of people at our own domain have other ones.
OURS = "(?:g|table|login|hook|waiting|holiday|digest)"


class TooMuchError(WorkerError):
    """The mail is beyond a cap, cannot be parsed, or takes too much time or memory: it is not tried again."""


@dataclass(frozen=True)
class MimePart:
    """A mail or a part of one: its headers, read leniently, and its body as it was sent, or the beginning of that."""

    headers: Message
    body: bytes
    is_cut: bool = False


@dataclass(frozen=True)
class Text:
    """The text of a mail. `is_cut`: there is more than what was read, and the last line may be incomplete."""

    written: str = ""
    is_cut: bool = False


@dataclass
class Mail:
    """A mail. `headers` are its own, parsed strictly by RFC 5322; `opened`: bytes of headers of parts so far.

    `body_hashes` replace the body of a mail of which only the beginning is here.
    """

    headers: EmailMessage
    root: MimePart
    head_ends: int
    body_hashes: bytes | None = None
    opened: int = 0
    parts: int = 0

    def leaves(self) -> Iterator[MimePart]:
        """The parts without parts of their own, in order, each opened on demand."""
        return self._leaves(self.root, 1)

    def _leaves(self, part: MimePart, depth: int) -> Iterator[MimePart]:
        if any(len(str(part.headers.get(name, ""))) > LONGEST_HEADER for name in GRAMMAR):
            raise TooMuchError("parameters")
        boundary = _param(part, "boundary") if part.headers.get_content_maintype() == "multipart" else ""
        if not boundary:
            yield part
            return
        if depth > DEEPEST:
            raise TooMuchError("depth")
        is_digest = part.headers.get_content_subtype() == "digest"
        for inner, is_last in _divided(part.body, boundary.encode("utf-8", "surrogateescape")):
            made = self._opened(inner, is_digest=is_digest, is_cut=part.is_cut and is_last)
            yield from self._leaves(made, depth + 1)

    def _opened(self, raw: bytes, *, is_digest: bool, is_cut: bool) -> MimePart:
        self.parts += 1
        head, body = _divide(raw, MOST_HEADERS - self.head_ends - self.opened)
        self.opened += len(head)
        if self.parts > MOST_PARTS:
            raise TooMuchError("parts")
        made = MimePart(headers_in(head), body, is_cut)
        if is_digest:
            made.headers.set_default_type("message/rfc822")
        return made


def parse(raw: bytes, body_hashes: bytes | None = None) -> Mail:
    """The mail, or its beginning with `body_hashes`. Reading its headers may still fail where they are malformed."""
    head, body = _divide(raw, MOST_HEADERS)
    lenient, strict = headers_in(head), EmailMessage(policy=policy.default)
    for name, value in lenient.raw_items():  # the strict policy would parse Content-Type at once
        strict.set_raw(name, value)
    return Mail(strict, MimePart(lenient, body, body_hashes is not None), len(head), body_hashes)


def headers_in(head: bytes) -> Message:
    """Only the headers, parsed leniently."""
    return BytesHeaderParser(policy=policy.compat32).parsebytes(head)


def _param(part: MimePart, name: str) -> str:
    """A parameter of Content-Type, or ""; the library raises errors for some that contradict each other."""
    try:
        return collapse_rfc2231_value(part.headers.get_param(name, "")).strip()
    except (TypeError, ValueError, LookupError):
        raise TooMuchError("parameters") from None


def _divide(raw: bytes, room: int) -> tuple[bytes, bytes]:
    """The headers, with the empty line after them, and the rest."""
    found = _END.search(raw, 0, room + 4)
    end = len(raw) if found is None else found.end()
    if end > room:
        raise TooMuchError("headers")
    return raw[:end], raw[end:]


def _divided(body: bytes, boundary: bytes) -> Iterator[tuple[bytes, bool]]:
    """The parts between lines of this boundary (RFC 2046, 5.1.1), and whether a part has no such line after it."""
    lines = re.compile(rb"(?:\A|\r?\n)--" + re.escape(boundary) + rb"(--)?[ \t]*+(?=\r?\n|\Z)")
    begin = -1
    for line in lines.finditer(body):
        if begin >= 0:
            yield body[begin : max(begin, line.start())], False
        if line[1]:
            return
        begin = line.end() + (2 if body.startswith(b"\r\n", line.end()) else 1)
    if begin >= 0:
        yield body[begin:], True


# --- the text ---------------------------------------------------------------------------------------------------------


def body(mail: Mail) -> Text:
    """The text, without quotations below or above: of all plain parts, which pictures may divide, or of all pages."""
    plain: list[Text] = []
    pages: list[Text] = []
    try:
        for part in mail.leaves():
            kind, is_first = part.headers.get_content_type(), not (plain or pages)
            if part.headers.get_content_disposition() == "attachment" or (not is_first and _param(part, "name")):
                continue
            if kind == "text/plain" and (found := _flowed(part, decoded(part, MOST_TEXT))).written.strip():
                plain.append(found)
            if kind == "text/html" and not plain:
                pages.append(decoded(part, MOST_HTML - sum(len(one.written) for one in pages)))
    except TooMuchError:  # among the attachments below the text
        if not plain:
            raise
    if plain:
        return Text("\n\n".join(one.written for one in plain), any(one.is_cut for one in plain))
    cut = any(one.is_cut for one in pages) if pages else mail.root.is_cut
    return Text("\n\n".join(text_of(one.written) for one in pages), cut)


def first_lines(mail: Mail) -> str:
    """For unproven mails: the beginning of the first plain text part, and nothing after it."""
    for part in mail.leaves():
        if part.headers.get_content_type() == "text/plain":
            return decoded(part, FIRST_LINES).written
    return ""


def decoded(part: MimePart, most: int) -> Text:
    """At most this many characters from its beginning."""
    room = 12 * most  # a character has up to four bytes, each up to three in its encoding
    data, is_cut = _bytes_of(part, part.body[:room]), part.is_cut or len(part.body) > room
    named = _param(part, "charset").lower() or "utf-8"
    for charset in ("cp1252" if named in WINDOWS else named, "utf-8", "cp1252"):
        text = _text(data, charset, is_cut=is_cut)
        if text is not None:
            break
    else:
        text = data.decode("utf-8", "replace")
    whole = text.encode("utf-8", "replace").decode()
    return Text(whole[:most], is_cut or len(whole) > most)


def _bytes_of(part: MimePart, sent: bytes) -> bytes:
    match str(part.headers.get("Content-Transfer-Encoding", "")).strip().lower():
        case "base64":
            letters = re.sub(rb"[^A-Za-z0-9+/]", b"", sent)
            return binascii.a2b_base64(letters[: len(letters) // 4 * 4] + _padded(letters[len(letters) // 4 * 4 :]))
        case "quoted-printable":
            return binascii.a2b_qp(sent)
    return sent


def _padded(letters: bytes) -> bytes:
    """The last characters of base64, padded; a single one holds no byte."""
    return letters + b"=" * (4 - len(letters)) if len(letters) > 1 else b""


def _text(data: bytes, charset: str, *, is_cut: bool) -> str | None:
    """The text; None if it is invalid, or in no charset of mails: some codecs decompress, or take quadratic time."""
    try:
        if not CHARSETS.match(codecs.lookup(charset).name):
            return None
        return codecs.getincrementaldecoder(charset)("strict").decode(data, final=not is_cut)
    except (LookupError, UnicodeError, ValueError):
        return None


def _flowed(part: MimePart, text: Text) -> Text:
    """Join the lines that were broken for transport (RFC 3676)."""
    if _param(part, "format").lower() != "flowed":
        return text
    drops = _param(part, "delsp").lower() == "yes"
    whole: list[list[str]] = []
    open_at = -1  # the quotation depth of a line that continues
    for line in text.written.splitlines():
        stripped = line.lstrip(">")
        depth, rest = len(line) - len(stripped), stripped.removeprefix(" ")
        goes_on = rest.endswith(" ") and rest != "-- "
        shown = rest[:-1] if goes_on and drops else rest
        if depth == open_at and rest != "-- ":
            whole[-1].append(shown)
        else:
            whole.append([">" * depth + " " if depth else "", shown])
        open_at = depth if goes_on else -1
    return Text("\n".join(map("".join, whole)), text.is_cut)


# --- Automatic mail, which is ignored: vacation notes, lists, reports, our own ----------------------------------------


def is_automatic(headers: Message, origin: MailOrigin) -> bool:
    """By RFC 3834, by headers that programs write, and by the sender."""
    said: dict[str, str] = {}
    for name, value in headers.raw_items():  # the topmost header of a name is by the server that received the mail
        said.setdefault(name.lower(), str(value).strip().lower())
    if said.get("auto-submitted", "no").split(";")[0].strip() not in ("no", ""):
        return True
    if said.get("precedence") in ("bulk", "junk", "list", "auto_reply"):
        return True
    if said.get("return-path") == "<>" or headers.get_content_type() in ("multipart/report", "message/delivery-status"):
        return True
    named = ("x-autoreply", "x-autorespond", "x-failed-recipients", "list-id", "x-loop")
    return any(name in said for name in named) or _is_ours(said, origin)


def _is_ours(said: dict[str, str], origin: MailOrigin) -> bool:
    own = _words(origin.mailbox)[-1].lower()
    from_us = own in _words(said.get("from", ""))
    return from_us or bool(
        re.fullmatch(rf"<{OURS}\.[^@]*@{re.escape(origin.host.lower())}>", said.get("message-id", ""))
    )


def _words(people: str) -> list[str]:
    """Words that may be addresses; the library's address parser recurses into comments."""
    return [word for word in re.split(r'[\s<>,;:()"]+', people) if word]
