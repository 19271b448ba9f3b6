"""Proof that the twins law finds leaks: each test plants one in a copy of a game."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from conformance.twins import Leak, play_twins
from conformance.worlds import Table
from engine.game import Command
from engine.games.livingstone import Livingstone
from engine.games.livingstone.commands import End
from engine.games.livingstone.state import LivingstoneState
from engine.games.livingstone.view import LivingstoneView
from engine.kit import legal
from tests.kit.games.bids import Bids, BidsState, BidsView, Sold


class ShowsPurses(Bids):
    """Planted: the coins left after a sealed bid are shown, so anyone can work out the bid."""

    def view(self, state: BidsState, seat: int | None) -> BidsView:
        view = super().view(state, seat)
        coins = [b.coins - (b.bid or 0) for b in state.bidders]
        return replace(view, bidders=tuple(replace(b, coins=n) for b, n in zip(view.bidders, coins, strict=True)))


class CountsLegal(Bids):
    """Planted: the next lot does not wait for a player whose sealed bid used all their coins."""

    def forced(self, state: BidsState, seat: int) -> Command | None:
        rich = [i for i, b in enumerate(state.bidders) if b.bid == b.coins]
        options = list(legal(self, state, seat))
        return options[0] if len(options) == 1 or rich else None


class DefaultPeeks(Bids):
    """Planted: the clock bids one more than the others have sealed."""

    def default(self, state: BidsState, seat: int) -> Command:
        most = max((b.bid or 0) for b in state.bidders)
        return min(legal(self, state, seat), key=lambda c: abs(c.amount - most - 1))


class SilentlySold(Sold, frozen=True, tag="SilentlySold"):
    """Planted: a reveal that is not marked as one."""

    reveals = ()


class ForgetsToReveal(Bids):
    """Planted: bids are opened by an event that is not marked as a reveal."""

    def phase(self, state: BidsState, seat: int) -> tuple[type[Command], ...]:
        return (QuietBid,)

    def forced(self, state: BidsState, seat: int) -> Command | None:
        return None if state.bidders[seat].coins else QuietBid(0)

    def default(self, state: BidsState, seat: int) -> Command:
        return QuietBid(0)


class QuietBid(Bids.commands[0], frozen=True, tag="quiet"):  # type: ignore[misc,name-defined]  # a planted copy
    def play(self, turn: Any, seat: int) -> None:
        emit = turn.emit
        turn.emit = lambda e: emit(SilentlySold(e.seat, e.bids) if isinstance(e, Sold) else e)
        super().play(turn, seat)
        turn.emit = emit


class ShowsChests(Livingstone):
    """Planted: the purses of others are shown, so each donation can be worked out."""

    def view(self, state: LivingstoneState, seat: int | None) -> LivingstoneView:
        view = super().view(state, seat)
        seen = zip(view.players, state.players, strict=True)
        return replace(view, players=tuple(replace(shown, coins=player.coins) for shown, player in seen))


class PassesOnThePoor(Livingstone):
    """Planted: a player without coins is passed over at once, a player with one is not."""

    def forced(self, state: LivingstoneState, seat: int) -> Command | None:
        options = list(legal(self, state, seat))
        return End() if options == [End()] else None


@pytest.mark.parametrize("leaky", [ShowsChests(), PassesOnThePoor()], ids=lambda x: type(x).__name__)
def test_a_leak_planted_in_livingstone_is_found(leaky: Livingstone) -> None:
    """The law judges a real game as well as the tiny one."""
    with pytest.raises(Leak):
        _hunt(leaky, Table("livingstone", 3))


@pytest.mark.parametrize(
    "leaky", [ShowsPurses(), CountsLegal(), DefaultPeeks(), ForgetsToReveal()], ids=lambda x: type(x).__name__
)
def test_a_planted_leak_is_found(leaky: Bids) -> None:
    """A copy of a game with one leak fails the law within a few pairs."""
    with pytest.raises(Leak):
        _hunt(leaky, Table("bids", 3))


def _hunt(leaky: Any, table: Table) -> None:
    for number in range(40):
        for watcher in (0, 1, 2):
            play_twins(table, watcher, number, leaky)
