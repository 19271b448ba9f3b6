"""Holders of temples, points of a scoring turn, volcanoes, the last round, and the ranking."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import replay
from engine.games.tikal import game
from engine.games.tikal.components import TILE, TILES
from engine.games.tikal.events import GameEnded, LastScoringBegun, Scored, ScoringBegun, TileDrawn, TileSetAside
from engine.games.tikal.roads import placements
from engine.games.tikal.scoring import finds, held, holder, outcome
from engine.games.tikal.turns import top
from engine.kit import Step, Supply, parse
from engine.kit import outcome as final
from tests.games.tikal.positions import begun, holding, play, position, scoring
from tests.kit.worlds import told, turn_at

# --- what is scored -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("site", "whose"),
    [
        ({}, None),
        ({"explorers": (1, 0, 0)}, 0),
        ({"explorers": (2, 2, 0)}, None),
        ({"explorers": (2, 2, 1)}, None),
        ({"explorers": (3, 2, 2)}, 0),
        ({"explorers": (3, 0, 0), "leaders": (1,)}, None),
        ({"explorers": (2, 0, 0), "leaders": (1,)}, 1),
        ({"explorers": (0, 9, 0), "guard": 2}, 2),
    ],
)
def test_a_temple_is_held_by_its_guard_or_by_the_strongest_player(site, whose) -> None:
    """A leader counts three; of equals nobody holds it."""
    state = position(sites={"a2": site})
    assert holder(state, state.laid("a2")) == whose


def test_other_tiles_are_held_by_nobody() -> None:
    state = position(sites={"a1": {"explorers": (5, 0, 0)}, "b2": {"explorers": (5, 0, 0)}})
    assert held(state, 0) == ()


@pytest.mark.parametrize(
    ("treasures", "points"),
    [
        ((), 0),
        (("bowl",), 1),
        (("bowl", "bowl"), 3),
        (("bowl", "bowl", "bowl"), 6),
        (("bowl", "bowl", "drum", "ring", "ring", "ring"), 10),
    ],
)
def test_treasures_score_by_how_many_are_alike(treasures, points) -> None:
    """One, three, six points for each kind."""
    assert finds(treasures) == points


def test_treasures_are_kept_and_score_again() -> None:
    """A guarded temple does too; each of the four scorings counts anew."""
    state = position(2, sites={"a2": {"guard": 0, "value": 4}}, players={0: {"treasures": ("bowl", "bowl")}})
    turn = play(scoring(state, 0, 0, 1), "done; done")
    assert [(event.temples, event.cells, event.finds) for event in told(turn, Scored)] == [(4, ("a2",), 3)] * 2
    assert turn.state.players[0].total == 14


def test_a_temple_may_score_for_several_in_one_round() -> None:
    """Players act before they score, so a majority changes hands; only the player of the turn scores."""
    state = position(2, sites={"a2": {"value": 5, "explorers": (1, 0)}, "a1": {"explorers": (0, 1), "leaders": (1,)}})
    turn = play(scoring(state, 0, 1), "done; walk a1 a2 leader; done")
    assert [(event.seat, event.temples) for event in told(turn, Scored)] == [(0, 5), (1, 5)]


# --- volcanoes ------------------------------------------------------------------------------------------------------


def with_volcano(seats: int):
    """Return a position in which seat 2 is about to draw a volcano, the last tile of stack b."""
    state = position(seats)
    rest = [name for name, _ in state.stack.rest if TILE[name].stack > "b"]
    return replace(state, stack=Supply.of(dict.fromkeys([*rest, "volcano-b1"], 1)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_volcano_is_scored_before_it_is_laid(seats: int) -> None:
    """The player who draws it scores first, then the others in turn; then that player lays it and has a usual turn."""
    turn = play(with_volcano(seats), "done")
    assert [event.tile for event in told(turn, TileDrawn)] == ["volcano-b1"]
    assert [event.seat for event in told(turn, ScoringBegun)] == [1]
    order = [*range(1, seats), 0]
    assert [(frame.doing, frame.seat) for frame in turn.state.frames] == [
        *(("scoring", seat) for seat in order),
        ("turn", 1),
    ]
    assert not turn.state.owes_tile
    after = play(turn.state, "done; " * (seats - 1) + "enter a1; done")
    assert [event.seat for event in told(after, Scored)] == order
    assert (after.state.seat, after.state.owes_tile, after.state.points) == (1, True, 10)
    laid = play(after.state, "place a3 r0; enter a1; done").state
    assert (laid.laid("a3").kind, laid.seat, laid.doing) == ("volcano", 2 % seats, "turn")


def test_a_scoring_turn_has_ten_points_and_scores_when_they_are_spent() -> None:
    """Nothing is scored before the player is done."""
    turn = play(with_volcano(2), "done")
    acting = play(turn.state, "enter a1; walk a1 a2; level a2; enter a1 leader; walk a1 b1 leader; level b1")
    assert (acting.state.points, told(acting, Scored)) == (0, [])
    assert [event.temples for event in told(play(acting.state, "done"), Scored)] == [4]


def test_levels_of_the_scoring_turn_do_not_count_for_the_turn_after_it() -> None:
    """It is a turn of its own: two levels in it, and two more in the turn after it."""
    turn = play(with_volcano(2), "done")
    state = turn.state.with_site("a2", replace(turn.state.laid("a2"), explorers=(0, 2)))
    scored = play(state, "level a2; level a2; done; done").state
    assert play(scored, "place a3 r0; level a2; level a2").state.laid("a2").value == 5


# --- the stack ------------------------------------------------------------------------------------------------------


def test_letters_come_in_order() -> None:
    """Only tiles of the letter on top can be drawn."""
    state = begun()
    assert {name[-2] for name, _ in top(state.stack).rest} == {"a"}
    rest = Supply.of({name: 1 for name, _ in state.stack.rest if name[-2] > "c"})
    assert {name[-2] for name, _ in top(rest).rest} == {"d"}


def test_tiles_of_a_letter_are_shuffled() -> None:
    """Each of the six tiles of stack a comes first in some game."""
    first = {begun(2, word=f"shuffle {number}").tile for number in range(60)}
    assert first == {tile.name for tile in TILES if tile.stack == "a"}


# --- the end --------------------------------------------------------------------------------------------------------


def last_turn(seats: int = 3):
    """Return a position with no tile left to draw."""
    return position(seats, stack=Supply())


def test_after_the_last_tile_everybody_scores_once_more() -> None:
    """The left neighbour begins, and the player of the last tile scores last."""
    turn = play(last_turn(), "done")
    assert [event.seat for event in told(turn, LastScoringBegun)] == [1]
    end = play(turn.state, "done; done; done")
    assert [event.seat for event in told(end, Scored)] == [1, 2, 0]
    assert [event.reason for event in told(end, GameEnded)] == ["explored"]
    assert game.active(end.state) == ()


def ended(**players):
    """Return the outcome for three seats with these (points, height of a guarded temple, treasures)."""
    cells = ("a2", "b1", "b3")
    state = position(3, laid=(("b3", "temple-a1", 0),))
    for seat, (points, height, treasures) in enumerate(players.values()):
        state = state.with_player(seat, temples=points, treasures=treasures)
        if height:
            site = replace(state.laid(cells[seat]), value=height, guard=seat)
            state = state.with_site(cells[seat], site)
    return outcome(replace(state, over="explored"))


def test_most_points_win() -> None:
    assert ended(a=(9, 10, ()), b=(12, 2, ()), c=(10, 9, ("bowl",))).places == ((1,), (2,), (0,))


def test_equal_points_are_broken_by_the_tallest_temple() -> None:
    """The holder of the tallest one ranks above, however many treasures there are."""
    assert ended(a=(9, 4, ("bowl", "ring")), b=(9, 6, ()), c=(1, 8, ())).places == ((1,), (0,), (2,))


def test_equal_heights_are_broken_by_the_number_of_treasures() -> None:
    """Treasures are counted, not their points."""
    alike, mixed = ("bowl", "bowl", "bowl"), ("bowl", "drum", "flute", "ring")
    assert ended(a=(9, 4, alike), b=(9, 4, mixed), c=(1, 0, ())).places == ((1,), (0,), (2,))


def test_equal_in_all_is_a_shared_place() -> None:
    assert ended(a=(9, 4, ("bowl",)), b=(9, 4, ("ring",)), c=(9, 0, ("ring",))).places == ((0, 1), (2,))


def test_points_are_listed_by_heading() -> None:
    """Temples and treasures; what is left of the purse only in the auction."""
    found = ended(a=(9, 4, ()), b=(5, 0, ()), c=(0, 0, ()))
    assert found.points == (("temples", (9, 5, 0)), ("treasures", (0, 0, 0)))


def test_a_resigned_seat_ranks_last_and_is_not_compared() -> None:
    """A resigned seat holds no temple by its pieces, but its guards stay."""
    sites = {"a2": {"explorers": (1, 4, 0)}, "b1": {"guard": 1}}
    state = replace(position(sites=sites), gone=(1,))
    assert (holder(state, state.laid("a2")), holder(state, state.laid("b1"))) == (0, 1)
    over = replace(state.with_player(1, temples=50), over="explored")
    assert final(game, over).places[-1] == (1,)


# --- a tile that fits nowhere ---------------------------------------------------------------------------------------


def walled():
    """Return a position in which every free cell touches only volcanoes; its tiles do not add up."""
    state = position(2)
    barren = (0, 0, 0, 0, 0, 0)
    return replace(state, land=(*(stones or barren for stones in state.land[:-1]), ()))


def test_a_tile_that_fits_nowhere_is_set_aside() -> None:
    """The turn goes on without it, with all its points."""
    state = replace(walled(), stack=Supply.of({"temple-g1": 1}))
    turn = play(state, "done")
    assert [(event.seat, event.tile) for event in told(turn, TileSetAside)] == [(1, "temple-g1")]
    assert (turn.state.owes_tile, turn.state.points, turn.state.aside) == (False, 10, ("temple-g1",))
    assert play(turn.state, "enter a1; done").state.doing == "scoring"


def test_a_volcano_always_fits() -> None:
    assert placements(walled().land, TILE["volcano-b1"].stones) == (("h5", 0),)


# --- what is forced, and the clock ----------------------------------------------------------------------------------


def test_a_turn_without_points_ends_by_itself() -> None:
    """Everybody can see that nothing else is possible."""
    turn = turn_at(position(), "rules")
    replay.move(game, turn, 0, parse(game, "; ".join(["enter a1"] * 10)))
    assert turn.state.seat == 1


def test_the_clock_lays_the_tile_and_moves_nothing() -> None:
    """First cell, first rotation, then done: the clock spends no piece, treasure or point of the player."""
    state = holding(position(), "temple-a2")
    turn = turn_at(state, "rules")
    assert replay.expire(game, turn, 0) == 2
    assert turn.state.laid(placements(state.land, TILE["temple-a2"].stones)[0][0]).tile == "temple-a2"
    assert turn.state.players == state.players


def test_a_preview_of_a_whole_turn_stops_before_the_next_tile() -> None:
    """The effect of the turn is certain, the draw after it is not."""
    steps = parse(game, "enter a1; walk a1 a2; done")
    shown = replay.preview(game, position(), 0, steps)
    assert (shown.certain, shown.done, shown.state.points) == (False, 2, 7)


def test_a_treasure_fixes_the_move() -> None:
    """Commands before a refusal count once a treasure was seen."""
    state = position(laid=(("b3", "ruins-a1", 0),), sites={"b3": {"explorers": (1, 0, 0)}})
    turn = turn_at(state, "rules")
    moved = replay.move(game, turn, 0, parse(game, "dig b3; dig b3"))
    assert (moved.done, moved.refusal.code) == (1, "too-few-pieces-there")
    shown = replay.preview(game, state, 0, (Step(parse(game, "dig b3")[0].command),))
    assert (shown.certain, shown.events) == (False, ())
