"""What anybody may see: everything but the order of the cards below the open one, which does not exist.

Journals are shown, too: every card in them was taken in the open, so a careful reader of the log knows them.
"""

from __future__ import annotations

from engine.game import Value, View
from engine.games.discoveries.cards import Card
from engine.games.discoveries.state import Action, DiscoveriesState, Doing, Owed
from engine.kit import Supply


class SeenPlayer(Value, frozen=True, kw_only=True):
    """`greys` counts the grey dice that decide who must give one; points and tipis are as they stand now."""

    colour: str
    reserve: Supply
    actions: tuple[Action, ...]
    tribes: tuple[int, ...]
    reserved: tuple[tuple[int, int], ...]
    exploring: int
    journal: tuple[int, ...]
    greys: int
    points: tuple[tuple[str, int], ...]  # (heading, points)
    tipis: int
    gone: bool


class DiscoveriesView(View, frozen=True, kw_only=True):
    """`cards` are all that lie open, by number: what the numbers elsewhere mean."""

    over: str
    turns: int
    seat: int
    choosing: bool
    doing: Doing
    owed: tuple[Owed, ...]
    last: tuple[int, ...] | None  # seats that still have a turn; None while nobody has finished
    players: tuple[SeenPlayer, ...]
    encounters: tuple[int, ...]
    territories: tuple[int, ...]
    top: int
    deck: tuple[int, ...]
    removed: tuple[int, ...]
    stock: int
    right: Supply
    left: Supply
    cards: tuple[Card, ...]

    def card(self, number: int) -> Card:
        return next(card for card in self.cards if card.number == number)
