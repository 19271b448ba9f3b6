"""Writing, crossing and the next card: the rulebook's two examples, and every form of exploring in play.

Which actions cross which roads is judged in test_exploration.py; here stands what a player may do with them.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import replay
from engine.games.discoveries import game
from engine.games.discoveries.events import CardExplored, ExtraTurn, SeatFinished
from engine.games.discoveries.house import HOUSE
from engine.games.discoveries.state import DiscoveriesState
from engine.kit import Supply, parse
from tests.games.discoveries.positions import dice, laid, options, play, position
from tests.kit.worlds import told, turn_at

READY = (laid("foot", "red"), laid("mountain", "red"))
EXAMPLE_2 = (laid("1", "red"), laid("3", "blue"), laid("34", "red"), laid("9", "grey"))


def ready(*actions: object, reserve: str = "4 red-write", **fields: object) -> DiscoveriesState:
    """Seat 1 with these actions prepared, exploring card 35 (RRMM)."""
    tribes = tuple(int(action.space) for action in actions if action.space.isdigit())  # type: ignore[attr-defined]
    me = {"actions": tuple(sorted(actions, key=lambda action: action.space)), "reserve": reserve, "tribes": tribes}
    return position(players={0: me}, **fields)


def on_roads(state: DiscoveriesState, **routes: str) -> DiscoveriesState:
    """With these roads on cards, `c35="RM"`."""
    cards = list(HOUSE.cards)
    for name, route in routes.items():
        card = cards[int(name[1:]) - 1]
        cards[card.number - 1] = replace(card, discovery=replace(card.discovery, routes=(route,)))
    return replace(state, edition=replace(HOUSE, cards=tuple(cards)))


# --- the rulebook's examples ----------------------------------------------------------------------------------------


def test_example_1_foot_and_mountain_cross_card_35() -> None:
    """William writes on both; the card goes into his journal, and he chooses a new one from the Territories."""
    state = play(ready(*READY), "write foot red-write; write mountain red-write; cross 35").state
    assert state.players[0].journal == (35,)
    assert options(state) == ["next 4", "next 5", "next 6"]
    done = play(state, "next 6").state
    assert done.players[0].exploring == 6
    assert done.territories == (4, 5)


def test_example_1_its_remark_is_about_one_road_of_card_22() -> None:
    """Where the mountains lie apart, three rivers and two mountains in two blocks do not cross.

    The card has another road, of which example 2 speaks, and that one they do cross.
    """
    assert HOUSE.card(22).discovery.routes == ("RRM", "MRMRR")
    apart = on_roads(ready(*READY), c35="MRMRR")
    assert options(apart, "write") == []


def test_example_2_two_cards_with_four_actions() -> None:
    """Charles crosses 22, then 55: two rivers; three mountains, of which one on each card is needed; 3 + 1 rivers."""
    state = ready(*EXAMPLE_2, territories=(4, 55, 6)).with_player(0, exploring=22)
    text = "write 1 red-write; write 9 red-write; write 3 red-write; write 34 red-write; cross 22 then 55"
    turn = play(state, text)
    assert told(turn, CardExplored) == [CardExplored(0, 22, "RRM"), CardExplored(0, 55, "MRRRR")]
    assert turn.state.players[0].journal == (22, 55)
    assert options(turn.state) == ["next 4", "next 6"]
    after = play(turn.state, "next 4; end")
    assert told(after, ExtraTurn) == [ExtraTurn(0)]
    assert after.state.seat == 0


def test_example_2_one_write_die_less_leads_nowhere_for_two_cards() -> None:
    """Without the Tenino the four rivers of card 55 are one too many."""
    state = ready(*EXAMPLE_2, territories=(4, 55, 6)).with_player(0, exploring=22)
    state = play(state, "write 1 red-write; write 9 red-write; write 3 red-write").state
    assert "cross 22 then 55" not in options(state)
    assert "cross 22" in options(state)


# --- when a Write die may be laid -----------------------------------------------------------------------------------


def test_a_write_die_comes_last() -> None:
    """Card 7 waits for both prerequisites; one of them is not enough."""
    one = on_roads(ready(laid("7", "red", "")), c35="R")
    both = on_roads(ready(laid("7", "red", "blue")), c35="R")
    assert options(one, "write") == []
    assert options(both, "write") == ["write 7 red-write"]


def test_a_write_die_is_laid_only_if_a_whole_card_can_be_crossed_then() -> None:
    """Foot alone does not cross RRMM, nor do both with a single Write die."""
    assert options(ready(READY[0]), "write") == []
    assert options(ready(*READY, reserve="red-write, red-walk"), "write") == []
    assert options(ready(*READY, reserve="2 red-write"), "write") == [
        "write foot red-write",
        "write mountain red-write",
    ]


def test_after_a_write_die_come_more_or_the_crossing() -> None:
    """While the card is not crossed yet only Write dice are possible, and never the end of the turn."""
    state = play(ready(*READY), "write foot red-write").state
    assert options(state) == ["write mountain red-write"]
    state = play(state, "write mountain red-write").state
    assert options(state) == ["cross 35"]


def test_more_actions_than_needed_may_be_written() -> None:
    """Their dice come back, too."""
    state = play(ready(*READY, laid("horse", "blue")), "write foot red-write; write mountain red-write").state
    assert options(state) == ["cross 35", "write horse red-write"]
    state = play(state, "write horse red-write; cross 35").state
    assert state.doing.coming == Supply.of({"red": 5, "blue": 1})


def test_four_write_dice_do_the_mountain_in_one_turn() -> None:
    """Three are the prerequisites, two of which go to the right bank, and the fourth triggers."""
    state = on_roads(position(players={0: {"reserve": "4 red-write"}}), c35="MM")
    lays = "lay mountain red-write; " * 3
    state = play(state, lays + "write mountain red-write; cross 35").state
    assert state.right == Supply.of({"red": 2})
    assert state.doing.coming == Supply.of({"red": 2})
    assert state.players[0].journal == (35,)


def test_what_an_action_does_not_use_is_lost() -> None:
    """Three rivers on foot cross two; the third serves no other section."""
    assert options(play(on_roads(ready(READY[0]), c35="RR"), "write foot red-write").state) == ["cross 35"]
    assert options(on_roads(ready(READY[0], laid("14", "red")), c35="RMR"), "write foot") == []


def test_a_card_is_explored_once_a_turn() -> None:
    """After the crossing nothing more can be written, whatever is ready."""
    state = on_roads(ready(READY[0], laid("horse", "red")), c35="RR", c4="RR")
    state = play(state, "write foot red-write; cross 35; next 4").state
    assert state.players[0].action("horse") == laid("horse", "red")
    assert options(state, "write") == []


# --- every kind of action -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spaces", "road", "crossed"),
    [
        ("horse", "RR", True),
        ("horse", "RRR", False),
        ("foot", "RRR", True),
        ("mountain", "MM", True),
        ("5", "RRRR", True),  # simple: four rivers for the dice of an expedition on foot
        ("9", "MMM", True),  # the picture's: two Walk dice, then Write, three mountains
        ("16", "RRR", True),  # rivers or mountains
        ("16", "MM", True),
        ("16", "RM", False),
        ("23", "RRRM", True),  # rivers, then mountains
        ("23", "RM", True),
        ("23", "MR", False),
        ("28", "MRR", True),  # mountains, then rivers
        ("28", "RM", False),
        ("32 foot", "RMR", True),  # Clatsop: the mountain counts as a river
        ("32 mountain", "MR", True),  # or the reverse
        ("32 foot", "MRM", False),  # one icon and no more
        ("32", "R", False),
        ("34 horse", "RRR", True),  # Tenino: one river more for a river action
        ("34 mountain", "MMR", False),
        ("34", "R", False),
        ("35 horse", "RRRR", True),  # Multnomah: two more
        ("36 mountain", "MMM", True),  # Nez Perce: one mountain more
        ("36 horse", "RRM", False),
        ("34 35 horse", "RRRRR", True),  # both prolong the same action
        ("34 horse foot", "RRRRRR", True),  # or one of two
        ("34 horse foot", "RRRRRRR", False),
        ("36 23", "RRRMM", True),  # a mixed action is prolonged in its own order
        ("34 16", "RRRR", True),  # and so is what is chosen of an `or`
        ("34 16", "MMR", False),
    ],
)
def test_what_each_group_crosses(spaces: str, road: str, crossed: bool) -> None:
    """Every group of exploration cards, in play: written on and crossed, or not to be written on."""
    actions = [laid(space, *["red"] * (2 if space == "7" else 1)) for space in spaces.split()]
    state = on_roads(ready(*actions), c35=road)
    writes = "; ".join(f"write {action.space} red-write" for action in state.players[0].actions)
    assert (f"write {spaces.split(maxsplit=1)[0]} red-write" in options(state)) == crossed
    if crossed:
        assert play(state, f"{writes}; cross 35").state.players[0].journal == (35,)


def test_any_road_of_the_card_will_do() -> None:
    """Card 41 is RMR or RRRRM; the Missouri's four rivers and the Pawnee's mountains cross the second."""
    state = ready(laid("5", "red"), laid("8", "red")).with_player(0, exploring=41)
    turn = play(state, "write 5 red-write; write 8 red-write; cross 41")
    assert told(turn, CardExplored) == [CardExplored(0, 41, "RRRRM")]


# --- after exploring ------------------------------------------------------------------------------------------------


def test_dice_of_written_actions_come_back_and_others_stay() -> None:
    """They are thrown at the turn's end and not played before; what was prepared only stays prepared."""
    state = ready(*READY, laid("horse", "blue"), reserve="2 red-write, red-ride")
    state = play(state, "write foot red-write; write mountain red-write; cross 35; next 4").state
    assert state.players[0].actions == (laid("horse", "blue"),)
    assert state.doing.fresh.total == 4
    assert state.players[0].reserve == dice("red-ride")
    assert play(state, "end").state.players[0].reserve.total == 5


def test_the_turn_goes_on_after_exploring() -> None:
    """A Write die that is left may prepare, change the route, or turn the dice that came back."""
    state = ready(*READY, reserve="3 red-write")
    state = play(state, "write foot red-write; write mountain red-write; cross 35; next 4").state
    assert options(state, "lay") == ["lay turn red-write", "lay route red-write"]


def test_territories_are_filled_up_at_the_turns_end_only() -> None:
    """One was taken; the open card of the deck takes its place, and another lies open."""
    state = play(ready(*READY), "write foot red-write; write mountain red-write; cross 35; next 4").state
    assert state.territories == (5, 6)
    state = play(state, "end").state
    assert state.territories == (5, 6, 7)
    assert state.top in (8, 9, 10, 11, 12)


def test_encounters_are_filled_before_territories() -> None:
    """The open card becomes a tribe if one is missing."""
    state = position(players={0: {"reserve": "red-walk"}}, encounters=(1, 2), territories=(4, 5))
    state = play(state, "lay route red-walk; swap 4; end").state
    assert state.encounters == (1, 2, 7)
    assert len(state.territories) == 3


def test_a_turn_can_be_previewed_until_the_dice_are_thrown_that_came_back() -> None:
    """They are thrown when the next card is chosen, before the rest of the turn is decided."""
    state = ready(*READY, reserve="3 red-write")
    text = "write foot red-write; write mountain red-write; cross 35; next 4; lay route red-write; swap 5"
    shown = replay.preview(game, state, 0, parse(game, text))
    assert (shown.done, shown.certain) == (3, False)
    assert replay.move(game, turn_at(state, "rules"), 0, parse(game, text)).done == 6


def test_dice_that_are_about_to_be_thrown_are_counted_and_shown() -> None:
    """Between the crossing and the choice of the next card they lie nowhere, and are the seat's."""
    state = play(ready(*READY), "write foot red-write; write mountain red-write; cross 35").state
    seen = game.view(state, None)
    assert state.doing.coming.total + state.players[0].reserve.total == seen.players[0].dice == 6
    said = " ".join(game.board(seen, ("Ann", "Bob", "Cid")).split())
    assert "About to be rolled: " in said


def test_an_action_that_was_used_may_be_prepared_again_in_the_same_turn() -> None:
    """Once a turn is said of what it does: three more Write dice lie on the mountain, for a later turn."""
    state = on_roads(ready(READY[1], reserve="4 red-write, 2 grey-write"), c35="MM")
    lays = "lay mountain red-write; " * 2 + "lay mountain grey-write"
    state = play(state, f"write mountain red-write; cross 35; next 4; {lays}").state
    assert state.players[0].action("mountain") == laid("mountain", "red")
    assert options(state, "write") == []


# --- two cards ------------------------------------------------------------------------------------------------------


def test_the_second_card_comes_from_the_territories() -> None:
    """And is crossed whole; each card may be crossed alone as well."""
    state = on_roads(ready(*READY), c35="RR", c4="MM", c5="MMM", c6="RM")
    state = play(state, "write foot red-write; write mountain red-write").state
    assert options(state, "cross") == ["cross 35", "cross 35 then 4", "cross 35 then 6"]


def test_a_block_runs_on_from_the_first_card_to_the_second() -> None:
    """Three rivers on foot: two on the first card, one on the second."""
    state = on_roads(ready(*READY), c35="RR", c4="RMM")
    state = play(state, "write foot red-write; write mountain red-write; cross 35 then 4").state
    assert state.players[0].journal == (35, 4)


def test_two_cards_bring_a_turn_at_once() -> None:
    """With the dice that came back: the cards are filled up, and a new turn begins."""
    state = on_roads(ready(READY[0]), c35="R", c4="R")
    turn = play(state, "write foot red-write; cross 35 then 4; next 5; end")
    assert (turn.state.seat, turn.state.turns) == (0, 2)
    assert len(turn.state.territories) == 3
    assert options(turn.state, "rest") != []
    assert turn.state.players[0].reserve.total == 5
    assert play(turn.state, "rest none").state.seat == 1


def test_one_card_brings_none() -> None:
    state = on_roads(ready(READY[0]), c35="R")
    assert play(state, "write foot red-write; cross 35; next 5; end").state.seat == 1


def test_nobody_explores_three_cards() -> None:
    """The notation knows two, and after them nothing can be written."""
    state = on_roads(ready(READY[0], laid("horse", "red")), c35="R", c4="R", c5="R")
    state = play(state, "write foot red-write; cross 35 then 4; next 5").state
    assert options(state, "write") == []


# --- Minnetaree -----------------------------------------------------------------------------------------------------


def test_a_reserved_card_is_explored_instead_of_the_own_one() -> None:
    """The Exploration zone is still full, so no card is chosen; the Minnetaree stays without use."""
    state = on_roads(ready(READY[0]), c5="RR").with_player(0, reserved=((37, 5),), tribes=(37,))
    state = play(state, "write foot red-write; cross 5").state
    assert state.players[0].journal == (5,)
    assert state.players[0].exploring == 35
    assert state.players[0].reserved == ()
    assert state.players[0].tribes == (37,)
    assert options(state, "next") == []


def test_the_second_card_after_a_reserved_one_lies_in_the_territories_too() -> None:
    """Neither the own card nor another reserved one can be the second."""
    state = on_roads(ready(READY[0]), c35="R", c5="R", c6="R", c8="R", c4="MMM")
    state = replace(state, territories=(4, 6, 7)).with_player(0, reserved=((37, 5), (38, 8)), tribes=(37, 38))
    state = play(state, "write foot red-write").state
    crossings = options(state, "cross")
    assert {"cross 35", "cross 5", "cross 8", "cross 35 then 6", "cross 5 then 6", "cross 8 then 6"} <= set(crossings)
    assert "cross 5 then 35" not in crossings
    assert "cross 35 then 5" not in crossings


# --- routes ---------------------------------------------------------------------------------------------------------


def test_changing_route_exchanges_the_card_with_a_territory() -> None:
    state = position(players={0: {"reserve": "red-walk"}})
    begun = play(state, "lay route red-walk").state
    assert options(begun) == ["swap 4", "swap 5", "swap 6"]
    done = play(begun, "swap 5").state
    assert done.players[0].exploring == 5
    assert done.territories == (4, 35, 6)


def test_without_a_territory_there_is_no_other_route() -> None:
    state = position(players={0: {"reserve": "red-walk"}}, territories=())
    assert options(state, "lay route") == []


# --- the last cards -------------------------------------------------------------------------------------------------


def test_empty_territories_with_a_deck_give_the_open_card() -> None:
    """The Minnetaree and two crossings can empty them in one turn; then the turn's end gives the deck's open card."""
    state = on_roads(ready(READY[0], territories=()), c35="R")
    state = play(state, "write foot red-write; cross 35").state
    assert state.last is None
    state = play(state, "end").state
    assert state.players[0].exploring == 7
    assert len(state.territories) == 3


def test_whoever_finds_no_card_at_all_has_finished() -> None:
    """Neither Territories nor deck: the others play once more, in order."""
    state = on_roads(ready(READY[0], territories=(), top=0, deck=()), c35="R")
    turn = play(state, "write foot red-write; cross 35")
    assert told(turn, SeatFinished) == [SeatFinished(0, (1, 2))]


def test_a_card_left_in_the_territories_goes_on() -> None:
    """The deck alone may be used up."""
    state = on_roads(ready(READY[0], territories=(4,), top=0, deck=()), c35="R")
    assert play(state, "write foot red-write; cross 35; next 4").state.last is None


def test_a_reserved_card_does_not_fill_the_zone() -> None:
    """It cannot keep its owner from having finished."""
    state = on_roads(ready(READY[0], territories=(), top=0, deck=()), c35="R")
    state = state.with_player(0, reserved=((37, 5),))
    assert told(play(state, "write foot red-write; cross 35"), SeatFinished)


def test_two_cards_at_the_very_end_bring_no_extra_turn() -> None:
    """Who has finished has finished."""
    state = on_roads(ready(READY[0], territories=(4,), top=0, deck=()), c35="R", c4="R")
    state = play(state, "write foot red-write; cross 35 then 4; end").state
    assert (state.seat, state.last) == (1, (2,))
