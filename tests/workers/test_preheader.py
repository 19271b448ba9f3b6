"""The preheader, which a list of mails shows after the subject: news and the time left, hidden in the mail itself."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage

import pytest

from tests.workers.letters import ADA, HOUSE, SAMPLES, your_turn
from workers.deadlines import remind
from workers.mail.compose import MOST_PREHEADER, compose
from workers.mail.facts import Turn

HIDDEN = re.compile(
    r'<body[^>]*>\s*<div style="display:none;[^"]*\bmax-height:0;[^"]*\bmso-hide:all;[^"]*">([^<]*)</div>'
)
UNTIL = "until Tuesday 24 November 2026, 12:00 UTC."
TURNS = {name: made for name, made in SAMPLES.items() if isinstance(made(), Turn)}
NEWS = {
    "turn": f"Your turn. Zoë kept 5. Time left: 3 days 2 hours, {UNTIL}",
    "reminder": f"Reminder: your turn. Zoë kept 5. Time left: 16 hours, {UNTIL}",
    "absent_turn": "Your turn. Zoë kept 5. Time left: 12 hours, until Saturday 21 November 2026, 22:00 UTC.",
    "others_seats": "Your turn. Zoë kept 5. Time left: 2 days 14 hours, until Tuesday 24 November 2026, 00:00 UTC. "
    "This includes your time bank of 3 hours. A grace period of 12 hours follows.",
    "first_bid": "Your turn. The lot is green.",
}


@pytest.fixture
def database_url(tmp_path):
    """The text is computed from the position, on any database."""
    return f"sqlite:///{tmp_path / 'house.db'}"


def preheader(mail: EmailMessage) -> str:
    """The first words of the page, in an element that no mail program shows."""
    found = HIDDEN.search(mail.get_body(("html",)).get_content())
    assert found is not None
    return found[1]


@pytest.mark.parametrize("name", TURNS)
def test_the_preheader_of_a_turn_mail_has_the_news_and_the_time_left(name):
    """The latest event, then how long the reader may take; nobody waits for a mail to be opened to learn either."""
    assert preheader(compose(HOUSE, ADA, TURNS[name]())) == NEWS.get(name, NEWS["turn"])


def test_a_preheader_is_short_and_is_text():
    """Whatever a sentence holds."""
    since = ("x" * 1000 + "</div><b>",)
    said = preheader(compose(HOUSE, ADA, replace(your_turn(), table=replace(your_turn().table, since=since))))
    assert len(said) <= MOST_PREHEADER
    short = replace(your_turn(), table=replace(your_turn().table, since=("</div><b>",)))
    assert "&lt;/div&gt;&lt;b&gt;" in preheader(compose(HOUSE, ADA, short))


def test_a_preheader_tells_nothing_that_is_hidden_from_its_reader(house, sink):
    """A sealed bid is news to nobody until all are known; then all learn it."""
    game = house.game("bids", seats=3)
    house.react()
    house.move(game, 1, "bid 2")
    house.move(game, 2, "bid 5")
    house.pass_time(days=3)
    remind(house.ctx)
    house.react()
    before = len(sink.mails)
    assert preheader(last(sink, "ada")).startswith("Reminder: your turn. ")
    for mail in sink.mails:
        assert not re.search(r"\b(bid|for) [25]\b", preheader(mail))
    house.move(game, 0, "bid 3")
    house.react()
    told = [mail.get_body(("plain",)).get_content() for mail in sink.mails[before:]]
    assert told
    assert all("Cy" in text and "5" in text for text in told), told


def last(sink, name: str) -> EmailMessage:
    return next(mail for mail in reversed(sink.mails) if mail["To"].addresses[0].username == name)
