"""Matches and the table of strength: the counts, the seats, and that anybody can repeat a match."""

from __future__ import annotations

from random import Random

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from client.commands import arena as command
from client.players.arena import Pairing, at, habits, matches, run, table, wilson
from client.players.matches import Match, play
from engine import registry
from engine.games.livingstone.commands import Play
from engine.kit import legal, view
from engine.players import Anything, Facts, Policy, level, players, rivals
from tests.games.livingstone.positions import position

PIG, BIDS = registry.find("pig"), registry.find("bids")


def pairing(game=PIG, seats=2, one="fair", others="easy", games=6, seed="x"):
    return Pairing(game=game, seats=seats, options=game.meta.options(), one=one, others=others, games=games, seed=seed)


def match(*policies, game=PIG, seed="m"):
    names = tuple(f"p{seat}" for seat in range(len(policies)))
    return Match(game=game, options=game.meta.options(), names=names, policies=policies, seed=seed)


@pytest.mark.parametrize("game", [PIG, BIDS], ids=["pig", "bids"])
def test_the_same_seed_plays_the_same_match(game):
    """With search too; another seed plays another match."""
    strong = level(game, "strong")
    one, two, other = (play(match(strong, strong, game=game, seed=seed)) for seed in ("a", "a", "b"))
    assert one.state == two.state
    assert one.state != other.state


def test_each_player_plays_every_seat_with_the_same_seeds():
    """So the luck of a seat and of the dice weighs less."""
    made = list(matches(pairing(seats=3)))
    assert [one.names.index("fair") for one in made] == [0, 1, 2, 0, 1, 2]
    assert [one.number for one in made] == [0, 0, 0, 1, 1, 1]


def test_a_level_against_itself_is_marked():
    """With a star."""
    assert [one.names for one in matches(pairing(one="easy", games=2))] == [("easy*", "easy"), ("easy", "easy*")]


def test_ties_share_the_first_place():
    """As two players of Bids with equal lots; without a winner nobody has it."""
    ended = play(match(Anything(), Anything(), Anything(), game=BIDS))
    tied = replace(ended, outcome=replace(ended.outcome, places=((0, 2), (1,))))
    lost = replace(tied, outcome=replace(tied.outcome, won=False))
    assert [tied.share(seat) for seat in range(3)] == [0.5, 0, 0.5]
    assert [lost.share(seat) for seat in range(3)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("won", "games", "low", "high"), [(40, 40, 0.912, 1.0), (0, 20, 0.0, 0.161), (75, 100, 0.657, 0.825)]
)
def test_intervals_are_wilsons(won, games, low, high):
    """Expected values from the literature."""
    assert wilson(won, games) == pytest.approx((low, high), abs=0.0006)


def test_percentiles_are_values_that_occurred():
    """Of a hundred values the median is the fifty-first."""
    values = tuple(map(float, range(100)))
    assert (at(values, 0.5), at(values, 0.95), at(values, 1.0), at((), 0.5)) == (50, 95, 99, 0)


def test_the_table_has_a_line_for_each_pairing():
    """With first places and how the games ended."""
    result = run(pairing(games=8))
    row = table([result]).splitlines()[2]
    assert f"| {result.won:g}/8 |" in row
    assert "| goal 8 |" in row
    assert result.won == sum(one.share(one.match.names.index("fair")) for one in result.ended)


@pytest.mark.parametrize("name", ["random", "greedy", "thumb"])
def test_a_level_can_be_measured_against_a_baseline(name):
    """Any legal command, the best look ahead at the points, a rule of thumb."""
    game = registry.find("livingstone")
    (ended,) = run(pairing(game=game, one=name, games=1)).ended
    assert ended.outcome.reason == "waterfall"


def test_a_greedy_player_takes_the_points_that_it_sees():
    """The highest of three animals; chance decides between commands that bring none."""
    game = registry.find("livingstone")
    state = position(3, {0: {"hand": ("antelope", "lion", "rhino")}})
    facts = Facts(game=game, seat=0)
    chosen = rivals(game)["greedy"].choose(facts, view(game, state, 0), tuple(legal(game, state, 0)), Random(1))
    assert chosen == Play("lion")


def test_habits_of_both_sides_stand_side_by_side():
    """Counts add up over games: a seat that takes the first command each time has a rate of 1."""
    result = run(pairing(one="fair", others="random", games=4))
    head, _, first = habits(result).splitlines()
    assert head == "| habits in Pig | fair | random |"
    chosen = [one.chosen for end in result.ended for one in end.story if one.listed > 1]
    assert first.startswith("| first of its list | ")
    assert 0 < chosen.count(0) < len(chosen)


def test_a_habit_reads_the_events_of_its_own_seat():
    """The tents of a game of Livingstone are those on the board at its end, and the points those of the result."""
    game = registry.find("livingstone")
    (ended,) = run(pairing(game=game, one="easy", others="random", games=1)).ended
    for seat in range(2):
        found = players("livingstone").habits(ended.story, ended.state, seat)
        assert found["tents"].count == len(ended.state.players[seat].tents)
        assert found["points"].count == sum(row[seat] for _, row in ended.outcome.points)


class Stubborn(Policy):
    """Continues after a draw, when the rest of its line is no longer legal."""

    def line(self, facts, view, legal, rng):
        return (legal[-1], legal[-1], legal[0])


def test_a_line_is_played_up_to_its_first_illegal_command():
    """Two holds in one move: the second is refused, and the first one counts."""
    ended = play(match(Stubborn(), Anything()))
    assert ended.outcome.reason == "goal"


def test_every_number_of_seats_is_played_if_none_is_named():
    """From two on, since a single player has no opponent."""
    numbers = {key: tuple(command._counts(game, ())) for key, game in registry.games().items()}
    assert numbers["lewis_clark"] == numbers["livingstone"] == (2, 3, 4, 5)
    assert numbers["tikal"] == numbers["discoveries"] == (2, 3, 4)


def test_the_command_prints_the_table():
    """For the requested pairs; unknown levels and seats are refused."""
    few = ("--games", "2")
    said = CliRunner().invoke(command.main, ["pig", "--seats", "3", "--seats", "2", "--pair", "fair", "easy", *few])
    assert said.exit_code == 0, said.output
    head, rule, three, two, *_ = said.output.splitlines()
    assert (head[:8], rule[:8]) == ("| game |", "| ---- |")
    assert [three[:24], two[:24]] == ["| Pig | 3 | fair | easy |"[:24], "| Pig | 2 | fair | easy |"[:24]]
    for wrong, says in (
        (("--pair", "best", "easy"), "random, greedy, easy, fair, strong"),
        (("--seats", "7"), "2 to 4"),
    ):
        refused = CliRunner().invoke(command.main, ["pig", *wrong, *few])
        assert refused.exit_code == 2
        assert says in refused.output
