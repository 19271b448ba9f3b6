"""Section 11: a file taken apart into entries, note, openings and data files."""

import re

from tests.stranger.entries import events, matches, seq, text_or_null
from tests.stranger.lines import Newer, Refused, exactly, need, read, unbase
from tests.stranger.notes import read_note

FIRST = b"sealedmove bundle 1"
OTHER = re.compile(rb"sealedmove bundle [0-9]+")
FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


class NoBundle(Exception):
    """The file is not a bundle."""


class Bundle:
    """`entries` as lines; `note` or None; `openings` by seq; `data` by name; `faults`: why the file is not whole."""

    def __init__(self, data):
        first, _, rest = data.partition(b"\n")
        if first != FIRST:
            raise Newer("another bundle") if OTHER.fullmatch(first) else NoBundle("no bundle")
        self.faults, self.openings, self.data, self.note, self.note_fault = [], {}, {}, None, None
        lines = rest.split(b"\n")
        if lines.pop():
            self.faults.append("the last line does not end")
        everything = list(lines)
        self.entries = until_empty(lines)
        if self.entries is None:
            self.entries = everything
        self.read_note(lines)
        self.read_tail(lines)
        if not self.entries:
            self.faults.append("no entries")

    def read_note(self, lines):
        """The three lines, the empty line, what follows until an empty line."""
        head, tail = until_empty(lines), until_empty(lines)
        if head is None or tail is None:
            self.faults.append("the note is missing or does not end")
            self.note_fault = "no note"
            return
        try:
            self.note = read_note(b"".join(line + b"\n" for line in (*head, b"", *tail)))
            need(len(self.note.signatures) == 1, "not exactly one signature")
        except Refused as fault:
            self.note_fault = str(fault)

    def read_tail(self, lines):
        last_seq, last_name = -1, None
        for line in lines:
            try:
                kind, key, value = read_extra(line)
                if kind == "opening":
                    need(last_name is None and key > last_seq, "openings out of order")
                    last_seq, self.openings[key] = key, value
                else:
                    need(last_name is None or key > last_name, "data files out of order")
                    last_name, self.data[key] = key, value
            except Refused as fault:
                self.faults.append(f"after the note: {fault}")


def until_empty(lines):
    """Takes the lines before the first empty one, and that one; None (and all are gone) if none is empty."""
    if b"" not in lines:
        lines.clear()
        return None
    at = lines.index(b"")
    taken = lines[:at]
    del lines[: at + 1]
    return taken


def read_extra(line):
    """("opening", seq, it) or ("data", name, its bytes)."""
    value = read(line)
    need(type(value) is dict, "not an object")
    if "seq" in value:
        exactly(value, "seq", "events", "move")
        seq(value["seq"])
        events(value["events"])
        text_or_null(value["move"])
        return "opening", value["seq"], value
    exactly(value, "name", "data")
    matches(FILE, value["name"], "the name of a data file")
    return "data", value["name"], unbase(value["data"])


def read_form(data):
    """A file whose lines are where they belong, its entries not read; anything else is refused."""
    bundle = Bundle(data)
    need(not bundle.faults, "; ".join(bundle.faults))
    need(bundle.note_fault is None, bundle.note_fault)
    return bundle
