"""Mail that reports have stopped starts again."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from server.accounts import address
from server.accounts import read as accounts_read
from server.accounts import write as accounts_write
from server.accounts.sign_in import request_link
from server.http.app import create_app
from server.kernel.db.models import LoginLink, WaitingAct
from server.kernel.secrets import login_token, waiting_token
from server.mailbox import delivery_reports
from server.mailbox import read as mailbox
from tests.server.harness import Client
from tests.workers.harness import MASTER
from tests.workers.replies.post import COMPLAINTS
from tests.workers.replies.test_bounces import GONE, come_back, feedback, stopped
from workers.waiting import carry_out


def signed_in(post, email: str = "ada@example.org") -> Client:
    """A browser that followed a mailed link."""
    request_link(post.services, email, "")
    with post.services.database.read() as session:
        link = session.scalars(sa.select(LoginLink).order_by(LoginLink.id.desc()).limit(1)).one()
    browser = Client(create_app(services=post.services), browses=True, at=post.settings.public_url)
    assert browser.post(f"/login/{login_token(MASTER, link)}").status_code == 303
    return browser


@pytest.mark.slow
def test_a_button_starts_stopped_mail_again(post, game):
    """Shown on every page and in the API; by POST from our page; open questions are mailed at once."""
    browser = signed_in(post)
    post.bounce(post.row("turn", 0), "5.1.1", "550 5.1.1 <b>no</b>")
    other = post.game("bids")
    post.react()
    assert accounts_write.show_account(post.services, 1)["mail_stopped"]["why"] == "gone"
    page = browser.get("/").text
    assert "We have stopped sending you emails." in page
    assert "550 5.1.1 &lt;b&gt;no&lt;/b&gt;" in page
    assert "did not arrive" not in page
    assert browser.get("/account/mail").status_code == 405
    assert browser.post("/account/mail", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert stopped(post) == "gone"
    sent = len(post.sink.mails)
    assert browser.post("/account/mail").status_code == 303
    assert browser.post("/account/mail").status_code == 303
    post.react()
    assert [mail["To"].addresses[0].username for mail in post.sink.mails[sent:]] == ["ada", "ada"]
    assert {row.game_id for row in post.rows() if row.account_id == 1 and row.state == "sent"} - {None} == {game, other}
    assert "We have stopped sending you emails." not in browser.get("/").text


@pytest.mark.slow
def test_a_stopped_game_and_stopped_mail_are_shown_separately(post, game):
    """On the game's page."""
    browser = signed_in(post)
    post.bounce(post.row("turn", 0), "5.1.1", GONE)
    page = browser.get(f"/games/{game}").text
    assert "We have stopped sending you emails." in page
    assert "This game is stopped." not in page
    post.fault(game, post.services.now())
    delivery_reports.want_mail(post.services, 1)
    page = browser.get(f"/games/{game}").text
    assert "We have stopped sending you emails." not in page
    assert "This game is stopped." in page


@pytest.mark.slow
def test_a_later_bounce_stops_mail_again(post, game):
    """Earlier bounces no longer count towards the week."""
    post.bounce(post.row("turn", 0), "5.2.2", "552 5.2.2 full")
    come_back(post, 7)
    assert stopped(post) == "failing"
    delivery_reports.want_mail(post.services, 1)
    post.react()
    assert post.bounce(post.row("turn", 0), "5.2.2", "552 5.2.2 full") == ["soft"]
    assert stopped(post) is None
    come_back(post, 1)
    assert post.bounce(post.row("turn", 0), "5.1.1", GONE) == ["gone"]
    assert stopped(post) == "gone"


@pytest.mark.slow
def test_following_a_newly_mailed_link_starts_mail_again(post, game):
    """An older link does not; after a complaint only the button does."""
    request_link(post.services, "ada@example.org", "")
    post.bounce(post.row("turn", 0), "5.1.1", GONE)
    browser = Client(create_app(services=post.services), browses=True, at=post.settings.public_url)
    with post.services.database.read() as session:
        link = session.get_one(LoginLink, 1)
    assert browser.post(f"/login/{login_token(MASTER, link)}").status_code == 303
    assert stopped(post) == "gone"
    post.pass_time(minutes=1)
    signed_in(post)
    assert stopped(post) is None
    post.report(COMPLAINTS, feedback(post.sender(post.row("turn", 0))))
    post.pass_time(minutes=1)
    signed_in(post)
    assert stopped(post) == "complaint"


def test_a_new_address_has_no_earlier_bounces(post, game):
    """Once it is confirmed."""
    post.bounce(post.row("turn", 0), "5.1.1", GONE)
    number = address.request_change(post.services, 1, "ada@new.example", None)
    with post.services.database.read() as session:
        act = session.get_one(WaitingAct, number)
    for side in ("new", "old"):
        address.confirm(post.services, waiting_token(MASTER, act, side))
    assert stopped(post) == "gone"
    post.pass_time(days=8)
    carry_out(post.ctx)
    assert accounts_write.show_account(post.services, 1)["email"] == "ada@new.example"
    assert stopped(post) is None


def test_an_erased_account_leaves_no_report(post, game):
    """Until then the owner's export includes the reports."""
    post.bounce(post.row("turn", 0), "5.1.1", GONE)
    assert accounts_read.export_of(post.services, 1)["mail_reports"][0]["kind"] == "gone"
    accounts_write.erase_account(post.services, 1)
    assert (mailbox.reports(post.services), mailbox.all_stopped(post.services)) == ([], [])
