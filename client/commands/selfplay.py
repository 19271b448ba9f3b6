"""`sealedmove selfplay GAME`: play random games in the engine alone, and print how fast they were and how they
ended.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Any

import click

from engine import registry, selfplay
from engine.errors import BadRecord, Refused
from engine.game import Game, Options
from engine.kit import count
from engine.record.log.options import load_options
from engine.selfplay import PlayedGame


@click.command()
@click.argument("key", metavar="GAME")
@click.option("--seats", type=int, default=None, help="Number of players; by default the most that the game takes.")
@click.option("--options", "plain", default="{}", show_default=True, help="Options of the game, as JSON.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True)
@click.option("--seed", default="1", show_default=True, help="The same seed plays the same games.")
def main(key: str, seats: int | None, plain: str, games: int, seed: str) -> None:
    """Play GAME at random to the end, many times."""
    game = find(key)
    number, options = checked_seats(game, seats), checked_options(game, plain)
    began = time.perf_counter()
    played = [selfplay.play(game, number, options, selfplay.seed_of(seed, n)) for n in range(games)]
    report(game, number, played, time.perf_counter() - began)


def find(key: str) -> Game[Any]:
    """The game of this key, from the argument of a command."""
    try:
        return registry.find(key)
    except Refused as no:
        known = ", ".join(registry.games()) or "none"
        raise click.BadParameter(registry.flaw(key) or f"there is no game {key}. The games are: {known}") from no


def checked_seats(game: Game[Any], seats: int | None) -> int:
    """The number of seats, or the most that the game takes."""
    fewest, most = game.meta.seats
    if seats is not None and not fewest <= seats <= most:
        raise click.BadParameter(f"{game.meta.title} takes {fewest} to {most} players", param_hint="--seats")
    return most if seats is None else seats


def checked_options(game: Game[Any], plain: str) -> Options:
    """The game's options from their JSON."""
    try:
        return load_options(game, json.loads(plain))
    except (BadRecord, TypeError, ValueError) as no:
        raise click.BadParameter(str(no), param_hint="--options") from no


def report(game: Game[Any], seats: int, played: list[PlayedGame], seconds: float) -> None:
    """The figures of the run, a line each."""
    games, commands = len(played), sum(one.commands for one in played)
    click.echo(f"{game.meta.title}, {count(seats, 'seat')}, {count(games, 'random game')} in {seconds:.2f} s")
    click.echo(f"  games/s       {games / seconds:12,.1f}")
    click.echo(f"  commands/s    {commands / seconds:12,.0f}    with the list of legal commands before each")
    click.echo(f"  commands/game {commands / games:12,.1f}")
    click.echo(f"  events/game   {sum(one.events for one in played) / games:12,.1f}")
    click.echo(f"  handoffs/game {sum(one.handoffs for one in played) / games:12,.1f}")
    click.echo(f"  largest list  {max(one.largest for one in played):12,}    legal commands at once")
    click.echo("  how the games ended:")
    for reason, often in Counter(one.outcome.reason for one in played).most_common():
        click.echo(f"    {reason:20} {often:6,}  {often / games:6.1%}")
    wins = Counter(seat for one in played if one.outcome.won for seat in one.outcome.places[0])
    shares = ", ".join(f"seat {seat + 1}: {wins[seat] / games:.1%}" for seat in range(seats))
    click.echo(f"  first places (ties count for each): {shares}")
