"""Notes and bundles: the form of a file, before the game in it is judged."""

from __future__ import annotations

from tests.kit import second
from tests.kit.vectors import scene
from tests.kit.vectors.cases import Case, accepted, refused


def note_cases() -> list[Case]:
    """Notes, verified with the server's key."""
    text, _, line = scene.NOTE.partition("\n\n")
    foreign = "\u2014 witness.example " + second.base64.b64encode(bytes(68)).decode() + "\n"
    other = second.note(scene.SERVER, scene.GAME, 8, bytes(32), scene.SEEDS[0])
    signed = line.rstrip("\n")
    forged = f"\u2014 {scene.SERVER} {second.base64.b64encode(_key_id() + bytes(64)).decode()}\n"
    wrong = [
        ("another key", "unsigned-note", other),
        ("only a witness signed", "bad-note", f"{text}\n\n{foreign}"),
        ("the server's line second", "bad-note", f"{text}\n\n{foreign}{line}"),
        ("a second line by the server's key that does not hold", "bad-signature", scene.NOTE + forged),
        ("65 signature lines", "bad-note", scene.NOTE + foreign * 64),
        ("more than 2^16 characters", "bad-note", scene.NOTE + f"\u2014 {'w' * 2**16}\n"),
        ("a line without a dash among the signatures", "bad-note", scene.NOTE + "witness.example\n"),
        ("a dash alone", "bad-note", scene.NOTE + "\u2014 \n"),
        ("the server's line with another name", "bad-note", scene.NOTE.replace("\u2014 games", "\u2014 gamez")),
        ("an extension line that was not signed", "bad-signature", f"{text}\nwitness 1\n\n{signed}\n"),
        ("five extension lines", "bad-note", _extended(*"abcde")),
        ("an extension line in capitals", "bad-note", _extended("Extension")),
        ("an extension line that ends in a space", "bad-note", _extended("extension ")),
        ("an extension line of 121 letters", "bad-note", _extended("e" * 121)),
        ("another size", "bad-signature", scene.NOTE.replace("\n8\n", "\n9\n")),
        ("another hash", "bad-signature", scene.NOTE.replace("xzm5", "xzm6")),
        ("another game", "bad-signature", scene.NOTE.replace("-000000000001", "-000000000002")),
        ("no signature", "bad-note", f"{text}\n\n"),
        ("no empty line", "bad-note", f"{text}\n{line}"),
        ("a fourth line that is not an extension", "bad-note", f"{text}\n1 more\n\n{line}"),
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
    good = [
        ("a note", scene.NOTE),
        ("with a witness's line", scene.NOTE + foreign),
        ("with 63 lines of witnesses", scene.NOTE + foreign * 63),
        ("with a witness's line that is broken", scene.NOTE + "\u2014 witness.example not base64\n"),
        ("with a line of one letter", scene.NOTE + "\u2014 w\n"),
        ("with a line of the server's name that cannot be decoded", scene.NOTE + f"\u2014 {scene.SERVER} abc\n"),
        ("with the server's line twice", scene.NOTE + line),
        ("with an extension line", _extended("witness 1")),
        ("with four extension lines", _extended("a", "b" * 120, "c  d", "e~")),
    ]
    return [*[accepted(name, note) for name, note in good], *cases]


def _key_id() -> bytes:
    return second.H(scene.SERVER.encode() + b"\n\x01" + second.public(scene.SERVER_SEED))[:4]


def _extended(*lines: str) -> str:
    """The note with these lines after its third, signed with them."""
    more = "".join(f"{line}\n" for line in lines)
    head = second.base64.b64decode(scene.NOTE.split("\n")[2])
    return second.note(scene.SERVER, scene.GAME, 8, head, scene.SERVER_SEED, more)


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
        ("a note in another form", "bad-note", plain.replace(b"/game/", b"/play/")),
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
