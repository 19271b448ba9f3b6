"""The journal of encounters: cards leave it, the others slide down, new ones enter beside the deck."""

from __future__ import annotations

from engine.game import Turn
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.components import JOURNAL_FUR
from engine.games.lewis_clark.events import DeckRenewed, JournalLaid, JournalLeft, JournalRefilled
from engine.games.lewis_clark.state import LewisClarkState


def lay(turn: Turn) -> None:
    """The first five, the weakest beside the gulf; cards of one strength lie in the order of drawing."""
    drawn = turn.chance.sample(turn.state.deck, len(JOURNAL_FUR))
    turn.emit(JournalLaid(tuple(sorted(drawn, key=lambda card: CARDS[card].strength))))


def refill(turn: Turn) -> None:
    """Draw until five lie there; an empty deck is made of the discards once, and if that is not enough, fewer lie."""
    _draw(turn)
    if _missing(turn.state):
        _renew_deck(turn)
        _draw(turn)


def _missing(state: LewisClarkState) -> int:
    return len(JOURNAL_FUR) - len(state.journal)


def _draw(turn: Turn) -> None:
    drawn = turn.chance.sample(turn.state.deck, min(_missing(turn.state), turn.state.deck.total))
    if drawn:
        turn.emit(JournalRefilled(drawn))


def _renew_deck(turn: Turn) -> None:
    """The deck is empty. Roles have other backs and stay among the discards."""
    cards = tuple(card for card, n in turn.state.discards.rest if CARDS[card].number for _ in range(n))
    if cards:
        turn.emit(DeckRenewed(cards))


def drop_cheapest(turn: Turn) -> None:
    """The card beside the gulf leaves."""
    state: LewisClarkState = turn.state
    if state.journal:
        turn.emit(JournalLeft(state.journal[:1]))
    refill(turn)


def renew(turn: Turn) -> None:
    """All cards leave, and five new ones lie in the order of drawing."""
    if turn.state.journal:
        turn.emit(JournalLeft(turn.state.journal))
    refill(turn)
