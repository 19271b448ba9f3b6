"""Proof that the suite finds faults in lists, views, prices, options and walks: each test plants one."""

from __future__ import annotations

import random
from typing import Annotated, Any

import pytest
from msgspec import Meta as Bounds
from msgspec.structs import replace

from conformance.generated import (
    Unlisted,
    Unplayable,
    begins_with,
    every_options,
    refuses_what_it_does_not_list,
    words_of,
)
from conformance.imagined import differences
from conformance.looks import Unsightly, look_at
from conformance.opened import Undeclared
from conformance.prices import WrongPrice, costs_what_it_says
from conformance.test_golden import missing
from conformance.twins import Leak, play_twins, seals_what_it_hides
from conformance.worlds import Table, notes, walked
from engine import registry, selfplay
from engine.game import Event, Options, Outcome, Standing, Turn, View
from engine.games.lewis_clark import commands as lewis_clark
from engine.games.livingstone import events as livingstone
from engine.games.tikal import commands as tikal
from engine.games.tikal import events as tikal_events
from engine.games.tikal.meta import TikalOptions
from engine.kit import ranked, view
from tests.kit.games import bids
from tests.kit.games.bids import Bid, Bids, BidsState
from tests.kit.games.pig import Pig, PigOptions, PigState, PigView


def steps(game: Any, seats: int, options: Any) -> list[selfplay.Walked]:
    """The steps of a random game in which somebody chose."""
    found = selfplay.walk(game, seats, options, selfplay.seed_of("planted"))
    return [step for step in found if step.chosen is not None]


# --- lists ----------------------------------------------------------------------------------------------------------


def hunt_unlisted(game: Any, seats: int, options: Any) -> None:
    played = steps(game, seats, options)
    seen = words_of(command for step in played for command in step.legal)
    for step in played:
        refuses_what_it_does_not_list(game, step, seen, random.Random(1))


def test_a_command_that_is_accepted_and_never_listed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made from the bounds of its fields, since no list contains it; the failure names it and what to look at."""
    hunt_unlisted(bids.game, 3, bids.BidsOptions())
    monkeypatch.setattr(Bid, "candidates", classmethod(lambda cls, *_: iter((cls(0), cls(1)))))
    with pytest.raises(Unlisted, match=r"`bid \d` is accepted and not listed .*`Bid.candidates` leaves it out"):
        hunt_unlisted(bids.game, 3, bids.BidsOptions())


def test_an_unlisted_command_of_a_real_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tikal no longer lists walks to ruins, and still accepts them."""
    honest = vars(tikal.Walk)["candidates"].__func__

    def candidates(cls: Any, state: Any, seat: int) -> Any:
        return (walk for walk in honest(cls, state, seat) if state.laid(walk.goal).kind != "ruins")

    hunt_unlisted(registry.find("tikal"), 2, TikalOptions())
    monkeypatch.setattr(tikal.Walk, "candidates", classmethod(candidates))
    with pytest.raises(Unlisted, match=r"`walk .* is accepted and not listed"):
        hunt_unlisted(registry.find("tikal"), 2, TikalOptions())


# --- views ----------------------------------------------------------------------------------------------------------


class MeanView(PigView, frozen=True):
    mean: float


class WholeView(PigView, frozen=True):
    mean: int


@pytest.mark.parametrize("kind", [MeanView, WholeView])
def test_a_float_in_a_view_is_found(kind: Any) -> None:
    """Also where the type promises a whole number: JSON would not show the difference."""

    class Mean(Pig):
        def view(self, state: PigState, seat: int | None) -> View:
            seen = super().view(state, seat)
            given = {name: getattr(seen, name) for name in seen.__struct_fields__}
            return kind(**given, mean=sum(state.scores) / 1)

    state = steps(Pig(), 2, PigOptions())[0].before
    look_at(Pig(), state, ("Ada", "Ben"))
    with pytest.raises(Unsightly, match=r"`mean` of the view is 0.0, a float"):
        look_at(Mean(), state, ("Ada", "Ben"))


def test_a_difference_of_two_views_is_named_by_its_place() -> None:
    """Not by two whole views, in which nobody finds it."""
    state = steps(bids.game, 3, bids.BidsOptions())[0].before
    one, other = (view(bids.game, changed, 0) for changed in (state, richer(state)))
    assert differences(one, other) == "`bidders[1].coins` 9 and 10"


def richer(state: BidsState) -> BidsState:
    return state.with_bidder(1, replace(state.bidders[1], coins=10))


# --- secrets --------------------------------------------------------------------------------------------------------


class RanksByBids(Bids):
    """Planted: the ranking of a game that the cap ends counts sealed bids."""

    def standing(self, state: BidsState) -> Standing:
        return Standing(places=ranked({seat: bidder.bid or 0 for seat, bidder in enumerate(state.bidders)}))


def hunt_leaks(game: Any, table: Table | None = None) -> None:
    for number in range(40):
        for watcher in (0, 1, 2):
            play_twins(table or Table("bids", 3), watcher, number, game)


def test_a_standing_that_ranks_by_secrets_is_found() -> None:
    """The twins compare it at every step, though players see it only if the cap ends the game."""
    with pytest.raises(Leak, match=r"can tell apart .*: `standing\.\w+"):
        hunt_leaks(RanksByBids())


class RanksByFavourites(Bids):
    """Planted: the secret favourites count, which differ in nothing before the first lot is sold."""

    def standing(self, state: BidsState) -> Standing:
        return Standing(
            places=ranked({seat: bidder.won.count(bidder.favourite) for seat, bidder in enumerate(state.bidders)})
        )


def test_a_secret_that_counts_only_after_a_reveal_is_found() -> None:
    """A pair goes on behind a reveal, in a world that agrees in what was opened."""
    with pytest.raises(Leak, match=r"can tell apart .*: `standing\.\w+"):
        hunt_leaks(RanksByFavourites())


def neighbours_favourite(turn: Turn, event: Event, honest: Any = Turn.emit) -> None:
    is_sold = type(event) is bids.Sold
    told = turn.state.bidders[(event.seat + 1) % turn.state.seats].favourite if is_sold else ""
    honest(turn, SoldAndTold(event.seat, event.bids, told) if is_sold else event)


class SoldAndTold(bids.Sold, frozen=True, tag="SoldAndTold"):
    """Planted: a reveal of the bids that also names a favourite."""

    told: str


def a_hand_of_another(turn: Turn, event: Event, honest: Any = Turn.emit) -> None:
    is_hand = type(event) is livingstone.HandShown
    other = turn.state.players[(event.seat + 1) % turn.state.seats].hand if is_hand else ()
    honest(turn, livingstone.HandShown(event.seat, other) if is_hand else event)


def the_highest_ceiling(turn: Turn, event: Event, honest: Any = Turn.emit) -> None:
    if type(event) is tikal_events.Sold:
        turn.highest = max(ceiling or 0 for ceiling in turn.state.ceilings)  # type: ignore[attr-defined]  # planted
    is_shown = type(event) is tikal_events.CeilingShown
    honest(turn, tikal_events.CeilingShown(event.seat, turn.highest) if is_shown else event)


@pytest.mark.parametrize(
    ("emit", "table", "kind"),
    [
        (neighbours_favourite, Table("bids", 3), "SoldAndTold"),
        (a_hand_of_another, Table("livingstone", 3), "HandShown"),
        (the_highest_ceiling, Table("tikal", 3, "auction"), "CeilingShown"),
    ],
    ids=lambda given: getattr(given, "__name__", str(given)),
)
def test_a_reveal_that_opens_more_than_it_declares_is_found(
    emit: Any, table: Table, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A neighbour's favourite beside the bids, another hand than the own one, the winner's ceiling."""
    monkeypatch.setattr(Turn, "emit", emit)
    with pytest.raises(Undeclared, match=f"`{kind}` declares that it opens .*or do not show it"):
        hunt_leaks(table.game, table)


def test_a_reveal_that_declares_what_does_not_exist_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a field that was renamed."""
    monkeypatch.setattr(bids.Sold, "reveals", ("bidders.*.offer",))
    with pytest.raises(Undeclared, match="`reveals` names `offer`, which Bidder does not have"):
        hunt_leaks(bids.game)


def test_a_command_that_is_not_sealed_like_its_event_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The events hide the bid; a log of commands would show it."""
    played = steps(bids.game, 3, bids.BidsOptions())
    for step in played:
        seals_what_it_hides(bids.game, step)
    monkeypatch.setattr(Bid, "sealed", ())
    with pytest.raises(Leak, match=r"name amount in `Bid.sealed`"):
        seals_what_it_hides(bids.game, played[0])


# --- prices ---------------------------------------------------------------------------------------------------------


def hunt_wrong_prices(key: str, seats: int) -> None:
    for step in walked(Table(key, seats)):
        if step.chosen is not None:
            costs_what_it_says(registry.find(key), step, getattr(notes(key), "paid", None))


@pytest.mark.parametrize("honest", ["2 action points", ""])
def test_a_price_that_is_not_what_a_command_takes_is_found(honest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong number, and a price that is left out."""
    monkeypatch.setattr(tikal.Enter, "costs", lambda *_: honest)
    with pytest.raises(WrongPrice, match=r"`enter \w+` says that it costs .* and takes '1 action point'"):
        hunt_wrong_prices("tikal", 2)


def test_a_game_whose_notes_count_no_prices_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The failure names the function that is missing."""
    monkeypatch.setattr(Bid, "costs", lambda *_: "a coin")
    with pytest.raises(WrongPrice, match=r"the notes of bids have no `paid\(before, after, seat\)`"):
        hunt_wrong_prices("bids", 3)


# --- options --------------------------------------------------------------------------------------------------------


class GreedyOptions(Options, frozen=True):
    lots: Annotated[int, Bounds(ge=1, le=20)] = 5


class Greedy(Bids):
    """Planted: the bag has too few lots for the most that may be asked for."""

    meta = replace(Bids.meta, options=GreedyOptions)

    def setup(self, turn: Turn, seats: int, options: Any) -> None:
        super().setup(turn, seats, bids.BidsOptions())
        turn.state.bag.take(["red"] * (options.lots // 19 * 4))


def hunt_unplayable(game: Any) -> None:
    for chosen in every_options(game):
        begins_with(game, 2, chosen)


def test_options_with_which_no_game_begins_are_found() -> None:
    """At the ends of their bounds, which random games with the usual options never reach."""
    with pytest.raises(Unplayable, match=r"with `lots` = 19 and 2 seats no game of bids begins: .*Narrow the bounds"):
        hunt_unplayable(Greedy())


def test_options_that_end_the_game_before_it_begins_are_found() -> None:
    """Nobody could ever move."""

    class Over(Pig):
        def active(self, state: PigState) -> tuple[int, ...]:
            return () if state.goal == 100 else super().active(state)

        def outcome(self, state: PigState) -> Outcome | None:
            return None

    with pytest.raises(Unplayable, match=r"`goal` = 100 and 2 seats a game of pig is over before it begins"):
        hunt_unplayable(Over())


# --- a single player ------------------------------------------------------------------------------------------------


def test_a_single_player_is_walked_to_the_end_of_the_race() -> None:
    """Not to a concession after a few commands: nearly all kinds of command occur."""
    steps = walked(Table("lewis_clark", 1))
    kinds = {type(step.chosen).__name__ for step in steps}
    assert len(steps) > 100
    assert {"Play", "Under", "Use", "Village", "Recruit", "Camp", "End", "Stop"} <= kinds
    assert "Concede" not in kinds


def test_a_fault_deep_in_a_solo_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the price of a recruit, to whom no game that is given up comes."""
    monkeypatch.setattr(lewis_clark.Recruit, "costs", lambda *_: "7 fur")
    with pytest.raises(WrongPrice, match="says that it costs '7 fur'"):
        hunt_wrong_prices("lewis_clark", 1)


# --- golden games ---------------------------------------------------------------------------------------------------


def test_a_missing_golden_game_is_named_with_the_command_that_writes_it() -> None:
    """The command is complete: it can be copied as it stands."""
    says = missing("livingstone", 2)
    assert "livingstone has no golden game of rules version 2. Run: mkdir -p engine/games/livingstone/golden" in says
    assert says.endswith(
        "sealedmove golden --new livingstone --seats 2 --chance first > engine/games/livingstone/golden/2.txt"
    )
