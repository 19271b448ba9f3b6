"""`sealedmove analyse FILE`: the turning points of a finished game, and each player's chances turn by turn."""

from __future__ import annotations

import json
import random
from pathlib import Path
from textwrap import wrap

import click
import msgspec

from client import input_files
from client.commands.server_keys import CANNOT, unreadable_exits
from client.parallel_audit import audit
from engine.analysis import curve, words
from engine.analysis.results import LEAST_LOST, Analysis, Share
from engine.analysis.turning import analyse
from engine.errors import Refused
from engine.kit.letters import names_of

STEPS = 12  # lines of the table of chances
WIDTH = 100  # characters of a line
WHY_NOT = {
    "not-over": "The game has not finished. An analysis reads every hand, so it waits for the end.",
    "no-analysis": "This game cannot be analysed: its players cannot judge its positions.",
}


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Also draw the chances to FILE.")
@click.option("--json", "as_json", is_flag=True, help="Print the analysis as JSON.")
@click.pass_context
def main(ctx: click.Context, file: Path, svg: Path | None, as_json: bool) -> None:
    """Show the turning points of the finished game in a bundle, and each player's chances turn by turn.

    The bundle is audited first. The analysis is the opinion of the game's strongest house player and takes up to a
    minute. The same file always gets the same analysis.

    \b
    Exit 0: the analysis is printed.
         1: the bundle fails its audit; the report is printed instead.
         2: the file cannot be read, or the game cannot be analysed.
    """  # noqa: D301 - makes click keep the lines as they are
    with unreadable_exits(ctx):
        data = input_files.read_bundle(file)
    report = audit(data)
    if report.verdict in ("fails", "unknown"):
        click.echo(f"No analysis. {report.text()}", err=True)
        ctx.exit(report.exit)
    try:
        found = analyse(data, random.Random)
    except Refused as no:
        click.echo(f"Error: {WHY_NOT[no.code]}", err=True)
        ctx.exit(CANNOT)
    names = names_of(found.seats)
    click.echo(json.dumps(msgspec.to_builtins(found), indent=2) if as_json else text(found, names))
    if svg is not None:
        svg.write_text(curve.picture(found, names), encoding="utf-8")


def text(found: Analysis, names: tuple[str, ...]) -> str:
    """The analysis as lines of text."""
    lines = ["Chances to win, in 100:", *_table(found, names), "", "Turning points:"]
    for point in found.points:
        best, *others = point.better
        lines += _wrapped(words.sentence(point, names), "- ")
        lines += _wrapped(words.brings(best, names), "  ")  # a draw: nothing
        for line in others:
            lines += _wrapped(words.also(line), "  - ")
    if not found.points:
        lines.append(words.NONE.format(least=words.per_hundred(LEAST_LOST)))
    return "\n".join([*lines, "", words.opinion(found)])


def _wrapped(sentence: str, first: str) -> list[str]:
    return wrap(sentence, WIDTH, initial_indent=first, subsequent_indent=" " * len(first))


def _table(found: Analysis, names: tuple[str, ...]) -> list[str]:
    """Some positions of the curve, evenly spread, and the last."""
    step = max(1, len(found.curve) // STEPS)
    shown = [*found.curve[:-1:step], found.curve[-1]]
    head = f" entry  turns  {'after':10}" + "  ".join(f"{name:>8}" for name in names)
    return [head, *(_row(one, found, names) for one in shown)]


def _row(one: Share, found: Analysis, names: tuple[str, ...]) -> str:
    chances = "  ".join(f"{words.per_hundred(chance):>8}" for chance in one.chances)
    return f"{one.seq:>6}  {one.turn:>5}  {words.after(one, found, names):10}{chances}"
