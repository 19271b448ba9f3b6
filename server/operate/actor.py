"""The actor and the reason: options of every command that changes something."""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from server.kernel.operator_log import Operator

Command = Callable[..., Any]


def acting(*, always: bool = True) -> Callable[[Command], Command]:
    """Add `--why` and `--as`, and pass them on as `by`; None without `--why`, where the command need not change."""

    def decorate(command: Command) -> Command:
        @click.option("--why", required=always, callback=_short(500), help="The reason, for the operator's log.")
        @click.option("--as", "who", default=_os_user, callback=_short(60), help="Your name, if not your user's here.")
        @wraps(command)
        def acted(*args: Any, who: str, why: str | None, **given: Any) -> Any:
            return command(*args, by=None if why is None else Operator(who, why), **given)

        return acted

    return decorate


def required(by: Operator | None) -> Operator:
    """The operator; a usage error if the command turns out to change something and no reason was given."""
    if by is None:
        raise click.UsageError("this changes something: give the reason with --why")
    return by


def _short(most: int) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    def check(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
        if value is not None and not 0 < len(value.strip()) <= most:
            raise click.BadParameter(f"it must have 1 to {most} characters")
        return value and value.strip()

    return check


def _os_user() -> str:
    """The user of this process, who need not have a name: a container may run under a bare number."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"user {os.getuid()}"
