"""`sealedmove demo GAME`: play a whole game against a running server through its public API and its mails."""

from __future__ import annotations

import secrets
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from client import view_check
from client.caught_mails import Mailbox, MailMissingError
from client.commands.selfplay import checked_options, checked_seats, find
from client.demo import NAMES, DemoGame, DemoPlayer, MoveChooser, PolicyMoves, RandomMoves, sign_up
from client.demo_show import Show
from client.errors import DistrustError, NotSignedError
from client.game import Player
from client.http import Api, ApiError, NoAnswerError
from client.players.decider import nearest
from client.players.matches import Match, play
from client.players.runner import Runner
from client.session import create_game
from engine import selfplay
from engine.game import Game, Options, Outcome
from engine.kit import count
from engine.players import level, levels
from engine.record.audit import audit
from engine.record.log.options import dump_options

SECONDS = 0.3  # for a move: a demo should end within a minute
GLANCE = 500  # positions for an answer in the game that estimates the bar's length: about as long, and quick


@click.command()
@click.argument("key", metavar="GAME")
@click.option(
    "--seats", type=int, default=None, help="Number of players; by default two, or the nearest that the game takes."
)
@click.option("--options", "plain", default="{}", show_default=True, help="Options of the game, as JSON.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="The server.")
@click.option("--mail-url", default=None, help="The page of caught emails; by default on the server's port plus one.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Write the bundle to this file.",
)
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Keep keys and logs in this folder.",
)
@click.option(
    "--level",
    default="fair",
    show_default=True,
    help="Level of the house players, or the next one that the game has.",
)
@click.option("--random", "is_random", is_flag=True, help="Play random legal moves instead, each after its turn email.")
@click.option("--seed", default="1", show_default=True, help="Seed for the choice of moves.")
@click.option("--patience", default=30.0, show_default=True, help="Seconds to wait for an email.")
@click.option("--quiet", "is_quiet", is_flag=True, help="Print a line a round, or for some moves, instead of the show.")
def main(
    key: str,
    seats: int | None,
    plain: str,
    url: str,
    mail_url: str | None,
    out: Path | None,
    keep: Path | None,
    level: str,
    is_random: bool,
    seed: str,
    patience: float,
    *,
    is_quiet: bool,
) -> None:
    """Play GAME from the sign-in mails to the audited bundle, as a show: each turn, each board, the winner."""
    game = find(key)
    number, options = checked_seats(game, seats or two_or_nearest(game)), checked_options(game, plain)
    api, mails = Api(url), Api(mail_url or mail_page_of(url))
    with tempfile.TemporaryDirectory() as scratch, Runner() as runner:
        way = RandomMoves(seed) if is_random else PolicyMoves(runner, level, seed, SECONDS)
        try:
            guests = sign_up_all(number, api, mails, keep or Path(scratch), patience, is_quiet=is_quiet)
            data = play_demo(game, options, guests, way, patience, is_quiet=is_quiet)
        except (ApiError, NoAnswerError, DistrustError, NotSignedError, MailMissingError) as problem:
            raise click.ClickException(str(problem)) from problem
    path = out or Path(f"{key}.bundle")
    path.write_bytes(data)
    click.echo(f"wrote {path} ({len(data):,} bytes)")
    sys.exit(audit_demo(data, is_quiet=is_quiet))


def two_or_nearest(game: Game[Any]) -> int:
    """The number of players by default: a show with more of them takes too long on a busy machine."""
    fewest, most = game.meta.seats
    return max(fewest, min(2, most))


def mail_page_of(url: str) -> str:
    """The page of caught mails, which `make run` serves on the next port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}:{(parts.port or 80) + 1}"


def play_demo(
    game: Game[Any],
    options: Options,
    guests: list[DemoPlayer],
    way: MoveChooser,
    patience: float,
    *,
    is_quiet: bool,
) -> bytes:
    """Play a game now and return its bundle."""
    seats = len(guests)
    table = create_game(guests[0].session, game.meta.key, seats, dump_options(options)[0])
    click.echo(f"game {table}: {game.meta.title}, {count(seats, 'seat')}")
    demo = DemoGame(guests, table, way, patience, waits=isinstance(way, RandomMoves))
    demo.sit_down()
    if is_quiet:
        play_with_progress(demo, usual_length(game, seats, options, is_random=demo.waits), seats)
    else:
        play_as_a_show(demo, Show(Api(guests[0].session.api.url), guests, table))
    demo.farewell()
    data = guests[0].player.bundle()
    compared = view_check.check_views(data, demo.seen)
    entries = guests[0].player.table.size
    click.echo(f"{count(entries, 'entry', 'entries')}; every player checked the same log as it grew")
    click.echo(f"{count(demo.mails, 'mail')} came in time")
    click.echo(f"views shown to players and compared with the finished log, without a difference: {compared}")
    print_ranking(guests, guests[0].player)
    return data


def sign_up_all(seats: int, api: Api, mails: Api, folder: Path, patience: float, *, is_quiet: bool) -> list[DemoPlayer]:
    """Sign in this many new players, each with a new address."""
    run, guests = secrets.token_hex(4), []
    for number in range(seats):
        name = NAMES[number % len(NAMES)]
        mailbox = Mailbox(mails, f"{name.lower()}.{number}.{run}@players.example")
        guests.append(sign_up(api, mailbox, name, folder / f"{number}-{name.lower()}", patience))
        key = f"; key {guests[-1].key.kid}" if is_quiet else ""
        click.echo(f"{name} signed in by the link mailed to {mailbox.address}{key}")
    return guests


def play_as_a_show(demo: DemoGame, show: Show) -> None:
    """Play with a sentence for each turn, and the board from time to time."""
    show.begin()
    for guest, _, _ in demo.play():
        show.turn(guest.player)
    show.end(outcome_of(demo.guests[0].player))


def play_with_progress(demo: DemoGame, expected: int, seats: int) -> None:
    """Play under a progress bar as long as such games usually are, with a line for each round."""
    console = Console(file=sys.stdout, highlight=False)
    moves_so_far = TextColumn("moves: {task.completed}")
    columns = (TextColumn("{task.description}"), BarColumn(), moves_so_far, MovesPerSecond(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("playing", total=expected)
        moves, rounds = 0, Rounds(seats)
        for moves, (_, entry, view) in enumerate(demo.play(), 1):
            progress.update(bar, completed=moves, total=max(moves, progress.tasks[0].total or 0))
            if done := rounds.line(view, entry.seq):
                progress.console.print(done)
        progress.console.print(rounds.last(moves))
        progress.update(bar, total=moves)


class MovesPerSecond(ProgressColumn):
    """Recent moves per second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:.1f} a second")


class Rounds:
    """A line for each of the game's rounds if its view counts them, else one for as many moves as there are seats."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.round: int | None = None
        self.moves = 0
        self.before = 0
        self.seq = 0

    def line(self, view: dict[str, Any], seq: int) -> str | None:
        """Count a move, from the view before it and its entry; returns the line of what ended before it."""
        now = view["round"] if isinstance(view.get("round"), int) else None
        is_next = now != self.round if now is not None else self.moves - self.before == self.seats
        done = self.last(self.moves) if is_next and self.moves else None
        if done or not self.moves:
            self.round, self.before = now, self.moves
        self.moves, self.seq = self.moves + 1, seq
        return done

    def last(self, moves: int) -> str:
        """Describe the current round, or the last moves."""
        log = f"log up to entry {self.seq}"
        if self.round is None:
            return f"moves {self.before + 1:3} to {moves:3}: {log}"
        return f"round {self.round:3}: {count(moves - self.before, 'move'):>9}, {log}"


def usual_length(game: Game[Any], seats: int, options: Options, *, is_random: bool = False) -> int:
    """Estimate the number of moves from a quick game of fair players in memory, or from three random games."""
    if is_random or not levels(game):
        lengths = [selfplay.play(game, seats, options, selfplay.seed_of("bar", n)).handoffs for n in range(3)]
        return sum(lengths) // 3
    fair = level(game, nearest("fair", tuple(levels(game))))
    policies = (fair,) * seats
    match = Match(game=game, options=options, names=NAMES[:seats], policies=policies, seed="bar", positions=GLANCE)
    return len(play(match).moves)


def print_ranking(guests: list[DemoPlayer], player: Player) -> None:
    """Print the places, ties together, and the points by heading."""
    ended = outcome_of(player)
    click.echo(f"the game ended: {ended.reason}" + ("" if ended.won else "; nobody has won"))
    points = dict(ended.sheet)
    click.echo(f"  {'':14}" + "".join(f"{heading:>12}" for heading in points))
    rank = 1
    for place in ended.places:
        for seat in place:
            name = f"{rank}. {guests[seat].name}" + (" (out)" if seat in ended.out else "")
            click.echo(f"  {name:14}" + "".join(f"{by_seat[seat]:12}" for by_seat in points.values()))
        rank += len(place)


def outcome_of(player: Player) -> Outcome:
    """The outcome, once this player's copy of the log has the last entry."""
    player.sync()
    return msgspec.convert(dict(player.table.outcome or {}), Outcome)


def audit_demo(data: bytes, *, is_quiet: bool) -> int:
    """Audit the bundle, print the verdict, and return its exit status. The show leaves the lists of keys out."""
    report = audit(data)
    said = report.text() if is_quiet else report.text().partition("\n\n")[0]
    click.echo(f"audit of the bundle: {said}")
    return report.exit
