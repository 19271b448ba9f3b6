"""The turn page for watchers: live news, earlier positions, zooming the picture, no script."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import expect

from client.http import NoAnswerError
from tests.browser import axe, hands

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def people(site):
    return [site.person(name) for name in ("Ada", "Ben")]


@pytest.fixture
def game(site, people, tmp_path):
    """A running game, with programs as players."""
    return seated(people, "pig", tmp_path)


def seated(people, key, folder, **chosen):
    """Players at a table that has begun."""
    number = hands.table(people[0], key, len(people), **chosen)
    players = [hands.program(person, number, folder) for person in people]
    for seat, player in enumerate(players):
        player.join(seat)
    return players


def move(players, notation=None):
    """The seat that owes a move makes this one, or the first legal one."""
    mover = players[awaited(players)]
    mover.sync()
    legal = mover.legal()
    mover.move([next((one for one in legal if one["notation"] == notation), legal[0])["command"]])
    return mover


def awaited(players):
    return players[0].api.get(f"/v1/games/{players[0].game}").value["active"][0]


def opened(page, site, players, more=""):
    page.goto(f"{site.url}/games/{players[0].game}{more}")
    expect(page.locator("#picture svg")).to_be_visible()
    return page


def head(players):
    return players[0].api.get(f"/v1/games/{players[0].game}").value["head"]["seq"]


# --- live ---------------------------------------------------------------------------------------------------------


def test_the_stream_updates_the_page_and_its_title(site, visit, people, game):
    """The log, the player to move, the board and the title, without a press; open parts stay open."""
    while awaited(game) == 1:
        move(game, "hold")
    ben = visit(people[1])
    ben.route(f"**/v1/games/{game[0].game}", lambda route: route.abort())  # a page without a stream polls here
    opened(ben, site, game)
    expect(ben).to_have_title(re.compile("^Pig"))
    while awaited(game) == 0:
        move(game, "hold")
    expect(ben.locator(f"#entry-{head(game)}")).to_be_attached()
    expect(ben).to_have_title(re.compile("Your turn · "))
    expect(ben.get_by_text("It is your turn", exact=True)).to_be_visible()
    expect(ben.locator("#news")).to_have_text(re.compile(r"^Ada .*\. It is your turn\.$"))  # read aloud by itself
    expect(ben.locator("#board")).to_have_text(game[1].view()["board"], use_inner_text=True)
    took = [seconds_until_shown(ben, game) for _ in range(5)]
    print("\nfrom the commit to the page:", *(f"{one:.2f}" for one in took), "s")  # noqa: T201 - told by -s
    while awaited(game) == 1:
        move(game, "hold")
    narrow = opened(visit(people[1], width=360), site, game)  # while it is another's turn
    while awaited(game) == 0:
        move(game, "hold")
    expect(narrow.get_by_role("button", name="roll")).to_be_visible()
    expect(narrow.get_by_role("tab", name="Move")).to_have_attribute("aria-selected", "true")


def seconds_until_shown(page, players):
    """Seconds from the answer to a move until its entry is on somebody's page."""
    move(players)
    begun = time.monotonic()
    page.wait_for_selector(f"#entry-{head(players)}", state="attached")
    return time.monotonic() - begun


def test_the_page_survives_a_restart_of_the_server(site, visit, game):
    """The stream and the web server are killed and come back: the page goes on by itself."""
    page = opened(visit(), site, game)
    with page.expect_request(lambda asked: "/events" in asked.url):
        for one in site.house.named("gunicorn") + site.house.named("events"):
            with suppress(psutil.NoSuchProcess):
                one.kill()
    moved(game)
    expect(page.locator(f"#entry-{head(game)}")).to_be_visible()
    expect(page.locator("#connection")).to_be_hidden()


def moved(players):
    """As soon as the server answers again."""
    while True:
        try:
            return move(players)
        except NoAnswerError:
            continue


def test_of_all_tabs_of_a_browser_one_holds_the_stream(site, visit, people, game):
    """It informs the others; when it is closed another one takes over, and nothing is missed."""
    first = opened(visit(people[0]), site, game)
    streams = []
    first.context.route(f"**/v1/games/{game[0].game}", lambda route: route.abort())  # none of them asks
    second = first.context.new_page()
    second.on("request", lambda asked: asked.url.endswith("events") or streams.append(asked.url))
    opened(second, site, game)
    move(game)
    expect(second.locator(f"#entry-{head(game)}")).to_be_attached()
    assert not [one for one in streams if "/events" in one]
    with second.expect_request(lambda asked: "/events" in asked.url):
        first.close()
    move(game)
    expect(second.locator(f"#entry-{head(game)}")).to_be_attached()


ASKED = "(url) => performance.getEntriesByName(url).map(({ startTime }) => startTime)"


def test_without_streams_a_page_polls_after_the_given_delay(site, visit, people, game):
    """The page obeys 503 with Retry-After; then the news arrive."""
    page, url = visit(), f"{site.url}/v1/games/{game[0].game}"
    full = {"status": 503, "headers": {"Retry-After": "6"}, "body": ""}  # by itself it would ask sooner
    page.route("**/events*", lambda route: route.fulfill(**full))
    page.route(url, lambda route: route.fulfill(**full))
    opened(page, site, game)
    expect(page.locator("#connection")).to_be_visible()
    page.unroute(url)
    move(game)
    expect(page.locator(f"#entry-{head(game)}")).to_be_visible()
    expect(page.locator("#connection")).to_be_hidden()
    first, second, *_ = page.evaluate(ASKED, url)
    assert second - first >= 6000


def test_a_page_that_was_offline_catches_up(site, visit, game):
    """It says at once that the server cannot be reached, until it is up to date."""
    page = opened(visit(), site, game)
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_be_visible()
    move(game)
    page.context.set_offline(False)
    expect(page.locator(f"#entry-{head(game)}")).to_be_visible()
    expect(page.locator("#connection")).to_be_hidden()


def test_a_network_that_comes_and_goes_makes_one_request(site, visit, game):
    """Until that one is answered: others would keep a signed move waiting behind them."""
    page, held = opened(visit(), site, game), []
    page.route(f"**/v1/games/{game[0].game}", lambda route, _: held.append(route))
    page.evaluate("for (let time = 0; time < 9; time += 1) dispatchEvent(new Event('online'))")
    page.evaluate("async () => (await fetch('/healthz')).ok")  # whatever was requested before has come to the route
    assert len(held) == 1
    held[0].continue_()


def test_over_plain_http_from_another_machine_pages_can_be_read(site, visit, game):
    """A browser there has neither keys nor locks: nothing fails, and the page polls for news."""
    page, far, wrong = visit(), "http://players.example", []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    here = lambda asked: site.url + urlsplit(asked.url).path  # noqa: E731
    page.route(f"{far}/**", lambda route: route.fulfill(response=route.fetch(url=here(route.request))))
    page.goto(f"{far}/games/{game[0].game}")
    expect(page.locator("#picture svg")).to_be_visible()
    assert page.evaluate("[isSecureContext, navigator.locks === undefined]") == [False, True]
    move(game)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(f"#entry-{head(game)}")).to_be_visible()
    assert wrong == []


# --- looking back, near and far -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(site, people, tmp_path_factory):
    """A hidden game, a few moves long."""
    players = seated(people, "livingstone", tmp_path_factory.mktemp("played"))
    for _ in range(8):
        move(players)
    return players


def test_a_slider_leads_through_the_game(site, visit, played):
    """By keys and buttons, to a seat's turns, playing by itself; each position has its own address."""
    page = opened(visit(), site, played)
    slider, last = page.get_by_role("slider", name="Entry to show"), head(played)
    now = page.locator("#board").inner_text()
    slider.focus()
    slider.press("Home")
    expect(page.get_by_role("heading", name=f"Position after entry 3 of {last}")).to_be_visible()
    board = site.api.get(f"/v1/games/{played[0].game}/view?at=3").value["board"]
    expect(page.locator("#board")).to_have_text(board, use_inner_text=True)
    slider.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"\?at=4$"))
    page.get_by_label("Step by").select_option(label="turns of Ben")
    page.get_by_role("button", name="Next", exact=True).click()
    turns = re.findall(r"(\d+):1", page.locator("#turns").text_content())
    expect(page).to_have_url(re.compile(rf"\?at={next(seq for seq in turns if int(seq) > 4)}$"))
    there = page.url
    page.get_by_role("button", name="Latest position").click()
    expect(page.locator("#board")).to_have_text(now, use_inner_text=True)
    page.goto(there)
    expect(page.get_by_role("heading", name="Position after entry")).to_be_visible()
    slider.press("End")
    slider.press("ArrowLeft")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("heading", name="Position", exact=True)).to_be_visible()


WORDS = """() => {
  const heights = [...document.querySelectorAll("#picture text")].map((one) => one.getBoundingClientRect().height);
  return heights.sort((one, other) => one - other)[Math.floor(heights.length / 4)];
}"""


FRAMES = "() => new Promise((keep) => requestAnimationFrame(() => requestAnimationFrame(keep)))"


def test_a_picture_is_zoomed_and_moved(site, visit, played):
    """By buttons, keys and a drag, which chooses nothing; on a narrow screen it opens large enough to read."""
    page = opened(visit(width=360, height=740, has_touch=True), site, played)
    shown = lambda: [float(one) for one in page.locator("#picture svg").get_attribute("viewBox").split()]  # noqa: E731
    opens = shown()
    assert page.evaluate(WORDS) >= 10  # px: as wide as the screen
    page.get_by_role("button", name="Look back").click()
    page.get_by_role("slider", name="Entry to show").press("Home")
    expect(page.locator("#picture[data-layer=past]")).to_be_visible()
    assert shown()[1] == opens[1]  # the top stays in sight, though another picture is longer
    for height in (1400, 740):
        page.set_viewport_size({"width": 360, "height": height})
        page.wait_for_function("height => innerHeight === height", arg=height)
        page.evaluate(FRAMES)  # until the page has seen it
    assert shown()[1] == opens[1]
    page.get_by_role("button", name="Latest position").click()
    expect(page.locator("#picture[data-layer=now]")).to_be_visible()
    page.get_by_role("button", name="Fit the whole picture").click()
    whole = shown()
    assert whole[2] > opens[2]
    page.get_by_role("button", name="Zoom in").click()
    figure = page.get_by_role("figure")
    figure.focus()
    for _ in range(2):  # until it is wider than the figure, however high that is
        figure.press("+")
    near = shown()
    assert near[2] < whole[2] / 1.9
    figure.press("ArrowRight")
    assert shown()[0] > near[0]
    box, clicks = page.locator("#picture svg").bounding_box(), page.evaluate("window.clicks = []; 0")
    page.evaluate("document.getElementById('picture').addEventListener('click', () => clicks.push(1))")
    before = shown()
    pinches(page, box, 40, 90)
    assert shown()[2] < before[2] / 1.5
    pinches(page, box, 90, 40)
    for _ in range(3):
        figure.press("+")
    before = shown()
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 150, steps=4)
    page.mouse.up()
    assert shown()[0] > before[0]
    assert page.evaluate("clicks.length") == clicks
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def pinches(page, box, begin, end):
    """Two fingers, so far from the middle at first and so far in the end."""
    fingers = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(kind, far):
        points = [{"x": x - far, "y": y, "id": 0}, {"x": x + far, "y": y, "id": 1}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points if far else []})

    touch("touchStart", begin)
    for part in (0.25, 0.5, 0.75, 1):
        touch("touchMove", begin + part * (end - begin))
    touch("touchEnd", 0)


def test_the_title_of_a_thing_is_shown_below_the_picture(site, visit, played):
    """For the element under the mouse, and after a long touch."""
    page = opened(visit(), site, played)
    marked = page.locator("#picture svg [data-word]").first
    marked.hover(force=True)
    hint = page.locator(".hint")
    expect(hint).not_to_be_empty()
    says = hint.inner_text()
    page.get_by_role("heading", level=1).hover()
    page.evaluate("document.querySelector('.hint').textContent = ''")
    box, finger = marked.bounding_box(), page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(hint).to_have_text(says)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


# --- for everybody --------------------------------------------------------------------------------------------------


def test_times_are_in_the_readers_zone_by_the_servers_clock(site, visit, people, game):
    """Although the device's clock is an hour off. Strangers are told no time left, since a holiday would show."""
    page = visit(people[0], timezone_id="Asia/Tokyo")
    page.clock.set_system_time(int(time.time()) + 3600)
    opened(page, site, game)
    assert "GMT+9" in page.locator(".log time").first.inner_text()
    assert "UTC" in page.locator(".log time").first.get_attribute("title")
    left = page.locator("#stage .left").inner_text()
    assert left in ("3 days 12 hours left", "3 days 11 hours left")


def test_without_a_script_the_page_can_be_read(site, visit, played):
    """Board, picture, log, guide, checkpoint, and the links to earlier positions."""
    page = visit(java_script_enabled=False)
    page.goto(f"{site.url}/games/{played[0].game}")
    assert page.locator("#picture img").evaluate("image => image.naturalWidth") > 100
    parts = ["Position", "Log", "To move", "Players", "Record"]
    read = page.get_by_role("main").get_by_role("heading", level=2).all_inner_texts()
    assert [one for one in read if one in parts] == parts  # in the order in which they are read aloud
    page.get_by_role("link", name="Previous", exact=True).click()
    expect(page.get_by_role("heading", name=f"Position after entry {head(played) - 1} of")).to_be_visible()
    page.get_by_text("How to play", exact=True).click()
    expect(page.get_by_role("heading", name="What to type")).to_be_visible()
    expect(page.get_by_text("Signed checkpoint", exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_on_the_turn_page(site, visit, people, played, game, width):
    """While watching, playing and looking back; nothing is wider than the screen."""
    page = visit(people[awaited(game)], width=width)
    for players, more in ((played, ""), (game, ""), (played, "?at=5")):
        opened(page, site, players, more)
        assert axe.findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
