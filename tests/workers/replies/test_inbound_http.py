"""Relays post mail and its reports by HTTP, with a secret or a signature; each counts once."""

from __future__ import annotations

import hmac
import io
import json
import socket
from dataclasses import replace
from hashlib import sha256

import pytest

from server.accounts.sign_in import request_link
from server.http.app import create_app
from server.mailbox import arriving, inbound
from server.mailbox import read as mailbox
from tests.workers.replies.incoming import JUNK, believe, counted, fill, to_of, vouched
from workers.mail.reply_addresses import marks
from workers.mail.smtp import Smtp

SECRET, KEY = "the relay's secret", "what mailgun signs with"


@pytest.fixture
def relay(tmp_path, post):
    """A client of the web server over the same database, in which relays have their secrets."""
    chosen = replace(post.settings, inbound_secret=SECRET, mailgun_key=KEY)
    object.__setattr__(post.services, "settings", chosen)
    return create_app(services=post.services).test_client()


HERE = "http://127.0.0.1:8000"


def handed(relay, path, **given):
    return relay.post(f"/inbound/{path}", base_url=HERE, **given).status_code


def test_relays_post_raw_mail_with_a_secret(post, game, relay):
    """As Basic or as a bearer token; the mail is checked like any other."""
    mail = post.asked("ada")
    raw, to = post.written(mail, "preview bid 3"), {"X-Envelope-To": to_of(mail), "Content-Type": "message/rfc822"}
    assert handed(relay, "raw", data=raw, headers=to | {"Authorization": f"Bearer {SECRET}"}) == 200
    assert handed(relay, "raw", data=raw, headers=to, auth=("x", SECRET)) == 200
    for wrong in ({}, {"Authorization": "Bearer x"}, {"Authorization": "Basic !"}, {"Authorization": "Bearer"}):
        assert handed(relay, "raw", data=raw, headers=to | wrong) == 401
    assert handed(relay, "raw", data=b"", headers=to, auth=("x", SECRET)) == 400
    assert handed(relay, "raw", data=raw, headers=to | {"Content-Type": "text/plain"}, auth=("x", SECRET)) == 400
    assert len(post.kept()) == 2
    assert post.read() == ["preview", "again"]


def test_the_answer_to_a_posted_mail_has_the_id_of_the_relays_request(post, game, relay):
    """And so has whatever the mail does in the game."""
    mail, before = post.asked("ada"), len(post.sink.mails)
    raw, to = post.written(mail, "preview bid 3"), {"X-Envelope-To": to_of(mail), "Content-Type": "message/rfc822"}
    answer = relay.post("/inbound/raw", base_url=HERE, data=raw, headers=to, auth=("x", SECRET))
    assert post.read() == ["preview"]
    post.react()
    assert [one["X-Request-Id"] for one in post.sink.mails[before:]] == [answer.headers["X-Request-Id"]]


def test_a_relay_that_posts_mail_is_not_believed_about_signatures(post, game, relay):
    """They are checked here."""
    mail = post.asked("ada")
    believe(post, "127.0.0.1")
    object.__setattr__(post.services, "settings", replace(post.settings, inbound_secret=SECRET))
    to = {"X-Envelope-To": to_of(mail), "Content-Type": "message/rfc822"}
    assert handed(relay, "raw", data=vouched(post), headers=to, auth=("x", SECRET)) == 200
    assert post.read() == ["unproven"]


def test_a_mail_of_usual_size_is_accepted(post, game, relay):
    """Larger than a page's requests; a mail above the limit is refused."""
    to = {"X-Envelope-To": to_of(post.asked("ada")), "Content-Type": "message/rfc822"}
    for size, status in ((1_000_000, 200), (arriving.LARGEST + 1, 413)):
        assert handed(relay, "raw", data=b"x" * size, headers=to, auth=("x", SECRET)) == status


def test_postmark_posts_json(post, game, relay):
    """With the raw mail in it; without, the answer names the missing member."""
    mail = post.asked("ada")
    told = {"OriginalRecipient": to_of(mail), "RawEmail": post.written(mail, "preview bid 3").decode()}
    assert handed(relay, "postmark", data=json.dumps(told), auth=("x", SECRET)) == 200
    assert handed(relay, "postmark", data=json.dumps(told)) == 401
    nested, lone = "[" * 200_000, json.dumps({"OriginalRecipient": to_of(mail), "RawEmail": "x\ud800"})
    for bad in ("{", "[]", "{}", json.dumps({"OriginalRecipient": "x"}), nested, lone):
        assert handed(relay, "postmark", data=bad, auth=("x", SECRET)) == 400
    assert handed(relay, "postmark/events", data=nested, auth=("x", SECRET)) == 400
    assert post.read() == ["preview"]


@pytest.mark.slow
def test_a_mailgun_signature_is_accepted_once(post, game, relay):
    """A repeated signature is refused with any content, and so is an old or a wrong one."""
    mail = post.asked("ada")

    def form(token="t1", stamp=None, text="preview bid 3", key=KEY):
        at = str(int(post.time.timestamp())) if stamp is None else stamp
        made = hmac.new(key.encode(), (at + token).encode(), sha256).hexdigest()
        raw = post.written(mail, text).decode()
        return {"timestamp": at, "token": token, "signature": made, "recipient": to_of(mail), "body-mime": raw}

    assert handed(relay, "mailgun", data=form()) == 200
    assert handed(relay, "mailgun", data=form(text="bid 5")) == 200
    assert handed(relay, "mailgun", data=form("t2", key="x")) == 401
    assert handed(relay, "mailgun", data=form("t3", stamp=str(int(post.time.timestamp()) - 3600))) == 401
    assert handed(relay, "mailgun", data=form("t4", stamp="x")) == 401
    assert handed(relay, "mailgun", data={}) == 401
    assert post.read() == ["preview"]


def test_without_a_secret_no_body_is_read(post, relay):
    """There is nothing at these addresses."""
    object.__setattr__(post.services, "settings", replace(post.settings, inbound_secret=None, mailgun_key=None))
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for path in ("raw", "postmark", "mailgun", "postmark/events", "mailgun/events"):
        body = io.BytesIO(b"x" * 100)
        assert handed(relay, path, input_stream=body, content_length=100, headers=form) == 404
        assert body.tell() == 0, path


def bounced(relay, post, path, **given):
    """A relay's report and its effect."""
    status = relay.post(f"/inbound/{path}/events", base_url=HERE, **given).status_code
    return status, post.read()


def signature(post, token, key=KEY):
    stamp = str(int(post.time.timestamp()))
    made = hmac.new(key.encode(), (stamp + token).encode(), sha256).hexdigest()
    return {"timestamp": stamp, "token": token, "signature": made}


@pytest.mark.slow
def test_mailgun_reports_the_fate_of_a_mail(post, game, relay):
    """By Message-ID and address, signed; temporary failures and replays have no effect."""
    row, before = post.row("turn", 0), counted("mailgun", "kept")

    def event(token, key=KEY, **changed):
        status = {"code": 550, "message": "5.1.1 no such user", "enhanced-code": "5.1.1"}
        named = {"headers": {"message-id": row.message_id.strip("<>")}}
        told = {"event": "failed", "severity": "permanent", "recipient": "ada@example.org", "message": named}
        return {"signature": signature(post, token, key), "event-data": {**told, "delivery-status": status, **changed}}

    for number, changed in enumerate(
        (
            {"severity": "temporary"},
            {"event": "delivered"},
            {"recipient": "ben@example.org"},
            {"message": {"headers": {"message-id": "x@localhost"}}},
            {"message": None},
        )
    ):
        assert bounced(relay, post, "mailgun", json=event(f"t{number}", **changed)) == (200, [])
    assert bounced(relay, post, "mailgun", json=event("x", key="x")) == (401, [])
    assert bounced(relay, post, "mailgun", data="[") == (400, [])
    assert bounced(relay, post, "mailgun", json=event("good")) == (200, ["gone"])
    assert mailbox.reports(post.services)[-1]["says"] == "5.1.1 no such user"
    assert bounced(relay, post, "mailgun", json=event("good", event="complained")) == (200, [])
    assert bounced(relay, post, "mailgun", json=event("other", event="complained")) == (200, ["complaint"])
    assert counted("mailgun", "kept") == before + 2


@pytest.mark.slow
def test_an_address_in_a_relays_request_is_not_fetched(post, game, relay):
    """Otherwise anyone with its secret could make this server connect to any host."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://127.0.0.1:{other.getsockname()[1]}/mail"
        stored = {"storage": {"url": url, "key": "x"}, "recipient": "ada@example.org", "event": "complained"}
        named = {"message": {"headers": {"message-id": post.row("turn", 0).message_id}, "url": url}}
        told = {"signature": signature(post, "stored"), "event-data": {**stored, **named}}
        assert bounced(relay, post, "mailgun", json=told) == (200, ["complaint"])
        form = {"recipient": to_of(post.asked("ada")), "message-url": url, **signature(post, "route")}
        assert handed(relay, "mailgun", data=form) == 400
        other.setblocking(False)
        with pytest.raises(BlockingIOError):
            other.accept()


@pytest.mark.slow
def test_a_bounced_sign_in_mail_is_reported_to_the_account_of_its_address(post, game, relay):
    """Nothing is stored about strangers. The next mail is still sent."""
    for email in ("ada@example.org", "stranger@example.org"):
        request_link(post.services, email, "")
    post.react()
    gone = {"event": "failed", "severity": "permanent", "delivery-status": {"message": "5.1.1 no such user"}}
    for number, (row, email, did) in enumerate(
        zip(post.rows()[-2:], ("ada@example.org", "stranger@example.org"), (["gone"], []), strict=True)
    ):
        named = {"message": {"headers": {"message-id": row.message_id}}, "recipient": email}
        told = {"signature": signature(post, f"l{number}"), "event-data": {**gone, **named}}
        assert bounced(relay, post, "mailgun", json=told) == (200, did)
    post.react()  # the one last mail that says so
    sent = len(post.sink.mails)
    request_link(post.services, "ada@example.org", "")
    post.react()
    assert len(post.sink.mails) == sent + 1
    assert [row["to"] for row in mailbox.all_stopped(post.services)] == ["ada@example.org"]


@pytest.mark.slow
def test_postmark_reports_the_fate_of_a_mail(post, game, relay):
    """By the token in the mail, with the secret; the server's own words override Postmark's type."""
    row = post.row("turn", 0)
    token = post.sender(row).partition("+")[2].partition("@")[0]

    def event(number=1, **changed):
        told = {"RecordType": "Bounce", "ID": number, "Type": "HardBounce", "Email": "ada@example.org"}
        return {**told, "Details": "smtp;550 5.1.1 no such user", "Metadata": {"mail": token}, **changed}

    def heard(told, secret=SECRET):
        return bounced(relay, post, "postmark", json=told, auth=("x", secret))

    for number, changed in enumerate(
        (
            {"Type": "Transient"},
            {"RecordType": "Delivery"},
            {"Email": "ben@example.org"},
            {"Metadata": {"mail": "a" * 24}},
            {"Metadata": {"mail": post.asked("ada")["Reply-To"].addresses[0].username.partition("+")[2]}},
            {"Metadata": None},
        )
    ):
        assert heard(event(number, **changed)) == (200, [])
    assert heard(event(), "x") == (401, [])
    assert heard(event(Details="550 5.7.1 blocked")) == (200, ["ours"])
    assert heard(event(2)) == (200, ["gone"])
    assert heard(event(2)) == (200, [])
    assert heard(event(3, RecordType="SpamComplaint")) == (200, ["complaint"])


def test_a_relay_gets_503_if_there_is_no_room(post, game, relay):
    """It tries again; after 200 the mail or report would be lost."""
    mail = post.asked("ada")
    fill(post, mail)
    to = {"X-Envelope-To": to_of(mail), "Content-Type": "message/rfc822"}
    assert handed(relay, "raw", data=JUNK, headers=to, auth=("x", SECRET)) == 503
    row = post.row("turn", 0)
    told = {"event": "complained", "recipient": "ada@example.org"}
    told |= {"message": {"headers": {"message-id": row.message_id.strip("<>")}}}
    statuses = [
        handed(relay, "mailgun/events", json={"signature": signature(post, f"t{number}"), "event-data": told})
        for number in range(inbound.MOST_OF_ONE + 1)
    ]
    assert statuses == [200] * inbound.MOST_OF_ONE + [503]


def test_mail_through_postmark_has_a_token(post, game):
    """Postmark removes it and returns it in its reports; other relays get none."""
    row = post.row("turn", 0)
    at_postmark = replace(post.ctx, smtp=Smtp.at("smtp+starttls://x:y@smtp.postmarkapp.com"))
    assert [*marks(at_postmark, row, "ada@example.org").values()] == [post.sender(row)[7:31]]
    assert marks(post.ctx, row, "ada@example.org") == {}


def test_without_secrets_no_mail_is_accepted_by_http(post, game):
    """The addresses do not exist."""
    client = create_app(services=post.services).test_client()
    paths = ("raw", "postmark", "mailgun", "postmark/events", "mailgun/events")
    assert [handed(client, path, data=b"{}") for path in paths] == [404] * 5
    assert post.kept() == []
