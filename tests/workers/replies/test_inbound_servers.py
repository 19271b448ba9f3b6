"""Mail comes in by SMTP and LMTP: stored before it is accepted, limited, and without revealing anything."""

from __future__ import annotations

import asyncio
import signal
import smtplib
import socket
from contextlib import ExitStack
from dataclasses import replace
from unittest.mock import Mock

import pytest
import sqlalchemy as sa

from server.kernel.db.models import InboundMail
from server.kernel.operator_log import Operator
from server.kernel.peers import counted_as
from server.mailbox import arriving, inbound
from server.mailbox.inbound import IncomingMail
from tests.kit.patience import PATIENCE, until
from tests.servers import free
from tests.workers.replies.incoming import JUNK, believe, counted, fill, to_of, vouched
from tests.workers.replies.mail import OTHER, signed, written
from tests.workers.replies.post import door
from workers.replies import smtp_server
from workers.replies.main import listen
from workers.replies.process import process_in
from workers.replies.smtp_server import ConnectionLimits


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


def test_an_address_that_is_taken_is_named(post):
    """In one sentence, as other refusals to start."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        chosen = replace(post.settings, inbound_listen=(f"smtp://127.0.0.1:{port}",))
        with pytest.raises(ValueError, match=f"INBOUND_LISTEN: inbound cannot listen on 127.0.0.1, port {port}: add"):
            asyncio.run(listen(chosen))


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


def send(port: int, to: str, raw: bytes) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
        client.sendmail("eve@evil.example", [to], raw)


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


def test_mail_to_the_postmaster_is_kept_for_the_operator(post):
    """And so is mail about abuse, up to a number; no worker reads it."""
    with door(post) as port:
        for to in ("postmaster@play.example", "Abuse@play.example", "postmaster"):
            assert talk(port, "HELO x", "MAIL FROM:<e@x>", f"RCPT TO:<{to}>")[-1].startswith("250")
        for to in ("abuse", "abuse@other.example", "root@play.example"):
            assert talk(port, "HELO x", "MAIL FROM:<e@x>", f"RCPT TO:<{to}>")[-1].startswith("5")
    letter = IncomingMail("abuse@play.example", b"Subject: stop this\r\n\r\nx\r\n", "smtp")
    assert set(inbound.keep(post.services, [letter] * inbound.MOST_LETTERS)) == {"kept"}
    assert inbound.keep(post.services, [letter]) == ["full"]
    (first, *_) = inbound.quarantined(post.services)
    assert (first["kind"], first["why"]) == ("letter", "a letter to the operator")
    assert not inbound.retry_quarantined(post.services, Operator("kim", "read"), first["mail"])
    assert inbound.read_quarantined(post.services, first["mail"]) == letter.raw
    assert inbound.drop_quarantined(post.services, Operator("kim", "read"), first["mail"])
    assert inbound.keep(post.services, [letter]) == ["kept"]


def test_four_addresses_cannot_keep_out_the_others():
    """Once half of the sessions are taken a peer may have a few; a network of IPv6 is one peer."""
    limits = ConnectionLimits()
    for number in range(4 * limits.sessions):
        peer = f"192.0.2.{number % 4}"
        limits.open[peer] += limits.is_open_to(peer)
    assert max(limits.open.values()) <= limits.of_peer == 50
    assert limits.open.total() <= limits.sessions // 2
    others = [f"198.51.100.{number}" for number in range(20)]
    assert all(limits.is_open_to(other) for other in others)
    assert counted_as("2001:db8::1") == counted_as("2001:db8::ffff%eth0") != counted_as("2001:db8:0:1::1")


def test_the_mail_server_has_limits(post, game, monkeypatch):
    """Recipients, sessions, mails a minute, size; lines of usual length pass."""
    monkeypatch.setattr(smtp_server, "time", Mock(**{"monotonic.return_value": 0.0}))  # no new minute begins
    to = to_of(post.asked("ada"))
    limits = ConnectionLimits(recipients=2, sessions=2, a_minute=1)
    with door(post, limits=limits) as port:
        assert talk(port, "HELO x", "MAIL FROM:<e@x>", *[f"RCPT TO:<{to}>"] * 3)[-1].startswith("452")
        assert talk(port, "EHLO x", f"MAIL FROM:<e@x> SIZE={arriving.LARGEST + 1}")[-1].startswith("552")
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


def test_the_fifty_first_session_of_an_address_is_refused(post):
    """Another address is served meanwhile."""
    with door(post) as port, ExitStack() as open_:
        greeted = [open_.enter_context(line_of(port)).readline() for _ in range(51)]
        assert [line[:3] for line in greeted] == [b"220"] * 50 + [b"421"]
        assert open_.enter_context(line_of(port, "127.0.0.2")).readline().startswith(b"220")


def line_of(port: int, source: str = "127.0.0.1"):
    """The lines that a client at this address reads."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0)) as wire:
        return wire.makefile("rb")


def test_a_silent_session_is_ended(post, monkeypatch):
    """After a minute, so that nobody keeps a place by saying nothing."""
    assert smtp_server.TIMEOUT == 60
    monkeypatch.setattr(smtp_server, "TIMEOUT", 0.2)
    limits = ConnectionLimits()
    with door(post, limits=limits) as port, line_of(port) as said:
        assert said.readline().startswith(b"220")
        assert said.read() == b""
        until(lambda: not limits.open, "the session keeps its place, or its address is remembered for good")


@pytest.mark.parametrize(("sender", "did"), [("", "automatic"), ("ada@example.org", "planned")])
def test_the_envelope_says_whether_a_program_wrote(post, game, sender, did):
    """Only programs send without an envelope sender; a header that came with the mail says nothing about it."""
    mail = post.asked("ada")
    with door(post) as port, smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
        raw = b"Return-Path: <>\r\n" * bool(sender) + post.written(mail, "bid 3")
        assert client.sendmail(sender, [to_of(mail)], raw) == {}
    assert post.read() == [did]


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
