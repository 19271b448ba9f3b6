"""A house whose mails can be answered, on SQLite; the law of killed processes runs on both databases elsewhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.harness import Sink
from tests.workers.replies.post import Post


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    sink = Sink()
    house = Post(f"sqlite:///{tmp_path / 'house.db'}", sink)
    yield house
    house.close()
    sink.stop()
