"""Mailboxes whose provider does not sign the recipient: a draft, and a second reply that confirms it by its subject."""

from __future__ import annotations

import re
from email.message import EmailMessage
from itertools import count

from tests.workers.replies.mail import signed, written
from tests.workers.replies.post import Post, begun, mover, plain
from workers.mail.reply_addresses import UNADDRESSED

MICROSOFT = (b"from", b"date", b"subject", b"message-id", b"content-type", b"mime-version")
_numbers = count(1)


def by_microsoft(post: Post, mail: EmailMessage, text: str, subject: str | None = None, **changed) -> bytes:
    """A reply by the mail's recipient, with a signature that does not cover `To`."""
    heads = {"from_": str(mail["To"]), "message_id": f"<m{next(_numbers)}@example.org>"}
    heads["subject"] = str(mail["Subject"]) if subject is None else subject
    raw = written(text, str(mail["Reply-To"]), post.services.now(), **heads)
    return signed(raw, covered=changed.get("covered", MICROSOFT))


def drafted(post: Post, text: str = "roll", game: str | None = None) -> tuple[str, str, EmailMessage]:
    """A game, the player to move, and the answer about their draft, which has its code."""
    game = game or begun(post)
    name = mover(post, game)
    mail = of_game(post, name, game)
    post.arrive(by_microsoft(post, mail, text), mail)
    assert post.read() == ["planned"]
    post.react()
    return game, name, of_game(post, name, game)


def of_game(post: Post, name: str, game: str) -> EmailMessage:
    """The last mail about this game to this player."""
    mine = [mail for mail in post.sink.mails if mail["To"].addresses[0].username == name]
    return next(mail for mail in reversed(mine) if f"#{game[:4]}]" in mail["Subject"])


def attempt(post: Post, mail: EmailMessage, raw: bytes) -> str:
    """The result of this mail at the reply address of that one."""
    post.arrive(raw, mail)
    (did,) = post.read()
    return did


def test_a_second_reply_with_the_code_in_its_signed_subject_plays_the_draft(post):
    """The answer about the draft says how; the log has it like any move by mail."""
    game, _, told = drafted(post)
    assert re.fullmatch(r"Re: \[Pig #\w{4}\] Your game #[a-z2-7]{8}", told["Subject"])
    assert "reply to this email with `confirm`" in " ".join(plain(told).split())
    assert attempt(post, told, by_microsoft(post, told, "confirm", f"AW: {told['Subject']}")) == "played"
    (line,) = (line for line in post.lines(game) if line["kind"] == "moved")
    assert (line["via"], "jws" in line, post.plans()) == ("mail", False, [])


def test_a_mail_to_a_friend_confirms_nothing(post):
    """A friend has what Ada wrote to them, and the address, but not the code."""
    game, _, told = drafted(post)
    before = post.kinds(game)
    for subject in (
        "Re: dinner",
        re.sub(r"#\w+$", "#aaaaaaaa", told["Subject"]),
        re.sub(r"#\w+$", "", told["Subject"]),
    ):
        assert attempt(post, told, by_microsoft(post, told, "confirm", subject)) == "unconfirmed"
    assert post.kinds(game) == before
    assert [plan.notation for plan in post.plans()] == ["roll"]


def test_a_subject_that_was_edited_or_is_not_signed_confirms_nothing(post):
    """As a list edits it, or somebody who knows the code."""
    game, _, told = drafted(post)
    before = post.kinds(game)
    raw = by_microsoft(post, told, "confirm", "Re: dinner")
    edited = raw.replace(b"subject: Re: dinner", f"subject: {told['Subject']}".encode())
    assert edited != raw
    assert attempt(post, told, edited) == "unproven"
    unsigned = by_microsoft(post, told, "confirm", covered=(b"from", b"date", b"message-id"))
    assert attempt(post, told, unsigned) == "unconfirmed"
    assert post.kinds(game) == before


def test_a_code_is_for_one_table_one_draft_and_one_position(post):
    """Anyone who learns it can have that one draft played, and nothing else."""
    game, name, told = drafted(post)
    other, _, elsewhere = drafted(post)
    raw = by_microsoft(post, elsewhere, "confirm", told["Subject"])
    assert attempt(post, elsewhere, raw) == "unconfirmed"
    first = of_game(post, name, game)
    assert attempt(post, first, by_microsoft(post, first, "preview\nroll")) == "preview"
    _, _, again = drafted(post, "roll; hold", game)
    assert attempt(post, again, by_microsoft(post, again, "confirm", told["Subject"])) == "unconfirmed"
    assert attempt(post, again, by_microsoft(post, again, "confirm")) == "played"
    assert attempt(post, again, by_microsoft(post, again, "confirm")) in ("late", "unconfirmed")
    assert [line["kind"] for line in post.lines(other)].count("moved") == 0


def test_a_forwarded_code_plays_only_what_its_writer_drafted(post):
    """The worst case: a friend who got the answer makes Ada write `confirm` to them. The commands are Ada's."""
    game, _, told = drafted(post)
    raw = by_microsoft(post, told, "confirm\nhold", told["Subject"])
    assert attempt(post, told, raw) == "played"
    (line,) = (line for line in post.lines(game) if line["kind"] == "moved")
    assert [command["do"] for command in line["commands"]] == ["roll"]


def test_a_signed_table_plays_no_draft_by_mail(post):
    game, _, told = drafted(post, game=begun(post, unsigned=False))
    assert "#" not in told["Subject"].partition("]")[2]
    assert attempt(post, told, by_microsoft(post, told, "confirm")) == "sign"
    assert [line["kind"] for line in post.lines(game)].count("moved") == 0


def test_mails_tell_before_somebody_types_that_a_move_takes_two_replies(post):
    """Where the provider is known by the address."""
    assert all(UNADDRESSED.search(f"ada@{one}") for one in ("outlook.com", "hotmail.co.uk", "live.de", "msn.com"))
    assert not any(UNADDRESSED.search(f"ada@{one}") for one in ("gmail.com", "outlook.example.org.evil", "notmsn.com"))
    name = mover(post, begun(post))
    assert "second reply" not in plain(post.asked(name))
    post.set_email(name, "grace@hotmail.com")
    name = mover(post, begun(post))
    assert "you get an answer first" in " ".join(plain(post.asked("grace", -1)).split())
