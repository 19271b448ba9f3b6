"""The next release, made for a test: migrations of its own, and models that go with them.

In each table that grows, `tempo` is 1 in a row of the release before, and 2 in one of the next.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.kit import installed

ROOT = Path(__file__).parents[2]
MIGRATION = """
import sqlalchemy as sa
from alembic import op
from server.kernel.db.migrate import contract

revision, down_revision, branch_labels, depends_on = "{number}", "{before}", None, None


def upgrade():
    {does}
"""
ADDS = 'op.add_column("{table}", sa.Column("tempo", sa.Integer(), nullable=False, server_default="1"))'
NAMED = '    __tablename__ = "{table}"\n'
TEMPO = "    tempo: Mapped[int] = mapped_column(default=2)\n"


class Edit(NamedTuple):
    """Other words in a file of `server/kernel/db`."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Growth:
    """Tables that get a column, each with the file of its model."""

    files: Mapping[str, str]

    @property
    def migration(self) -> str:
        return "; ".join(ADDS.format(table=table) for table in self.files)

    @property
    def edits(self) -> list[Edit]:
        named = {table: NAMED.format(table=table) for table in self.files}
        return [Edit(f"models/{file}", named[table], named[table] + TEMPO) for table, file in self.files.items()]


class Release:
    """The server of a release: a copy with these migrations and edits; everything else is this checkout's."""

    def __init__(self, folder: Path, migrations: Mapping[str, str], edits: Sequence[Edit]) -> None:
        self.folder = folder
        db = shutil.copytree(ROOT / "server", folder / "server") / "kernel/db"
        for file, old, new in edits:
            text = (db / file).read_text("utf-8")
            assert text.count(old) == 1, f"{file} has changed: choose other words to edit"
            (db / file).write_text(text.replace(old, new), "utf-8")
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
        """Its folder comes before this checkout, for Python and for gunicorn.

        Gunicorn puts the current folder first unless it is on the path.
        """
        return {
            "PYTHONPATH": f"{self.folder}:{installed.FOLDER}:{ROOT}",
            "PYTHONSAFEPATH": "1",
            "GUNICORN_CMD_ARGS": f"--chdir {self.folder}",
        }

    def migrate(self, url: str) -> None:
        environment = {**os.environ, **self.variables, "DATABASE_URL": url}
        command = [sys.executable, "-c", "from sealedmove import main; main()", "migrate"]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
