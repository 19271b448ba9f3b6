"""What each page asks for ahead of its scripts: all that they import, and nothing else."""

import re
from urllib.parse import urljoin

import pytest

from tests.server.harness import Client, Harness, Player

PRELOAD = re.compile(r'<link rel="modulepreload" href="(/static/[^"]+)">')
SCRIPT = re.compile(r'<script src="(/static/[^"]+)" type="module"></script>')
# Each form of a static import that prettier leaves, read line by line: the last line of one ends with its source.
SOURCE = re.compile(r'^(?:import|export|\}).*"(\.[^"]+)";$')
SIGNED_IN = ["/", "/tables", "/tables/new", "/account", "/account/token", "/v1/docs", "/play/tikal", "/login"]
ANYBODY = ["/", "/tables", "/login", "/v1/docs", "/nowhere"]


@pytest.fixture
def ada(hall: Harness) -> Client:
    browser = hall.browser()
    browser.sign_in(hall, "ada@example.org", "Ada")
    return browser


def imported(client: Client, address: str) -> set[str]:
    """What a script imports, and what those import, by the addresses under which this server gives them."""
    found, left = set(), [address]
    while left:
        address = left.pop()
        with client.get(address) as answer:
            assert answer.status_code == 200, address
            lines = answer.get_data(as_text=True).splitlines()
        sources = {urljoin(address, match[1]) for match in map(SOURCE.match, lines) if match}
        left += sources - found
        found |= sources
    return found


def check(client: Client, path: str) -> int:
    """How many scripts the page names."""
    page = client.get(path).get_data(as_text=True)
    preloads, entries = PRELOAD.findall(page), SCRIPT.findall(page)
    assert entries, path
    assert len(preloads) == len(set(preloads)), path
    assert set(preloads) == set().union(*(imported(client, entry) for entry in entries)), path
    return len(preloads) + len(entries)


def test_each_page_preloads_exactly_what_its_scripts_import(hall: Harness, ada: Client, two: list[Player]):
    """Of a stranger, of somebody signed in, and of a game: each file once, however many scripts import it."""
    counts = {path: check(ada, path) for path in SIGNED_IN} | {path: check(hall.client, path) for path in ANYBODY}
    game = check(hall.client, f"/games/{hall.game('tikal', two)}")
    assert 1 < counts["/nowhere"] < counts["/tables/new"] < game


def test_a_preload_is_kept_for_good_and_held_by_the_policy(hall: Harness, two: list[Player]):
    """It has the address of these very files, at this server alone."""
    with hall.client.get(f"/games/{hall.game('pig', two)}") as page:
        assert "script-src 'self'" in page.headers["Content-Security-Policy"]
        [first, *_] = PRELOAD.findall(page.get_data(as_text=True))
    with hall.client.get(first) as script:
        assert (script.mimetype, "immutable" in script.headers["Cache-Control"]) == ("text/javascript", True)
