"""Medians of several runs, and the lines that print them."""

import gc
import time
from collections.abc import Callable
from statistics import median

import click

RUNS = 5


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median time of `work`, after one run to warm up."""
    work()
    return median(_timed(work) for _ in range(runs))


def side_by_side(
    *works: Callable[[], object], runs: int = RUNS, clock: Callable[[], float] = time.perf_counter
) -> tuple[float, ...]:
    """The median time of each, taken in turns, so that a slow moment of the machine affects all of them."""
    for work in works:
        work()
    rounds = [[_timed(work, clock) for work in works] for _ in range(runs)]
    return tuple(median(column) for column in zip(*rounds, strict=True))


def _timed(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    gc.collect()
    began = clock()
    work()
    return clock() - began


def heading(text: str) -> None:
    click.echo(f"\n{text}")


def line(what: str, figure: str, aside: str = "") -> None:
    click.echo(f"  {what:<46} {figure:>14}  {aside}".rstrip())
