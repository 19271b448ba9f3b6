"""Base64url words on a command line, such as the id of a key: one in 64 begins with a dash without being an option."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable

import click

# No option of these commands is that long, so a mistyped option is still reported as one.
_DASHED = re.compile("-[A-Za-z0-9_-]{15,}")


class Whole(click.Command):
    """A command whose arguments may be base64url words that begin with a dash; click already handles values of
    options.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, parted(args, _taking(self.get_params(ctx))))


def parted(args: list[str], taking: dict[str, int]) -> list[str]:
    """Move the arguments behind `--` if one begins with a dash; `taking` has the options.

    The order among options and among arguments is kept, and click needs no other.
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
    """The number of words that each option takes."""
    options = [one for one in parameters if isinstance(one, click.Option)]
    return {
        name: 0 if one.is_flag or one.count else one.nargs
        for one in options
        for name in (*one.opts, *one.secondary_opts)
    }
