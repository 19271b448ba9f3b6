"""The server's keys: a number in the settings, one document, and games that keep the key they began with."""

import html
import os
import re
import subprocess
import sys

import pytest
import sqlalchemy as sa

from engine.record.audit import audit
from engine.record.encoding import canonical
from engine.record.log.entry import read_entry
from engine.record.signed import keys, note, server_keys
from server.kernel import config, secrets
from server.kernel.config import ConfigError
from server.kernel.db.models import Game
from tests.kit.patience import PATIENCE
from tests.server.harness import HOST, MASTER, Harness, Player
from tests.server.test_processes import gunicorn
from tests.servers import patient

WELL_KNOWN = "/.well-known/sealedmove.json"


def numbered(hall: Harness, open_house, number: int, **chosen) -> Harness:
    """A process over the same database with another key number."""
    return open_house(hall.services.settings.database_url, key_number=number, **chosen)


def key_in(hall: Harness, game: str) -> bytes:
    """The server's key as entry 0 has it."""
    line = hall.client.get(f"/v1/games/{game}/log").get_json()["entries"][0]
    return canonical.from_base64url(read_entry(line.encode()).body["server_key"], 32)


def shown(hall: Harness) -> server_keys.ServerKeys:
    return server_keys.read(hall.client.get(WELL_KNOWN).get_json())


def test_the_document_lists_every_key_signed_by_the_one_before(any_hall, open_house):
    """Unused ones too: a client knows the next key before a game uses it."""
    hall = numbered(any_hall, open_house, 3, contact="mailto:ops@games.example")
    body = hall.client.get(WELL_KNOWN).get_json()
    expected = tuple(secrets.server_key(MASTER, number) for number in (1, 2, 3))
    assert server_keys.read(body) == server_keys.ServerKeys(HOST, expected)
    assert [key["signed"] is None for key in body["keys"]] == [True, False, False]
    assert body["contact"] == "mailto:ops@games.example"
    assert body["spec"] == "sealedmove/1"
    assert server_keys.continues(shown(any_hall), shown(hall))


def test_a_key_shows_when_games_were_made_under_it(any_hall, open_house):
    """From the first game under it to the first under the next; null as long as there is none."""
    player = any_hall.player(0)
    new_game(any_hall, player)
    any_hall.clock.forward(days=2)
    second_key = numbered(any_hall, open_house, 2)
    second_key.clock.at = any_hall.clock.at
    new_game(second_key, player)
    listed = numbered(any_hall, open_house, 3).client.get(WELL_KNOWN).get_json()["keys"]
    spans = [(key["from"], key["until"]) for key in listed]
    first, second = "2026-11-21T10:00:00Z", "2026-11-23T10:00:00Z"
    assert spans == [(first, second), (second, None), (None, None)]


def new_game(hall: Harness, player: Player) -> str:
    made = hall.client.post("/v1/games", json={"type": "pig", "seats": 2}, headers=player.auth)
    assert made.status_code == 201
    return str(made.get_json()["id"])


@pytest.mark.slow
def test_a_new_key_is_for_new_games_and_running_ones_keep_theirs(any_hall: Harness, open_house):
    """In entry 0, every checkpoint and the audit of both; the old game is played on under the new number."""
    players = [any_hall.player(number) for number in range(2)]
    old = any_hall.game("pig", players)
    later = numbered(any_hall, open_house, 2)
    for player in players:
        player.harness = later
    new = later.game("pig", players)
    assert (key_in(later, old), key_in(later, new)) == tuple(secrets.server_key(MASTER, n) for n in (1, 2))
    later.play_out(old, players)
    later.play_out(new, players)
    for game, number in ((old, 1), (new, 2)):
        bundle = later.client.get(f"/v1/games/{game}/bundle").get_data()
        assert audit(bundle, server=shown(later)).verdict == "holds"
        for told in notes_of(later, game):
            note.verify(note.read(told), secrets.server_key(MASTER, number))


def notes_of(hall: Harness, game: str) -> list[str]:
    """Every place that shows a checkpoint of the game."""
    detail, log = (hall.client.get(f"/v1/games/{game}{path}").get_json()["note"] for path in ("", "/log"))
    page = re.sub("<[^>]*>", "\n", hall.client.get(f"/games/{game}").get_data(as_text=True))
    return [detail, log, note.find(html.unescape(page))[0]]


def test_a_game_of_a_key_that_the_document_lacks_fails_the_audit(hall: Harness, two: list[Player], open_house):
    """The document from before the change does not list the new game's key."""
    before = shown(hall)
    later = numbered(hall, open_house, 2)
    game = new_game(later, two[0])
    report = audit(later.client.get(f"/v1/games/{game}/bundle").get_data(), server=before)
    assert report.checks["note"].ok is False


def test_every_key_of_the_server_is_a_valid_point(hall: Harness):
    """By section 5.1 for the key of any number; an invalid key is refused in entry 0."""
    for number in (*range(1, 20), server_keys.MOST_KEYS):
        keys.check_point(secrets.server_key(MASTER, number))
    assert len({secrets.server_seed(MASTER, number) for number in range(1, 200)}) == 199


def test_the_document_is_cached_for_some_minutes_and_has_a_tag(hall: Harness, two: list[Player]):
    """A first game under a key changes the tag."""
    first = hall.client.get(WELL_KNOWN)
    assert first.headers["Cache-Control"].startswith("public, max-age=")
    assert first.headers["Vary"] == "Accept-Encoding"
    have = {"If-None-Match": first.headers["ETag"]}
    again = hall.client.get(WELL_KNOWN, headers=have)
    assert (again.status_code, again.get_data()) == (304, b"")
    new_game(hall, two[0])
    assert hall.client.get(WELL_KNOWN, headers=have).status_code == 200


def test_a_wrong_method_at_the_document_is_a_problem_document(hall: Harness):
    """The address is not a page."""
    answer = hall.client.post(WELL_KNOWN)
    assert (answer.status_code, answer.mimetype) == (405, "application/problem+json")


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "two", "1025", "99999", "٣"])
def test_an_invalid_key_number_is_refused(text: str):
    """With the variable's name, as for every setting."""
    with pytest.raises(ConfigError, match="SEALEDMOVE_KEY_NUMBER"):
        config.settings({"SEALEDMOVE_MASTER": "ab" * 32, "SEALEDMOVE_KEY_NUMBER": text})


# --- a number that went down ------------------------------------------------------------------------------------------

SENTENCE = "SEALEDMOVE_KEY_NUMBER is 1, but games of this server are signed with key 2: set it to 2 or higher"


def environment(hall: Harness, number: int, master: bytes = MASTER) -> dict[str, str]:
    return {
        **os.environ,
        "SEALEDMOVE_MASTER": master.hex(),
        "DATABASE_URL": hall.services.settings.database_url,
        "PUBLIC_URL": f"https://{HOST}",
        "PORT": "0",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "SEALEDMOVE_KEY_NUMBER": str(number),
    }


PROCESSES = pytest.mark.parametrize(
    "command",
    [
        ["-m", "gunicorn", "--config", "python:server.operate.gunicorn", "server.http.app:create_app()"],
        ["-m", "sealedmove", "worker", "--burst"],
        ["-m", "sealedmove", "clock"],
        ["-m", "sealedmove", "inbound"],
    ],
    ids=["web", "worker", "clock", "inbound"],
)


@pytest.mark.slow
@PROCESSES
def test_no_process_starts_with_a_number_below_one_in_use(any_hall: Harness, open_house, command):
    new_game(numbered(any_hall, open_house, 2), any_hall.player(0))
    refuses_to_start(command, environment(any_hall, 1), SENTENCE)


@pytest.mark.slow
@PROCESSES
def test_no_process_starts_with_another_master(any_hall: Harness, command):
    new_game(any_hall, any_hall.player(0))
    refuses_to_start(
        command, environment(any_hall, 1, bytes(32)), "SEALEDMOVE_MASTER is not the master of this database"
    )


def refuses_to_start(command: list[str], settings: dict[str, str], sentence: str) -> None:
    """One sentence on stderr that says what to set, an exit code, and no traceback."""
    ended = subprocess.run(
        [sys.executable, *command],
        env=settings,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode != 0
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_server_started_with_a_number_below_one_in_use_is_not_ready(any_hall: Harness, open_house):
    """The database may have been down at the start."""
    new_game(numbered(any_hall, open_house, 2), any_hall.player(0))
    answer = any_hall.client.get("/readyz")
    assert (answer.status_code, SENTENCE in answer.get_data(as_text=True)) == (503, True)


@pytest.mark.slow
def test_a_server_with_the_number_in_use_starts(any_hall: Harness, open_house, monkeypatch):
    """Real web processes, which sign each game with its own key."""
    player = any_hall.player(0)
    games = [new_game(any_hall, player), new_game(numbered(any_hall, open_house, 2), player)]
    monkeypatch.setenv("SEALEDMOVE_KEY_NUMBER", "2")

    with gunicorn(any_hall.services.settings.database_url) as web:
        for game, number in zip(games, (1, 2), strict=True):
            told = patient.get(f"{web}/v1/games/{game}").json()["note"]
            note.verify(note.read(told), secrets.server_key(MASTER, number))
        assert len(patient.get(f"{web}{WELL_KNOWN}").json()["keys"]) == 2
    with any_hall.services.database.read() as session:
        assert sorted(session.scalars(sa.select(Game.key_number))) == [1, 2]
