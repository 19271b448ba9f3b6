"""Every mail in a real browser at the width of a telephone and of a desktop: nothing is wider than the window."""

from __future__ import annotations

import html
import json
import re
import subprocess
from dataclasses import replace

import pytest

from tests.browser import program
from tests.kit.patience import PATIENCE
from tests.workers.letters import ADA, HOUSE, SAMPLES, over, your_turn
from workers.mail import guide_excerpt
from workers.mail.compose import compose

CHROMIUM = program.path()
WIDTHS = (390, 800)
MEASURE = "document.documentElement.scrollWidth"
BROKEN = """[...document.querySelectorAll("th, td")].filter(cell => {
  const words = document.createRange()
  words.selectNodeContents(cell)
  return words.getClientRects().length > cell.textContent.trim().split(" ").length
}).length"""


def worst():
    """Everything at its longest: names, sentences, a list of commands without spaces, the widest board."""
    facts, long = your_turn(), "x" * 60
    listing = "rest own " + "|".join(f"{seat}.{face}" for seat in range(60) for face in ("walk", "ride", "write"))
    table = replace(facts.table, since=("y" * 400,), picture=None, board="\n".join(["#" * 78] * 20))
    place = replace(facts.place, players=(long,) * 3, title=long)
    guides = "\n\n".join(map(guide_excerpt.of, ("tikal", "livingstone", "discoveries", "lewis_clark")))
    return replace(facts, table=table, legal=(listing,), clock_plays=listing, place=place, manual=guides)


def worst_over():
    """The table of points with five players with long names, and a picture that is not shown."""
    facts = over()
    points = tuple((f"{heading} and more", (123,) * 5) for heading, _ in facts.points)
    place = replace(facts.place, players=tuple("x" * 50 + str(seat) for seat in range(5)))
    table = replace(facts.table, standing=())
    return replace(facts, place=place, table=table, points=points, places=((0, 1), (2, 3), (4,)))


def page(facts) -> str:
    return compose(HOUSE, ADA, facts).get_body(("html",)).get_content()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason=f"no browser: {program.MISSING}")
def test_no_mail_is_wider_than_the_window(tmp_path):
    """At 390 and at 800 pixels; pictures are off, so that their text shows."""
    made = {name: page(sample()) for name, sample in (SAMPLES | {"worst": worst, "worst_over": worst_over}).items()}
    shown = [(name, width) for name in made for width in WIDTHS]
    wide = dict(zip(shown, measured(tmp_path, MEASURE, [(width, made[name]) for name, width in shown]), strict=True))
    assert {which: found for which, found in wide.items() if found > which[1]} == {}


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason=f"no browser: {program.MISSING}")
def test_the_points_of_five_players_break_no_word_on_a_telephone(tmp_path):
    """Each with a name of four letters, and with the words of a real game."""
    place = replace(over().place, players=("Adam", "Bert", "Cleo", "Dora", "York (bot)"))
    points = tuple((heading, (12,) * 5) for heading in ("columns", "market", "cards", "rows", "gems", "total"))
    facts = replace(over(), place=place, points=points, places=((0, 1), (2, 3), (4,)))
    facts = replace(facts, table=replace(facts.table, standing=()))
    assert measured(tmp_path, BROKEN, [(390, page(facts))]) == [0]


def measured(folder, script: str, pages: list[tuple[int, str]]) -> list[int]:
    """The number that this script finds in each page, at its width."""
    frames = "".join(
        f'<iframe width="{width}" height="900" srcdoc="{html.escape(one)}"></iframe>' for width, one in pages
    )
    run = f"""<script>onload = () => document.body.dataset.found = JSON.stringify(
      [...document.querySelectorAll("iframe")].map(one => (document => {script})(one.contentDocument)))</script>"""
    (folder / "all.html").write_text(f"<!doctype html><meta charset=utf-8><body>{frames}{run}", "utf-8")
    words = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}", "--dump-dom")
    ran = subprocess.run(
        (CHROMIUM, *words, (folder / "all.html").as_uri()), capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    found = re.search(r'data-found="(\[[\d,]*\])"', ran.stdout)
    assert found, ran.stderr[-500:]
    return json.loads(found[1])
