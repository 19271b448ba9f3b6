"""The move panel in a real browser: a turn of each game by clicks, and one by the keyboard alone."""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.heard import nameless, outline
from tests.browser.panel import (
    asks_by_a_long_touch,
    choices,
    choose,
    focus,
    has_plan,
    inside_the_picture,
    is_online_until,
    logged,
    mail_a_plan,
    press,
    send,
    settled,
    steps,
    stored,
    tab_to,
    type_in,
)

pytestmark = pytest.mark.slow

GAMES = ["tikal", "discoveries", "lewis_clark", "livingstone"]


def test_nothing_can_be_sent_before_the_first_question_has_come(seated):
    """An empty move is refused, and the page would warn of it at the next."""
    ann, _ = seated("tikal")
    held, released = [], []
    ann.page.route(re.compile("/(preview|legal)"), lambda route: route.continue_() if released else held.append(route))
    ann.page.reload()
    expect(ann.page.locator("#panel[aria-busy=true]")).to_be_visible()
    expect(ann.page.locator("button.send")).to_be_hidden()
    released.append(True)
    for route in held:
        route.continue_()
    choose(ann.page)


def test_the_first_question_is_asked_again_if_it_gets_no_answer(seated):
    """Nobody can press for it."""
    ann, _ = seated("pig")
    lost: list[str] = []
    ann.page.route(
        "**/legal", lambda route: route.continue_() if lost else (lost.append(route.request.url), route.abort())
    )
    ann.page.reload()
    expect(choices(ann.page).first).to_be_visible()
    assert lost


@pytest.mark.parametrize("key", GAMES)
def test_a_turn_by_clicks(seated, key: str):
    """Word by word, in the picture and beside it, until three steps are planned; it is signed and logged."""
    ann, ben = seated(key)
    lit, on_picture = ann.page.locator("g.lit [role=button]"), 0
    while len(steps(ann.page)) < 3 and choices(ann.page).count():
        if lit.count() and not on_picture:
            lit.first.click()
            settled(ann.page)
            on_picture += 1
        else:
            choose(ann.page)
    assert on_picture, "nothing is lit"
    planned = steps(ann.page)
    assert planned
    expect(ann.page.locator(".signed")).to_contain_text("; ".join(planned))
    shown = json.loads(ann.page.locator(".signed pre").text_content())
    send(ann.page)
    signed = logged(ann)
    assert (signed.commands or shown) == shown
    assert (signed.sealed is None) != ben.table.hidden
    assert ben.sync()[-1].body["seat"] == 0
    if 0 in ann.person.session.api.get(f"/v1/games/{ann.game}").value["active"]:
        expect(choices(ann.page).first).to_be_visible()


def test_after_an_own_move_view_and_choices_are_fetched_once(seated):
    """A move that is not the last of its turn."""
    ann, _ = seated("livingstone")
    fetched: list[str] = []
    while not steps(ann.page):
        choose(ann.page)
    ann.page.on("request", lambda asked: fetched.append(urlsplit(asked.url).path.rpartition(ann.game)[2]))
    send(ann.page)
    expect(choices(ann.page).first).to_be_visible()
    assert [fetched.count(part) for part in ("/view", "/legal")] == [1, 1], fetched


def test_an_own_move_is_told_even_if_the_page_cannot_be_renewed(seated):
    """The panel is right again with the next answer."""
    ann, _ = seated("pig", options={"goal": 100})
    page, held = ann.page, []
    while not steps(page):
        choose(page)
    page.route(page.url, lambda route: held.append(route) or (route.abort() if len(held) == 1 else route.continue_()))
    send(page)
    has_plan(page)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#game")).to_have_attribute("data-head", str(ann.do("check")["size"] - 1))
    assert len(held) > 1


# A turn with one planned step, as a screen reader reads the page.
READ = (
    "link Skip to main content", "banner", "button Menu", "main", "heading Tikal", "status", "region Position",
    "heading Position", "button Zoom in", "slider Entry to show", "region Board as text", "tab Move", "tab Log",
    "tab Record", "region Your move", "heading Your move", "status", "button Lay the tile",
    "button Remove: step 1, place", "button enter ", "button done ", "heading Effect of your move", "alert",
    "button Undo", "button Sign and send",
)  # fmt: skip


def test_a_turn_by_the_keyboard_alone(seated):
    """The picture is one stop of the tab key, arrow keys move inside it; a choice there continues there."""
    ann, _ = seated("tikal")
    page = ann.page
    names = inside_the_picture(page)
    assert names
    assert [name for name in names if not re.match("[a-h][1-5]|.* in rotation ", name)] == []  # where the tile fits
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
    assert findings(page) == []
    lines = iter(read := outline(page))
    assert not [due for due in READ if not any(line.startswith(due) for line in lines)], read
    assert nameless(page) == []
    tab_to(page, ".choices.apart button")
    press(page, "Enter")
    assert focus(page) == "Sign and send"
    expect(page.locator("button.send:not([data-waits])")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="End all the same?")).to_contain_text("10 of 10 action points")
    assert focus(page) == "Sign and send all the same"
    assert findings(page) == []
    expect(page.locator("button.send:not([data-waits])")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Your move is logged as entry")).to_be_visible()
    assert page.evaluate("document.activeElement !== document.body")
    assert [command["do"] for command in logged(ann).commands] == ["place", "done"]


def test_a_wasteful_end_of_a_turn_is_asked_about_once(seated):
    """Nothing is signed at the first press; another draft is asked about anew, and a thrifty one is not."""
    ann, _ = seated("tikal")
    page = ann.page
    head = page.locator("#game").get_attribute("data-head")
    while not steps(page):
        choose(page)
    type_in(page, "done")
    asked = page.get_by_role("alert").filter(has_text="End all the same?")
    page.locator("button.send:not([data-waits])").click()
    expect(asked).to_be_visible()
    assert page.locator("#game").get_attribute("data-head") == head
    page.get_by_role("button", name="Undo").click()
    expect(asked).to_have_count(0)
    type_in(page, "done")
    page.locator("button.send:not([data-waits])").click()
    expect(asked).to_be_visible()
    send(page)
    assert [command["do"] for command in logged(ann).commands] == ["place", "done"]


def test_a_sealed_bid_is_visible_to_its_bidder_only(seated):
    """A long range of numbers is a stepper; the panel says that the others do not see the number."""
    ann, ben = seated("tikal", 360, options={"variant": "auction"})
    page = ann.page
    choose(page)
    page.get_by_role("spinbutton").fill("99")
    page.get_by_role("button", name="Choose").click()
    assert steps(page) == []
    page.get_by_role("spinbutton").fill("7")
    page.get_by_role("button", name="Choose").click()
    expect(page.locator("ol.plan .look code")).to_have_text(["bid 7"])
    told = page.locator(".brings").inner_text()
    mine, others = told.split("What other players see")
    assert "7" in mine
    assert "7" not in others
    send(page)
    line = page.get_by_role("status").filter(has_text="Your move is logged as entry")
    ink = page.locator("#panel").evaluate("(panel) => getComputedStyle(panel).color")
    expect(line).to_have_css("color", ink)  # in the style of good news, not of an error
    assert logged(ann).commands is None
    ben.sync()
    ben.move([ben.legal()[3]["command"]])
    expect(choices(page).first).to_be_visible()
    expect(line).to_have_text(re.compile(r"\. It is your turn again\.$"))
    asks_by_a_long_touch(page)


def test_a_mailed_plan_a_lost_answer_and_a_resignation(seated):
    """A mailed plan can be taken; an unanswered move is stored and sent again; resigning asks first."""
    ann, _ = seated("pig")
    page = ann.page
    mail_a_plan(ann, "roll")
    page.goto(f"{page.url}?plan=hold&notation=hold&typed=hold#hold")  # an address is not a plan
    expect(page.locator(".offered")).to_contain_text("draft move from your email reply")
    assert steps(page) == []
    page.get_by_role("button", name="Use it").click()
    expect(page.locator("ol.plan .look code")).to_have_text(["roll"])
    stored(page, ann)
    page.reload()
    expect(page.get_by_role("status").filter(has_text="draft move from this browser")).to_be_visible()
    expect(page.locator(".offered")).to_be_empty()
    page.route("**/moves", lambda route: route.abort())
    page.locator("button.send:not([data-waits])").click()
    again = page.get_by_role("button", name="Send again now")
    is_online_until(page, again)  # it is tried five times
    again.click()
    page.unroute("**/moves")
    is_online_until(page, page.get_by_role("status").filter(has_text="Your move is logged as entry"))
    page.get_by_text("Resignation", exact=True).click()
    page.get_by_role("button", name="Resign \u2026").click()
    page.locator(".answers-bar:not([aria-disabled])").get_by_role("button", name="Play on").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Resign \u2026").click()
    page.locator(".answers-bar:not([aria-disabled])").get_by_role("button", name="Resign").click()
    expect(page.locator("#stage")).to_contain_text("finished")
    expect(page.get_by_text("Resignation", exact=True)).to_be_hidden()


def test_a_reader_who_has_gone_on_keeps_the_focus_when_the_move_is_logged(seated):
    """It goes to the next choice only from the panel, or from the button that sent the move and is gone."""
    ann, _ = seated("pig")
    page, held = ann.page, []
    while not steps(page):
        choose(page)
    page.route("**/moves", lambda route, _: held.append(route))
    with page.expect_request("**/moves"):
        page.locator("button.send:not([data-waits])").click()
    tab = page.get_by_role("tab", name="Move")
    tab.focus()
    held[0].continue_()
    expect(page.get_by_role("status").filter(has_text="Your move is logged as entry")).to_be_visible()
    expect(tab).to_be_focused()


def test_a_resignation_that_is_confirmed_while_a_move_is_sent_comes_after_it(seated):
    """It was confirmed, so it may not get lost."""
    ann, _ = seated("pig")
    page, held = ann.page, []
    while not steps(page):
        choose(page)
    page.route("**/moves", lambda route, _: held.append(route))
    with page.expect_request("**/moves"):
        page.locator("button.send:not([data-waits])").click()
    page.get_by_text("Resignation", exact=True).click()
    page.get_by_role("button", name="Resign \u2026").click()
    page.locator(".answers-bar:not([aria-disabled])").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    held[0].continue_()
    expect(page.locator("#stage")).to_contain_text("finished")


OWN_KEY = "async (account) => (await (await import('/static/keys/device-key.js')).mine(account)).jwk"


def test_a_press_for_another_position_signs_nothing_once_the_device_is_approved(seated, visit):
    """The seat moves from its other device while the windows about the key are open."""
    ann, _ = seated("pig")
    page, sent = visit(ann.person), []
    page.on("request", lambda asked: asked.url.endswith("/moves") and sent.append(asked.post_data))
    page.goto(ann.page.url)
    while not steps(page):
        choose(page)
    page.locator("button.send:not([data-waits])").click()
    page.locator(".trouble").get_by_role("button", name="Approve this device").click()
    answers = page.locator(".answers-bar:not([aria-disabled])")
    answers.get_by_role("button", name="Play at new tables only").click()
    answers.get_by_role("button", name="Continue without it").click()
    expect(page.get_by_role("heading", name="No recovery code")).to_be_visible()
    ann.do("addKey", page.evaluate(OWN_KEY, ann.person.account))
    seq = ann.move({"do": "roll"})["seq"]
    expect(page.locator("#game")).to_have_attribute("data-head", str(seq))
    answers.get_by_role("button", name="Continue without a code").click()
    expect(page.get_by_role("alert").filter(has_text="Nothing was signed. The game has moved on.")).to_be_visible()
    expect(page.get_by_text("This device cannot sign moves for your seat yet.")).to_have_count(0)
    assert sent == []


HOSTILE = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"
 onload="f()"><script>f()</script><style>g{}</style><image href="http://example.org/a"/><use x:href="#a"/>
<a href="javascript:f()"><g/></a>
<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject><animate attributeName="href"/>
<g data-word="cell:a1" id="panel" class="send" style="fill:red" tabindex="0" onclick="f()"><title>a1</title>
<rect width="9" height="9" fill="url(http://example.org/b)" stroke="red" filter="url(#c)"/></g></svg>"""
KEPT = """async (text) => {
  const svg = (await import('/static/ui/svg.js')).imported(text);
  const all = [svg, ...svg.querySelectorAll('*')];
  return all.map((node) => [node.localName, ...[...node.attributes].map(({ name }) => name)].join(' '));
}"""


LIT = """async () => {
  const { imported } = await import('/static/ui/svg.js');
  const { Highlights } = await import('/static/turn/highlights.js');
  const square = (word) => `<g data-word="cell:${word}"><title>${word}</title><rect width="9" height="9"/></g>`;
  const figure = document.body.appendChild(document.createElement('figure'));
  figure.append(imported(`<svg xmlns="http://www.w3.org/2000/svg">${square('a1')}${square('a2')}</svg>`));
  const scene = Object.assign(new EventTarget(), { figure, svg: figure.firstChild, layer: 'now' });
  const highlights = new Highlights(scene);
  const chosen = [];
  const option = { word: 'a1', says: 'a1', marks: ['cell:a1', 'cell:a3'], seat: null, picks: [] };
  highlights.show([option], (one) => chosen.push(one.word));
  scene.dispatchEvent(new Event('drawn'));
  for (const one of figure.querySelectorAll('*')) one.dispatchEvent(new MouseEvent('click'));
  return [highlights.targets.map((one) => one.dataset.word), chosen];
}"""


ENDED = """async () => {
  const { Choices } = await import('/static/turn/choices.js');
  const { ask } = await import('/static/turn/command-tree.js');
  const part = document.body.appendChild(document.createElement('div'));
  const use = (typed, label) => ({ kind: 'use', says: 'Use the action.', closes: false, command: {}, label,
    notation: ['use', ...typed].join(' '), words: typed.map((word) => ({ word, kind: null })) });
  const list = [use([], 'Use the action once.'), use(['only', '0'], 'Use it for nothing.')];
  const picks = [{ kind: 'use' }];
  new Choices(part, { choose() {}, back() {} }).show(ask(list, picks), picks);
  return [...part.querySelectorAll('.choices button')].map((one) => one.innerText);
}"""


def test_an_optional_end_of_a_command_shows_its_effect(site, visit):
    """On the button, since a touch screen has no hover."""
    page = visit()
    page.goto(f"{site.url}/login")
    assert "DoneUse the action once." in page.evaluate(ENDED)


def test_the_picture_offers_legal_choices_only(site, visit):
    """Of all marks, only those in the list are highlighted and react to a click."""
    page = visit()
    page.goto(f"{site.url}/login")
    assert page.evaluate(LIT) == [["cell:a1"], ["a1"]]


def test_a_picture_is_sanitised(site, visit):
    """No script, style, address, handler, or id of the page's own parts; marks stay."""
    page = visit()
    page.goto(f"{site.url}/login")
    assert page.evaluate(KEPT, HOSTILE) == ["svg viewBox", "g data-word", "title", "rect width height stroke"]
