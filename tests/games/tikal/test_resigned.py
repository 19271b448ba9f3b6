"""Seats that have resigned: the clock plays them in sales, with a volcano in hand, and in the middle of a turn."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import replay
from engine.game import Turn
from engine.games.tikal import game
from engine.games.tikal.events import SaleWon, Scored, Sold, TileChosen, TilePlaced
from engine.games.tikal.state import TikalState
from engine.kit import active, parse
from tests.games.tikal.positions import AUCTION, OPEN, begun, holding, play, position
from tests.games.tikal.test_auction import seal, with_sale
from tests.kit.worlds import told, turn_at


def resigned(state: TikalState, seat: int) -> Turn:
    """Resign the seat, and let the clock play it as long as it is to act."""
    turn = turn_at(state, "rules")
    replay.resign(game, turn, seat)
    return clock(turn)


def clock(turn: Turn) -> Turn:
    while gone := [seat for seat in active(game, turn.state) if seat in turn.state.gone]:
        replay.expire(game, turn, gone[0])
    return turn


def moved(state: TikalState, seat: int, text: str) -> Turn:
    """Play a move and what the clock plays after it."""
    turn = turn_at(state, "rules")
    replay.move(game, turn, seat, parse(game, text))
    return clock(turn)


def test_the_clock_ends_the_turn_of_a_seat_that_resigns() -> None:
    """A tile in hand is laid, and nothing else happens."""
    state = holding(position(), "temple-a2")
    turn = resigned(state, 0)
    assert [event.tile for event in told(turn, TilePlaced)] == ["temple-a2"]
    assert (turn.state.seat, turn.state.players) == (1, state.players)


def test_a_seat_that_left_bids_nothing() -> None:
    """It passes each sale, so it takes the last tile of the round."""
    turn = resigned(begun(3, AUCTION), 1)
    assert (turn.state.ceilings, active(game, turn.state)) == ((None, 0, None), (0, 2))
    turn = resigned(play(begun(3, OPEN), "offer 1").state, 1)
    assert (turn.state.out, active(game, turn.state)) == ((1,), (2,))


def test_a_sealed_ceiling_stays_valid() -> None:
    """Others have bid against it, and nobody may learn whether leaving was worth it."""
    turn = resigned(seal(begun(3, AUCTION), (1, 5)).state, 1)
    turn = moved(seal(turn.state, (0, 3)).state, 2, "bid 4")
    assert [(event.seat, event.price) for event in told(turn, Sold)] == [(1, 5)]
    assert [event.seat for event in told(turn, TileChosen)] == [1]
    assert (turn.state.doing, active(game, turn.state)) == ("sale", (0, 2))


def test_the_highest_offer_stays_valid() -> None:
    """The seat has to act again only if somebody bids more, and then it passes."""
    turn = resigned(play(begun(3, OPEN), "offer 3; offer 5").state, 1)
    assert active(game, turn.state) == (2,)
    sold = moved(play(turn.state, "pass").state, 0, "pass")
    assert [(event.seat, event.price) for event in told(sold, SaleWon)] == [(1, 5)]
    above = moved(play(turn.state, "pass").state, 0, "offer 6")
    assert [(event.seat, event.price) for event in told(above, SaleWon)] == [(0, 6)]


def test_the_last_bidder_leaves() -> None:
    """All have passed then, and the first of them chooses for nothing."""
    turn = resigned(play(begun(3, OPEN), "pass; pass").state, 2)
    assert [(event.seat, event.price) for event in told(turn, SaleWon)] == [(0, 0)]


def test_the_opener_of_an_open_sale_leaves() -> None:
    """If nobody bids, the first to pass among the remaining players chooses for nothing."""
    turn = resigned(begun(3, OPEN), 0)
    assert active(game, turn.state) == (1,)
    turn = moved(play(turn.state, "pass").state, 2, "pass")
    assert [(event.seat, event.price) for event in told(turn, SaleWon)] == [(1, 0)]
    assert (turn.state.doing, active(game, turn.state)) == ("choice", (1,))


def test_the_opener_of_a_sealed_sale_leaves() -> None:
    """The clock sealed nothing for the opener, so the next remaining player chooses for nothing."""
    turn = resigned(begun(3, AUCTION), 0)
    turn = moved(seal(turn.state, (1, 0)).state, 2, "bid 0")
    assert [(event.seat, event.price) for event in told(turn, Sold)] == [(1, 0)]
    assert (turn.state.doing, active(game, turn.state)) == ("choice", (1,))


@pytest.mark.parametrize("options", [AUCTION, OPEN])
def test_in_a_sale_of_resigned_seats_only_the_first_chooses(options) -> None:
    """The remaining players have had their turns in this round."""
    state = replace(begun(4, options), totems=(0, 1), gone=(0, 1))
    turn = clock(turn_at(state, "rules"))
    won = [*told(turn, Sold), *told(turn, SaleWon)]
    assert [(event.seat, event.price) for event in won] == [(0, 0)]


def test_a_player_with_a_volcano_in_hand_leaves() -> None:
    """Their scoring turn passes, the others have theirs, then the clock lays the volcano and the sale goes on."""
    state = with_sale(begun(3, AUCTION), "temple-a1", "temple-a2", "volcano-b1")
    state = play(seal(state, (0, 0), (1, 2), (2, 0)).state, "choose volcano-b1").state
    turn = resigned(state, 1)
    assert [event.seat for event in told(turn, Scored)] == [1]
    turn = moved(moved(turn.state, 2, "done").state, 0, "done")
    assert [event.tile for event in told(turn, TilePlaced)] == ["volcano-b1"]
    assert (turn.state.doing, turn.state.seat, turn.state.totems) == ("sale", 2, (0, 2))


def test_the_treasures_of_a_seat_that_left_may_be_swapped() -> None:
    """Nobody can refuse, and neither can a resigned seat."""
    have = {0: {"treasures": ("bowl",)}, 1: {"treasures": ("drum",)}}
    state = position(players=have, gone=(1,))
    assert play(state, "swap bowl 2 drum").state.players[0].treasures == ("drum",)


def test_its_pieces_do_not_count_against_a_guard() -> None:
    """The strength of a resigned seat is not compared."""
    state = position(sites={"a2": {"explorers": (1, 4, 0)}}, gone=(1,))
    assert play(state, "guard a2").state.laid("a2").guard == 0
