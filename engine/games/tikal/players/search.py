"""Fair and strong: a look ahead over the own turn, narrow with slips or wide, and bids by what tiles are worth."""

from __future__ import annotations

from functools import partial
from typing import Any

from engine.game import Command, State
from engine.games.tikal.commands import Place, Swap, Walk
from engine.games.tikal.components import TENTS
from engine.games.tikal.players.bids import Bidding
from engine.games.tikal.players.easy import EASY
from engine.games.tikal.players.evaluate import worth
from engine.games.tikal.players.imagine import imagine
from engine.games.tikal.state import Site, TikalState
from engine.players import Beam, Noisy, Rng
from engine.players.unseen import shuffled

PLACES = 40  # ways to lay the tile that strong looks at; there may be 150
FEW_PLACES = 12  # and fair
SLIPS = 0.2  # of fair's answers, so that it misses something; without any it lost no game of 58 to easy


def prune(
    state: State, seat: int, commands: tuple[Command, ...], rng: Rng, places: int = PLACES
) -> tuple[Command, ...]:
    """A part of the ways to lay the tile, walks to where something is to be had, swaps that gain a pair or three."""
    if commands and isinstance(commands[0], Place):
        return commands if len(commands) <= places else tuple(shuffled(commands, rng)[:places])
    return tuple(command for command in commands if _has_a_point(state, seat, command))


def _has_a_point(state: Any, seat: int, command: Command) -> bool:
    if isinstance(command, Walk):
        return _offers(state.laid(command.goal), state.players[seat].tents)
    return not isinstance(command, Swap) or command.theirs in state.players[seat].treasures


def _offers(site: Site, tents: int) -> bool:
    """A temple that nobody guards, treasures, or ground for a camp."""
    if site.kind == "temple":
        return site.guard is None
    return site.treasures > 0 or (0 < tents <= TENTS and site.tent is None and site.kind in ("clearing", "ruins"))


def passed(before: TikalState, after: TikalState) -> bool:
    """A turn or a scoring turn is over when its frame is gone; a choice only leads to one."""
    return before.doing in ("turn", "scoring") and before.frames != after.frames


NARROW = Beam(imagine, worth, width=1, samples=2, prune=partial(prune, places=FEW_PLACES), passed=passed)
WIDE = Beam(imagine, worth, width=4, samples=4, prune=prune, passed=passed)
FAIR = Noisy(Bidding(NARROW, share=0.5), SLIPS, EASY)
STRONG = Bidding(WIDE, share=0.5)
