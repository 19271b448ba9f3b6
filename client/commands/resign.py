"""`sealedmove resign`: resign a game, leave a seat before the start, or offer a seat to others."""

from __future__ import annotations

from typing import Any

import click

from client.commands.base import Caller, command, with_caller
from client.commands.game_argument import game_argument
from client.game import Player
from client.terminal import say
from engine.record.log.entry import Entry

QUESTIONS = {
    "resign": "Resign for good? From now on the server plays default moves for your seat.",
    "leave": "Leave your seat before the game starts?",
    "offer": "Offer your seat to others? Until someone takes it, you still play it.",
    "back": "Withdraw the offer, or end your absence?",
}
DONE = {
    "resign": "You have resigned.",
    "leave": "You have left the table.",
    "offer": "Your seat is offered.",
    "back": "You are back: your seat is not offered, and you do not count as absent.",
}


@command()
@game_argument()
@click.option("--offer", "act", flag_value="offer", help="Offer the seat to others instead of resigning.")
@click.option("--back", "act", flag_value="back", help="Withdraw an offer, or end an absence.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--either", is_flag=True, help="Sign even though an earlier act may still be logged instead.")
@with_caller
def main(caller: Caller, game: str, act: str | None, yes: bool, either: bool) -> None:
    """Resign from GAME, or leave your seat before the start."""
    player = caller.player(caller.game(game))
    player.sync()
    player.own_seat()
    chosen = act or ("leave" if player.table.stage == "lobby" else "resign")
    if not caller.sure(QUESTIONS[chosen], yes=yes):
        say("Nothing was signed.")
        return
    entry = _done(player, chosen, either=either)
    value: dict[str, Any] = {"game": player.game, "act": chosen, "entry": entry.seq, "status": player.table.stage}
    caller.answer(value, lambda: say(f"{DONE[chosen]} Logged as entry {entry.seq}."))


def _done(player: Player, act: str, *, either: bool) -> Entry:
    acts = {"resign": player.resign, "leave": player.leave, "offer": player.offer, "back": player.back}
    return acts[act](either=either)
