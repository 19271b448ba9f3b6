"""Three months of a table of four people and a house player, through pages and mails only.

They are invited, sit down, talk, go on holiday, pause, lose a player and find another, hand a seat over, finish the
game and play again.
`--pictures FOLDER` keeps every page, and a mail of each kind.
"""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.months import Months, Somebody, opened
from tests.browser.story import Story
from tests.workers.replies.post import plain

THREE_MONTHS = timedelta(days=91)


@pytest.fixture
def months(browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config):
    kept = pytestconfig.getoption("--pictures")
    if kept is None:  # they are tested elsewhere, and take most of the time
        monkeypatch.setattr("workers.mail.near.png", lambda _: None)
    with opened(tmp_path, browser, monkeypatch, None if kept is None else Path(kept)) as found:
        yield found


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_four_people_and_a_house_player_play_three_months_by_pages_and_mails(months: Months):
    story = Story(months)
    begins = months.post.time
    opens_and_invites(story)
    joins(story)
    talks(story)
    goes_on_holiday(story)
    pauses(story)
    pauses_together(story)
    assert story.expired == 0
    vanishes(story)
    comes_back(story)
    vanishes(story)
    eve = replaces(story)
    hands_over(story, eve)
    ends(story)
    plays_again(story)
    story.play(days=max(2, (begins + THREE_MONTHS - months.post.time).days))
    story.ada.go(story.path, "plays-again")
    assert story.status == "running"


# --- The first week ---------------------------------------------------------------------------------------------------


def opens_and_invites(story: Story) -> None:
    """Ada opens a table with a seat for a house player, and invites one by handle and two by address."""
    ada, dee = story.ada, story.dee
    story.months.add_house("York")
    for one in (dee, ada):
        one.sign_in()
    dee.go("/account", "account")
    handle = re.search(r"/players/(\w+)", dee.page.content())[1]
    page = ada.go("/tables/new?type=livingstone", "new-table")
    page.get_by_label("Seats").select_option("5")
    page.get_by_label("Seat 5").select_option(label="house player, easy")
    page.get_by_label("Rest days").select_option(label="Saturdays and Sundays")
    page.get_by_text("More settings").click()
    page.get_by_label("Accept unsigned moves by email").check()
    ada.press("Open the table")
    ada.keep_code()
    expect(page.get_by_role("heading", name="Before the start")).to_be_visible()
    story.game = page.url.rpartition("/")[2]
    for to in ("ben@example.org", "cy@example.org", handle):
        ada.go(story.path)
        page.get_by_label("Invite a player by handle or email address").fill(to)
        page.get_by_role("button", name="Invite", exact=True).last.click()
    ada.go(story.path, "invited")
    story.months.work()


def joins(story: Story) -> None:
    """Each by the link in the invitation; the last one starts the game."""
    for one in (story.ben, story.cy, story.dee):
        one.go(one.link("/i/"), "invitation")
        if one is story.dee:
            one.press("Go to the table")
        else:
            one.press("Join the table")
            one.sign_in("")
        one.look("table")
        one.sit_down("Join")
        story.months.work()
    story.find_seats(story.ada, story.ben, story.cy, story.dee)
    assert story.status == "running"
    story.play(days=4)


def talks(story: Story) -> None:
    """Ada on the page, Ben in a reply; and the game goes on."""
    page = story.ada.go(story.path)
    story.ada.tab("Table")
    page.get_by_label("Write to the table").fill("Welcome, everybody!\nI play mostly in the evening.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Welcome, everybody!")).to_be_visible()
    story.ada.look("talk")
    assert story.ben.reply("say\nThanks, Ada. No hurry.\n") == ["said"]
    story.play(days=3)


# --- Holiday and pauses -----------------------------------------------------------------------------------------------


def goes_on_holiday(story: Story) -> None:
    """Dee is to move and announces five days: the clock stands still, and the others see until when."""
    dee = story.dee
    story.play_until(dee)
    page = dee.go("/holidays", "holidays")
    page.get_by_label("Now", exact=False).check()
    page.get_by_label("Days", exact=True).fill("5")
    dee.press("Announce the holiday")
    expect(page.get_by_role("button", name="End the holiday")).to_be_visible()
    dee.look("on-holiday")
    story.months.work()
    story.ada.go(story.path)
    story.ada.tab("Table")
    story.ada.look("holiday-of-another")
    story.months.later(days=4)
    dee.go(story.path, "owes-on-holiday")
    assert story.expired == 0
    story.move_next()
    story.play(days=3)


def pauses(story: Story) -> None:
    """Ada, the host, for five days, longer than anybody has for a move."""
    ada = story.ada
    page = ada.go(story.path)
    ada.tab("Table")
    ada.look("may-pause")
    page.locator("#pause-days").fill("5")
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_text("The game is paused").first).to_be_visible()
    ada.look("paused")
    story.months.later(days=5)
    story.play(days=3)


def pauses_together(story: Story) -> None:
    """Ben asks all for a week; it begins when the last of the people agrees, and then the game goes on."""
    page = story.ben.go(story.path)
    story.ben.tab("Table")
    page.get_by_text("Pause the game together").click()
    page.locator("#pause-all").fill("7")
    story.ben.press("Ask for a pause")
    story.months.work()
    for one in (story.ada, story.cy, story.dee):
        one.go("/", "wish-waits")
        page = one.go(story.path)
        one.tab("Table")
        one.look("wish-to-pause")
        one.press("Agree to pause")
        story.months.work()
    expect(page.get_by_text("The game is paused").first).to_be_visible()
    one.look("paused-together")
    story.months.later(days=7)
    story.play(days=3)


# --- Somebody vanishes ------------------------------------------------------------------------------------------------


def vanishes(story: Story) -> None:
    """Cy answers no more: the clock plays twice, and from then on the seat can be taken."""
    cy, before = story.cy, story.expired
    story.away.add(cy)
    while not story.row(cy).absent:
        story.play(days=1)
        assert story.status == "running"
    assert story.expired == before + 2
    story.ada.go(story.path)
    story.ada.tab("Table")
    story.ada.look("absent")


def comes_back(story: Story) -> None:
    """Cy follows the mail to the page and is back with one press, whoever is to move."""
    cy = story.cy
    assert any("you count as absent" in plain(one) for one in cy.mails[-3:])
    cy.go(cy.link(story.path), "counts-as-absent")
    cy.page.get_by_role("link", name="Come back").click()
    cy.look("may-come-back")
    cy.press("I am back")
    expect(cy.page.get_by_role("button", name="I am back")).to_have_count(0)
    assert not story.row(cy).absent


def replaces(story: Story) -> Somebody:
    """Eve finds the table in the list, takes the seat, reads the talk from the beginning, and plays on."""
    eve = Somebody(story.months, "Eve")
    eve.sign_in()
    page = eve.go("/tables?status=running", "tables")
    page.locator(f"a[href='{story.path}']").first.click()
    eve.tab("Table")
    eve.look("seat-to-take")
    eve.sit_down("Take the seat")
    story.months.work()
    page = eve.go(story.path)
    eve.tab("Table")
    expect(page.get_by_text("Welcome, everybody!")).to_be_visible()
    eve.look("seat-taken")
    story.find_seats(story.ada, story.ben, story.dee, eve)
    story.cy.go(story.path, "seat-lost")
    return eve


def hands_over(story: Story, eve: Somebody) -> None:
    """Eve cannot go on and offers the seat; Cy, who may hold it again, takes it when the offer has waited."""
    page = eve.go(story.path)
    eve.tab("Table")
    page.get_by_text("Offer your seat").click()
    eve.look("may-offer")
    eve.press("Offer the seat")
    expect(page.get_by_role("heading", name="Your seat is offered")).to_be_visible()
    eve.look("offered")
    story.months.work()
    free = story.row(eve).free_from
    assert free is not None
    story.months.later(seconds=(free - story.time).total_seconds())
    story.cy.go(story.path)
    story.cy.tab("Table")
    story.cy.look("offered-seat")
    story.cy.press("Take the seat")  # with the same key as before, and the same consent
    expect(story.cy.page.get_by_role("button", name="Take the seat")).to_have_count(0)
    story.months.work()
    story.find_seats(story.ada, story.ben, story.dee, story.cy)
    story.away.remove(story.cy)
    assert "Your seat was taken" in eve.subjects[-1]


# --- The end, and once more -------------------------------------------------------------------------------------------


def ends(story: Story) -> None:
    """They play to the end without a default move, and each gets the result."""
    before = story.expired
    while story.status == "running":
        story.play(days=1)
    assert story.status == "finished"
    assert story.expired == before
    story.months.later(hours=1)
    for one in story.plays.values():
        assert "Your game of Livingstone has finished." in plain(one.mails[-1])
    story.ada.go(story.ada.link(story.path), "result")


def plays_again(story: Story) -> None:
    """Ada presses Rematch, all others follow the link in their mail, and the next game begins."""
    story.ada.press("Rematch")
    story.ada.page.wait_for_url(lambda url: story.game not in url)
    story.game = story.ada.page.url.rpartition("/")[2].partition("#")[0]
    story.ada.look("rematch")
    story.months.work()
    for one in (story.ada, story.ben, story.dee, story.cy):
        one.go("/", "rematch-waits")
        if one is story.ada:
            one.go(story.path)
        else:
            one.go(one.link("/i/"), "rematch-invitation")
            one.press("Go to the table")
        one.sit_down("Join")
        story.months.work()
    assert story.status == "running"
    story.find_seats(story.ada, story.ben, story.dee, story.cy)
