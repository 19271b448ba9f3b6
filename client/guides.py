"""A game's guide on a terminal: its Markdown, drawn by rich."""

from __future__ import annotations

import click
from rich.console import Console
from rich.markdown import Markdown

from client.terminal import console, safe

MOST = 78  # as wide as a board


def show(text: str) -> None:
    """Folded into lines; as it is written where there is no terminal."""
    screen = console()
    if screen.is_terminal:
        Console(width=min(MOST, screen.width)).print(Markdown(safe(text)))
    else:
        click.echo(safe(text))
