"""Hints: legal lines from the view of a seat, at little cost."""

import random
import time

import msgspec
import pytest

from engine import registry, replay
from engine.errors import Refused
from engine.kit import Step, dump_steps, legal, load_steps, view
from engine.players.hint import HintQuestion, hint
from tests.kit.play_record import Record

MOST = 0.05  # seconds of processor time in the median


def question(record):
    """The question of the seat that is to move."""
    table, seat = record.table, record.table.active[0]
    return HintQuestion(
        game=table.game.meta.key,
        options=dict(table.created["options"]),
        seat=seat,
        view=msgspec.Raw(msgspec.json.encode(view(table.game, table.state, seat))),
        legal=tuple(dump_steps(map(Step, legal(table.game, table.state, seat)))),
        seed="1",
    )


@pytest.mark.parametrize("key", sorted(registry.games()))
def test_a_hint_can_be_played_and_costs_little(key):
    """At every position of a game at random."""
    record, spent = Record(key, seed=7, seats=2), []
    for _ in range(30):
        if record.play(1).table.is_over:
            break
        asked, begun = question(record), time.process_time()
        found = hint(asked, random.Random(1))
        spent.append(time.process_time() - begun)
        assert found.level in ("fair", "easy")
        steps = load_steps(record.game, list(found.commands))
        assert replay.preview(record.game, record.table.state, asked.seat, steps).refusal is None
        assert hint(asked, random.Random(1)) == found
    assert spent
    assert sorted(spent)[len(spent) // 2] < MOST


def test_a_hint_makes_no_slip():
    """The level *fair* of Tikal makes one in two fifths of its moves; a hint is the same for every chance."""
    record = Record("tikal", seed=7, seats=2).play(13)
    assert len(question(record).legal) > 10
    assert len({msgspec.json.encode(hint(question(record), random.Random(seed)).commands) for seed in range(20)}) == 1


def test_a_game_without_house_players_has_no_hints(monkeypatch):
    monkeypatch.setattr("engine.players.hint.players", lambda _: None)
    with pytest.raises(Refused, match="no-hint"):
        hint(question(Record("pig", seed=7).play(1)), random.Random(1))
