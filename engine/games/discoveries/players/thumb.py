"""A rule of thumb: cross, write, lay whatever fits, and rest with the most dice."""

from __future__ import annotations

from engine.game import Command
from engine.games.discoveries.explore import Cross, Write
from engine.games.discoveries.lay import Lay, Turning
from engine.games.discoveries.rest import End, Rest, RestNone, RestOwn
from engine.games.discoveries.view import DiscoveriesView
from engine.players import Thumb

LIKES: dict[type[Command], float] = {
    Cross: 9.0, Write: 8.0, Lay: 7.0, RestOwn: 5.0, Rest: 4.0, Turning: 3.0, End: 2.0, RestNone: 0.0,
}  # fmt: skip


def likes(view: DiscoveriesView, seat: int, command: Command) -> float:  # noqa: ARG001 - the signature of all games
    """Take all own dice or none; choices that a command leaves open come at once."""
    some = isinstance(command, RestOwn) and command.places is not None
    return 0.0 if some else LIKES.get(type(command), 6.0)


THUMB = Thumb(likes)
