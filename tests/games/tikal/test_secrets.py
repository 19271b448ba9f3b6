"""The secrets of a sealed sale, and proof that the law of twins would find a leak in this game."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from conformance.twins import Leak, play_twins
from engine import replay
from engine.errors import Refused
from engine.game import Command
from engine.games.tikal import Tikal, game, sale
from engine.games.tikal.bids import Bid
from engine.games.tikal.events import CeilingShown, Sold
from engine.games.tikal.meta import TikalOptions
from engine.games.tikal.state import TikalState
from engine.kit import explain, group, legal, names_of, parse, redact
from engine.kit import view as kit_view
from tests.games.tikal.positions import AUCTION, begun, play
from tests.kit.worlds import Table, turn_at


def sealed_by_the_first(ceiling: int) -> TikalState:
    """Return a sale in which seats 2 and 3 have still to bid."""
    return play(begun(3, AUCTION), f"bid {ceiling}", seat=0).state


def said(state: TikalState, seat: int, text: str) -> str:
    """Return the sentence with which a command is refused."""
    with pytest.raises(Refused) as no:
        play(state, text, seat=seat)
    return explain(game, no.value)


@pytest.mark.parametrize(("seat", "text"), [(0, "bid 3"), (1, "bid 21"), (1, "choose ruins-a1"), (1, "done")])
def test_a_refusal_reveals_no_ceiling(seat: int, text: str) -> None:
    """Any command during a sale is refused in the same words."""
    assert said(sealed_by_the_first(1), seat, text) == said(sealed_by_the_first(17), seat, text)


def test_nothing_in_a_mail_reveals_a_ceiling() -> None:
    """Lists, the command of the clock, boards and pictures are alike for the seats that have still to bid."""
    low, high = (sealed_by_the_first(ceiling) for ceiling in (1, 17))
    for seat in (1, 2):
        assert group(legal(game, low, seat)) == group(legal(game, high, seat)) == ("bid 0..20",)
        assert game.default(low, seat) == game.default(high, seat) == Bid(0)
        assert game.forced(low, seat) is game.forced(high, seat) is None
        names = names_of(low.seats)
        assert game.picture(game.view(low, seat), names) == game.picture(game.view(high, seat), names)


def test_the_clock_bids_for_a_seat_without_ending_the_sale() -> None:
    """Not even when others have sealed; only the last of them ends the sale."""
    turn = turn_at(sealed_by_the_first(17), "rules")
    replay.expire(game, turn, 1)
    assert [type(event).__name__ for event in turn.events] == ["CeilingSealed"]
    assert (turn.revealed, turn.state.ceilings) == (False, (17, 0, None))


class ShowsPasses(Tikal):
    """Planted: shows a seat that has sealed 0 as having passed."""

    def view(self, state: TikalState, seat: int | None) -> Any:
        view: Any = super().view(state, seat)
        passed = [ceiling == 0 for ceiling in state.ceilings] or [False] * state.seats
        players = zip(view.players, passed, strict=True)
        return replace(view, players=tuple(replace(player, passed=gave_up) for player, gave_up in players))


class PassesOnTheBeaten(Tikal):
    """Planted: a seat that cannot go above a sealed ceiling is not to act any more."""

    def forced(self, state: TikalState, seat: int) -> Command | None:
        most = max((ceiling or 0 for ceiling in state.ceilings), default=0)
        beaten = state.doing == "sale" and state.players[seat].total <= most
        return Bid(0) if beaten else super().forced(state, seat)


@pytest.mark.parametrize("leaky", [ShowsPasses(), PassesOnTheBeaten()], ids=lambda leaky: type(leaky).__name__)
def test_a_planted_leak_is_found(leaky: Tikal) -> None:
    """The law of twins, which the conformance suite applies to this game, has something to find here."""
    table = Table("tikal", 3, "auction")
    assert table.chosen == TikalOptions(variant="auction")
    with pytest.raises(Leak):
        hunt(table, leaky)


def hunt(table: Table, leaky: Tikal) -> None:
    for number in range(20):
        for watcher in (0, 1, 2):
            play_twins(table, watcher, number, leaky)


def test_a_preview_does_not_show_the_result_of_a_bid() -> None:
    """A preview of the last bid stops before it, so a bid that is not sent reveals nothing."""
    state = play(sealed_by_the_first(9), "bid 4", seat=1).state
    shown = replay.preview(game, state, 2, parse(game, "bid 10"))
    assert (shown.certain, shown.events, shown.state) == (False, (), state)


def told_of_a_sale(ceiling: int, watcher: int | None) -> object:
    """Return what this watcher reads and sees of a sale that seat 2 wins with this ceiling against 4."""
    turn = turn_at(play(play(begun(3, AUCTION), "bid 4", seat=0).state, "bid 2", seat=2).state, "rules")
    replay.move(game, turn, 1, parse(game, f"bid {ceiling}"))
    seen = kit_view(game, turn.state, watcher)
    return [redact(event, watcher) for event in turn.events], seen, game.board(seen, names_of(3))


@pytest.mark.parametrize("watcher", [None, 0, 2])
def test_the_winning_ceiling_stays_sealed(watcher: int | None) -> None:
    """One higher than the second, or all points: the others see only the price, in every word and line."""
    assert told_of_a_sale(5, watcher) == told_of_a_sale(20, watcher)


def test_a_sale_that_shows_the_winning_ceiling_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a reveal opens all ceilings."""

    def opens_all(turn: Any) -> None:
        ceilings = tuple((seat, turn.state.ceilings[seat] or 0) for seat in sale.bidders(turn.state))
        turn.emit(Sold(*sale.sold(ceilings)))
        for seat, ceiling in ceilings:
            turn.emit(CeilingShown(seat, ceiling))

    monkeypatch.setattr(sale, "sell", opens_all)
    assert told_of_a_sale(5, 0) != told_of_a_sale(20, 0)
