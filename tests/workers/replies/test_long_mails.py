"""Mails of up to 25 MB are read: the beginning is kept, and the signature is checked over all of it."""

from __future__ import annotations

import random
import smtplib
import socket
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256
from itertools import count

from dkim.canonicalization import Relaxed, Simple

from server.mailbox import arriving, relays
from server.mailbox.arriving import ArrivingMail, BodyHashes
from tests.kit.patience import PATIENCE
from tests.workers.replies.incoming import to_of
from tests.workers.replies.mail import signed
from tests.workers.replies.post import door
from tests.workers.replies.test_inbound_http import HERE, SECRET, handed, relay  # noqa: F401 - a fixture
from workers.replies.mail_data import MailData

MEGABYTE = 2**20
_numbers = count(1)


def with_attachment(post, mail, text: str, size: int, *, first: bool = False) -> bytes:
    """A signed answer of about this size; its attachment may come `first`."""
    made = EmailMessage(policy=SMTP)
    made["From"], made["To"], made["Subject"] = str(mail["To"]), str(mail["Reply-To"]), "Re: Your turn"
    made["Date"], made["Message-ID"] = format_datetime(post.services.now()), f"<long.{next(_numbers)}@example.org>"
    made.set_content(text)
    line = b"\t" + b"x" * 70 + b"  y  \r\n"
    made.add_attachment(line * (size // len(line)), "application", "x-long", cte="8bit")
    if first:
        made.get_payload().reverse()
    return signed(made.as_bytes(), canonicalize=(b"relaxed", random.choice((b"simple", b"relaxed"))))


def pieces_of(data: bytes, dice: random.Random):
    at = 0
    while at < len(data):
        size = dice.randint(1, 9)
        yield data[at : at + size]
        at += size


def test_the_hashes_of_a_body_in_pieces_are_those_of_its_signature():
    """As the library computes them, which has the whole body in memory."""
    for seed in range(1000):
        check_hashes(random.Random(seed))


def check_hashes(dice: random.Random) -> None:
    body = b"".join(dice.choices([b"a", b" ", b"\t", b"\r\n", b"\n", b".", b" \r\n"], k=dice.randint(0, 40)))
    made = BodyHashes()
    for piece in pieces_of(body, dice):
        made.take(piece)
    whole = body.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    forms = (Simple.canonicalize_body(whole), Relaxed.canonicalize_body(whole))
    assert made.end() == b"".join(sha256(form).digest() for form in forms)


def test_the_data_of_a_mail_end_at_a_line_with_only_a_full_stop():
    """However the network divides them; what follows is left for the next command."""
    for seed in range(1000):
        check_data(random.Random(seed))


def check_data(dice: random.Random) -> None:
    letters = [b"a", b".", b"\n", b"\r"]
    lines = [b"".join(dice.choices(letters, k=dice.randint(0, 4))) for _ in range(dice.randint(0, 5))]
    sent = b"".join(line + b"\r\n" for line in lines).split(b"\r\n")[:-1]
    stuffed = b"".join((b"." + line if line.startswith(b".") else line) + b"\r\n" for line in sent)
    data, found = MailData(), b""
    for piece in pieces_of(stuffed + b".\r\nQUIT\r\n", dice):
        if data.rest is None:
            found += data.take(piece)
    assert found == b"".join(line + b"\r\n" for line in sent)
    assert data.rest is not None
    assert b"QUIT\r\n".startswith(data.rest)


def test_a_signed_move_in_a_mail_of_24_mb_plays(post, game):
    """At most the first 2 MB of it are stored."""
    mail = post.asked("ada")
    raw = with_attachment(post, mail, "bid 3", 24 * MEGABYTE)
    assert 24 * MEGABYTE - 1000 < len(raw) <= arriving.LARGEST
    with door(post) as port, smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
        assert client.sendmail("ada@example.org", [to_of(mail)], raw) == {}
        (row,) = post.kept()
        assert len(row.raw) <= arriving.KEPT
        assert client.noop()[0] == 250
    assert post.read() == ["planned"]
    (row,) = post.kept()
    assert (row.raw, row.body_hashes) == (None, None)


def test_a_byte_that_is_changed_in_an_attachment_breaks_the_signature(post, game):
    """Also where only its hash is stored."""
    mail = post.asked("ada")
    raw = with_attachment(post, mail, "bid 3", 3 * MEGABYTE)
    changed = raw[:-MEGABYTE] + raw[-MEGABYTE:].replace(b"y", b"z", 1)
    for one, did in ((changed, "unproven"), (raw, "planned")):
        taken = ArrivingMail.of(one)
        post.arrive(taken.beginning, mail, body_hashes=taken.body_hashes())
        assert post.read() == [did]


def test_commands_below_a_long_attachment_are_not_played(post, game):
    """Their text is not kept, or only a part of it; the answer says so."""
    mail = post.asked("ada")
    taken = ArrivingMail.of(with_attachment(post, mail, "bid 3", 3 * MEGABYTE, first=True))
    post.arrive(taken.beginning, mail, body_hashes=taken.body_hashes())
    assert post.read() == ["unread"]
    post.react()
    assert "too long" in post.told("ada").get_body(("plain",)).get_content()


def test_a_mail_of_26_mb_is_refused_with_a_sentence(post, game):
    """By its stated size at once, otherwise at its end; nothing is stored."""
    to, raw = to_of(post.asked("ada")), b"Subject: x\r\n\r\n" + b"x" * 70 + b"\r\n" * (13 * MEGABYTE)
    with door(post) as port, smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
        client.ehlo()
        assert client.mail("ada@example.org", [f"SIZE={len(raw)}"])[0] == 552
        client.mail("ada@example.org")
        client.rcpt(to)
        code, said = client.data(raw)
        assert (code, said) == (552, b"5.3.4 the mail has more than 25 MB: send it without attachments")
        client.mail("ada@example.org")
        client.rcpt(to)
        assert client.data(b"x: " + b"x" * (2 * MEGABYTE))[0] == 500
    assert post.kept() == []


def send_long(port: int, to: str, pieces: int) -> str:
    """Send a mail of so many megabytes without having it in memory."""
    piece = (b"x" * 62 + b"\r\n") * 2**14
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as wire, wire.makefile("rb") as said:
        said.readline()
        for line in ("HELO x", "MAIL FROM:<ada@example.org>", f"RCPT TO:<{to}>", "DATA"):
            wire.sendall(line.encode() + b"\r\n")
            said.readline()
        for part in [b"Subject: x\r\n\r\n", *[piece] * pieces, b".\r\n"]:
            wire.sendall(part)
        return said.readline().decode().strip()


def test_four_long_mails_at_once_take_little_memory_and_keep_nobody_out(post, game):
    """A short one is stored meanwhile."""
    to = to_of(post.asked("ada"))
    with door(post) as port, ThreadPoolExecutor(5) as pool:
        tracemalloc.start()
        sent = [pool.submit(send_long, port, to, 24) for _ in range(4)]
        short = pool.submit(send_long, port, to, 0)
        answers = [one.result(PATIENCE) for one in [*sent, short]]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert answers == ["250 2.0.0 stored"] * 5
    assert peak < 40 * MEGABYTE
    assert max(len(row.raw) for row in post.kept()) <= arriving.KEPT


def test_relays_post_long_mails_one_at_a_time(post, game, relay):  # noqa: F811
    """A second one is sent again later; short ones pass."""
    mail = post.asked("ada")
    to = {"X-Envelope-To": to_of(mail), "Content-Type": "message/rfc822"}
    given = {"headers": to, "auth": ("x", SECRET)}
    assert handed(relay, "raw", data=with_attachment(post, mail, "bid 3", 24 * MEGABYTE), **given) == 200
    assert handed(relay, "raw", data=b"x" * (26 * MEGABYTE), **given) == 413
    with relays._LONG:
        assert relay.post("/inbound/raw", base_url=HERE, data=b"x" * (5 * MEGABYTE), **given).status_code == 503
        assert handed(relay, "raw", data=b"x", **given) == 200
    assert post.read()[0] == "planned"
