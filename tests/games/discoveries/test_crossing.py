"""Writing, crossing and the next card: the rulebook's two examples, and every kind of exploring in play.

Which actions cross which roads is tested in test_exploration.py; these tests cover what a player may do with them.
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
    """The position with these roads on cards: `c35="RM"`."""
    cards = list(HOUSE.cards)
    for name, route in routes.items():
        card = cards[int(name[1:]) - 1]
        cards[card.number - 1] = replace(card, discovery=replace(card.discovery, routes=(route,)))
    return replace(state, edition=replace(HOUSE, cards=tuple(cards)))


# --- the rulebook's examples ----------------------------------------------------------------------------------------


def test_example_1_foot_and_mountain_cross_card_35() -> None:
    """The player writes on both; the card goes into the journal, and a new one comes from the Territories."""
    state = play(ready(*READY), "write foot red-write; write mountain red-write; cross 35").state
    assert state.players[0].journal == (35,)
    assert options(state) == ["next 4", "next 5", "next 6"]
    done = play(state, "next 6").state
    assert done.players[0].exploring == 6
    assert done.territories == (4, 5)


def test_example_1_remarks_on_only_one_road_of_card_22() -> None:
    """Three rivers and two mountains in two blocks do not cross the road on which the mountains are apart.

    Example 2 uses another road of the card, which they do cross.
    """
    assert HOUSE.card(22).discovery.routes == ("RRM", "MRMRR")
    apart = on_roads(ready(*READY), c35="MRMRR")
    assert options(apart, "write") == []


def test_example_2_two_cards_with_four_actions() -> None:
    """Card 22, then 55: two rivers; three mountains, of which one on each card is needed; 3 + 1 rivers."""
    state = ready(*EXAMPLE_2, territories=(4, 55, 6)).with_player(0, exploring=22)
    text = "write 1 red-write; write 9 red-write; write 3 red-write; write 34 red-write; cross 22 then 55"
    turn = play(state, text)
    assert told(turn, CardExplored) == [CardExplored(0, 22, "RRM"), CardExplored(0, 55, "MRRRR")]
    assert turn.state.players[0].journal == (22, 55)
    assert options(turn.state) == ["next 4", "next 6"]
    after = play(turn.state, "next 4; end")
    assert told(after, ExtraTurn) == [ExtraTurn(0)]
    assert after.state.seat == 0


def test_example_2_needs_all_four_write_dice_for_two_cards() -> None:
    """Without the Tenino, the four rivers of card 55 are one too many."""
    state = ready(*EXAMPLE_2, territories=(4, 55, 6)).with_player(0, exploring=22)
    state = play(state, "write 1 red-write; write 9 red-write; write 3 red-write").state
    assert "cross 22 then 55" not in options(state)
    assert "cross 22" in options(state)


# --- when a Write die may be laid -----------------------------------------------------------------------------------


def test_a_write_die_needs_all_prerequisites() -> None:
    """Card 7 needs two dice; one of them is not enough."""
    one = on_roads(ready(laid("7", "red", "")), c35="R")
    both = on_roads(ready(laid("7", "red", "blue")), c35="R")
    assert options(one, "write") == []
    assert options(both, "write") == ["write 7 red-write"]


def test_a_write_die_is_laid_only_if_a_whole_card_can_be_crossed() -> None:
    """Foot alone does not cross RRMM, nor do both actions with a single Write die."""
    assert options(ready(READY[0]), "write") == []
    assert options(ready(*READY, reserve="red-write, red-walk"), "write") == []
    assert options(ready(*READY, reserve="2 red-write"), "write") == [
        "write foot red-write",
        "write mountain red-write",
    ]


def test_only_write_dice_or_the_crossing_follow_a_write_die() -> None:
    """The turn cannot end before the card is crossed."""
    state = play(ready(*READY), "write foot red-write").state
    assert options(state) == ["write mountain red-write"]
    state = play(state, "write mountain red-write").state
    assert options(state) == ["cross 35"]


def test_more_actions_than_needed_may_be_completed() -> None:
    """Their dice come back too."""
    state = play(ready(*READY, laid("horse", "blue")), "write foot red-write; write mountain red-write").state
    assert options(state) == ["cross 35", "write horse red-write"]
    state = play(state, "write horse red-write; cross 35").state
    assert state.doing.coming == Supply.of({"red": 5, "blue": 1})


def test_four_write_dice_prepare_and_complete_the_mountain_in_one_turn() -> None:
    """Three are the prerequisites, of which two go to the right bank; the fourth completes the action."""
    state = on_roads(position(players={0: {"reserve": "4 red-write"}}), c35="MM")
    lays = "lay mountain red-write; " * 3
    state = play(state, lays + "write mountain red-write; cross 35").state
    assert state.right == Supply.of({"red": 2})
    assert state.doing.coming == Supply.of({"red": 2})
    assert state.players[0].journal == (35,)


def test_icons_that_an_action_does_not_use_are_lost() -> None:
    """Foot crosses two rivers; the third one serves no other section."""
    assert options(play(on_roads(ready(READY[0]), c35="RR"), "write foot red-write").state) == ["cross 35"]
    assert options(on_roads(ready(READY[0], laid("14", "red")), c35="RMR"), "write foot") == []


def test_a_player_explores_once_a_turn() -> None:
    """After the crossing no Write die can be laid, whatever is prepared."""
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
        ("5", "RRRR", True),  # simple: four rivers for the dice of foot
        ("9", "MMM", True),  # the rulebook's picture: two Walk dice, then Write, three mountains
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
        ("34 horse", "RRR", True),  # Tenino: one more river for a river action
        ("34 mountain", "MMR", False),
        ("34", "R", False),
        ("35 horse", "RRRR", True),  # Multnomah: two more
        ("36 mountain", "MMM", True),  # Nez Perce: one more mountain
        ("36 horse", "RRM", False),
        ("34 35 horse", "RRRRR", True),  # both extend the same action
        ("34 horse foot", "RRRRRR", True),  # or one each of two actions
        ("34 horse foot", "RRRRRRR", False),
        ("36 23", "RRRMM", True),  # a mixed action is extended in its own order
        ("34 16", "RRRR", True),  # and so is the half chosen of an `or`
        ("34 16", "MMR", False),
    ],
)
def test_each_group_of_tribe_cards_crosses_its_roads(spaces: str, road: str, crossed: bool) -> None:
    """Each is written on and crossed, or cannot be written on."""
    actions = [laid(space, *["red"] * (2 if space == "7" else 1)) for space in spaces.split()]
    state = on_roads(ready(*actions), c35=road)
    writes = "; ".join(f"write {action.space} red-write" for action in state.players[0].actions)
    assert (f"write {spaces.split(maxsplit=1)[0]} red-write" in options(state)) == crossed
    if crossed:
        assert play(state, f"{writes}; cross 35").state.players[0].journal == (35,)


def test_any_road_of_a_card_may_be_crossed() -> None:
    """Card 41 is RMR or RRRRM; four rivers and two mountains cross the second."""
    state = ready(laid("5", "red"), laid("8", "red")).with_player(0, exploring=41)
    turn = play(state, "write 5 red-write; write 8 red-write; cross 41")
    assert told(turn, CardExplored) == [CardExplored(0, 41, "RRRRM")]


# --- after exploring ------------------------------------------------------------------------------------------------


def test_dice_of_completed_actions_come_back_and_others_stay() -> None:
    """They are rolled and cannot be played this turn; prepared actions stay prepared."""
    state = ready(*READY, laid("horse", "blue"), reserve="2 red-write, red-ride")
    state = play(state, "write foot red-write; write mountain red-write; cross 35; next 4").state
    assert state.players[0].actions == (laid("horse", "blue"),)
    assert state.doing.fresh.total == 4
    assert state.players[0].reserve == dice("red-ride")
    assert play(state, "end").state.players[0].reserve.total == 5


def test_the_turn_goes_on_after_exploring() -> None:
    """A Write die that is left may prepare an action, change the route, or turn the dice that came back."""
    state = ready(*READY, reserve="3 red-write")
    state = play(state, "write foot red-write; write mountain red-write; cross 35; next 4").state
    assert options(state, "lay") == ["lay turn red-write", "lay route red-write"]


def test_territories_are_filled_up_only_when_the_turn_ends() -> None:
    """The top card of the deck replaces the card taken, and the next one is turned up."""
    state = play(ready(*READY), "write foot red-write; write mountain red-write; cross 35; next 4").state
    assert state.territories == (5, 6)
    state = play(state, "end").state
    assert state.territories == (5, 6, 7)
    assert state.top in (8, 9, 10, 11, 12)


def test_encounters_are_filled_before_territories() -> None:
    """The top card becomes a tribe if one is missing."""
    state = position(players={0: {"reserve": "red-walk"}}, encounters=(1, 2), territories=(4, 5))
    state = play(state, "lay route red-walk; swap 4; end").state
    assert state.encounters == (1, 2, 7)
    assert len(state.territories) == 3


def test_a_preview_ends_where_the_returned_dice_are_rolled() -> None:
    """They are rolled when the next card is chosen, before the rest of the turn is decided."""
    state = ready(*READY, reserve="3 red-write")
    text = "write foot red-write; write mountain red-write; cross 35; next 4; lay route red-write; swap 5"
    shown = replay.preview(game, state, 0, parse(game, text))
    assert (shown.done, shown.certain) == (3, False)
    assert replay.move(game, turn_at(state, "rules"), 0, parse(game, text)).done == 6


def test_dice_about_to_be_rolled_are_counted_and_shown() -> None:
    """Between the crossing and the choice of the next card they still belong to the player."""
    state = play(ready(*READY), "write foot red-write; write mountain red-write; cross 35").state
    seen = game.view(state, None)
    assert state.doing.coming.total + state.players[0].reserve.total == seen.players[0].dice == 6
    said = " ".join(game.board(seen, ("Ann", "Bob", "Cid")).split())
    assert "About to be rolled: " in said


def test_an_action_just_used_may_be_prepared_again() -> None:
    """Once a turn limits the effect: three more Write dice prepare the mountain for a later turn."""
    state = on_roads(ready(READY[1], reserve="4 red-write, 2 grey-write"), c35="MM")
    lays = "lay mountain red-write; " * 2 + "lay mountain grey-write"
    state = play(state, f"write mountain red-write; cross 35; next 4; {lays}").state
    assert state.players[0].action("mountain") == laid("mountain", "red")
    assert options(state, "write") == []


# --- two cards ------------------------------------------------------------------------------------------------------


def test_the_second_card_comes_from_the_territories() -> None:
    """It must be crossed whole; each card may also be crossed alone."""
    state = on_roads(ready(*READY), c35="RR", c4="MM", c5="MMM", c6="RM")
    state = play(state, "write foot red-write; write mountain red-write").state
    assert options(state, "cross") == ["cross 35", "cross 35 then 4", "cross 35 then 6"]


def test_a_block_runs_on_from_the_first_card_to_the_second() -> None:
    """Three rivers on foot: two on the first card, one on the second."""
    state = on_roads(ready(*READY), c35="RR", c4="RMM")
    state = play(state, "write foot red-write; write mountain red-write; cross 35 then 4").state
    assert state.players[0].journal == (35, 4)


def test_two_cards_bring_another_turn() -> None:
    """The cards are filled up and the returned dice can be played."""
    state = on_roads(ready(READY[0]), c35="R", c4="R")
    turn = play(state, "write foot red-write; cross 35 then 4; next 5; end")
    assert (turn.state.seat, turn.state.turns) == (0, 2)
    assert len(turn.state.territories) == 3
    assert options(turn.state, "rest") != []
    assert turn.state.players[0].reserve.total == 5
    assert play(turn.state, "rest none").state.seat == 1


def test_one_card_brings_no_other_turn() -> None:
    state = on_roads(ready(READY[0]), c35="R")
    assert play(state, "write foot red-write; cross 35; next 5; end").state.seat == 1


def test_three_cards_cannot_be_explored_in_one_turn() -> None:
    """The notation has two, and no Write die can follow."""
    state = on_roads(ready(READY[0], laid("horse", "red")), c35="R", c4="R", c5="R")
    state = play(state, "write foot red-write; cross 35 then 4; next 5").state
    assert options(state, "write") == []


# --- Minnetaree -----------------------------------------------------------------------------------------------------


def test_a_reserved_card_may_be_explored_instead() -> None:
    """The Exploration zone is still full, so no card is chosen; the Minnetaree card has been used."""
    state = on_roads(ready(READY[0]), c5="RR").with_player(0, reserved=((37, 5),), tribes=(37,))
    state = play(state, "write foot red-write; cross 5").state
    assert state.players[0].journal == (5,)
    assert state.players[0].exploring == 35
    assert state.players[0].reserved == ()
    assert state.players[0].tribes == (37,)
    assert options(state, "next") == []


def test_the_second_card_after_a_reserved_one_also_comes_from_the_territories() -> None:
    """Neither the player's own card nor another reserved one can be the second."""
    state = on_roads(ready(READY[0]), c35="R", c5="R", c6="R", c8="R", c4="MMM")
    state = replace(state, territories=(4, 6, 7)).with_player(0, reserved=((37, 5), (38, 8)), tribes=(37, 38))
    state = play(state, "write foot red-write").state
    crossings = options(state, "cross")
    assert {"cross 35", "cross 5", "cross 8", "cross 35 then 6", "cross 5 then 6", "cross 8 then 6"} <= set(crossings)
    assert "cross 5 then 35" not in crossings
    assert "cross 35 then 5" not in crossings


# --- routes ---------------------------------------------------------------------------------------------------------


def test_a_change_of_route_exchanges_the_card_for_a_territory() -> None:
    state = position(players={0: {"reserve": "red-walk"}})
    begun = play(state, "lay route red-walk").state
    assert options(begun) == ["swap 4", "swap 5", "swap 6"]
    done = play(begun, "swap 5").state
    assert done.players[0].exploring == 5
    assert done.territories == (4, 35, 6)


def test_the_route_cannot_be_changed_without_a_territory() -> None:
    state = position(players={0: {"reserve": "red-walk"}}, territories=())
    assert options(state, "lay route") == []


# --- the last cards -------------------------------------------------------------------------------------------------


def test_a_player_without_a_territory_gets_the_top_card_of_the_deck() -> None:
    """The Minnetaree and two crossings can empty the Territories in one turn."""
    state = on_roads(ready(READY[0], territories=()), c35="R")
    state = play(state, "write foot red-write; cross 35").state
    assert state.last is None
    state = play(state, "end").state
    assert state.players[0].exploring == 7
    assert len(state.territories) == 3


def test_a_player_who_finds_no_card_at_all_has_finished() -> None:
    """With no territory and no deck, the others play once more, in order."""
    state = on_roads(ready(READY[0], territories=(), top=0, deck=()), c35="R")
    turn = play(state, "write foot red-write; cross 35")
    assert told(turn, SeatFinished) == [SeatFinished(0, (1, 2))]


def test_the_game_goes_on_while_a_territory_is_left() -> None:
    """An empty deck alone does not end it."""
    state = on_roads(ready(READY[0], territories=(4,), top=0, deck=()), c35="R")
    assert play(state, "write foot red-write; cross 35; next 4").state.last is None


def test_a_reserved_card_does_not_fill_the_exploration_zone() -> None:
    """Its owner has finished all the same."""
    state = on_roads(ready(READY[0], territories=(), top=0, deck=()), c35="R")
    state = state.with_player(0, reserved=((37, 5),))
    assert told(play(state, "write foot red-write; cross 35"), SeatFinished)


def test_two_cards_at_the_very_end_bring_no_extra_turn() -> None:
    """The player has finished."""
    state = on_roads(ready(READY[0], territories=(4,), top=0, deck=()), c35="R", c4="R")
    state = play(state, "write foot red-write; cross 35 then 4; end").state
    assert (state.seat, state.last) == (1, (2,))
