"""The levels: easy plans one turn with many slips, fair with few; strong looks further ahead."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.game import Command
from engine.games.lewis_clark.acts import Copy, Discard, Gather, Invite, Use
from engine.games.lewis_clark.commands import Camp, Concede, End, Indians, Play, Recruit, Stop, Under, Village
from engine.games.lewis_clark.players.evaluate import KEEP, Mind, parts, worth
from engine.games.lewis_clark.players.plan import Planning
from engine.games.lewis_clark.state import LewisClarkState
from engine.games.lewis_clark.view import LewisClarkView
from engine.players import Facts, Noisy, Part, Policy, Rng, Sensible

SLIPS = 0.34  # of easy's moves
FEW_SLIPS = 0.05  # of fair's
LATE = 200  # the turn from which every level searches, so that every game ends well before the cap
WEIGHTS: dict[type[Command], float] = {
    Play: 3.0,
    Village: 2.0,
    Under: 2.0,
    Indians: 2.0,
    Use: 3.0,
    Copy: 2.0,
    Gather: 3.0,
    Invite: 2.0,
    Discard: 0.3,
    Stop: 0.3,
    Recruit: 1.0,
    Camp: 1.0,
    End: 3.0,
    Concede: 0.0,
}


def weight(view: LewisClarkView, seat: int, command: Command) -> float:  # noqa: ARG001 - the signature of all games
    """Return the weight of a command at a glance: act, take everything, keep the cards that a game needs."""
    whole = getattr(command, "only", None) is None
    return WEIGHTS[type(command)] * (1.0 if whole else 0.1) * (0.0 if _given_up(command) in KEEP else 1.0)


def _given_up(command: Command) -> str | None:
    """Return the card that leaves for good. An easy player without the Interpreter stood still for 30 turns."""
    return command.card if isinstance(command, Discard) else getattr(command, "discard", None)


ALONE = Mind(
    mountain=3.6, food=0.6, canoe=1.2, horse=3.0, ready=(0.3, 0.15, 1.0), aboard=(1.4, 1.4, 1.2, 0.6, 0.25), spent=0.35,
    load=0.7, kept=8, ahead=4,
)  # fmt: skip


class Slipping(Policy):
    """The plan for this turn, with slips; late in the game the search, with a few.

    A plan for one turn may lead back to where it was a camp ago, again and again; only a slip leads out.
    """

    def __init__(self, share: float, late: float) -> None:
        self.early, self.late = slipping(PLAN, share), slipping(STRONG, late)

    def line(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> tuple[Command, ...]:
        return (self.late if view.turns >= LATE else self.early).line(facts, view, legal, rng)


def slipping(policy: Policy, share: float) -> Policy:
    return Noisy(policy, share, Sensible(weight))


FAR = Mind(ahead=4)


def shrewd(state: LewisClarkState, seat: int) -> float:
    """Judge a position of a race against others as strong does."""
    return worth(state, seat, FAR)


def shrewd_parts(state: LewisClarkState, seat: int) -> tuple[Part, ...]:
    """Return the parts of that judgement."""
    return parts(state, seat, FAR)


PLAN = Planning(Mind(), replace(ALONE, ahead=2))
STRONG = Planning(FAR, ALONE)
EASY, FAIR, ADVICE = Slipping(SLIPS, FEW_SLIPS), Slipping(FEW_SLIPS, FEW_SLIPS), Slipping(0.0, 0.0)
