"""How the camp is laid out, how a turn ends, and who is next.

Cards are refilled at the turn's end; dice are thrown when they arrive (`throwing`).
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

IN_PLAY = {2: 30, 3: 40, 4: 50}  # cards, by seats
OPEN = 3  # tribes in the Camp, and territories


class Deck:
    """Cards below the open one, as they are drawn: any of them is as likely as another."""

    def __init__(self, turn: Turn, cards: tuple[int, ...], top: int = 0) -> None:
        self._turn = turn
        self._rest = list(cards)
        self.top = top

    def draw(self) -> int:
        """A card from below; 0 if there is none."""
        return self._rest.pop(self._turn.chance.roll(len(self._rest))) if self._rest else 0

    def next(self) -> int:
        """The open card, under which the next one comes to light."""
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
    """After each first card the Territories are filled up; after the last one all throw their dice."""
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
    """First the Encounters, then the Territories, from the open card on."""
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
    """What came to light last lies open on the deck."""
    turn.emit(CardOpened(top) if top else DeckUsedUp())


def _fill(deck: Deck, missing: int) -> tuple[int, ...]:
    cards: list[int] = []
    while len(cards) < missing and deck.top:
        cards.append(deck.next())
    return tuple(cards)


def end_turn(turn: Turn, seat: int) -> None:
    """Cards, and then the same seat again, the next one, or nobody."""
    _fill_zone(turn, seat)
    refill(turn)
    _pass_on(turn, seat)


def _fill_zone(turn: Turn, seat: int) -> None:
    """Whoever found the Territories empty while the deck was not gets the open card before anything else is filled."""
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
