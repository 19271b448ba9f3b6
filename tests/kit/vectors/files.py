"""Notes and bundles: what a file must look like before anybody judges the game in it."""

from __future__ import annotations

from tests.kit import second
from tests.kit.vectors import scene
from tests.kit.vectors.cases import Case, accepted, refused


def note_cases() -> list[Case]:
    """Notes, verified with the server's key."""
    text, _, line = scene.NOTE.partition("\n\n")
    foreign = "\u2014 witness.example " + second.base64.b64encode(bytes(68)).decode() + "\n"
    other = second.note(scene.SERVER, scene.GAME, 8, bytes(32), scene.SEEDS[0])
    wrong = [
        ("another key", "unsigned-note", other),
        ("only a witness signed", "unsigned-note", f"{text}\n\n{foreign}"),
        ("another size", "bad-signature", scene.NOTE.replace("\n8\n", "\n9\n")),
        ("another hash", "bad-signature", scene.NOTE.replace("xzm5", "xzm6")),
        ("another game", "bad-signature", scene.NOTE.replace("-000000000001", "-000000000002")),
        ("no signature", "bad-note", f"{text}\n\n"),
        ("no empty line", "bad-note", f"{text}\n{line}"),
        ("a fourth line", "bad-note", f"{text}\nmore\n\n{line}"),
        ("a size with a leading zero", "bad-note", scene.NOTE.replace("\n8\n", "\n08\n")),
        ("a size of 0", "bad-note", scene.NOTE.replace("\n8\n", "\n0\n")),
        ("a hyphen for the dash", "bad-note", scene.NOTE.replace("\u2014", "-")),
        ("no line feed at the end", "bad-note", scene.NOTE[:-1]),
        ("CRLF", "bad-note", scene.NOTE.replace("\n", "\r\n")),
        ("spare bits in the hash", "bad-note", scene.NOTE.replace("P4I=", "P4J=")),
        ("something after the end", "bad-note", scene.NOTE + "\n"),
        ("nothing", "bad-note", ""),
    ]
    cases = [refused(name, code, note) for name, code, note in wrong]
    return [accepted("a note", scene.NOTE), accepted("with a witness's line", scene.NOTE + foreign), *cases]


def bundle_cases() -> list[Case]:
    """The outer form of bundles alone: their entries are not read."""
    lines = [scene.CREATED, scene.STARTED]
    openings = [{"seq": 3, "move": None, "events": [{"is": "took", "card": 3, "seat": 0}]}]
    whole = second.bundle(lines, scene.NOTE, openings, [("edition.json", b"{}")])
    plain = second.bundle(lines, scene.NOTE, [], [])
    opening, data = whole.splitlines(keepends=True)[-2:]
    twice = scene.NOTE + scene.NOTE.splitlines(keepends=True)[-1]
    wrong = [
        ("an empty file", "not-a-bundle", b""),
        ("a PDF", "not-a-bundle", b"%PDF-1.7\n"),
        ("gzip", "not-a-bundle", bytes.fromhex("1f8b0800000000000003")),
        ("random bytes", "not-a-bundle", b"".join(second.H(b"noise %d" % i) for i in range(4))),
        ("a header with CRLF", "not-a-bundle", plain.replace(b"\n", b"\r\n")),
        ("version 2: cannot be judged", "newer-record", plain.replace(b"bundle 1", b"bundle 2", 1)),
        ("no entries", "bad-bundle", second.bundle([], scene.NOTE, [], [])),
        ("no note", "bad-bundle", plain.split(b"\n\n")[0] + b"\n"),
        ("a header only", "bad-bundle", b"sealedmove bundle 1\n"),
        ("broken off in the note", "bad-bundle", plain[:-20]),
        ("no empty line after the note", "bad-bundle", plain[:-1]),
        ("a note with two signatures", "bad-note", second.bundle(lines, twice, [], [])),
        ("a note that is none", "bad-note", plain.replace(b"/game/", b"/play/")),
        ("a second empty line", "not-json", plain + b"\n"),
        ("trailing bytes", "bad-bundle", plain + b"x"),
        ("a trailing line", "not-json", plain + b"x\n"),
        ("an unknown line", "missing-member", whole + b'{"more":1}\n'),
        ("an opening twice", "bad-bundle", plain + opening + opening),
        ("a data file twice", "bad-bundle", plain + data + data),
        ("data before openings", "missing-member", plain + data + opening),
        ("an opening with another member", "unknown-member", plain + opening.replace(b"{", b'{"also":1,', 1)),
        ("an opening that is not canonical", "not-canonical", plain + opening.replace(b":", b": ", 1)),
        ("a data file with a path for a name", "bad-member", plain + data.replace(b"edition", b"../edition")),
        ("a data file in another base64", "bad-base64url", plain + data.replace(b'"data":"e30"', b'"data":"e31"')),
    ]
    good = [accepted("entries and a note", plain), accepted("with openings and data", whole)]
    return good + [refused(name, code, file) for name, code, file in wrong]
