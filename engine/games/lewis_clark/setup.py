"""The setup of a game, its outcome and its standing."""

from __future__ import annotations

from engine.game import Outcome, Standing, Turn
from engine.games.lewis_clark import components, journal, solo
from engine.games.lewis_clark.cards import ENCOUNTERS, ROLES
from engine.games.lewis_clark.events import Prepared, Started
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import LewisClarkState, counted
from engine.kit import draw_first, ranked


def set_up(turn: Turn, seats: int, options: LewisClarkOptions) -> None:
    turn.emit(Started(turn.rules, seats, options))
    draw_first(turn)
    turn.emit(
        Prepared(
            hand=tuple(sorted(role.id for role in ROLES)),
            goods=counted(components.START_GOODS),
            indians=components.START_INDIANS,
            newcomers=components.START_NEWCOMERS,
            stock=components.stock(seats),
            deck=tuple(card.id for card in ENCOUNTERS),
            boats=tuple(f"{components.TILES_OF_A_KIND} {load}" for load in ("goods", "indians")),
            mackenzie=solo.start(options.level) if seats == 1 else None,
        )
    )
    journal.lay(turn)


def outcome(state: LewisClarkState) -> Outcome | None:
    """Return the winner's first place with the others below it, or a game that nobody has won.

    The others are placed by their way; under rules version 1 they all share second place.
    """
    if not state.over:
        return None
    seats = tuple(range(state.seats))
    if state.winner is None:
        return Outcome(places=(seats,), out=seats, won=False, reason=state.over)
    way = _way(state)
    del way[state.winner]
    others = ranked(way if state.rules >= 2 else dict.fromkeys(way, 0))
    return Outcome(places=((state.winner,), *others), reason=state.over)


def standing(state: LewisClarkState) -> Standing:
    """Return the ranking when nobody has reached the Pacific: by camp, then by scout."""
    return Standing(places=ranked(_way(state)), won=state.mackenzie is None)


def _way(state: LewisClarkState) -> dict[int, tuple[int, int]]:
    return {seat: (player.camp, player.scout) for seat, player in enumerate(state.players)}
