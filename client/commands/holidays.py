"""`sealedmove holidays`: list your holidays, announce one, end one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from client.commands.base import Caller, with_caller
from client.commands.groups import ListGroup
from client.terminal import columns, quiet, say
from engine.kit import count


@click.group(cls=ListGroup)
def main() -> None:
    """Your holidays, on which the clocks of your tables do not run: `list` them, `add` one, `end` one."""


@main.command("list")
@with_caller
def list_(caller: Caller) -> None:
    """List your holidays that are not over, and the days that you have left."""
    value = caller.host.session.api.get("/v1/me/holidays").value
    caller.answer(value, lambda: _print(value))


def _print(value: Mapping[str, Any]) -> None:
    rows = [
        [str(one["id"]), one["starts_at"], one["ends_at"], "now" if one["runs"] else "", count(one["cost"], "day")]
        for one in value["holidays"]
    ]
    if rows:
        columns(rows, ("id", "from", "until", "", "cost"))
    quiet(f"You have {count(value['left'], 'day')} left. `sealedmove holidays add 2026-12-24 5` announces a holiday.")


@main.command()
@click.argument("first", metavar="FIRST-DAY")
@click.argument("days", type=click.IntRange(1, 14))
@with_caller
def add(caller: Caller, first: str, days: int) -> None:
    """Announce DAYS of holiday from FIRST-DAY, a date like 2026-12-24 in your account's time zone, or `now`.

    One that begins now costs at least three days.
    """
    api = caller.host.session.api
    value = api.post("/v1/me/holidays", {"from": first, "days": days}, once=True).value
    caller.answer(value, lambda: _print_announced(value))


def _print_announced(value: Mapping[str, Any]) -> None:
    say(f"Holiday {value['id']}, from {value['starts_at']} until {value['ends_at']}. It costs "
        f"{count(value['cost'], 'day')}; you have {value['left']} left.")  # fmt: skip
    for table in value["tables"]:
        if not table["counts"]:
            say(f"! The clock of {table['game']} runs on until {table['deadline']}: that table does not count it.")


@main.command()
@click.argument("number", metavar="ID", type=click.IntRange(0))
@with_caller
def end(caller: Caller, number: int) -> None:
    """End the holiday ID, or cancel it before it begins."""
    caller.host.session.api.delete(f"/v1/me/holidays/{number}")
    caller.answer({"ended": number}, lambda: say(f"Holiday {number} is over."))
