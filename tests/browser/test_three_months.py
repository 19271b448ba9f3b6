"""Three months at a table of four people and a house player, through pages and mails only.

Invited, talked, on holiday, paused by the host and by all, vanished and replaced, finished, and once more.
`--pictures FOLDER` keeps every page and every mail.
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
from engine.record.audit import audit
from server.kernel.db.models import Game, Seat
from tests.browser.months import Months, Somebody, opened
from tests.workers.harness import about
from tests.year.world import thought

HALF_A_DAY = timedelta(hours=12)
MOST = 400  # half days


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
        self.eve = Somebody(months, "Eve", 1280)
        self.game = ""
        self.plays: dict[int, Somebody] = {}
        self.silent: set[str] = set()

    @property
    def path(self) -> str:
        return f"/games/{self.game}"

    def row(self, seat: int) -> Seat:
        return self.months.post.seat(self.game, seat)

    @property
    def status(self) -> str:
        with self.months.post.services.database.read() as session:
            return session.get_one(Game, self.game).status

    def seat_of(self, one: Somebody) -> int:
        return next(seat for seat, who in self.plays.items() if who is one)

    # --- Playing by mail --------------------------------------------------------------------------------------------

    def play(self, **span: float) -> None:
        """For so long, everybody who owes a move answers the mail about it, but those who are silent."""
        until = self.months.post.time + timedelta(**span)
        while self.months.post.time < until and self.status == "running":
            for seat, one in self.plays.items():
                if one.name not in self.silent and self.status == "running":
                    self.move(seat, one)
            self.months.later(days=1)

    def move(self, seat: int, one: Somebody) -> None:
        """Answer until somebody else is asked, or a draw needs another mail."""
        if self.row(seat).question_seq is None or not any(mail["Reply-To"] for mail in one.mails):
            return
        table = self.months.post.table(self.game)
        did = one.reply(format_steps(thought(table, seat, self.dice)).replace("; ", "\n") + "\n")
        assert did == ["played"], (one.name, did, one.mails[-1].get_body(("plain",)).get_content())

    def mailed(self, one: Somebody, part: str) -> bool:
        return any(part in about(mail) for mail in one.mails)


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_a_table_lasts_for_three_months(months: Months):
    story = Story(months)
    begun = months.post.time
    opens_and_invites(story)
    joins(story)
    talks(story)
    goes_on_holiday(story)
    pauses(story)
    vanishes_and_is_replaced(story)
    pauses_together(story)
    ends(story)
    plays_again(story)
    assert months.post.time - begun > timedelta(days=75)


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
    story.plays = {0: story.ada, 1: story.ben, 2: story.cy, 3: story.dee}
    with story.months.post.services.database.read() as session:
        held = dict(session.execute(sa.select(Seat.seat, Seat.account_id).where(Seat.game_id == story.game)).all())
    assert len(held) == 5
    assert story.status == "running"
    story.play(days=4)


def talks(story: Story) -> None:
    """Ada on the page, Ben in a reply; both are in the next mails."""
    page = story.ada.go(story.path)
    story.ada.tab("Table")
    page.get_by_label("Write to the table").fill("Welcome, everybody!\nI play mostly in the evening.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Welcome, everybody!")).to_be_visible()
    story.ada.look("talk")
    assert story.ben.reply("say Thanks, Ada. No hurry.\n") == ["said"]
    story.play(days=3)
    said = [mail.get_body(("plain",)).get_content() for mail in story.cy.mails]
    assert any("Ada: Welcome, everybody!" in text for text in said)
    story.cy.go(story.path)
    story.cy.tab("Table")
    expect(story.cy.page.get_by_text("Thanks, Ada. No hurry.")).to_be_visible()
    story.cy.look("talk-read")


def goes_on_holiday(story: Story) -> None:
    """Cy announces five days; the table waits, and nobody is played for."""
    page = story.cy.go("/holidays", "holidays")
    first = story.months.post.time + timedelta(days=2)
    page.get_by_label("First day").fill(f"{first:%Y-%m-%d}")
    page.get_by_label("Days", exact=True).fill("5")
    story.cy.press("Announce the holiday")
    story.cy.look("holiday-announced")
    story.months.work()
    story.silent.add("Cy")
    story.play(days=8)
    assert story.mailed(story.cy, "oliday")
    assert "expired" not in story.months.post.kinds(story.game)
    story.cy.go("/", "front-back-from-holiday")
    story.silent.discard("Cy")
    story.play(days=5)


def pauses(story: Story) -> None:
    """Ada, the host, pauses for four days, and ends it after two."""
    page = story.ada.go(story.path)
    story.ada.tab("Table")
    page.get_by_label("Days", exact=True).first.fill("4")
    story.ada.press("Pause")
    story.ada.tab("Table")
    expect(page.get_by_role("button", name="End the pause")).to_be_visible()
    story.ada.look("paused")
    story.months.work()
    owing = [one for seat, one in story.plays.items() if story.row(seat).question_seq is not None]
    for one in owing:
        one.go(story.path)
        one.tab("Table")
        one.look("paused-for-others")
    story.months.later(days=2)
    story.ada.go(story.path)
    story.ada.tab("Table")
    story.ada.press("End the pause")
    story.ada.tab("Table")
    expect(page.get_by_role("button", name="End the pause")).to_have_count(0)
    story.ada.look("pause-ended")
    story.play(days=5)


def vanishes_and_is_replaced(story: Story) -> None:
    """Dee does not come any more; the server plays for them, they are absent, and Eve takes the seat."""
    seat = story.seat_of(story.dee)
    story.silent.add("Dee")
    for _ in range(MOST):
        if story.row(seat).absent:
            break
        story.play(hours=12)
    assert story.row(seat).absent
    story.months.later(hours=3)
    story.dee.go("/", "front-absent")
    story.eve.sign_in()
    page = story.eve.go(story.path, "free-seat")
    story.eve.sit_down("Take")
    story.months.work()
    story.plays[seat] = story.eve
    story.eve.go(story.path)
    story.eve.tab("Table")
    expect(page.get_by_text("Welcome, everybody!")).to_be_visible()
    story.eve.look("talk-from-the-beginning")
    story.dee.go(story.path, "replaced")
    assert story.mailed(story.dee, "taken")
    story.play(days=4)


def pauses_together(story: Story) -> None:
    """Ben asks for a week, all agree, and only its end ends it."""
    page = story.ben.go(story.path)
    story.ben.tab("Table")
    page.get_by_text("Pause the game together").click()
    page.get_by_label("Days").last.fill("7")
    story.ben.press("Ask for a pause")
    story.months.work()
    story.ada.go("/", "front-wish")
    for one in (story.ada, story.cy, story.eve):
        one.go(story.path)
        one.tab("Table")
        one.look("wish-to-pause")
        one.press("Agree to pause")
        story.months.work()
    story.ada.go(story.path)
    story.ada.tab("Table")
    expect(story.ada.page.get_by_role("button", name="End the pause")).to_have_count(0)
    story.ada.look("paused-together")
    told = {seat: story.row(seat).deadline for seat in story.plays if story.row(seat).deadline}
    story.months.later(days=6)
    assert {seat: story.row(seat).deadline for seat in told} == told
    story.play(days=6)


def ends(story: Story) -> None:
    """To the end of the game, whose mail has the result and leads to a rematch."""
    for _ in range(MOST):
        if story.status != "running":
            break
        story.play(days=1)
    assert story.status == "finished"
    story.months.later(hours=3)
    assert story.mailed(story.ben, "has finished")
    answer = story.ben.context.request.get(f"{story.months.url}/v1/games/{story.game}/bundle")
    assert audit(answer.body()).exit == 0
    story.eve.go(story.path, "result")
    story.ben.go(story.path, "result")


def plays_again(story: Story) -> None:
    """Ben opens it with one press; the others sit down at the seats that are kept for them."""
    before = story.game
    story.ben.press("Rematch")
    story.ben.page.wait_for_url(lambda url: before not in url)
    story.game = story.ben.page.url.rpartition("/")[2]
    story.ben.look("rematch")
    story.months.work()
    story.ada.go("/", "front-rematch")
    players = (story.ada, story.ben, story.cy, story.eve)
    for one in players:
        one.go(one.link("/i/") if one is not story.ben else story.path, "rematch-invitation")
        if one is not story.ben:
            one.press("Go to the table")
        one.sit_down("Join")
        story.months.work()
    assert story.status == "running"
    seats = {}
    with story.months.post.services.database.read() as session:
        for one in players:
            query = sa.text(
                "select seat from seat join account on account.id = account_id where game_id = :g and email = :e"
            )
            seats[session.scalar(query, {"g": story.game, "e": one.address})] = one
    story.plays = seats
    story.play(days=10)
    story.ada.go("/", "front-at-the-end")
