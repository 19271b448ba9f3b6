"""A note: the server's signed statement of how long a game's log is and how it ends (C2SP signed note).

    games.example/game/0193f3c2-0000-7000-8000-000000000001
    8
    xzm5lhOVnxh+xBH9SJMdeQ2vtrt2Z6bBkAAZ+QMsP4I=

    — games.example ihtgtQKk42EczWinqABEb8dd1hRTk0Z2N3WT6uuC8NwiCMFF4WYw9W3nK0VcTQ6opTy9QMbfS1TjZaK8NeFWMcY05wA=

Three lines: the game, the number of entries, the hash of the last one in standard base64. Extension lines may follow,
which are signed but not interpreted. It is not a tlog checkpoint, because that hash is not a Merkle root, and this key
never signs one. Two notes of one game and number with different hashes prove a fork.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from itertools import takewhile

from engine.errors import BadRecord
from engine.record.encoding.canonical import H
from engine.record.signed import keys

MAX_NOTE = 2**16
MAX_SIGNATURES = 64
MAX_EXTENSIONS = 4
MAX_TEXT = 2**22
ED25519 = b"\x01"

_text = re.compile(
    r"([A-Za-z0-9._:\[\]-]{1,255})/game/([0-9a-f-]{36})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n"
    r"(?:[a-z](?:[ -~]{0,118}[!-~])?\n){0,4}"
)
_line_end = re.compile(r"\r\n|\r|\n")
_margin = re.compile(r"^[ \t>|]*")
_signature = re.compile(r"\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")
_DASH = "\u2014 "


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it was read: `hash` is 32 bytes, `text` what is signed, `signatures` its lines, the server's first."""

    server: str
    game: str
    size: int
    hash: bytes
    signatures: tuple[str, ...]
    text: str


def write(server: str, game: str, size: int, head_hash: bytes, seed: bytes) -> str:
    """The note on a game of `size` entries, the last with this hash (32 bytes), signed with the server's seed."""
    text = f"{server}/game/{game}\n{size}\n{base64.b64encode(head_hash).decode()}\n"
    signed = key_id(server, keys.public_of(seed)) + keys.sign(seed, text.encode())
    return f"{text}\n\u2014 {server} {base64.b64encode(signed).decode()}\n"


def read(text: str) -> Note:
    """The note in a text, its signatures not yet verified; BadRecord if it is malformed."""
    if len(text) > MAX_NOTE:
        raise BadRecord("bad-note", f"a note has at most {MAX_NOTE} characters")
    body, gap, signatures = text.partition("\n\n")
    found = _text.fullmatch(body + "\n")
    if not found or not gap or not signatures.endswith("\n"):
        raise BadRecord("bad-note", "a note must have three lines, any extension lines, an empty line, and signatures")
    lines = signatures[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise BadRecord("bad-note", f"a note has at most {MAX_SIGNATURES} signatures")
    if not all(len(line) > len(_DASH) and line.startswith(_DASH) for line in lines):
        raise BadRecord("bad-note", "a signature line is a dash, a name and base64")
    head = _decode(found[4])
    if _signed_by(found[1], lines[0]) is None:
        raise BadRecord("bad-note", "the first signature line is the server's: a dash, its name and base64")
    return Note(found[1], found[2], int(found[3]), head, tuple(lines), body + "\n")


def find(text: str) -> list[str]:
    """The notes in the text of a mail, in order: lines may end in CRLF, be indented or quoted, and have other text
    around them. [] if `read` accepts none. Call `verify` to check the signatures.
    """
    lines = [_margin.sub("", line).rstrip(" \t") for line in _line_end.split(text[:MAX_TEXT])]
    return [found for start in range(len(lines)) if (found := _note_at(lines, start)) is not None]


def _note_at(lines: list[str], start: int) -> str | None:
    head = list(takewhile(bool, lines[start : start + 4 + MAX_EXTENSIONS]))
    body = "".join(f"{line}\n" for line in head)
    if not _text.fullmatch(body):
        return None
    first = start + len(head) + 1
    after = takewhile(lambda line: line.startswith(_DASH), lines[first : first + MAX_SIGNATURES])
    signatures = "".join(f"{line}\n" for line in after)
    text = f"{body}\n{signatures}"
    return text if signatures and _is_note(text) else None


def _is_note(text: str) -> bool:
    """A line that a mail program has broken in two looks like a signature, too."""
    try:
        read(text)
    except BadRecord:
        return False
    return True


def verify(note: Note, public: bytes) -> None:
    """BadRecord unless the server signed the note with this key, in its first line and any other one by this key."""
    due = key_id(note.server, public)
    signed = [_signed_by(note.server, line) for line in note.signatures]
    ours = [one[4:] for one in signed if one is not None and one[:4] == due]
    if not ours or signed[0] is None or signed[0][:4] != due:
        raise BadRecord("unsigned-note", "the first signature of the note is not by this server's key")
    if not all(keys.verify(public, note.text.encode(), signature) for signature in ours):
        raise BadRecord("bad-signature", "the server's signature on the note is not valid")


def key_id(name: str, public: bytes) -> bytes:
    """The four bytes that name an Ed25519 key in a signed note; they save guessing and prove nothing."""
    return H(name.encode() + b"\n" + ED25519 + public)[:4]


def _signed_by(name: str, line: str) -> bytes | None:
    """Key id and signature in a line by this name; None for any other line, which is not decoded."""
    found = _signature.fullmatch(line)
    if not found or found[1] != name:
        return None
    try:
        signed = _decode(found[2])
    except BadRecord:
        return None
    return signed if len(signed) > 4 else None


def _decode(text: str) -> bytes:
    try:
        data = binascii.a2b_base64(text, strict_mode=True)
    except binascii.Error:
        raise BadRecord("bad-note", "expected base64") from None
    if base64.b64encode(data).decode() != text:
        raise BadRecord("bad-note", "this base64 is not the canonical spelling of its bytes")
    return data
