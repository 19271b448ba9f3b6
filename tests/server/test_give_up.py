"""What an operator can do where missing lines do not come back: see it, let a game go on, end it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.errors import EngineFault
from engine.record.audit import audit
from sealedmove import main
from server.log.ledger import stop_game
from tests.server.house import HOST, MASTER, House
from tests.server.lost import CLOCK, Lost, lost
from tests.server.test_compare import forged, relation
from tests.server.test_missing import newest, told


def run(hall: House, *words: str, **more: str) -> Result:
    """The command as the operator types it."""
    database = hall.services.settings.database_url
    env = {"SEALEDMOVE_MASTER": MASTER.hex(), "DATABASE_URL": database, "PUBLIC_URL": f"https://{HOST}"}
    env |= {"GAME_PACKAGES": "tests.kit.games", "LOG_LEVEL": "ERROR", "REDIS_URL": ""}
    return CliRunner().invoke(main, list(words), env=env | more)


@pytest.fixture
def game(any_hall: House, tmp_path: Path) -> Lost:
    """A stopped game whose lines nobody will hand in."""
    made = lost(any_hall, tmp_path, clock=CLOCK)
    made.compare()
    return made


@pytest.mark.slow
def test_stopped_games_and_forks_are_listed(game: Lost):
    """One JSON object a line: what is missing, what is broken, and the notes that prove something."""
    broken = game.hall.game("pig", game.players)
    stop_game(game.hall.services, broken, EngineFault("planted"))
    fork = forged(game, 3)
    game.compare(fork)
    shown = run(game.hall, "stopped")
    rows = {row["why"]: row for row in map(json.loads, shown.stdout.splitlines())}
    assert shown.exit_code == 0
    missing = rows["lines-missing"]
    assert (missing["game"], missing["size"], missing["shown"]) == (game.game, game.size, len(game.lines))
    assert rows["engine-fault"]["game"] == broken
    assert (rows["fork"]["game"], rows["fork"]["note"]) == (game.game, fork)


@pytest.mark.slow
def test_a_game_goes_on_without_its_lines_if_the_operator_says_so(game: Lost):
    """Its clock makes up for the time, who owes a move is told; the note that was shown proves a fork for ever."""
    game.hall.clock.forward(hours=2)
    mark = newest(game.hall)
    done = run(game.hall, "go-on", game.game)
    assert done.exit_code == 0, done.output
    assert game.detail()["stopped"] is False
    assert [kind for kind, _ in told(game.hall, game.game, mark)] == ["turn"]
    game.play(1)
    assert relation(game.compare()) == ("fork", len(game.lines), False)
    bundle = game.hall.client.get(f"/v1/games/{game.game}/bundle").get_data()
    assert audit(bundle).verdict == "holds"
    assert audit(bundle, note=game.note).checks["note"].ok is False
    game.hall.play_out(game.game, game.players)


@pytest.mark.slow
def test_lines_that_fit_are_taken_also_after_the_operator_has_given_them_up(any_hall: House, tmp_path: Path):
    """As long as nothing was logged in their place."""
    game = lost(any_hall, tmp_path, clock=None)
    game.compare()
    assert run(any_hall, "go-on", game.game).exit_code == 0
    answer = game.hand_in()
    assert (answer.status_code, answer.get_json()["stopped"]) == (200, False)
    assert game.now() == game.lines


@pytest.mark.slow
def test_a_stopped_game_is_ended_by_the_servers_word(game: Lost):
    """With the reason in the record, its players told, and its secret shown."""
    mark = newest(game.hall)
    done = run(game.hall, "cancel", game.game, "--reason", "lines-lost")
    assert done.exit_code == 0, done.output
    last = json.loads(game.now()[-1])
    assert (last["kind"], last["reason"]) == ("cancelled", "lines-lost")
    assert (game.detail()["status"], game.detail()["stopped"]) == ("cancelled", False)
    assert told(game.hall, game.game, mark) == [("cancelled", game.size)]
    assert audit(game.hall.client.get(f"/v1/games/{game.game}/bundle").get_data()).verdict == "holds"
    assert relation(game.compare())[0] == "fork"


def test_a_game_of_which_nothing_is_missing_can_be_ended_too_and_needs_no_going_on(any_hall: House):
    """A sentence and an exit code; the game that runs is as it was."""
    players = [any_hall.player(number) for number in range(2)]
    game = any_hall.game("pig", players)
    refused = run(any_hall, "go-on", game)
    assert (refused.exit_code, "The game is not stopped." in refused.output) == (1, True)
    assert any_hall.client.get(f"/v1/games/{game}").get_json()["status"] == "running"
    assert run(any_hall, "cancel", game).exit_code == 0
    assert any_hall.client.get(f"/v1/games/{game}").get_json()["status"] == "cancelled"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("go-on", "00000000-0000-4000-8000-000000000000"), "There is no game with this ID."),
        (("cancel", "x"), "There is no game with this ID."),
    ],
)
def test_a_refusal_on_a_page_is_a_sentence(hall: House, words: tuple[str, ...], says: str):
    """And nothing else is printed."""
    done = run(hall, *words)
    assert (done.exit_code, done.output) == (1, f"Error: {says}\n")


@pytest.mark.slow
def test_a_reason_that_no_record_can_hold_is_refused(game: Lost):
    """The game waits on."""
    done = run(game.hall, "cancel", game.game, "--reason", "Lost lines!")
    assert done.exit_code == 1
    assert game.now() == game.lines[: game.size]
    assert game.detail()["stopped"] is True
    assert relation(game.compare())[0] == "newer"


@pytest.mark.parametrize("command", [["stopped"], ["go-on", "x"], ["cancel", "x"]])
def test_without_the_master_no_command_does_anything(hall: House, command: list[str]):
    """In the sentence that every process starts with."""
    done = run(hall, *command, SEALEDMOVE_MASTER="")
    assert done.exit_code != 0
    assert "SEALEDMOVE_MASTER must hold" in str(done.output) + str(done.exception)


@pytest.mark.parametrize("words", ["stopped", "grant --all 60", "bot list", "mail failed", "migrate", "welcome"])
def test_a_database_that_is_none_is_told_in_one_sentence(words: str, tmp_path: Path):
    """By whatever asks it, without a traceback; and the file is left as it is."""
    none = tmp_path / "sealedmove.db"
    none.write_text("no database", "ascii")
    env = {"SEALEDMOVE_MASTER": MASTER.hex(), "DATABASE_URL": f"sqlite:///{none}", "LOG_LEVEL": "ERROR"}
    done = CliRunner().invoke(main, words.split(), env=env)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"Error: the database sqlite:///{none} refused this: file is not a database\n"
    assert none.read_text("ascii") == "no database"


@pytest.mark.parametrize("words", ["stopped", "grant --all 60", "welcome"])
def test_beside_make_run_nobody_is_told_to_make_another_master(words: str, tmp_path: Path):
    """But where the one of its games stands."""
    made = tmp_path / "master.key"
    for there, says in ((False, "Make one with"), (True, f"SEALEDMOVE_MASTER=$(cat {made})")):
        made.write_text(MASTER.hex(), "ascii") if there else None
        done = CliRunner().invoke(main, words.split(), env={"SEALEDMOVE_MASTER": "", "DATA_DIR": str(tmp_path)})
        assert isinstance(done.exception, SystemExit)
        assert says in str(done.exception.code)
