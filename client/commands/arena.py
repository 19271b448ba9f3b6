"""`sealedmove arena GAME`: measure the strength of a game's levels against each other, with intervals and times."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import click

from client.commands.selfplay import checked_options, find
from client.players.arena import Pairing, habits, run, table
from engine.game import Game, Options
from engine.players import levels, rivals
from engine.players.contract import POSITIONS


@click.command()
@click.argument("keys", metavar="GAME...", nargs=-1, required=True)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=40,
    show_default=True,
    help="Number of games for each pairing.",
)
@click.option("--seats", type=int, multiple=True, help="Number of players; by default every number from two on.")
@click.option(
    "--pair",
    nargs=2,
    multiple=True,
    metavar="ONE OTHERS",
    help="Play one seat of ONE against seats of OTHERS: levels, or the baselines random, greedy and thumb.",
)
@click.option("--habits", "shown", is_flag=True, help="Print how each side played, beside the other.")
@click.option("--options", "plain", default="{}", show_default=True, help="Options of the games, as JSON.")
@click.option(
    "--positions",
    type=click.IntRange(1),
    default=POSITIONS,
    show_default=True,
    help="Positions for one answer.",
)
@click.option("--seed", default="arena", show_default=True, help="The same seed plays the same games.")
def main(
    keys: tuple[str, ...],
    games: int,
    seats: tuple[int, ...],
    pair: tuple[tuple[str, str], ...],
    shown: bool,
    plain: str,
    positions: int,
    seed: str,
) -> None:
    """Play levels of each GAME against each other, and print a table."""
    began, lines = time.perf_counter(), slice(None)  # the head first, then each row once it is played
    for game in [find(key) for key in keys]:
        for count in _counts(game, seats):
            for one, others in _pairs(game, pair):
                options = checked_options(game, plain)
                pairing = _pairing(game, count, options, one, others, games=games, seed=seed, positions=positions)
                result = run(pairing)
                click.echo("\n".join(table([result]).splitlines()[lines]))
                lines = slice(None) if shown else slice(2, None)
                if shown:
                    click.echo(f"\n{habits(result)}\n")
    click.echo(f"\nseed {seed}, {positions} positions an answer, {time.perf_counter() - began:.0f} s")


def _pairing(game: Game[Any], seats: int, options: Options, one: str, others: str, **more: Any) -> Pairing:
    return Pairing(game=game, seats=seats, options=options, one=one, others=others, **more)


def _counts(game: Game[Any], seats: tuple[int, ...]) -> tuple[int, ...]:
    fewest, most = max(2, game.meta.seats[0]), game.meta.seats[1]
    wrong = [count for count in seats if not fewest <= count <= most]
    if wrong:
        raise click.BadParameter(f"{game.meta.title} takes {fewest} to {most}", param_hint="--seats")
    return seats or tuple(range(fewest, most + 1))


def _pairs(game: Game[Any], asked: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The requested pairs, or each level against the one below it."""
    known = tuple(rivals(game))
    unknown = [name for pair in asked for name in pair if name not in known]
    if unknown:
        raise click.BadParameter(f"{game.meta.title} has the players {', '.join(known)}", param_hint="--pair")
    return asked or tuple((better, worse) for worse, better in pairwise(levels(game)))
