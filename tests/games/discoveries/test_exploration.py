"""Crossing roads: every kind of action, two cards, the rulebook's examples, and the two solvers compared."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.discoveries.cards import BOARD, Discovery
from engine.games.discoveries.events import CardExplored, RoadTravelled
from engine.games.discoveries.exploration import Crossing, Leg, can_write, crossing
from engine.games.discoveries.house import HOUSE
from tests.games.discoveries.positions import laid, play, position
from tests.games.discoveries.slow import crosses
from tests.kit.worlds import told

FOOT, MOUNTAIN = (BOARD[name].gives for name in ("foot", "mountain"))
EVERYTHING = sorted({card.tribe.exploration.gives for card in HOUSE.cards if card.tribe.exploration} | {"RR", "MM"})


def road(*routes: str) -> Discovery:
    return Discovery(routes=routes, points=2)


def gives(number: int) -> str:
    """The gain of this card's tribe in the house edition."""
    exploration = HOUSE.card(number).tribe.exploration
    assert exploration is not None
    return exploration.gives


def can(actions: str, *cards: Discovery | str) -> bool:
    """Do the actions, separated by spaces, cross these cards (or roads) one after another?"""
    laid = [card if isinstance(card, Discovery) else road(card) for card in cards]
    return crossing(actions.split(), laid) is not None


# --- one action, one block ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "route", "crossed"),
    [
        ("RR", "RR", True),
        ("RRR", "RR", True),  # icons that are not used are lost
        ("RR", "RRR", False),
        ("RR RR", "RRR", True),  # two actions may share a section
        ("RRR MM", "RRMM", True),
        ("MM RRR", "RRMM", True),  # actions come in any order
        ("RRR MM", "RMR", False),  # a block is not divided
        ("RRR MM", "RMRM", False),
        ("RRR MM RR", "RMR", True),
        ("RR|M", "RR", True),
        ("RR|M", "M", True),
        ("RR|M", "RRM", False),  # one or the other
        ("RR|M RR|M", "RRM", True),
        ("RRMM", "RM", True),
        ("RRMM", "MR", False),  # rivers first
        ("MMRR", "MR", True),
        ("MMRR", "RM", False),
        ("RRMM", "MM", True),  # the rivers are lost
        ("RRMM", "RR", True),
        ("RRMM MMRR", "RRMRR", True),
        ("RRM", "RMM", False),
        ("RRMM", "RMR", False),
    ],
)
def test_an_action_crosses_one_stretch_in_its_own_order(actions: str, route: str, crossed: bool) -> None:
    """Icons it does not use are lost."""
    assert can(actions, route) is crossed


@pytest.mark.parametrize(
    ("actions", "route", "crossed"),
    [
        ("RRR ~", "RMR", True),
        ("RRR ~", "RMRR", False),
        ("MM ~", "RM", True),  # either way
        ("RRR ~", "RMM", False),  # one icon
        ("RRR ~ ~", "RMM", True),
        ("RRR ~", "RRR", True),  # it need not change any
        ("~", "R", False),  # it does not move
        ("RRM ~", "RMM", True),
        ("RR MM ~", "RMMR", False),
        ("RRR M ~", "RMRM", True),  # the changed icon joins its neighbours
    ],
)
def test_each_clatsop_changes_one_icon_either_way(actions: str, route: str, crossed: bool) -> None:
    assert can(actions, route) is crossed


@pytest.mark.parametrize(
    ("actions", "route", "crossed"),
    [
        ("RR +R", "RRR", True),
        ("RR +R", "RRRR", False),
        ("+R", "R", False),  # not on its own
        ("+R +RR", "RRR", False),
        ("RR +R +RR", "RRRRR", True),  # each extends one action, which may be the same
        ("RR RR +R", "RRRRRR", False),  # with one only
        ("RR MM +R", "RRMMM", False),
        ("RR MM +M", "RRMMM", True),
        ("MM +R", "MMR", False),  # another action of that terrain
        ("RR|M +R", "RRR", True),
        ("RR|M +M", "MM", True),
        ("RR|M +M", "RRM", False),
        ("RRM +R", "RRRM", True),  # a mixed action moves in both terrains
        ("RRM +M", "RRMM", True),
        ("MRR +R +M", "MMRRR", True),
        ("RR +R ~", "RMR", True),
    ],
)
def test_helpers_extend_one_other_action_of_their_terrain(actions: str, route: str, crossed: bool) -> None:
    """Tenino, Multnomah and Nez Perce each prolong one other action of their terrain."""
    assert can(actions, route) is crossed


def test_the_helpers_of_the_house_edition_give_what_the_rulebook_says() -> None:
    assert [gives(number) for number in (32, 33, 34, 35, 36)] == ["~", "~", "+R", "+RR", "+M"]


# --- paths and two cards --------------------------------------------------------------------------------------------


def test_one_of_several_routes_is_enough() -> None:
    """The answer names the route."""
    card = road("MMM", "RRM", "R")
    assert can("RRR M", card)
    assert crossing(("RRR",), [card]) == Crossing(routes=(2,), legs=(Leg(actions=(0,), icons="R"),))


def test_the_answer_uses_the_fewest_actions() -> None:
    found = crossing(("RR", "RR", "RRRR", "~"), [road("RRRR")])
    assert found == Crossing(routes=(0,), legs=(Leg(actions=(2,), icons="RRRR"),))


def test_legs_run_from_the_bottom_up() -> None:
    """Each leg names the action that moves, then its helpers."""
    found = crossing(("+R", "MM", "RR"), [road("MMRRR")])
    assert found == Crossing(routes=(0,), legs=(Leg(actions=(1,), icons="MM"), Leg(actions=(2, 0), icons="RRR")))


@pytest.mark.parametrize(
    ("actions", "first", "second", "crossed"),
    [
        ("RRR", "R", "RR", True),
        ("RRR MM", "RRM", "MR", False),
        ("RRR MM", "RRM", "M", True),
        ("RRMM", "RR", "MM", True),  # a mixed block goes on too
        ("MMRR", "RR", "MM", False),
        ("RRR M", "RM", "R", False),  # icons left over below cannot be used above
        ("RR RR", "RRR", "R", True),
        ("RR ~", "RM", "R", False),
        ("RRR ~", "RM", "R", True),
    ],
)
def test_two_cards_follow_one_another(actions: str, first: str, second: str, crossed: bool) -> None:
    """Only the last block of the first card may run on over the second."""
    assert can(actions, first, second) is crossed


def test_the_order_of_two_cards_matters() -> None:
    assert can("RRMM", "RR", "MM")
    assert not can("RRMM", "MM", "RR")


# --- the rulebook's examples ----------------------------------------------------------------------------------------


def test_example_1_crosses_card_35() -> None:
    """Three rivers and two mountains cross two rivers and two mountains."""
    found = crossing((FOOT, MOUNTAIN), [HOUSE.card(35).discovery])
    assert found is not None
    assert {leg.icons for leg in found.legs} == {"RR", "MM"}


def test_example_1_does_not_cross_the_long_route_of_card_22() -> None:
    """Three rivers and two mountains cannot cross it, since its mountains are apart; the short route they can."""
    card = HOUSE.card(22).discovery
    apart = [route for route in card.routes if route.count("R") == 3 and route.count("M") == 2]
    assert apart
    assert not any(can(f"{FOOT} {MOUNTAIN}", route) for route in apart)
    assert can(f"{FOOT} {MOUNTAIN}", card)


def test_example_2_crosses_cards_22_and_55() -> None:
    """Two rivers; three mountains, of which one on each card is needed; three rivers and one more."""
    written = tuple(gives(number) for number in (1, 3, 9, 34))
    found = crossing(written, [HOUSE.card(22).discovery, HOUSE.card(55).discovery])
    assert found is not None
    assert [leg.icons for leg in found.legs] == ["RR", "MM", "RRRR"]
    assert [leg.actions for leg in found.legs] == [(0,), (2,), (1, 3)]
    assert crossing(written, [HOUSE.card(55).discovery, HOUSE.card(22).discovery]) is None


# --- writing --------------------------------------------------------------------------------------------------------


def test_a_write_die_needs_a_way_to_the_top() -> None:
    """A first action may be completed if others can complete the road with the dice there are."""
    card = [road("RRMM")]
    assert can_write(("RR",), ("MM",), 1, card)
    assert not can_write(("RR",), ("MM",), 0, card)
    assert not can_write(("RR",), ("RRR",), 1, card)
    assert can_write(("RR", "MM"), (), 0, card)


def test_an_action_that_is_not_needed_may_be_completed() -> None:
    """If the dice suffice for it beside those that cross, it is lost or serves the second card."""
    card = [road("MM")]
    assert can_write(("RR",), ("MM",), 1, card)
    assert can_write(("RR", "MM"), (), 0, card)
    assert not can_write(("RR", "RRR"), ("MM",), 0, card)


def test_any_of_the_first_cards_will_do() -> None:
    """The card in the Exploration zone, or one on a Minnetaree card."""
    assert can_write(("MM",), (), 0, [road("RR"), road("M")])


# --- the slow judge -------------------------------------------------------------------------------------------------

ROADS = st.text("RM", min_size=1, max_size=6)
ACTIONS = st.lists(st.sampled_from(EVERYTHING), min_size=1, max_size=5).map(tuple)


@pytest.mark.slow
@settings(max_examples=1500)
@given(ACTIONS, ROADS)
def test_the_quick_solver_agrees_with_brute_force(actions: tuple[str, ...], route: str) -> None:
    """On every subset of the actions."""
    card = [road(route)]
    for subset in chain.from_iterable(combinations(actions, size) for size in range(1, len(actions) + 1)):
        assert (crossing(subset, card) is not None) is crosses(subset, route), subset


@settings(max_examples=80)
@given(ACTIONS, ROADS, st.integers(1, 4), st.integers(0, 3))
def test_the_rule_for_writing_agrees_with_brute_force(
    actions: tuple[str, ...], route: str, first: int, dice: int
) -> None:
    """Completed actions and at most as many others as there are dice cross the road."""
    written, others = actions[:first], actions[first:]
    sets = (written + more for size in range(dice + 1) for more in combinations(others, size))
    assert can_write(written, others, dice, [road(route)]) is any(crosses(one, route) for one in sets)


@settings(max_examples=150)
@given(ACTIONS, ROADS, ROADS)
def test_legs_make_the_whole_road(actions: tuple[str, ...], first: str, second: str) -> None:
    """Each leg is crossed by its own actions alone, and no action serves twice."""
    found = crossing(actions, [road(first), road(second)])
    assert (found is not None) is crosses(actions, first + second)
    if found:
        assert "".join(leg.icons for leg in found.legs) == first + second
        assert all(crosses(tuple(actions[at] for at in leg.actions), leg.icons) for leg in found.legs)
        used = [at for leg in found.legs for at in leg.actions]
        assert len(used) == len(set(used))


# --- in a game ------------------------------------------------------------------------------------------------------


def test_the_log_names_the_action_that_crossed_each_stretch() -> None:
    """Example 2 played: the stretches from the bottom up, then the cards with their routes."""
    state = position(
        players={
            0: {
                "exploring": 22,
                "tribes": (1, 3, 9, 34),
                "actions": tuple(laid(str(number), "red") for number in (1, 3, 34, 9)),
                "reserve": "red-write, 3 grey-write",
            }
        },
        territories=(4, 55, 6),
    )
    written = "write 1 red-write; write 3 grey-write; write 9 grey-write; write 34 grey-write"
    turn = play(state, f"{written}; cross 22 then 55")
    legs = ("RR by card 1", "MM by card 9", "RRRR by card 3 with card 34")
    assert [event.legs for event in told(turn, RoadTravelled)] == [legs]
    assert [(event.card, event.route) for event in told(turn, CardExplored)] == [(22, "RRM"), (55, "MRRRR")]
