"""The parts of a board that a terminal colours, in boards written here."""

from engine import kit, registry


def test_drawn_lines_are_dim_and_words_are_not():
    """However short a drawn line is; no letter of a sentence is dim."""
    text = "+-----+  a well-known word/term.\n|1 Ada|\n \\___/ ."
    lines, found = text.split("\n"), kit.spans(registry.find("pig"), text, ("Ada",))
    marked = [(span.role, lines[span.row][span.column : span.column + span.length]) for span in found]
    walls = ["+-----+", "|", "|", "\\___/", "."]
    assert [part for role, part in marked if role == "dim"] == walls
    assert [part for role, part in marked if role != "dim"] == ["Ada"]


def test_the_inks_of_a_game_take_precedence():
    """Tikal writes its pieces `1:3L`; the number of the seat decides the colour."""
    spans = kit.spans(registry.find("tikal"), " 2:1 4:L ", ())
    assert [(span.column, span.length, span.role) for span in spans] == [(1, 3, "seat-2"), (5, 3, "seat-4")]


def test_a_number_in_a_list_is_not_a_seat():
    """Lewis & Clark writes a seat's number before its lane, and other numbers before other things."""
    text = "->1 Ada   S----c\n  5       5 + 1  Buffalo\n-> PLAYER 2: Ben"
    spans = kit.spans(registry.find("lewis_clark"), text, ("Ada", "Ben"))
    assert [(span.row, span.role) for span in spans if span.role.startswith("seat")] == [
        (0, "seat-1"),
        (0, "seat-1"),
        (2, "seat-2"),
        (2, "seat-2"),
    ]
