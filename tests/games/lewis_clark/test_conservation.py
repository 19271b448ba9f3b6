"""Nothing is lost and nothing comes from nowhere: cards, Indians, boats and badges, at every step of whole games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from engine import golden, replay
from engine.game import Turn
from engine.games.lewis_clark import boats, game
from engine.games.lewis_clark.cards import CARDS, ENCOUNTERS, ROLES
from engine.games.lewis_clark.components import INDIANS, PLACES, PRIMARY, TILES_OF_A_KIND
from engine.games.lewis_clark.counts import badges
from engine.games.lewis_clark.events import Gained, Paid
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.route import LAST, LOWEST
from engine.games.lewis_clark.state import INDIAN, LewisClarkState, listed
from engine.kit import Supply, parse
from engine.selfplay import Walked
from tests.games.lewis_clark.notes import variants
from tests.kit.worlds import Table, walked

SEATS = range(1, 6)
GOLDEN = [path.read_text("utf-8") for path in sorted((Path(boats.__file__).parent / "golden").glob("*.txt"))]


def random_steps(seats: int) -> tuple[Walked, ...]:
    """Return two random games, one of them with no option at its default."""
    return tuple(
        step for name in ("default", *variants) for step in walked(Table("lewis_clark", seats, name)) if step.after
    )


def states(seats: int) -> tuple[LewisClarkState, ...]:
    """Every position of random games, and the positions after the turns of the golden games."""
    return (*(step.after for step in random_steps(seats) if step.after.players), *golden_states(seats))


@cache
def golden_states(seats: int) -> tuple[LewisClarkState, ...]:
    """Purposeful players do what random ones seldom do: they copy, take boats, and reach the Pacific."""
    return tuple(state for script in map(golden.read, GOLDEN) if script.seats == seats for state in replayed(script))


def replayed(script: golden.Script) -> Iterator[LewisClarkState]:
    options = msgspec.json.decode(script.options, type=LewisClarkOptions)
    turn = replay.start(game, script.seats, options, *golden.lanes(script), script.rules)
    yield turn.state
    for seat, text in script.moves:
        if text in {"clock", "resigns"}:
            return
        turn = Turn(turn.state, turn.chance.onward(), turn.secret.onward())
        replay.move(game, turn, seat, parse(game, text))
        yield turn.state


def test_a_golden_game_of_each_number_of_players_ends_at_the_pacific() -> None:
    """Each number has one that ends at the Pacific."""
    assert all("pacific" in {state.over for state in golden_states(seats)} for seats in SEATS)


@pytest.mark.parametrize("seats", SEATS)
def test_no_indian_is_lost(seats: int) -> None:
    """In the stock, in the village, on boats and on cards."""
    for state in states(seats):
        held = sum(player.indians + player.on_cards for player in state.players)
        assert held + state.stock + state.village.total == INDIANS[seats - 1]


@pytest.mark.parametrize("seats", SEATS)
def test_every_card_exists_once(seats: int) -> None:
    """The 54, and six roles for each player."""
    box = Counter(card.id for card in (*ENCOUNTERS, *ROLES * seats))
    for state in states(seats):
        cards = Counter(dict(state.deck.rest)) + Counter(dict(state.discards.rest)) + Counter(state.journal)
        cards += Counter(card for player in state.players for card in player.cards)
        assert cards == box


def test_badges_in_sight_are_those_of_the_play_areas() -> None:
    """With three players everybody sees every play area."""
    for state in (step.after for step in walked(Table("lewis_clark", 3))):
        lying = [card for player in state.players for played in player.table for card in (played.card, played.under)]
        shown = Counter(CARDS[card].badge for card in lying if card)
        assert all(badges(state, seat, kind) == shown[kind] for seat in range(3) for kind in PRIMARY)


@pytest.mark.parametrize("seats", SEATS)
def test_goods_never_exceed_the_room(seats: int) -> None:
    """Nor fall below zero."""
    for state in states(seats):
        for player in state.players:
            assert 0 <= player.goods.total <= boats.room(player.tiles)


@pytest.mark.parametrize("seats", SEATS)
def test_goods_change_only_by_payments_and_gains(seats: int) -> None:
    """Except when the erratum starts an expedition anew."""
    for step in random_steps(seats):
        if step.before is None or any(type(event).__name__ == "BegunAnew" for event in step.events):
            continue
        for seat in range(seats):
            assert _held(step.after, seat) == _counted(step, seat)


def _held(state: LewisClarkState, seat: int) -> Counter[str]:
    return Counter(dict(state.players[seat].goods.rest))


def _counted(step: Walked, seat: int) -> Counter[str]:
    """Return the goods held before with the payments and gains of the events."""
    held = _held(step.before, seat)
    for event in step.events:
        if isinstance(event, Gained | Paid) and event.seat == seat:
            names = Counter(name for name in listed(event.what) if name != INDIAN)
            held = held + names if isinstance(event, Gained) else held - names
    return held


@pytest.mark.parametrize("seats", SEATS)
def test_there_are_six_boat_tiles_of_each_kind(seats: int) -> None:
    for state in states(seats):
        tiles = Counter(dict(state.boats.rest))
        tiles += Counter(tile.partition("-")[0] for player in state.players for tile in player.tiles)
        assert tiles == {"goods": TILES_OF_A_KIND, "indians": TILES_OF_A_KIND}


@pytest.mark.parametrize("seats", SEATS)
def test_a_circle_holds_at_most_one_indian(seats: int) -> None:
    """One Indian a circle; semicircles hold any number."""
    for state in states(seats):
        for name, place in PLACES.items():
            assert not place.circles or state.village.count(name) <= place.circles


@pytest.mark.parametrize("seats", SEATS)
def test_scouts_stay_on_the_route_and_camps_never_move_back(seats: int) -> None:
    for step in random_steps(seats):
        before = step.before or step.after
        for player, then in zip(step.after.players, before.players, strict=True):
            assert LOWEST <= player.scout <= LAST
            assert player.camp >= then.camp


@pytest.mark.parametrize("seats", SEATS)
def test_the_journal_is_full_before_every_command(seats: int) -> None:
    """Unless neither deck nor discards hold a character."""
    for state in states(seats):
        left = state.deck.total + sum(n for card, n in state.discards.rest if CARDS[card].number)
        assert len(state.journal) == 5 or not left


def test_a_supply_keeps_no_counts_of_zero() -> None:
    """With counts of zero, equal positions would differ in their bytes."""
    kept = [supply for state in states(2) for supply in (state.village, *(p.goods for p in state.players))]
    assert all(n > 0 for supply in kept for _, n in supply.rest)
    assert Supply() in kept
