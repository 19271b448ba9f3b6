"""Points at the end of a round and of the game, elimination, and the result."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Outcome, Standing, Turn
from engine.games.livingstone.components import GEMS, ROWS
from engine.games.livingstone.events import (
    AnimalsSeen,
    CardPlayed,
    ChestOpened,
    ColumnScored,
    DonationRolled,
    Eliminated,
    GameEnded,
    GemsCounted,
    GemsSold,
    HandShown,
    RowScored,
)
from engine.games.livingstone.state import HEADINGS, LivingstoneState
from engine.games.livingstone.stones import draw_stones
from engine.kit import ranked

DONATION_DICE = 4


def score_column(turn: Turn) -> None:
    """Score each tent in the steamer's column for its row."""
    state: LivingstoneState = turn.state
    for seat, player in enumerate(state.players):
        rows = [square % 10 for square in player.tents if square // 10 == state.here]
        if rows:
            turn.emit(ColumnScored(seat, state.here, sum(state.edition.tent_points[row - 1] for row in rows)))


def finish(turn: Turn) -> None:
    """End the game in one step: cards, rows, gems, chests."""
    _show_hands(turn)
    for seat in _from_first(turn.state):
        _play_out(turn, seat)
    _score_rows(turn)
    _count_gems(turn)
    _open_chests(turn)
    turn.emit(GameEnded("waterfall"))


def _from_first(state: LivingstoneState) -> Iterator[int]:
    """Return the seats that have not resigned, in the order of the last round."""
    order = ((state.first + step) % state.seats for step in range(state.seats))
    return (seat for seat in order if seat in state.staying)


def _show_hands(turn: Turn) -> None:
    for seat, player in enumerate(turn.state.players):
        if player.hand:
            turn.emit(HandShown(seat, player.hand))


# --- cards at the end: played for everybody, since they can only gain ------------------------------------------------


def _play_out(turn: Turn, seat: int) -> None:
    for card in turn.state.players[seat].hand:
        if card == "cave":
            turn.emit(CardPlayed(seat, card))
            draw_stones(turn, seat, turn.state.edition.cave_stones)
    _sell_out(turn, seat)
    for card in turn.state.players[seat].hand:
        points = animal_points(turn.state, card)
        if points:
            turn.emit(CardPlayed(seat, card))
            turn.emit(AnimalsSeen(seat, points))


def _sell_out(turn: Turn, seat: int) -> None:
    """Sell at the market, given its card, the gems that bring more points there than unsold."""
    state: LivingstoneState = turn.state
    edition, player = state.edition, state.players[seat]
    better = [gem for gem in range(len(GEMS)) if player.gems[gem] and edition.market_points[gem] > edition.gem_points]
    if "market" not in player.hand or not better:
        return
    turn.emit(CardPlayed(seat, "market"))
    for gem in better:
        turn.emit(market_sale(state, seat, gem, player.gems[gem]))


def market_sale(state: LivingstoneState, seat: int, gem: int, count: int) -> GemsSold:
    edition = state.edition
    coins, points = count * edition.market_coins[gem], count * edition.market_points[gem]
    return GemsSold(seat, count, GEMS[gem], coins, points, market=True)  # type: ignore[arg-type]  # GEMS holds the Gem words


def animal_points(state: LivingstoneState, card: str) -> int:
    """Return the points of an animal card; 0 for any other card."""
    edition = state.edition
    animals = {"lion": edition.lion_points, "rhino": edition.rhino_points, "antelope": edition.antelope_points}
    return animals.get(card, 0)


# --- rows, gems, chests ---------------------------------------------------------------------------------------------


def _score_rows(turn: Turn) -> None:
    for row in range(1, ROWS + 1):
        for seat, points in majority(turn.state, row):
            turn.emit(RowScored(seat, row, points))


def majority(state: LivingstoneState, row: int) -> tuple[tuple[int, int], ...]:
    """Return (seat, points) for the most tents in a row; a tie is shared, rounded down. Resigned seats do not count."""
    tents = {seat: sum(square % 10 == row for square in state.players[seat].tents) for seat in state.staying}
    most = max(tents.values())
    leaders = [seat for seat, count in tents.items() if count == most]
    share = state.edition.majorities[row - 1] // len(leaders)
    return tuple((seat, share) for seat in leaders) if most and share else ()


def _count_gems(turn: Turn) -> None:
    for seat, player in enumerate(turn.state.players):
        points = sum(player.gems) * turn.state.edition.gem_points
        if points:
            turn.emit(GemsCounted(seat, points))


def _open_chests(turn: Turn) -> None:
    needed = _roll_donation(turn) if turn.state.seats == 2 else None
    for seat, player in enumerate(turn.state.players):
        turn.emit(ChestOpened(seat, player.chest))
    for seat in too_little(turn.state, needed):
        turn.emit(Eliminated(seat))


def _roll_donation(turn: Turn) -> int:
    dice = tuple(turn.chance.die(6) for _ in range(DONATION_DICE))
    turn.emit(DonationRolled(dice, sum(dice)))
    return sum(dice)


def too_little(state: LivingstoneState, needed: int | None) -> tuple[int, ...]:
    """Return the seats that are out: those below `needed`; without it the lowest chests, unless all are equal."""
    chests = {seat: state.players[seat].chest for seat in state.staying}
    if needed is not None:
        return tuple(seat for seat, coins in chests.items() if coins < needed)
    if len(set(chests.values())) == 1:
        return ()
    return tuple(seat for seat, coins in chests.items() if coins == min(chests.values()))


def outcome(state: LivingstoneState) -> Outcome | None:
    """Rank by points, then by donation; seats that are out share the last place. If all are out, nobody wins."""
    if not state.over:
        return None
    places = ranked({s: (p.total, p.chest) for s, p in enumerate(state.players) if s not in state.out})
    last = (state.out,) if state.out else ()
    return Outcome(places=(*places, *last), points=_points(state), out=state.out, won=bool(places), reason=state.over)


def standing(state: LivingstoneState) -> Standing:
    """Rank by points alone, since the chests are still closed."""
    return Standing(places=ranked({s: p.total for s, p in enumerate(state.players)}), points=_points(state))


def _points(state: LivingstoneState) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((name, tuple(player.points[at] for player in state.players)) for at, name in enumerate(HEADINGS))
