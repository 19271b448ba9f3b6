"""OpenSpiel's own simulation test, run on our games."""

from __future__ import annotations

import random

import msgspec
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="`make peers` installs it")

from open_spiel.python.observation import make_observation

from engine.kit import view
from tests.peers import openspiel
from tests.peers.table import GAMES

pytestmark = pytest.mark.slow
each_table = pytest.mark.parametrize("seats", [2, 4])


@pytest.mark.parametrize("name", [*GAMES, "tikal-auction"])
@each_table
def test_a_random_game_passes_openspiels_simulation(name, seats):
    """Legal actions, chance that sums to one, observations, returns, and copies at every state of a game."""
    pyspiel.random_sim_test(openspiel.load(name, seats), num_sims=1, serialize=False, verbose=False)


@each_table
def test_a_state_can_be_written_and_read(seats):
    """As its history, at every state of a game of Livingstone."""
    pyspiel.random_sim_test(openspiel.load("livingstone", seats), num_sims=1, serialize=True, verbose=False)


def begun(seats=3):
    """Livingstone, with a player to move first."""
    state = openspiel.load("livingstone", seats).new_initial_state()
    return on(state)


def on(state, rng=None):
    """After all pending draws."""
    rng = rng or random.Random(1)
    while state.is_chance_node():
        state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
    return state


def test_chance_is_even_and_decides_the_draw():
    """The first draw of Livingstone is the player to begin."""
    for first in range(3):
        state = openspiel.load("livingstone", 3).new_initial_state()
        assert state.chance_outcomes() == [(seat, pytest.approx(1 / 3)) for seat in range(3)]
        state.apply_action(first)
        assert on(state).current_player() == first


def test_a_copy_is_independent():
    """Moves on it do not change the original."""
    state = begun()
    before, copy = state.before, state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert on(copy).before != before
    assert state.before == before


def test_observers_get_a_seats_view_or_the_public_one():
    """As text, and as its bytes."""
    game, state = openspiel.load("livingstone", 3), begun()
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    for kind, seat in ((None, 1), (public, None)):
        observer = make_observation(game, kind)
        seen = msgspec.json.encode(view(state.rules, state.before, seat))
        assert observer.string_from(state, 1).encode() == seen
        observer.set_from(state, 1)
        assert bytes(map(int, observer.tensor)).rstrip(b"\0") == seen
