"""Checks of every page: axe finds nothing, every control has a name, nothing is wider than a small screen,
nothing comes from elsewhere.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import axe, hands
from tests.browser.heard import nameless, outline
from tests.browser.screenshots import PAGES, player_page

pytestmark = pytest.mark.slow

VISITS = {"first": (150_000, 20), "next": (30_000, 20)}  # bytes as they are sent, and answers: page, scripts, styles
PICTURE = re.compile(r"/picture|/seal")  # as large as its game needs; the icon of the tab is fetched at any time
GUIDES = ("/play/tikal",)
NAMED = "[...document.head.querySelectorAll('script[src], link[rel=modulepreload]')].map((one) => one.src || one.href)"
ALONE = ["banner", "main", "contentinfo"]  # once on each page, in this order


@pytest.fixture(scope="module")
def ada(site):
    return site.person("Ada")


def test_axe_finds_nothing_on_a_small_screen(site, visit, ada):
    """Signed in, on each page; and signed out where the page differs."""
    players = [player_page(person) for person in (ada, site.person("Ben"))]
    for person, paths in ((ada, [*PAGES.values(), *GUIDES, *players]), (None, ["/", "/tables", "/login", *players])):
        page = visit(person, width=360)
        for path in paths:
            page.goto(site.url + path)
            expect(page.locator("main h1").first).to_be_visible()
            assert axe.findings(page) == [], path
            assert nameless(page) == [], path
            assert [line for line in outline(page) if line in ALONE] == ALONE, path
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_every_requested_script_is_named_in_the_page(site, visit, ada, tmp_path):
    """In its head, as a script or a preload, and once: no import is found only after its importer has loaded."""
    game = hands.table(ada, "tikal", 2)
    for seat, person in enumerate((ada, site.person("Ben"))):
        hands.program(person, game, tmp_path).join(seat)
    for path in ("/", "/tables/new", "/account", f"/games/{game}"):
        page = visit(ada)
        asked = []
        page.on("request", lambda request, asked=asked: request.url.endswith(".js") and asked.append(request.url))
        page.goto(site.url + path, wait_until="load")
        assert sorted(asked) == sorted(page.evaluate(NAMED)), path


def test_a_long_name_makes_no_page_wider(site, visit, ada, tmp_path):
    """The longest possible one, without a space: at the table and in the log."""
    game = hands.table(ada, "pig", 2)
    for seat, person in enumerate((ada, site.person("W" * 40))):
        hands.program(person, game, tmp_path).join(seat)
    page = visit(width=360)
    page.goto(f"{site.url}/games/{game}")
    expect(page.locator("bdi", has_text="W" * 40).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_visits_of_the_turn_page_are_small(site, visit, ada, tmp_path):
    """All files, compressed, and all from this server; the next visit asks again for what may have changed alone."""
    game = hands.table(ada, "tikal", 2)
    for seat, person in enumerate((ada, site.person("Ben"))):
        hands.program(person, game, tmp_path).join(seat)
    page = visit(ada)
    sent, asked = {}, {}
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.requestWillBeSent", lambda said: asked.update({said["requestId"]: said["request"]["url"]}))
    network.on("Network.loadingFinished", lambda said: sent.update({said["requestId"]: said["encodedDataLength"]}))
    for name, (most, requests) in VISITS.items():
        sent.clear()
        page.goto(f"{site.url}/games/{game}")
        expect(page.locator("#picture svg")).to_be_visible()
        page.wait_for_load_state("load")
        weights = {asked[one]: size for one, size in sent.items() if size and not PICTURE.search(asked[one])}
        print(f"\n{name} visit: {sum(weights.values())} bytes in {len(weights)} answers")  # noqa: T201 - for readers of `-s`
        assert sum(weights.values()) <= most, sorted(weights.items(), key=lambda one: -one[1])[:9]
        assert len(weights) <= requests, list(weights)
    assert all(url.startswith(site.url) for url in asked.values())
