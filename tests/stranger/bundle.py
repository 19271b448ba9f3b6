"""A bundle, the file that proves a game (section 11)."""

import re
from dataclasses import dataclass
from typing import Any

from tests.stranger.entries import DATA_FILE, MANY
from tests.stranger.lines import Newer, Refused, array, from_base64url, matching, members, need, number, read_line
from tests.stranger.notes import Note, read_note

FIRST = re.compile(rb"sealedmove bundle ([0-9]+)")


class NoBundle(Refused):
    """The file is not a bundle."""


class BadNote(Refused):
    """The note of a bundle cannot be read, or has not exactly one signature."""


@dataclass
class Bundle:
    lines: list[bytes]
    note: Note
    openings: dict[int, dict[str, Any]]
    data: dict[str, bytes]


def version_of(data: bytes) -> str | None:
    """The number in the first line as it is written, or None if the file is not a bundle."""
    found = FIRST.fullmatch(data.partition(b"\n")[0])
    return None if found is None else found[1].decode("ascii")


def read_form(data: bytes) -> Bundle:
    """The parts of a file, without reading its entries."""
    version = version_of(data)
    if version is None:
        raise NoBundle("the first line is not that of a bundle")
    if version != "1":
        raise Newer(f"version {version} of the bundle")
    need(data.endswith(b"\n"), "the file breaks off")
    lines = data[:-1].split(b"\n")[1:]
    entries = _before_blank(lines)
    need(entries, "there are no entries")
    rest = lines[len(entries) + 1 :]
    text = _before_blank(rest)
    signatures = _before_blank(rest[len(text) + 1 :])
    openings, files = _further(rest[len(text) + len(signatures) + 2 :])
    return Bundle(entries, _note(text, signatures), openings, files)


def _before_blank(lines: list[bytes]) -> list[bytes]:
    need(b"" in lines, "the file lacks a part")
    return lines[: lines.index(b"")]


def _note(text: list[bytes], signatures: list[bytes]) -> Note:
    try:
        note = read_note(b"\n".join([*text, b"", *signatures, b""]))
    except Refused as refused:
        raise BadNote(str(refused)) from None
    if len(note.signatures) != 1:
        raise BadNote("the note has not exactly one signature")
    return note


def _further(lines: list[bytes]) -> tuple[dict[int, dict[str, Any]], dict[str, bytes]]:
    openings: dict[int, dict[str, Any]] = {}
    files: dict[str, bytes] = {}
    for value in map(read_line, lines):
        if isinstance(value, dict) and "seq" in value:
            members(value, {"seq", "events", "move"})
            need(all(isinstance(event, dict) for event in array(value["events"])), "an event is not an object")
            need(value["move"] is None or isinstance(value["move"], str), "the text of a move is not a string")
            seq = number(value["seq"], 0, MANY - 1)
            need(not files and seq > next(reversed(openings), -1), "an opening is out of order")
            openings[seq] = value
        else:
            name = matching(members(value, {"name", "data"})["name"], DATA_FILE)
            need(name > next(reversed(files), ""), "a data file is out of order")
            files[name] = from_base64url(value["data"])
    return openings, files
