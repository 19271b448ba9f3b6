"""`sealedmove resign`: a game given up, or a seat given back before the start; a seat offered to others."""

from __future__ import annotations

from typing import Any

import click

from client import seats
from client.commands.base import Caller, command, with_caller
from client.commands.game_argument import game_argument
from client.game import Player
from client.terminal import say
from engine.record.log.entry import Entry

QUESTIONS = {
    "resign": "Resign, for good? The clock plays the seat from now on.",
    "leave": "Give the seat back before the game starts?",
    "offer": "Offer your seat to others? Whoever takes it plays on; until then it is yours to play.",
    "back": "Take the offer back, or say that you are here again?",
}
DONE = {
    "resign": "You have resigned.",
    "leave": "You have left the table.",
    "offer": "Your seat is offered.",
    "back": "Your seat is yours alone again.",
}


@command()
@game_argument()
@click.option("--offer", "act", flag_value="offer", help="Do not resign: offer the seat to others.")
@click.option("--back", "act", flag_value="back", help="Take that back, or end an absence.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--either", is_flag=True, help="Sign although another act may still be logged in its place.")
@with_caller
def main(caller: Caller, game: str, act: str | None, yes: bool, either: bool) -> None:
    """Give GAME up; before it has started, give the seat back."""
    player = caller.player(caller.game(game))
    player.sync()
    seats.own(player.log, player.key.kid)
    chosen = act or ("leave" if player.table.stage == "lobby" else "resign")
    if not caller.sure(QUESTIONS[chosen], yes=yes):
        say("Nothing was signed.")
        return
    entry = _done(player, chosen, either=either)
    value: dict[str, Any] = {"game": player.game, "act": chosen, "entry": entry.seq, "status": player.table.stage}
    caller.answer(value, lambda: say(f"{DONE[chosen]} It is entry {entry.seq}."))


def _done(player: Player, act: str, *, either: bool) -> Entry:
    acts = {"resign": player.resign, "leave": player.leave, "offer": player.offer, "back": player.back}
    return acts[act](either=either)
