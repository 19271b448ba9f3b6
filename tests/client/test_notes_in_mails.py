"""A checkpoint as mail programs change it: quoted, wrapped, spaced, with text around it."""

import pytest

from client.saved_mails import notes_in
from conformance.vector_files import load
from engine.record.signed import keys, note

SEED = bytes(range(32))
GAME = "0193f3c2-0000-7000-8000-000000000001"
NOTE = note.write("games.example", GAME, 6, b"\x07" * 32, SEED)
LINES = NOTE.splitlines()


def as_sent(text):
    """The checkpoints found are the sent one, with a valid signature."""
    for found in notes_in(text):
        note.verify(note.read(found), keys.public_of(SEED))
    return notes_in(text) == [NOTE]


@pytest.mark.parametrize("mark", ["", "> ", ">> ", "    ", " | ", "\u00a0\u00a0"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_note_is_found_behind_a_margin(mark, end):
    """Quoted, indented, with any line ends."""
    assert as_sent(f"Hello{end}" + "".join(f"{mark}{line}{end}" for line in LINES) + f"Bye{end}")


def test_a_note_is_found_with_empty_lines_between_its_own():
    """Programs that turn HTML into text separate paragraphs by an empty line."""
    assert as_sent("\n\n".join(line for line in LINES if line) + "\n")


def test_a_note_is_found_without_its_empty_line():
    """Some programs drop empty lines."""
    assert as_sent("\n".join(line for line in LINES if line) + "\n")


@pytest.mark.parametrize("gaps", [(1,), (2,), (1, 2)])
def test_a_wrapped_signature_is_joined(gaps):
    """Forwarding breaks lines of more than 72 characters at their spaces."""
    words = LINES[-1].split(" ")
    wrapped = "".join(word + ("\n> " if place in gaps else " ") for place, word in enumerate(words, 1)).rstrip(" >\n")
    assert as_sent("\n".join([*LINES[:-1], wrapped]))


def test_non_breaking_spaces_are_read_as_spaces():
    """HTML editors write them."""
    assert as_sent(NOTE.replace(" ", "\u00a0"))


def test_an_unreadable_note_is_ignored():
    """With base64 in a spelling that no program writes it would fail an audit though nobody signed it."""
    signed = LINES[-1].split(" ")[2]
    assert notes_in(NOTE.replace(signed, signed.rstrip("=") + "B" * 2)) == []
    assert notes_in(NOTE.replace(signed, "abcd")) == []


def test_every_note_is_found_in_its_order():
    """A mail that quotes a mail holds two."""
    older = note.write("games.example", GAME, 5, b"\x08" * 32, SEED)
    assert notes_in(f"{NOTE}\nwrote:\n{older}") == [NOTE, older]


def test_every_note_in_the_vectors_is_found():
    """All that `note.find` reads in mails is read here too."""
    for case in load("notes-in-mail")["cases"]:
        assert set(case["notes"]) <= set(notes_in(case["input"])), case["name"]


def test_other_signatures_stay_with_their_note():
    """Witnesses may have signed below the server."""
    more = NOTE + "\u2014 witness.example " + LINES[-1].split(" ")[2] + "\n"
    assert notes_in(f"x\n{more}\nregards") == [more]
