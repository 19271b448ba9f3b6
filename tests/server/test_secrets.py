"""No secret leaves: a hidden game is played with every logger at DEBUG, and all that was emitted is searched."""

import json
import logging

import pytest
import sqlalchemy as sa

from engine.record.compose.entries import seal_salt
from engine.record.encoding import canonical
from server.kernel import config, logs, secrets
from server.kernel.config import ConfigError
from server.kernel.db.models import ApiToken, EntryPrivate, Game, LoginLink
from tests.databases import BOTH
from tests.kit.absent import mentions, not_told
from tests.server.harness import MASTER, Harness, sqlite_url
from tests.servers.redis import held


@pytest.fixture
def loud(capfd):
    """Every logger that there is or will be says all it can."""
    before = {name: logging.getLogger(name).level for name in list(logging.root.manager.loggerDict)}
    level = logging.root.level
    yield
    for name, old in before.items():
        logging.getLogger(name).setLevel(old)
    logging.root.setLevel(level)


def all_at_debug() -> None:
    logging.root.setLevel(logging.DEBUG)
    for name in list(logging.root.manager.loggerDict):
        logging.getLogger(name).setLevel(logging.DEBUG)


@pytest.mark.slow
@pytest.mark.parametrize("back_end", BOTH)
def test_a_hidden_game_played_aloud_tells_no_secret(
    back_end, tmp_path, open_house, request, redis_url, loud, capfd, caplog
):
    all_at_debug()
    caplog.set_level(logging.DEBUG)
    url = sqlite_url(tmp_path) if back_end == "sqlite" else request.getfixturevalue("postgres_url")
    hall = open_house(url, log_level="DEBUG", redis_url=redis_url)
    all_at_debug()
    players = [hall.player(number) for number in range(2)]
    game = hall.game("bids", players, options={"lots": 2})
    login = hall.link("player0@example.org")
    hall.client.get(f"/login/{login}")
    answers = []
    for turn in range(2):
        answers.append(players[turn].move(game, [{"do": "bid", "amount": 3}]).get_data(as_text=True))
        answers.append(players[turn].move(game, [{"do": "bid", "amount": 99}]).get_data(as_text=True))
        for path in ("", "/log", "/view", "/openings", "/bundle"):
            players[turn].get(f"/games/{game}{path}")
            answers.append(hall.client.get(f"/v1/games/{game}{path}").get_data(as_text=True))
    out, err = capfd.readouterr()
    told = out + err + caplog.text + "".join(map(repr, caplog.records))
    assert "request" in told
    jobs = held(hall.services.waker.redis)
    assert "workers." in jobs
    for secret in secrets_of(hall, game, login, players):
        not_told(secret, told, "".join(answers), jobs)


def secrets_of(hall: Harness, game: str, login: str, players) -> list[str]:
    with hall.services.database.read() as session:
        row = session.get(Game, game)
        openings = [json.loads(text) for text in session.scalars(sa.select(EntryPrivate.opening))]
        hashes = list(session.scalars(sa.select(ApiToken.hash)))
        assert session.scalar(sa.select(sa.func.count()).select_from(LoginLink))
    secret = secrets.game_secret(MASTER, row.secret_r)
    salts = [seal_salt(secret, opening["seq"], seat) for opening in openings for seat in range(3)]
    raw = [MASTER, secret, row.secret_r, *salts, *hashes, secrets.server_seed(MASTER, 1), *(p.seed for p in players)]
    moves = [opening["move"] for opening in openings if opening["move"]]
    assert moves
    texts = [*(player.token for player in players), login, *moves, *(m.replace('"', '\\"') for m in moves)]
    return [*texts, *(form for data in raw for form in (data.hex(), canonical.to_base64url(data), repr(data)[2:-1]))]


def test_an_unforeseen_fault_is_told_to_the_operator_without_its_message(hall: Harness, monkeypatch, capfd):
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # the process's own wrote to the stderr of an earlier test
    logs.configure("INFO")

    def fail(*_):
        raise RuntimeError("the card is a lion")

    monkeypatch.setattr("server.tables.api.lists.games", fail)
    answer = hall.client.get("/v1/games")
    _, err = capfd.readouterr()
    assert answer.get_json()["code"] == "internal-error"
    assert "RuntimeError" in err
    assert mentions("lion", answer.get_data(as_text=True) + err) == 0


@pytest.mark.parametrize("master", ["", "00", "g" * 64, "A" * 64])
def test_the_server_does_not_start_without_its_master(master: str):
    with pytest.raises(ConfigError, match="SEALEDMOVE_MASTER"):
        config.settings({"SEALEDMOVE_MASTER": master})


def test_settings_print_no_secret():
    made = config.settings({"SEALEDMOVE_MASTER": "ab" * 32, "DATABASE_URL": "postgresql://u:pass@h/d"})
    assert "ab" * 4 not in repr(made)
    assert "\\xab" not in repr(made)
    assert "pass" not in repr(made)
