"""Our games with the conventions of PettingZoo's AEC.

An agent is a seat, an action an index into the list of what is legal now, whose texts stand in `infos[agent]["legal"]`.
An observation is the JSON of the seat's view as padded bytes, with the mask of what is legal. Several seats that owe a
move at once, as in a sealed auction, are asked one after the other. The cap of turns truncates; the reward comes at the
end and is the share of the first place.
"""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from engine import replay
from engine.game import Turn
from engine.kit import Step, active, format_command, legal, names_of, outcome, view
from engine.kit.play import UNDECIDED
from engine.selfplay import lanes, seed_of
from tests.peers.table import LONGEST_VIEW, MOST_LEGAL, seen_by, variant


def env(name="livingstone", seats=2):
    """The environment in the wrapper that its library expects."""
    return OrderEnforcingWrapper(Env(name, seats))


class Env(AECEnv):
    metadata = {"name": "sealedmove_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - as others do
    render_mode = "ansi"

    def __init__(self, name, seats):
        super().__init__()
        self.game, self.options = variant(name)
        self.seats = seats
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(seats)]
        actions = Box(0, 1, (MOST_LEGAL,), np.int8)
        seen = Dict({"observation": Box(0, 255, (LONGEST_VIEW,), np.uint8), "action_mask": actions})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: Discrete(MOST_LEGAL) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        chance = seed_of(str(np.random.default_rng().integers(2**32) if seed is None else seed))
        self.turn = replay.start(self.game, self.seats, self.options, lanes(chance, "public"), lanes(chance, "hidden"))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def step(self, action):
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        seat, before = self.possible_agents.index(self.agent_selection), self.turn
        self.turn = Turn(before.state, before.chance.onward(), before.secret.onward())
        replay.move(self.game, self.turn, seat, (Step(self.legal[action]),))
        self._ask()
        self._accumulate_rewards()

    def _ask(self):
        """Find the player to move and their commands, or the end of the game."""
        waiting = active(self.game, self.turn.state)
        if waiting:
            self.agent_selection = self.possible_agents[waiting[0]]
            self.legal = list(legal(self.game, self.turn.state, waiting[0]))
        else:
            self.legal = []
            self._end(outcome(self.game, self.turn.state))
        self.infos = {agent: {"legal": []} for agent in self.agents}
        self.infos[self.agent_selection]["legal"] = [format_command(command) for command in self.legal]

    def _end(self, ended):
        first = ended.places[0] if ended.won else ()
        self.rewards = {agent: (seat in first) / max(1, len(first)) for seat, agent in enumerate(self.agents)}
        over = self.truncations if ended.reason == UNDECIDED else self.terminations
        over.update(dict.fromkeys(self.agents, True))

    def observe(self, agent):
        seat = self.possible_agents.index(agent)
        text = seen_by(self.game, self.turn.state, seat)
        seen = np.zeros(LONGEST_VIEW, np.uint8)
        seen[: len(text)] = np.frombuffer(text, np.uint8)
        mask = np.zeros(MOST_LEGAL, np.int8)
        mask[: len(self.legal) if agent == self.agent_selection else 0] = 1
        return {"observation": seen, "action_mask": mask}

    def render(self):
        return self.game.board(view(self.game, self.turn.state, None), names_of(self.seats))

    def close(self):
        """Nothing is open."""
