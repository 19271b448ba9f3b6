"""The names of controls, as a screen reader reads them, on every page and in every state."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import hands
from tests.browser.heard import faults
from tests.browser.panel import choices, choose, others_turn, steps
from tests.browser.screenshots import PAGES, player_page

pytestmark = pytest.mark.slow

GAMES = ["tikal", "discoveries", "lewis_clark", "livingstone"]


def test_controls_of_every_page_have_names_of_their_own(site: Any, visit: Any) -> None:
    """Signed in and out; with a waiting table; guides and lessons of each game."""
    ada = site.person("Ada")
    waiting = hands.table(ada, "livingstone", 3)
    guides = [f"/{part}/{key}" for part in ("play", "learn") for key in GAMES]
    shared = ["/", "/tables", "/login", player_page(ada), f"/games/{waiting}", *guides]
    for person, paths in ((ada, [*PAGES.values(), *shared]), (None, shared)):
        page = visit(person)
        for path in paths:
            page.goto(site.url + path)
            expect(page.locator("main h1").first).to_be_visible()
            assert faults(page) == [], path


@pytest.mark.parametrize("key", GAMES)
def test_controls_of_a_turn_page_have_names_of_their_own(seated: Any, visit: Any, key: str) -> None:
    """Choosing, planning, waiting, watching, looking back, in every tab, and at the end."""
    ann, ben = seated(key)
    page, watching = ann.page, visit()
    watching.goto(page.url)
    assert_named(page, watching)
    while not steps(page):
        choose(page)
        assert faults(page) == []
    ann.move(ann.person.session.api.get(f"/v1/games/{ann.game}/legal").value[0]["command"])
    others_turn(ann, ben)
    page.reload()
    expect(choices(page).first).to_be_visible()
    assert_named(page, watching)
    page.get_by_role("button", name="Previous").click()
    expect(page.locator("#picture[data-layer=past]")).to_be_visible()
    assert faults(page) == []
    ann.do("resign")
    for one in (page, watching):
        one.reload()
        expect(one.get_by_role("tab", name="Result")).to_be_visible()
    assert_named(page, watching)


def assert_named(*pages: Page) -> None:
    for page in pages:
        tabs = page.get_by_role("tab").all()
        for tab in (*tabs[1:], tabs[0]):
            tab.click()
            assert faults(page) == [], tab.inner_text()
