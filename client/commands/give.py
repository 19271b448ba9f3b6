"""`sealedmove give`: give others more time, at a table whose host you are."""

from __future__ import annotations

import click

from client import table_options
from client.commands.base import Caller, CommandError, command, with_caller
from client.commands.game_argument import game_argument
from client.entry_text import people, seat_name, span
from client.game import Player
from client.http import NoAnswerError
from client.position import active
from client.terminal import say
from engine.record.log.entry import Entry


@command()
@game_argument()
@click.argument("length", metavar="TIME")
@click.option(
    "--seat",
    "seats",
    multiple=True,
    type=click.IntRange(1, 64),
    help="Only this seat; by default all others who owe a move.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_caller
def main(caller: Caller, game: str, length: str, seats: tuple[int, ...], yes: bool) -> None:
    """Give the others in GAME more time: 12h, 2d. Only the host of the table can do so, and it cannot be
    undone.
    """
    player = caller.player(caller.game(game))
    player.sync()
    seconds, chosen = table_options.seconds(length), _chosen(player, seats)
    whom = people(map(seat_name, chosen))
    if not caller.sure(f"Give {whom} {span(seconds)} more? This is logged and cannot be undone.", yes=yes):
        say("No time was given.")
        return
    entry = _given(player, chosen, seconds)
    value = {"game": player.game, "seats": chosen, "seconds": seconds, "entry": entry.seq}
    caller.answer(value, lambda: say(f"{whom}: {span(seconds)} more, logged as entry {entry.seq}."))


def _chosen(player: Player, seats: tuple[int, ...]) -> list[int]:
    """The seats, counted from 0, once each and in the order of the log."""
    if seats:
        return sorted({seat - 1 for seat in seats})
    found = [seat for seat in active(player) if seat != player.seat]
    if not found:
        raise CommandError("nothing-owed", "no other player owes a move")
    return found


def _given(player: Player, seats: list[int], seconds: int) -> Entry:
    """The entry that grants it. An idempotency key makes sure that repeating a lost request grants it once."""
    before = player.log.size
    player.api.post(f"/v1/games/{player.game}/grants", {"seats": seats, "seconds": seconds}, once=True)
    player.sync()
    for entry in player.log.entries[before:]:
        if entry.kind == "granted" and (entry.body["seats"], entry.body["seconds"]) == (seats, seconds):
            return entry
    raise NoAnswerError("the server has confirmed the time, but the log does not show it yet")
