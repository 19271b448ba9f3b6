"""Acts in many games, such as those of a recovery key: one each, and a game that fails does not stop the others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from client.commands.base import REFUSED, Caller, problem_of
from client.game import Player
from client.http import ApiError, NoAnswerError
from client.keys import Key
from client.terminal import say
from engine.record.log.entry import Entry

ActInGame = Callable[[Player], Entry]
UNFINISHED = ("lobby", "running")


def seats(caller: Caller, recovery: Key, games: Sequence[str] | None = None) -> list[Player]:
    """The players of these games; without any, of every unfinished game that has a seat with this recovery key.

    A server that hides a game from its list cannot keep a seat in it from being recovered if this machine knows it.
    """
    if games is not None:
        return [read(caller, game) for game in games]
    found = [player for game in _known_and_listed(caller) if (player := _readable(caller, game)) is not None]
    return [one for one in found if not one.table.is_over and one.recovers(recovery) is not None]


def act_in(caller: Caller, players: Sequence[Player], act: ActInGame) -> list[dict[str, Any]]:
    """The entry in each game, or the error."""
    return [_done(caller, player, act) for player in players]


def show(done: Sequence[dict[str, Any]]) -> None:
    """A line for each game."""
    for one in done:
        say(f"{one['game']}: entry {one['entry']}" if "entry" in one else f"{one['game']}: not changed, {one['says']}")


def exit_if_failed(done: Sequence[dict[str, Any]]) -> None:
    """End the program with the status of a refusal if one of the games was not changed."""
    if any("entry" not in one for one in done):
        sys.exit(REFUSED)


def _done(caller: Caller, player: Player, act: ActInGame) -> dict[str, Any]:
    try:
        entry = act(player).seq
    except Exception as error:  # noqa: BLE001 - bugs are raised again
        return not_done(player.game, error)
    caller.host.sit(player.game, caller.host.agreed(player.game))
    return {"game": player.game, "entry": entry}


def _readable(caller: Caller, game: str) -> Player | None:
    """None, with a warning, if the game cannot be read or does not hold."""
    try:
        return read(caller, game)
    except Exception as error:  # noqa: BLE001 - bugs are raised again
        caller.warn(f"{game} is left out: {not_done(game, error)['says']}")
        return None


def read(caller: Caller, game: str) -> Player:
    player = caller.player(game)
    player.sync()
    return player


def not_done(game: str, error: Exception) -> dict[str, Any]:
    """The game with its error; a bug is raised again."""
    told = problem_of(error)
    if told is None:
        raise error
    return {"game": game, "code": told.value["code"], "says": told.value["says"]}


def _known_and_listed(caller: Caller) -> list[str]:
    """The games that are stored on this machine, then others in which the account has an unfinished seat."""
    known = caller.host.games()
    try:
        return [*known, *(game for game in _listed(caller) if game not in known)]
    except (ApiError, NoAnswerError) as error:
        caller.warn(f"the server does not list your games ({error}): only those that this machine knows are changed")
        return known


def _listed(caller: Caller) -> list[str]:
    found: list[str] = []
    for status in UNFINISHED:
        after: str | None = ""
        while after is not None:
            more = {"after": after} if after else {}
            page = caller.host.session.api.get("/v1/me/games", etag=None, status=status, **more).value
            found += [str(game["id"]) for game in page["games"]]
            after = page["next"]
    return found
