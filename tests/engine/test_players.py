"""The parts of policies: a player's own lane, simple policies, the beam, and an answer whatever a policy does."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from msgspec.structs import replace

from engine import registry, replay
from engine.errors import Refused
from engine.games.livingstone import game as livingstone
from engine.games.livingstone.meta import LivingstoneOptions
from engine.games.livingstone.players import imagine
from engine.games.livingstone.players.search import plain as worth
from engine.kit import Step, Supply, active, legal, view
from engine.players import (
    Beam,
    Best,
    Facts,
    Noisy,
    OwnLane,
    Policy,
    Positions,
    Sensible,
    answer,
    answering,
    level,
    play,
)
from engine.players.finding import players
from engine.players.unseen import drawn, shuffled
from tests.kit import liars
from tests.kit.games.pig import Hold, Roll
from tests.kit.worlds import lanes, turn_at

PIG = registry.find("pig")
START = replay.start(PIG, 2, PIG.meta.options(), *lanes("players")).state


def facts(game=PIG, seat=0, most=2000):
    return Facts(game=game, seat=seat, options=game.meta.options(), budget=Positions(most))


def rolled():
    """Pig with 12 in the pot."""
    return replace(START, pot=12, rolls=3)


def begun(seats=3):
    state = replay.start(livingstone, seats, LivingstoneOptions(), *lanes("beam")).state
    return state, active(livingstone, state)[0]


def thought(beam, state, seat, most=2000, seed=1):
    given = facts(livingstone, seat, most)
    listed = tuple(legal(livingstone, state, seat))
    return beam.line(given, view(livingstone, state, seat), listed, random.Random(seed)), given.budget


# --- chance of one's own ----------------------------------------------------------------------------------------------


def test_a_players_own_lane_draws_from_their_chance_and_counts_like_any_lane():
    """It counts what was drawn and the next number, and goes on with the next command."""
    lane, same = OwnLane(random.Random(3)), random.Random(3)
    assert [lane.die(6), lane.pick(Supply.of({"a": 2, "b": 5}))] == [
        same.randrange(6) + 1,
        "aabbbbb"[same.randrange(7)],
    ]
    assert ([n for n, _ in lane.got], lane.next, lane.drawn) == ([6, 7], 3, True)
    assert (lane.onward().next, lane.onward().drawn) == (3, False)


def test_a_play_is_open_if_chance_decided_something():
    """Rolling is open, holding is not; an illegal command is refused."""
    assert play(PIG, START, 0, Roll(), random.Random(1)).open
    held = play(PIG, rolled(), 0, Hold(), random.Random(1))
    assert (held.open, held.state.scores) == (False, (12, 0))
    with pytest.raises(Refused, match="nothing-to-hold"):
        play(PIG, START, 0, Hold(), random.Random(1))


def test_shuffling_gives_every_order_equally_often():
    """Six orders of three, in 6,000 tries."""
    rng = random.Random(5)
    seen = Counter(tuple(shuffled("abc", rng)) for _ in range(6000))
    assert len(seen) == 6
    assert all(900 < count < 1100 for count in seen.values())


def test_drawing_takes_each_piece_with_equal_probability():
    """One of seven pieces, five of them alike."""
    rng, bag = random.Random(5), Supply.of({"a": 2, "b": 5})
    seen = Counter(drawn(bag, 1, rng)[0][0] for _ in range(7000))
    assert 1850 < seen["a"] < 2150
    taken, rest = drawn(bag, 3, rng)
    assert rest.add(taken) == bag


# --- simple policies --------------------------------------------------------------------------------------------------


def chosen(policy):
    rng, both = random.Random(2), (Roll(), Hold())
    return Counter(type(policy.choose(facts(), None, both, rng)).__name__ for _ in range(400))


def test_a_command_without_weight_is_chosen_only_if_none_has_any():
    """Otherwise commands are chosen by weight, or all alike if none has one."""
    assert chosen(Sensible(lambda view, seat, command: isinstance(command, Hold))) == {"Hold": 400}
    assert 60 < chosen(Sensible(lambda view, seat, command: 4 if command == Hold() else 1))["Roll"] < 100
    assert 150 < chosen(Sensible(lambda view, seat, command: -1))["Roll"] < 250


def test_a_level_that_slips_plays_like_a_simpler_one_at_its_rate():
    """A quarter of the time."""
    holds, rolls = (Best(lambda view, seat, command, kind=kind: isinstance(command, kind)) for kind in (Hold, Roll))
    assert 70 < chosen(Noisy(holds, 0.25, rolls))["Roll"] < 130
    assert chosen(Noisy(holds, 0.0)) == {"Hold": 400}


def test_levels_are_found_in_the_games_folder():
    """A game without players is played by chance, and an unknown level is refused."""
    assert tuple(players("pig").levels) == ("easy", "fair", "strong")
    with pytest.raises(Refused, match="unknown-level"):
        level(PIG, "godlike")


# --- the beam ---------------------------------------------------------------------------------------------------------


def test_a_line_goes_up_to_the_first_draw_or_the_end_of_the_turn():
    """At every position of a game that it plays."""
    beam = Beam(imagine, worth, width=3, samples=2)
    state, _ = begun()
    rng = random.Random(4)
    for _ in range(25):
        seat = active(livingstone, state)[0]
        line, _ = thought(beam, state, seat)
        for at, command in enumerate(line):
            before, played = state, play(livingstone, state, seat, command, rng)
            state = played.state
            assert (played.open or state.turns != before.turns) == (at == len(line) - 1)


@pytest.mark.parametrize("most", [1, 5, 40])
def test_a_beam_answers_within_its_budget(most):
    """However small it is; samples of a draw that have begun are completed."""
    beam = Beam(imagine, worth, width=8, samples=4)
    state, seat = begun()
    line, budget = thought(beam, state, seat, most)
    assert line[0] in set(legal(livingstone, state, seat))
    assert budget.seen <= most + 4


def test_more_budget_is_used_as_long_as_there_is_something_to_find():
    """A wider beam looks at more positions."""
    state, seat = begun()
    narrow, wide = (thought(Beam(imagine, worth, width=width), state, seat, 10**6)[1].seen for width in (1, 8))
    assert narrow < wide < 10**5


def test_the_best_line_is_taken_where_a_single_command_does_not_show_it():
    """The coins of a sale are worth nothing, but the tent that they pay for is: the line sells first."""
    state, seat = begun(2)
    poor = state.with_player(seat, coins=0, gems=(0, 0, 1))
    beam = Beam(lambda seen, rng: poor, lambda after, own: len(after.players[own].tents), width=4)
    line, _ = thought(beam, poor, seat)
    kinds = [type(command).__name__ for command in line]
    assert kinds.index("Sell") < kinds.index("Tent")


def test_several_worlds_are_averaged_where_chance_decides():
    """The mean over several worlds counts, not the first world."""
    asked = []

    def some_world(seen, rng):
        asked.append(seen)
        return imagine(seen, rng)

    state, seat = begun()
    thought(Beam(some_world, worth, width=1, worlds=3), state, seat, 100)
    assert len(asked) == 3


def test_a_line_that_ends_the_turn_is_worth_its_mean_over_the_worlds():
    """In the first world a bid of 1 is splendid, in the second a ruin; 2 is good in both."""
    bids = registry.find("bids")
    state = replay.start(bids, 2, bids.meta.options(), *lanes("beam")).state
    lots = iter(("blue", "red"))

    def worth(after, seat):
        return {1: 10 if after.lot == "blue" else -100, 2: 5}.get(after.bidders[seat].bid, 0)

    beam = Beam(lambda seen, rng: replace(state, lot=next(lots)), worth, width=1, worlds=2)
    listed = tuple(legal(bids, state, 0))
    line = beam.line(facts(bids), view(bids, state, 0), listed, random.Random(1))
    assert [command.amount for command in line] == [2]


# --- whatever a policy does -------------------------------------------------------------------------------------------


class Wrong(Policy):
    def __init__(self, does):
        self.does = does

    def line(self, facts, view, legal, rng):
        return self.does(legal)


def broken(legal):
    raise KeyError("no plan")


@pytest.mark.parametrize(
    ("does", "says"),
    [
        (broken, "KeyError: 'no plan'"),
        (lambda legal: None, "BadAnswer: no line of commands: None"),
        (lambda legal: (), "BadAnswer: no line of commands: ()"),
        (lambda legal: (Hold(),), "BadAnswer: not legal now: Hold()"),
        (lambda legal: (Roll(), "hold"), "BadAnswer: not legal now: Roll()"),
        (lambda legal: (Roll(),) * 65, "BadAnswer: no line of commands: "),
    ],
    ids=["raises", "none", "empty", "illegal", "words", "endless"],
)
def test_easy_answers_for_a_level_that_fails(does, says, monkeypatch):
    """The report names the failure."""
    monkeypatch.setattr(answering, "level", lambda game, name: Wrong(does) if name == "wrong" else level(game, name))
    found = answer(facts(), view(PIG, START, 0), (Roll(),), random.Random(1), "wrong")
    assert (found.line, found.by) == ((Roll(),), "easy")
    assert [one[: len("wrong: " + says)] for one in found.troubles] == ["wrong: " + says]


def test_a_report_on_a_hidden_game_leaves_out_the_policys_own_words(monkeypatch):
    """An exception or an answer may contain a hand or a sealed bid, so the report names only the place."""
    bids = registry.find("bids")
    state = replay.start(bids, 2, bids.meta.options(), *lanes("players")).state
    listed, seen = tuple(legal(bids, state, 0)), view(bids, state, 0)

    def told(does):
        monkeypatch.setattr(
            answering, "level", lambda game, name: Wrong(does) if name == "wrong" else level(game, name)
        )
        (one,) = answer(facts(bids), seen, listed, random.Random(1), "wrong").troubles
        return one

    assert re.fullmatch(r"wrong: KeyError \(test_players\.py:\d+\)", told(broken))
    assert re.fullmatch(r"wrong: BadAnswer \(answering\.py:\d+\)", told(lambda legal: (replace(legal[0], amount=99),)))


def test_the_default_answers_for_easy(monkeypatch):
    """In a state that fits the view: with a pot, Pig's clock holds."""
    monkeypatch.setattr(answering, "level", lambda game, name: Wrong(broken))
    found = answer(facts(), view(PIG, rolled(), 0), (Roll(), Hold()), random.Random(1), "strong")
    assert (found.line, found.by, len(found.troubles)) == ((Hold(),), "default", 2)


def test_the_first_legal_command_answers_if_nothing_can_be_imagined():
    """A game without players has only an easy level that plays by chance, and no default for a view."""
    game = liars.LIARS
    state = replay.start(game, 2, game.meta.options(), *lanes("liars")).state
    listed = tuple(legal(game, state, state.seat))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answering, "level", lambda game, name: Wrong(broken))
        patch.setattr(answering, "players", lambda key: None)
        found = answer(facts(game, state.seat), view(game, state, state.seat), listed, random.Random(1), "strong")
    assert (found.line, found.by) == (listed[:1], "first")
    assert [one.partition(":")[0] for one in found.troubles] == ["strong", "easy", "default"]


# --- a whole turn in one move -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("livingstone", "easy"),
        *[pytest.param(key, "fair", marks=pytest.mark.slow) for key in ("tikal", "discoveries", "lewis_clark")],
        pytest.param("livingstone", "strong", marks=pytest.mark.slow),
    ],
)
def test_an_end_of_the_turn_needs_no_move_of_its_own(key, name):
    """Unless a draw had to be seen first: after any other command the end is in the same line."""
    game = registry.find(key)
    rng, turn = random.Random(name), replay.start(game, 3, game.meta.options(), *lanes("ends"))
    last, bare = -1, 0
    for _ in range(12):
        seat = active(game, turn.state)[0]
        facts = Facts(game=game, seat=seat, budget=Positions())
        seen = view(game, turn.state, seat)
        line = answer(facts, seen, tuple(legal(game, turn.state, seat)), rng, name).line
        bare += line[0].closes and seat == last
        turn = turn_at(turn.state)
        replay.move(game, turn, seat, tuple(map(Step, line)))
        last = -1 if turn.fixed else seat
    assert bare == 0
