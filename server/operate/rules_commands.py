"""`sealedmove rules`: what a rules version changes, shown by the games that are stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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
    "--from", "old", type=click.IntRange(1), help="Only games of this version; by default those of all older ones."
)
@click.option("--to", "new", type=click.IntRange(1), help="The version to compare with; by default the last.")
@click.option("--jobs", type=click.IntRange(1), help="Number of processes; by default one for each core.")
def diff(title: str, old: int | None, new: int | None, jobs: int | None) -> None:
    """Decide every stored game of a type, such as `tikal`, again under another rules version.

    Prints one JSON object for each game that would differ, with the first entry at which it does, then the counts of
    each version. Nothing is changed: a game keeps the version with which it began.
    """
    versions, new = _versions(title, old, new)
    with operator_services(writes=False) as services:
        games = rules_diff.games(services, title, versions)
        try:
            rows = list(each_game(services, partial(rules_diff.compared, version=new), games, jobs))
        except BrokenExecutor:
            raise click.ClickException("a process was killed, perhaps for lack of memory") from None
    others = [row for row in rows if row.effect != "same"]
    print_rows(msgspec.to_builtins(row) for row in others)
    replayed, differ = Counter(row.rules for row in rows), Counter(row.rules for row in others)
    for version in versions:
        some = f"{differ[version]} of {count(replayed[version], 'game')}"
        click.echo(f"{title}, rules version {version} as {new}: {some} would differ")


def _not_here(title: str, no: SealedMoveError) -> str:
    if no.code == "unknown-game":
        return f"there is no game {title} here; the games are {', '.join(registry.games())}"
    return f"the game {title} cannot be loaded here; `sealedmove doctor` says why"


def _versions(title: str, old: int | None, new: int | None) -> tuple[Sequence[int], int]:
    """The versions whose games are decided again, and the one under which they are."""
    try:
        first, current = registry.find(title).meta.rules
    except SealedMoveError as no:
        raise click.UsageError(_not_here(title, no)) from None
    new = new or current
    for version in filter(None, (old, new)):
        if not first <= version <= current:
            raise click.UsageError(
                f"rules version {version} of {title} is not here; versions here: {first} to {current}"
            )
    if first == current:
        raise click.UsageError(f"{title} has only rules version {current} here")
    if old == new:
        raise click.UsageError("the versions are the same")
    if old is None and new == first:
        raise click.UsageError(f"{title} has no rules version before {first} here; name one with --from")
    return range(first, new) if old is None else (old,), new
