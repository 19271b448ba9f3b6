"""`sealedmove golden`: write the golden games again from their own moves, or a new one at random."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import click

from engine import golden, registry


def files() -> Iterator[Path]:
    """The golden games of every registered game."""
    for game in registry.games().values():
        package = importlib.import_module(registry.home(game.meta.key))
        yield from sorted((Path(package.__path__[0]) / "golden").glob("*.txt"))


@click.command()
@click.option("--new", "key", metavar="GAME", default=None, help="Print a new random game of this type.")
@click.option("--seats", type=int, default=2, show_default=True)
@click.option("--options", default="{}", show_default=True, help="Options of the game, as JSON.")
@click.option("--chance", default="golden", show_default=True, help="The word that seeds all chance.")
def main(key: str | None, seats: int, options: str, chance: str) -> None:
    """Write every golden game again; the diff shows the effect of a change of the rules."""
    if key is not None:
        click.echo(golden.write(golden.record(key, seats, chance, options)), nl=False)
        return
    for path in files():
        click.echo(f"{'same' if renew(path) else 'CHANGED'}  {path.parent.parent.name}/{path.name}")


def renew(path: Path) -> bool:
    """Write one golden game again; returns whether it stayed the same."""
    old = path.read_text("utf-8")
    new = golden.write(golden.read(old))
    path.write_text(new, "utf-8")
    return old == new
