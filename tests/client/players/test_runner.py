"""Policies in their own process: whatever a policy does, there soon is a legal answer and a report."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import msgspec
import psutil
import pytest

from client.players.questions import MoveRequest, ThinkingBudget, reply
from client.players.runner import FIRST, NoPolicyError, Runner
from engine import registry, replay
from engine.kit import view
from tests.kit import installed
from tests.kit.faulty.sty.players import BAD
from tests.kit.patience import PATIENCE
from tests.kit.worlds import lanes

ROLL, HOLD = {"do": "roll"}, {"do": "hold"}
LIMIT = 5.0  # seconds that a test waits for; a new process on a busy machine must answer within them


def question(key="sty", level="easy", **more):
    """Seat 0 of Pig before its first roll, the only legal command."""
    pig = registry.find("pig")
    state = replay.start(pig, 2, pig.meta.options(), *lanes("runner")).state
    seen = msgspec.Raw(msgspec.json.encode(view(pig, state, 0)))
    return MoveRequest(**{"game": key, "seat": 0, "level": level, "view": seen, **more})


@pytest.fixture(scope="module", autouse=True)
def _faulty_games_are_installed():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", installed.FAULTY["PYTHONPATH"])
        yield


@pytest.fixture(scope="module")
def runner():
    with Runner(limit=20.0, megabytes=1024) as made:
        yield made


@pytest.fixture(scope="module")
def strict():
    """With short limits, for tests that wait for them."""
    with Runner(limit=LIMIT, megabytes=1024) as made:
        yield made


def test_a_level_runs_in_another_process(runner):
    """The same process for the next question."""
    first = runner.ask(question("pig", "strong"))
    child = runner._child.pid
    assert (first.commands, first.by, first.troubles) == ((ROLL,), "strong", ())
    assert runner.ask(question("pig", "fair")).by == "fair"
    assert runner._child.pid == child != os.getpid()


def test_a_position_may_have_more_legal_commands_than_a_move():
    """Hundreds in some positions; a move has 64 at most."""
    assert reply(question("pig", legal=(ROLL,) * 65)).by == "easy"


@pytest.mark.parametrize("level", [name for name in BAD if not name.startswith("hangs")])
def test_easy_answers_for_a_level_that_fails(runner, level):
    """A level that raises, ends the process, takes all memory or answers nonsense is named in the report."""
    found = runner.ask(question(level=level))
    assert (found.commands, found.by) == ((ROLL,), "easy")
    assert len(found.troubles) == 1
    assert found.troubles[0].startswith(f"{level}: ")


@pytest.mark.parametrize("level", ["hangs", "hangs-in-c"])
def test_a_level_that_hangs_is_killed_and_easy_answers(strict, level):
    """Within two limits; the process has ended."""
    strict.ask(question())
    hung = strict._child.pid
    found = strict.ask(question(level=level))
    assert (found.commands, found.by) == ((ROLL,), "easy")
    assert found.troubles == (f"{level}: no answer within {LIMIT:g} s",)
    assert not psutil.pid_exists(hung)


def test_output_of_a_policy_is_not_read_as_a_reply(capfd):
    """It goes to standard error."""
    with Runner(limit=20.0) as runner:
        found = runner.ask(question(level="prints", view=_rolled(), legal=(ROLL, HOLD)))
    assert (found.commands, found.by) == ((HOLD,), "prints")
    assert capfd.readouterr().err == "I hold\n"


def _rolled():
    seen = msgspec.json.decode(question().view)
    return msgspec.Raw(msgspec.json.encode({**seen, "pot": 12, "rolls": 2}))


@pytest.mark.slow
def test_if_every_level_fails_the_first_legal_command_is_played(strict):
    """Easy ends its process, and the default move cannot be computed."""
    found = strict.ask(question("mud", legal=(ROLL,)))
    assert (found.commands, found.by) == ((ROLL,), FIRST)
    assert [one.partition(":")[0] for one in found.troubles] == ["easy", "default"]


@pytest.mark.slow
def test_without_legal_commands_there_is_no_answer(strict):
    """The server will play a default move; the next question is answered."""
    with pytest.raises(NoPolicyError, match=r"easy: .*; default: "):
        strict.ask(question("mud"))
    assert strict.ask(question()).by == "easy"


def test_an_invalid_view_has_no_answer(runner):
    """The process that read it is replaced."""
    with pytest.raises(NoPolicyError):
        runner.ask(question(view=msgspec.Raw(b"{}")))
    assert runner.ask(question()).by == "easy"


def test_a_closed_runner_leaves_no_process(runner):
    """The next question starts another one."""
    runner.ask(question())
    child = runner._child.pid
    runner.close()
    assert not psutil.pid_exists(child)
    assert runner.ask(question()).by == "easy"


@pytest.mark.parametrize(
    ("level", "ends"), [(None, 0), ("hangs-in-c", -signal.SIGALRM)], ids=["nothing is asked", "it hangs"]
)
def test_a_process_without_its_parent_ends_by_itself(level, ends):
    """With its input, or a second after the time limit of an answer."""
    command = [sys.executable, "-m", "client.players.policy_process", "0.1", "1024"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        try:
            if level is None:
                child.stdin.close()
            else:
                child.stdin.write(msgspec.json.encode(question(level=level)) + b"\n")
                child.stdin.flush()
            assert child.wait(PATIENCE) == ends
        finally:
            child.kill()


def test_a_search_keeps_to_its_time_limit(runner):
    """Livingstone's strong, which would search thousands of positions, answers at once."""
    game = registry.find("livingstone")
    state = replay.start(game, 4, game.meta.options(), *lanes("runner")).state
    seat = state.seat
    seen = msgspec.Raw(msgspec.json.encode(view(game, state, seat)))
    found = runner.ask(MoveRequest(game="livingstone", seat=seat, level="strong", view=seen, seconds=0.001))
    assert (found.by, found.troubles) == ("strong", ())


def test_a_thinking_budget_has_positions_and_seconds(monkeypatch):
    """It ends with the first of them; when the answer is due nothing is left."""
    own, wall = iter((7.0, 7.0, 10.0, 10.0)), iter((100.0, 120.0, 130.0, 140.0, 160.0))
    monkeypatch.setattr(time, "process_time", lambda: next(own))
    monkeypatch.setattr(time, "monotonic", lambda: next(wall))
    thought = ThinkingBudget(4.0, due=60.0)
    assert [thought.left() for _ in range(2)] == [1.0, 0.25]
    for _ in range(thought.most * 9 // 10):
        thought.spend()
    assert thought.left() == pytest.approx(0.1)
    assert thought.left() == 0.0


def test_the_same_question_has_the_same_answer_in_this_process():
    """Here a budget of time is not used up."""
    asked = question("pig", "strong", seconds=60.0, seed="s")
    first, second = reply(asked), reply(asked)
    assert (first.commands, first.by) == (second.commands, second.by)
