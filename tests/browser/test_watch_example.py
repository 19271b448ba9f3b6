"""`examples/watch.html` on a server of another origin: it shows a game, and follows it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.kit.patience import PATIENCE

EXAMPLES = Path(__file__).parents[2] / "examples"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The address of the page, on another server; of threads, since a browser opens connections that it may not use."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=EXAMPLES))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/watch.html"
    server.shutdown()
    thread.join(PATIENCE)
    server.server_close()


def test_the_example_shows_a_game_and_follows_it(site, visit, seated, elsewhere):
    """The players, whose turn it is, and the board; after a move, those of the new position."""
    ann, _ = seated("pig")
    page = visit()
    page.goto(f"{elsewhere}?site={site.url}&game={ann.game}")
    expect(page.get_by_role("status")).to_have_text("Waiting for Ann.")
    expect(page.get_by_role("listitem")).to_have_text(["Ann", "Ben"])
    board = page.get_by_role("img", name="The board after entry")
    before = board.get_attribute("alt")
    assert board.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    ann.do("move", [{"do": "roll"}])
    expect(board).not_to_have_attribute("alt", before)


def test_an_unknown_game_is_named_as_the_server_does(site, visit, elsewhere):
    """And nothing else is shown."""
    page = visit()
    page.goto(f"{elsewhere}?site={site.url}&game=00000000-0000-4000-8000-000000000000")
    expect(page.get_by_role("status")).to_have_text("There is no game with this ID.")
    expect(page.get_by_role("listitem")).to_have_count(0)


def test_the_example_is_short():
    """So that a newcomer can read it at once."""
    assert len((EXAMPLES / "watch.html").read_text("utf-8").splitlines()) <= 80
