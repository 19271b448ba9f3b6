"""A game's guide on a terminal: its Markdown, drawn by rich."""

from __future__ import annotations

from rich.markdown import Markdown

from client.terminal import console, safe

MOST = 78


def show(text: str) -> None:
    """As wide as a board at most; plain where there is no terminal."""
    screen = console()
    if screen.is_terminal:
        screen.print(Markdown(safe(text)), width=min(MOST, screen.width))
    else:
        print(safe(text))
