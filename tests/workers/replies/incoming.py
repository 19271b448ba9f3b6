"""Incoming mail, as the tests of its ways in send and count it."""

from __future__ import annotations

from dataclasses import replace

from prometheus_client import REGISTRY

from server.mailbox import inbound
from tests.workers.replies.mail import OTHER, signed, written

JUNK = b"Subject: x\r\n\r\nx\r\n"


def to_of(mail) -> str:
    return mail["Reply-To"].addresses[0].addr_spec


def counted(via: str, how: str) -> float:
    return REGISTRY.get_sample_value("sealedmove_inbound_mails_total", {"via": via, "how": how}) or 0


def vouched(post) -> bytes:
    """A mail by Ada with an invalid signature, and a relay's header that it is valid."""
    raw = signed(written("preview bid 3", str(post.asked("ada")["Reply-To"]), post.services.now()), key=OTHER)
    return b"Authentication-Results: mx.play.example; dkim=pass header.d=example.org\r\n" + raw


def believe(post, peer: str) -> None:
    """Trust that relay at this address."""
    post.settings = replace(post.settings, auth_results=("mx.play.example", peer))
    object.__setattr__(post.services, "settings", post.settings)


def fill(post, mail, raw: bytes = JUNK, count: int = inbound.MOST_OF_ONE) -> list[str]:
    return [how for _ in range(count) for how in post.arrive(raw, mail)]
