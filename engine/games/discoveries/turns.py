"""How the Camp is laid out, how a turn ends, and who is next.

Cards are refilled at the end of a turn; dice are rolled when they arrive (`throwing`).
"""

from __future__ import annotations

from engine.game import Turn
from engine.games.discoveries.cards import EXPLORERS
from engine.games.discoveries.dice import COLOURS, GREYS, PER_COLOUR
from engine.games.discoveries.events import (
    CampLaidOut,
    CardOpened,
    ChoicePassed,
    DeckUsedUp,
    ExtraTurn,
    SetOut,
    TerritoriesOpened,
    TribesArrived,
    TurnEnded,
    ZoneFilled,
)
from engine.games.discoveries.meta import REDRAWS
from engine.games.discoveries.scoring import finish
from engine.games.discoveries.state import DiscoveriesState
from engine.games.discoveries.throwing import throw

IN_PLAY = {2: 30, 3: 40, 4: 50}  # cards, by number of seats
OPEN = 3  # tribes in the Camp, and cards in the Territories


class Deck:
    """The cards below the top one. They have no order: each is drawn with equal chance when it comes to light."""

    def __init__(self, turn: Turn, cards: tuple[int, ...], top: int = 0) -> None:
        self._turn = turn
        self._rest = list(cards)
        self.top = top

    def draw(self) -> int:
        """Draw a card from below; 0 if none is left."""
        return self._rest.pop(self._turn.chance.roll(len(self._rest))) if self._rest else 0

    def next(self) -> int:
        """Take the top card and turn up the next one."""
        card, self.top = self.top, self.draw()
        return card

    def back(self, cards: tuple[int, ...]) -> None:
        self._rest = sorted((*self._rest, *cards))


def lay_out(turn: Turn, seats: int, first_game: bool) -> None:
    deck = Deck(turn, turn.state.deck)
    removed = tuple(sorted(deck.draw() for _ in range(len(turn.state.deck) - IN_PLAY[seats])))
    encounters = tuple(deck.draw() for _ in range(OPEN))
    for _ in range(REDRAWS if first_game else 0):
        if any(card in EXPLORERS for card in encounters):
            break
        deck.back(encounters)
        encounters = tuple(deck.draw() for _ in range(OPEN))
    territories = tuple(deck.draw() for _ in range(OPEN))
    turn.emit(CampLaidOut(removed, encounters, territories, deck.draw(), GREYS[seats]))


def pass_choice(turn: Turn, seat: int) -> None:
    """Fill the Territories after each first card; after the last one all players roll their dice."""
    refill(turn)
    state: DiscoveriesState = turn.state
    following = (seat + 1) % state.seats
    if following != state.starter:
        turn.emit(ChoicePassed(following))
        return
    for each in state.order():
        throw(turn, each, (COLOURS[each],) * PER_COLOUR)
    turn.emit(SetOut(state.starter))


def refill(turn: Turn) -> None:
    """Fill the Encounters first, then the Territories, from the top card on."""
    state: DiscoveriesState = turn.state
    if len(state.encounters) == len(state.territories) == OPEN:
        return
    deck = Deck(turn, state.deck, state.top)
    encounters = _fill(deck, OPEN - len(state.encounters))
    territories = _fill(deck, OPEN - len(state.territories))
    if encounters:
        turn.emit(TribesArrived(encounters))
    if territories:
        turn.emit(TerritoriesOpened(territories))
    if encounters or territories:
        _open(turn, deck.top)


def _open(turn: Turn, top: int) -> None:
    """Show the new top card of the deck."""
    turn.emit(CardOpened(top) if top else DeckUsedUp())


def _fill(deck: Deck, missing: int) -> tuple[int, ...]:
    cards: list[int] = []
    while len(cards) < missing and deck.top:
        cards.append(deck.next())
    return tuple(cards)


def end_turn(turn: Turn, seat: int) -> None:
    """Fill up the cards, then pass on to the same seat, the next one, or nobody."""
    _fill_zone(turn, seat)
    refill(turn)
    _pass_on(turn, seat)


def _fill_zone(turn: Turn, seat: int) -> None:
    """Give the top card to a seat that found the Territories empty, before anything else is filled."""
    state: DiscoveriesState = turn.state
    if state.top and not state.choosing and not state.players[seat].exploring:
        deck = Deck(turn, state.deck, state.top)
        card = deck.next()
        turn.emit(ZoneFilled(seat, card))
        _open(turn, deck.top)


def _pass_on(turn: Turn, seat: int) -> None:
    state: DiscoveriesState = turn.state
    if state.last == ():
        finish(turn)
    elif len(state.doing.crossed) == 2 and state.last is None:
        turn.emit(ExtraTurn(seat))
    elif state.last is None:
        turn.emit(TurnEnded(seat, (seat + 1) % state.seats))
    else:
        turn.emit(TurnEnded(seat, state.last[0], state.last[1:]))
