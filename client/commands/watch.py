"""`sealedmove watch URL GAME`: follow and check a running game, without a token."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import msgspec

from client import input_files
from client.commands.server_keys import CANNOT, known_server, server_options, unreadable_exits
from client.errors import ClientError, DistrustError, HeldUpError, NotSignedError
from client.http import Api, ApiError, NoAnswerError
from client.input_files import UnreadableError
from client.watcher import EntryLine, Watch, WatchListener
from engine.errors import BadRecord
from engine.kit import count
from engine.record.audit import Report
from engine.record.encoding import members
from engine.record.signed import note

FAILS = 1
STOPPED = 130  # the shell's status of a program that Ctrl-C ended
HELD = 25  # seconds for which the server may hold a request until there is news
LEAST_ROUND = 2.0  # seconds between requests that the server does not hold
LONGEST_PAUSE = 60.0


class WatchError(ClientError):
    """The game cannot be followed or judged here, which proves nothing against it."""


class Reporter:
    """The output, a line for each event: text for people, JSON objects for programs."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    @property
    def listener(self) -> WatchListener:
        return WatchListener(self.entry, self.warning)

    def entry(self, line: EntryLine) -> None:
        self._say({"is": "entry", **msgspec.to_builtins(line)}, f"{line.seq:>5}  {line.at}  {line.says}")

    def warning(self, says: str) -> None:
        """Report an odd time, which proves nothing."""
        self._say({"is": "warning", "says": says}, f"       ! {says}")

    def notice(self, says: str) -> None:
        """Report the state of the connection or of the kept copy, nothing of the game."""
        self._say({"is": "notice", "says": says}, f"       - {says}")

    def failure(self, failed: DistrustError, where: Path) -> None:
        value = {"is": "failure", "code": failed.code, "says": failed.says, "evidence": str(where)}
        self._say(value, f"FAILS: {failed}\n       The evidence is in {where}")

    def verdict(self, report: Report) -> None:
        self._say({"is": "verdict", **report.to_json()}, f"\n{report.text()}")

    def _say(self, value: Mapping[str, Any], plain: str) -> None:
        """Print a line safely: it may contain text of the server, which must not control the terminal."""
        shown = "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in plain)
        click.echo(json.dumps(value) if self._as_json else shown)


class Poller:
    """Ask the server again and again, also through outages. `sleep` takes seconds, `clock` returns them."""

    def __init__(
        self,
        watch: Watch,
        reporter: Reporter,
        *,
        once: bool,
        sleep: Callable[[float], None],
        clock: Callable[[], float],
    ) -> None:
        self.watch = watch
        self.reporter = reporter
        self.once = once
        self._sleep = sleep
        self._clock = clock
        self._out_since: float | None = None
        self._pause = 1.0
        self._held_up = ""
        self._report: Report | None = None

    def follow(self) -> Report:
        """Watch until the game is over, or with `once` until its current end; returns the audit of its bundle."""
        for act in (self._open, self._poll, self._judge):
            while not self._through(act):
                pass
        assert self._report is not None
        return self._report

    def _open(self) -> bool:
        if self.watch.open():
            self.reporter.notice(f"the log kept before holds ({count(self.watch.size, 'entry', 'entries')})")
        return True

    def _poll(self) -> bool:
        """Fetch the news, and pause if there is none; returns whether the watch is complete."""
        began, before = self._clock(), self.watch.size
        at_once = self.once or not before or self.watch.is_over or self._is_interrupted
        new = self.watch.poll(0 if at_once else HELD)
        if self.watch.is_over or self.once:
            return True
        if not new and (rest := LEAST_ROUND - (self._clock() - began)) > 0:
            self._sleep(rest)
        return False

    def _judge(self) -> bool:
        self._report = self.watch.verdict()
        return True

    # --- the way to the server ----------------------------------------------------------------------------------------

    @property
    def _is_interrupted(self) -> bool:
        """The first answer is always news, so the server must not hold that request."""
        return self._out_since is not None or bool(self._held_up)

    def _through(self, act: Callable[[], bool]) -> bool:
        """Try it; if the server is away or lacks entries, report that and wait. Returns whether it was done."""
        try:
            done = act()
        except (ApiError, NoAnswerError) as no:
            self._away(no)
            return False
        except HeldUpError as no:
            self._wait_for_entries(no)
            return False
        if self._out_since is not None:
            self.reporter.notice(
                f"the server answers again, after {count(round(self._clock() - self._out_since), 'second')}"
            )
        if self._held_up:
            self.reporter.notice("the server has its entries again")
        self._out_since, self._pause, self._held_up = None, 1.0, ""
        return done

    def _away(self, no: ApiError | NoAnswerError) -> None:
        if self.once or (isinstance(no, ApiError) and not self.watch.size):
            raise WatchError(str(no)) from no
        if self._out_since is None:
            self._out_since = self._clock()
            self.reporter.notice(f"the server does not answer; trying again until it does: {no}")
        self._wait()

    def _wait_for_entries(self, no: HeldUpError) -> None:
        """The server was restored from a backup, and people who have the missing entries can submit them."""
        if self.once:
            raise WatchError(no.says) from no
        if self._held_up != no.says:
            self.reporter.notice(no.says)
        self._held_up = no.says
        self._wait()

    def _wait(self) -> None:
        self._sleep(self._pause)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)


@click.command()
@click.argument("url")
@click.argument("game")
@click.option("--once", is_flag=True, help="Check the entries that are there now, and do not wait for more.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON objects, one per line.")
@click.option(
    "--keep",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep a copy in DIR/GAME, and continue from it next time.",
)
@click.option(
    "--note",
    "kept",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A checkpoint that you kept, or the saved email with it: the log must continue it.",
)
@server_options
@click.pass_context
def main(
    ctx: click.Context,
    url: str,
    game: str,
    once: bool,
    as_json: bool,
    keep: Path | None,
    kept: tuple[Path, ...],
    server: Path | None,
    server_key: bytes | None,
) -> None:
    """Follow a game and check every entry as it arrives. At the end, audit the bundle.

    If a check fails, the evidence is kept in DIR/GAME with --keep DIR, otherwise in a new folder here; `compare` reads
    it. DIR also keeps the keys of servers: the key that a server showed first must sign all its games.

    \b
    Exit 0: the game is over (with --once: everything so far) and holds.
         1: a check failed. The evidence is kept.
         2: the game cannot be followed or judged here.
         3: nothing fails, but not everything can be seen: a hidden game that is
            running (with --once), or that was cancelled without its secret.
       130: stopped by Ctrl-C; no check had failed until then.
    """  # noqa: D301 - makes click keep the lines as they are
    _check_where(url, game)
    reporter, api = Reporter(as_json=as_json), Api(url)
    with unreadable_exits(ctx), _folder(keep) as folder:
        known, texts = known_server(server, server_key), _own_notes(kept, api.host, game)
        watch = Watch(api, game, folder / game, time.time, reporter.listener, known=known, kept=texts)
        ctx.exit(_followed(watch, reporter, once=once, is_kept=keep is not None))


def _followed(watch: Watch, reporter: Reporter, *, once: bool, is_kept: bool) -> int:
    """Run the watch; returns its exit status."""
    try:
        report = Poller(watch, reporter, once=once, sleep=time.sleep, clock=time.monotonic).follow()
    except DistrustError as failed:
        reporter.failure(failed, _evidence(watch, is_kept=is_kept))
        return FAILS
    except WatchError as no:
        reporter.notice(f"the game cannot be followed: {no}")
        return CANNOT
    except NotSignedError as no:
        reporter.notice(f"the game cannot be judged here: {no.says}")
        return CANNOT
    except KeyboardInterrupt:
        kept = len(watch.memory.lines())  # may be ahead of what was being checked
        reporter.notice(f"stopped; the log holds so far ({count(kept, 'entry', 'entries')})")
        return STOPPED
    reporter.verdict(report)
    if report.exit == FAILS:
        reporter.failure(DistrustError("fails", "the bundle does not hold"), _evidence(watch, is_kept=is_kept))
    return report.exit


def _check_where(url: str, game: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise click.BadParameter("write the whole address: https://games.example", param_hint="URL")
    try:
        members.game_id(game)
    except BadRecord:
        raise click.BadParameter("the id of a game is the UUID in the address of its page", param_hint="GAME") from None


def _own_notes(paths: tuple[Path, ...], host: str, game: str) -> list[str]:
    """The checkpoints of this game in the files; UnreadableError for a file without one."""
    found: list[str] = []
    for path in paths:
        ours = [text for text in input_files.read_notes(path) if _is_of(text, host, game)]
        if not ours:
            raise UnreadableError(path, f"it has no checkpoint of {host}/game/{game}")
        found += ours
    return found


def _is_of(text: str, host: str, game: str) -> bool:
    one = note.read(text)
    return (one.server, one.game) == (host, game)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """The folder of the copy; a temporary one if the copy is not to be kept."""
    if keep is not None:
        yield keep
        return
    with tempfile.TemporaryDirectory() as scratch:
        yield Path(scratch)


def _evidence(watch: Watch, *, is_kept: bool) -> Path:
    """The folder with the evidence, copied out of a temporary one."""
    if is_kept:
        return watch.memory.folder
    number = 1
    while (to := Path(f"evidence-{watch.game}-{number}")).exists():
        number += 1
    shutil.copytree(watch.memory.folder, to)
    return to
