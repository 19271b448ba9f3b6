"""What deploy/compose.yaml asks of the image of PostgreSQL, without containers: its health and its second role."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import psycopg
import pytest
import yaml

from server.kernel.db import migrate as db_migrate
from server.kernel.db.session import Database
from tests.servers import postgres

pytestmark = [pytest.mark.slow, pytest.mark.postgresql]
DEPLOY = Path(__file__).parents[2] / "deploy"
SERVICES = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]


@pytest.mark.parametrize(("settings", "is_healthy"), [(["listen_addresses="], False), ([], True)])
def test_the_database_is_healthy_once_it_answers_over_the_network(settings, is_healthy):
    """While the image makes the database, a server answers on its socket alone: `migrate` would not reach it."""
    program, *words = SERVICES["db"]["healthcheck"]["test"][1:]
    with postgres.made() as cluster:
        cluster.start([*postgres.SETTINGS, *settings])
        environ = os.environ | {"PGHOST": str(cluster.folder), "PGPORT": str(cluster.port)}
        found = subprocess.run([cluster.programs / program, *words], env=environ, check=False)
        cluster.stop()
    assert (found.returncode == 0) == is_healthy


def test_the_processes_run_with_a_role_that_cannot_change_entries():
    """It exists before `migrate`, which runs as the owner and gives it its rights."""
    *_, runs_as = SERVICES["migrate"]["command"]
    assert f"//{runs_as}:" in SERVICES["web"]["environment"]["DATABASE_URL"]
    assert f"//{SERVICES['db']['environment']['POSTGRES_USER']}:" in SERVICES["migrate"]["environment"]["DATABASE_URL"]
    with postgres.made() as cluster:
        cluster.start(postgres.SETTINGS)
        url = cluster.url.replace("+psycopg", "")
        environ = os.environ | {"POSTGRES_RUN_PASSWORD": "it's"}
        words = ["-v", "ON_ERROR_STOP=1", "--no-psqlrc", "-d", url, "-f", DEPLOY / "roles.sql"]
        subprocess.run([cluster.programs / "psql", *words], env=environ, check=True)
        database = Database(cluster.url)
        db_migrate.migrate(database, runs_as)
        database.dispose()
        with psycopg.connect(url.replace("//sealedmove@", f"//{runs_as}@"), autocommit=True) as connection:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("DELETE FROM entry")
            connection.execute("DELETE FROM outbox")
        cluster.stop()
