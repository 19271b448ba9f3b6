"""Guided first games in a real Chromium, by somebody without an account."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from engine import lessons
from tests.browser import axe
from tests.browser.panel import choices, tab_to
from tests.browser.site import Site

WANTED = "button[aria-current=step]"
DAILY = "livingstone"
TITLES = [DAILY, *(pytest.param(key, marks=pytest.mark.slow) for key in ("tikal", "discoveries", "lewis_clark"))]
MOST_PRESSES = 6  # for one command
FIRST_VISIT = 150_000, 20  # bytes as they are sent, and answers, without the picture


def count(key: str) -> int:
    return len(lessons.find(key).steps)


def begin(site: Site, page: Page, key: str, step: int = 1) -> None:
    page.goto(f"{site.url}/learn/{key}/{step}")
    expect(page.locator("#picture svg")).to_be_visible()
    expect(page.locator(WANTED).first).to_be_visible()


def at(page: Page) -> int:
    return int(re.findall(r"/learn/\w+/(\d+)", page.url)[0])


def follow(page: Page, key: str, press: Callable[[Locator], None]) -> int:
    """Do what each step asks for, by the marked buttons, up to the end; returns the number of presses."""
    presses = 0
    for number, step in enumerate(lessons.find(key).steps, 1):
        expect(page.locator("#asks")).to_have_text(step.asks)
        for _ in range(MOST_PRESSES):
            expect(page.locator("#panel")).not_to_have_attribute("aria-busy", "true")
            if at(page) > number:
                break
            press(page.locator(WANTED).first)
            presses += 1
        expect(page).to_have_url(re.compile(f"/{number + 1}$"))
    return presses


@pytest.mark.parametrize("key", TITLES)
def test_a_guided_game_can_be_played_by_keys_alone(site: Site, visit: Any, key: str) -> None:
    """To its end, where "Play now" begins a game of the same title."""
    page = visit(width=1280, height=900)
    begin(site, page, key)

    def press(wanted: Locator) -> None:
        expect(wanted).to_be_visible()
        tab_to(page, WANTED)
        page.keyboard.press("Enter")

    presses = follow(page, key, press)
    sys.stdout.write(f"\n{key}: {count(key)} steps, {presses} choices by keys\n")
    expect(page.get_by_label("Game", exact=True)).to_have_value(key)
    expect(page.get_by_role("button", name="Play now")).to_be_enabled()


@pytest.mark.slow
def test_a_step_is_done_on_the_board_of_a_telephone(site: Site, visit: Any) -> None:
    """A tap on the place that is lit lays the tile in the rotation that the step asks for."""
    page = visit(width=360, height=740, has_touch=True)
    begin(site, page, "tikal")
    page.locator("g.lit > g[data-look=lit][data-word*='cell:a3']").tap()
    expect(page.locator("#asks")).to_have_text(lessons.find("tikal").steps[1].asks)
    expect(page.locator("g.changed > *").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.slow
def test_another_move_is_possible_and_leads_nowhere(site: Site, visit: Any) -> None:
    """It says so, and the step stays; typed text is read by the rules."""
    page = visit()
    begin(site, page, DAILY)
    page.get_by_text("Type it").click()
    page.get_by_label("Command").fill("coi 6")
    page.keyboard.press("Enter")
    expect(
        page.get_by_role("status").filter(has_text="The rules allow this, too: Take a 6 for 6 coins.")
    ).to_be_visible()
    page.get_by_label("Command").fill("coins 5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("5")
    page.get_by_label("Command").fill("te 2")
    page.keyboard.press("Enter")
    expect(page.locator("#asks")).to_have_text(lessons.find(DAILY).steps[1].asks)


@pytest.mark.slow
def test_a_step_can_be_shown_repeated_and_skipped(site: Site, visit: Any) -> None:
    """By links, by the browser's own button, and by a reload; the end leads into a game as a guest."""
    page = visit(width=360, height=740, has_touch=True)
    begin(site, page, DAILY)
    page.get_by_role("link", name="Show me").tap()
    expect(page).to_have_title(re.compile("^Step 2 of"))
    page.go_back()
    expect(page.locator("#asks")).to_have_text(lessons.find(DAILY).steps[0].asks)
    page.go_forward()
    expect(page.locator("#asks")).to_have_text(lessons.find(DAILY).steps[1].asks)
    page.reload()
    expect(page.locator("#asks")).to_have_text(lessons.find(DAILY).steps[1].asks)
    page.get_by_role("link", name="Skip the rest").tap()
    page.get_by_role("button", name="Play now").tap()
    expect(page).to_have_url(re.compile("/games/"))
    expect(choices(page).first).to_be_visible()


@pytest.mark.slow
def test_a_lesson_is_small_and_axe_finds_nothing(site: Site, visit: Any) -> None:
    """At three widths, with a choice begun, and at the end; the first visit weighs no more than that of a game."""
    for width, height in ((360, 740), (768, 1024), (1280, 900)):
        page = visit(width=width, height=height)
        sizes = weights(page)
        begin(site, page, DAILY)
        page.wait_for_load_state("load")
        sys.stdout.write(f"\nlesson at {width}: {sum(sizes.values())} bytes in {len(sizes)} answers\n")
        assert sum(sizes.values()) <= FIRST_VISIT[0]
        assert len(sizes) <= FIRST_VISIT[1]
        assert axe.findings(page) == []
        page.locator(WANTED).click()
        assert axe.findings(page) == []
        page.goto(f"{site.url}/learn/{DAILY}/{count(DAILY) + 1}")
        expect(page.get_by_role("button", name="Play now")).to_be_enabled()
        assert axe.findings(page) == []


def weights(page: Page) -> dict[str, int]:
    """The bytes of each answer from now on, by its address; without pictures, which are as large as their games."""
    asked: dict[str, str] = {}
    sizes: dict[str, int] = {}
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.requestWillBeSent", lambda said: asked.update({said["requestId"]: said["request"]["url"]}))

    def loaded(said: dict[str, Any]) -> None:
        address = asked[said["requestId"]]
        if "picture" not in address and "palette" not in address and said["encodedDataLength"]:
            sizes[address] = said["encodedDataLength"]

    network.on("Network.loadingFinished", loaded)
    return sizes
