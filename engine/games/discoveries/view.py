"""The view, which is the same for everybody. Only the order of the deck is unknown: it does not exist yet.

Journals are shown too: every card in them was taken in the open, so a careful reader of the log knows them.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Value, View
from engine.games.discoveries.cards import Card
from engine.games.discoveries.dice import COLOURS
from engine.games.discoveries.phases import active, phase
from engine.games.discoveries.scoring import points_by, tipis
from engine.games.discoveries.state import Action, DiscoveriesState, Doing, Owed
from engine.kit import Supply, allowed, format_command


class SeenPlayer(Value, frozen=True, kw_only=True):
    """One player. `greys` and `dice` count dice in the reserve and on actions; points and tipis are current."""

    colour: str
    reserve: Supply
    actions: tuple[Action, ...]
    tribes: tuple[int, ...]
    reserved: tuple[tuple[int, int], ...]
    exploring: int
    journal: tuple[int, ...]
    greys: int
    dice: int  # of all colours: breaks ties in points
    points: tuple[tuple[str, int], ...]  # (heading, points)
    tipis: int
    gone: bool


class DiscoveriesView(View, frozen=True, kw_only=True):
    """The whole position. `cards` are all cards of the edition, by number: the values behind all other numbers.

    `examples` are legal commands with their seat, one of each kind.
    """

    turns: int
    seat: int
    choosing: bool
    doing: Doing
    owed: tuple[Owed, ...]
    last: tuple[int, ...] | None  # seats with a turn left; None while nobody has finished
    players: tuple[SeenPlayer, ...]
    encounters: tuple[int, ...]
    territories: tuple[int, ...]
    top: int
    deck: tuple[int, ...]
    removed: tuple[int, ...]
    stock: int
    right: Supply
    left: Supply
    edition: str
    cards: tuple[Card, ...]
    examples: tuple[tuple[int, str], ...]

    def card(self, number: int) -> Card:
        return self.cards[number - 1]


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
        edition=state.edition.name,
        cards=state.edition.cards,
        examples=tuple(_examples(state)),
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
        dice=state.dice(seat),
        points=tuple((heading, row[seat]) for heading, row in points_by(state)),
        tipis=tipis(state, seat),
        gone=seat in state.gone,
    )


def _examples(state: DiscoveriesState) -> Iterator[tuple[int, str]]:
    """One legal command of each kind, for every active seat."""
    for seat in active(state):
        for kind in phase(state, seat):
            first = next(allowed((kind,), state, seat), None)
            if first is not None:
                yield seat, format_command(first)
