"""A reply moves only if its signature proves its sender and its recipient, and its token is valid."""

from __future__ import annotations

import pytest

from tests.kit.absent import mentions
from tests.workers.replies.mail import OTHER, signed, written
from tests.workers.replies.post import begun, mover, plain


def test_a_forwarded_mail_lets_nobody_move(post):
    """The address, even with a signature of another domain, is not enough. There is no answer."""
    game = begun(post)
    name = mover(post, game)
    mail, before = post.asked(name), post.kinds(game)
    to, now = str(mail["Reply-To"]), post.services.now()
    eve = {"from_": "Eve <eve@evil.example>"}
    forged = {"from_": str(mail["To"])}
    for raw in (
        signed(written("roll", to, now, **eve), "evil.example", OTHER),
        signed(written("roll", to, now, **forged), "evil.example", OTHER),
        signed(written("roll", to, now, **forged), key=OTHER),
        written("roll", to, now, **forged),
    ):
        post.arrive(raw, mail)
    assert post.read() == ["unproven"] * 4
    post.react()
    assert (post.kinds(game), post.plans()) == (before, [])
    notices = [one for one in post.sink.mails if one["Subject"].endswith("with an unverified sender")]
    assert [one["To"].addresses[0].username for one in notices] == [name]
    assert mentions("roll", plain(notices[0])) == 0
    assert not [one for one in post.sink.mails if "evil" in str(one["To"])]


def test_an_unproven_report_may_stop_mail_and_nothing_else(post):
    """So can the link in the mail, which any reader of the mail has."""
    game = begun(post)
    name, seat = mover(post, game), post.table(game).active[0]
    mail = post.asked(name)
    post.arrive(written("stop mail", str(mail["Reply-To"]), post.services.now()), mail)
    assert post.read() == ["unproven"]
    assert post.seat(game, seat).muted


@pytest.mark.slow
def test_a_mail_to_another_game_proves_nothing_here(post):
    """A mail by Ada to another address is refused at this one."""
    one, other = begun(post, "bids"), begun(post, "bids")
    mine = [post.asked("ada", -2), post.asked("ada", -1)]
    assert mine[0]["Reply-To"] != mine[1]["Reply-To"]
    raw = post.written(mine[0], "bid 3")
    before = post.kinds(one), post.kinds(other)
    post.arrive(raw, mine[1])
    assert post.read() == ["unproven"]
    assert (post.kinds(one), post.kinds(other)) == before


def test_a_reply_not_proven_to_be_addressed_to_us_is_only_a_draft(post):
    """Some providers do not sign `To`: a mail from Ada to Eve, submitted by Eve, must not move."""
    game = begun(post, "bids")
    mail, before = post.asked("ada"), post.kinds(game)
    heads = {"from_": str(mail["To"]), "message_id": "<told-eve@example.org>"}
    to_eve = written("bid 3", "eve@evil.example", post.services.now(), **heads)
    raw = signed(to_eve, covered=(b"from", b"date", b"subject", b"message-id"))
    post.arrive(raw.replace(b"to: eve@evil.example", b"To: " + str(mail["Reply-To"]).encode()), mail)
    assert post.read() == ["planned"]
    post.react()
    assert post.kinds(game) == before
    assert [plan.notation for plan in post.plans()] == ["bid 3"]
    told = " ".join(plain(post.told("ada")).split())
    assert "Your draft move was saved. It is not played until you check it and sign it." in told
    assert "does not sign the address that an email is sent to" in told
    assert f"Check and sign your move: http://127.0.0.1:8000/games/{game}" in told


def test_a_token_ends_with_its_address_and_its_seat(post):
    """From another address it is unknown; a former holder learns that the seat is lost, and nothing of the game."""
    game = begun(post)
    name, seat = mover(post, game), post.table(game).active[0]
    mail = post.asked(name)
    post.offer(game, seat)
    post.take(game, seat, "Cy")
    before = post.kinds(game)
    post.arrive(post.written(mail, "roll"), mail)
    assert post.read() == ["left"]
    post.react()
    (told,) = (plain(one) for one in post.sink.mails if one["Subject"].endswith("no longer yours"))
    assert [mentions(word, told) for word in ("What", "rolled")] == [0, 0]
    post.set_email(name, "new@example.org")
    assert post.arrive(post.written(mail, "roll"), mail) == ["unknown"]
    assert post.kinds(game) == before
