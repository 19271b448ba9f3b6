"""Notes in mails: pasted, saved or forwarded text, and the notes that are found in it."""

from __future__ import annotations

import base64
from typing import Any

from tests.kit import second
from tests.kit.vectors import scene

NOTE = scene.NOTE
OLDER = second.note(scene.SERVER, scene.GAME, 4, second.leaf(scene.STARTED), scene.SERVER_SEED)
OTHER = second.note(scene.SERVER, scene.GAME.replace("1", "2"), 2, bytes(32), scene.SERVER_SEED)
WITNESS = "\u2014 witness.example " + base64.b64encode(bytes(68)).decode() + "\n"
EXTENDED = second.note(scene.SERVER, scene.GAME, 2, bytes(32), scene.SERVER_SEED, "witness 1\n")
BODY, _, SIGNED = NOTE.partition("\n\n")


def mail_cases() -> list[dict[str, Any]]:
    """`notes` are those found, whole, in the order of the text; [] if there is none."""
    found = [{"name": name, "input": text, "notes": notes} for name, text, notes in (*_read(), *_several())]
    return found + [{"name": name, "input": text, "notes": []} for name, text in (*_broken_lines(), *_other_texts())]


def _each(text: str, change: Any) -> str:
    return "".join(change(line) for line in text.splitlines(keepends=True))


def _read() -> list[tuple[str, str, list[str]]]:
    crlf = NOTE.replace("\n", "\r\n")
    mail = "From: games.example\r\nSubject: Your turn\r\n\r\nIt is your turn.\r\n\r\n"
    texts = [
        ("a note", NOTE),
        ("CRLF", crlf),
        ("CR alone", NOTE.replace("\n", "\r")),
        ("no line end at the end", NOTE[:-1]),
        ("indented by two spaces", _each(NOTE, lambda line: "  " + line)),
        ("indented by a tab", _each(NOTE, lambda line: "\t" + line)),
        ("indented unevenly", _each(NOTE, lambda line: " " * (len(line) % 5) + line)),
        ("quoted", _each(NOTE, lambda line: "> " + line)),
        ("quoted without spaces", _each(NOTE, lambda line: ">" + line)),
        ("quoted three times", _each(NOTE, lambda line: "> > >" + line)),
        ("quoted with bars", _each(NOTE, lambda line: "| " + line)),
        ("quoted, its empty line bare", _each(NOTE, lambda line: line if line == "\n" else "> " + line)),
        ("spaces at the ends of its lines", _each(NOTE, lambda line: line[:-1] + "  \n")),
        ("a whole mail", mail + crlf + "\r\n-- \r\nSealed Move\r\n"),
        ("text right before and after", "The note:\n" + NOTE + "Keep it.\n"),
        ("quoted in an answer", "I think\n" + _each(NOTE, lambda line: "> " + line) + "proves it.\n"),
    ]
    with_witness = NOTE + WITNESS
    return [
        *[(name, text, [NOTE]) for name, text in texts],
        ("with a witness's line", with_witness, [with_witness]),
        ("a witness's line after other text", NOTE + "\n" + WITNESS, [NOTE]),
        ("with a witness's line that is broken", NOTE + "\u2014 witness.example not base64\n",
         [NOTE + "\u2014 witness.example not base64\n"]),
        ("with an extension line", EXTENDED, [EXTENDED]),
        ("with an extension line, quoted", _each(EXTENDED, lambda line: "> " + line), [EXTENDED]),
        ("of another size: read, and its signature fails", NOTE.replace("\n8\n", "\n9\n"),
         [NOTE.replace("\n8\n", "\n9\n")]),
    ]  # fmt: skip


def _several() -> list[tuple[str, str, list[str]]]:
    quoted = _each(OLDER, lambda line: "> " + line)
    return [
        ("two notes of a game", NOTE + "\n" + OLDER, [NOTE, OLDER]),
        ("a note, an older one quoted below", NOTE + "\nOn Saturday you wrote:\n" + quoted, [NOTE, OLDER]),
        ("right after each other", OLDER + NOTE, [OLDER, NOTE]),
        ("of two games", NOTE + OTHER, [NOTE, OTHER]),
        ("the same twice", NOTE + NOTE, [NOTE, NOTE]),
        ("a broken one before a good one", BODY + "\n" + NOTE, [NOTE]),
    ]


def _broken_lines() -> list[tuple[str, str]]:
    """Text that looks like a note, but that no mail program would produce."""
    one, two, three = BODY.split("\n")
    return [
        ("without its empty line", f"{BODY}\n{SIGNED}"),
        ("two empty lines", f"{BODY}\n\n\n{SIGNED}"),
        ("without its signature", f"{BODY}\n\n"),
        ("the signature alone", SIGNED),
        ("without its first line", f"{two}\n{three}\n\n{SIGNED}"),
        ("its lines in another order", f"{two}\n{one}\n{three}\n\n{SIGNED}"),
        ("an empty line in the middle", f"{one}\n\n{two}\n{three}\n\n{SIGNED}"),
        ("all on one line", NOTE.replace("\n", " ")),
        ("the signature broken over two lines", NOTE.replace("WinqAB", "Winq\nAB")),
        ("a hyphen for the dash", NOTE.replace("\u2014", "-")),
        ("two hyphens for the dash", NOTE.replace("\u2014", "--")),
        ("two spaces after the dash", NOTE.replace("\u2014 ", "\u2014  ")),
        ("the name left out", NOTE.replace("\u2014 games.example", "\u2014")),
        ("a size with a leading zero", NOTE.replace("\n8\n", "\n08\n")),
        ("a size with a comma", NOTE.replace("\n8\n", "\n1,008\n")),
        ("the hash without its padding", NOTE.replace("=\n\n", "\n\n")),
        ("the hash in base64url", NOTE.replace("P4I=", "P-_=")),
        ("quoted with a colon", _each(NOTE, lambda line: ": " + line)),
        ("numbered lines", _each(NOTE, lambda line: "1. " + line)),
    ]


def _other_texts() -> list[tuple[str, str]]:
    return [
        ("nothing", ""),
        ("an empty line", "\n"),
        ("a mail without a note", "Subject: Your turn\r\n\r\nIt is your turn.\r\n"),
        ("an entry", scene.STARTED.decode()),
    ]
