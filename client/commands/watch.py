"""`sealedmove watch URL GAME`: a running game followed and checked as it goes, by anybody, without a token."""

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

from client import files
from client.commands.known import CANNOT, known_server, server_options, unreadable_exits
from client.files import UnreadableError
from client.http import Answer, Api, ApiError, NoAnswerError
from client.watching import Keep, Line, NotHeldError, Watch
from engine.errors import BadRecord, NewerRecord
from engine.record import bundle, members, note
from engine.record.audit import Report

FAILS = 1
STOPPED = 130  # as a shell tells of a program that Ctrl-C ended
HELD = 25  # seconds for which the server may hold a request that has no news yet
LEAST_ROUND = 2.0  # seconds from one look to the next if it does not hold it
LONGEST_PAUSE = 60.0


class CannotWatchError(Exception):
    """The game cannot be followed or judged here, and nothing is said against it."""


class Voice:
    """What is told, a line each: for people, or as JSON objects for programs."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def entry(self, line: Line) -> None:
        plain = f"{line.seq:>5}  {line.at}  {line.says}"
        self._say({"is": "entry", **msgspec.to_builtins(line)}, plain)
        if not self._as_json:
            for warning in line.warnings:
                click.echo(f"       ! {warning}")

    def notice(self, says: str) -> None:
        """Of the way to the server, of what was kept: nothing of the game."""
        shown = "".join(letter if letter.isprintable() else "?" for letter in says)
        self._say({"is": "notice", "says": shown}, f"       - {shown}")

    def failure(self, failed: NotHeldError, where: Path) -> None:
        value = {"is": "failure", "code": failed.code, "says": failed.says, "evidence": str(where)}
        self._say(value, f"FAILS: {failed}\n       The evidence is in {where}")

    def verdict(self, report: Report) -> None:
        self._say({"is": "verdict", **report.to_json()}, f"\n{report.text()}")

    def _say(self, value: Mapping[str, Any], plain: str) -> None:
        click.echo(json.dumps(value) if self._as_json else plain)


class Follower:
    """Asks the server again and again, through its outages too. `sleep` takes seconds, `clock` gives them."""

    def __init__(
        self,
        api: Api,
        watch: Watch,
        voice: Voice,
        *,
        once: bool,
        sleep: Callable[[float], None],
        clock: Callable[[], float],
    ) -> None:
        self.api = api
        self.watch = watch
        self.voice = voice
        self.once = once
        self._sleep = sleep
        self._clock = clock
        self._out_since: float | None = None
        self._pause = 1.0
        self._lagged = 0
        self._report: Report | None = None

    def follow(self) -> Report:
        """Until the game is over, or with `once` until all that is there was seen: the audit of its bundle."""
        for act in (self._restore, self._look, self._judge):
            while not self._through(act):
                pass
        assert self._report is not None
        return self._report

    def data_files(self) -> Mapping[str, bytes]:
        """The data files that entry 0 names; whether they are those, its judge says."""
        try:
            return bundle.read(self._get("bundle").content).data
        except BadRecord as bad:
            raise NotHeldError(bad.code, f"the bundle: {bad.says}") from None

    def _restore(self) -> bool:
        if self.watch.restore(self.data_files):
            self.voice.notice(f"the {self.watch.size} entries kept before hold")
        return True

    def _judge(self) -> bool:
        self._report = self.watch.verdict(self._get("bundle").content)
        return True

    def _look(self) -> bool:
        """One page, and a pause if there was nothing new; is everything seen that is to be seen?"""
        began, before = self._clock(), self.watch.size
        wait = 0 if self.once or not before or self.watch.is_over else HELD
        answer = self._get("log", after=before - 1, wait=wait)
        if answer.value is None:
            raise NoAnswerError("what answers is no Sealed Move server")
        for line in self.watch.take(answer.content, self.data_files):
            self.voice.entry(line)
        if self.watch.shown > self.watch.size:
            return False
        self._tell_lag()
        if self.watch.is_over or self.once:
            return True
        if self.watch.size == before and (rest := LEAST_ROUND - (self._clock() - began)) > 0:
            self._sleep(rest)
        return False

    def _tell_lag(self) -> None:
        """A server that counts fewer entries than it has shown: restored from a backup, it may be whole again soon."""
        lags = self.watch.lags
        if lags and self.once:
            raise NotHeldError("cut", f"the server counts {self.watch.shown} entries, and has shown {self.watch.size}")
        if lags and lags != self._lagged:
            self.voice.notice(f"the server counts {self.watch.shown} entries, and has shown {self.watch.size} before")
        if self._lagged and not lags:
            self.voice.notice("the server has its entries again")
        self._lagged = lags

    # --- the way to the server ----------------------------------------------------------------------------------------

    def _get(self, what: str, **query: int) -> Answer:
        try:
            return self.api.get(f"/v1/games/{self.watch.game}/{what}", etag=None, **query)
        except ValueError:
            raise NoAnswerError("what answers sends no JSON") from None

    def _through(self, act: Callable[[], bool]) -> bool:
        """Do it, and it is done; or tell that the server is away, wait, and it is not."""
        try:
            done = act()
        except (ApiError, NoAnswerError) as no:
            self._away(no)
            return False
        if self._out_since is not None:
            self.voice.notice(f"the server answers again, after {self._clock() - self._out_since:.0f} seconds")
        self._out_since, self._pause = None, 1.0
        return done

    def _away(self, no: ApiError | NoAnswerError) -> None:
        refused = isinstance(no, ApiError) and no.status < 500
        if self.once or (refused and not self.watch.size):
            raise CannotWatchError(str(no)) from no
        if self._out_since is None:
            self._out_since = self._clock()
            self.voice.notice(f"the server does not answer, and is asked again until it does: {no}")
        self._sleep(self._pause)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)


@click.command()
@click.argument("url")
@click.argument("game")
@click.option("--once", is_flag=True, help="Check what is there now, and do not wait for more.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")
@click.option("--keep", type=click.Path(file_okay=False, path_type=Path), help="Keep a copy here, and go on from it.")
@click.option(
    "--note",
    "kept",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A note that you kept, or the mail with it as you saved it: the log must continue it.",
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
    """Follow a game as anybody, and check every entry as it comes; at its end, audit its bundle.

    What does not hold is kept, in DIR/evidence with --keep DIR, else in a new folder here.

    \b
    Exit 0: the game is over (or with --once: as far as it goes), and holds.
         1: something does not hold. The evidence is kept.
         2: it cannot be followed or judged here.
         3: nothing fails, but not all can be seen: a hidden game that runs
            (with --once), or one that was cancelled without its secret.
       130: stopped by Ctrl-C; nothing had failed until then.
    """  # noqa: D301 - the sign by which click keeps lines as they are
    _check_where(url, game)
    voice, api = Voice(as_json=as_json), Api(url)
    with unreadable_exits(ctx), _folder(keep) as folder:
        known, texts = known_server(server, server_key), _own_notes(kept, api.host, game)
        watch = Watch(api.host, game, Keep(folder), time.time, known=known, kept=texts)
        follower = Follower(api, watch, voice, once=once, sleep=time.sleep, clock=time.monotonic)
        ctx.exit(_followed(follower, keep))


def _followed(follower: Follower, keep: Path | None) -> int:
    """The exit status of a watch from its first look to its end."""
    voice, watch = follower.voice, follower.watch
    try:
        report = follower.follow()
    except NotHeldError as failed:
        voice.failure(failed, _evidence(watch, keep))
        return FAILS
    except CannotWatchError as no:
        voice.notice(f"the game cannot be followed: {no}")
        return CANNOT
    except NewerRecord as newer:
        voice.notice(f"the game cannot be judged here: {newer.says}")
        return CANNOT
    except KeyboardInterrupt:
        voice.notice(f"stopped; the {watch.size} entries shown hold")
        return STOPPED
    voice.verdict(report)
    if report.exit == FAILS:
        voice.failure(NotHeldError("fails", "the bundle does not hold"), _evidence(watch, keep))
    return report.exit


def _check_where(url: str, game: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise click.BadParameter("write it whole: https://games.example", param_hint="URL")
    try:
        members.game_id(game)
    except BadRecord:
        raise click.BadParameter("a game's id is a UUID, as in the address of its page", param_hint="GAME") from None


def _own_notes(paths: tuple[Path, ...], host: str, game: str) -> list[str]:
    """The notes of this game in the files; UnreadableError for a file that has none."""
    found: list[str] = []
    for path in paths:
        ours = [text for text in files.read_notes(path) if _is_of(text, host, game)]
        if not ours:
            raise UnreadableError(path, f"no note in it is one of {host}/game/{game}")
        found += ours
    return found


def _is_of(text: str, host: str, game: str) -> bool:
    one = note.read(text)
    return (one.server, one.game) == (host, game)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """Where the copy is kept: a folder that is gone afterwards, if none is wanted."""
    if keep is not None:
        yield keep
        return
    with tempfile.TemporaryDirectory() as scratch:
        yield Path(scratch)


def _evidence(watch: Watch, keep: Path | None) -> Path:
    """Where the evidence is: with the copy, or saved with it from the folder that will be gone."""
    if keep is not None:
        return watch.keep.evidence if watch.keep.evidence.exists() else keep
    number = 1
    while (to := Path(f"evidence-{watch.game}-{number}")).exists():
        number += 1
    shutil.copytree(watch.keep.memory.folder, to)
    return to
