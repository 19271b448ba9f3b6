"""The journal of encounters: when cards leave, the others slide down and new ones enter beside the deck."""

from __future__ import annotations

from engine.game import Turn
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.components import JOURNAL_FUR
from engine.games.lewis_clark.events import DeckRenewed, JournalLaid, JournalLeft, JournalRefilled
from engine.games.lewis_clark.state import LewisClarkState


def lay(turn: Turn) -> None:
    """Lay the first five, the weakest beside the gulf; cards of equal strength in the order of drawing."""
    drawn = turn.chance.sample(turn.state.deck, len(JOURNAL_FUR))
    turn.emit(JournalLaid(tuple(sorted(drawn, key=lambda card: CARDS[card].strength))))


def refill(turn: Turn) -> None:
    """Draw up to five cards; an empty deck is renewed once from the discards, and may still leave the journal short."""
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
    """Make a new deck of the discards; roles have other backs and stay among the discards."""
    cards = tuple(card for card, n in turn.state.discards.rest if CARDS[card].number for _ in range(n))
    if cards:
        turn.emit(DeckRenewed(cards))


def drop_cheapest(turn: Turn) -> None:
    """Discard the card beside the gulf."""
    state: LewisClarkState = turn.state
    if state.journal:
        turn.emit(JournalLeft(state.journal[:1]))
    refill(turn)


def renew(turn: Turn) -> None:
    """Discard all cards and lay five new ones in the order of drawing."""
    if turn.state.journal:
        turn.emit(JournalLeft(turn.state.journal))
    refill(turn)
