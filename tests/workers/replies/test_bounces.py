"""Reports about sent mails: which mail they stop, and which senders are believed."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from server.accounts import address
from server.accounts.sign_in import request_link
from server.kernel.db.models import MailReport, Notification
from server.mailbox import read as mailbox
from server.mailbox import write as choices
from server.mailbox.inbound import IncomingMail, keep
from server.operate import retention
from tests.server.metrics import of_rows
from tests.workers.harness import about
from tests.workers.replies.post import COMPLAINTS, returned
from workers.digests import gather, settle
from workers.mail import commands
from workers.replies.bounces import report_in
from workers.replies.incoming import parse

GONE = "550 5.1.1 <ada@example.org>: no such user"


def stopped(post, number: int = 1):
    with post.services.database.read() as session:
        found = mailbox.mail_stopped(session, number)
    return found and found["why"]


def everything_else(post, game):
    """Rows that no report may change."""
    return post.kinds(game), post.plans(), post.seat(game, 0).muted, post.seat(game, 0).deadline


def feedback(quoted: str, kind: str = "abuse") -> str:
    return (
        f"From: fbl@provider.example\r\nTo: {COMPLAINTS}\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=feedback-report; boundary="b"\r\n\r\n'
        "--b\r\n\r\nSomebody complains.\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\n"
        f"Feedback-Type: {kind}\r\nUser-Agent: Provider/1\r\nVersion: 1\r\nOriginal-Mail-From: <{quoted}>\r\n\r\n"
        "--b\r\nContent-Type: message/rfc822\r\n\r\n"
        f"Return-Path: <{quoted}>\r\nSubject: Your turn\r\n\r\nx\r\n--b--\r\n"
    )


# --- what a report means --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "says", "kind"),
    [
        ("5.1.1", "550 5.1.1 no such user", "gone"),
        ("5.0.0", "550-5.1.1 The account does not exist", "gone"),
        ("5.1.1", "x", "gone"),
        ("5.1.10", "550 5.1.10 RESOLVER.ADR.RecipientNotFound", "gone"),
        ("5.2.1", "550 5.2.1 disabled", "gone"),
        ("5.1.1", "552 5.2.2 mailbox full", "soft"),
        ("5.1.1", "550 5.1.1 over quota", "soft"),
        ("5.1.1", "550 5.1.1 <quota@example.org> unknown", "gone"),
        ("5.1.1", "550 5.1.1 listed at https://bl.example", "ours"),
        ("5.1.1", "550 5.7.26 not authenticated", "ours"),
        ("5.2.2", "552 5.2.2 full", "soft"),
        ("4.4.7", "x", "soft"),
        ("5.0.0", "554 delivery error", "soft"),
        ("5.4.4", "host 203.5.1.1 not found", "soft"),
        ("5.0.0", "550 said 10.5.1.1.in-addr.arpa", "soft"),
        ("5.7.1", "550 5.7.1 denied", "ours"),
        ("5.3.4", "552 5.3.4 too big", "ours"),
        ("5.6.1", "x", "ours"),
        ("", "", "soft"),
    ],
)
def test_only_a_report_about_the_mailbox_is_final(status, says, kind):
    """The server's codes come before the status, and its words before a code for a missing mailbox."""
    assert report_in(parse(returned("x@play.example", status, says).encode())).kind == kind


def test_the_notes_of_a_report_are_read_if_it_lacks_the_servers_words():
    """As OpenSMTPD writes it: only the line of the recipient that the report names."""
    for line, kind in (
        ("x@example.org: 550 5.1.1 no such user", "gone"),
        ("x@example.org: 552 5.2.2 full", "soft"),
        ("y@example.org: 550 5.1.1 no such user", "soft"),
    ):
        text = returned("x@play.example", "5.0.0", "").replace("Diagnostic-Code: smtp; \r\n", "")
        raw = text.replace("\r\n\r\nIt came back.", f"\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n\r\n{line}\r\n")
        assert report_in(parse(raw.encode())).kind == kind


def test_a_temporary_failure_does_not_stop_mail():
    """Delayed, relayed, delivered; a vacation note; a report inside a mail; harmless feedback."""
    for action in ("delayed", "relayed", "delivered", "expanded", ""):
        assert report_in(parse(returned("x@play.example", "5.1.1", GONE, action).encode())) is None
    note = "Auto-Submitted: auto-replied\r\nSubject: away\r\n\r\n550 5.1.1 I am away\r\n"
    assert report_in(parse(note.encode())) is None
    inside = returned("x@play.example", "5.1.1", GONE)
    assert report_in(parse(f"Content-Type: message/rfc822\r\n\r\n{inside}".encode())) is None
    for kind in ("not-spam", "auth-failure", ""):
        assert report_in(parse(feedback("x@play.example", kind).encode())) is None


def test_a_bounce_in_prose_is_a_temporary_failure():
    """Exim's header, without a report."""
    text = "X-Failed-Recipients: ada@example.org\r\n\r\n550 5.1.1 no such user\r\n"
    assert report_in(parse(text.encode())).kind == "soft"


# --- what follows ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_mailbox_that_is_gone_gets_no_more_mail(post, game):
    """Its next mail is dropped with the reason; nothing but its mail changes."""
    before = everything_else(post, game)
    assert post.bounce(post.row("turn", 0), "5.0.0", GONE) == ["gone"]
    assert everything_else(post, game) == before
    assert (stopped(post, 1), stopped(post, 2)) == ("gone", None)
    assert (post.row("turn", 0).state, post.row("turn", 0).reason) == ("failed", "refused")
    sent = len(post.sink.mails)
    other = post.game("bids")
    post.react()
    told = [(mail["To"].addresses[0].username, about(mail)) for mail in post.sink.mails[sent:]]
    assert [who for who, subject in told if "turn" in subject] == ["ben"]
    assert ("ada", "Sealed Move: we have stopped sending you emails") in told
    (row,) = (row for row in post.rows() if row.game_id == other and row.account_id == 1)
    assert (row.state, row.reason) == ("dropped", "suspended")


@pytest.mark.slow
def test_a_repeated_report_counts_once(post, game):
    """Also after the relay itself refused the mail."""
    row = post.row("turn", 0)
    assert post.bounce(row, "5.2.2", "552 5.2.2 full") == ["soft"]
    assert post.bounce(row, "5.2.2", "552 5.2.2 full") == ["again"]
    assert post.bounce(row, "5.1.1", GONE) == ["gone"]
    assert post.bounce(row, "5.1.1", GONE) == ["again"]
    assert len(mailbox.reports(post.services)) == 2


def test_a_refusal_by_the_relay_stops_mail_too(post):
    """As if the mail had bounced."""
    post.sink.answer = "550 5.1.1 no such user"
    post.game("bids")
    post.react()
    assert (stopped(post, 1), stopped(post, 2)) == ("gone", "gone")
    assert [row["via"] for row in mailbox.reports(post.services)] == ["relay", "relay"]


def test_a_bounce_that_overtakes_the_note_waits_for_it(post, game):
    """A relay may be quicker than the worker's commit."""
    row = post.row("turn", 0)
    with post.services.database.write() as session:
        session.get_one(Notification, row.id).state = "leased"
    assert post.bounce(row, "5.1.1", GONE) == ["later"]
    assert stopped(post) is None
    with post.services.database.write() as session:
        session.get_one(Notification, row.id).state = "sent"
    post.pass_time(minutes=2)
    assert post.read() == ["gone"]


def come_back(post, days: int, says: str = "552 5.2.2 mailbox full") -> list[str]:
    """Every day the question is mailed, and bounces within an hour."""
    did = []
    for _ in range(days):
        post.pass_time(days=1)
        with post.services.database.write() as session:
            session.execute(sa.update(Notification).values(next_at=post.time))
        post.deliver()
        if post.row("turn", 0).state != "sent":
            break
        did += post.bounce(post.row("turn", 0), "5.2.2", says)
    return did


@pytest.mark.slow
def test_a_week_of_bounces_stops_mail(post, game):
    """Full mailboxes are retried ever more seldom, until seven days have passed."""
    post.bounce(post.row("turn", 0), "5.2.2", "552 5.2.2 mailbox full")
    assert post.row("turn", 0).next_at == post.time + timedelta(days=1)
    assert come_back(post, 6) == ["soft"] * 6
    assert stopped(post) is None
    assert come_back(post, 1) == ["soft"]
    assert stopped(post) == "failing"


@pytest.mark.slow
def test_a_delivered_mail_restarts_the_week(post, game):
    """A mail that has not bounced for five days counts as delivered."""
    post.bounce(post.row("turn", 0), "5.2.2", "552 5.2.2 mailbox full")
    assert come_back(post, 1) == ["soft"]
    with post.services.database.write() as session:
        session.get_one(Notification, 2).account_id = 1
        session.get_one(Notification, 2).sent_at = post.time
    assert come_back(post, 7) == ["soft"] * 7
    assert stopped(post) is None
    come_back(post, 1)
    assert stopped(post) == "failing"


@pytest.mark.slow
def test_a_week_of_bounced_digests_stops_mail(post):
    """A digest that bounces has not arrived, and neither have the mails that it contained."""
    choices.change_choices(post.services, 1, {"turn": "digest"})
    for day in range(8):
        assert stopped(post) is None, day
        post.game("bids", clock=None)
        post.react()
        post.pass_time(days=1)
        gather(post.ctx)
        post.react()
        settle(post.ctx)
        for row in post.rows():
            if (row.kind, row.state) == ("digest", "sent"):
                assert post.bounce(row, "5.2.2", "552 5.2.2 mailbox full") == ["soft"]
    assert stopped(post) == "failing"


@pytest.mark.slow
def test_a_mail_that_arrived_when_it_was_sent_again_restarts_the_week(post, game):
    """Its earlier bounce does not outlast that."""
    post.bounce(post.row("turn", 0), "5.2.2", "552 5.2.2 mailbox full")
    post.pass_time(days=1)
    post.deliver()
    assert post.row("turn", 0).state == "sent"
    for day in range(2):
        post.pass_time(days=4)
        other = post.game("bids")
        post.react()
        (row,) = (row for row in post.rows() if (row.game_id, row.account_id) == (other, 1))
        assert post.bounce(row, "5.2.2", "552 5.2.2 mailbox full") == ["soft"], day
    assert stopped(post) is None


@pytest.mark.slow
def test_a_report_about_our_server_stops_no_mail(post, game):
    """However often; the operator's list shows it."""
    post.bounce(post.row("turn", 0), "5.7.26", "550 5.7.26 not authenticated")
    assert come_back(post, 9, "550 5.7.26 not authenticated") == ["ours"] * 9
    assert stopped(post) is None
    assert {row["kind"] for row in mailbox.reports(post.services)} == {"ours"}


@pytest.mark.slow
def test_a_complaint_stops_all_mail_but_the_accounts(post, game):
    """Sign-in links and waiting acts are still mailed; the mail complained about did arrive."""
    row = post.row("turn", 0)
    before = everything_else(post, game)
    assert post.report(COMPLAINTS, feedback(post.sender(row))) == ["complaint"]
    assert (everything_else(post, game), post.row("turn", 0).state) == (before, "sent")
    assert stopped(post) == "complaint"
    assert post.report(COMPLAINTS, feedback(post.sender(row))) == ["again"]
    sent = len(post.sink.mails)
    request_link(post.services, "ada@example.org", "")
    address.request_change(post.services, 1, "ada@new.example", None)
    post.game("bids")
    post.react()
    to_ada = [about(mail) for mail in post.sink.mails[sent:] if "ben@" not in str(mail["To"])]
    assert len(to_ada) == 3
    assert not [subject for subject in to_ada if "Your turn" in subject]


# --- believed senders ------------------------------------------------------------------------------------------------


def test_a_forged_report_changes_nothing(post, game):
    """To any of our addresses, with letters of the token changed, for another mail, or quoted."""
    row, move = post.row("turn", 0), post.asked("ada")["Reply-To"].addresses[0].addr_spec
    good = post.sender(row)
    wrong = "bounce+" + "a" * 24 + "@play.example"
    other = good.replace(good[-20:-13], good[-20:-13][::-1])
    assert other != good
    before = everything_else(post, game)
    for to in (wrong, other, "games@localhost", "bounce@play.example"):
        assert post.report(to, returned(to, "5.1.1", GONE)) == []
        assert post.report(COMPLAINTS, feedback(to)) == []
    assert post.report(COMPLAINTS, feedback(move)) == []
    assert post.report(COMPLAINTS, feedback(str(row.message_id))) == []
    assert post.report(move, returned(move, "5.1.1", GONE)) == ["automatic"]
    assert (stopped(post, 1), stopped(post, 2)) == (None, None)
    assert everything_else(post, game) == before
    assert mailbox.reports(post.services) == []


def test_a_report_about_a_former_address_does_not_stop_the_new_one(post, game):
    """Neither if it comes later, nor if it was not read yet."""
    row = post.row("turn", 0)
    to = post.sender(row)
    keep(post.services, [IncomingMail(to, returned(to, "5.1.1", GONE).encode(), "smtp")])
    post.set_email("ada", "ada@new.example")
    assert post.read() == ["dead-token"]
    assert post.report(to, returned(to, "5.1.1", GONE)) == []
    assert stopped(post) is None


# --- the operator ---------------------------------------------------------------------------------------------------


def test_the_operator_sees_stopped_addresses_and_reports(post, game, monkeypatch):
    """Addresses, the reports of thirty days, and both as metrics."""
    monkeypatch.setattr(commands.startup, "open_services", lambda _: post.services)
    monkeypatch.setattr(commands.startup, "checked_settings", lambda **_: post.settings)
    post.bounce(post.row("turn", 0), "5.1.1", GONE)
    (line,) = CliRunner().invoke(commands.main, ["stopped"]).output.splitlines()
    assert (json.loads(line)["to"], json.loads(line)["why"]) == ("ada@example.org", "gone")
    (line,) = CliRunner().invoke(commands.main, ["reports"]).output.splitlines()
    assert (json.loads(line)["kind"], json.loads(line)["says"]) == ("gone", GONE)
    numbers = of_rows(post.services)
    assert numbers['sealedmove_mail_reports{kind="gone"}'] == 1
    assert numbers['sealedmove_mail_stops{why="gone"}'] == 1
    post.pass_time(days=31)
    retention.forget(post.services)
    with post.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count(MailReport.id))) == 0
    assert stopped(post) == "gone"
