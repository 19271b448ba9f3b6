"""Facts about Lewis & Clark for the conformance suite, beyond the contract."""

from collections import Counter

from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import LewisClarkState
from tests.games.lewis_clark.test_refusals import CODES

variants = {
    "other": LewisClarkOptions(face_down_badges=False, start_over=True),
    "covered": LewisClarkOptions(covered="hidden"),
}
pairs = 1  # of twins for each watcher: one has more than a thousand steps


def pieces(state: LewisClarkState) -> object:
    """Return cards by name, Indians, and boat tiles by kind; goods have an unlimited stock."""
    cards = Counter(dict(state.deck.rest)) + Counter(dict(state.discards.rest)) + Counter(state.journal)
    tiles = Counter(dict(state.boats.rest))
    indians = state.stock + state.village.total
    for player in state.players:
        cards += Counter(player.cards)
        tiles += Counter(tile.partition("-")[0] for tile in player.tiles)
        indians += player.indians + player.on_cards
    return sorted(cards.items()), sorted(tiles.items()), indians


def refused() -> set[str]:
    """Return the codes that random games seldom meet; test_refusals has a case of each."""
    return CODES


def paid(before: LewisClarkState, after: LewisClarkState, seat: int) -> str:
    """Return the fur and the equipment that a seat gave, in words."""
    had, has = before.players[seat].goods, after.players[seat].goods
    given = ((had.count(good) - has.count(good), good) for good in ("fur", "equipment"))
    return " and ".join(f"{n} {good}" for n, good in given if n)
