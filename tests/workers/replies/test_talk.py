"""Table talk in mails and by reply: our own mail does nothing when quoted, and `say` needs the proof of a move."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa
from hypothesis import example, given
from hypothesis import strategies as st

from engine import registry
from server.kernel.db.models import InboundMail, Message, Seat
from server.kernel.text import clean, spoken
from server.tables.talk import read, write
from server.tables.talk.write import NewMessage
from tests.kit.games.bids import game as bids
from tests.kit.games.pig import game as pig
from tests.workers.harness import about
from tests.workers.letters import ADA, HOUSE, PLAYERS, talked
from tests.workers.replies.mail import signed, written
from tests.workers.replies.post import Post, begun, mover, plain
from tests.workers.replies.test_reader import beginning, knows
from workers.mail import layout
from workers.mail.compose import compose
from workers.mail.facts import TalkMessage
from workers.replies.html import text_of
from workers.replies.incoming import body
from workers.replies.incoming import parse as opened
from workers.replies.parser import ParsedReply, commands_of, parse_reply

ZANZIBAR = "the bridge is mine, says zanzibar"

# --- our own mail read back -----------------------------------------------------------------------------------------

WORDS = (
    "roll",
    "hold",
    "try roll",
    "bid 1",
    "stop",
    "stop mail",
    "say",
    "say:",
    "help",
    "preview roll",
    "resign",
    "end",
)
BREAKS = ("\u202e", "\u2066", "\u200f", "\u2028", "\x0b", "\x85")
MARKS = (
    "...",
    ">",
    "> ",
    "- ",
    "1. ",
    "*",
    "--",
    "__",
    "\u0440\u043e",
    "|",
    "Best regards,",
    "On 3 May 2024, Ben wrote:",
)
WORD = st.one_of(st.sampled_from(WORDS + BREAKS + MARKS), st.text(max_size=30), st.just("\n"))
SPOKEN = st.lists(WORD, min_size=1, max_size=12).map(" ".join) | st.sampled_from(WORDS)
MAILS = talked()


def told(name: str, text: str) -> tuple[str, str]:
    """Both parts of a turn mail in which a player of this name has said this, as a reply to it quotes them."""
    table = replace(MAILS.table, talk=(TalkMessage(1, clean(name), spoken(text)),))
    mail = compose(HOUSE, ADA, replace(MAILS, table=table))
    return body(opened(mail.as_bytes())).written, text_of(mail.get_body(("html",)).get_content())


REPLIES = {"roll": "", "roll\n\nsay\nhello": "hello", "roll\n\nHave fun.": ""}


@given(name=SPOKEN, text=SPOKEN)
@example(name="preview", text="roll")
@example(name="roll", text="...")
@example(name="stop", text=". . .")
@example(name="say", text="!\nroll")
@example(name="\u0433oll", text="?")
def test_our_mail_with_any_talk_does_nothing_and_loses_no_reply(name: str, text: str):
    """Whole or without its first line, alone or unmarked below a reply: it is read as it is without any talk."""
    reads = knows(pig)
    for shown, silent in zip(told(name, text), told("Ben", ""), strict=True):
        for part, without in ((shown, silent), (bare(shown), bare(silent))):
            assert same(parse_reply(part, reads)) == same(parse_reply(without, reads)) == ((), "", "", "")
            for reply in REPLIES:
                under = parse_reply(f"{reply}\n\n{part}", reads)
                assert same(under) == same(parse_reply(f"{reply}\n\n{without}", reads))


def bare(mail: str) -> str:
    return mail.replace("Write your move above this line", "")


def same(found: ParsedReply) -> tuple[object, ...]:
    """All that has an effect."""
    return found.commands, found.word, found.trouble, found.said


@given(name=SPOKEN, text=SPOKEN, begins=st.integers(0, 20))
@example(name="preview", text="roll", begins=0)
@example(name="roll", text="...", begins=0)
@example(name="stop", text="- -\nroll", begins=1)
@example(name="\u0433oll", text="?", begins=0)
def test_any_lines_of_talk_do_nothing_and_end_no_reply(name: str, text: str, begins: int):
    """Alone, below a reply, and right below a line of it."""
    reads, quoted = knows(pig), "\n".join(layout.spoken(1, clean(name)[:24], spoken(text))[begins:])
    assert same(parse_reply(quoted, reads)) == ((), "", "", "")
    for reply, said in REPLIES.items():
        assert same(parse_reply(f"{reply}\n\n{quoted}", reads)) == (("roll",), "", "", said)


@given(name=SPOKEN, text=SPOKEN)
def test_every_line_of_talk_begins_with_its_author_and_is_short(name: str, text: str):
    """So a mail program has no reason to wrap one, and a line read alone names its author."""
    begin = f"Seat 13, {clean(name)[:24]}: "
    lines = layout.spoken(12, clean(name)[:24], spoken(text))
    assert all(
        line.startswith(begin) and len(line) <= layout.TALK_WIDTH and len(line.splitlines()) == 1 for line in lines
    )
    assert "".join("".join(line.removeprefix(begin).split()) for line in lines) == "".join(spoken(text).split())


@pytest.mark.parametrize("name", ["livingstone", "tikal", "discoveries", "lewis_clark"])
def test_no_game_has_a_command_that_begins_like_talk(name: str):
    """A line of talk begins with `Seat`, and words to the table with `say`."""
    game, turn = beginning(name)
    reads = commands_of(game, turn.state, 0)
    assert not [word for word in ("seat", "seat 1", "seat 2, ben: roll", "say") if reads((), word)]
    assert registry.find(name) is game


def test_no_link_is_made_of_an_address_in_the_talk():
    table = replace(MAILS.table, talk=(TalkMessage(1, "Ben", "see https://evil.example/now <b>"),))
    page = compose(HOUSE, ADA, replace(MAILS, table=table)).get_body(("html",)).get_content()
    assert 'href="https://evil' not in page
    assert "&lt;b&gt;" in page


# --- reading `say` --------------------------------------------------------------------------------------------------

READINGS = {
    "alone": ("say\nHello Ben", ParsedReply(said="Hello Ben")),
    "with its punctuation": ("Say:\nWhat NOW?", ParsedReply(said="What NOW?")),
    "several lines": ("say\none\ntwo\n\nthree", ParsedReply(said="one\ntwo", line="three")),
    "below commands": ("roll\n\nsay\nyour turn", ParsedReply(("roll",), said="your turn")),
    "above commands": ("say\nroll\n\nroll", ParsedReply(("roll",), said="roll")),
    "to a quotation": ("say\nhello\n> bye", ParsedReply(said="hello")),
    "twice": ("say\none\n\nsay\ntwo", ParsedReply(said="one\n\ntwo")),
    "below a greeting": ("Hi Ben,\n\nsay\nhello", ParsedReply(said="hello")),
    "within a line": ("say hello", ParsedReply(line="say hello")),
    "right below a command": ("roll\nsay\nhello", ParsedReply(trouble="unread", line="say")),
    "below chatter": ("Well.\n\nsay\nhello", ParsedReply(trouble="late", line="say")),
    "without words": ("say\n\n\nhello", ParsedReply(trouble="silent", line="say")),
    "too many lines": ("say\n" + "x\n" * 11, ParsedReply(trouble="wordy", line="say")),
}


@pytest.mark.parametrize("name", READINGS)
def test_words_below_say_are_read_to_the_next_empty_line(name: str):
    text, reading = READINGS[name]
    assert parse_reply(text, knows(pig)) == reading


SIGNED = "\n\n \n\nBest regards,\n\nAda\n\n \n\nFrom: Sealed Move <games@games.example>\n\nSent: Saturday\n"
DOUBLE_SPACED = {
    "alone": (f"say\n\nOne.\n\nTwo.{SIGNED}", ParsedReply(said="One.\nTwo.")),
    "below a command": (f"roll\n\n\n\nsay\n\nOne.{SIGNED}", ParsedReply(("roll",), said="One.")),
    "above a command": (f"say\n\nOne.\n\n\n\nroll{SIGNED}", ParsedReply(("roll",), said="One.")),
    "right above a command": (f"say\n\nOne.\n\nroll{SIGNED}", ParsedReply(trouble="late", line="roll")),
    "right above a closing": (f"say\n\nOne.\n\n{SIGNED.lstrip()}", ParsedReply(said="One.")),
    "above a name that is not theirs": ("say\n\nOne.\n\nThanks!\n\nAdele", ParsedReply(said="One.")),
    "a closing alone": ("say\n\nThanks!\n\n\n\nFrom: Sealed Move", ParsedReply(said="Thanks!")),
    "a broken line": ("say\n\nThis is a long\nline.\n\nTwo.", ParsedReply(said="This is a long\nline.\nTwo.")),
    "twice": ("say\n\nOne.\n\nsay\n\nTwo.", ParsedReply(said="One.\n\nTwo.")),
}


@pytest.mark.parametrize("name", DOUBLE_SPACED)
def test_words_of_a_double_spaced_mail_end_above_the_signature(name: str):
    """Outlook and Thunderbird write an empty line below each line, which their users do not see or cannot avoid."""
    text, reading = DOUBLE_SPACED[name]
    assert replace(parse_reply(text, knows(pig), ("ada",)), line=reading.line) == reading


def test_words_of_an_outlook_page_are_read():
    page = "".join(f'<p class="MsoNormal">{line}</p>' for line in ("say", "One.", "Two.", "&nbsp;", "Ada Byron"))
    assert parse_reply(text_of(page), knows(pig), ("ada",)).said == "One.\nTwo."


# --- saying by mail -------------------------------------------------------------------------------------------------


def messages(post: Post) -> list[tuple[str | None, str]]:
    with post.services.database.read() as session:
        return [(one.body, one.via) for one in session.scalars(sa.select(Message).order_by(Message.n))]


def account(post: Post, game: str, seat: int) -> int:
    with post.services.database.read() as session:
        return session.scalars(sa.select(Seat.account_id).where(Seat.game_id == game, Seat.seat == seat)).one()


@pytest.mark.parametrize("unsigned", [True, False], ids=["unsigned", "signed"])
def test_a_reply_writes_at_the_table(post: Post, unsigned: bool):
    """The answer shows the words with the way to take them back, and they are in the other player's next mail."""
    game = begun(post, unsigned=unsigned)
    name, seat = mover(post, game), post.table(game).active[0]
    assert post.reply(name, "say\nGood luck!\nroll") == ["said"]
    assert messages(post) == [("Good luck!\nroll", "mail")]
    answer = post.told(name)
    assert about(answer).endswith("Your message was sent to the table")
    assert f"Seat {seat + 1}, {name.capitalize()}: Good luck!" in plain(answer)
    assert "take them back" in plain(answer)
    assert post.plans() == []
    assert post.table(game).active == (seat,), "nothing was played"
    while post.table(game).active == (seat,):
        post.play_default(game)
        post.react()
    other = post.told(("ada", "ben")[1 - seat])
    assert f"Seat {seat + 1}, {name.capitalize()}: Good luck!\n" in plain(other)


def test_a_reply_may_move_and_write(post: Post):
    game = begun(post)
    name = mover(post, game)
    assert post.reply(name, "roll\n\nsay\nYour turn soon.") == ["played"]
    assert messages(post) == [("Your turn soon.", "mail")]
    assert "Your words were sent to the table." in plain(post.told(name)).replace("\n", " ")


def test_words_without_proof_that_they_were_written_to_us_are_not_passed_on(post: Post):
    """As a move is only a draft then: a mail from Ada to Eve, submitted by Eve, must not speak for Ada."""
    mail = post.asked(mover(post, begun(post)))
    heads = {"from_": str(mail["To"]), "message_id": "<told-eve@example.org>"}
    to_eve = written(f"say\n{ZANZIBAR}", "eve@evil.example", post.services.now(), **heads)
    raw = signed(to_eve, covered=(b"from", b"date", b"subject", b"message-id"))
    post.arrive(raw.replace(b"to: eve@evil.example", b"To: " + str(mail["Reply-To"]).encode()), mail)
    assert post.read() == ["unsaid"]
    post.react()
    assert messages(post) == []
    told = " ".join(plain(post.told(mail["To"].addresses[0].username)).split())
    assert "Your words were not sent to the table. Your email provider does not sign" in told


def test_a_forged_mail_says_nothing(post: Post):
    game = begun(post)
    mail = post.asked(mover(post, game))
    raw = post.written(mail, f"say\n{ZANZIBAR}").replace(ZANZIBAR.encode(), b"something else")
    post.arrive(raw, mail)
    assert post.read() == ["unproven"]
    assert messages(post) == []


def test_the_same_mail_twice_says_it_once(post: Post):
    mail = post.asked(mover(post, begun(post)))
    raw = post.written(mail, "say\nonce")
    for _ in range(2):
        post.arrive(raw, mail)
    assert sorted(post.read()) == ["again", "said"]
    assert messages(post) == [("once", "mail")]


def test_a_refused_message_is_explained_and_the_move_counts(post: Post, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(write, "MOST_AN_HOUR", 1)
    game = begun(post)
    name, seat = mover(post, game), post.table(game).active[0]
    write.say(post.services, account(post, game, seat), game, NewMessage("one", "page"))
    assert post.reply(name, "roll\n\nsay\nhello") == ["played"]
    assert "Your words were not sent to the table. You have written too many messages recently." in " ".join(
        plain(post.told(name)).split()
    )
    assert messages(post) == [("one", "page")]


def test_words_that_were_taken_back_are_in_no_mail_and_not_kept_with_the_reply(post: Post):
    game = begun(post)
    name, seat = mover(post, game), post.table(game).active[0]
    post.reply(name, f"say\n{ZANZIBAR}")
    write.take_back(post.services, account(post, game, seat), game, 1)
    with post.services.database.read() as session:
        assert "zanzibar" not in str(session.scalars(sa.select(InboundMail.outcome)).all())
    post.sink.mails.clear()
    while post.table(game).active == (seat,):
        post.play_default(game)
    post.react()
    assert post.sink.mails
    assert not [mail for mail in post.sink.mails if "zanzibar" in plain(mail)]


def test_a_mail_has_the_newest_messages_within_its_limits_and_counts_the_rest(post: Post):
    """Not those of the reader, nor what they have seen, nor of players whom they have muted."""
    game = post.game("pig")
    ada, ben = (account(post, game, seat) for seat in range(2))
    for n in range(14):
        write.say(post.services, ben, game, NewMessage(f"word {n} " + "x" * 250, "page"))
    write.say(post.services, ada, game, NewMessage("my own", "page"))
    with post.services.database.write() as session:
        session.execute(sa.text("DELETE FROM talk_seen"))

    def unseen() -> tuple[list[str], int]:
        with post.services.database.read() as session:
            shown, more = read.unseen(session, ada, game, 0)
            return [one.body[:7].strip() for one, _ in shown], more

    assert unseen() == ([f"word {n}" for n in range(7, 14)], 7)
    write.mark_seen(post.services, ada, game, 13)
    assert unseen() == (["word 13"], 0)
    write.mute(post.services, ada, game, 1, is_muted=True)
    assert unseen() == ([], 0)


def test_a_bid_in_quoted_talk_is_not_placed():
    """Nor with players named like bids."""
    assert PLAYERS
    for shown in told("bid 3", "bid 3\n..."):
        assert parse_reply(shown.replace("Write your move above this line", ""), knows(bids)).commands == ()


def test_a_former_holder_gets_no_mail_with_later_talk(post: Post):
    """The notice that the seat was taken has no talk at all."""
    game = begun(post)
    name, seat = mover(post, game), post.table(game).active[0]
    post.offer(game, seat)
    post.take(game, seat, "Cy")
    write.say(post.services, account(post, game, 1 - seat), game, NewMessage(ZANZIBAR, "page"))
    post.sink.mails.clear()
    post.react()
    post.pass_time(hours=1)  # Cy was just at the table, so their turn is mailed after a pause
    post.react()
    mine = [mail for mail in post.sink.mails if mail["To"].addresses[0].username == name]
    assert mine
    assert not [mail for mail in mine if "zanzibar" in plain(mail)]
    cys = [plain(mail) for mail in post.sink.mails if mail["To"].addresses[0].username == "cy"]
    assert any("zanzibar" in mail for mail in cys)


def test_words_written_during_a_turn_are_in_the_answer_to_a_move_by_mail(post: Post):
    """The mail about the turn was older. They are not repeated in the next one."""
    game = begun(post)
    name = mover(post, game)
    seat = ("ada", "ben").index(name)
    post.pass_time(hours=1)
    write.say(post.services, account(post, game, 1 - seat), game, NewMessage(ZANZIBAR, "page"))
    post.pass_time(hours=1)
    assert post.reply(name, "roll\n") == ["played"]
    assert ZANZIBAR in " ".join(plain(post.told(name)).split())
    post.pass_time(hours=1)
    post.reply(name, "board\n")
    assert ZANZIBAR not in " ".join(plain(post.told(name)).split())
