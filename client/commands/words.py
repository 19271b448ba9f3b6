"""Base64url words on a command line, such as a key's id: one in 64 begins with a dash, and is not an option."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable

import click

# No option of a command that is given such words is so long, so that a slip in an option is still told as one.
_DASHED = re.compile("-[A-Za-z0-9_-]{15,}")


class Whole(click.Command):
    """A command that takes base64url words whole as its arguments, whatever they begin with.

    What an option takes as its value click leaves as it is.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, parted(args, _taking(self.get_params(ctx))))


def parted(args: list[str], taking: dict[str, int]) -> list[str]:
    """The same line with its arguments behind `--`, if a word begins with a dash; `taking` has the options.

    Options keep their order and so do arguments; only that between the two is lost, which means nothing to click.
    """
    if not any(_DASHED.fullmatch(arg) and arg not in taking for arg in args):
        return args
    options, arguments, left = [], [], deque(args)
    while left and (arg := left.popleft()) != "--":
        if arg in taking:
            options += [arg, *(left.popleft() for _ in range(min(taking[arg], len(left))))]
        elif arg[:1] != "-" or arg == "-" or _DASHED.fullmatch(arg):
            arguments.append(arg)
        else:
            options.append(arg)
    return [*options, "--", *arguments, *left]


def _taking(parameters: Iterable[click.Parameter]) -> dict[str, int]:
    """How many words each option takes behind it."""
    options = [one for one in parameters if isinstance(one, click.Option)]
    return {
        name: 0 if one.is_flag or one.count else one.nargs
        for one in options
        for name in (*one.opts, *one.secondary_opts)
    }
