"""Two releases side by side: real programs of this one and of a next one, made for the test, on one database.

The next release adds a column and fills it, and no longer uses another one; the release after that removes the other.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from server.evidence import audit
from tests.databases import BOTH
from tests.kit.patience import PATIENCE
from tests.kit.releases import Edit, Growth, Release
from tests.server.harness import Harness, Player
from tests.server.test_processes import gunicorn
from tests.servers import patient

pytestmark = pytest.mark.slow
TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]
GROWTH = Growth({"game": "games.py"})
REMOVES = 'op.drop_column("inbound_mail", "body_hashes"); contract("9998")'
EDITS = (
    *GROWTH.edits,
    Edit("models/mail.py", "    body_hashes: Mapped[bytes | None]\n", ""),
    Edit("schema.py", 'OLDEST = "', 'OLDEST = "9998"  # "'),
)


class Table:
    """A running game, whose players send each turn to any server."""

    def __init__(self, hall: Harness, players: list[Player]) -> None:
        self.hall, self.players = hall, players
        self.game = hall.game("pig", players, options={"goal": 100})
        self.turns = 0

    def turn(self, url: str) -> None:
        act = self.players[self.turns % 2].signed_move(self.game, TURN)
        answer = patient.post(f"{url}/v1/games/{self.game}/moves", json=act)
        assert answer.status_code == 201, answer.text
        self.turns += 1


@contextmanager
def playing(table: Table, url: str) -> Iterator[None]:
    """Turns go on in a thread meanwhile, for as long as nobody can have won."""
    stop, failed = threading.Event(), []

    def play() -> None:
        try:
            while table.turns < 15 and not stop.is_set():
                table.turn(url)
        except Exception as fault:  # noqa: BLE001 - raised below
            failed.append(fault)

    thread = threading.Thread(target=play)
    thread.start()
    yield
    stop.set()
    thread.join(PATIENCE)
    assert not failed, failed


def opens_a_game(url: str, player: Player) -> str:
    answer = patient.post(f"{url}/v1/games", json={"type": "pig", "seats": 2}, headers=player.auth)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


@pytest.mark.parametrize("back_end", BOTH)
def test_two_releases_play_side_by_side_on_one_database(back_end, tmp_path: Path, request, open_house):
    """The schema grows under the old release, and may shrink once only the new one runs."""
    postgres = back_end == "postgresql"
    url = request.getfixturevalue("postgres_url") if postgres else f"sqlite:///{tmp_path / 'sealedmove.db'}"
    hall: Harness = open_house(url)
    hall.clock.to_now()
    two = [hall.player(number) for number in range(2)]
    table, other = Table(hall, two), Table(hall, two)
    following = Release(tmp_path / "next", {"9998": GROWTH.migration}, EDITS)
    one_process = {"WEB_WORKERS": "1"}
    with gunicorn(url, **one_process) as old:
        for _ in range(6):  # statements are prepared by now
            table.turn(old)
        with playing(other, old):
            following.migrate(url)
        with gunicorn(url, **one_process, **following.variables) as new:
            for server in (old, new, new, old, new):
                assert patient.get(f"{server}/readyz").status_code == 200
                table.turn(server)
            made = [opens_a_game(server, two[0]) for server in (old, new)]
            with hall.services.database.read() as session:
                tempo = dict(session.execute(sa.text("SELECT id, tempo FROM game")).all())
            assert [tempo[game] for game in made] == [1, 2]
            Release(tmp_path / "last", {"9998": GROWTH.migration, "9999": REMOVES}, EDITS).migrate(url)
            answers = {server: patient.get(f"{server}/readyz") for server in (old, new)}
            assert [answer.status_code for answer in answers.values()] == [503, 200]
            assert "start the version that migrated" in answers[old].text
            table.turn(new)
    assert table.turns == 12
    verdicts = {audit.judged(hall.services, one.game)[1].verdict for one in (table, other)}
    assert verdicts <= {"open", "holds"}
