"""The play screen: board and panel on one screen, its tabs, its sheet on narrow screens, and its states."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, Route, expect

from engine.kit.palette import COMMON
from server.kernel.db.models import Game
from server.kernel.db.session import Database
from tests.browser import axe, hands
from tests.browser.panel import choices, choose, others_turn, send, steps

pytestmark = pytest.mark.slow

GAMES = ["tikal", "discoveries", "lewis_clark", "livingstone"]
SIZES = {360: 740, 768: 1024, 1280: 800}
SCREENS = "document.documentElement.scrollHeight / innerHeight"
SHARE = """() => {
  const { width, height } = document.getElementById("picture").getBoundingClientRect();
  return width * height / innerWidth / innerHeight;
}"""


def tab(page: Page, name: str):
    return page.get_by_role("tab", name=name, exact=True)


def is_open(page: Page, name: str) -> None:
    expect(tab(page, name)).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("key", GAMES)
def test_board_choices_and_send_button_are_on_one_screen(seated, key):
    """On arrival and with a draft, at three widths; the board has a good third of the screen."""
    ann, _ = seated(key)
    page = ann.page
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(choices(page).first).to_be_in_viewport()
        assert page.evaluate(SCREENS) == 1
        assert page.evaluate(SHARE) > 0.35
    while not steps(page):
        choose(page)
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        expect(page.get_by_role("button", name="Sign and send")).to_be_in_viewport(ratio=1)
        assert axe.findings(page) == []


def test_the_parts_beside_the_board_are_tabs(seated):
    """By keys, with one stop of the tab key; an address opens the part that contains its place."""
    ann, _ = seated("livingstone")
    page = ann.page
    is_open(page, "Move")
    tab(page, "Move").focus()
    page.keyboard.press("ArrowRight")
    is_open(page, "Log")
    expect(tab(page, "Log")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Log")).to_be_visible()
    expect(page.locator("#panel")).to_be_hidden()
    page.keyboard.press("End")
    is_open(page, "Record")
    assert page.get_by_role("tablist").locator("[tabindex='-1']").count() == 5
    page.goto(f"{page.url}#entry-2")
    is_open(page, "Log")
    expect(page.locator("#entry-2")).to_be_in_viewport()


def test_news_open_the_move_only_if_the_reader_is_not_busy_beside_the_board(seated):
    """A reader of the record keeps it when their turn comes."""
    ann, ben = seated("pig")
    page = ann.page
    for busy in (True, False):
        moves_until_another_is_due(page)
        tab(page, "Record").click()
        if not busy:
            page.locator("#board").focus()
        others_turn(ann, ben)
        expect(page.locator("#stage .turn.mine")).to_be_visible()
        is_open(page, "Record" if busy else "Move")
        tab(page, "Move").click()


def moves_until_another_is_due(page: Page) -> None:
    """Sends the last choice again and again."""
    while page.locator("#stage .turn.mine").count():
        while not steps(page):
            choose(page, choices(page).count() - 1)
        send(page)


def test_the_sheet_has_three_heights(seated):
    """The tabs alone, half of the screen, or most of it; opening a tab brings it back."""
    ann, _ = seated("tikal", 360)
    page = ann.page
    page.set_viewport_size({"width": 360, "height": 740})
    handle = page.get_by_role("button", name="Change the height of this panel")
    side = page.locator(".side")
    tall = lambda: side.bounding_box()["height"] / 740  # noqa: E731
    assert 0.4 < tall() < 0.5
    handle.tap()
    assert tall() > 0.75
    handle.tap()
    assert tall() < 0.1
    tab(page, "Log").tap()
    assert 0.4 < tall() < 0.5


def test_a_low_screen_shows_a_document(seated):
    """A telephone on its side, a zoomed page, an open keyboard: everything is below each other, and nothing is lost."""
    ann, _ = seated("livingstone")
    page = ann.page
    page.set_viewport_size({"width": 800, "height": 400})
    expect(page.get_by_role("tablist")).to_have_count(0)
    for part in ("#picture", "#board", "#panel", "#history", "#players", "#guide", "#audit"):
        expect(page.locator(part)).to_be_visible()
    assert page.evaluate(SCREENS) > 3
    assert page.evaluate("document.documentElement.scrollWidth") <= 800


def test_the_page_has_a_state_for_every_moment(seated, visit, site):
    """Waiting with the own last turn, watching without a move, finished with the result."""
    ann, ben = seated("pig", handover="offer")
    page, watching = ann.page, visit()
    moves_until_another_is_due(page)
    page.reload()
    expect(page.locator(".waiting")).to_contain_text("To move: Ben")
    expect(page.locator("#since")).to_contain_text("Your last turn")
    expect(page.get_by_role("button", name="Sign and send")).to_be_hidden()
    watching.goto(page.url)
    is_open(watching, "Log")
    expect(tab(watching, "Move")).to_be_hidden()
    ben.sync()
    ben.resign()
    is_open(watching, "Result")
    expect(watching.get_by_role("heading", name="Ranking")).to_be_visible()
    assert axe.findings(watching) == []
    is_open(page, "Result")
    expect(tab(page, "Move")).to_be_hidden()


def test_while_a_move_is_sent_the_board_stays_and_nothing_is_sent_twice(seated):
    """The foot is busy until the server answers; then the board shows the move."""
    ann, _ = seated("pig")
    page, held = ann.page, []
    page.route("**/v1/games/*/moves", lambda route, _: held.append(route))
    while not steps(page):
        choose(page)
    with page.expect_request("**/v1/games/*/moves"):
        page.locator("button.send:not([data-waits])").click()
    busy = page.get_by_role("button", name="Sending")
    expect(busy).to_have_attribute("aria-disabled", "true")
    busy.click(force=True)
    expect(page.locator("#picture svg")).to_be_visible()
    held[0].continue_()
    expect(page.get_by_role("status").filter(has_text="Your move is logged as entry")).to_be_visible()
    assert len(held) == 1


def test_a_stopped_game_has_a_banner_and_no_send_button(seated):
    """Its position and its log can still be read."""
    ann, _ = seated("pig")
    page = ann.page
    with Database(ann.person.site.house.whole_environment()["DATABASE_URL"]).write() as session:
        stopped = {"faulted_at": datetime.now(UTC), "fault": "The rules failed."}
        session.execute(sa.update(Game).where(Game.id == ann.game).values(stopped))
    page.reload()
    expect(page.get_by_text("This game is stopped.")).to_be_visible()
    expect(page.locator("button.send")).to_be_hidden()
    expect(page.locator("#picture svg")).to_be_visible()
    tab(page, "Log").click()
    expect(page.locator("ol.log > li").first).to_be_visible()


def test_a_device_without_a_key_of_the_seat_is_told_before_planning(seated, visit, site):
    """It can be approved at once; the device that holds the key is not asked."""
    ann, _ = seated("livingstone")
    says = "This device cannot sign moves for your seat yet."
    other = visit(ann.person)
    other.goto(ann.page.url)
    expect(other.get_by_text(says)).to_be_visible()
    other.get_by_role("button", name="Approve this device").click()
    expect(other.get_by_role("dialog")).to_contain_text("New device")
    expect(ann.page.get_by_text(says)).to_be_hidden()
    other.route("**/v1/me/keys/**", lambda route: route.abort())
    ways = other.locator(".answers-bar:not([aria-disabled])")
    ways.get_by_role("button", name="Approve it on my other device").click()
    expect(other.get_by_role("status").filter(has_text=says)).to_contain_text("The server did not answer.")


ZONES = """() => [...document.querySelectorAll("#picture [data-zone]")].filter((one) => one.style.display !== "none")
  .map((one) => [one.dataset.zone, Math.round(one.getBoundingClientRect().left / 90)])"""


def test_the_zones_of_a_picture_follow_the_window(seated):
    """Below each other on a telephone, with a button for each; beside each other on a desk; no head, no legend."""
    ann, _ = seated("livingstone")
    page = ann.page
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("#picture [data-zone='seat-1']")).to_be_visible()
    page.wait_for_function(f"() => new Set(({ZONES})().map(([, left]) => left)).size > 1")
    assert {"head", "legend"}.isdisjoint(name for name, _ in page.evaluate(ZONES))
    expect(page.locator(".prompt")).to_contain_text("steamer")
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_function(f"() => new Set(({ZONES})().map(([, left]) => left)).size === 1")
    page.get_by_role("button", name="Show player 2").click()
    expect(page.locator("#picture [data-zone='seat-2']")).to_be_in_viewport(ratio=0.5)


def lower(route: Route) -> None:
    """The picture, with its narrow zones lower than they are."""
    answer = route.fetch()
    route.fulfill(response=answer, body=re.sub(r'(data-box="0 0 432) [\d.]+"', r'\1 60"', answer.text()))


def test_a_board_keeps_its_columns_while_the_window_keeps_its_size(seated):
    """Its zones become lower with a move, so that two columns would be larger by a fifth; a new size arranges anew."""
    ann, _ = seated("livingstone")
    page = ann.page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function(f"() => new Set(({ZONES})().map(([, left]) => left)).size > 1")
    before = page.evaluate(ZONES)
    page.route("**/picture?*", lower)
    while not steps(page):
        choose(page)
    send(page)
    page.wait_for_function("() => document.querySelector('[data-zone=seat-1]').dataset.box.endsWith(' 60')")
    assert page.evaluate(ZONES) == before
    page.set_viewport_size({"width": 1270, "height": 800})
    page.wait_for_function(f"(before) => JSON.stringify(({ZONES})()) !== JSON.stringify(before)", arg=before)


SIZES_OF_WORDS = """() => [...document.querySelectorAll("#picture text")].filter((one) => one.getClientRects().length)
  .map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"""


@pytest.mark.parametrize("key", GAMES)
def test_every_word_of_a_board_can_be_read_on_a_telephone(site, visit, tmp_path, key):
    """At 360 pixels no word is smaller than 11, without zooming."""
    ann, ben = site.person("Ann"), site.person("Ben")
    game = hands.table(ann, key)
    for seat, person in enumerate((ann, ben)):
        hands.program(person, game, tmp_path).join(seat)
    page = visit(width=360, height=740, has_touch=True)
    page.goto(f"{site.url}/games/{game}")
    expect(page.locator("#picture svg[data-whole]")).to_be_visible()
    sizes = page.evaluate(SIZES_OF_WORDS)
    assert len(sizes) > 30
    assert min(sizes) >= 11


WIDTHS = """() => ["#picture [data-zone='board']", "#picture"]
  .map((one) => document.querySelector(one).getBoundingClientRect().width)"""


def test_on_a_desk_a_board_gets_most_of_the_room(seated):
    """Although one narrow column of all zones would be drawn at a larger scale."""
    ann, _ = seated("livingstone")
    ann.page.set_viewport_size({"width": 1280, "height": 900})
    ann.page.wait_for_function(f"() => {{ const [board, all] = ({WIDTHS})(); return board > 0.6 * all; }}")


def shown_to_the_end(ann, ben) -> None:
    """Wait until Ann's page shows the newest entry."""
    head = ben.api.get(f"/v1/games/{ann.game}").value["head"]["seq"]
    expect(ann.page.locator("#game")).to_have_attribute("data-head", str(head))


def stepping_through(seated, *, is_due):
    """Ann, who looks at what Ben has done since, and Ben; with `is_due` Ann has to move again."""
    ann, ben = seated("livingstone")
    moves_until_another_is_due(ann.page)
    ben.sync()
    ben.move([ben.legal()[0]["command"]])  # coins for a die, which all see
    if is_due:
        others_turn(ann, ben)
    shown_to_the_end(ann, ben)  # news between the two halves of a click would take the link away
    expect(ann.page.locator("#since summary")).to_contain_text(": 1 turn")  # since the last one, or since Ann sat down
    ann.page.get_by_role("link", name="Step through").click()
    expect(ann.page.locator("#picture[data-layer=past] g.changed > *").first).to_be_attached()
    return ann, ben


def test_the_turns_of_others_are_stepped_through_on_the_board(seated):
    """Grouped by turn, with rims around what each has changed; while looking back, nothing can be chosen."""
    page = stepping_through(seated, is_due=True)[0].page
    page.emulate_media(color_scheme="dark")
    expect(page.locator("#picture[data-layer=past] svg > rect").first).to_have_attribute("fill", COMMON["paper"][1])
    expect(page.get_by_role("heading", name="Position after entry")).to_be_visible()
    expect(page.locator(".caption .then")).not_to_have_text(re.compile(r"\.[A-Z]"))
    assert page.locator(".question").evaluate("(part) => part.inert")
    page.get_by_role("button", name="To now").click()
    expect(page.locator("#picture[data-layer=now]")).to_be_visible()
    assert not page.locator(".question").evaluate("(part) => part.inert")


def test_news_leaves_a_turn_that_is_looked_at(seated):
    """Its position stays on the board; the heading counts the new entry."""
    ann, ben = stepping_through(seated, is_due=False)
    page = ann.page
    then = page.get_by_role("heading", name="Position after entry").inner_text()
    at, _, head = then.removeprefix("Position after entry ").partition(" of ")
    assert at == head
    ben.sync()
    ben.move([ben.legal()[-1]["command"]])
    now = ben.api.get(f"/v1/games/{ann.game}").value["head"]["seq"]
    expect(page.get_by_role("heading", name=f"Position after entry {at} of {now}")).to_be_visible()


def test_a_choice_shows_its_ghost_and_a_draft_its_rims(seated):
    """Under the mouse and with the focus of a key; the ghost is gone when the choice is no longer pointed at."""
    ann, _ = seated("tikal")
    page = ann.page
    while not page.locator(".choices:not(.apart) button:not(.kind)").count():
        choose(page)
        assert not steps(page)
    page.locator(".choices button").first.hover()
    expect(page.locator("#picture g.ghost > *").first).to_be_attached()
    page.locator("#board").focus()
    page.mouse.move(5, 400)
    expect(page.locator("#picture g.ghost")).to_have_count(0)
    while not steps(page):
        choose(page)
    expect(page.locator("#picture[data-layer=plan] g.changed > *").first).to_be_attached()
    assert axe.findings(page) == []


BOXES = """() => [...document.querySelectorAll("main *")].filter((one) =>
  one.clientHeight && one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY)
  && one.tagName !== "TEXTAREA").map((one) => one.className)"""


def test_a_table_that_waits_is_one_document_at_every_width(site, visit, tmp_path):
    """Nothing of it scrolls in a box of its own, and its text is as wide as that of other pages."""
    ann = site.person("Ann")
    hands.table(ann, "tikal", 3)
    waiting = hands.table(ann, "livingstone", 3)
    hands.program(ann, waiting, tmp_path).join()
    page = visit(ann)
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{site.url}/games/{waiting}")
        expect(page.get_by_role("heading", name="Players", exact=True)).to_be_visible()
        assert page.evaluate(BOXES) == []
        assert page.locator(".parts").bounding_box()["width"] == page.locator("main").bounding_box()["width"]


@pytest.mark.parametrize("key", GAMES)
def test_the_last_move_is_marked_on_the_board(seated, visit, key):
    """For its player, for the next one and for spectators, each from what they may see."""
    ann, ben = seated(key)
    page, watching = ann.page, visit()
    ann.move(ann.person.session.api.get(f"/v1/games/{ann.game}/legal").value[0]["command"])
    watching.goto(page.url)
    marks = "#picture[data-layer=now] g.changed > *"
    for one in (page, watching):
        expect(one.locator(marks).first).to_be_attached()
    others_turn(ann, ben)
    page.reload()
    expect(choices(page).first).to_be_visible()
    expect(page.locator(marks).first).to_be_attached()


def test_a_turn_is_marked_without_a_request_for_a_position_that_was_shown(seated, visit):
    """A spectator has seen the position before it. If Ben began, the one before that turn is asked for."""
    ann, _ = seated("tikal")
    page, asked = visit(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(ann.page.url)
    drawn = page.wait_for_selector("#picture[data-layer=now] svg")
    seen = page.locator("#game").get_attribute("data-head")
    ann.move(ann.person.session.api.get(f"/v1/games/{ann.game}/legal").value[0]["command"])
    page.wait_for_function("(drawn) => !drawn.isConnected", arg=drawn)
    expect(page.locator("#picture[data-layer=now] g.changed > *").first).to_be_attached()
    assert not [url for url in asked if f"/picture?at={seen}&" in url]
