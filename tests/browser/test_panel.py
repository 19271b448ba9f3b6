"""The move panel in a real browser: a turn of each game by clicks, one by the keyboard alone, plans that are changed,
and what happens to a plan while the log goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import Hand, hand, program, table

GAMES = ["tikal", "discoveries", "lewis_clark", "livingstone"]


@pytest.fixture
def seated(site, visit, tmp_path):
    """Ann in a browser, to move, and Ben by the reference client; the turn page is open."""

    def seated(key: str, width: int = 1200, **chosen: Any) -> tuple[Hand, Any]:
        ann, ben = site.person("Ann"), site.person("Ben")
        game = table(ann, key, **chosen)
        ann = hand(visit(ann, width=width, has_touch=width < 600), ann, game)
        ann.do("join", 0)
        ben = program(ben, game, tmp_path)
        ben.join(1)
        others_turn(ann, ben)
        ann.page.goto(f"{site.url}/games/{game}")
        expect(choices(ann.page).first).to_be_visible()
        return ann, ben

    return seated


def others_turn(ann: Hand, ben: Any) -> None:
    """Ben plays until Ann owes a move."""
    api = ann.person.session.api
    while 0 not in api.get(f"/v1/games/{ann.game}").value["active"]:
        ben.sync()
        ben.move([ben.legal()[-1]["command"]])


def choices(page: Page) -> Any:
    return page.get_by_role("group", name="What is next").get_by_role("button").filter(has_not_text="Back")


def steps(page: Page) -> list[str]:
    return page.locator("ol.plan .look code").all_inner_texts()


def text(page: Page) -> str:
    return page.locator("#panel").inner_text()


def choose(page: Page, number: int = 0) -> None:
    """A click upon one of the choices, and wait until the panel has answered."""
    before = text(page)
    choices(page).nth(number).click()
    page.wait_for_function("before => document.getElementById('panel').innerText !== before", arg=before)


def send(page: Page) -> None:
    """As soon as the button works."""
    page.locator("button.send:not([data-waits])").click()
    expect(page.get_by_role("status").filter(has_text="Logged as entry")).to_be_visible()


def logged(hand: Hand) -> dict[str, Any]:
    """Ann's last move, as the log has it."""
    lines = hand.person.session.api.get(f"/v1/games/{hand.game}/log").value["entries"]
    mine = [entry for entry in map(json.loads, lines) if entry["kind"] == "moved" and entry["seat"] == 0]
    return mine[-1]


def test_a_turn_of_each_game_by_clicks(seated):
    """Word by word until nothing can follow, or three steps are planned; then it is signed, and the log has it."""
    for key in GAMES:
        ann, ben = seated(key)
        while len(steps(ann.page)) < 3 and choices(ann.page).count():
            choose(ann.page)
        planned = steps(ann.page)
        assert planned
        expect(ann.page.locator(".signed")).to_contain_text("; ".join(planned))
        send(ann.page)
        ben.sync()
        assert logged(ann)["seat"] == 0
        assert ann.do("check")["seat"] == 0
        ann.page.context.close()
