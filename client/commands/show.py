"""`sealedmove show GAME`: show whose turn it is, the board, the legal commands and the history."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from client import game_screen, guides, history, tables
from client.commands.base import Caller, command, with_caller
from client.commands.game_argument import game_argument
from client.game import Player
from client.tables import Detail
from client.terminal import heading, quiet, say
from engine.kit import format_command, legal

LAST = 6


@command()
@game_argument()
@click.option("--history", "everything", is_flag=True, help="Show the whole history.")
@click.option(
    "--last",
    type=click.IntRange(0),
    default=LAST,
    show_default=True,
    help="Show this many entries of the history.",
)
@click.option("--legal", "listing", is_flag=True, help="List all your legal commands.")
@click.option("--guide", is_flag=True, help="Show the game's guide.")
@with_caller
def main(caller: Caller, game: str, everything: bool, last: int, listing: bool, guide: bool) -> None:
    """Show GAME: every entry is checked before it is shown."""
    player = caller.player(caller.game(game))
    player.sync()
    if guide:
        key = player.table.game.meta.key
        text = player.api.get(f"/v1/types/{key}").value["guide"]
        caller.answer({"guide": text}, lambda: guides.show(key, text))
        return
    value = game_value(player, None if everything else last)
    caller.answer(value, lambda: _print_game(player, value, listing=listing))


def game_value(player: Player, last: int | None) -> dict[str, Any]:
    """The whole game as one value. Seats count from 0, as everywhere in JSON."""
    detail = player.api.get(f"/v1/games/{player.game}").value
    names, seen = tables.names(detail), player.view()
    lines = [
        {"seq": line.seq, "at": line.at, "kind": line.kind, "seat": line.seat, "says": line.says}
        for line in history.lines(player, names, last)
    ]
    board = game_screen.drawn(player, names) if detail["status"] != "lobby" else ""
    position = {"view": seen["view"], "board": board, "legal": choices(player)}
    return {"game": detail, "seat": player.seat, **position, "history": lines, "warnings": player.memory.warnings()}


def choices(player: Player) -> list[dict[str, Any]]:
    """The legal commands of our seat: [{"command", "notation"}]; in an open game by our own rules."""
    if player.seat is None or player.table.stage != "running":
        return []
    if player.table.state is None:
        return [{"command": one["command"], "notation": one["notation"]} for one in player.legal()]
    found = legal(player.table.game, player.table.state, player.seat)
    return [{"command": msgspec.to_builtins(one), "notation": format_command(one)} for one in found]


def _print_game(player: Player, value: Detail, *, listing: bool) -> None:
    detail, title = value["game"], player.table.game.meta.title
    names = tables.names(detail)
    game_screen.header(detail, title, value["seat"])
    game_screen.board(player, value["board"], names)
    game_screen.lines(value["history"])
    game_screen.ended(player, names)
    if value["legal"]:
        heading("\nYou may:")
        notations = [one["notation"] for one in value["legal"]]
        game_screen.legal(notations, len(notations) if listing else game_screen.MOST_LEGAL)
        say()
        quiet(f"`sealedmove play {detail['id'][:8]}` plays it.")
