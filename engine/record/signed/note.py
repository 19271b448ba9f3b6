"""A note: the server's signed statement of how long a game's log is and how it ends (C2SP signed note).

    games.example/game/0193f3c2-0000-7000-8000-000000000001
    8
    xzm5lhOVnxh+xBH9SJMdeQ2vtrt2Z6bBkAAZ+QMsP4I=

    — games.example ihtgtQKk42EczWinqABEb8dd1hRTk0Z2N3WT6uuC8NwiCMFF4WYw9W3nK0VcTQ6opTy9QMbfS1TjZaK8NeFWMcY05wA=

Three lines: the game, the number of entries, the hash of the last one in standard base64. It is not a tlog checkpoint,
because that hash is not a Merkle root, and this key never signs one. Two notes that differ only in the third line
prove a fork.
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

MAX_NOTE = 2**14
MAX_SIGNATURES = 16
MAX_TEXT = 2**22
ED25519 = b"\x01"

_text = re.compile(r"([A-Za-z0-9._:\[\]-]{1,255})/game/([0-9a-f-]{36})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n")
_line_end = re.compile(r"\r\n|\r|\n")
_margin = re.compile(r"^[ \t>|]*")
_signature = re.compile(r"\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it was read. `hash` is 32 bytes; `signatures` are (name, key id | signature) of whoever signed."""

    server: str
    game: str
    size: int
    hash: bytes
    signatures: tuple[tuple[str, bytes], ...]
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
        raise BadRecord("bad-note", "a note must have three lines, an empty line, and signatures")
    lines = signatures[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise BadRecord("bad-note", f"a note has at most {MAX_SIGNATURES} signatures")
    head = _decode(found[4])
    return Note(found[1], found[2], int(found[3]), head, tuple(map(_read_signature, lines)), body + "\n")


def find(text: str) -> list[str]:
    """The notes in a text as mails carry it, in the order in which they stand: lines may end in CRLF, be indented or
    quoted, and other text may stand around them. [] if there is none that `read` reads; whether one is signed well
    `verify` says.
    """
    lines = [_margin.sub("", line).rstrip(" \t") for line in _line_end.split(text[:MAX_TEXT])]
    return [found for start in range(len(lines)) if (found := _note_at(lines, start)) is not None]


def _note_at(lines: list[str], start: int) -> str | None:
    body = "\n".join(lines[start : start + 3]) + "\n"
    if not _text.fullmatch(body):
        return None
    after = takewhile(_signature.fullmatch, lines[start + 4 : start + 4 + MAX_SIGNATURES])
    signatures = "".join(f"{line}\n" for line in after)
    text = f"{body}\n{signatures}"
    return text if signatures and not lines[start + 3] and _is_note(text) else None


def _is_note(text: str) -> bool:
    """A line that a mail program has broken in two looks like a signature, too."""
    try:
        read(text)
    except BadRecord:
        return False
    return True


def verify(note: Note, public: bytes) -> None:
    """BadRecord unless the server signed the note with this key; signatures of others are not looked at."""
    due = key_id(note.server, public)
    ours = [signed[4:] for name, signed in note.signatures if name == note.server and signed[:4] == due]
    if not ours:
        raise BadRecord("unsigned-note", "the note is not signed with this server's key")
    if not all(keys.verify(public, note.text.encode(), signature) for signature in ours):
        raise BadRecord("bad-signature", "the server's signature on the note is not valid")


def key_id(name: str, public: bytes) -> bytes:
    """The four bytes that name an Ed25519 key in a signed note; they save guessing and prove nothing."""
    return H(name.encode() + b"\n" + ED25519 + public)[:4]


def _read_signature(line: str) -> tuple[str, bytes]:
    found = _signature.fullmatch(line)
    if not found:
        raise BadRecord("bad-note", "a signature line must have a dash, a name and base64")
    signed = _decode(found[2])
    if len(signed) < 5:
        raise BadRecord("bad-note", "a signature line must hold a key id and a signature")
    return found[1], signed


def _decode(text: str) -> bytes:
    try:
        data = binascii.a2b_base64(text, strict_mode=True)
    except binascii.Error:
        raise BadRecord("bad-note", "expected base64") from None
    if base64.b64encode(data).decode() != text:
        raise BadRecord("bad-note", "this base64 is not the canonical spelling of its bytes")
    return data
