"""`sealedmove invitations`: list the seats that are kept for you, decline one; invite others to your table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from client.commands.base import Caller, with_caller
from client.commands.game_argument import game_argument
from client.commands.groups import ListGroup
from client.terminal import columns, quiet, say

Invitation = Mapping[str, Any]


@click.group(cls=ListGroup)
def main() -> None:
    """Seats that are kept for you: `list` them, `decline` one. At your own table: `send` one, `withdraw` one."""


@main.command("list")
@click.argument("game", required=False, metavar="[GAME]")
@with_caller
def list_(caller: Caller, game: str | None) -> None:
    """List your invitations; with GAME, those that were made to your table."""
    api = caller.host.session.api
    if game is not None:
        made = api.get(f"/v1/games/{caller.game(game)}/invitations").value
        caller.answer(made, lambda: _print_made(made))
        return
    found = api.get("/v1/me/invitations").value
    caller.answer(found, lambda: _print(found))


def _print(found: Sequence[Invitation]) -> None:
    if not found:
        say("You have no invitations.")
        return
    rows = [
        [str(one["id"]), one["game"], one["title"], str(one["seat"] + 1), one["until"], _host(one)] for one in found
    ]
    columns(rows, ("id", "game", "what", "seat", "until", "from"))
    quiet("`sealedmove join GAME` takes the seat, `sealedmove invitations decline ID` declines.")


def _host(invitation: Invitation) -> str:
    return str(invitation["by"]["name"]) if invitation["by"] else "-"


def _print_made(made: Sequence[Invitation]) -> None:
    if not made:
        say("You have invited nobody to this table.")
        return
    rows = [
        [
            str(one["id"]),
            one["name"] or one["handle"] or one["email"] or "-",
            str(one["seat"] + 1),
            one["state"],
            one["until"],
        ]
        for one in made
    ]
    columns(rows, ("id", "player", "seat", "state", "until"))


@main.command()
@click.argument("number", metavar="ID", type=click.IntRange(0))
@click.option(
    "--never", type=click.Choice(["host", "anybody"]), help="Get no more invitations from them, or from anyone."
)
@with_caller
def decline(caller: Caller, number: int, never: str | None) -> None:
    """Decline the invitation ID."""
    caller.host.session.api.post(f"/v1/me/invitations/{number}/decline", {"never": never})
    caller.answer({"declined": number, "never": never}, lambda: say(f"Invitation {number} is declined."))


@main.command()
@game_argument()
@click.argument("player", metavar="HANDLE-OR-ADDRESS")
@click.option("--seat", type=click.IntRange(1, 64), help="The seat to keep; by default the last free one.")
@with_caller
def send(caller: Caller, game: str, player: str, seat: int | None) -> None:
    """Invite a player to your table GAME and keep a seat for them."""
    body = {"to": player, "seat": None if seat is None else seat - 1}
    value = caller.host.session.api.post(f"/v1/games/{caller.game(game)}/invitations", body, once=True).value
    says = f"Invitation {value['id']}: seat {value['seat'] + 1} is kept until {value['until']}."
    caller.answer(value, lambda: say(says))


@main.command()
@game_argument()
@click.argument("number", metavar="ID", type=click.IntRange(0))
@with_caller
def withdraw(caller: Caller, game: str, number: int) -> None:
    """Withdraw the invitation ID to your table GAME."""
    caller.host.session.api.delete(f"/v1/games/{caller.game(game)}/invitations/{number}")
    caller.answer({"withdrawn": number}, lambda: say(f"Invitation {number} is withdrawn."))
