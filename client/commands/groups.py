"""A group of commands of which `list` is the default, as in `sealedmove keys`."""

from __future__ import annotations

import click

from client.commands.base import PersonCommand


class ListGroup(click.Group):
    """A group that calls its `list` when no subcommand is named."""

    command_class = PersonCommand

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = args and (args[0] in self.commands or args[0] in ("-h", "--help"))
        return super().parse_args(ctx, args if known or ctx.resilient_parsing else ["list", *args])
