"""Our games as OpenSpiel's: states with explicit chance, and observers.

A draw is a chance node of `n` even outcomes, without a word of it in the rules: a lane gives what was drawn so far and
raises `Need` for one draw more, and the command is decided again when it is there. A player's action is an index into
the list of what is legal now, whose text is `action_to_string`.
"""

from __future__ import annotations

import numpy as np
import pyspiel

from engine import replay
from engine.chance import Lane
from engine.errors import SealedMoveError
from engine.game import Turn
from engine.kit import Step, active, format_command, legal, names_of, outcome, view
from tests.peers.table import LONGEST_VIEW, MOST_LEGAL, seen_by, variant

MOST_OUTCOMES = 128  # the largest bag has 60 stones
LONGEST_GAME = 100_000


class Need(SealedMoveError):
    """One draw more is needed, of so many even outcomes."""

    def __init__(self, outcomes):
        super().__init__("need", outcomes=outcomes)
        self.outcomes = outcomes


class Given(Lane):
    """Both lanes of a turn in one: what was drawn is given, in the order of the draws."""

    def __init__(self, results):
        self.results = results
        self.next = 1
        self.got = []

    def roll(self, n):
        if len(self.got) == len(self.results):
            raise Need(n)
        result = self.results[len(self.got)]
        self.got.append((n, result))
        self.next += 1
        return result


def game_type(name):
    game, options = variant(name)
    fewest, most = game.meta.seats
    kind = pyspiel.GameType
    hidden = game.hidden(options)
    return kind(
        short_name=f"sealedmove_{name.replace('-', '_')}",
        long_name=game.meta.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION if hidden else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        min_num_players=max(2, fewest),
        max_num_players=most,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 2},
    )


class SpielGame(pyspiel.Game):
    """`name` is set by a subclass for each game."""

    name = ""

    def __init__(self, params=None):
        self.rules, self.options = variant(self.name)
        self.seats = (params or {}).get("players", 2)
        info = pyspiel.GameInfo(
            num_distinct_actions=MOST_LEGAL,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.seats,
            min_utility=0.0,
            max_utility=1.0,
            max_game_length=LONGEST_GAME,
        )
        super().__init__(game_type(self.name), info, params or {})

    def new_initial_state(self):
        return SpielState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return Observer(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SpielState(pyspiel.State):
    """`before` is the settled position, `doing` what is being played (None: the setup), `drawn` its draws so far."""

    def __init__(self, game):
        super().__init__(game)
        self.rules, self.options, self.seats = game.rules, game.options, game.seats
        self.before = None
        self.doing = None
        self.drawn = ()
        self.outcomes = 0  # of the draw that is needed now; 0 if none is
        self._go_on()

    def __deepcopy__(self, memo):
        """Positions are values, so a copy may share them."""
        copy = SpielState.__new__(SpielState)
        pyspiel.State.__init__(copy, self.get_game())
        copy.__dict__.update(self.__dict__)
        return copy

    def _go_on(self):
        """Play what is being done with the draws that are there."""
        lane = Given(self.drawn)
        try:
            if self.before is None:
                turn = replay.start(self.rules, self.seats, self.options, lane, lane)
            else:
                turn = Turn(self.before, lane, lane)
                seat, command = self.doing
                replay.move(self.rules, turn, seat, (Step(command),))
        except Need as need:
            self.outcomes = need.outcomes
        else:
            self.before, self.doing, self.drawn, self.outcomes = turn.state, None, (), 0

    def current_player(self):
        if self.outcomes:
            return pyspiel.PlayerId.CHANCE
        waiting = active(self.rules, self.before)
        return waiting[0] if waiting else pyspiel.PlayerId.TERMINAL

    def _legal(self, player):
        return list(legal(self.rules, self.before, player))

    def _legal_actions(self, player):
        return list(range(len(self._legal(player))))

    def chance_outcomes(self):
        return [(outcome, 1 / self.outcomes) for outcome in range(self.outcomes)]

    def _apply_action(self, action):
        if self.outcomes:
            self.drawn = (*self.drawn, action)
        else:
            seat = self.current_player()
            self.doing = seat, self._legal(seat)[action]
        self._go_on()

    def _action_to_string(self, player, action):
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action} of {self.outcomes}"
        return format_command(self._legal(player)[action])

    def is_terminal(self):
        return self.current_player() == pyspiel.PlayerId.TERMINAL

    def returns(self):
        ended = outcome(self.rules, self.before) if self.before is not None and not self.outcomes else None
        first = ended.places[0] if ended and ended.won else ()
        return [float(seat in first) / max(1, len(first)) for seat in range(self.seats)]

    def __str__(self):
        if self.before is None:
            return f"setup {self.drawn}"
        board = self.rules.board(view(self.rules, self.before, None), names_of(self.seats))
        return f"{board}\n{self.doing or ''} {self.drawn}"


class Observer:
    """The view of a seat, or what anybody sees, as text and as the bytes of that text."""

    def __init__(self, kind, params):
        if params:
            raise ValueError(f"an observer takes no parameters, not {params}")
        if kind.perfect_recall:
            raise ValueError("a view tells what is, not what was: there is no perfect recall")
        self.is_own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor = np.zeros(LONGEST_VIEW, np.float32)
        self.dict = {"view": self.tensor}

    def set_from(self, state, player):
        text = self.string_from(state, player).encode()
        self.tensor.fill(0)
        self.tensor[: len(text)] = np.frombuffer(text, np.uint8)

    def string_from(self, state, player):
        """Between a command and its draws it is the position before the command."""
        if state.before is None:
            return ""
        return seen_by(state.rules, state.before, player if self.is_own else None).decode()


def load(name, seats):
    """The game under the library's own roof."""
    kind = game_type(name)
    if kind.short_name not in pyspiel.registered_names():
        made = type(f"Spiel_{kind.short_name}", (SpielGame,), {"name": name})
        pyspiel.register_game(kind, made)
    return pyspiel.load_game(kind.short_name, {"players": seats})
