"""A table of four people and a house player, through pages and mails only: invited, seated, played by mail, talked.

`--pictures FOLDER` keeps every page, and a mail of each kind.
"""

from __future__ import annotations

import random
import re
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from playwright.sync_api import expect

from engine.kit import format_steps
from server.kernel.db.models import Account, Game, Seat
from tests.browser.months import Months, Somebody, opened
from tests.year.world import thought


@pytest.fixture
def months(browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config):
    kept = pytestconfig.getoption("--pictures")
    if kept is None:  # they are tested elsewhere, and take most of the time
        monkeypatch.setattr("workers.mail.picture.png", lambda _: None)
    with opened(tmp_path, browser, monkeypatch, None if kept is None else Path(kept)) as found:
        yield found


class Story:
    """The table, and the people who play there by answering mails."""

    def __init__(self, months: Months) -> None:
        self.months, self.dice = months, random.Random("three months")
        self.ada, self.ben, self.cy, self.dee = (Somebody(months, name) for name in ("Ada", "Ben", "Cy", "Dee"))
        self.game = ""
        self.plays: dict[int, Somebody] = {}

    @property
    def path(self) -> str:
        return f"/games/{self.game}"

    def row(self, seat: int) -> Seat:
        return self.months.post.seat(self.game, seat)

    @property
    def status(self) -> str:
        with self.months.post.services.database.read() as session:
            return session.get_one(Game, self.game).status

    def find_seats(self, *people: Somebody) -> None:
        """Find the seat of each of these people."""
        held = sa.select(Account.email, Seat.seat).join(Seat, Seat.account_id == Account.id)
        with self.months.post.services.database.read() as session:
            seats = dict(session.execute(held.where(Seat.game_id == self.game)).all())
        self.plays = {seats[one.address]: one for one in people}

    # --- Playing by mail --------------------------------------------------------------------------------------------

    def play(self, **span: float) -> None:
        """For so long, everybody who owes a move answers the mail about it."""
        until = self.months.post.time + timedelta(**span)
        while self.months.post.time < until and self.status == "running":
            for seat, one in self.plays.items():
                if self.status == "running":
                    self.move(seat, one)
            self.months.later(days=1)

    def move(self, seat: int, one: Somebody) -> None:
        """Answer until somebody else is asked, or a draw needs another mail."""
        if self.row(seat).question_seq is None or not any(mail["Reply-To"] for mail in one.mails):
            return
        table = self.months.post.table(self.game)
        did = one.reply(format_steps(thought(table, seat, self.dice)).replace("; ", "\n") + "\n")
        assert did == ["played"], (one.name, did, one.mails[-1].get_body(("plain",)).get_content())


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_four_people_and_a_house_player_meet_and_play_by_pages_and_mails(months: Months):
    story = Story(months)
    opens_and_invites(story)
    joins(story)
    talks(story)
    assert "expired" not in months.post.kinds(story.game)


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
