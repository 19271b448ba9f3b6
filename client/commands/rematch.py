"""`sealedmove rematch`: open a table for the same players after a game."""

from __future__ import annotations

from client.commands.base import Caller, command, with_caller
from client.commands.game_argument import game_argument
from client.terminal import say


@command()
@game_argument()
@with_caller
def main(caller: Caller, game: str) -> None:
    """Open a rematch of GAME, which is over: the same options and clock, and a seat kept for each player."""
    opened = caller.host.session.api.post(f"/v1/games/{caller.game(game)}/rematch").value
    said = f"The rematch is {opened['id']}. `sealedmove join {opened['id']}` takes your seat."
    caller.answer({"game": opened["id"], "status": opened["status"]}, lambda: say(said))
