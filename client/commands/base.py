"""Shared by all commands for people at a terminal: text or one JSON value, errors with advice, exit statuses.

    0  done                                 4  no answer: the result is not known yet
    1  refused, and nothing has changed     5  not signed now, for a reason that is nobody's fault
    2  the command line is wrong          130  stopped by Ctrl-C
    3  what the server shows does not hold

With `--json` there is one JSON value on standard output, and on standard error a JSON object a line: a problem with
`code`, `says` and `do`, or a `warning`. Nothing is asked then, nor where there is no terminal.
"""

from __future__ import annotations

import json
import ssl
import sys
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NoReturn

import click
import httpx

from client import terminal
from client.advice import DISTRUST, advice
from client.commands.game_argument import resolve_game
from client.commands.words import Whole
from client.device import DeviceSignInError
from client.errors import ClientError, DistrustError, NotSignedError
from client.folders import folder_of
from client.game import Player
from client.home import Home, Host, NotSignedInError
from client.http import ApiError, NoAnswerError
from client.keys import KeyFileError
from client.terminal import safe
from engine.errors import BadRecord, Refused

REFUSED, USAGE, DISTRUSTED, NO_ANSWER, NOT_SIGNED, STOPPED = 1, 2, 3, 4, 5, 130


class CommandError(ClientError):
    """A refusal by this program, with a code of its own."""

    def __init__(self, code: str, says: str, status: int = REFUSED) -> None:
        super().__init__(says)
        self.code = code
        self.says = says
        self.exit = status


class ShownError:
    """An error as it is shown: its code, its sentence, the advice, and the exit status."""

    def __init__(self, code: str, says: str, do: str, status: int, **more: Any) -> None:
        self.exit = status
        self.value = {"code": code, "says": says, "do": do, **more}

    def tell(self, *, as_json: bool) -> None:
        if as_json:
            click.echo(json.dumps(self.value), err=True)
            return
        click.echo(safe(f"{self.value['says']} ({self.value['code']})"), err=True)
        click.echo(safe(self.value["do"]), err=True)


def problem_of(error: Exception) -> ShownError | None:
    """The trouble to show for an error; None for a bug, which must not be swallowed."""
    match error:
        case ApiError(status=status, code=code, problem=problem):
            return ShownError(code, _words(problem) or code, advice(code, status), REFUSED, problem=dict(problem))
        case NoAnswerError():
            return ShownError("no-answer", str(error), advice("no-answer"), NO_ANSWER)
        case DistrustError(code=code, says=says):
            return ShownError(code, f"The server's data does not hold: {says}", DISTRUST, DISTRUSTED)
        case NotSignedError(code=code, says=says):
            return ShownError(code, says, advice(code), NOT_SIGNED)
        case DeviceSignInError(code=code, says=says):
            return ShownError(code, says, advice(code), REFUSED)
        case CommandError(code=code, says=says, exit=status):
            return ShownError(code, says, advice(code), status)
        case NotSignedInError():
            return ShownError("nobody", str(error), advice("nobody"), REFUSED)
        case BrokenPipeError():
            return None
        case OSError() | UnicodeDecodeError():
            return ShownError("file", str(error), "Name a file that this program can read and write.", REFUSED)
        case KeyFileError():
            return ShownError("key-file", str(error), "Correct the permissions of the file, or move it away.", REFUSED)
        case BadRecord(code=code):
            return ShownError(code, str(error), advice(code), REFUSED)
        case Refused(code=code):
            return ShownError(code, str(error.facts.get("says", error)), advice(code), REFUSED)
        case click.ClickException():
            return ShownError("usage", error.format_message(), advice("usage"), USAGE)
    return None


def _words(problem: Any) -> str:
    """The server's sentence, with the invalid fields."""
    says = str(problem.get("detail") or problem.get("title") or "")
    wrong = problem.get("errors")
    return f"{says} {json.dumps(wrong, ensure_ascii=False)}" if wrong else says


class PersonCommand(Whole):
    """A command whose errors are shown as `Trouble`, including those of its command line."""

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> click.Context:
        as_json = "--json" in args
        # click keeps a command's help option from its first context: the same one for every caller.
        extra.setdefault("help_option_names", ["-h", "--help"])
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            if not as_json:
                raise
            _exit_with(error, as_json=True)

    def invoke(self, ctx: click.Context) -> Any:
        as_json = bool(ctx.params.get("as_json"))
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            sys.exit(STOPPED)
        except (click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:  # noqa: BLE001 - bugs are raised again
            _exit_with(error, as_json=as_json)


def _exit_with(error: Exception, *, as_json: bool) -> NoReturn:
    told = problem_of(error)
    if told is None:
        raise error
    told.tell(as_json=as_json)
    sys.exit(told.exit)


class Caller:
    """The caller of a command: the account, the server, and the form of the answer."""

    def __init__(self, at: str | None, *, as_json: bool) -> None:
        self.at = at
        self.as_json = as_json
        self._http = httpx.Client(timeout=40.0, follow_redirects=False, verify=_trusted())
        self.home = Home(folder_of(), self._http)

    def close(self) -> None:
        self._http.close()

    @property
    def host(self) -> Host:
        return self.home.host(self.at)

    @property
    def may_ask(self) -> bool:
        return not self.as_json and terminal.is_terminal()

    def answer(self, value: Any, words: Callable[[], None]) -> None:
        """Answer with one JSON value, or with text."""
        if self.as_json:
            click.echo(json.dumps(value))
        else:
            words()

    def warn(self, text: str) -> None:
        """Print a warning, such as one about an odd time."""
        click.echo(json.dumps({"warning": text}) if self.as_json else safe(f"! {text}"), err=True)

    def sure(self, question: str, *, yes: bool) -> bool:
        """Ask for confirmation; raises CommandError `needs-yes` where there is no terminal."""
        if yes:
            return True
        if not self.may_ask:
            raise CommandError("needs-yes", f"This needs an answer, and there is no terminal: {question}", USAGE)
        return click.confirm(safe(question), default=False)

    def game(self, text: str) -> str:
        """The id of a game that was given as an id, the start of one, or an address."""
        return resolve_game(self.host, text)

    def player(self, game: str) -> Player:
        return self.host.player(game, self.warn)


@cache
def _trusted() -> ssl.SSLContext:
    """The trusted certificates, read once in a process because that takes 40 ms."""
    return httpx.create_ssl_context()


def with_caller(command: Callable[..., Any]) -> Callable[..., Any]:
    """Pass a command its `caller`, made from the options `--at` and `--json`."""

    def called(at: str | None, as_json: bool, **given: Any) -> Any:
        caller = Caller(at, as_json=as_json)
        click.get_current_context().call_on_close(caller.close)
        return command(caller, **given)

    called.__doc__, called.__name__ = command.__doc__, command.__name__
    says = "Print one JSON value, also for errors, and never ask."
    said = click.option("--json", "as_json", is_flag=True, help=says)
    where = click.option("--at", envvar="SEALEDMOVE_AT", metavar="SERVER", help="The server, if you use several.")
    return said(where(called))


command = partial(click.command, cls=PersonCommand)
