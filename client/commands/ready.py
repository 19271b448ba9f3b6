"""`sealedmove ready`: state that you are ready, at a table that starts when all its players are."""

from __future__ import annotations

import click

from client.commands.base import Caller, command, with_caller
from client.commands.game_argument import game_argument
from client.terminal import say


@command()
@game_argument()
@click.option("--not", "ready", is_flag=True, flag_value=False, default=True, help="You are not ready any more.")
@with_caller
def main(caller: Caller, game: str, ready: bool) -> None:
    """State that you are ready to start GAME. It starts when every seat is taken and all people are ready."""
    game = caller.game(game)
    status = caller.host.session.api.put(f"/v1/games/{game}/ready", {"ready": ready}).value["status"]
    caller.answer({"game": game, "ready": ready, "status": status}, lambda: say(_words(status, ready=ready)))


def _words(status: str, *, ready: bool) -> str:
    if status == "running":
        return "The game is running: `sealedmove play`."
    if ready:
        return "You are ready. The game starts when every seat is taken and everyone is ready."
    return "You are not ready any more. The game waits for you."
