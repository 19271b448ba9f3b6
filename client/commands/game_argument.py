"""The argument GAME: an id, the start of one, or the address of a game's page; with completion for the shell."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem

from client.folders import folder_of
from client.home import Home, Host, NotSignedInError, is_id
from engine.errors import Refused

_IN_ADDRESS = re.compile(r"/games/([0-9a-f-]{36})(?![0-9a-f-])")
LEAST = 4  # letters that name one of our games


def resolve_game(host: Host, text: str) -> str:
    """The id that is meant; Refused `no-such-game` if the text is neither an id nor the start of exactly one of
    ours.
    """
    found = _IN_ADDRESS.search(text)
    wanted = (found[1] if found else text).lower()
    if is_id(wanted):
        return wanted
    known = {*host.games(), *_ids_of_own_games(host)} if len(wanted) >= LEAST else set()
    ours = sorted(game for game in known if game.startswith(wanted))
    if len(ours) == 1:
        return ours[0]
    says = f"the ids of several of your games begin with {text}: {', '.join(ours)}"
    raise Refused("no-such-game", says=says if ours else f"none of your games has an id that begins with {text}")


def _ids_of_own_games(host: Host) -> list[str]:
    return [row["id"] for row in host.session.api.get("/v1/me/games").value["games"]]


def complete_game(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete from the games kept on this machine, so that no server is asked while you type."""
    try:
        host = Home(folder_of()).host()
    except NotSignedInError:
        return []
    return [CompletionItem(game) for game in host.games() if game.startswith(incomplete)]


def game_argument() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The argument GAME."""
    return click.argument("game", metavar="GAME", shell_complete=complete_game)
