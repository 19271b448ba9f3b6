"""A game's guide on a terminal: its Markdown, drawn by rich, and the boards of its pictures."""

from __future__ import annotations

import click
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from client.terminal import board, console, safe, say
from engine import guides, kit, registry
from engine.errors import SealedMoveError

MOST = 78  # as wide as a board
SEATS = 6  # more than any golden game has


def show(key: str, text: str) -> None:
    """Fold it into lines; print it as it is written where there is no terminal."""
    screen = console()
    if not screen.is_terminal:
        click.echo(safe(text))
        return
    folded = Console(width=min(MOST, screen.width))
    for part in guides.parts(text):
        if isinstance(part, guides.Picture):
            _picture(key, part)
        else:
            folded.print(Markdown(safe(part)))


def _picture(key: str, shown: guides.Picture) -> None:
    """The board and its caption; only the caption where this client's games differ from the server's."""
    try:
        drawn = guides.board(key, shown)
    except SealedMoveError:
        drawn = ""
    if drawn:
        say()
        say(board(registry.find(key), drawn, kit.names_of(SEATS)))
    say(Text(safe(shown.caption), "italic"))
