"""The server of the workers' tests, on SQLite."""

from pathlib import Path

import pytest

from tests.workers.conftest import house, sink

__all__ = ["house", "sink"]


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'house.db'}"
