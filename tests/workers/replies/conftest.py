"""A server whose mails can be answered, on SQLite; other tests kill processes on both databases."""

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


@pytest.fixture
def game(post: Post) -> str:
    """Both players have a mail to answer."""
    made = post.game("bids")
    post.react()
    return made
