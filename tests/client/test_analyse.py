"""`sealedmove analyse`: turning points and chances of a finished game's file, as text, as JSON and as a picture."""

import json
import random
import re

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from client.commands.analyse import WIDTH, main, text
from engine.analysis.turning import analyse
from tests.engine.test_analysis import Played
from tests.kit.games.pig import PigOptions
from tests.kit.play_record import Record


@pytest.fixture(scope="module")
def finished():
    return Played("pig", seed=3, options=PigOptions(goal=60)).play().bundle()


@pytest.fixture
def command(tmp_path):
    def command(data, *options):
        (tmp_path / "game.txt").write_bytes(data)
        return CliRunner().invoke(main, [str(tmp_path / "game.txt"), *options])

    return command


def test_it_names_what_was_played_and_what_was_better(command, finished):
    """With both chances, the reason, and a reservation."""
    done = command(finished)
    assert done.exit_code == 0
    assert re.search(r"Seat 1 played `roll`, a chance of \d+ in 100[.] Better: `hold`, a chance of", done.stdout)
    assert re.search(r"It keeps (about )?\d+ points more[.]", " ".join(done.stdout.split()))
    assert done.stdout.endswith("This is the opinion of the strong house player, not a part of the record.\n")


def test_the_table_of_chances_has_a_row_for_each_of_some_entries(command, finished):
    """With the player who has moved."""
    rows = re.findall(r"^ +(\d+) +\d+  (the start|Seat \d|the end) ", command(finished).stdout, re.MULTILINE)
    seqs = [int(seq) for seq, _ in rows]
    assert len(rows) > 5
    assert seqs == sorted(set(seqs))
    assert (rows[0][1], rows[-1][1]) == ("the start", "the end")


def test_its_lines_fit_a_terminal(finished):
    """A better line that begins with a draw brings nothing that could be told before it."""
    names = ("a player with a name of more than forty letters", "Ben")
    found = analyse(finished, random.Random)
    line = replace(found.points[0].better[0], brings=())
    best = replace(found.points[0], better=(line, *found.points[0].better))
    lines = text(replace(found, points=(best, *found.points)), names).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert not [line for line in lines if line and not line.strip()]


def test_json_and_the_picture_hold_the_same_points(command, finished, tmp_path):
    done = command(finished, "--json", "--svg", str(tmp_path / "curve.svg"))
    points = json.loads(done.stdout)["points"]
    assert points
    assert (tmp_path / "curve.svg").read_text("utf-8").count("<circle") == len(points)


def test_a_file_that_fails_its_audit_is_not_analysed(command, finished):
    """The report is printed instead."""
    done = command(finished.replace(b'"score', b'"scorf', 1).replace(b'"at":"2', b'"at":"3', 1))
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.startswith("No analysis. ")


def test_a_running_game_is_not_analysed(command):
    done = command(Record("pig", seed=1).play(3).bundle())
    assert done.exit_code == 2
    assert done.stderr == "Error: The game has not finished. An analysis reads every hand, so it waits for the end.\n"
