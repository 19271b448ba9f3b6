"""Draft moves in a real browser: changed, kept while others act and in other tabs, and removed after an own move."""

from __future__ import annotations

from threading import Event

import pytest
from playwright.sync_api import expect

from tests.browser.hands import hand
from tests.browser.panel import (
    choices,
    choose,
    finger_drags,
    focus,
    has_plan,
    is_online_until,
    says,
    settled,
    steps,
    stored,
    type_in,
)
from tests.browser.test_acts import starts

pytestmark = pytest.mark.slow

GAMES = ["tikal", "discoveries", "lewis_clark", "livingstone"]


@pytest.fixture
def planned(seated):
    """A tile of Tikal is to be laid, then an explorer enters, then the leader; the two can change places."""
    ann, ben = seated("tikal", handover="offer")
    while not steps(ann.page):
        choose(ann.page)
    (place,) = steps(ann.page)
    type_in(ann.page, "enter a1")
    type_in(ann.page, "enter a1 leader")
    return ann, ben, [place, "enter a1", "enter a1 leader"]


def test_a_plan_is_reordered_as_far_as_the_rules_allow(planned):
    """By buttons, keys and dragging; a refused change shows its reason; each change can be undone."""
    ann, _, (place, worker, leader) = planned
    page = ann.page
    has_plan(page, place, worker, leader)
    assert page.locator("#typable option[value='done']").count() == 1  # what the line may be completed to
    type_in(page, "enter z9")
    expect(page.get_by_role("alert").filter(has_text="z9")).to_be_visible()
    assert page.get_by_label("Command", exact=True).input_value() == "enter z9"
    page.get_by_role("button", name="Move up: step 3").focus()
    page.keyboard.press("Alt+ArrowUp")
    has_plan(page, place, leader, worker)
    page.locator("ol.plan li").nth(1).drag_to(page.locator("ol.plan li").nth(2))
    has_plan(page, place, worker, leader)
    finger_drags(page, page.locator("ol.plan .grip").nth(2), page.locator("ol.plan .grip").nth(1))
    has_plan(page, place, leader, worker)
    page.get_by_role("button", name="Undo").click()
    has_plan(page, place, worker, leader)
    page.get_by_role("button", name="Move up: step 2").click()
    says(page, "not possible in that order")
    page.get_by_role("button", name="Remove: step 1").click()
    says(page, "not possible without this one")
    page.get_by_role("button", name="Undo").click()
    has_plan(page, place, leader, worker)
    whole = page.locator("#picture svg").inner_html()
    page.locator("ol.plan .look").first.click()
    expect(page.locator("ol.plan .look").first).to_have_attribute("aria-pressed", "true")
    assert page.locator("#picture svg").inner_html() != whole


def test_a_late_answer_does_not_undo_a_later_step(planned):
    """On a slow network the answer to a press comes after that to the next one."""
    ann, _, (place, worker, leader) = planned
    page, held = ann.page, []
    page.route("**/preview", lambda route: held.append(route) if len(held) < 2 else route.continue_())
    page.get_by_role("button", name="Move up: step 3").click()
    page.get_by_label("Command", exact=True).fill("done")
    page.keyboard.press("Enter")
    while len(held) < 2:
        page.wait_for_timeout(20)  # until both have been sent
    held[1].continue_()
    has_plan(page, place, worker, leader, "done")
    with page.expect_response("**/preview") as late:
        held[0].continue_()
    late.value.finished()
    page.evaluate("Promise.all([1, 2, 3].map(() => fetch(location.href)))")  # answered after it
    has_plan(page, place, worker, leader, "done")


READ_ALOUD = """() => {
  window.read = 0;
  new MutationObserver(() => (read += 1)).observe(document.querySelector('.brings'), { childList: true });
}"""


def test_the_effect_of_a_draft_is_read_aloud_when_it_changes(planned):
    """Not with each word that is chosen after it."""
    ann, _, _ = planned
    page = ann.page
    page.evaluate(READ_ALOUD)
    choices(page).filter(has_text="Walk").click()
    expect(page.locator(".question .so")).to_be_visible()
    assert page.evaluate("read") == 0
    type_in(page, "done")
    assert page.evaluate("read") > 0


def test_a_plan_is_kept_while_others_act(planned):
    """After a reload, beside another tab, after another's entry; it is cut, with a notice, where it no longer fits."""
    ann, ben, (place, worker, leader) = planned
    page = ann.page
    stored(page, ann)
    page.reload()
    says(page, "draft move from this browser")
    has_plan(page, place, worker, leader)
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Remove: step 3").click()
    expect(page.locator(".offered")).to_contain_text("Another tab of this browser")
    has_plan(page, place, worker, leader)
    page.get_by_role("button", name="Use it").click()
    has_plan(page, place, worker)
    other.close()
    expect(choices(page).first).to_be_focused()  # the offered plan is in use
    choices(page).nth(1).focus()
    focused = focus(page)
    ben.sync()
    ben.offer()
    says(page, "Your draft move is still possible")
    settled(page)
    assert focus(page) == focused
    has_plan(page, place, worker)
    beside = hand(page.context.new_page(), ann.person, ann.game)
    beside.move(ann.person.session.api.post(f"/v1/games/{ann.game}/preview", {"notation": place}).value["commands"][0])
    says(page, "sent from another tab or device")
    has_plan(page)


@pytest.mark.parametrize("part", ["", "?before=3"])
def test_a_draft_is_removed_if_the_seat_has_moved_while_no_page_was_open(seated, part):
    """The same commands would often be legal in the next turn. An address may show an earlier part of the log."""
    ann, _ = seated("pig", options={"goal": 100})
    page, address = ann.page, ann.page.url
    while not steps(page):
        choose(page)
    stored(page, ann)
    page.goto(f"{ann.person.site.url}/login")
    ann.move({"do": "roll"})
    page.goto(address + part)
    says(page, "sent from another tab or device")
    has_plan(page)


def test_a_tab_that_learns_late_of_an_own_move_keeps_the_next_draft_of_another_tab(planned):
    """It removes its own draft alone."""
    ann, _, (place, _, _) = planned
    page, held, is_free = ann.page, [], Event()
    page.route(page.url, lambda route, _: route.continue_() if is_free.is_set() else held.append(route))
    other = hand(page.context.new_page(), ann.person, ann.game)
    command = ann.person.session.api.post(f"/v1/games/{ann.game}/preview", {"notation": place}).value["commands"][0]
    with page.expect_request(page.url):
        other.move(command)
    other.page.goto(page.url)
    type_in(other.page, "enter a1")
    has_plan(other.page, "enter a1")
    stored(other.page, ann)
    is_free.set()
    for route in held:
        route.continue_()
    says(page, "sent from another tab or device")
    has_plan(page)
    other.page.reload()
    has_plan(other.page, "enter a1")


def test_a_draft_is_kept_when_another_act_is_sent_again(planned):
    """An offer of the seat that was never answered."""
    ann, _, draft = planned
    page = ann.page
    page.route("**/offer", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        starts(ann, "offer")
    stored(page, ann)
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="offer the seat")).to_be_visible()
    page.unroute("**/offer")
    is_online_until(page, page.get_by_role("status").filter(has_text="Your draft move is still possible"))
    expect(page.get_by_text("Your seat is offered to others.")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="offer the seat")).to_have_count(0)
    has_plan(page, *draft)
