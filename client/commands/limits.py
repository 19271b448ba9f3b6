"""`sealedmove limits`: show the limits of your account and how much of each you use."""

from __future__ import annotations

from client.commands.base import Caller, command, with_caller
from client.terminal import columns


@command()
@with_caller
def main(caller: Caller) -> None:
    """Show the limits of your account and how much of each you use."""
    found = caller.host.session.api.get("/v1/me/limits").value
    rows = [[one["says"], _or(one["used"], "?"), _or(one["most"], "-")] for one in found]
    caller.answer(found, lambda: columns([row[1:] + row[:1] for row in rows], ("used", "most", "what")))


def _or(number: int | None, other: str) -> str:
    """The use or the limit, or the mark of one that is not known or that does not exist."""
    return other if number is None else str(number)
