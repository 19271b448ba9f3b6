"""Real mail servers of this machine between the server and the world, configured as `docs/operate.md` describes:
mails go out through one, replies come in through it by LMTP, and bounces come back and stop mail.
"""

from __future__ import annotations

import re
import smtplib
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from server.mailbox import read as mailbox
from tests.kit.patience import PATIENCE, until
from tests.servers import free, opensmtpd, postfix
from tests.workers.harness import Sink
from tests.workers.replies.mail import signed, written
from tests.workers.replies.post import Post, door

OPERATE = (Path(__file__).parents[3] / "docs/operate.md").read_text("utf-8")
LONG = b"> " + b"words of a quote in one line " * 120


class Provider(Sink):
    """Accepts everybody's mail but that of `gone@example.org`."""

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:
        if address.startswith("gone@"):
            return "550 5.1.1 no such user here"
        envelope.rcpt_tos.append(address)
        return "250 OK"


@dataclass
class Relayed:
    """Where a server submits mail, and the mails that arrived."""

    url: str
    mails: list[EmailMessage]

    subjects = Sink.subjects


def told(pattern: str, **places: str) -> str:
    """The configuration in the operator's guide, with the addresses of this test."""
    found = re.search(pattern, OPERATE, re.DOTALL)
    assert found is not None, pattern
    text = found[1]
    for name, place in places.items():
        assert name in text
        text = text.replace(name, place)
    return text


@contextmanager
def by_postfix(inbound: int, provider: int):
    routes = told(r"`transport_maps = inline:\{(\S+)\}`", **{"127.0.0.1:24": f"127.0.0.1:{inbound}"})
    domain, _, transport = routes.partition("=")
    limit = told(r"`lmtp_line_length_limit = (\d+)`")
    ways = {domain: transport, "example.org": f"smtp:[127.0.0.1]:{provider}"}
    with postfix.running(ways, {"lmtp_line_length_limit": limit}) as (port, _):
        yield port


@contextmanager
def by_opensmtpd(inbound: int, provider: int):
    lines = told(r"((?: +(?:table|action|match) [^\n]+\n){3})", **{"127.0.0.1:24": f"127.0.0.1:{inbound}"})
    out = f'action "out" relay host smtp://127.0.0.1:{provider}\nmatch from any for domain "example.org" action "out"\n'
    with opensmtpd.running("".join(line.strip() + "\n" for line in lines.splitlines()) + out) as (port, _):
        yield port


@pytest.mark.parametrize(("server", "between"), [(postfix, by_postfix), (opensmtpd, by_opensmtpd)])
def test_mail_passes_a_real_server_both_ways_and_bounces(tmp_path, server, between):
    """With long lines and two recipients at once, and a mailbox that is gone."""
    if (why := server.why_not()) is not None:
        pytest.skip(why)
    provider, inbound = Provider(), free.ports(1)[0]
    with between(inbound, provider.port) as port:
        post = Post(f"sqlite:///{tmp_path / 'house.db'}", Relayed(f"smtp://127.0.0.1:{port}", provider.mails))
        try:
            with door(post, "lmtp", port=inbound):
                _both_ways(post, port)
                _back(post)
        finally:
            post.close()
            provider.stop()


def _both_ways(post: Post, port: int) -> None:
    game = post.game("bids", unsigned=True)
    post.react()
    until(lambda: len(post.sink.mails) == 2, "our mails do not arrive")
    for name in ("ada", "ben"):
        mail = post.asked(name)
        heads = {"from_": str(mail["To"]), "message_id": f"<{name}@example.org>"}
        raw = signed(written("bid 3\n\n", str(mail["Reply-To"]), post.services.now(), **heads) + LONG + b"\r\n")
        with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
            client.sendmail(f"{name}@example.org", [mail["Reply-To"].addresses[0].addr_spec], raw)
    until(lambda: len(post.kept()) == 2, "replies do not come in")
    assert max(len(line) for row in post.kept() for line in row.raw.splitlines()) > 3000
    assert [row.via for row in post.kept()] == ["lmtp", "lmtp"]
    assert sorted(post.read()) == ["played", "played"]
    assert [line.get("via") for line in post.lines(game) if line["kind"] == "moved"] == ["mail", "mail"]
    _to_both(post, port)


def _to_both(post: Post, port: int) -> None:
    """LMTP answers for each receiver, or a real server waits."""
    mails_of = [post.asked(name) for name in ("ada", "ben")]
    raw = post.written(mails_of[0], "help")
    with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
        client.sendmail("ada@example.org", [mail["Reply-To"].addresses[0].addr_spec for mail in mails_of], raw)
    until(lambda: len(post.kept()) == 4, "a mail to two does not come in")
    assert sorted(post.read()) == ["help", "unproven"]


def _back(post: Post) -> None:
    """The next mail to Ben bounces, because that mailbox is gone; Ada still gets mail."""
    post.set_email("ben", "gone@example.org")
    before = len(post.kept())
    post.game("bids", unsigned=True)
    post.react()
    until(lambda: len(post.kept()) > before, "nothing comes back")
    assert "gone" in post.read()
    with post.services.database.read() as session:
        assert [
            mailbox.mail_stopped(session, number) and mailbox.mail_stopped(session, number)["why"] for number in (1, 2)
        ] == [
            None,
            "gone",
        ]
        assert "5.1.1 no such user here" in mailbox.mail_stopped(session, 2)["says"]
