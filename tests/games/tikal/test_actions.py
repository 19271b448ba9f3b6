"""The eight actions of Tikal with their costs, limits and effects; the sample turns of the rulebook come first."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import replay
from engine.errors import Refused
from engine.games.tikal import game
from engine.games.tikal.commands import Dig, Swap, Walk
from engine.games.tikal.events import TreasureFound, Walked
from engine.games.tikal.hexes import PLACE
from engine.kit import group, legal, names_of, parse
from tests.games.tikal.positions import begun, holding, play, position, with_tile
from tests.kit.worlds import told, turn_at

RUINS = ("b3", "ruins-a1", 0)
CLEARING = ("c3", "clearing-c1", 0)


def listed(state, kind, seat=0):
    return [command for command in legal(game, state, seat) if isinstance(command, kind)]


# --- the rulebook's sample turn -------------------------------------------------------------------------------------


def test_the_sample_turns_of_the_rulebook() -> None:
    """One player digs with the leader and sends an explorer to a temple; the next sends two and uncovers two levels.

    The ruins lie two stones from the camp, by way of the clearing, as the printed board has it.
    """
    first = begun(2)
    first = holding(replace(first, tile="", stack=first.stack.add([first.tile])), "ruins-a1")
    one = play(first, "place b3 r0; enter a1 leader; walk a1 b3 leader; dig b3; enter a1; enter a1; walk a1 b1")
    assert [event.cost for event in told(one, Walked)] == [2, 2]
    assert (one.state.points, one.state.laid("b3").treasures, len(one.state.players[0].treasures)) == (0, 3, 1)
    second = holding(position(2), "clearing-a1")
    two = play(second, "place a3 r0; enter a1; enter a1; walk a1 a2; walk a1 a2; level a2; level a2")
    assert (two.state.points, two.state.laid("a2").value) == (0, 3)


def test_a_whole_turn_is_one_move() -> None:
    """It has the tile, any number of actions and the end, with a treasure drawn in between."""
    state = holding(position(2), "ruins-a1")
    turn = turn_at(state, "rules")
    moved = replay.move(game, turn, 0, parse(game, "place b3 r0; enter a1; walk a1 b3; dig b3; try dig b3; done"))
    assert (moved.done, moved.refusal, turn.state.seat) == (6, None, 1)


# --- action points --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("enter a1", 1),
        ("enter a1 leader", 1),
        ("walk a1 c3", 1),  # from camp to camp
        ("walk b2 a1", 1),
        ("walk a1 b1", 2),
        ("level a2", 2),
        ("dig b3", 3),
        ("swap bowl 2 drum", 3),
        ("camp b2", 5),
        ("guard a2", 5),
    ],
)
def test_each_action_has_its_cost(text: str, cost: int) -> None:
    """A command with one point less than its cost is refused."""
    pieces = {cell: {"explorers": (1, 0, 0)} for cell in ("a1", "a2", "b2", "b3")}
    have = {0: {"treasures": ("bowl",)}, 1: {"treasures": ("drum",)}}
    state = position(laid=(RUINS, CLEARING), sites={**pieces, "c3": {"tent": 0}}, players=have)
    assert state.points == 10
    assert play(state, text).state.points == 10 - cost
    with pytest.raises(Refused, match="too-few-action-points"):
        play(replace(state, points=cost - 1), text)


def test_points_left_over_are_lost() -> None:
    """The next player begins with ten points, whatever was left."""
    assert play(position(), "enter a1; done").state.points == 10


def test_the_tile_is_laid_before_anything_else() -> None:
    state = begun()
    assert {type(command).__name__ for command in legal(game, state, 0)} == {"Place"}
    with pytest.raises(Refused, match="not-now"):
        play(state, "enter a1")


# --- walking --------------------------------------------------------------------------------------------------------


def test_a_walk_takes_the_cheapest_route() -> None:
    """Three stones straight, but two by way of another tile: two are paid, and the command does not name the route."""
    state = position(laid=(("c2", "temple-g1", 4), ("c1", "temple-c1", 3)), sites={"b2": {"explorers": (1, 0, 0)}})
    northeast, southwest = 1, 4
    assert state.land[PLACE["b2"]][northeast] + state.land[PLACE["c2"]][southwest] == 3
    (walk,) = told(play(state, "walk b2 c2"), Walked)
    assert walk.cost == 2


def test_camps_of_one_player_are_one_point_apart() -> None:
    """A hop between the player's camps is part of the cheapest route; the camp of another player is not."""
    laid = (RUINS, ("a3", "clearing-a1", 0), ("a4", "clearing-b1", 0))
    own = position(laid=laid, sites={"a4": {"tent": 0, "explorers": (1, 0, 0)}})
    assert [event.cost for event in told(play(own, "walk a4 b2"), Walked)] == [2]
    foreign = position(laid=laid, sites={"a4": {"tent": 1, "explorers": (1, 0, 0)}})
    (walk,) = told(play(foreign, "walk a4 a1"), Walked)
    assert walk.cost > 1


def test_pieces_and_camps_of_others_stop_nobody() -> None:
    """The route leads through tiles full of others, and may end among them."""
    crowd = {"explorers": (0, 5, 0), "leaders": (2,), "tent": 1}
    state = position(laid=(RUINS,), sites={"b2": crowd, "a1": {"explorers": (1, 0, 0)}})
    assert told(play(state, "walk a1 b3"), Walked)[0].cost == 2


def test_nobody_walks_onto_a_volcano() -> None:
    """Stones towards a volcano are not a road."""
    state = position(laid=(RUINS, ("c3", "volcano-b1", 0)), sites={"b2": {"explorers": (1, 0, 0)}})
    with pytest.raises(Refused, match="no-way"):
        play(state, "walk b2 c3")


def test_a_walk_does_not_stop_on_an_edge() -> None:
    """All stones of the route are paid at once, or the piece stays."""
    state = position(sites={"a1": {"explorers": (1, 0, 0)}}, points=1)
    with pytest.raises(Refused, match="too-few-action-points"):
        play(state, "walk a1 a2")
    assert {walk.goal for walk in listed(state, Walk)} == {"b2"}


# --- entering and camps ---------------------------------------------------------------------------------------------


def test_pieces_enter_at_the_base_camp_or_a_camp_of_their_player() -> None:
    state = position(laid=(CLEARING,), sites={"c3": {"tent": 0}, "b2": {"tent": 1}})
    assert play(state, "enter c3; enter a1 leader").state.laid("c3").explorers == (1, 0, 0)
    with pytest.raises(Refused, match="no-camp-there"):
        play(state, "enter b2")


def test_pieces_come_in_as_long_as_there_are_any() -> None:
    """Eighteen explorers and one leader; points are the only other limit."""
    turn = play(position(), "enter a1; " * 9 + "enter a1 leader")
    assert turn.state.laid("a1").explorers[0] == 9
    assert turn.state.laid("a1").leaders == (0,)
    with pytest.raises(Refused, match="none-left"):
        play(replace(turn.state, points=10), "enter a1 leader")
    with pytest.raises(Refused, match="none-left"):
        play(position(players={0: {"explorers": 0}}), "enter a1")


def test_a_camp_is_pitched_on_a_clearing_or_on_emptied_ruins() -> None:
    """A tile has one camp, a player two, and a piece of the player must be there."""
    piece = {"explorers": (1, 0, 0)}
    state = position(laid=(RUINS,), sites={"b2": piece, "b3": {**piece, "treasures": 0}, "a2": piece})
    both = play(state, "camp b2; camp b3").state
    assert (both.camps(0), both.players[0].tents) == (("a1", "b2", "b3"), 0)
    with pytest.raises(Refused, match="no-ground-for-a-camp"):
        play(state, "camp a2")
    full = position(laid=(RUINS,), sites={"b3": piece})
    with pytest.raises(Refused, match="no-ground-for-a-camp"):
        play(full, "camp b3")
    with pytest.raises(Refused, match="camp-is-there"):
        play(position(sites={"b2": {**piece, "tent": 2}}), "camp b2")


# --- levels ---------------------------------------------------------------------------------------------------------


def test_the_second_level_takes_a_second_piece() -> None:
    """One piece is enough for one level, and the leader counts as one piece."""
    alone = position(sites={"a2": {"leaders": (0,)}})
    assert play(alone, "level a2").state.laid("a2").value == 2
    with pytest.raises(Refused, match="too-few-pieces-there"):
        play(alone, "level a2; level a2")
    two = position(sites={"a2": {"explorers": (1, 0, 0), "leaders": (0,)}})
    assert play(two, "level a2; level a2").state.laid("a2").value == 3


def test_two_levels_a_turn_on_one_temple_and_more_on_others() -> None:
    many = {"explorers": (5, 0, 0)}
    state = position(sites={"a2": many, "b1": many})
    with pytest.raises(Refused, match="enough-for-this-turn"):
        play(state, "level a2; level a2; level a2")
    turn = play(state, "level a2; level a2; level b1")
    assert (turn.state.laid("a2").value, turn.state.laid("b1").value) == (3, 2)


def test_the_next_turn_may_go_on() -> None:
    """The limit is for one turn."""
    state = position(sites={"a2": {"explorers": (2, 2, 0)}}, frames=position().frames * 2)
    assert play(state, "level a2; level a2; done; level a2").state.laid("a2").value == 4


def test_levels_come_in_order_out_of_a_supply() -> None:
    """A temple cannot grow without a level of the next number."""
    two = {"explorers": (2, 0, 0)}
    turn = play(position(sites={"a2": two}), "level a2; level a2")
    assert turn.state.levels == (2, 5, 9, 11, 8, 5, 3, 2, 1)
    none = position(sites={"a2": two}, levels=(0, 6, 9, 11, 8, 5, 3, 2, 1))
    with pytest.raises(Refused, match="no-such-level-left"):
        play(none, "level a2")
    with pytest.raises(Refused, match="no-such-level-left"):
        play(position(sites={"a2": {**two, "value": 10}}), "level a2")


# --- treasures ------------------------------------------------------------------------------------------------------


def test_the_second_treasure_takes_a_second_piece() -> None:
    """At most two are dug up on one tile in one turn."""
    one = position(laid=(RUINS,), sites={"b3": {"explorers": (1, 0, 0)}})
    with pytest.raises(Refused, match="too-few-pieces-there"):
        play(one, "dig b3; dig b3")
    three = position(laid=(RUINS,), sites={"b3": {"explorers": (3, 0, 0)}})
    two = play(three, "dig b3; dig b3")
    assert (two.state.laid("b3").treasures, len(two.state.players[0].treasures), two.state.treasures.total) == (
        2,
        2,
        22,
    )
    with pytest.raises(Refused, match="enough-for-this-turn"):
        play(replace(two.state, points=10), "dig b3")


def test_treasures_at_two_sites_in_one_turn() -> None:
    """The limit is for one tile."""
    two = {"explorers": (2, 0, 0)}
    state = position(laid=(RUINS, ("a3", "ruins-a2", 0)), sites={"b3": two, "a3": two})
    assert len(play(state, "dig b3; dig a3; dig b3").state.players[0].treasures) == 3


def test_an_empty_site_gives_nothing() -> None:
    state = position(laid=(RUINS,), sites={"b3": {"explorers": (1, 0, 0), "treasures": 0}})
    assert not listed(state, Dig)
    with pytest.raises(Refused, match="no-treasure-there"):
        play(state, "dig b3")


def test_any_treasure_that_nobody_has_may_be_dug_up() -> None:
    """No treasure is fixed before: the same word draws the same one, and it leaves the supply."""
    state = position(laid=(RUINS,), sites={"b3": {"explorers": (1, 0, 0)}})
    (found,) = told(play(state, "dig b3"), TreasureFound)
    again = told(play(state, "dig b3"), TreasureFound)
    assert again == [found]
    assert play(state, "dig b3").state.treasures.count(found.treasure) == 2


def test_a_single_is_swapped_for_a_single() -> None:
    """The other player is not asked, no piece is needed, and it may be repeated."""
    have = {0: {"treasures": ("bowl", "ring")}, 1: {"treasures": ("drum",)}, 2: {"treasures": ("bowl",)}}
    turn = play(position(players=have), "swap ring 2 drum")
    assert (turn.state.players[0].treasures, turn.state.players[1].treasures) == (("bowl", "drum"), ("ring",))
    pair = play(turn.state, "swap drum 3 bowl").state
    assert (pair.players[0].treasures, pair.players[2].treasures) == (("bowl", "bowl"), ("drum",))


def test_pairs_are_never_split() -> None:
    """Neither the player's own nor another's."""
    have = {0: {"treasures": ("bowl", "bowl", "ring")}, 1: {"treasures": ("drum", "drum", "flute")}}
    state = position(players=have)
    assert listed(state, Swap) == [Swap("ring", 1, "flute")]
    for text in ("swap bowl 2 flute", "swap ring 2 drum"):
        with pytest.raises(Refused, match="not-a-single"):
            play(state, text)


def test_without_a_single_treasure_nothing_can_be_swapped() -> None:
    """Nothing is taken without giving something."""
    assert not listed(position(players={1: {"treasures": ("drum",)}}), Swap)


# --- guards ---------------------------------------------------------------------------------------------------------


def test_a_guard_needs_more_strength_than_every_other_player() -> None:
    """The leader counts three, and equal strength is not enough."""
    against = {"explorers": (0, 2, 0)}
    assert play(position(sites={"a2": {**against, "leaders": (0,)}}), "guard a2").state.laid("a2").guard == 0
    equal = position(sites={"a2": {"explorers": (3, 0, 0), "leaders": (1,)}})
    with pytest.raises(Refused, match="not-the-strongest"):
        play(equal, "guard a2")


def test_a_guard_takes_only_pieces_of_its_player_out_of_the_game() -> None:
    """The guard stays for good, and the others leave the game."""
    state = position(sites={"a2": {"explorers": (3, 2, 0), "leaders": (0,)}})
    turn = play(state, "guard a2")
    site, player = turn.state.laid("a2"), turn.state.players[0]
    assert (site.explorers, site.leaders, site.guard) == ((0, 2, 0), (), 0)
    assert (player.lost, player.lost_leader, player.guards) == (3, True, 1)


def test_a_guarded_temple_is_finished_and_open_to_walkers() -> None:
    """It gets no level and no second guard, but pieces may walk through."""
    sites = {"a2": {"guard": 1, "explorers": (2, 0, 0)}, "a1": {"explorers": (1, 0, 0)}}
    state = position(sites=sites)
    for text in ("level a2", "guard a2"):
        with pytest.raises(Refused, match="temple-is-guarded"):
            play(state, text)
    assert play(state, "walk a1 a2; walk a2 a1").state.points == 6


def test_two_guards_a_player() -> None:
    state = position(sites={"a2": {"explorers": (1, 0, 0)}}, players={0: {"guards": 0}})
    with pytest.raises(Refused, match="no-guard-left"):
        play(state, "guard a2")


def test_a_guard_needs_a_piece_on_the_temple() -> None:
    with pytest.raises(Refused, match="not-the-strongest"):
        play(position(), "guard a2")


# --- the end of a turn ----------------------------------------------------------------------------------------------


def test_the_next_tile_is_drawn_when_the_turn_ends() -> None:
    """So the mail to the next player can show it."""
    turn = play(position(), "done")
    assert turn.chance.drawn
    assert turn.state.seat == 1
    assert turn.state.owes_tile
    shown = game.board(game.view(turn.state, 1), names_of(turn.state.seats))
    assert shown.startswith("Seat 2 must lay a tile and then has 10 action points.\n")
    assert f"\nTile {turn.state.tile}: " in shown


def test_the_places_of_a_tile_are_listed_by_cell() -> None:
    """A mail names each cell once, with its rotations."""
    state = with_tile(holding(position(), "temple-a2"), "a3", "temple-a1")
    lines = group(legal(game, state, 0))
    assert len(lines) < 12
    assert all(line.startswith("place ") for line in lines)


def test_two_treasures_a_tile_and_turn() -> None:
    """A ruling: on other ruins two more may be dug up in the same turn."""
    pair = {"explorers": (2, 0, 0)}
    state = position(3, (("b3", "ruins-a1", 0), ("c3", "ruins-a2", 0)), {"b3": pair, "c3": pair}, points=12)
    turn = play(state, "dig b3; dig b3; dig c3; dig c3")
    assert len(turn.state.players[0].treasures) == 4
    with pytest.raises(Refused, match="enough-for-this-turn"):
        play(replace(turn.state, points=3), "dig c3")
