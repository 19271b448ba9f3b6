"""Guides on a terminal."""

import pytest
from rich.console import Console

from client import guides, terminal

TEXT = "# Pig\n\nRoll.\n\n![After {n} moves](golden/four.txt#{n})\n\nHold."


@pytest.fixture
def screen(monkeypatch):
    """A terminal 80 columns wide; call it to get the printed text."""
    console = Console(force_terminal=True, color_system=None, width=80, record=True)
    for module in (guides, terminal):
        monkeypatch.setattr(module, "console", lambda: console)
    monkeypatch.setattr(guides, "Console", lambda width: console)
    return console.export_text


def test_a_terminal_shows_the_board_of_a_picture_and_its_caption(screen):
    guides.show("pig", TEXT.format(n=6))
    shown = screen()
    assert shown.index("Roll.") < shown.index("Seat 4") < shown.index("After 6 moves") < shown.index("Hold.")


def test_a_terminal_shows_the_caption_alone_without_that_golden_game(screen):
    guides.show("pig", TEXT.format(n=9999))
    shown = screen()
    assert "After 9999 moves" in shown
    assert "Seat 1" not in shown


def test_a_pipe_gets_the_guide_as_it_is_written(capsys):
    guides.show("pig", TEXT.format(n=6))
    assert capsys.readouterr().out == TEXT.format(n=6) + "\n"
