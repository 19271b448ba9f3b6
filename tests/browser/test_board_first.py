"""Board first: a tap on a place shows what can be done there and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import axe
from tests.browser.panel import choices, focus, has_plan, others_turn, press, settled, steps, tab_to

pytestmark = pytest.mark.slow


def place(page: Page, word: str) -> Locator:
    """Something on the picture that can be chosen."""
    return page.locator(f"g.lit [role=button][data-word~='{word}']").first


def tap(page: Page, word: str) -> None:
    place(page, word).click()
    settled(page)


def narrowed(page: Page, words: str) -> None:
    expect(page.locator(".narrowed [role=status]")).to_contain_text(words)


def all_choices(page: Page) -> Locator:
    return page.get_by_role("button", name="All choices")


@pytest.fixture
def walking(seated):
    """Tikal; Ann has two explorers in the base camp, and tiles lie beside it."""
    ann, ben = seated("tikal")
    game = f"/v1/games/{ann.game}"
    api = ann.person.session.api
    while not [one for one in api.get(f"{game}/legal").value if one["kind"] == "walk"]:
        first = api.get(f"{game}/legal").value[0]
        ann.move(first["command"]) if first["kind"] == "place" else ann.move({"do": "enter", "cell": "a1"})
    ann.page.reload()
    expect(choices(ann.page).first).to_be_visible()
    return ann, ben


def test_a_piece_shows_what_it_can_do_and_then_where(walking):
    """Two taps move it. In between only what concerns the place can be chosen, on the board and beside it."""
    ann, _ = walking
    page = ann.page
    legal = ann.person.session.api.get(f"/v1/games/{ann.game}/legal").value
    walk = next(one for one in legal if one["kind"] == "walk")
    start, goal = (word["word"] for word in walk["words"][1:3])
    tap(page, f"cell:{start}")
    narrowed(page, "for ")
    expect(place(page, f"cell:{start}")).to_have_attribute("aria-pressed", "true")
    expect(choices(page).filter(has_text="done")).to_have_count(0)
    expect(all_choices(page)).to_be_visible()
    assert axe.findings(page) == []
    tap(page, f"cell:{goal}")
    if not steps(page):  # the leader could go as well
        choices(page).first.click()
    has_plan(page, walk["notation"])
    expect(all_choices(page)).to_have_count(0)
    expect(page.locator(".narrowed [role=status]")).to_be_empty()
    page.get_by_role("button", name="Undo").click()
    has_plan(page)


def test_other_colours_of_the_device_keep_what_was_chosen(walking):
    """The board is drawn anew in them, and so is a draft."""
    ann, _ = walking
    page = ann.page
    paper = page.locator("#picture svg > rect").first
    tap(page, "cell:a1")
    light = paper.get_attribute("fill")
    page.emulate_media(color_scheme="dark")
    expect(paper).not_to_have_attribute("fill", light)
    expect(place(page, "cell:a1")).to_have_attribute("aria-pressed", "true")
    narrowed(page, "for ")
    choices(page).filter(has_text="enter").first.click()
    has_plan(page, "enter a1")
    dark = paper.get_attribute("fill")
    page.emulate_media(color_scheme="light")
    expect(paper).to_have_attribute("fill", light)
    assert dark != light
    has_plan(page, "enter a1")


def test_one_press_leads_back_to_all_choices(walking):
    """The button, the escape key, and the place itself; the focus comes back to the place."""
    ann, _ = walking
    page = ann.page
    every = choices(page).count()
    tap(page, "cell:a1")
    assert choices(page).count() < every
    all_choices(page).click()
    expect(choices(page)).to_have_count(every)
    tap(page, "cell:a1")
    page.keyboard.press("Escape")
    expect(choices(page)).to_have_count(every)
    expect(place(page, "cell:a1")).to_be_focused()
    tap(page, "cell:a1")
    tap(page, "cell:a1")
    expect(choices(page)).to_have_count(every)


def test_places_are_chosen_by_keys(walking):
    """The picture is one stop; enter shows the choices of the place and focuses the first; it is announced."""
    ann, _ = walking
    page = ann.page
    tab_to(page, "g.lit [role=button]", back=True)
    assert page.locator("g.lit [tabindex='0']").count() == 1
    here = focus(page)
    press(page, "Enter")
    narrowed(page, here.rstrip("."))
    expect(choices(page).first).to_be_focused()


def test_the_only_command_of_a_place_is_taken_into_the_draft(seated):
    """A card of Lewis & Clark can only go under the one just played; nothing is signed, and undo takes it back."""
    ann, _ = seated("lewis_clark")
    page = ann.page
    tap(page, "card:hunter")
    if not steps(page):  # a recruit could take it as well
        choices(page).filter(has_text="play hunter").click()
    has_plan(page, "play hunter")
    tap(page, "card:commander")
    has_plan(page, "play hunter", "under commander")
    page.get_by_role("button", name="Undo").click()
    has_plan(page, "play hunter")


def test_the_choice_of_a_place_ends_with_its_question(walking: Any):
    """Another's entry is a new question."""
    ann, ben = walking
    page = ann.page
    tap(page, "cell:a1")
    narrowed(page, "for ")
    before = page.locator("#game").get_attribute("data-head")
    ben.sync()
    ben.offer()
    expect(page.locator("#game")).not_to_have_attribute("data-head", before or "")
    expect(all_choices(page)).to_have_count(0)
    others_turn(ann, ben)


def test_a_tile_is_turned_on_the_spot(seated):
    """The first tap lays it, each further tap turns it to the next rotation that fits, round to the first."""
    ann, _ = seated("tikal")
    page = ann.page
    legal = ann.person.session.api.get(f"/v1/games/{ann.game}/legal").value
    cell, ways = next((cell, ways) for cell, ways in rotations(legal).items() if len(ways) > 1)
    for way in (*ways, ways[0]):
        tap(page, f"cell:{cell}")
        has_plan(page, way)
    assert place(page, f"cell:{cell}").get_attribute("aria-label").startswith("Turn the tile.")
    page.get_by_role("button", name="Undo").click()
    has_plan(page, ways[-1])
    place(page, f"cell:{cell}").focus()
    press(page, "Enter")
    has_plan(page, ways[0])
    expect(place(page, f"cell:{cell}")).to_be_focused()


def rotations(legal: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The notations of each cell's placements, in the order of the list."""
    found: dict[str, list[str]] = {}
    for one in legal:
        found.setdefault(one["command"]["cell"], []).append(one["notation"])
    return found
