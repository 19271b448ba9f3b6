"""House players of Tikal: games end in the order of their levels, and they value what the rules reward."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from client.players.arena import Pairing, run
from client.players.matches import Ended, Match, play
from engine.game import Options
from engine.games.tikal import game
from engine.games.tikal.bids import Bid, Offer, Pass
from engine.games.tikal.commands import Swap, Walk
from engine.games.tikal.hexes import PLACE
from engine.games.tikal.meta import TikalOptions
from engine.games.tikal.players.bids import called, choice, scorings
from engine.games.tikal.players.evaluate import later, worth
from engine.games.tikal.players.reach import _near, prospects
from engine.games.tikal.players.search import STRONG
from engine.games.tikal.players.spending import Spending, _Search, has_a_point
from engine.games.tikal.state import Frame, TikalState
from engine.kit import Step, Supply, format_steps, legal, view
from engine.players import Facts, Positions, level, players
from tests.games.tikal.positions import AUCTION, OPEN, begun, position
from tests.games.tikal.positions import play as played

THOUGHT = 300  # positions for an answer, where players have 20,000
TURNS = 36  # a tile each, and four pieces of the board that lie there from the beginning


def match(*names: str, options: Options | None = None) -> Ended:
    policies = tuple(level(game, name) for name in names)
    chosen = options or TikalOptions()
    return play(Match(game=game, options=chosen, names=names, policies=policies, seed="tikal", positions=THOUGHT))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_plan_beats_sensible_commands(seat: int) -> None:
    """Fair scores at least a quarter more than easy, from either seat, with a small part of its budget."""
    names = ["easy", "easy"]
    names[seat] = "fair"
    ended = match(*names)
    totals = [player.total for player in ended.state.players]
    assert ended.outcome.places[0] == (seat,)
    assert totals[seat] > 1.25 * totals[1 - seat]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [4, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize(("one", "others", "games"), [("easy", "random", 8), ("fair", "greedy", 2)])
def test_a_level_beats_three_of_four_baselines(one: str, others: str, games: int, seats: int) -> None:
    """At two seats and at most; `docs/players.md` has the matches that measured it."""
    pairing = Pairing(
        game=game, seats=seats, options=TikalOptions(), one=one, others=others, games=games, seed="players"
    )
    assert run(pairing).ahead >= 0.75


@pytest.mark.slow
@pytest.mark.parametrize("options", [AUCTION, OPEN], ids=["sealed", "open"])
def test_they_play_auctions_to_the_end(options: TikalOptions) -> None:
    """All levels at one table, with sealed and with open bids, and none spends all its points."""
    ended = match("easy", "fair", "strong", "easy", options=options)
    assert ended.outcome.reason == "explored"
    assert game.turns(ended.state) <= TURNS
    assert min(player.purse for player in ended.state.players) > 0


def test_a_search_stops_when_its_budget_is_spent() -> None:
    """At any point: after at most one more play of a find, and no other position."""
    state = begun(4)
    for most in (1, 7, 50, 333):
        budget = Positions(most)
        listed = tuple(legal(game, state, state.seat))
        facts = Facts(game=game, seat=state.seat, options=TikalOptions(), budget=budget)
        line = level(game, "strong").line(facts, view(game, state, state.seat), listed, random.Random(1))
        assert line[0] in listed
        assert budget.seen <= most + 4


# --- what a position is worth ---------------------------------------------------------------------------------------


def temple(**changes: Any) -> TikalState:
    """Return a position with a temple of 5 and two explorers of seat 1."""
    return position(2, sites={"a2": {"value": 5, "explorers": (2, 0), **changes}})


def test_a_guard_holds_what_a_majority_may_lose() -> None:
    """A guarded temple is worth more than a held one, and a held one more than a shared one."""
    guarded, led, shared = temple(guard=0), temple(), temple(explorers=(2, 2))
    assert worth(guarded, 0) > worth(led, 0) > worth(shared, 0)


def test_a_temple_is_worth_its_points_as_often_as_it_will_score() -> None:
    """Four times at first, and nothing more after the last scoring turn of the seat."""
    first = temple()
    last = replace(first, stack=first.stack.take(["volcano-b1", "volcano-d1"]))
    assert (later(first), later(last)) == (4, 2)
    assert worth(first, 0) - worth(temple(value=4), 0) > 1.5 * (worth(last, 0) - worth(replace_value(last, 4), 0)) > 0
    ended = replace(first, stack=Supply(()), frames=(), over="explored")
    assert later(ended) == 0
    assert worth(ended, 0) == worth(replace_value(ended, 9), 0) == 0


def replace_value(state: TikalState, value: int) -> TikalState:
    return state.with_site("a2", replace(state.laid("a2"), value=value))


def test_a_seats_own_scoring_turn_counts_a_temple_in_full() -> None:
    """Nobody can interfere now; before a later one others may have taken it."""
    scoring = (Frame("scoring", 0), Frame("scoring", 1))
    held = [replace(temple(value=value), frames=scoring, stack=Supply(()), points=0) for value in (4, 5)]
    assert worth(held[1], 0) - worth(held[0], 0) == pytest.approx(1)


def test_a_resigned_seat_holds_no_temple() -> None:
    """The strength of a resigned seat is not compared, so the other one holds it."""
    beaten = temple(explorers=(1, 3))
    assert worth(replace(beaten, gone=(1,)), 0) > worth(beaten, 0) + 5


def test_strong_saves_its_leader_from_a_guarded_temple() -> None:
    """All other pieces there leave the game; strong once lost the leader so in its second turn."""
    mine = {"value": 9, "explorers": (2, 1), "leaders": (0,)}
    state = replace(position(2, sites={"a2": mine}, players={0: {"leader": False, "explorers": 2}}), points=8)
    after = played(state, format_steps(tuple(map(Step, thought(state, STRONG.otherwise, Positions(2000)))))).state
    assert (after.laid("a2").guard, after.players[0].lost_leader) == (0, False)


# --- what is looked at ----------------------------------------------------------------------------------------------


def test_useless_walks_and_swaps_are_left_out() -> None:
    """A swap may make a pair; a single for a single brings nothing."""
    treasures = {0: {"treasures": ("bowl", "drum", "drum")}, 1: {"treasures": ("drum", "mask")}}
    state = position(2, players=treasures, sites={"a1": {"explorers": (1, 0)}})
    listed = tuple(legal(game, state, 0))
    looked = tuple(command for command in listed if has_a_point(state, 0, command))
    assert [one.theirs for one in listed if isinstance(one, Swap)] == ["drum", "mask"]
    assert [one.theirs for one in looked if isinstance(one, Swap)] == ["drum"]
    assert any(isinstance(one, Walk) for one in looked)
    assert set(looked) < set(listed)


def test_a_search_tries_only_some_ways_to_lay_a_tile() -> None:
    """No more than the limit."""
    state, budget = begun(2), Positions()
    listed = tuple(legal(game, state, state.seat))
    assert len(listed) > 5
    line = thought(state, Spending(width=0, places=5, finds=1), budget)
    assert budget.seen == 5
    assert line[0] in listed


@pytest.mark.parametrize(("points", "line"), [(3, "dig"), (2, "level")])
def test_a_search_spends_its_points_on_what_it_can_reach(points: int, line: str) -> None:
    """A treasure if the points suffice, otherwise a level; a find ends the move, because it decides how to go on."""
    sites = {"a1": {"kind": "ruins", "treasures": 2, "explorers": (1, 0)}, "a2": {"value": 3, "explorers": (2, 0)}}
    nobody_left = {0: {"explorers": 0, "leader": False}}
    state = replace(position(2, sites=sites, players=nobody_left), points=points)
    best = thought(state, Spending(width=4, places=1, finds=2), Positions())
    assert [type(command).__struct_config__.tag for command in best] == [line]


def thought(state: TikalState, policy: Spending, budget: Positions) -> tuple[Any, ...]:
    facts = Facts(game=game, seat=state.seat, options=TikalOptions(), budget=budget)
    listed = tuple(legal(game, state, state.seat))
    return policy.line(facts, view(game, state, state.seat), listed, random.Random(1))


# --- bids -----------------------------------------------------------------------------------------------------------


def on_sale(*tiles: str, options: TikalOptions = AUCTION) -> TikalState:
    state = begun(len(tiles), options)
    return replace(state, stack=state.stack.add(state.open).take(tiles), open=tuple(sorted(tiles)))


def test_the_first_choice_is_worth_the_lead_of_the_best_tile() -> None:
    """Nothing if all are alike."""
    alike, better = on_sale("temple-a2", "temple-a3"), on_sale("temple-c2", "clearing-a1")
    assert choice(view(game, alike, 0)) == 0
    assert choice(view(game, better, 0)) > 4


def test_volcanoes_not_yet_laid_are_scorings_to_come() -> None:
    """Also one that is on sale."""
    for state in (on_sale("temple-a2", "temple-a3"), on_sale("volcano-b1", "clearing-a1")):
        assert scorings(view(game, state, 0)) == later(state) == 4


def test_a_ceiling_is_at_most_the_points_of_its_seat() -> None:
    """It is as high as the choice is worth if the points suffice."""
    bids = tuple(map(Bid, range(4)))
    assert called(bids, 2) == Bid(2)
    assert called(bids, 9) == Bid(3)


def test_in_an_open_sale_a_player_offers_one_more_and_stops_in_time() -> None:
    """It never offers more than the choice is worth."""
    state = begun(2, OPEN)
    first = tuple(legal(game, state, state.bidder))
    assert called(first, 3) == Offer(1)
    after = played(state, "offer 3", seat=state.bidder).state
    assert called(tuple(legal(game, after, after.bidder)), 3) == Pass()


def test_four_easy_players_end_their_game() -> None:
    """With the last tile, and with points for everybody."""
    ended = match(*["easy"] * 4)
    assert ended.outcome.reason == "explored"
    assert game.turns(ended.state) <= TURNS
    assert min(player.total for player in ended.state.players) > 0


# --- where a tile lies ------------------------------------------------------------------------------------------------


def laid(cell: str, turn: int = 0, **sites: Any) -> TikalState:
    """Return a position with a temple of 5 on a cell, and with a camp of seat 1 on the clearing b2."""
    return position(2, laid=((cell, "temple-d1", turn),), sites={"b2": {"tent": 0}, **sites})


def test_a_temple_promises_most_to_the_seat_that_reaches_it() -> None:
    """Beside one's own camp it is worth more than beside the base camp, from where everybody starts."""
    apart, shared = laid("c2", 3), laid("c2", 0)
    near = [_near(state.land, (), (PLACE["b2"],))[PLACE["c2"]] for state in (apart, shared)]
    assert max(near) > 0.5
    assert prospects(laid("c2", 3), 0) > prospects(laid("c2", 3), 1)


def test_a_camp_improves_what_the_tiles_promise() -> None:
    with_camp = laid("c2", 3)
    assert prospects(with_camp, 0) > prospects(position(2, laid=(("c2", "temple-d1", 3),)), 0)


def test_a_tile_that_nobody_reaches_promises_nothing() -> None:
    """A temple behind volcanoes only: nobody gains by it."""
    state = position(2, laid=(("h5", "temple-d1", 0),))
    assert prospects(state, 0) == prospects(position(2), 0)


def test_strong_lays_tiles_for_itself_and_not_in_the_order_of_the_list() -> None:
    """Two answers in the same position with another chance of the player's own may differ, the first cell is rare."""
    first = 0
    for word in ("a", "b", "c", "d", "e", "f"):
        state = begun(2, word=word)
        line = thought(state, STRONG, Positions(400))
        first += line[0] == next(iter(legal(game, state, state.seat)))
    assert first <= 2


@pytest.mark.slow
def test_strong_has_none_of_the_absurd_habits() -> None:
    """It rarely takes the first cell, wastes no half of a turn while something scores, and digs or posts guards.

    Counted for both seats together: each lays but 18 tiles.
    """
    ended = match("strong", "strong")
    one, other = (players("tikal").habits(ended.story, ended.state, seat) for seat in range(2))
    found = {name: figure.plus(other[name]) for name, figure in one.items()}
    assert found["tiles on the first cell offered"].rate < 1 / 3
    assert found["turns that waste half while something scores"].count == 0
    assert found["leader's walks back within two turns"].rate < 1 / 3
    assert found["guards"].count + found["treasures dug up"].count > 0


def test_a_walk_costs_a_little() -> None:
    """So no piece walks there and back when it gains nothing."""
    state = position(2, sites={"a1": {"explorers": (1, 0)}})
    search = _Search(STRONG.otherwise, Facts(game=game, seat=0), random.Random(1))
    walked = played(state, "walk a1 b2").state
    assert search._extra(state, walked, Walk("a1", "b2"), 0.0) < 0
