"""Laws of play, held on random games of every registered game at every number of seats."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from conformance.draws import drawn_eagerly, stay_within_the_bound
from conformance.generated import begins_with, every_options, refuses_what_it_does_not_list, words_of
from conformance.prices import costs_what_it_says
from conformance.turns import turn_at
from conformance.worlds import Table, daily, flaw, keys, notes, tables, tried, walked
from engine import registry, replay, selfplay
from engine.errors import Refused
from engine.game import Command, Turn, fold
from engine.kit import Step, Supply, active, decide, ending, explain, legal, outcome, view
from engine.kit.play import REFUSALS
from engine.selfplay import Walked

each_table = pytest.mark.parametrize("table", daily(tables()), ids=str)
EVERY = 7  # positions between two that are tried with many commands
MOST_TRIED = 150  # about this many positions of a long game are tried for every refusal


def positions(table: Table) -> list[Walked]:
    return [step for step in walked(table) if step.chosen is not None]


def pool_of(table: Table) -> list[Command]:
    """Commands from all positions of a game, each once, a few hundred at most."""
    seen = list(dict.fromkeys(command for step in positions(table) for command in step.legal))
    random.Random(str(table)).shuffle(seen)
    return seen[:300]


@pytest.mark.parametrize("key", tried())
def test_the_suite_can_try_a_game(key: str) -> None:
    """Its key is its folder's name, and it has notes. If not, only this test fails: no other uses the game."""
    if says := flaw(key):
        pytest.fail(says, pytrace=False)


@each_table
def test_random_play_ends(table: Table) -> None:
    """Every game ends for a reason that has its sentence, and every seat has a place and points."""
    last = walked(table)[-1].after
    ended = outcome(table.game, last)
    assert ended is not None
    assert sorted(seat for place in ended.places for seat in place) == list(range(table.seats))
    assert all(len(points) == table.seats for _, points in ended.points)
    assert ending(table.game, ended).endswith(".")
    assert active(table.game, last) == ()


@each_table
def test_points_add_up_to_the_ranking(table: Table) -> None:
    """A seat with a better place that is not out has at least as many points in all."""
    ended = outcome(table.game, walked(table)[-1].after)
    assert ended is not None
    if not ended.points:
        return
    totals = ended.sheet[-1][1]
    ranked = [[totals[seat] for seat in place if seat not in ended.out] for place in ended.places]
    assert all(min(better) >= max(worse) for better, worse in pairwise(filter(None, ranked)))


@each_table
def test_fold_equals_live_play(table: Table) -> None:
    """Folding the events of each step gives the state of live play, from the setup on."""
    state = None
    for step in walked(table):
        state = fold(step.events, state)
        assert state == step.after


@each_table
def test_equal_states_have_equal_bytes(table: Table) -> None:
    """However a state arose: a value equal to its default is left out of the bytes, even if it is another object."""
    for step in walked(table)[::EVERY]:
        again = rebuilt(step.after)
        assert again == step.after
        assert msgspec.json.encode(again) == msgspec.json.encode(step.after)


def rebuilt(value: Any) -> Any:
    """The same, of new objects, with every field given; only an empty supply is always the same object."""
    if isinstance(value, Supply):
        return Supply.of(dict(value.rest))
    if isinstance(value, msgspec.Struct):
        return type(value)(**{name: rebuilt(getattr(value, name)) for name in value.__struct_fields__})
    return tuple(map(rebuilt, value)) if isinstance(value, tuple) else value


@each_table
def test_the_setup_keeps_its_rules_version(table: Table) -> None:
    """The state has the rules version with which the game began."""
    turn = replay.start(table.game, table.seats, table.chosen, *_lanes(), rules=table.game.meta.rules[0])
    assert turn.state.rules == table.game.meta.rules[0]
    assert turn.state.seats == table.seats


def _lanes() -> tuple[Any, Any]:
    turn = turn_at(None)
    return turn.chance, turn.secret


@pytest.mark.parametrize("key", keys())
def test_a_game_begins_with_all_options_within_their_bounds(key: str) -> None:
    """At every number of seats, unless `Options.check` refuses them."""
    game = registry.find(key)
    for seats in range(game.meta.seats[0], game.meta.seats[1] + 1):
        for chosen in every_options(game):
            begins_with(game, seats, chosen)


@each_table
def test_exactly_active_seats_have_legal_commands(table: Table) -> None:
    """A seat is active exactly when it has a legal command, and any other is refused."""
    for step in positions(table):
        waiting = active(table.game, step.before)
        having = [s for s in range(table.seats) if next(legal(table.game, step.before, s), None) is not None]
        assert list(waiting) == having
        for idle in set(range(table.seats)) - set(waiting):
            with pytest.raises(Refused, match="not-active"):
                decide(table.game, turn_at(step.before), idle, step.legal[0])


@each_table
def test_everything_legal_is_accepted_and_listed_once(table: Table) -> None:
    """`decide` accepts every command that `legal` lists; no act is listed twice; the list stays short."""
    for step in positions(table)[::EVERY]:
        assert len(set(step.legal)) == len(step.legal) < 1000
        for command in step.legal:
            assert step.seat is not None
            decide(table.game, turn_at(step.before), step.seat, command)


@each_table
def test_everything_else_is_refused_and_changes_nothing(table: Table) -> None:
    """A command of any other position is refused exactly when it is not listed here, and leaves no trace."""
    pool = pool_of(table)
    for step in positions(table)[::EVERY]:
        listed = set(step.legal)
        for command in pool:
            turn = turn_at(step.before)
            assert step.seat is not None
            if command in listed:
                continue
            with suppress(Refused):
                decide(table.game, turn, step.seat, command)
                pytest.fail(f"{command} is accepted and not listed: `check` lets it pass, or `legal` leaves it out")
            assert (turn.state, turn.events, turn.fixed) == (step.before, [], False)


@each_table
def test_commands_made_from_their_types_are_refused_unless_listed(table: Table) -> None:
    """Whatever the bounds and choices of its fields allow: `legal` lists it, or `check` refuses it."""
    seen, rnd = words_of(pool_of(table)), random.Random(str(table))
    for step in positions(table)[::EVERY]:
        refuses_what_it_does_not_list(table.game, step, seen, rnd)


@each_table
def test_a_command_takes_what_its_costs_say(table: Table) -> None:
    """As `paid` of the game's notes counts it in the positions before and after the command."""
    for step in positions(table)[::EVERY]:
        costs_what_it_says(table.game, step, getattr(notes(table.key), "paid", None))


@each_table
def test_forced_is_the_only_legal_command(table: Table) -> None:
    """`legal` lists a forced step and nothing else; play never stops before one."""
    for step in positions(table):
        assert all(table.game.forced(step.before, seat) is None for seat in active(table.game, step.before))


@each_table
def test_forced_is_the_only_legal_command_inside_a_step(table: Table) -> None:
    """Between the forced steps of one command, too, the forced one is the only legal one."""
    for step in positions(table)[::2]:
        turn = turn_at(step.before)
        assert step.seat is not None
        assert step.chosen is not None
        decide(table.game, turn, step.seat, step.chosen)
        for seat in active(table.game, turn.state):
            forced = table.game.forced(turn.state, seat)
            assert forced is None or list(legal(table.game, turn.state, seat)) == [forced]


@each_table
def test_a_forced_step_may_be_written_or_left_out(table: Table) -> None:
    """Naming the forced step that follows a command gives the same events as leaving it out."""
    for step in positions(table):
        turn = turn_at(step.before)
        assert step.seat is not None
        assert step.chosen is not None
        decide(table.game, turn, step.seat, step.chosen)
        if step.seat not in active(table.game, turn.state):
            continue
        forced = table.game.forced(turn.state, step.seat)
        if forced is None or next(iter(active(table.game, turn.state))) != step.seat:
            continue
        short, long = turn_at(step.before), turn_at(step.before)
        replay.move(table.game, short, step.seat, (Step(step.chosen),))
        replay.move(table.game, long, step.seat, (Step(step.chosen), Step(forced)))
        assert short.events == long.events


@each_table
def test_default_is_legal_and_ends_the_turn(table: Table) -> None:
    """The default command is legal, and repeating it ends the turn of the seat within fifty commands."""
    for step in positions(table)[::3]:
        for seat in active(table.game, step.before):
            assert table.game.default(step.before, seat) in set(legal(table.game, step.before, seat))
            turn = turn_at(step.before)
            assert 1 <= replay.expire(table.game, turn, seat) <= replay.MOST_DEFAULTS
            assert seat not in active(table.game, turn.state)


@each_table
def test_active_seats_do_not_disturb_each_other(table: Table) -> None:
    """While a seat stays active, what others do does not change its legal commands."""
    for step in positions(table):
        for other in set(active(table.game, step.before)) & set(active(table.game, step.after)) - {step.seat}:
            if not step.events or _asked_anew(step):
                continue
            assert set(legal(table.game, step.before, other)) == set(legal(table.game, step.after, other))


def _asked_anew(step: Walked) -> bool:
    """A reveal or a draw in between ends one question and begins the next."""
    return any(event.reveals for event in step.events)


@each_table
def test_pieces_are_conserved(table: Table) -> None:
    """No component appears or vanishes."""
    counts = {msgspec.json.encode(notes(table.key).pieces(step.after), order="sorted") for step in walked(table)}
    assert len(counts) == 1


@each_table
def test_a_preview_shows_the_effect_of_the_move_up_to_a_draw(table: Table) -> None:
    """A certain preview gives the events of the move; an uncertain one a beginning of them, and draws nothing."""
    for step in positions(table)[::3]:
        assert step.seat is not None
        assert step.chosen is not None
        shown = replay.preview(table.game, step.before, step.seat, (Step(step.chosen),))
        assert shown.events == step.events[: len(shown.events)]
        assert not any(event.reveals for event in shown.events)
        if shown.certain:
            assert (shown.events, shown.state) == (step.events, step.after)


@each_table
def test_a_resignation_ranks_last_and_the_game_still_ends(table: Table) -> None:
    """A player who resigns in the middle ranks last, the clock plays the seat, and the game reaches its end."""
    middle = positions(table)[len(positions(table)) // 2].before
    gone = table.seats - 1
    turn = turn_at(middle)
    replay.resign(table.game, turn, gone)
    _play_on_by_the_clock(table, turn)
    ended = outcome(table.game, turn.state)
    assert ended is not None
    assert ended.places[-1] == (gone,)
    assert all(ended.places), "a place without a seat"
    with pytest.raises(Refused, match="already-resigned"):
        replay.resign(table.game, turn, gone)


def _play_on_by_the_clock(table: Table, turn: Turn) -> None:
    for _ in range(2000):
        waiting = active(table.game, turn.state)
        if not waiting:
            return
        replay.expire(table.game, turn, waiting[0])
    raise AssertionError("the clock alone does not end the game")


@pytest.mark.parametrize("table", daily(table for table in tables() if table.seats > 1), ids=str)
def test_the_last_seat_left_has_won(table: Table) -> None:
    """When all but one have resigned, the game is over and the one left is first."""
    turn = turn_at(positions(table)[0].before)
    for seat in range(1, table.seats):
        replay.resign(table.game, turn, seat)
    ended = outcome(table.game, turn.state)
    assert ended is not None
    assert ended.places[0] == (0,)
    assert ended.reason == "resigned"
    assert ending(table.game, ended).endswith(".")
    assert view(table.game, turn.state, None).over, "the board still asks somebody to move"
    assert active(table.game, turn.state) == ()


@each_table
def test_commands_after_the_end_are_refused(table: Table) -> None:
    """The whole move is refused, or, if a draw has fixed it, the commands after the end."""
    last = positions(table)[-1]
    assert last.seat is not None
    assert last.chosen is not None
    label = next(label for label in map(str, range(50)) if _ends(table, last, label))
    short, long = turn_at(last.before, label), turn_at(last.before, label)
    replay.move(table.game, short, last.seat, (Step(last.chosen),))
    try:
        refusal = replay.move(table.game, long, last.seat, (Step(last.chosen), Step(last.chosen))).refusal
    except Refused as no:
        refusal = no
    else:
        assert long.events == short.events
    assert refusal is not None
    assert refusal.code == "not-active"


def _ends(table: Table, last: Walked, label: str) -> bool:
    """Do these draws, too, make the last command of the walk end the game?"""
    turn = turn_at(last.before, label)
    assert last.seat is not None
    assert last.chosen is not None
    replay.move(table.game, turn, last.seat, (Step(last.chosen),))
    return not active(table.game, turn.state)


@each_table
def test_public_draws_stay_within_the_bound(table: Table) -> None:
    """However eagerly it is played, a game never makes more public draws than its chain has."""
    stay_within_the_bound(table.game, sum(step.public for step in walked(table)))
    seed = selfplay.seed_of(f"eager {table}")
    stay_within_the_bound(table.game, drawn_eagerly(table.game, table.seats, table.chosen, seed))


@pytest.mark.slow
@pytest.mark.parametrize("key", keys())
def test_every_refusal_code_occurs_and_explains_itself(key: str) -> None:
    """Commands tried in the wrong positions are refused with every code in the game's table, and with no other."""
    game = registry.find(key)
    met: set[str] = set()
    for table in (table for table in tables() if table.key == key):
        for no in _refusals(table):
            assert "{" not in explain(game, no)
            met.add(no.code)
    examples: set[str] = getattr(notes(key), "refused", set)()
    assert met | examples == set(game.refusals) | (met & set(REFUSALS))


def _refusals(table: Table) -> list[Refused]:
    found: dict[str, Refused] = {}
    pool, steps = pool_of(table), positions(table)
    for step in steps[:: max(2, len(steps) // MOST_TRIED)]:
        assert step.seat is not None
        for command in pool:
            try:
                decide(table.game, turn_at(step.before), step.seat, command)
            except Refused as no:
                found[no.code] = no
    return list(found.values())
