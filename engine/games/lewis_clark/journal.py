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
    """Draw until five lie there, or neither deck nor discards hold a character: at most five draws."""
    drawn: list[str] = []
    missing = len(JOURNAL_FUR) - len(turn.state.journal)
    if missing > turn.state.deck.total:
        drawn += _draw_rest(turn)
        missing -= len(drawn)
    _draw(turn, min(missing, turn.state.deck.total))


def _draw_rest(turn: Turn) -> tuple[str, ...]:
    """The rest of the deck comes first; then the discarded characters are the deck."""
    drawn = _draw(turn, turn.state.deck.total)
    back = tuple(card for card, n in turn.state.discards.rest if CARDS[card].number for _ in range(n))
    if back:
        turn.emit(DeckRenewed(back))
    return drawn


def _draw(turn: Turn, n: int) -> tuple[str, ...]:
    drawn: tuple[str, ...] = turn.chance.sample(turn.state.deck, n)
    if drawn:
        turn.emit(JournalRefilled(drawn))
    return drawn


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
