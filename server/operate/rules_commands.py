"""`sealedmove rules`: what a rules version changes, shown by the games that are stored."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from functools import partial

import click
import msgspec

from engine import registry
from engine.errors import SealedMoveError
from engine.kit import count
from server.operate import rules_diff
from server.operate.commands import print_rows
from server.operate.startup import operator_services
from server.operate.store_audit import each_game


@click.group()
def main() -> None:
    """Compare rules versions."""


@main.command()
@click.argument("title", metavar="GAME_TYPE")
@click.option(
    "--from", "old", type=click.IntRange(1), help="The version of the games; by default the one before the last."
)
@click.option("--to", "new", type=click.IntRange(1), help="The version to compare with; by default the last.")
@click.option("--jobs", type=click.IntRange(1), help="Number of processes; by default one for each core.")
def diff(title: str, old: int | None, new: int | None, jobs: int | None) -> None:
    """Decide every stored game of a type, such as `tikal`, again under another rules version.

    Prints one JSON object for each game that would differ, with the first entry at which it does, then the counts.
    Nothing is changed: a game keeps the version with which it began.
    """
    old, new = _versions(title, old, new)
    with operator_services(writes=False) as services:
        games = rules_diff.games(services, title, old)
        try:
            rows = list(each_game(services, partial(rules_diff.compared, version=new), games, jobs))
        except BrokenExecutor:
            raise click.ClickException("a process was killed, perhaps for lack of memory") from None
    others = [row for row in rows if row.effect != "same"]
    print_rows(msgspec.to_builtins(row) for row in others)
    click.echo(f"{title}, rules version {old} as {new}: {len(others)} of {count(len(rows), 'game')} would differ")


def _not_here(title: str, no: SealedMoveError) -> str:
    if no.code == "unknown-game":
        return f"there is no game {title} here; the games are {', '.join(registry.games())}"
    return f"the game {title} cannot be loaded here; `sealedmove doctor` says why"


def _versions(title: str, old: int | None, new: int | None) -> tuple[int, int]:
    try:
        first, current = registry.find(title).meta.rules
    except SealedMoveError as no:
        raise click.UsageError(_not_here(title, no)) from None
    old, new = old or max(first, current - 1), new or current
    for version in (old, new):
        if not first <= version <= current:
            raise click.UsageError(
                f"rules version {version} of {title} is not here; versions here: {first} to {current}"
            )
    if old == new:
        raise click.UsageError(
            f"{title} has only rules version {old} here" if first == current else "the versions are the same"
        )
    return old, new
