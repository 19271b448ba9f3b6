"""Sentences that are 40 % longer, as in another language (`tests/kit/longer.py`), break nothing except the known cases.

Each test takes the longer copy of the project; pictures are compared with those of the project as it is.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from engine.kit import width
from tests.browser import hands
from tests.browser.conftest import opened
from tests.browser.screenshots import PAGES, SETTLED
from tests.e2e.instance import ROOT
from tests.kit import installed, longer
from tests.kit.patience import PATIENCE
from tests.workers.letters import NOTE

pytestmark = pytest.mark.slow

COLUMNS = (  # too wide for another language: headings and margins of tables, which a catalogue has to abbreviate
    re.compile(r"cost [ 0-9]+ {3}eeaach moost"),  # Livingstone's points of a row
    re.compile(r" {4}[~<>a-z]+ too thee faalls"),  # and its river
    re.compile(r" +geems, uunsoold +caards  teents  laast"),  # and the headings of its seats
    re.compile(r"seeaat +pooiints  cooiins  cleeaar .* diiee"),
)
GAMES = ("livingstone", "tikal")
# Pairs of texts of a page that lie on each other: each is a node of text with the lines that it takes.
OVERLAPPING = """() => {
  const seen = ({ left, right, top, bottom }, box) => {  // words that a box cuts off do not overlap what is beyond it
    for (let one = box; one; one = one.parentElement) {
      if (getComputedStyle(one).overflowX === 'visible') continue;
      const edge = one.getBoundingClientRect();
      [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left, right, top, bottom };
  };
  const floats = (box) => {  // such as the foot, which lies over what scrolls
    for (let one = box; one; one = one.parentElement) {
      if (['sticky', 'fixed'].includes(getComputedStyle(one).position)) return true;
    }
    return false;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const lines = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    const shown = box.checkVisibility({ visibilityProperty: true }) && box.clientWidth !== 1;
    if (!shown || floats(box) || !node.data.trim()) continue;
    if (box.closest('svg, option, dialog:not([open]), [aria-hidden=true]')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) lines.push([node, seen(line, box)]);
  }
  const on = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5;
  return lines.flatMap(([one, a], place) => lines.slice(place + 1)
    .filter(([other, b]) => other !== one && on(a, b)).map(([other]) => `${one.data.trim()} | ${other.data.trim()}`));
}"""
# Of each text of a picture: the smallest shape around its middle that it is wider than, by the widths in pixels.
STICKING_OUT = """(svg) => {
  document.body.innerHTML = svg;
  const whole = document.querySelector('svg');
  whole.setAttribute('width', 1000);
  const edge = whole.getBoundingClientRect();
  const shapes = [...whole.querySelectorAll('rect, polygon')].map((shape) => shape.getBoundingClientRect());
  return [...whole.querySelectorAll('text')].map((text) => {
    const box = text.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const around = shapes.filter((one) => one.left < x && x < one.right && one.top < y && y < one.bottom);
    // Hexagons of one size overlap as boxes: the nearest counts.
    const area = (one) => Math.round((one.width * one.height) / 100);
    const off = (one) => Math.hypot((one.left + one.right) / 2 - x, (one.top + one.bottom) / 2 - y);
    const room = [edge, ...around].sort((a, b) => area(a) - area(b) || off(a) - off(b))[0];
    const out = Math.max(room.left - box.left, box.right - room.right);
    const beyond = Math.max(edge.left - box.left, box.right - edge.right);
    return { words: text.textContent, out: out > 1, beyond: beyond > 1 };
  });
}"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return longer.write(tmp_path_factory.mktemp("longer"))


@pytest.fixture(scope="module")
def drawn(copy):
    """The boards, pictures and mails of the copy."""
    return _drawn(copy)


def _drawn(folder):
    command = [sys.executable, "-m", "tests.kit.longer"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=PATIENCE, check=True)
    return json.loads(ran.stdout)


def test_longer_boards_have_78_columns(drawn):
    long = {line for board in drawn["boards"].values() for line in board.splitlines() if width(line) > 78}
    assert len(drawn["boards"]) > 50
    assert {line for line in long if not any(known.fullmatch(line) for known in COLUMNS)} == set()
    assert all(any(known.fullmatch(line) for line in long) for known in COLUMNS), "an exception that nothing needs"


def test_longer_mails_have_lines_of_78_columns(drawn):
    """Except for links and the signed checkpoint."""
    lines = {line for mail in drawn["text"].values() for line in mail.splitlines() if width(line) > 78}
    assert [line for line in lines if "https://" not in line and line not in NOTE.split("\n")] == []


def test_no_longer_mail_is_wider_than_a_telephone(drawn, visit):
    page = visit(width=390)
    for name, mail in drawn["html"].items():
        page.set_content(mail)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
        assert page.evaluate(OVERLAPPING) == [], name


def test_longer_words_stay_in_their_boxes_in_pictures(drawn, visit):
    """A text may stick out of a box only where the original text does so."""
    page, plain, found = visit(), _drawn(ROOT)["pictures"], {}
    for name, picture in drawn["pictures"].items():
        usual = page.evaluate(STICKING_OUT, plain[name])
        shown = page.evaluate(STICKING_OUT, picture)
        out = sum(one["out"] for one in usual)
        said = [one["words"] for one in shown if one["beyond"]]
        if sum(one["out"] for one in shown) > out:
            same = {one["words"] for one in usual if one["out"]}
            said += [one["words"] for one in shown if one["out"] and one["words"] not in same]
        found.setdefault(name.partition("/")[0], set()).update(said)
    assert {game: words for game, words in found.items() if words} == {}


@pytest.fixture
def longer_site(copy, tmp_path):
    with opened(tmp_path / "house", packages={"PYTHONPATH": f"{copy}:{installed.FOLDER}"}) as site:
        yield site


def test_longer_pages_fit_a_small_screen(longer_site, visit, tmp_path):
    """No page is wider, and no words overlap: for players, with and without a seat, and signed out."""
    site, ada, ben = longer_site, longer_site.person("Ada"), longer_site.person("Ben")
    played, free = [], []
    for key in GAMES:
        game = hands.table(ada, key, 2)
        for person in (ada, ben):
            hands.program(person, game, tmp_path).join()
        played.append(f"/games/{game}")
        free.append(f"/games/{hands.table(ben, key, 2)}")
    guides = [f"/play/{key}" for key in GAMES]
    signed_in, stranger = [*PAGES.values(), *played, *free, *guides], ["/", "/tables", "/login", *played]
    for person, paths in ((ada, signed_in), (None, stranger)):
        page = visit(person, width=360)
        for path in paths:
            page.goto(site.url + path)
            expect(page.locator("main h1").first).to_be_visible()
            page.wait_for_function(SETTLED)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
            assert page.evaluate(OVERLAPPING) == [], path
    page.goto(site.url)
    expect(page.get_by_role("heading", name="Sloow gaamees")).to_be_visible()  # the copy was tested
