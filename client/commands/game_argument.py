"""Which game is meant: by its id, the beginning of it, or the address of its page; and what a shell completes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem

from client import home
from client.home import Home, Host, NotSignedInError, is_id
from engine.errors import Refused

_IN_ADDRESS = re.compile(r"/games/([0-9a-f-]{36})(?![0-9a-f-])")
LEAST = 4  # letters by which a game of ours may be named


def resolve_game(host: Host, text: str) -> str:
    """The id; Refused `no-such-game` if it is none, and none of ours begins like that, or several do."""
    found = _IN_ADDRESS.search(text)
    wanted = (found[1] if found else text).lower()
    if is_id(wanted):
        return wanted
    known = {*host.games(), *_ids_of_own_games(host)} if len(wanted) >= LEAST else set()
    ours = sorted(game for game in known if game.startswith(wanted))
    if len(ours) == 1:
        return ours[0]
    says = f"several of your games begin with {text}: {', '.join(ours)}" if ours else f"{text} is no game of yours"
    raise Refused("no-such-game", says=says)


def _ids_of_own_games(host: Host) -> list[str]:
    return [row["id"] for row in host.session.api.get("/v1/me/games").value["games"]]


def complete_game(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Games that are kept on this machine: no server is asked while somebody types."""
    try:
        host = Home(home.folder_of()).host()
    except NotSignedInError:
        return []
    return [CompletionItem(game) for game in host.games() if game.startswith(incomplete)]


def game_argument() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The argument GAME."""
    return click.argument("game", metavar="GAME", shell_complete=complete_game)
