"""Crossing cards: every kind of action, two cards, the rulebook's examples, and the quick solver judged by the slow."""

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
    """What the tribe of this card gives in the house edition."""
    exploration = HOUSE.card(number).tribe.exploration
    assert exploration is not None
    return exploration.gives


def can(actions: str, *cards: Discovery | str) -> bool:
    """Do the actions, written with spaces between, cross these cards (or roads) one after another?"""
    laid = [card if isinstance(card, Discovery) else road(card) for card in cards]
    return crossing(actions.split(), laid) is not None


# --- one action, one block ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "route", "crossed"),
    [
        ("RR", "RR", True),
        ("RRR", "RR", True),  # what is not used is lost
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
def test_blocks(actions: str, route: str, crossed: bool) -> None:
    """An action crosses one stretch in its own order; what it does not use is lost."""
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
        ("RRR M ~", "RMRM", True),  # the changed icon is one section with its neighbours
    ],
)
def test_clatsop(actions: str, route: str, crossed: bool) -> None:
    """Each Clatsop changes one icon of the road, either way."""
    assert can(actions, route) is crossed


@pytest.mark.parametrize(
    ("actions", "route", "crossed"),
    [
        ("RR +R", "RRR", True),
        ("RR +R", "RRRR", False),
        ("+R", "R", False),  # not on its own
        ("+R +RR", "RRR", False),
        ("RR +R +RR", "RRRRR", True),  # each goes with one action, and this may be the same
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
def test_prolongations(actions: str, route: str, crossed: bool) -> None:
    """Tenino, Multnomah and Nez Perce each prolong one other action of their terrain."""
    assert can(actions, route) is crossed


def test_the_prolongations_of_the_house() -> None:
    """Their figures are those of the rulebook."""
    assert [gives(number) for number in (32, 33, 34, 35, 36)] == ["~", "~", "+R", "+RR", "+M"]


# --- paths and two cards --------------------------------------------------------------------------------------------


def test_one_of_several_routes_is_enough() -> None:
    """The player takes the one that suits, and the answer says which."""
    card = road("MMM", "RRM", "R")
    assert can("RRR M", card)
    assert crossing(("RRR",), [card]) == Crossing(routes=(2,), legs=(Leg(actions=(0,), icons="R"),))


def test_fewest_actions_are_named() -> None:
    """Actions that are not needed stay out of the answer."""
    found = crossing(("RR", "RR", "RRRR", "~"), [road("RRRR")])
    assert found == Crossing(routes=(0,), legs=(Leg(actions=(2,), icons="RRRR"),))


def test_legs_from_the_bottom_up() -> None:
    """Each leg names the action that moves and then its helpers."""
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
        ("RRR M", "RM", "R", False),  # what a block left below cannot be used above
        ("RR RR", "RRR", "R", True),
        ("RR ~", "RM", "R", False),
        ("RRR ~", "RM", "R", True),
    ],
)
def test_two_cards_follow_one_another(actions: str, first: str, second: str, crossed: bool) -> None:
    """The last block of the first card may go on over the second, and nothing else may."""
    assert can(actions, first, second) is crossed


def test_the_order_of_two_cards_matters() -> None:
    assert can("RRMM", "RR", "MM")
    assert not can("RRMM", "MM", "RR")


# --- the rulebook's examples ----------------------------------------------------------------------------------------


def test_example_1_card_35() -> None:
    """On foot and over the mountains: three rivers and two mountains cross two rivers and two mountains."""
    found = crossing((FOOT, MOUNTAIN), [HOUSE.card(35).discovery])
    assert found is not None
    assert {leg.icons for leg in found.legs} == {"RR", "MM"}


def test_example_1_the_long_route_of_card_22() -> None:
    """Three rivers and two mountains do not cross its route of three rivers and two mountains: these are apart.

    Said of this route, not of the card: by example 2 the same card has a shorter route, which they do cross.
    """
    card = HOUSE.card(22).discovery
    apart = [route for route in card.routes if route.count("R") == 3 and route.count("M") == 2]
    assert apart
    assert not any(can(f"{FOOT} {MOUNTAIN}", route) for route in apart)
    assert can(f"{FOOT} {MOUNTAIN}", card)


def test_example_2_cards_22_and_55() -> None:
    """Two rivers; three mountains, of which two are needed, one on each card; three rivers and one more."""
    written = tuple(gives(number) for number in (1, 3, 9, 34))
    found = crossing(written, [HOUSE.card(22).discovery, HOUSE.card(55).discovery])
    assert found is not None
    assert [leg.icons for leg in found.legs] == ["RR", "MM", "RRRR"]
    assert [leg.actions for leg in found.legs] == [(0,), (2,), (1, 3)]
    assert crossing(written, [HOUSE.card(55).discovery, HOUSE.card(22).discovery]) is None


# --- writing --------------------------------------------------------------------------------------------------------


def test_a_write_die_needs_a_way_to_the_top() -> None:
    """A first action may be written if others, with as many dice as there are, complete the way."""
    card = [road("RRMM")]
    assert can_write(("RR",), ("MM",), 1, card)
    assert not can_write(("RR",), ("MM",), 0, card)
    assert not can_write(("RR",), ("RRR",), 1, card)
    assert can_write(("RR", "MM"), (), 0, card)


def test_a_superfluous_action_may_be_written() -> None:
    """If the dice suffice for it beside those that cross: it is lost, or serves for the second card."""
    card = [road("MM")]
    assert can_write(("RR",), ("MM",), 1, card)
    assert can_write(("RR", "MM"), (), 0, card)
    assert not can_write(("RR", "RRR"), ("MM",), 0, card)


def test_any_of_the_first_cards_will_do() -> None:
    """The Exploration zone or a discovery that lies on a Minnetaree card."""
    assert can_write(("MM",), (), 0, [road("RR"), road("M")])


# --- the slow judge -------------------------------------------------------------------------------------------------

ROADS = st.text("RM", min_size=1, max_size=6)
ACTIONS = st.lists(st.sampled_from(EVERYTHING), min_size=1, max_size=5).map(tuple)


@pytest.mark.slow
@settings(max_examples=1500)
@given(ACTIONS, ROADS)
def test_the_quick_solver_agrees_with_the_slow(actions: tuple[str, ...], route: str) -> None:
    """On every subset of the actions."""
    card = [road(route)]
    for subset in chain.from_iterable(combinations(actions, size) for size in range(1, len(actions) + 1)):
        assert (crossing(subset, card) is not None) is crosses(subset, route), subset


@settings(max_examples=80)
@given(ACTIONS, ROADS, st.integers(1, 4), st.integers(0, 3))
def test_writing_agrees_with_the_slow(actions: tuple[str, ...], route: str, first: int, dice: int) -> None:
    """Some set with the written actions, and no more of the others than there are dice, crosses."""
    written, others = actions[:first], actions[first:]
    sets = (written + more for size in range(dice + 1) for more in combinations(others, size))
    assert can_write(written, others, dice, [road(route)]) is any(crosses(one, route) for one in sets)


@settings(max_examples=150)
@given(ACTIONS, ROADS, ROADS)
def test_legs_make_the_whole_road(actions: tuple[str, ...], first: str, second: str) -> None:
    """The legs, each crossed by its own actions alone, are the two cards' icons; no action serves twice."""
    found = crossing(actions, [road(first), road(second)])
    assert (found is not None) is crosses(actions, first + second)
    if found:
        assert "".join(leg.icons for leg in found.legs) == first + second
        assert all(crosses(tuple(actions[at] for at in leg.actions), leg.icons) for leg in found.legs)
        used = [at for leg in found.legs for at in leg.actions]
        assert len(used) == len(set(used))


# --- in a game ------------------------------------------------------------------------------------------------------


def test_the_log_tells_the_way() -> None:
    """Example 2 played: which action crossed what, from the bottom up, then the cards with the routes taken."""
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
