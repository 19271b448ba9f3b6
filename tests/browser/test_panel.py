"""The move panel in a real browser: a turn of each game by clicks, one by the keyboard alone, plans that are changed,
and what happens to a plan while the log goes on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine import registry
from engine.record import acts, jws
from tests.browser.hands import Hand, hand, program, table

registry.search("tests.kit.games")
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


def logged(hand: Hand) -> Any:
    """Ann's last move, as she signed it: `commands`, or `sealed`."""
    lines = hand.person.session.api.get(f"/v1/games/{hand.game}/log").value["entries"]
    mine = [entry for entry in map(json.loads, lines) if entry["kind"] == "moved" and entry["seat"] == 0]
    return acts.read_act(jws.read(mine[-1]["jws"]))


def test_a_turn_of_each_game_by_clicks(seated):
    """Word by word until nothing can follow, or three steps are planned; then it is signed, and the log has it."""
    for key in GAMES:
        ann, ben = seated(key)
        while len(steps(ann.page)) < 3 and choices(ann.page).count():
            choose(ann.page)
        planned = steps(ann.page)
        assert planned
        expect(ann.page.locator(".signed")).to_contain_text("; ".join(planned))
        shown = json.loads(ann.page.locator(".signed pre").text_content())
        send(ann.page)
        signed = logged(ann)
        assert (signed.commands or shown) == shown
        assert (signed.sealed is None) != ben.table.hidden
        assert ben.sync()[0].body["seat"] == 0
        ann.page.context.close()


def tab_to(page: Page, selector: str, *, back: bool = False) -> None:
    """The tab key until the focus is there."""
    for _ in range(60):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
    raise AssertionError(f"the tab key does not come to {selector}")


def press(page: Page, key: str) -> None:
    """A key that changes the panel; the focus is not lost by it."""
    before = text(page)
    page.keyboard.press(key)
    page.wait_for_function("before => document.getElementById('panel').innerText !== before", arg=before)
    assert page.evaluate("document.activeElement !== document.body")


def focus(page: Page) -> str:
    return page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText")


def test_a_turn_by_the_keyboard_alone(seated):
    """The picture is one stop of the tab key, arrows go on inside it; what is chosen there goes on there."""
    ann, _ = seated("tikal")
    page = ann.page
    tab_to(page, ".question button")
    press(page, "Enter")
    tab_to(page, "g.lit [role=button]", back=True)
    assert page.locator("g.lit [tabindex='0']").count() == 1
    cells = {focus(page)}
    for key in ("ArrowRight", "ArrowUp", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        cells.add(focus(page))
    assert len(cells) > 1
    press(page, "Enter")
    assert page.evaluate("document.activeElement.closest('g.lit') !== null")
    press(page, "Escape")
    assert steps(page) == []
    tab_to(page, "g.lit [role=button]", back=True)
    press(page, "Enter")
    press(page, " ")
    assert len(steps(page)) == 1
    tab_to(page, ".choices.apart button")
    press(page, "Enter")
    assert focus(page) == "Sign and send"
    expect(page.locator("button.send:not([data-waits])")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Logged as entry")).to_be_visible()
    assert page.evaluate("document.activeElement !== document.body")
    assert [command["do"] for command in logged(ann).commands] == ["place", "done"]


def type_in(page: Page, line: str) -> None:
    page.get_by_label("Or type it").fill(line)
    before = text(page)
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.getElementById('panel').innerText !== before", arg=before)


def test_a_plan_is_changed_and_goes_on(seated, site, tmp_path):
    """Put in another order by buttons, keys and dragging as far as the rules allow, undone, typed, kept, and cut."""
    ann, ben = seated("tikal", handover="offer")
    page = ann.page
    while not steps(page):
        choose(page)
    (place,) = steps(page)
    type_in(page, "enter a1")
    type_in(page, "enter a1 leader")
    assert steps(page) == [place, "enter a1", "enter a1 leader"]
    type_in(page, "enter z9")
    expect(page.get_by_role("alert").filter(has_text="z9")).to_be_visible()
    assert page.get_by_label("Or type it").input_value() == "enter z9"
    page.get_by_role("button", name="Earlier: step 3").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("ol.plan .look code")).to_have_text([place, "enter a1 leader", "enter a1"])
    page.locator("ol.plan li").nth(1).drag_to(page.locator("ol.plan li").nth(2))
    expect(page.locator("ol.plan .look code")).to_have_text([place, "enter a1", "enter a1 leader"])
    page.get_by_role("button", name="Earlier: step 2").click()
    expect(page.get_by_role("status").filter(has_text="Not in that order")).to_be_visible()
    page.get_by_role("button", name="Take out: step 1").click()
    expect(page.get_by_role("status").filter(has_text="do not go without it")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("ol.plan .look code")).to_have_text([place, "enter a1 leader", "enter a1"])
    whole = page.locator("#picture svg").inner_html()
    page.locator("ol.plan .look").first.click()
    expect(page.locator("ol.plan .look").first).to_have_attribute("aria-pressed", "true")
    assert page.locator("#picture svg").inner_html() != whole

    page.reload()
    expect(page.get_by_role("status").filter(has_text="made in this browser")).to_be_visible()
    expect(page.locator("ol.plan .look code")).to_have_text([place, "enter a1 leader", "enter a1"])
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Take out: step 3").click()
    expect(page.locator(".offered")).to_contain_text("another tab of this browser")
    assert len(steps(page)) == 3
    page.get_by_role("button", name="Use that one").click()
    expect(page.locator("ol.plan .look code")).to_have_text([place, "enter a1 leader"])
    other.close()

    ben.sync()
    ben.offer()
    expect(page.get_by_role("status").filter(has_text="Your plan still fits")).to_be_visible()
    assert steps(page) == [place, "enter a1 leader"]
    beside = hand(page.context.new_page(), ann.person, ann.game)
    beside.move(ann.person.session.api.post(f"/v1/games/{ann.game}/preview", {"notation": place}).value["commands"][0])
    expect(page.get_by_role("status").filter(has_text="fits no more")).to_be_visible()
    assert steps(page) == []


def test_a_sealed_bid_says_what_the_others_are_told(seated):
    """Many numbers are a stepper; what is sealed stands in what the bidder is told, and not in what the others are."""
    ann, ben = seated("tikal", 360, options={"variant": "auction"})
    page = ann.page
    choose(page)
    page.get_by_role("spinbutton").fill("99")
    page.get_by_role("button", name="Take it").click()
    assert steps(page) == []
    page.get_by_role("spinbutton").fill("7")
    page.get_by_role("button", name="Take it").click()
    expect(page.locator("ol.plan .look code")).to_have_text(["bid 7"])
    told = page.locator(".brings").inner_text()
    mine, others = told.split("What the others are told")
    assert "7" in mine
    assert "7" not in others
    send(page)
    assert logged(ann).commands is None
    ben.sync()
    ben.move([ben.legal()[3]["command"]])
    expect(choices(page).first).to_be_visible()


def mail_a_plan(page: Page, notation: str) -> None:
    """As if a reply had come: what the server would answer."""
    plan = {"notation": notation, "at": "2026-11-21T10:00:00Z", "fresh": True, "via": "mail", "size": 4, "seat": 0}
    page.route("**/plan", lambda route: route.fulfill(json=plan) if route.request.method == "GET" else route.abort())


def test_a_mailed_plan_a_lost_answer_and_a_resignation(seated):
    """A mailed plan waits to be taken; a move that nobody answers is kept and sent again; leaving takes a question."""
    ann, _ = seated("pig")
    page = ann.page
    mail_a_plan(page, "roll")
    page.reload()
    expect(page.locator(".offered")).to_contain_text("from your reply to a mail")
    assert steps(page) == []
    page.get_by_role("button", name="Use that one").click()
    expect(page.locator("ol.plan .look code")).to_have_text(["roll"])
    page.route("**/moves", lambda route: route.abort())
    page.locator("button.send:not([data-waits])").click()
    again = page.get_by_role("button", name="Send it again now")
    expect(again).to_be_visible(timeout=30_000)  # it was tried five times by then
    page.unroute("**/moves")
    again.click()
    expect(page.get_by_role("status").filter(has_text="Logged as entry")).to_be_visible()
    page.locator("#panel").get_by_text("Leave the game", exact=True).click()
    page.get_by_role("button", name="Resign \u2026").click()
    page.get_by_role("button", name="Play on").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Resign \u2026").click()
    page.locator("dialog button:not(.second):not([data-waits])").click()
    expect(page.locator("#standing")).to_contain_text("over")
