"""Two releases side by side: real programs of this one and of a next one, made for the test, on one database.

The next release adds a column and fills it, and no longer uses another one; the release after that removes the other.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from server.evidence import audit
from tests.databases import BOTH
from tests.kit import installed
from tests.kit.patience import PATIENCE
from tests.server.harness import Harness, Player
from tests.server.test_processes import gunicorn
from tests.servers import patient

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]
MIGRATION = """
import sqlalchemy as sa
from alembic import op
from server.kernel.db.migrate import contract

revision, down_revision, branch_labels, depends_on = "{number}", "{before}", None, None


def upgrade():
    {does}
"""
ADDS = 'op.add_column("game", sa.Column("tempo", sa.Integer(), nullable=False, server_default="1"))'
REMOVES = 'op.drop_column("inbound_mail", "body_hashes"); contract("9998")'
RULES = "    rules: Mapped[int]\n"
EDITED = {
    "models/games.py": (RULES, f"{RULES}    tempo: Mapped[int] = mapped_column(default=2)\n"),
    "models/mail.py": ("    body_hashes: Mapped[bytes | None]\n", ""),
    "schema.py": ('OLDEST = "', 'OLDEST = "9998"  # "'),
}


class Release:
    """The server of a release: a copy with migrations of its own; everything else is this checkout's."""

    def __init__(self, folder: Path, migrations: dict[str, str]) -> None:
        self.folder = folder
        db = shutil.copytree(ROOT / "server", folder / "server") / "kernel/db"
        for name, (old, new) in EDITED.items():
            text = (db / name).read_text("utf-8")
            assert text.count(old) == 1, f"{name} has changed: choose other words to edit"
            (db / name).write_text(text.replace(old, new), "utf-8")
        before = max(path.name[:4] for path in (db / "migrations/versions").glob("0*.py"))
        for number, does in migrations.items():
            text = MIGRATION.format(number=number, before=before, does=does)
            (db / f"migrations/versions/{number}_next.py").write_text(text, "utf-8")
            before = number
        self._name_newest(db / "schema.py", before)

    @staticmethod
    def _name_newest(schema: Path, newest: str) -> None:
        """Migrations of the test begin with a 9, which the real ones never reach."""
        text = schema.read_text("utf-8")
        schema.write_text(f'{text}\nNEWEST = "{newest}"\n', "utf-8")

    @property
    def variables(self) -> dict[str, str]:
        """Its folder comes before this checkout, for Python and for gunicorn."""
        return {
            "PYTHONPATH": f"{self.folder}:{installed.FOLDER}",
            "PYTHONSAFEPATH": "1",
            "GUNICORN_CMD_ARGS": f"--chdir {self.folder}",
        }

    def migrate(self, url: str) -> None:
        environment = {**os.environ, **self.variables, "DATABASE_URL": url}
        command = [sys.executable, "-c", "from sealedmove import main; main()", "migrate"]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


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
    following = Release(tmp_path / "next", {"9998": ADDS})
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
            Release(tmp_path / "last", {"9998": ADDS, "9999": REMOVES}).migrate(url)
            answers = {server: patient.get(f"{server}/readyz") for server in (old, new)}
            assert [answer.status_code for answer in answers.values()] == [503, 200]
            assert "start the version that migrated" in answers[old].text
            table.turn(new)
    assert table.turns == 12
    verdicts = {audit.judged(hall.services, one.game)[1].verdict for one in (table, other)}
    assert verdicts <= {"open", "holds"}
