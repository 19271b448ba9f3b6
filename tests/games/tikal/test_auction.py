"""The auction, with the open bids of the rulebook and with sealed ceilings."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import replay
from engine.chance import closed_lane
from engine.errors import Refused
from engine.game import Turn
from engine.games.tikal import game
from engine.games.tikal.bids import Bid, Offer, Pass
from engine.games.tikal.events import (
    CeilingSealed,
    CeilingShown,
    LastScoringBegun,
    SaleOpened,
    SaleWon,
    Scored,
    Sold,
    TileChosen,
    TileSetAside,
    TilesShown,
)
from engine.games.tikal.meta import TikalOptions
from engine.games.tikal.sale import sold
from engine.games.tikal.state import TikalState
from engine.kit import active, legal, names_of, outcome, parse, redact, redact_command, tell
from tests.games.tikal.positions import AUCTION, OPEN, begun, play
from tests.kit.play_record import Record
from tests.kit.worlds import told, turn_at


def seal(state: TikalState, *ceilings: tuple[int, int]) -> Turn:
    """Seal these (seat, ceiling), in this order."""
    turn = turn_at(state, "rules")
    for seat, ceiling in ceilings:
        turn = turn_at(turn.state, "rules")
        replay.move(game, turn, seat, parse(game, f"bid {ceiling}"))
    return turn


def take_turn(state: TikalState) -> TikalState:
    """Let the winner choose, lay the tile and end the turn; scoring turns on the way are passed over."""
    seat = state.seat
    turn = turn_at(state, "rules")
    replay.expire(game, turn, seat)
    assert turn.state.doing == "sale" or turn.state.tile
    return turn.state


def with_sale(state: TikalState, *tiles: str) -> TikalState:
    """Return the position with just these tiles on sale."""
    stack = state.stack.add(state.open).take(tiles)
    return replace(state, open=tuple(sorted(tiles)), stack=stack)


PLAIN = ("clearing-a1", "ruins-a1", "temple-a1", "temple-a2")


# --- the rulebook's way ---------------------------------------------------------------------------------------------


def test_the_auction_example_of_the_rulebook() -> None:
    """Four players: the second pays 5, the fourth 3, the third 4, and the first takes the last tile for nothing."""
    andrew, ann, serge, mary = range(4)
    state = with_sale(begun(4, OPEN), *PLAIN)
    prices = []
    for bids in ("offer 1; offer 2; pass; offer 3; offer 4; offer 5; pass; pass", "offer 1; offer 3; pass; pass"):
        turn = play(state, bids)
        prices += [(event.seat, event.price) for event in told(turn, SaleWon)]
        state = take_turn(turn.state)
    assert state.seat == andrew, "left of the one who has just had the turn"
    turn = play(state, "offer 2; offer 4; pass")
    prices += [(event.seat, event.price) for event in told(turn, SaleWon)]
    assert prices == [(ann, 5), (mary, 3), (serge, 4)]
    state = take_turn(turn.state)
    assert (state.seat, state.doing, state.open, state.totems) == (andrew, "turn", (), (andrew,))
    turn = turn_at(state, "rules")
    replay.expire(game, turn, andrew)
    assert [event.seat for event in told(turn, SaleOpened)] == [ann], "left of the last to play"
    assert [player.total for player in turn.state.players] == [20, 15, 16, 17]


def test_a_bid_is_higher_than_the_last_and_within_ones_points() -> None:
    state = play(begun(3, OPEN), "offer 4").state
    with pytest.raises(Refused, match="bid-too-low"):
        play(state, "offer 4")
    with pytest.raises(Refused, match="beyond-own-points"):
        play(state, "offer 21")
    assert list(legal(game, state, 1)) == [Pass(), *(Offer(points) for points in range(5, 21))]


def test_a_pass_counts_for_this_sale_only() -> None:
    state = play(begun(3, OPEN), "pass; offer 1; offer 2").state
    assert active(game, state) == (1,)
    after = take_turn(play(state, "pass").state)
    assert after.doing == "sale"
    assert (after.out, after.totems) == ((), (0, 1))


def test_if_all_pass_the_first_to_pass_chooses_for_nothing() -> None:
    """The opener passed first, and chooses among all open tiles."""
    turn = play(begun(3, OPEN), "pass; pass; pass")
    assert [(event.seat, event.price) for event in told(turn, SaleWon)] == [(0, 0)]
    assert (turn.state.doing, turn.state.seat, len(turn.state.open)) == ("choice", 0, 3)


def test_the_last_bidder_may_still_bid_when_all_others_have_passed() -> None:
    """All others have passed without a bid: one point buys the choice."""
    turn = play(begun(3, OPEN), "pass; pass; offer 1")
    assert [(event.seat, event.price) for event in told(turn, SaleWon)] == [(2, 1)]


def test_a_seat_that_cannot_go_higher_passes_automatically() -> None:
    """The table does not wait for a seat whose points allow no bid."""
    state = begun(3, OPEN).with_player(1, purse=3)
    turn = turn_at(state, "rules")
    replay.move(game, turn, 0, parse(game, "offer 3"))
    assert active(game, turn.state) == (2,)


# --- sealed ceilings ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ceilings", "result"),
    [
        (((0, 4), (1, 9), (2, 0), (3, 3)), (1, 5)),
        (((2, 6), (0, 3), (1, 6)), (2, 6)),  # a tie: the first from the opener on, never above its ceiling
        (((1, 5), (2, 4)), (1, 5)),
        (((1, 0), (2, 7), (0, 0)), (2, 1)),
        (((2, 0), (0, 0), (1, 0)), (2, 0)),  # nobody bids: the opener
    ],
)
def test_a_sealed_sale_has_this_winner_and_price(ceilings, result) -> None:
    """The highest, or the first of equal ones from the opener on, pays one more than the second, but at most itself."""
    assert sold(ceilings) == result


def test_all_seal_at_once_and_the_last_one_opens_the_sale() -> None:
    """In any order; then the losing ceilings are shown, and the winner chooses."""
    state = begun(4, AUCTION)
    assert active(game, state) == (0, 1, 2, 3)
    turn = seal(state, (3, 3), (1, 9), (0, 4), (2, 0))
    assert [(event.seat, event.price) for event in told(turn, Sold)] == [(1, 5)]
    assert [(event.seat, event.ceiling) for event in told(turn, CeilingShown)] == [(0, 4), (2, 0), (3, 3)]
    assert (turn.state.doing, turn.state.seat, turn.state.players[1].total) == ("choice", 1, 15)


def test_a_sale_shows_only_the_price_of_the_winning_ceiling() -> None:
    """As in an open sale, it does not show whether the winner would have gone one higher or ten."""
    near, far = (seal(begun(3, AUCTION), (0, 4), (1, ceiling), (2, 2)) for ceiling in (5, 17))
    assert [redact(event, 0) for event in near.events] == [redact(event, 0) for event in far.events]
    for watcher in (None, 0, 2):
        assert game.view(near.state, watcher) == game.view(far.state, watcher)


def test_nobody_sees_a_ceiling_before_the_sale() -> None:
    """Not in views, boards, events, lists, refusals, commands or a preview of the last bid."""
    low, high = (seal(begun(3, AUCTION), (0, ceiling), (1, 2)).state for ceiling in (1, 17))
    for watcher in (None, 1, 2):
        assert game.view(low, watcher) == game.view(high, watcher)
        assert game.board(game.view(low, watcher), names_of(3)) == game.board(game.view(high, watcher), names_of(3))
    assert game.view(high, 0).players[0].ceiling == 17
    assert list(legal(game, low, 2)) == list(legal(game, high, 2))
    event = CeilingSealed(0, 17)
    assert "17" not in tell(redact(event, 1))
    assert redact_command(Bid(17), 1, 0) == redact_command(Bid(1), 1, 0)
    shown = replay.preview(game, high, 2, parse(game, "bid 3"))
    assert (shown.certain, shown.events) == (False, ())


def test_a_sealed_bid_is_within_ones_points_and_not_changed() -> None:
    state = begun(3, AUCTION)
    assert list(legal(game, state, 0)) == [Bid(ceiling) for ceiling in range(21)]
    with pytest.raises(Refused, match="beyond-own-points"):
        play(state, "bid 21")
    with pytest.raises(Refused, match="not-active"):
        play(play(state, "bid 5").state, "bid 6", seat=0)


def test_a_seat_without_points_does_not_bid() -> None:
    """The seat passes automatically, which everybody can foresee."""
    state = begun(3, AUCTION).with_player(1, purse=0)
    turn = Turn(state, closed_lane(), closed_lane())
    replay.settle(game, turn)
    assert active(game, turn.state) == (0, 2)


def test_if_nobody_has_points_the_opener_chooses_for_nothing() -> None:
    state = begun(3, AUCTION)
    for seat in range(3):
        state = state.with_player(seat, purse=0)
    turn = Turn(state, closed_lane(), closed_lane())
    replay.settle(game, turn)
    assert (turn.state.doing, turn.state.seat) == ("choice", 0)


def test_points_that_were_scored_may_be_bid() -> None:
    """The purse falls below zero, the score does not."""
    state = begun(2, AUCTION).with_player(0, purse=1, temples=8)
    turn = seal(state, (0, 9), (1, 5))
    assert (turn.state.players[0].purse, turn.state.players[0].total) == (-5, 3)


# --- rounds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_as_many_tiles_as_players_are_on_sale(seats: int) -> None:
    """A round has one sale less than seats: the last player takes the last tile and pays nothing."""
    state = begun(seats, AUCTION)
    assert (len(state.open), state.totems, state.players[0].total) == (seats, tuple(range(seats)), 20)
    state = with_sale(state, *PLAIN[:seats])
    for left in range(seats, 1, -1):
        state = take_turn(seal(state, *((seat, 0) for seat in state.totems)).state)
        assert len(state.totems) == left - 1
    assert (state.doing, state.owes_tile, state.open) == ("turn", True, ())
    assert all(player.total == 20 for player in state.players)


def test_the_next_seat_with_a_totem_opens_the_next_sale() -> None:
    """The opener is to the left of the player who has just had the turn; seats without a totem are passed over."""
    state = with_sale(begun(4, AUCTION), *PLAIN)
    state = take_turn(seal(state, (0, 0), (1, 5), (2, 0), (3, 0)).state)
    assert state.seat == 2
    state = take_turn(seal(state, (0, 3), (2, 0), (3, 0)).state)
    assert state.seat == 2, "seat 2 (number 1) has had its turn"


def test_a_tile_that_is_not_on_sale_is_not_chosen() -> None:
    state = seal(with_sale(begun(3, AUCTION), *PLAIN[:3]), (0, 1), (1, 0), (2, 0)).state
    with pytest.raises(Refused, match="not-on-sale"):
        play(state, "choose temple-a2")
    turn = play(state, "choose ruins-a1")
    assert (turn.state.open, turn.state.tile) == (("clearing-a1", "temple-a1"), "ruins-a1")


def test_a_volcano_is_scored_before_it_is_laid() -> None:
    """From its taker on, all with totems as they were; then the taker lays it, has a turn and turns the totem."""
    state = with_sale(begun(3, AUCTION), "temple-a1", "temple-a2", "volcano-b1")
    state = seal(state, (0, 0), (1, 2), (2, 0)).state
    turn = play(state, "choose volcano-b1")
    assert [(frame.doing, frame.seat) for frame in turn.state.frames] == [
        *(("scoring", seat) for seat in (1, 2, 0)),
        ("turn", 1),
    ]
    scored = play(turn.state, "done; done; done")
    assert [event.seat for event in told(scored, Scored)] == [1, 2, 0]
    assert (scored.state.totems, scored.state.owes_tile) == ((0, 1, 2), True)
    done = play(scored.state, "place a3 r0; done").state
    assert (done.totems, done.doing, done.seat) == ((0, 2), "sale", 2)


def test_a_bought_tile_that_fits_nowhere_is_set_aside() -> None:
    """It is paid for, and the turn goes on without it."""
    state = seal(with_sale(begun(2, AUCTION), *PLAIN[2:]), (0, 3), (1, 1)).state
    volcanoes = (*(stones or (0,) * 6 for stones in state.land[:-1]), ())
    turn = play(replace(state, land=volcanoes), "choose temple-a1; enter a1")
    assert [(event.seat, event.tile) for event in told(turn, TileSetAside)] == [(0, "temple-a1")]
    assert (turn.state.players[0].total, turn.state.aside, turn.state.points) == (18, ("temple-a1",), 9)


def test_the_last_round_ends_with_the_last_scoring() -> None:
    """After the last tile the left neighbour begins, as in the basic game."""
    state = with_sale(begun(2, AUCTION), *PLAIN[:2])
    state = replace(state, stack=state.stack.take([name for name, _ in state.stack.rest]))
    state = take_turn(seal(state, (0, 1), (1, 0)).state)
    assert state.seat == 1
    turn = turn_at(state, "rules")
    replay.expire(game, turn, 1)
    assert [event.seat for event in told(turn, LastScoringBegun)] == [0]


def test_the_outcome_counts_what_is_left_of_the_purse() -> None:
    state = seal(begun(2, AUCTION), (0, 6), (1, 4)).state
    ended = outcome(game, replace(state, over="explored"))
    assert ended is not None
    assert ended.points[-1] == ("auction", (15, 20))


# --- options and the clock ------------------------------------------------------------------------------------------


def test_only_sealed_bidding_hides_anything() -> None:
    assert game.hidden(AUCTION)
    assert not game.hidden(OPEN)
    assert not game.hidden(TikalOptions())


@pytest.mark.parametrize("options", [AUCTION, OPEN])
def test_the_clock_bids_nothing_and_takes_the_first_tile(options) -> None:
    """It spends no points."""
    turn = turn_at(with_sale(begun(2, options), *PLAIN[:2]), "rules")
    while not told(turn, TileChosen):
        replay.expire(game, turn, active(game, turn.state)[0])
    assert not told(turn, TilesShown)
    assert told(turn, TileChosen)[0] == TileChosen(0, "clearing-a1", 10)
    assert [player.total for player in turn.state.players] == [20, 20]


def test_an_entry_has_the_same_length_for_every_ceiling() -> None:
    """The log shows nothing about a ceiling before the sale, not even how many digits it has."""
    lengths = set()
    for ceiling in (0, 7, 20):
        record = Record("tikal", seats=3, seed=2, options=AUCTION)
        lengths.add(len(record.move(1, [{"do": "bid", "ceiling": ceiling}]).line))
    assert len(lengths) == 1
