"""What deploy/compose.yaml asks of the image of PostgreSQL, without containers: when it is healthy."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import yaml

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
