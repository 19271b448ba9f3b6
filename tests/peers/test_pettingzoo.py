"""PettingZoo's own tests, run on our games."""

from __future__ import annotations

import msgspec
import pytest

pytest.importorskip("pettingzoo", reason="`make peers` installs it")

from pettingzoo.test import api_test, seed_test

from engine import registry
from engine.kit import view
from tests.peers import pettingzoo_aec
from tests.peers.table import GAMES

# An observation with a mask is a dictionary, which the library wishes were an array.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(
        "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be"
    ),
]
each_table = pytest.mark.parametrize("seats", [2, 4])
each_game = pytest.mark.parametrize("name", [*GAMES, "tikal-auction"])


@each_game
@each_table
def test_a_game_passes_pettingzoos_api_test(name, seats):
    """With 1,000 cycles."""
    api_test(pettingzoo_aec.env(name, seats), num_cycles=1000)


@each_game
@each_table
def test_the_same_seed_plays_the_same_game(name, seats):
    """With 200 cycles of the library's test."""
    seed_test(lambda: pettingzoo_aec.env(name, seats), num_cycles=200)


def played(name, seats, seed):
    """An environment at the end of a random game."""
    env = pettingzoo_aec.Env(name, seats)
    env.reset(seed)
    for agent in env.agents:
        env.action_space(agent).seed(seed)
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(env.action_space(env.agent_selection).sample(mask))
    return env


def test_an_observation_is_the_view_of_the_seat():
    """And of no other."""
    env = pettingzoo_aec.Env("livingstone", 3)
    env.reset(5)
    for seat, agent in enumerate(env.agents):
        seen = bytes(env.observe(agent)["observation"]).rstrip(b"\0")
        assert seen == msgspec.json.encode(view(registry.find("livingstone"), env.turn.state, seat))


def test_first_places_are_the_reward():
    """Tied players share them."""
    env = played("livingstone", 3, 4)
    assert sum(env.rewards.values()) == pytest.approx(1)
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


def test_the_cap_truncates():
    """Lewis & Clark at random does not end by itself."""
    env = played("lewis_clark", 2, 1)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
