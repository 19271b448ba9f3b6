"""A folder of games, and the folder of the person who audits it."""

import pytest

from tests.kit.play_record import Record


@pytest.fixture(scope="module")
def bundles():
    """Six games, each with another hash."""
    return [Record("pig", seed=seed).play(3).bundle() for seed in range(6)]


@pytest.fixture
def folder(tmp_path, bundles):
    folder = tmp_path / "archive"
    for number, data in enumerate(bundles):
        (folder / "2026").mkdir(parents=True, exist_ok=True)
        (folder / "2026" / f"{number}.txt").write_bytes(data)
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The person's own folder."""
    monkeypatch.setenv("SEALEDMOVE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"
