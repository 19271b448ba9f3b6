"""A rule of thumb: use an action as often as it goes, play cards while there are any, and camp when nothing is left."""

from __future__ import annotations

from engine.game import Command
from engine.games.lewis_clark.acts import Copy, Discard, Gather, Invite, Use
from engine.games.lewis_clark.commands import Camp, Concede, End, Indians, Play, Recruit, Stop, Under, Village
from engine.games.lewis_clark.players.evaluate import KEEP
from engine.games.lewis_clark.view import LewisClarkView
from engine.players import Thumb

LIKES: dict[type[Command], float] = {
    Use: 12.0, Gather: 11.0, Invite: 10.0, Copy: 9.0, Recruit: 8.0, Play: 7.0, Under: 7.0, Indians: 6.0, Village: 5.0,
    End: 4.0, Stop: 3.0, Camp: 2.0, Discard: 1.0, Concede: -9.0,
}  # fmt: skip


def likes(view: LewisClarkView, seat: int, command: Command) -> float:  # noqa: ARG001 - the signature of all games
    """Take everything, and keep the cards that a game needs."""
    given = getattr(command, "discard", None) or (command.card if isinstance(command, Discard) else None)
    less = getattr(command, "only", None) is not None
    return LIKES[type(command)] - 0.5 * less - 20.0 * (given in KEEP)


THUMB = Thumb(likes)
