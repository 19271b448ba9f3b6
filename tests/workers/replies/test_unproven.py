"""A reply moves only if its signature proves its sender and its recipient, and its token is valid."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa

from server.kernel import secrets
from server.kernel.db.models import Game, Hint
from server.mailbox.choices import ProposedMail, verdict
from server.mailbox.write import mute, muted_game
from server.tables.after import consents
from tests.kit.absent import mentions
from tests.workers.harness import about
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
    notices = [one for one in post.sink.mails if about(one).endswith("with an unverified sender")]
    assert [one["To"].addresses[0].username for one in notices] == [name]
    assert mentions("roll", plain(notices[0])) == 0
    assert not [one for one in post.sink.mails if "evil" in str(one["To"])]


def stop(post, game: str) -> tuple[str, int, str]:
    """An unsigned reply asks to stop mail; the player, the seat and the link of the last mail."""
    name, seat = mover(post, game), post.table(game).active[0]
    mail = post.asked(name)
    post.arrive(written("stop mail", str(mail["Reply-To"]), post.services.now()), mail)
    assert post.read() == ["unproven"]
    assert post.seat(game, seat).muted
    post.react()
    told = post.told(name)
    assert about(told).endswith("Did you stop emails about this table?")
    return name, seat, re.search(r"Confirm or undo: \S+(/u/\S+)", plain(told))[1]


def reminds(post, game: str, seat: int) -> str:
    """Whether a reminder would be sent now."""
    account = post.seat(game, seat).account_id
    with post.services.database.read() as session:
        return verdict(session, ProposedMail("reminder", account, post.services.now(), game), post.services.now()).do


def test_an_unproven_stop_is_reported_and_leaves_the_reminders(post):
    """Anyone who was forwarded the mail can send it. The link of the last mail undoes it."""
    game = begun(post)
    _, seat, link = stop(post, game)
    assert reminds(post, game, seat) == "send"
    token = link.removeprefix("/u/")
    assert muted_game(post.services, token) == (game, True)
    mute(post.services, token, muted=False)
    assert not post.seat(game, seat).muted


def test_an_unproven_stop_holds_once_the_link_confirms_it(post):
    """Then reminders stop, too, and no further mail tells that."""
    game = begun(post)
    _, seat, link = stop(post, game)
    before = len(post.sink.mails)
    mute(post.services, link.removeprefix("/u/"))
    post.react()
    assert (reminds(post, game, seat), len(post.sink.mails)) == ("not", before)


def test_a_link_that_is_pressed_all_day_causes_one_mail(post):
    """A leaked link works as often as it is pressed."""
    game = begun(post)
    seat = post.table(game).active[0]
    token = secrets.unsubscribe_token(post.settings.master, game, seat, post.seat(game, seat).since_seq)
    for _ in range(3):
        mute(post.services, token)
        mute(post.services, token, muted=False)
    mute(post.services, token)
    post.react()
    told = [one for one in post.sink.mails if about(one).endswith("Emails about this table have stopped")]
    assert len(told) == 1


def test_a_proven_stop_is_answered_with_a_way_back(post):
    """It has no last mail of its own, and its reminders stop."""
    game = begun(post)
    name, seat = mover(post, game), post.table(game).active[0]
    assert post.reply(name, "stop mail") == ["stopped"]
    assert "Get emails again: http" in plain(post.told(name))
    assert reminds(post, game, seat) == "not"


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


def pass_on(post, text: str) -> None:
    """A mail from Ada to Eve arrives here, since Ada's provider does not sign its address."""
    mail = post.asked("ada")
    heads = {"from_": str(mail["To"]), "message_id": "<told-eve@example.org>"}
    to_eve = written(text, "eve@evil.example", post.services.now(), **heads)
    raw = signed(to_eve, covered=(b"from", b"date", b"subject", b"message-id"))
    post.arrive(raw.replace(b"to: eve@evil.example", b"To: " + str(mail["Reply-To"]).encode()), mail)


def test_a_hint_that_was_perhaps_not_asked_of_us_is_not_given(post):
    """Everyone at the table would see that Ada had one."""
    begun(post, "bids")
    with post.services.database.write() as session:
        session.execute(sa.update(Game).values(hints=True))
    pass_on(post, "hint\n\nwould be nice from you, Eve")
    assert post.read() == ["no-hint"]
    post.react()
    with post.services.database.read() as session:
        assert session.scalars(sa.select(Hint)).all() == []
    told = " ".join(plain(post.told("ada")).split())
    assert "You got no hint. Your email provider does not sign the address" in told
    assert "Ask for one on the game's page." in told


def test_a_reply_not_proven_to_be_addressed_to_us_is_only_a_draft(post):
    """Some providers do not sign `To`: a mail from Ada to Eve, submitted by Eve, must not move."""
    game = begun(post, "bids")
    before = post.kinds(game)
    pass_on(post, "bid 3")
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
    (told,) = (plain(one) for one in post.sink.mails if about(one).endswith("no longer yours"))
    assert [mentions(word, told) for word in ("What", "rolled")] == [0, 0]
    post.set_email(name, "new@example.org")
    assert post.arrive(post.written(mail, "roll"), mail) == ["unknown"]
    assert post.kinds(game) == before


def test_a_player_who_took_the_seat_back_answers_a_later_mail(post):
    """An earlier one does nothing, and nobody reads that they have lost the seat."""
    game = begun(post)
    name, seat = mover(post, game), post.table(game).active[0]
    mail, before = post.asked(name), post.kinds(game)
    for person in ("Cy", name.title()):
        post.offer(game, seat, by=None if person == "Cy" else "Cy")
        post.take(game, seat, person)
    post.arrive(post.written(mail, "roll"), mail)
    assert post.read() == ["late"]
    post.react()
    assert "is from before you took the seat back. Reply to the latest one" in " ".join(plain(post.told(name)).split())
    assert post.kinds(game) == [*before, *["offered", "taken"] * 2]


def test_a_command_in_a_reply_to_an_older_mail_learns_which_to_answer(post):
    """Such as that about the start, which was about no turn."""
    game = begun(post)
    name = "ben" if mover(post, game) == "ada" else "ada"
    started = post.asked(name)
    while mover(post, game) != name:
        post.play_default(game)
    post.react()
    post.arrive(post.written(started, "roll"), started)
    assert post.read() == ["late"]
    post.react()
    assert "Reply to the latest one about this table." in " ".join(plain(post.told(name)).split())


def test_an_unproven_mail_to_a_former_holder_does_nothing(post):
    """It neither stops the mail of the new holder nor notifies anybody: the token came with a seat that was lost."""
    game = begun(post)
    name, seat = mover(post, game), post.table(game).active[0]
    mail = post.asked(name)
    post.offer(game, seat)
    post.take(game, seat, "Cy")
    post.react()
    sent = len(post.sink.mails)
    for text in ("stop mail", "roll"):
        post.arrive(written(text, str(mail["Reply-To"]), post.services.now()), mail)
    assert post.read() == ["unproven"] * 2
    post.react()
    assert len(post.sink.mails) == sent
    assert "unproven" not in {row.kind for row in post.rows()}
    assert not post.seat(game, seat).muted


def test_a_message_id_that_another_player_has_copied_hides_no_mail(post):
    """Anyone who gets a copy of a mail before it is read here knows its name."""
    begun(post, "bids")
    for name in ("ben", "ada"):
        assert post.reply(name, "bid 3", message_id="<copied@example.org>") == ["played"]


def test_a_reply_to_a_cancelled_game_learns_that_it_was_cancelled(post):
    game = begun(post, "bids")
    for account in (1, 2):
        consents.agree(post.services, game, account)
    post.react()
    assert post.reply("ada", "bid 3") == ["over"]
    assert "The game was cancelled, so nothing was done." in plain(post.told("ada"))
