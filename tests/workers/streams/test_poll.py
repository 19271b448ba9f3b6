"""A poll of the database for all streams, on both databases."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa

from server.http import credentials
from server.kernel.db.models import ApiToken, WebSession
from tests.server.conftest import any_hall, open_house
from tests.server.harness import Harness
from workers.streams import poll as module
from workers.streams.poll import poll

__all__ = ["any_hall", "open_house"]


@pytest.fixture
def table(any_hall: Harness):
    """Ada and Ben at a game of Bids: entries 0 to 3."""
    people = [any_hall.player(number) for number in range(2)]
    return any_hall, people, any_hall.game("bids", people)


def numbers(news: module.NewEvents) -> list[int]:
    return [number for number, _ in news.events]


def test_a_poll_finds_new_events_only(table):
    """Keys without news, and unknown keys, are left out."""
    hall, (ada, ben), game = table
    found = poll(hall.services, {f"a{ada.account}": 2, f"a{ben.account}": 3, f"g{game}": 3, "a999": 0, "gx": 0}, [])
    assert found.news.keys() == {f"a{ada.account}"}
    assert numbers(found.news[f"a{ada.account}"]) == [3, 4]
    assert poll(hall.services, {}, []) == module.PollResult({}, frozenset())


def test_an_event_is_one_line_of_json_under_its_number(table):
    """As a line of data needs it."""
    hall, _, game = table
    for number, event in poll(hall.services, {f"g{game}": -1}, []).news[f"g{game}"].events:
        assert b"\n" not in event
        assert json.loads(event)["seq"] == number


def test_a_page_has_a_limit(table, monkeypatch):
    """The next poll goes on after it."""
    hall, (ada, _), game = table
    monkeypatch.setattr(module, "MOST", 2)
    keys = {f"a{ada.account}": 0, f"g{game}": -1}
    assert [numbers(news) for news in poll(hall.services, keys, []).news.values()] == [[1, 2], [0, 1]]


def test_a_reset_is_an_event_of_its_own(table):
    """For an account and for a game, each with the number of its own stream."""
    hall, (ada, _), game = table
    found = poll(hall.services, {f"a{ada.account}": 90, f"g{game}": 90}, []).news
    assert {key: (news.reset, numbers(news)) for key, news in found.items()} == {
        f"a{ada.account}": (True, [4]),
        f"g{game}": (True, [3]),
    }


def test_numbers_that_became_equal_while_they_were_read_make_an_empty_page(table, monkeypatch):
    """An event may be numbered between two reads. Such a page is left out."""
    hall, (ada, _), _ = table
    monkeypatch.setattr(module.hooks, "last_event", lambda *_: 90)
    assert poll(hall.services, {f"a{ada.account}": 90}, []).news == {}


def test_invalid_tokens_are_named(table):
    """Revoked, expired, of an erased account, or unknown."""
    hall, (ada, ben), _ = table
    with hall.services.database.write() as session:
        _, spare = credentials.issue_token(hall.services, session, ada.account, "spare", ("read",))
        soon = hall.clock() + timedelta(hours=1)
        _, brief = credentials.issue_token(hall.services, session, ada.account, "brief", ("read",), expires_at=soon)
        of = dict(
            session.execute(sa.select(ApiToken.account_id, sa.func.min(ApiToken.id)).group_by("account_id")).all()
        )
    asked = [f"t{token}" for token in (of[ada.account], of[ben.account], spare, brief, 999)]
    assert poll(hall.services, {}, asked).dead == {"t999"}
    hall.clock.forward(hours=1)
    assert ada.harness.client.delete(f"/v1/me/tokens/{spare}", headers=ada.auth).status_code == 204
    assert ben.erase().status_code == 204
    assert poll(hall.services, {}, asked).dead == {f"t{token}" for token in (brief, 999, spare, of[ben.account])}


def test_invalid_sessions_are_named(table):
    """Ended, unknown, or unused for ninety days; a token with the same number is not a session."""
    hall, (ada, _), _ = table
    with hall.services.database.write() as session:
        for _ in range(2):
            credentials.begin_session(hall.services, session, ada.account)
    asked = ["s1", "s2", "s3", "t1"]
    assert poll(hall.services, {}, asked).dead == {"s3"}
    with hall.services.database.write() as session:
        assert credentials.end_session(session, ada.account, 1)
    assert poll(hall.services, {}, asked).dead == {"s1", "s3"}
    hall.clock.forward(days=90)
    assert poll(hall.services, {}, asked).dead == {"s1", "s2", "s3"}


def test_an_open_page_counts_as_used(table):
    """Updated before its reader would count as gone, and seldom; a token's stream does not count as a page."""
    hall, (ada, _), _ = table
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")

    def used() -> list[object]:
        with hall.services.database.read() as session:
            return list(session.scalars(sa.select(WebSession.last_used_at)))

    begun = used()
    for minutes, noted in ((7, False), (1, True), (7, False)):
        before = used()
        hall.clock.forward(minutes=minutes)
        poll(hall.services, {}, ["t1"])
        assert used() == before
        poll(hall.services, {}, ["s1", "t1"])
        assert (used() != before) == noted
    assert used() == [begun[0] + timedelta(minutes=8)]
    assert ada.account == 1
