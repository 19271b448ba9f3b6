"""The effect of a reply: a move, a draft or a word, each with one answer."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
import sqlalchemy as sa

from engine.errors import Ambiguous
from server.accounts import write as accounts
from server.kernel.db.models import Account, Game, Hint, InboundMail, Seat
from tests.kit import installed
from tests.kit.absent import mailed, mentions, not_told
from tests.workers.harness import about
from tests.workers.replies.post import begun, mover, plain
from workers.replies import decide
from workers.replies.process import MOST_ANSWERS, MOST_TRIES
from workers.replies.reading import read


def test_a_reply_is_a_move_at_a_table_with_unsigned_moves(post):
    """The log marks it; the answer shows its effect and the next move that is owed."""
    game = begun(post)
    name, seat = mover(post, game), post.table(game).active[0]
    assert post.reply(name, "roll\n\nLet us see.") == ["played"]
    line = post.lines(game)[-1]
    assert (line["kind"], line["via"], line["seat"], line["commands"]) == ("moved", "mail", seat, [{"do": "roll"}])
    told = post.told(name)
    assert about(told).endswith("Your move was played")
    assert "The move is not signed" in plain(told).replace("\n", " ")
    assert " rolled " in plain(told).partition("What happened:")[2]


def test_an_ambiguous_reply_is_answered_with_its_candidates(post, monkeypatch):
    """As `use` in Lewis & Clark, where an action has several yields, far into a game. None of them is guessed."""
    game = begun(post, "bids")
    before = post.kinds(game)
    several = Ambiguous("ambiguous", found="bid 3", candidates=("bid 3 first", "bid 3 last"))
    monkeypatch.setattr(decide, "meaning", Mock(side_effect=several))
    assert post.reply("ada", "bid 3") == ["unread"]
    assert " Possible commands: bid 3 first, bid 3 last." in " ".join(plain(post.told("ada")).split())
    assert (post.kinds(game), post.plans()) == (before, [])


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (
            "bid 3 coins",
            """with "bid 3 coins". 'coins' does not fit in 'bid 3 coins'; nothing more may follow.""",
        ),
        ("I bid all I have", 'but with "i bid all i have". What has happened so far:'),
    ],
)
def test_a_mistyped_command_is_answered_with_valid_ones(post, reply, says):
    """If a line begins like one; other text is only quoted back."""
    game = begun(post, "bids")
    before = post.kinds(game)
    assert post.reply("ada", reply) == ["unread"]
    assert says in " ".join(plain(post.told("ada")).split())
    assert (post.kinds(game), post.plans()) == (before, [])


def test_commands_after_the_end_of_the_turn_refuse_the_reply(post):
    """In two turns the next player's draw would depend on the first, and the second was meant too."""
    game = begun(post, "tikal")
    name, before = mover(post, game), post.kinds(game)
    assert post.reply(name, "place a3 r0; done; place a3 r0; done") == ["refused"]
    assert post.kinds(game) == before
    told = " ".join(plain(post.told(name)).split())
    assert 'Nothing was done: your turn ends with "done", but "place a3 r0" follows it.' in told
    assert post.reply(name, "place a3 r0\ndone\nAda Ben") == ["unread"]
    assert post.reply(name, f"place a3 r0\ndone\n{name}\n030 1234567") == ["played"]
    assert post.kinds(game) == [*before, "moved"]


def test_a_first_part_that_ends_at_a_draw_is_played(post):
    """The commands before the draw are played, and the answer names the rest."""
    game = begun(post)
    name = mover(post, game)
    assert post.reply(name, "roll; roll; roll; roll; roll; roll; roll; roll; roll; roll") == ["played"]
    assert "Your move stopped after command" in " ".join(plain(post.told(name)).split())


def test_unread_text_is_named_in_the_answer(post):
    """After an empty line the text is not a command, and its writer learns that it was not read."""
    game = begun(post)
    name = mover(post, game)
    assert post.reply(name, "roll\n\nAnd then I hold, I think.") == ["played"]
    assert 'Your reply from "and then i hold, i think." on was not read' in " ".join(plain(post.told(name)).split())


def test_a_reply_plays_the_next_resigned_seat_at_once(post):
    """By the worker that read the reply, without waiting for the clock's next round."""
    game = begun(post, seats=3)
    name, seat = ("ada", "ben", "cy")[post.table(game).active[0]], post.table(game).active[0]
    post.resign(game, (seat + 1) % 3)
    assert post.reply(name, "roll\ntry hold") == ["played"]
    assert post.table(game).active == ((seat + 2) % 3,)


def test_a_reply_is_a_draft_where_moves_are_signed(post):
    """Nothing is logged; the answer shows its effect and has one link to review and sign."""
    game = begun(post, "bids", unsigned=False)
    before = post.kinds(game)
    assert post.reply("ada", "bid 3") == ["planned"]
    assert post.kinds(game) == before
    (plan,) = post.plans()
    assert (plan.seat, plan.notation, plan.size) == (0, "bid 3", len(before))
    told = plain(post.told("ada"))
    assert told.count(f"/games/{game}\n") == 1
    assert f"Check and sign your move: http://127.0.0.1:8000/games/{game}" in told
    assert "Chance decides next" not in told
    assert told.partition("Effect of these commands:\n\n")[2].startswith("- Ada ")


def test_a_draft_says_where_chance_decides(post):
    """No preview shows a roll of dice."""
    game = begun(post, unsigned=False)
    name = mover(post, game)
    assert post.reply(name, "roll") == ["planned"]
    assert "Chance decides next, so the preview ends here." in " ".join(plain(post.told(name)).split())


def test_a_preview_says_where_hidden_information_decides(post):
    """The last of the sealed bids opens all of them."""
    begun(post, "bids")
    assert post.reply("ada", "bid 3") == ["played"]
    assert post.reply("ben", "preview bid 2") == ["preview"]
    told = " ".join(plain(post.told("ben")).split())
    assert "Chance or hidden information decides next, so the preview ends here." in told


def test_a_sealed_move_by_mail_stays_hidden(post):
    """Nobody else reads it before the reveal, neither in the log nor in a mail."""
    game = begun(post, "bids")
    assert post.reply("ada", "bid 3") == ["played"]
    line = post.lines(game)[-1]
    assert "commands" not in line
    assert len(line["sealed"]) == 43
    assert "bid 3" in plain(post.told("ada"))
    assert not [mail for mail in post.sink.mails if "Ben" in str(mail["To"]) and "bid 3;" in plain(mail)]


@pytest.mark.slow
def test_words_of_a_reply_have_their_effect(post):
    """`preview` and `help` change nothing, `resign` needs a signature, `stop mail` ends the mail, answered once."""
    game = begun(post, "bids")
    before = post.kinds(game)
    assert post.reply("ada", "preview\nbid 3") == ["preview"]
    assert "Nothing was played" in plain(post.told("ada"))
    assert post.reply("ada", "help") == ["help"]
    assert post.reply("ada", "resign") == ["sign"]
    assert f"Check and sign your move: http://127.0.0.1:8000/games/{game}" in plain(post.told("ada"))
    assert not post.seat(game, 0).muted
    assert post.reply("ada", "STOP") == ["stopped"]
    assert post.seat(game, 0).muted
    assert about(post.told("ada")).endswith("Emails about this table have stopped")
    assert "You still get a notice if your seat is offered or taken." in " ".join(plain(post.told("ada")).split())
    assert (post.kinds(game), post.plans()) == (before, [])


@pytest.mark.parametrize("text", ["board", "stop mail"])
def test_no_answer_after_the_end_says_that_the_game_goes_on(post, text):
    """It has finished, and mail about its table is all that can stop."""
    game = begun(post, goal=5)
    while not post.table(game).is_over:
        post.play_default(game)
    post.react()
    assert post.reply("ada", text) == ["stopped" if text == "stop mail" else text]
    not_told("goes on", mailed(post.told("ada")))


def test_a_reply_of_an_erased_account_does_nothing(post):
    """Its text is deleted with the account, and later mails are not stored."""
    game = begun(post, "bids")
    mail = post.asked("ada")
    first, second = (post.written(mail, "bid 3") for _ in range(2))
    post.arrive(first, mail)
    accounts.erase_account(post.services, 1)
    before = post.kinds(game)
    assert post.arrive(second, mail) == ["unknown"]
    assert (post.read(), post.kept()) == ([], [])
    assert (post.kinds(game), post.plans()) == (before, [])


@pytest.mark.slow
def test_an_unreadable_reply_is_answered_with_the_possible_commands(post):
    """And so is one that the rules refuse. Nothing changes."""
    game = begun(post, "bids")
    before = post.kinds(game)
    for text, did, says in (
        ("what shall I do?", "unread", 'does not begin with a command but with "what shall i do?".'),
        ("bid 3\nor is it 4", "unread", "follows a command"),
        ("I am back\n\nbid 3", "unread", "comes after other text"),
        ("bid 99", "refused", "Nothing was done"),
    ):
        assert post.reply("ada", text) == [did], text
        told = plain(post.told("ada")).replace("\n", " ")
        assert says in told
        assert "Your possible commands now:" in told
    assert (post.kinds(game), post.plans()) == (before, [])


def test_an_answer_can_be_answered(post):
    """While its question is open."""
    game = begun(post)
    name = mover(post, game)
    post.reply(name, "what?")
    assert about(post.asked(name)).endswith("Your reply was not understood")
    assert post.reply(name, "roll") == ["played"]


def test_a_stale_reply_does_nothing(post):
    """Its question is over: the sender gets the news, and no move is made."""
    game = begun(post)
    name, seat = mover(post, game), post.table(game).active[0]
    old = post.asked(name)
    post.move(game, seat, "roll")
    before = post.kinds(game)
    post.arrive(post.written(old, "roll"), old)
    assert post.read() == ["late"]
    post.react()
    assert post.kinds(game) == before
    assert about(post.told(name)).endswith("Your reply had no effect")


def test_an_answer_to_an_old_question_is_not_played_for_a_new_one(post):
    """The seat owes a move again, but the text was meant for the last round."""
    game = begun(post, "bids")
    old = post.asked("ada")
    for seat in (0, 1):
        post.move(game, seat, "bid 1")
    before = post.kinds(game)
    assert 0 in post.table(game).active
    post.arrive(post.written(old, "bid 2"), old)
    assert post.read() == ["late"]
    assert post.kinds(game) == before


def test_the_same_mail_twice_is_read_once(post):
    """A relay that gets no answer sends it again; somebody may also copy it."""
    begun(post, "bids")
    mail = post.asked("ada")
    raw = post.written(mail, "preview bid 3")
    post.arrive(raw, mail)
    post.arrive(b"Received: again\r\n" + raw, mail)
    assert post.read() == ["preview", "again"]
    post.react()
    assert post.sink.subjects().count("ada: Preview of your move") == 1
    assert all(row.raw is None for row in post.kept())


@pytest.mark.slow
def test_automatic_mails_are_not_answered(post):
    """Vacation notes, bounces, lists, our own mail: nothing is done and nothing is sent."""
    game = begun(post)
    name = mover(post, game)
    mail, before, sent = post.asked(name), post.kinds(game), len(post.sink.mails)
    for heads in (
        {"auto_submitted": "auto-replied"},
        {"precedence": "bulk"},
        {"x_autoreply": "yes"},
        {"list_id": "<x.example.org>"},
        {"return_path": "<>"},
        {"from_": post.ctx.origin.mailbox},
        {"message_id": str(mail["Message-ID"])},
    ):
        post.arrive(post.written(mail, "roll", **heads), mail)
    assert post.read() == ["automatic"] * 7
    post.react()
    assert post.kinds(game) == before
    assert len(post.sink.mails) == sent
    assert post.reply(name, "roll", message_id="<x@localhost>") == ["played"]


def test_a_lane_that_was_overtaken_changes_nothing(post):
    """Suspended while it read: another has leased the mail since, under the next number, and will play it."""
    game = begun(post, "bids")
    mail, before = post.asked("ada"), post.kinds(game)
    post.arrive(post.written(mail, "bid 3"), mail)

    def slowly(unread, dns):
        with post.services.database.write() as session:
            session.execute(sa.update(InboundMail).values(attempts=InboundMail.attempts + 1))
        return read(unread, dns)

    object.__setattr__(post.ctx, "read_mail", slowly)
    assert post.read() == ["lost"]
    object.__setattr__(post.ctx, "read_mail", read)
    (row,) = post.kept()
    assert (row.state, row.attempts, post.kinds(game)) == ("leased", 2, before)
    post.pass_time(seconds=post.ctx.pace.lease + 1)
    assert post.read() == ["played"]


@pytest.mark.slow
def test_replies_beyond_the_hourly_limit_wait(post):
    """They are read when the hour is over."""
    begun(post, "bids")
    mail = post.asked("ada")
    for _ in range(3):
        for _ in range(MOST_ANSWERS // 3):
            post.arrive(post.written(mail, "help"), mail)
        post.read()
    post.arrive(post.written(mail, "help"), mail)
    assert post.read() == ["later"]
    post.pass_time(hours=1, minutes=1)
    assert post.read() == ["help"]


def test_a_stopped_game_makes_mails_wait(post):
    """They are read when it goes on: no player hears that their move was refused."""
    game = begun(post)
    name = mover(post, game)
    mail = post.asked(name)
    post.arrive(post.written(mail, "roll"), mail)
    post.fault(game, post.services.now())
    assert post.read() == ["later"]
    post.fault(game, None)
    post.pass_time(minutes=6)
    assert post.read() == ["played"]


@pytest.mark.slow
def test_an_unreadable_mail_ends_in_the_quarantine(post, monkeypatch):
    """After some tries, whole; its content is in no log."""
    begun(post, "bids")
    mail = post.asked("ada")
    post.arrive(post.written(mail, "bid 3"), mail)

    def broken(*_, **__):
        raise RuntimeError("bid 3")

    monkeypatch.setattr("workers.replies.process.decide_reply", broken)
    for _ in range(MOST_TRIES):
        post.read()
        post.pass_time(hours=2)
    (row,) = post.kept()
    assert (row.state, row.raw is not None) == ("quarantined", True)
    assert "RuntimeError" in row.reason
    assert mentions("bid", row.reason) == 0


def test_a_bot_is_marked_in_an_answer(post):
    """On the board and in the sentences of a draft, as in every other mail."""
    game = begun(post, "bids")
    with post.services.database.write() as session:
        session.execute(sa.update(Account).where(Account.name == "Ben").values(bot=True))
    assert post.reply("ada", "preview\nbid 3") == ["preview"]
    told = plain(post.told("ada"))
    assert 0 < mentions("Ben", told) == told.count("Ben (bot)")
    assert post.kinds(game)[-1] == "started"


def test_a_reply_to_any_mail_of_a_table_shows_what_it_asks_for(post):
    """Also to a mail that asks for no move; a command is refused there with the reason."""
    game = begun(post)
    name = mover(post, game)
    other = {"ada": "ben", "ben": "ada"}[name]
    assert about(post.asked(other)).endswith("The game has started")
    expected = {
        "board": "The table now:",
        "time": f"{name.capitalize()}: until ",
        "games": "No game waits for your move.",
        "history": "The last events, the newest last:",
        "roll": "Nothing was done: it is not your turn.",
    }
    for word, says in expected.items():
        assert post.reply(other, word) == ["late" if word == "roll" else word]
        assert says in plain(post.told(other))
    assert about(post.told(other)).endswith("Your reply had no effect"), "it came too early"
    assert post.reply(name, "games") == ["games"]
    assert f"Pig #{game[:4]} with" in plain(post.told(name))
    with post.services.database.write() as session:
        session.execute(sa.update(Seat).values(muted=True))
    assert post.reply(name, "games") == ["games"], "also where they want no emails"
    assert f"Pig #{game[:4]} with" in plain(post.told(name))


@pytest.mark.parametrize(("key", "says"), [("bids", "Ada sealed a bid: "), ("pig", "It ")])
def test_a_hint_comes_by_reply_where_the_table_allows_it(post, monkeypatch, key, says):
    """The answer has a move, its reason and its effect; the table sees that it was given. Nothing is played."""
    monkeypatch.setenv("PYTHONPATH", installed.ENV["PYTHONPATH"])
    game = begun(post, key)
    before = post.kinds(game)
    assert post.reply("ada", "hint") == ["no-hint"]
    assert "This table does not allow hints." in plain(post.told("ada"))
    with post.services.database.write() as session:
        session.execute(sa.update(Game).values(hints=True))
    assert post.reply("ada", "hint") == ["hint"]
    told = post.told("ada")
    assert about(told).endswith("A hint")
    assert says in plain(told)
    assert "The fair house player would play this" in plain(told)
    assert post.kinds(game) == before
    with post.services.database.read() as session:
        assert [(one.seat, one.seq) for one in session.scalars(sa.select(Hint))] == [(0, len(before) - 1)]


def test_an_answer_refers_to_the_reply_that_it_answers(post):
    """By its Message-ID, which is signed."""
    name = mover(post, begun(post))
    post.reply(name, "help", message_id="<of-the-reply@example.org>")
    assert post.told(name)["In-Reply-To"] == "<of-the-reply@example.org>"
