"""An older database restored under running clients: real web processes are restarted, and no move is lost."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.record.audit import audit
from engine.record.encoding import canonical
from engine.record.signed.server_keys import read
from tests.databases import BOTH
from tests.kit.patience import PATIENCE
from tests.server.harness import Harness, sqlite_url
from tests.server.lost import CLOCK, Backup, Lost
from tests.server.test_processes import gunicorn


class Wire:
    """The test client's interface over real HTTP."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=PATIENCE)

    def get(self, path: str, **given: Any) -> "Answer":
        return Answer(self.http.get(path, **given))

    def post(self, path: str, **given: Any) -> "Answer":
        return Answer(self.http.post(path, **given))


class Answer:
    def __init__(self, answer: httpx.Response) -> None:
        self.status_code, self.headers, self._answer = answer.status_code, answer.headers, answer

    def get_json(self) -> Any:
        return self._answer.json()

    def get_data(self, as_text: bool = False) -> Any:
        return self._answer.text if as_text else self._answer.content


@contextmanager
def running(hall: Harness) -> Iterator[None]:
    """The web server of this harness, which its players use."""
    with gunicorn(hall.services.settings.database_url) as web:
        wire = Wire(web)
        hall.client = wire
        with wire.http:
            yield


@pytest.fixture(params=BOTH)
def hall(request: pytest.FixtureRequest, tmp_path: Path, open_house) -> Harness:
    postgres = request.param == "postgresql"
    return open_house(request.getfixturevalue("postgres_url") if postgres else sqlite_url(tmp_path))


def ahead(game: Lost) -> dict[str, str]:
    """A move signed on the head and not yet sent when the server stops."""
    mover = next(player for player in game.players if player.seat in game.detail()["active"])
    return mover.signed_move(game.game, [mover.legal(game.game)[0]])


def signed(lines: list[str]) -> list[str]:
    """The acts that players have signed in these lines, in order."""
    return [entry["jws"] for entry in map(json.loads, lines) if entry.get("jws")]


@pytest.mark.slow
def test_restoring_an_older_database_loses_no_move(hall: Harness, tmp_path: Path):
    """An open and a hidden game: one checkpoint of each is shown, players submit entries, play on, and audit."""
    hall.clock.to_now()
    with running(hall):
        players = [hall.player(number) for number in range(2)]
        games = [
            Lost(hall, players, hall.game("pig", players, clock=CLOCK)),
            Lost(hall, players, hall.game("bids", players, options={"lots": 6})),
        ]
        for game in games:
            game.play(3)
            game.size = len(game.now())
        backup = Backup(hall, tmp_path)
        for game in games:
            game.play(5)
            game.remember()
        unsent = [ahead(game) for game in games]
    backup.restore()
    with running(hall):
        for game, body in zip(games, unsent, strict=True):
            assert len(game.now()) == game.size
            moves = f"/v1/games/{game.game}/moves"
            assert hall.client.post(moves, json=body).get_json()["code"] == "unknown-head"
            assert game.compare().get_json()["relation"] == "newer"
            assert hall.client.post(moves, json=body).get_json()["code"] == "lines-missing"
        assert games[0].hand_in().get_json()["stopped"] is False
        hand_in_by_turns(games[1])
        for game, body in zip(games, unsent, strict=True):
            assert game.now()[: len(game.lines)] == game.lines
            assert hall.client.post(f"/v1/games/{game.game}/moves", json=body).status_code == 201
            game.play(400)
            finished(hall, game, body["jws"])


def hand_in_by_turns(game: Lost) -> None:
    """Each of two players has the entries and their own texts; the first learns that one is missing."""
    mover = canonical.loads(game.lines[game.size].encode())["seat"]
    first = game.hand_in(by=(mover,)).get_json()
    assert (first["stopped"], first["lacks"] is not None) == (True, True)
    second = game.hand_in(by=(1 - mover,)).get_json()
    assert (second["stopped"], second["lacks"]) == (False, None)


def finished(hall: Harness, game: Lost, unsent: str) -> None:
    """The game is over, holds all signed moves, and passes the audit against the checkpoint from before the loss."""
    assert game.detail()["status"] == "finished"
    assert signed(game.now())[: len(signed(game.lines)) + 1] == [*signed(game.lines), unsent]
    known = read(hall.client.get("/.well-known/sealedmove.json").get_json())
    report = audit(hall.client.get(f"/v1/games/{game.game}/bundle").get_data(), server=known, note=game.note)
    assert report.verdict == "holds", report.text()
