"""Notes: the server's statements of a log's length and its last entry (section 10)."""

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.stranger.acts import SERVER, UUID
from tests.stranger.keys import verify
from tests.stranger.lines import H, Refused, need

LONGEST = 2**16
SIGNATURES = 64
EXTENSIONS = 4
DASH = "\u2014 "
ORIGIN = re.compile(f"({SERVER})/game/({UUID})")
SIZE = re.compile("[1-9][0-9]{0,15}")
EXTENSION = re.compile("[a-z]([ -~]{0,118}[!-~])?")


@dataclass(frozen=True)
class Note:
    text: str
    server: str
    game: str
    size: int
    head: bytes
    signatures: tuple[str, ...]

    def verify(self, public: bytes) -> None:
        """Verify with this key the first line, and every further one by the server's name and key id."""
        key_id = H(f"{self.server}\n".encode("ascii") + b"\1" + public)[:4]
        signed = self.text.partition("\n\n")[0].encode("ascii") + b"\n"
        for place, line in enumerate(self.signatures):
            data = _signature(line, self.server)
            need(place or (data and data[:4] == key_id), "the note is not signed by this key")
            if data and data[:4] == key_id:
                verify(public, signed, data[4:])


def _signature(line: str, server: str) -> bytes | None:
    """Key id and signature of a line by the server's name; None for any other."""
    who, _, rest = line.removeprefix(DASH).partition(" ")
    try:
        return _base64(rest) if who == server else None
    except Refused:
        return None


def _base64(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Refused("this is not base64") from None
    need(base64.b64encode(data).decode("ascii") == text, "this is not how its bytes are written in base64")
    return data


def read_note(data: bytes) -> Note:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("the note is not UTF-8") from None
    need(text.endswith("\n"), "the note breaks off")
    lines = text[:-1].split("\n")
    note = _parse(lines)
    need(len(note.signatures) + lines.index("") + 1 == len(lines), "something follows the note, or too many signatures")
    return note


def _parse(lines: list[str]) -> Note:
    """The note with which these lines begin."""
    need(len(lines) >= 5, "a note has at least five lines")
    origin = ORIGIN.fullmatch(lines[0])
    if origin is None:
        raise Refused("the first line does not name a game")
    need(SIZE.fullmatch(lines[1]), "the second line is not a number of entries")
    head = _base64(lines[2])
    need(len(head) == 32, "the third line is not a hash")
    blank = 3
    while blank < len(lines) and blank < 3 + EXTENSIONS and EXTENSION.fullmatch(lines[blank]):
        blank += 1
    need(blank < len(lines) and lines[blank] == "", "there is no empty line before the signatures")
    signatures = _signatures(lines[blank + 1 :])
    text = "".join(f"{line}\n" for line in lines[: blank + 1] + signatures)
    need(len(text) <= LONGEST, "the note is too long")
    need(signatures and _signature(signatures[0], origin[1]) is not None, "the server's line does not stand first")
    return Note(text, origin[1], origin[2], int(lines[1]), head, tuple(signatures))


def _signatures(lines: list[str]) -> list[str]:
    last = next((place for place, line in enumerate(lines) if not is_signature(line)), len(lines))
    return lines[: min(last, SIGNATURES)]


def is_signature(line: str) -> bool:
    return line.startswith(DASH) and len(line) > len(DASH)


def notes_in(text: str) -> list[Note]:
    """Every note in a text such as a mail, quoted or not."""
    return list(_found([line.lstrip(" \t>|").rstrip(" \t") for line in re.split("\r\n|\n|\r", text)]))


def _found(lines: list[str]) -> Iterator[Note]:
    at = 0
    while at < len(lines):
        if ORIGIN.fullmatch(lines[at]):
            try:
                note = _parse(lines[at : at + 4 + EXTENSIONS + SIGNATURES])
            except Refused:
                pass
            else:
                yield note
                at += note.text.count("\n")
                continue
        at += 1
