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
    """Return the winner's first place with all others second, or a game that nobody has won."""
    if not state.over:
        return None
    seats = tuple(range(state.seats))
    if state.winner is None:
        return Outcome(places=(seats,), out=seats, won=False, reason=state.over)
    others = tuple(seat for seat in seats if seat != state.winner)
    return Outcome(places=((state.winner,), others) if others else ((state.winner,),), reason=state.over)


def standing(state: LewisClarkState) -> Standing:
    """Return the ranking when nobody has reached the Pacific: by camp, then by scout."""
    way = {seat: (player.camp, player.scout) for seat, player in enumerate(state.players)}
    return Standing(places=ranked(way), won=state.mackenzie is None)
