"""The parts of a board that a terminal may colour, in random games of every game."""

import pytest

from engine import kit, registry, selfplay

NAMES = ("Ada", "Adalbert Long-Winded", "Ben", "Ada Ma", "Zoë")
GAMES = sorted(registry.games())


def boards(key):
    """Ten positions of a game, seen by the seat to move: the text, its spans, the names."""
    game = registry.find(key)
    seats = min(game.meta.seats[1], len(NAMES))
    walked = list(selfplay.walk(game, seats, game.meta.options(), selfplay.seed_of("spans")))
    for step in walked[:: max(1, len(walked) // 10)]:
        seat = next(iter(kit.active(game, step.after)), None)
        text = game.board(kit.view(game, step.after, seat), NAMES[:seats])
        yield text, kit.spans(game, text, NAMES[:seats]), NAMES[:seats]


@pytest.mark.parametrize("key", GAMES)
def test_spans_lie_on_the_board_and_apart(key):
    """Each has a length, lies within its line, and begins after the one before it has ended."""
    for text, spans, _ in boards(key):
        lines, before = text.split("\n"), (0, 0)
        for span in spans:
            assert span.length > 0
            assert span.column + span.length <= len(lines[span.row])
            assert (span.row, span.column) >= before
            before = (span.row, span.column + span.length)


@pytest.mark.parametrize("key", GAMES)
def test_a_marked_name_belongs_to_its_seat(key):
    """A name that is marked as a seat's, whole or cut, is the name of that seat; every game has some."""
    found = 0
    for text, spans, names in boards(key):
        lines = text.split("\n")
        for span in spans:
            word = lines[span.row][span.column : span.column + span.length]
            fits = [f"seat-{seat}" for seat, name in enumerate(names, 1) if word in (name, kit.cut(name, len(word)))]
            if fits and len(word) > 2:
                found += 1
                assert span.role in fits
    assert found > 10


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
