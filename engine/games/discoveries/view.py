"""What anybody may see: everything but the order of the cards below the open one, which does not exist.

Journals are shown, too: every card in them was taken in the open, so a careful reader of the log knows them.
"""

from __future__ import annotations

from engine.game import Value, View
from engine.games.discoveries.cards import Card
from engine.games.discoveries.dice import COLOURS
from engine.games.discoveries.scoring import points_by, tipis
from engine.games.discoveries.state import Action, DiscoveriesState, Doing, Owed
from engine.kit import Supply


class SeenPlayer(Value, frozen=True, kw_only=True):
    """`greys` counts the grey dice in the reserve and on actions; points and tipis are as they stand now."""

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


def view(state: DiscoveriesState) -> DiscoveriesView:
    return DiscoveriesView(
        turns=state.turns,
        seat=state.seat,
        choosing=state.choosing,
        doing=state.doing,
        owed=state.owed,
        last=state.last,
        players=tuple(_seen(state, seat) for seat in range(state.seats)),
        encounters=state.encounters,
        territories=state.territories,
        top=state.top,
        deck=state.deck,
        removed=state.removed,
        stock=state.stock,
        right=state.right,
        left=state.left,
        cards=tuple(state.edition.card(number) for number in sorted(_open_cards(state))),
    )


def _seen(state: DiscoveriesState, seat: int) -> SeenPlayer:
    player = state.players[seat]
    return SeenPlayer(
        colour=COLOURS[seat],
        reserve=player.reserve,
        actions=player.actions,
        tribes=player.tribes,
        reserved=player.reserved,
        exploring=player.exploring,
        journal=player.journal,
        greys=state.greys(seat),
        points=tuple((heading, row[seat]) for heading, row in points_by(state)),
        tipis=tipis(state, seat),
        gone=seat in state.gone,
    )


def _open_cards(state: DiscoveriesState) -> set[int]:
    found = {*state.encounters, *state.territories, state.top}
    for player in state.players:
        found |= {*player.tribes, *player.journal, player.exploring, *(card for _, card in player.reserved)}
    return found - {0}
