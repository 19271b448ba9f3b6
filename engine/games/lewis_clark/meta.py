"""Facts about Lewis & Clark, readable without its rules."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta as Bounds

from engine.errors import BadRecord
from engine.game import Meta, Options
from engine.kit import said

CAP = 400  # turns of all seats together; purposeful games with five players have 120 to 240

# The setup draws who begins and five cards for the journal. A turn draws at most one for recruiting and, by three
# activations that each lead to one farewell, fifteen more.
DRAWS = 1 + 5 + 16 * CAP


BADGES = {"true": "", "false": "badges of face-down cards do not count"}
ANEW = {"true": "who camps on the lowest space begins anew", "false": ""}
COVERED = {"open": "face-down cards open", "hidden": "face-down cards hidden"}


class LewisClarkOptions(Options, frozen=True):
    """What the creator of a game chooses.

    With `face_down_badges`, cards laid face down under others show a badge too. With `start_over`, whoever camps on the
    lowest space begins anew with the six roles only. `level` is Mackenzie's start above Saint Louis, in a game of one.
    `covered`: with `hidden`, others see no more of a card laid face down than its back, strength and badge.
    """

    face_down_badges: Annotated[bool, said("Badges of cards laid face down count", BADGES)] = True
    start_over: Annotated[bool, said("Who camps on the lowest space begins anew (the author's erratum)", ANEW)] = False
    level: Annotated[int, Bounds(ge=0, le=7), said("Mackenzie's lead in spaces", seats=1)] = 0
    covered: Annotated[Literal["open", "hidden"], said("Cards laid face down", COVERED)] = "open"

    def check(self, seats: int) -> None:
        if self.level and seats > 1:
            raise BadRecord("bad-options", "`level` is Mackenzie's start, and he races against one player only")


META = Meta(
    key="lewis_clark",
    title="Lewis & Clark: The Expedition",
    designers=("Cédrick Chaboussit",),
    year=2013,
    seats=(1, 5),
    options=LewisClarkOptions,
    rules=(1, 1),
    stage="beta",
    cap=CAP,
    draws=DRAWS,
)
