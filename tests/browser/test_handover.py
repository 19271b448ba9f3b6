"""A seat that changes hands while the pages of those concerned are open."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.panel import choices
from tests.browser.test_lobby import keeps_the_code

pytestmark = pytest.mark.slow


def test_a_seat_that_changes_hands_takes_the_panel_along(seated, site, visit):
    """The page of the one who takes it shows the choices, and that of the former holder no longer does."""
    ann, _ = seated("pig", handover="offer", offer_wait=0)
    ann.do("offer")
    page = visit(site.person("Cat"))
    page.goto(ann.page.url)
    page.get_by_role("tab", name="Table").click()
    page.get_by_role("button", name="Take the seat").click()
    keeps_the_code(page)
    expect(choices(page).first).to_be_visible()
    expect(ann.page.locator("#game")).to_have_attribute("data-seat", "")
    expect(ann.page.get_by_text("Resignation", exact=True)).to_be_hidden()
