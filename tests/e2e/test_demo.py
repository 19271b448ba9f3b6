"""`sealedmove demo`: whole games against a real server, by the public API and mails only."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from engine.record.audit import audit
from engine.record.log import bundle
from engine.record.log.entry import read_entry
from tests.e2e.instance import ROOT, Instance
from tests.kit import installed
from tests.kit.patience import PATIENCE
from tests.servers import patient

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """One server for all games of this file, with the tiny games too."""
    instance = Instance(tmp_path_factory.mktemp("house"), **installed.ENV).start()
    yield instance
    instance.stop()


def demo(house, out, *words):
    """Run the demo as a person would; returns its output."""
    command = [Path(sys.executable).with_name("sealedmove"), "demo", *words]
    where = ["--url", house.url, "--mail-url", house.mail_url, "--out", out, "--patience", str(PATIENCE)]
    env = os.environ | installed.ENV
    done = subprocess.run([*command, *where], cwd=ROOT, env=env, capture_output=True, text=True, timeout=2 * PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr + house.said()[-4000:]
    return done.stdout


GAMES = [
    ("pig", 2, '{"goal":30}'),
    ("bids", 3, "{}"),
    ("livingstone", 2, "{}"),
    ("tikal", 2, '{"variant":"auction"}'),
    ("lewis_clark", 1, '{"level":3}'),
]


@pytest.mark.parametrize(("key", "seats", "options"), GAMES)
def test_the_demo_plays_a_whole_game(house, tmp_path, key, seats, options):
    """Signed up by mail, played by signed moves, each with its mail, ranked, and a bundle that passes the audit."""
    said = demo(house, tmp_path / "game", key, "--seats", str(seats), "--options", options, "--random", "--quiet")
    report = audit((tmp_path / "game").read_bytes())
    assert (report.verdict, report.stage) == ("holds", "finished")
    assert {name for name, check in report.checks.items() if not check.ok} <= {"seals"}  # an open game has none
    assert all(check.ok is not False for check in report.checks.values())
    found = bundle.read((tmp_path / "game").read_bytes())
    assert json.loads(options).items() <= read_entry(found.lines[0]).body["options"].items()
    outcome = read_entry(found.lines[-1]).body["outcome"]
    assert f"the game ended: {outcome['reason']}" in said
    assert all(heading in said for heading, _ in outcome["points"])
    assert f"{len(found.lines)} entries" in said
    assert said.count(" signed in by the link mailed to ") == seats
    assert re.search("^(round   1|moves   1 to .*):", said, re.MULTILINE)


def test_house_players_play_the_demo(house, tmp_path):
    """Without random moves: the game is played to its end; the Queen may rule both of two players out.

    It is told as a show: where to watch it, each move in a sentence with its player's name, the board of each round.
    """
    said = demo(house, tmp_path / "game", "livingstone", "--seats", "2")
    found = bundle.read((tmp_path / "game").read_bytes())
    report = audit((tmp_path / "game").read_bytes())
    assert (report.verdict, report.stage) == ("holds", "finished")
    assert "the game ended: " in said
    assert "1. " in said
    assert f"Watch the game at {house.url}/games/{read_entry(found.lines[0]).game}" in said
    moves = [entry for entry in map(read_entry, found.lines) if entry.kind == "moved"]
    told = [line for line in said.splitlines() if re.match(r"  (Ada|Ben) ", line)]
    assert [line.split()[0] for line in told] == [("Ada", "Ben")[move.body["seat"]] for move in moves]
    rounds, boards = (re.findall(line, said, re.MULTILINE) for line in (r"^Round (\d+)$", "^Dice left:"))
    assert rounds == [str(number) for number in range(1, len(rounds) + 1)]
    assert len(rounds) >= 10  # each moves the steamer on, and a card may move it back
    assert len(boards) == len(rounds) - 1  # of each round but the first
    winners = "The winner: (Ada|Ben)!|Shared first place: Ada and Ben!|Nobody has won[.]"
    assert re.search(f"^({winners})$", said, re.MULTILINE)


def test_every_question_is_mailed_once(house, tmp_path):
    """In an open game the log shows whose turn it was: each turn is one mail."""
    said = demo(house, tmp_path / "game", "pig", "--seats", "3", "--seed", "mails", "--random", "--quiet")
    lines = [json.loads(line) for line in bundle.read((tmp_path / "game").read_bytes()).lines]
    game = lines[0]["game"]
    addresses = re.findall(r"mailed to (\S+);", said)
    mails = [mail for to in addresses for mail in patient.get(f"{house.mail_url}/mail.json", params={"to": to}).json()]
    turns = Counter(mail["message_id"] for mail in mails if ".turn@" in mail["message_id"])
    asked = {f"<g.{game}.e{entry['seq'] - 1}.{entry['seat']}.turn" for entry in lines if entry["kind"] == "moved"}
    assert {name.partition("@")[0] for name in turns} == asked
    assert set(turns.values()) == {1}


def test_an_unreachable_server_is_reported(tmp_path):
    """And nothing is written."""
    command = [Path(sys.executable).with_name("sealedmove"), "demo", "livingstone", "--url", "http://127.0.0.1:9"]
    done = subprocess.run(
        [*command, "--out", tmp_path / "game"], cwd=ROOT, capture_output=True, text=True, timeout=2 * PATIENCE
    )
    assert done.returncode == 1
    assert "Error: POST http://127.0.0.1:9/v1/login" in done.stderr
    assert not (tmp_path / "game").exists()
