"""The move panel in use: its content, clicks, keys, touch, and a draft by mail."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any

import sqlalchemy as sa
from playwright.sync_api import Locator, Page, expect

from engine.record.signed import acts, keys
from server.kernel.db.models import Plan, Seat
from server.kernel.db.session import Database
from tests.browser.hands import Hand
from tests.browser.heard import heard
from tests.kit.patience import until


def others_turn(ann: Hand, ben: Any) -> None:
    """Ben plays until Ann owes a move."""
    api = ann.person.session.api
    while 0 not in api.get(f"/v1/games/{ann.game}").value["active"]:
        ben.sync()
        ben.move([ben.legal()[-1]["command"]])


def choices(page: Page) -> Any:
    asked = page.get_by_role("group", name="Next choice", exact=True)
    return asked.get_by_role("button").filter(has_not_text=re.compile("^Back$"))


def steps(page: Page) -> list[str]:
    return page.locator("ol.plan .look code").all_inner_texts()


def settled(page: Page) -> None:
    """Wait until the panel has its preview."""
    expect(page.locator("#panel")).not_to_have_attribute("aria-busy", "true")


def choose(page: Page, number: int = 0) -> None:
    """Click one of the choices."""
    choices(page).nth(number).click()
    settled(page)


def send(page: Page) -> None:
    """Send as soon as the button works."""
    page.locator("button.send:not([data-waits])").click()
    expect(page.get_by_role("status").filter(has_text="Your move is logged as entry")).to_be_visible()


def logged(hand: Hand) -> Any:
    """Ann's last move, as signed: `commands`, or `sealed`."""
    lines = hand.person.session.api.get(f"/v1/games/{hand.game}/log").value["entries"]
    mine = [entry for entry in map(json.loads, lines) if entry["kind"] == "moved" and entry["seat"] == 0]
    return acts.read_act(keys.read_jws(mine[-1]["jws"]))


def tab_to(page: Page, selector: str, *, back: bool = False) -> None:
    """Press the tab key until the focus is there."""
    for _ in range(60):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
    raise AssertionError(f"the tab key does not come to {selector}")


def press(page: Page, key: str) -> None:
    """A key that changes the panel and must not lose the focus."""
    page.keyboard.press(key)
    settled(page)
    assert page.evaluate("document.activeElement !== document.body")


def focus(page: Page) -> str:
    return page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText")


def inside_the_picture(page: Page) -> list[str]:
    """The accessible names inside the picture."""
    read = heard(page)
    image = next(at for at, one in enumerate(read) if one.name.startswith("Picture of the position"))
    return [one.name for one in takewhile(lambda one: one.depth > read[image].depth, read[image + 1 :])]


STORED = """async ([account, game, planned]) => {
  const store = await (await import('/static/keys/store.js')).open(account);
  const kept = await store.get('plans', game);
  return JSON.stringify(kept?.steps.map(({ notation }) => notation) ?? []) === JSON.stringify(planned);
}"""


def stored(page: Page, hand: Hand) -> None:
    """Wait until this browser has stored the draft, which is shown before that."""
    until(lambda: page.evaluate(STORED, [hand.person.account, hand.game, steps(page)]), "the draft is not stored")


def type_in(page: Page, line: str) -> None:
    field = page.get_by_label("Command", exact=True)
    if not field.is_visible():
        page.get_by_text("Type it", exact=True).click()
    field.fill(line)
    page.keyboard.press("Enter")
    settled(page)


def has_plan(page: Page, *notations: str) -> None:
    expect(page.locator("ol.plan .look code")).to_have_text(list(notations))


def says(page: Page, words: str) -> None:
    expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()


def finger_drags(page: Page, what: Any, where: Any) -> None:
    """Drag with one finger from the middle of one element to the middle of another."""
    finger = page.context.new_cdp_session(page)
    where.scroll_into_view_if_needed()
    what.scroll_into_view_if_needed()
    (x, y), (_, end) = middle(what), middle(where)
    touch = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    finger.send("Input.dispatchTouchEvent", touch)
    for part in (0.3, 0.7, 1.1):
        touch = {"type": "touchMove", "touchPoints": [{"x": x, "y": y + part * (end - y)}]}
        finger.send("Input.dispatchTouchEvent", touch)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def middle(part: Any) -> tuple[float, float]:
    """Its position in the window."""
    box = part.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def asks_by_a_long_touch(page: Page) -> None:
    """A long touch shows what a word would do without pressing its button; a tap presses it."""
    while not (button := page.locator(".question button[data-about]:not([data-about='']):not(:focus)").first).count():
        choose(page)
    before = steps(page)
    about, said = button.get_attribute("data-about"), page.locator(".question .about")
    button = page.locator(f".question button[data-about='{about}']")
    finger = page.context.new_cdp_session(page)
    button.scroll_into_view_if_needed()
    x, y = middle(button)
    expect(said).not_to_have_text(about)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(said).to_have_text(about)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(said).to_have_text(about)
    has_plan(page, *before)
    button.tap()
    expect(page.locator("ol.plan .look")).to_have_count(len(before) + 1)
    expect(page.locator("ol.plan .look").last).to_contain_text(about)


def is_online_until(page: Page, seen: Locator) -> None:
    """Tell the page that it is online until it shows this: then it does not wait before it tries again."""
    while not seen.is_visible():
        page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_timeout(100)  # for the answers


def mail_a_plan(ann: Hand, notation: str) -> None:
    """Store a plan as the reader of replies does."""
    with Database(ann.person.site.house.whole_environment()["DATABASE_URL"]).write() as session:
        seat = session.scalars(sa.select(Seat).where(Seat.game_id == ann.game, Seat.seat == 0)).one()
        made = {"commands": json.dumps([{"do": notation}]), "notation": notation, "created_at": datetime.now(UTC)}
        mine = {"account_id": seat.account_id, "since_seq": seat.since_seq}
        session.add(Plan(game_id=ann.game, seat=0, size=4, **mine, **made))
