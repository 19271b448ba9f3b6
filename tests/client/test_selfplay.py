"""Random play: the same seed plays the same game, and the command shows the speed and the endings."""

import subprocess
import sys
from itertools import pairwise

import pytest
from click.testing import CliRunner

from client.commands import selfplay as command
from engine import registry, selfplay
from engine.kit import active

GAMES = ["pig", "bids"]


@pytest.mark.parametrize("key", GAMES)
def test_same_seed_same_game(key):
    """Two walks agree in every step; another seed plays another game."""
    game, options = registry.find(key), registry.find(key).meta.options()
    one, two, other = (list(selfplay.walk(game, 3, options, selfplay.seed_of("s", n))) for n in (0, 0, 1))
    assert one == two
    assert one != other


@pytest.mark.parametrize("key", GAMES)
def test_every_choice_comes_from_the_list(key):
    """Each step begins where the last one ended."""
    game = registry.find(key)
    steps = list(selfplay.walk(game, game.meta.seats[1], game.meta.options(), selfplay.seed_of("list")))
    assert all(step.chosen in step.legal for step in steps[1:])
    assert all(after.before is before.after for before, after in pairwise(steps))


def test_play_counts_the_steps_of_walk():
    game = registry.find("bids")
    steps = list(selfplay.walk(game, 4, game.meta.options(), selfplay.seed_of("count")))
    played = selfplay.play(game, 4, game.meta.options(), selfplay.seed_of("count"))
    assert played.commands == len(steps) - 1
    assert played.largest == max(len(step.legal) for step in steps)
    assert played.state == steps[-1].after
    assert 3 <= played.handoffs < played.commands


def test_seats_that_are_active_together_count_as_one_handoff():
    """In a game of bids all seats bid at once for each card, so its handoffs are its rounds."""
    game = registry.find("bids")
    steps = list(selfplay.walk(game, 4, game.meta.options(), selfplay.seed_of("count")))
    played = selfplay.play(game, 4, game.meta.options(), selfplay.seed_of("count"))
    asked_all = sum(len(active(game, step.after)) == 4 for step in steps)
    assert played.handoffs == asked_all < played.commands / 3


def test_the_command_prints_figures_and_endings():
    """An unsupported number of seats is refused."""
    said = CliRunner().invoke(command.main, ["pig", "--seats", "2", "--games", "5", "--seed", "x"])
    assert said.exit_code == 0, said.output
    for figure in ("games/s", "commands/s", "handoffs/game", "largest list", "goal"):
        assert figure in said.output
    refused = CliRunner().invoke(command.main, ["pig", "--seats", "9"])
    assert refused.exit_code == 2
    assert "2 to 4 players" in refused.output


def test_the_command_accepts_options():
    """Other options make other games; an unknown one is refused before any play."""
    quick, refused, broken = (
        CliRunner().invoke(command.main, ["pig", "--games", "2", "--options", text])
        for text in ('{"goal": 10}', '{"gaol": 10}', "goal=10")
    )
    assert quick.exit_code == 0, quick.output
    assert refused.exit_code == broken.exit_code == 2
    assert "gaol" in refused.output
    assert "--options" in broken.output


def test_the_command_needs_only_the_engine():
    """It loads no web framework, database or server code."""
    code = (
        "import sys, client.commands.selfplay; "
        "print([m for m in sys.modules if m.split('.')[0] in ('flask', 'sqlalchemy', 'server', 'workers', 'httpx')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
