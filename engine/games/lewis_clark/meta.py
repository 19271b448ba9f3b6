"""Facts about Lewis & Clark, readable without its rules."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta as Bounds

from engine.errors import BadRecord
from engine.game import Meta, Options
from engine.kit import said

CAP = 400  # turns of all seats together; purposeful games with five players have 120 to 240

# The setup draws the first player and five cards for the journal. A turn draws at most one card for a recruit and, with
# three activations that each lead to one Farewell, fifteen more.
DRAWS = 1 + 5 + 16 * CAP


BADGES = {"true": "", "false": "badges of cards laid face down do not count"}
ANEW = {"true": "a camp on the lowest space starts the expedition anew", "false": ""}
COVERED = {"open": "everybody sees face-down cards", "hidden": "face-down cards are secret"}


class LewisClarkOptions(Options, frozen=True):
    """The choices of a table's creator.

    `face_down_badges`: badges of cards laid face down under others count when collecting. `start_over`: an expedition
    that camps on the lowest space starts anew with only the six roles. `level`: Mackenzie's head start in spaces, for
    one player. `covered`: with `hidden`, others see only the back of a card laid face down.
    """

    face_down_badges: Annotated[bool, said("Count badges of cards laid face down", BADGES)] = True
    start_over: Annotated[bool, said("Start anew after camping on the lowest space (designer's erratum)", ANEW)] = False
    level: Annotated[int, Bounds(ge=0, le=7), said("Mackenzie's head start in spaces", seats=1)] = 0
    covered: Annotated[Literal["open", "hidden"], said("Cards laid face down", COVERED)] = "open"

    def check(self, seats: int) -> None:
        if self.level and seats > 1:
            raise BadRecord("bad-options", "`level` is Mackenzie's head start, for one player only; leave it out here")


META = Meta(
    key="lewis_clark",
    title="Lewis & Clark: The Expedition",
    designers=("Cédrick Chaboussit",),
    year=2013,
    seats=(1, 5),
    options=LewisClarkOptions,
    rules=(1, 4),
    stage="beta",
    cap=CAP,
    draws=DRAWS,
)
