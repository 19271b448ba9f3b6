"""Laws of the engine's output: bytes, notation, views, boards, pictures, sentences."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect

from conformance.looks import EVERY, each_kind_of_choice, look_at, look_at_the_end, look_at_the_guide
from conformance.pointing import choices, points_at_the_table
from conformance.test_play import each_table, pool_of, positions
from conformance.turns import turn_at
from conformance.worlds import Table, daily, keys, tables, walked
from conformance.zoned import look_at_slots, look_at_titles, look_at_zones
from engine import registry, replay
from engine.errors import BadNotation, Refused
from engine.game import Command, Event
from engine.kit import (
    active,
    complete,
    dump_steps,
    explain,
    format_command,
    format_steps,
    group,
    load_steps,
    parse,
    redact,
    tell,
    tell_move,
    view,
)
from engine.kit.notation import Step, union
from engine.record.encoding import canonical


@each_table
def test_states_and_events_load_as_they_were_dumped(table: Table) -> None:
    """Through JSON and back gives an equal value with equal bytes; every state hashes."""
    for step in walked(table)[::5]:
        line = msgspec.json.encode(step.after)
        assert msgspec.json.decode(line, type=table.game.state) == step.after
        hash(step.after)
        for event in step.events:
            again = msgspec.json.decode(msgspec.json.encode(event), type=union(table.game.events))
            assert again == event


@each_table
def test_everything_fits_the_record(table: Table) -> None:
    """States, events and commands hold only what canonical JSON knows."""
    for step in walked(table)[::9]:
        for thing in (step.after, step.events, step.chosen):
            canonical.dumps(msgspec.to_builtins(thing))


@each_table
def test_notation_round_trips(table: Table) -> None:
    """The text of a command parses back to that command alone; so do a whole move and its signed form."""
    pool = pool_of(table)
    for command in pool:
        assert parse(table.game, format_command(command)) == (Step(command),)
    steps = tuple(Step(command, may_skip=place % 2 == 0) for place, command in enumerate(pool[:64]))
    assert parse(table.game, format_steps(steps)) == steps
    assert load_steps(table.game, json.loads(json.dumps(dump_steps(steps)))) == steps


@each_table
def test_a_whole_notation_completes_to_itself(table: Table) -> None:
    """Among the legal commands of a position, each one's full text means that command."""
    step = positions(table)[len(positions(table)) // 3]
    for command in step.legal:
        assert step.seat is not None
        assert complete(table.game, step.before, step.seat, format_command(command)) == (Step(command),)


@each_table
def test_groups_name_every_legal_command(table: Table) -> None:
    """The grouped listing has no more lines than commands, and fits a mail."""
    for step in positions(table)[::11]:
        lines = group(step.legal)
        assert 1 <= len(lines) <= len(step.legal)


@pytest.mark.parametrize("key", keys())
@given(text=st.text())
def test_any_other_text_is_bad_notation(key: str, text: str) -> None:
    """Any string is a move or BadNotation: nothing else is raised, and the refusal explains itself."""
    game = registry.find(key)
    steps = _parsed(game, text)
    assert isinstance(steps, str) or parse(game, format_steps(steps)) == steps


def _parsed(game: Any, text: str) -> Any:
    try:
        return parse(game, text)
    except BadNotation as no:
        return explain(game, no)


@pytest.mark.slow
@pytest.mark.parametrize("key", keys())
@given(
    listed=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_other_list_is_a_bad_move(key: str, listed: Any) -> None:
    """Any JSON value without a command in it is refused as a move."""
    game = registry.find(key)
    with pytest.raises(Refused, match="bad-move") as no:
        load_steps(game, listed)
    assert explain(game, no.value)


NAMES = ('Zoë <& "Co">', "Maximiliane von und zu Hohenstein-Waldburg der Jüngeren", "漢字" * 30, "D", "E", "F")


@each_table
def test_views_boards_and_pictures(table: Table) -> None:
    """A view is JSON; a board has at most 78 columns, no trailing blanks, whatever people are called; SVG is SVG.

    Checked at each kind of choice and at the end, and now and then: with the default options at every fourth position.
    """
    every = 4 if table.options == "default" else EVERY
    for state in each_kind_of_choice(table.game, walked(table), every):
        look_at(table.game, state, NAMES[: table.seats])


@each_table
def test_places_and_pieces_of_commands_are_marked_in_the_picture(table: Table) -> None:
    """A legal command names only things that the player's picture shows, with the player's own pieces marked as theirs.

    The words of each command, as pages list them, are its notation.
    """
    for step in choices(walked(table)):
        assert step.seat is not None
        points_at_the_table(table.game, step.before, step.seat, step.legal, NAMES[: table.seats])


@each_table
def test_pictures_are_made_of_zones(table: Table) -> None:
    """Each is drawn from its own origin, in two palettes; words and targets are large enough for a telephone."""
    steps = list(choices(walked(table)))
    for step in steps[:: len(steps) // 8 + 1]:
        look_at_zones(table.game, step.before, step.seat, NAMES[: table.seats])
    look_at_zones(table.game, steps[-1].after, None, NAMES[: table.seats])


@each_table
def test_zones_keep_their_slots_and_titles_tell_changes(table: Table) -> None:
    """Nothing jumps from one position to the next, and what looks different is called something different."""
    states = [step.after for step in walked(table)]
    look_at_slots([_picture(table, state) for state in states[:: len(states) // 12 + 1]])
    for before, after in list(pairwise(states))[:: len(states) // 24 + 1]:
        look_at_titles(_picture(table, before), _picture(table, after))


def _picture(table: Table, state: Any) -> str:
    drawn: str = table.game.picture(view(table.game, state, None), NAMES[: table.seats])
    return drawn


@each_table
def test_a_finished_game_is_shown_as_finished(table: Table) -> None:
    """The board and the picture of a game that ended early ask nobody to move."""
    turn = turn_at(positions(table)[len(positions(table)) // 2].before)
    for seat in range(1 if table.seats > 1 else 0, table.seats):
        replay.resign(table.game, turn, seat)
    look_at_the_end(table.game, turn.state, NAMES[: table.seats])


@each_table
def test_every_event_has_a_sentence_for_every_watcher(table: Table) -> None:
    """A sentence needs only the event's own fields, even when they are sealed."""
    names = [f"P{seat}" for seat in range(table.seats)]
    for event in {event for step in walked(table) for event in step.events}:
        for watcher in (None, *range(table.seats)):
            sentence = tell(redact(event, watcher), names)
            assert "{" not in sentence
            assert sentence == "" or sentence.endswith((".", "!"))


@each_table
def test_a_headline_that_a_player_ended_the_turn_is_true(table: Table) -> None:
    """The kit writes it where the events of a move begin with others, and one of them `ends_turn`."""
    for step in choices(walked(table)):
        assert step.seat is not None
        told = tell_move(step.events, step.seat, NAMES[: table.seats])
        if told and told[0].endswith(" ended the turn."):
            is_over = table.game.outcome(step.after) is not None
            assert is_over or table.game.turns(step.after) > table.game.turns(step.before)


@pytest.mark.parametrize("table", daily(t for t in tables() if not t.game.hidden(t.chosen)), ids=str)
def test_an_open_game_seals_nothing(table: Table) -> None:
    """Where nothing is hidden, no event in use has sealed fields and anybody's view is every seat's view."""
    for step in walked(table)[::5]:
        assert not any(event.sealed or event.reveals for event in step.events)
        assert len({view(table.game, step.after, w) for w in (None, *range(table.seats))}) == 1


@pytest.mark.parametrize("key", keys())
def test_the_types_keep_the_contract(key: str) -> None:
    """No list, dict, set or float in a state, command, event or option; integers and tuples of commands are bounded."""
    game = registry.find(key)
    for kind in (game.state, *game.commands, *game.events, game.meta.options):
        _only_plain(inspect.type_info(kind), kind.__name__)
    for kind in game.commands:
        _bounded(inspect.type_info(kind), kind.__name__)
        assert not [name for name in kind.__struct_fields__ if name.endswith("_seats")], "notation would count from 0"
    kinds: tuple[type[Command | Event], ...] = (*game.commands, *game.events)
    for sealing in kinds:
        assert set(sealing.sealed) <= set(sealing.__struct_fields__)
    assert all("seat" in event.__struct_fields__ for event in game.events if event.sealed)


@pytest.mark.parametrize("key", keys())
def test_every_game_has_a_guide(key: str) -> None:
    """With a title and every verb that can be typed."""
    guide, game = registry.guide(key), registry.find(key)
    assert guide.startswith(f"# {game.meta.title}")
    assert not [kind.notation for kind in game.commands if not re.search(rf"\b{kind.notation.split()[0]}\b", guide)]


@pytest.mark.parametrize("key", keys())
def test_every_picture_of_a_guide_draws(key: str) -> None:
    """Each is a position of a golden game of the same folder."""
    look_at_the_guide(key)


@pytest.mark.parametrize("key", keys())
def test_every_command_has_a_docstring_of_its_own(key: str) -> None:
    """The API document shows it to readers without a rulebook."""
    said = [vars(kind)["__doc__"] or "" for kind in registry.find(key).commands]
    assert all(text.splitlines()[:1] and text.splitlines()[0].endswith((".", ":")) for text in said)
    assert len(set(said)) == len(said)


def _only_plain(info: inspect.Type, place: str) -> None:
    forbidden = (inspect.FloatType, inspect.DictType, inspect.ListType, inspect.SetType, inspect.FrozenSetType)
    is_plain = not isinstance(info, (*forbidden, inspect.AnyType, inspect.BytesType))
    assert is_plain, f"`{place}` is a {type(info).__name__}: use whole numbers, ASCII texts, tuples and Structs"
    for name, inner in _inside(info):
        _only_plain(inner, place + name)


def _bounded(info: inspect.Type, place: str) -> None:
    if isinstance(info, inspect.IntType):
        assert info.ge is not None or info.gt is not None, f"`{place}` has no lower bound: give it `Bounds(ge=..)`"
        assert info.le is not None or info.lt is not None, f"`{place}` has no upper bound: give it `Bounds(le=..)`"
    if isinstance(info, inspect.VarTupleType):
        assert info.max_length is not None, f"`{place}` has no length: give it `Bounds(max_length=..)`"
    for name, inner in _inside(info):
        _bounded(inner, place + name)


def _inside(info: inspect.Type) -> list[tuple[str, inspect.Type]]:
    """The types within a type, each with its part of a place."""
    match info:
        case inspect.StructType(fields=fields):
            return [(f".{field.name}", field.type) for field in fields]
        case inspect.UnionType(types=types):
            return [("", one) for one in types]
        case inspect.VarTupleType(item_type=item):
            return [("[]", item)]
        case inspect.TupleType(item_types=items):
            return [(f"[{n}]", item) for n, item in enumerate(items)]
    return []


WRITE = """
import hashlib, msgspec, sys
from conformance.worlds import only, tables, walked
only(sys.argv[1:])
for table in tables():
    steps = walked(table)
    print(table, hashlib.sha256(msgspec.json.encode([(s.legal, s.events, s.after) for s in steps])).hexdigest())
"""


@pytest.mark.slow
def test_two_processes_write_the_same_bytes() -> None:
    """Other hash seeds give the same lists, events and states, so no rule walks a set."""
    printed = [
        subprocess.run(
            [sys.executable, "-c", WRITE, *keys()],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert printed[0]


@each_table
def test_active_seats_are_ascending_and_exist(table: Table) -> None:
    """The list of active seats is ascending, without repeats, and never holds a seat that is not there."""
    for step in walked(table):
        waiting = active(table.game, step.after)
        assert list(waiting) == sorted(set(waiting) & set(range(table.seats)))
