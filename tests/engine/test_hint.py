"""Hints: legal lines from the view of a seat, at little cost."""

import random
import time

import msgspec
import pytest

from engine import registry, replay
from engine.errors import Refused
from engine.kit import Step, dump_steps, legal, load_steps, view
from engine.players.hint import HintQuestion, hint
from engine.players.parts import ENDS, NOTHING
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


def test_a_hint_has_a_reason_where_its_players_name_the_parts_of_their_judgement():
    """In Pig the player holds a pot that is large enough; the players of Bids name none."""
    record = Record("pig", seed=7, seats=2)
    while record.play(1).table.state.pot < 10:
        pass
    pot = record.table.state.pot
    assert hint(question(record), random.Random(1)).reason == f"It keeps {pot} points."
    assert hint(question(Record("bids", seed=7, seats=2).play(1)), random.Random(1)).reason == ""


@pytest.mark.slow
@pytest.mark.parametrize("key", ["tikal", "discoveries", "lewis_clark", "livingstone"])
def test_hints_have_reasons_of_their_own_game(key):
    """Most turns that do not only end bring something at once."""
    record, reasons = Record(key, seed=7, seats=2), []
    for _ in range(20):
        if record.play(1).table.is_over:
            break
        reasons.append(hint(question(record), random.Random(1)).reason)
    told = [says for says in reasons if says not in (NOTHING, ENDS)]
    assert all(says.startswith("It ") and says.endswith(".") and "{" not in says for says in told)
    assert len(told) > 2 * reasons.count(NOTHING)


def test_a_hint_makes_no_slip():
    """The level *fair* of Tikal makes one in two fifths of its moves; a hint is the same for every chance."""
    record = Record("tikal", seed=7, seats=2).play(13)
    assert len(question(record).legal) > 10
    assert len({msgspec.json.encode(hint(question(record), random.Random(seed)).commands) for seed in range(20)}) == 1


def test_a_game_without_house_players_has_no_hints(monkeypatch):
    monkeypatch.setattr("engine.players.hint.players", lambda _: None)
    with pytest.raises(Refused, match="no-hint"):
        hint(question(Record("pig", seed=7).play(1)), random.Random(1))
