"""The preloads of each page: all files that its scripts import, and no others."""

import re
from urllib.parse import urljoin

import pytest

from server.http import page, scripts
from tests.server.harness import Client, Harness, Player

PRELOAD = re.compile(r'<link rel="modulepreload" href="(/static/[^"]+)">')
SCRIPT = re.compile(r'<script src="(/static/[^"]+)" type="module"></script>')
# Each form of a static import after prettier, line by line: the last line of an import ends with its source.
SOURCE = re.compile(r'^(?:import|export|\}).*"(\.[^"]+)";$')
SIGNED_IN = ["/", "/tables", "/tables/new", "/account", "/device", "/v1/docs", "/play/tikal", "/login"]
ANYBODY = ["/", "/tables", "/login", "/v1/docs", "/nowhere"]


@pytest.fixture
def ada(hall: Harness) -> Client:
    browser = hall.browser()
    browser.sign_in(hall, "ada@example.org", "Ada")
    return browser


def imported(client: Client, address: str) -> set[str]:
    """The files that a script imports, directly or not, by the addresses under which this server serves them."""
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
    """Check a page; returns the number of its scripts."""
    page = client.get(path).get_data(as_text=True)
    preloads, entries = PRELOAD.findall(page), SCRIPT.findall(page)
    assert entries, path
    assert len(preloads) == len(set(preloads)), path
    assert set(preloads) == set().union(*(imported(client, entry) for entry in entries)), path
    return len(preloads) + len(entries)


def test_each_page_preloads_exactly_what_its_scripts_import(hall: Harness, ada: Client, two: list[Player]):
    """Signed out, signed in, and on a game's page: each file once, however many scripts import it."""
    counts = {path: check(ada, path) for path in SIGNED_IN} | {path: check(hall.client, path) for path in ANYBODY}
    game = check(hall.client, f"/games/{hall.game('tikal', two)}")
    assert 1 < counts["/nowhere"] < game < 16


def test_a_page_loads_bundles(hall: Harness):
    """Few files for all scripts of a page."""
    assert SCRIPT.findall(hall.client.get("/").get_data(as_text=True))[0].endswith("/bundle/every-page.js")


def test_changed_scripts_are_loaded_themselves(hall: Harness, monkeypatch: pytest.MonkeyPatch):
    """Bundles of other scripts do not count, so that a change takes effect without a build."""
    monkeypatch.setattr(page, "_loaded", page._loaded.__wrapped__)
    monkeypatch.setattr(scripts, "digest", lambda texts: "of changed scripts")
    assert SCRIPT.findall(hall.client.get("/").get_data(as_text=True))[0].endswith("/pages/every-page.js")
    assert check(hall.client, "/nowhere") > 1


def test_a_preload_is_cached_for_good_and_allowed_by_the_policy(hall: Harness, two: list[Player]):
    """Its address holds the version, and is on this server."""
    with hall.client.get(f"/games/{hall.game('pig', two)}") as page:
        assert "script-src 'self'" in page.headers["Content-Security-Policy"]
        [first, *_] = PRELOAD.findall(page.get_data(as_text=True))
    with hall.client.get(first) as script:
        assert (script.mimetype, "immutable" in script.headers["Cache-Control"]) == ("text/javascript", True)
