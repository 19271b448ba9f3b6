"""Mail comes in by SMTP, LMTP and HTTP: stored before it is accepted, limited, and without revealing anything."""

from __future__ import annotations

import asyncio
import hmac
import json
import signal
import smtplib
import socket
from dataclasses import replace
from hashlib import sha256

import pytest
import sqlalchemy as sa
from prometheus_client import REGISTRY

from server.accounts.sign_in import request_link
from server.http.app import create_app
from server.kernel.db.models import InboundMail
from server.mailbox import inbound
from server.mailbox import read as mailbox
from tests.kit.patience import PATIENCE
from tests.servers import free
from tests.workers.replies.mail import OTHER, signed, written
from tests.workers.replies.post import Post, door
from workers.mail.reply_addresses import marks
from workers.mail.smtp import Smtp
from workers.replies.main import listen
from workers.replies.process import process_in
from workers.replies.smtp_server import ConnectionLimits

SECRET, KEY = "the relay's secret", "what mailgun signs with"


@pytest.fixture
def game(post: Post) -> str:
    """Both players have a mail to answer."""
    made = post.game("bids")
    post.react()
    return made


def to_of(mail) -> str:
    return mail["Reply-To"].addresses[0].addr_spec


def talk(port: int, *lines: str) -> list[str]:
    """The server's answer to each line, greeting first."""
    with socket.create_connection(("127.0.0.1", port), 10) as wire, wire.makefile("rwb") as said:
        answers = [said.readline().decode().strip()]
        for line in lines:
            said.write(line.encode() + b"\r\n")
            said.flush()
            answer = said.readline().decode().strip()
            while answer[3:4] == "-":
                answer = said.readline().decode().strip()
            answers.append(answer)
    return answers


def test_a_mail_is_in_the_database_before_it_is_accepted(post, game):
    """By SMTP, with the envelope sender on top; not read yet."""
    mail = post.asked("ada")
    with door(post) as port, smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
        raw = post.written(mail, "bid 3")
        assert client.sendmail("ada@example.org", [to_of(mail)], raw) == {}
        (row,) = post.kept()
    assert (row.state, row.via, row.relayed) == ("waiting", "smtp", False)
    assert row.raw.startswith(b"Return-Path: <ada@example.org>\r\nDKIM-Signature:")
    assert post.read() == ["planned"]


def test_lmtp_answers_for_each_receiver(post, game):
    """Otherwise the relay would wait for the second answer."""
    mails = [post.asked("ada"), post.asked("ben")]
    with door(post, "lmtp") as port:
        rcpts = [f"RCPT TO:<{to_of(mail)}>" for mail in mails]
        with socket.create_connection(("127.0.0.1", port), 10) as wire, wire.makefile("rwb") as said:
            for line in ("LHLO x", "MAIL FROM:<ada@example.org>", *rcpts, "DATA", "Subject: x\r\n\r\nbid 3\r\n."):
                said.write(line.encode() + b"\r\n")
            said.flush()
            answers = list(iter(lambda: said.readline().decode().strip(), "250 2.0.0 stored"))
            assert said.readline().strip() == b"250 2.0.0 stored"
    assert any(line.startswith("354") for line in answers)
    assert [row.via for row in post.kept()] == ["lmtp", "lmtp"]


def test_a_mail_to_an_unknown_token_is_accepted_and_dropped(post, game):
    """So nobody can probe for tokens; other addresses are refused, and this is not an open relay."""
    good = to_of(post.asked("ada"))
    bad = "move+" + "a" * 24 + "@play.example"
    with door(post) as port:
        said = [talk(port, "HELO x", "MAIL FROM:<e@x>", f"RCPT TO:<{to}>")[-1] for to in (good, bad)]
        assert said[0] == said[1] == "250 2.1.5 ok"
        for to in ("ben@example.org", "move@play.example", "x@play.example"):
            assert talk(port, "HELO x", "MAIL FROM:<e@x>", f"RCPT TO:<{to}>")[-1].startswith("550 5.7.1")
        before = counted("smtp", "unknown")
        send(port, bad, b"Subject: x\r\n\r\nbid 3\r\n")
    assert (post.kept(), counted("smtp", "unknown")) == ([], before + 1)


def counted(via: str, how: str) -> float:
    return REGISTRY.get_sample_value("sealedmove_inbound_mails_total", {"via": via, "how": how}) or 0


def send(port: int, to: str, raw: bytes) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
        client.sendmail("eve@evil.example", [to], raw)


def vouched(post) -> bytes:
    """A mail by Ada with an invalid signature, and a relay's header that it is valid."""
    raw = signed(written("preview bid 3", str(post.asked("ada")["Reply-To"]), post.services.now()), key=OTHER)
    return b"Authentication-Results: mx.play.example; dkim=pass header.d=example.org\r\n" + raw


def believe(post, peer: str) -> None:
    """Trust that relay at this address."""
    post.settings = replace(post.settings, auth_results=("mx.play.example", peer))
    object.__setattr__(post.services, "settings", post.settings)


@pytest.mark.parametrize(("peer", "did"), [("127.0.0.1", "preview"), ("192.0.2.1", "unproven")])
def test_a_relay_is_believed_at_its_own_address_alone(post, game, peer, did):
    """Anyone else who can connect could write such a header."""
    believe(post, peer)
    with door(post) as port:
        send(port, to_of(post.asked("ada")), vouched(post))
    assert post.read() == [did]


def test_no_mail_is_accepted_while_it_cannot_be_stored(post, game):
    """451 without details; the relay tries again."""

    def broken(*_):
        raise RuntimeError("secret")

    mail = post.asked("ada")
    with (
        door(post, store=broken) as port,
        smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client,
        pytest.raises(smtplib.SMTPDataError) as no,
    ):
        client.sendmail("ada@example.org", [to_of(mail)], b"Subject: x\r\n\r\nbid 3\r\n")
    assert (no.value.smtp_code, no.value.smtp_error) == (451, b"4.3.0 try again later")
    assert post.kept() == []


def test_the_mail_server_has_limits(post, game):
    """Recipients, sessions, mails a minute, size; lines of usual length pass."""
    to = to_of(post.asked("ada"))
    limits = ConnectionLimits(recipients=2, sessions=2, a_minute=1)
    with door(post, limits=limits) as port:
        assert talk(port, "HELO x", "MAIL FROM:<e@x>", *[f"RCPT TO:<{to}>"] * 3)[-1].startswith("452")
        assert talk(port, "EHLO x", f"MAIL FROM:<e@x> SIZE={inbound.LARGEST + 1}")[-1].startswith("552")
        with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
            client.sendmail("ada@example.org", [to], b"Subject: x\r\n\r\n" + b"x" * 20_000 + b"\r\n")
            with pytest.raises(smtplib.SMTPDataError, match="451"):
                client.sendmail("ada@example.org", [to], b"Subject: x\r\n\r\nx\r\n")
            with (
                smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE),
                pytest.raises(smtplib.SMTPConnectError, match="421"),
            ):
                smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE)
    assert len(post.kept()) == 1


JUNK = b"Subject: x\r\n\r\nx\r\n"


def fill(post, mail, raw: bytes = JUNK, count: int = inbound.MOST_OF_ONE) -> list[str]:
    return [how for _ in range(count) for how in post.arrive(raw, mail)]


def test_a_mail_is_refused_if_there_is_no_room(post, game):
    """Nothing is dropped after `250`: the sender's server keeps it until there is room."""
    mail = post.asked("ada")
    assert fill(post, mail, count=inbound.MOST_OF_ONE + 1) == ["kept"] * inbound.MOST_OF_ONE + ["full"]
    with door(post) as port:
        with pytest.raises(smtplib.SMTPDataError) as no:
            send(port, to_of(mail), JUNK)
        assert (no.value.smtp_code, no.value.smtp_error[:5]) == (452, b"4.2.2")
        assert len(post.kept()) == inbound.MOST_OF_ONE
        post.read()
        send(port, to_of(mail), JUNK)
    assert len(post.kept()) == inbound.MOST_OF_ONE + 1


def test_lmtp_refuses_only_the_receiver_that_has_no_room(post, game):
    """The other one has the mail, and does not get it again."""
    full, other = post.asked("ada"), post.asked("ben")
    fill(post, full)
    with door(post, "lmtp") as port:
        rcpts = [f"RCPT TO:<{to_of(mail)}>" for mail in (full, other)]
        with socket.create_connection(("127.0.0.1", port), 10) as wire, wire.makefile("rwb") as said:
            for line in ("LHLO x", "MAIL FROM:<e@x>", *rcpts, "DATA", "Subject: x\r\n\r\nx\r\n."):
                said.write(line.encode() + b"\r\n")
            said.flush()
            assert next(line for line in said if line.startswith(b"452 4.2.2"))
            assert said.readline().strip() == b"250 2.0.0 stored"
    assert post.kept()[-1].notification_id != post.kept()[0].notification_id


def test_junk_takes_no_room_from_signed_mail(post, game):
    """However much junk waits or is in quarantine, the holder's own move is accepted and played."""
    mail = post.asked("ada")
    fill(post, mail)
    assert post.arrive(post.written(mail, "bid 3"), mail) == ["kept"]
    assert post.read()[-1] == "planned"
    with post.services.database.write() as session:
        session.execute(sa.update(InboundMail).values(state="quarantined"))
    assert fill(post, mail, count=1) == ["kept"]


def test_a_signature_of_another_domain_or_sender_is_junk(post, game):
    """The room for signed mail needs at least the account's address and domain."""
    mail = post.asked("ada")
    to, now = str(mail["Reply-To"]), post.services.now()
    fill(post, mail)
    for raw in (
        signed(written("x", to, now, from_="Eve <eve@evil.example>"), "evil.example", OTHER),
        signed(written("x", to, now), "evil.example", OTHER),
        signed(written("x", to, now, from_="Eve <eve@example.org>")),
    ):
        assert post.arrive(raw, mail) == ["full"]


def test_waiting_proven_mail_has_its_own_room(post, game):
    """Separate from forged and from unread mail; only its own sender can fill it."""
    mail = post.asked("ada")
    post.fault(game, post.services.now())
    for _ in range(inbound.MOST_PROVEN):
        assert post.arrive(post.written(mail, "preview bid 3"), mail) == ["kept"]
        process_in(post.ctx, post.kept()[-1].id)
    assert {row.room for row in post.kept()} == {"proven"}
    assert post.arrive(post.written(mail, "bid 3"), mail) == ["full"]
    assert fill(post, mail, count=1) == ["kept"]
    assert post.arrive(post.written(post.asked("ben"), "bid 3"), post.asked("ben")) == ["kept"]


# --- by HTTP --------------------------------------------------------------------------------------------------------


@pytest.fixture
def relay(tmp_path, post):
    """A client of the web server over the same database, in which relays have their secrets."""
    given = {**{name: getattr(post.settings, name) for name in post.settings.__slots__}}
    chosen = type(post.settings)(**given | {"inbound_secret": SECRET, "mailgun_key": KEY})
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
    for size, status in ((1_000_000, 200), (inbound.LARGEST + 1, 413)):
        assert handed(relay, "raw", data=b"x" * size, headers=to, auth=("x", SECRET)) == status


def test_postmark_posts_json(post, game, relay):
    """With the raw mail in it; without, the answer names the missing member."""
    mail = post.asked("ada")
    told = {"OriginalRecipient": to_of(mail), "RawEmail": post.written(mail, "preview bid 3").decode()}
    assert handed(relay, "postmark", data=json.dumps(told), auth=("x", SECRET)) == 200
    assert handed(relay, "postmark", data=json.dumps(told)) == 401
    for bad in ("{", "[]", "{}", json.dumps({"OriginalRecipient": "x"})):
        assert handed(relay, "postmark", data=bad, auth=("x", SECRET)) == 400
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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_mail_servers(post, number):
    """The process ends by itself, and new connections are refused."""
    [port] = free.ports(1)
    chosen = replace(post.settings, inbound_listen=(f"smtp://127.0.0.1:{port}",))
    before = signal.signal(number, signal.SIG_IGN)
    try:
        asyncio.run(_listen_until(number, chosen, port))
    finally:
        signal.signal(number, before)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 10)


async def _listen_until(number, chosen, port) -> None:
    listening = asyncio.create_task(listen(chosen))
    while True:
        await asyncio.sleep(0.01)
        with socket.socket() as wire:
            if listening.done() or wire.connect_ex(("127.0.0.1", port)) == 0:
                break
    signal.raise_signal(number)
    await asyncio.wait_for(listening, PATIENCE)
