"""The operator's choices if missing entries do not come back: list the games, let one continue, end it."""

import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from engine.errors import EngineFault
from engine.record.audit import audit
from engine.record.encoding import canonical
from engine.record.log.entry import read_entry
from sealedmove import main
from server.kernel.db.models import ShownNote
from server.log.ledger import stop_game
from server.log.note_check import FORK
from tests.server.harness import HOST, MASTER, WHY, Harness
from tests.server.lost import CLOCK, Lost, lost
from tests.server.test_compare import forged, relation
from tests.server.test_missing import newest, told

GRANT = "grant --all 60 --why test"


def run(hall: Harness, *words: str, **more: str) -> Result:
    """Run the command as the operator types it."""
    database = hall.services.settings.database_url
    env = {"SEALEDMOVE_MASTER": MASTER.hex(), "DATABASE_URL": database, "PUBLIC_URL": f"https://{HOST}"}
    env |= {"LOG_LEVEL": "ERROR", "REDIS_URL": ""}
    return CliRunner().invoke(main, list(words), env=env | more)


@pytest.fixture
def game(any_hall: Harness, tmp_path: Path) -> Lost:
    """A stopped game whose missing entries nobody will submit."""
    made = lost(any_hall, tmp_path, clock=CLOCK)
    made.compare()
    return made


@pytest.mark.slow
def test_stopped_games_and_forks_are_listed(game: Lost):
    """One JSON object a line: the missing entries, the fault, and the checkpoints that prove something."""
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
def test_the_operator_can_let_a_game_go_on_without_its_missing_entries(game: Lost):
    """The log states the loss, players get the time back, and checkpoints within the loss prove no fork."""
    game.hall.clock.forward(hours=2)
    mark = newest(game.hall)
    done = run(game.hall, "give-up", game.game, *WHY)
    lost = len(game.lines) - game.size
    assert (done.exit_code, done.output) == (0, f"{game.game} goes on without {lost} lost entries\n")
    entry = json.loads(game.now()[game.size])
    assert (entry["kind"], entry["size"]) == ("restored", len(game.lines))
    assert entry["hash"] == canonical.to_base64url(read_entry(game.lines[-1].encode()).hash)
    assert json.loads(game.now()[game.size + 1])["why"] == "outage"
    assert game.detail()["stopped"] is False
    assert [kind for kind, _ in told(game.hall, game.game, mark)] == ["turn"]
    game.play(1)
    assert relation(game.compare()) == ("lost", len(game.lines), False)
    assert relation(game.compare(game.note_on(game.size + 2))) == ("lost", game.size + 2, False)
    assert relation(game.compare(forged(game, len(game.lines))))[0] in ("fork", "newer")
    page = game.hall.client.get(f"/games/{game.game}").get_data(as_text=True)
    assert f"The server lost {lost} entries here" in page


@pytest.mark.slow
def test_entries_can_be_given_up_after_their_note_has_become_evidence(game: Lost):
    """Lines that end at it contradicted the log, so it is not awaited, yet the game still waits for a decision."""
    with game.hall.services.database.write() as session:
        session.execute(sa.update(ShownNote).values(relation=FORK))
    assert run(game.hall, "give-up", game.game, *WHY).exit_code == 0
    assert json.loads(game.now()[game.size])["size"] == len(game.lines)
    assert game.detail()["stopped"] is False


@pytest.mark.slow
def test_a_withheld_text_does_not_block_a_game_for_ever(any_hall: Harness, tmp_path: Path):
    """Everything before that move comes back. The operator gives up the rest; no honest checkpoint proves a fork."""
    game = lost(any_hall, tmp_path, key="bids", before=0, after=5, options={"lots": 9})
    movers = [json.loads(line)["seat"] for line in game.lines[game.size :]]
    handed = game.hand_in(by=(movers[0],)).get_json()
    assert (handed["stopped"], handed["lacks"]) == (True, game.size + movers.index(1 - movers[0]))
    assert run(any_hall, "give-up", game.game, *WHY).exit_code == 0
    game.play(1)
    assert game.detail()["stopped"] is False
    assert relation(game.compare())[0] == "lost"
    report = audit(any_hall.client.get(f"/v1/games/{game.game}/bundle").get_data(), note=game.note)
    assert report.verdict == "open", report.text()


@pytest.mark.slow
def test_an_audit_reports_a_loss_without_convicting_anybody(game: Lost):
    """The report's headline counts the entries; a checkpoint within the loss leaves the verdict open."""
    assert run(game.hall, "give-up", game.game, *WHY).exit_code == 0
    game.hall.play_out(game.game, game.players)
    bundle = game.hall.client.get(f"/v1/games/{game.game}/bundle").get_data()
    report, lost = audit(bundle), len(game.lines) - game.size
    assert (report.verdict, f"the server lost {lost} entries" in report.text()) == ("holds", True)
    assert audit(bundle, note=game.note).verdict == "open"


@pytest.mark.slow
def test_going_on_is_refused_while_entries_are_missing(game: Lost):
    """Otherwise the server's honest checkpoints would convict it; the operator waits or gives them up."""
    refused = run(game.hall, "go-on", game.game, *WHY)
    assert (refused.exit_code, "Entries of this game are missing on the server" in refused.output) == (1, True)
    assert "`sealedmove give-up GAME`" in refused.output
    assert game.now() == game.lines[: game.size]
    assert game.detail()["stopped"] is True


def test_a_game_without_missing_entries_has_nothing_to_give_up(any_hall: Harness):
    """If a fault has stopped it, the refusal names the command for that."""
    players = [any_hall.player(number) for number in range(2)]
    game = any_hall.game("pig", players)
    before = any_hall.head(game)
    assert "The game is not stopped." in run(any_hall, "give-up", game, *WHY).output
    stop_game(any_hall.services, game, EngineFault("planted"))
    refused = run(any_hall, "give-up", game, *WHY)
    assert (refused.exit_code, "`sealedmove go-on GAME`" in refused.output) == (1, True)
    assert "not stopped" not in refused.output
    assert any_hall.head(game) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "left"),
    [
        ("go-on", "lines-missing\nWait until players have submitted the missing entries."),
        ("give-up", "engine-fault\nCorrect the rules"),
    ],
)
def test_a_command_names_the_other_reason_for_which_a_game_is_stopped(game: Lost, word: str, left: str):
    """With what to do about it, whichever of the two reasons ends first."""
    stop_game(game.hall.services, game.game, EngineFault("planted"))
    done = run(game.hall, word, game.game, *WHY)
    assert (done.exit_code, f"{game.game} is still stopped: {left}" in done.output) == (0, True), done.output
    assert game.detail()["stopped"] is True


@pytest.mark.slow
def test_entries_that_were_given_up_are_refused_and_prove_nothing(any_hall: Harness, tmp_path: Path):
    """The log states them as lost, so they come too late and contradict nothing."""
    game = lost(any_hall, tmp_path, clock=None)
    game.compare()
    assert run(any_hall, "give-up", game.game, *WHY).exit_code == 0
    before = game.now()
    answer = game.hand_in()
    assert (answer.status_code, answer.get_json()["code"]) == (409, "entries-given-up")
    assert game.now() == before
    assert run(any_hall, "stopped").stdout == ""
    game.play(2)


@pytest.mark.slow
def test_the_operator_can_end_a_stopped_game(game: Lost):
    """The record states the loss and the reason, the players are notified, and the server's secret is shown."""
    mark = newest(game.hall)
    done = run(game.hall, "cancel", game.game, "--reason", "lines-lost", *WHY)
    assert done.exit_code == 0, done.output
    last = json.loads(game.now()[-1])
    assert (last["kind"], last["reason"]) == ("cancelled", "lines-lost")
    assert (game.detail()["status"], game.detail()["stopped"]) == ("cancelled", False)
    assert json.loads(game.now()[-2])["kind"] == "restored"
    assert told(game.hall, game.game, mark) == [("cancelled", game.size + 1)]
    assert audit(game.hall.client.get(f"/v1/games/{game.game}/bundle").get_data()).verdict == "holds"
    assert relation(game.compare())[0] == "lost"


def test_a_game_without_missing_entries_can_be_ended_but_not_continued(any_hall: Harness):
    """A refusal is a sentence and an exit code; a running game stays as it was."""
    players = [any_hall.player(number) for number in range(2)]
    game = any_hall.game("pig", players)
    refused = run(any_hall, "go-on", game, *WHY)
    assert (refused.exit_code, "The game is not stopped." in refused.output) == (1, True)
    assert any_hall.client.get(f"/v1/games/{game}").get_json()["status"] == "running"
    assert run(any_hall, "cancel", game, *WHY).exit_code == 0
    assert any_hall.client.get(f"/v1/games/{game}").get_json()["status"] == "cancelled"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("go-on", "00000000-0000-4000-8000-000000000000"), "There is no game with this ID."),
        (("give-up", "00000000-0000-4000-8000-000000000000"), "There is no game with this ID."),
        (("cancel", "x"), "There is no game with this ID."),
    ],
)
def test_a_refusal_is_printed_as_one_sentence(hall: Harness, words: tuple[str, ...], says: str):
    """Nothing else is printed."""
    done = run(hall, *words, *WHY)
    assert (done.exit_code, done.output) == (1, f"Error: {says}\n")


@pytest.mark.slow
def test_a_reason_that_the_record_cannot_hold_is_refused(game: Lost):
    """The game stays stopped."""
    done = run(game.hall, "cancel", game.game, "--reason", "Lost lines!", *WHY)
    assert done.exit_code == 1
    assert game.now() == game.lines[: game.size]
    assert game.detail()["stopped"] is True
    assert relation(game.compare())[0] == "newer"


@pytest.mark.parametrize("command", [["stopped"], ["go-on", "x", *WHY], ["give-up", "x", *WHY], ["cancel", "x", *WHY]])
def test_without_the_master_secret_no_command_runs(hall: Harness, command: list[str]):
    """With the sentence that every process prints at its start."""
    done = run(hall, *command, SEALEDMOVE_MASTER="")
    assert done.exit_code != 0
    assert "SEALEDMOVE_MASTER must hold" in str(done.output) + str(done.exception)


@pytest.mark.parametrize("words", ["stopped", GRANT, "bot list", "mail failed", "migrate", "welcome"])
def test_a_file_that_is_not_a_database_is_reported_in_one_sentence(words: str, tmp_path: Path):
    """By every command, without a traceback, and the file is not changed."""
    none = tmp_path / "sealedmove.db"
    none.write_text("no database", "ascii")
    env = {"SEALEDMOVE_MASTER": MASTER.hex(), "DATABASE_URL": f"sqlite:///{none}", "LOG_LEVEL": "ERROR"}
    done = CliRunner().invoke(main, words.split(), env=env)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"Error: the database sqlite:///{none} refused this: file is not a database\n"
    assert none.read_text("ascii") == "no database"


@pytest.mark.parametrize("words", ["stopped", GRANT, "operate log", "verify", "doctor", "backup copy.db", "worker"])
def test_only_migrate_makes_a_database(words: str, tmp_path: Path, monkeypatch):
    """Every other command names the file that is missing, as after a typing error, and says what to do."""
    monkeypatch.chdir(tmp_path)
    none = tmp_path / "typo.db"
    env = {"SEALEDMOVE_MASTER": MASTER.hex(), "DATABASE_URL": f"sqlite:///{none}", "LOG_LEVEL": "ERROR"}
    done = CliRunner().invoke(main, words.split(), env=env)
    assert done.exit_code == 1
    said = str(done.output) + str(done.exception)
    assert f"{none}: No such file or directory" in said
    assert "orrect DATABASE_URL" in said
    assert not none.exists()
    assert CliRunner().invoke(main, ["migrate"], env=env).exit_code == 0
    assert none.exists()


@pytest.mark.parametrize("words", ["stopped", GRANT, "welcome"])
def test_with_make_run_the_message_names_the_existing_master_secret(words: str, tmp_path: Path):
    """A new one would not fit its games."""
    made = tmp_path / "master.key"
    hidden = str(tmp_path / ("x" * 300))  # a look at it raises, as for a user who may not look into the folder
    done = CliRunner().invoke(main, words.split(), env={"SEALEDMOVE_MASTER": "", "DATA_DIR": hidden})
    assert f"`make run` keeps one in {hidden}/master.key" in str(done.exception)
    for there, says in ((False, "Make one with"), (True, f"SEALEDMOVE_MASTER=$(cat {made})")):
        made.write_text(MASTER.hex(), "ascii") if there else None
        done = CliRunner().invoke(main, words.split(), env={"SEALEDMOVE_MASTER": "", "DATA_DIR": str(tmp_path)})
        assert isinstance(done.exception, SystemExit)
        assert says in str(done.exception.code)
