"""`sealedmove pause`: pause a game as its host, or with the consent of all its players."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from client import table_options
from client.commands.base import USAGE, Caller, CommandError, command, with_caller
from client.commands.game_argument import game_argument
from client.entry_text import people, seat_name
from client.http import Api
from client.terminal import say


@command()
@game_argument()
@click.argument("length", metavar="[TIME]", required=False)
@click.option(
    "--ask", "act", flag_value="ask", help="Ask all players for a pause of TIME, instead of pausing as the host."
)
@click.option("--agree", "act", flag_value="agree", help="Agree to the pause that others want.")
@click.option("--object", "act", flag_value="object", help="Object to the pause that others want.")
@click.option("--end", "act", flag_value="end", help="End your pause as the host.")
@with_caller
def main(caller: Caller, game: str, length: str | None, act: str | None) -> None:
    """Pause GAME for TIME (3d, 12h) as its host; without TIME, show whether the players want a pause.

    No clock runs during a pause.
    """
    game, api = caller.game(game), caller.host.session.api
    path, wish = f"/v1/games/{game}/pause", f"/v1/games/{game}/consents/pause"
    if length is None and act == "ask":
        raise CommandError("usage", "--ask needs the length of the pause: 3d, 12h", USAGE)
    if act == "end":
        api.delete(path)
        caller.answer({"game": game, "until": None}, lambda: say("The pause is over. The clocks run again."))
    elif act == "object":
        api.delete(wish)
        caller.answer({"game": game, "objected": True}, lambda: say("You have objected. The game is not paused."))
    elif length is not None and act is None:
        paused = api.post(path, {"until": _until(length)}).value
        caller.answer({"game": game, **paused}, lambda: say(f"The game is paused until {paused['until']}."))
    else:
        found = _wish(api, wish, length, act)
        caller.answer({"game": game, **found}, lambda: _print(found))


def _until(length: str) -> str:
    """The end of a pause of this length, not later, because every begun day counts."""
    ends = datetime.now(UTC) + timedelta(seconds=table_options.seconds(length))
    return f"{ends:%Y-%m-%dT%H:%M:%SZ}"


def _wish(api: Api, path: str, length: str | None, act: str | None) -> Mapping[str, Any]:
    """The wish of the players, after we have asked or agreed."""
    found: Mapping[str, Any] = api.get(path).value
    if act is None:
        return found
    until = _until(length) if length else found["pause_until"]
    if until is None:
        raise CommandError("not-asked", "nobody wants a pause of this game")
    asked: Mapping[str, Any] = api.put(path, {"until": until}, {}).value
    return asked


def _print(wish: Mapping[str, Any]) -> None:
    if wish["carried_out"]:
        say("All have agreed. The game is paused.")
    elif wish["pause_until"] is None:
        say("Nobody wants a pause of this game.")
    else:
        say(f"Wanted until {wish['pause_until']}. Agreed: {_seats(wish['agreed'])}. Asked: {_seats(wish['asked'])}.")


def _seats(seats: list[int]) -> str:
    return people(map(seat_name, seats)) if seats else "nobody"
