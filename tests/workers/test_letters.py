"""Mails: their content, their structure, and what cannot be smuggled into them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.policy import SMTP

import pytest

from server.accounts.schemas import AddressSchema, LoginSchema
from server.tables.invitations.schemas import InviteSchema
from tests.workers.letters import (
    ADA,
    HOUSE,
    MAILS,
    NOTE,
    NOW,
    SAMPLES,
    TOKEN,
    first_bid,
    letter,
    over,
    readable,
    your_turn,
)
from workers.mail import guide_excerpt, headers, layout
from workers.mail.compose import compose
from workers.mail.facts import Reader
from workers.replies.incoming import is_automatic

EVIL = "Eve\r\nBcc: all@example.org\n\n- Ben kept 99."


def sent(facts, reader=ADA):
    """The mail after a trip over the wire."""
    return message_from_bytes(compose(HOUSE, reader, facts).as_bytes(), policy=SMTP)


def plain(mail) -> str:
    return mail.get_body(("plain",)).get_content().replace("\r\n", "\n")


def page(mail) -> str:
    return mail.get_body(("html",)).get_content()


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_letter_is_up_to_date(name):
    """A changed mail shows as a changed file; `python -m tests.workers.letters` writes them again."""
    assert readable(letter(name)) == (MAILS / f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_bounced_letter_is_recognised_by_its_id(name):
    """Some programs return nothing else of it."""
    mail = message_from_bytes(b"From: somebody@example.org\r\n\r\n", policy=SMTP)
    mail["Message-ID"] = letter(name)["Message-ID"]
    assert is_automatic(mail, HOUSE)


@pytest.mark.parametrize("name", SAMPLES)
def test_only_a_sign_in_mail_signs_in(name):
    """The recipient of a forwarded turn mail cannot sign in with it."""
    assert (b"/login/" in letter(name).as_bytes()) == (name == "login")


@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_facts_give_the_same_bytes(name):
    """So a mail that is sent twice is the same mail."""
    assert letter(name).as_bytes() == letter(name).as_bytes()


@pytest.mark.parametrize("name", SAMPLES)
def test_lines_are_short_except_links_and_signatures(name):
    """Everything else fits 78 columns."""
    long = [line for line in plain(sent(SAMPLES[name]())).split("\n") if len(line) > 78]
    assert all("https://" in line or line in NOTE.split("\n") for line in long)


def test_a_long_choice_of_commands_breaks_after_a_bar():
    """Commands that differ in one word are one item, on as many lines as needed; nothing is inserted."""
    places = [f"{seat}.{face}" for seat in (1, 2, 3) for face in ("walk", "ride", "parley", "write")]
    lines = layout.item("rest own " + "|".join(places)).split("\n")
    assert len(lines) == 2
    assert max(map(len, lines)) <= 78
    assert "".join(line[2:] for line in lines) == "rest own " + "|".join(places)


@pytest.mark.parametrize("name", SAMPLES)
def test_headers_prevent_automatic_answers(name):
    """RFC 3834 and the header that Exchange reads."""
    mail = sent(SAMPLES[name]())
    how = "auto-replied" if name.startswith(("answer_", "unproven")) or name == "answer" else "auto-generated"
    assert (mail["Auto-Submitted"], mail["X-Auto-Response-Suppress"]) == (how, "All")


def test_all_mails_of_a_game_make_one_thread():
    """The root is the game and the seat, and the subject is the same; what a mail is about follows it in a list."""
    mails = [sent(SAMPLES[name]()) for name in ("turn", "reminder", "time", "absent", "over", "unstarted")]
    assert {mail["References"] for mail in mails} == {mails[0]["In-Reply-To"]}
    assert {mail["Subject"] for mail in mails} == {"[Pig #3f2a] Your game", "[Bids #3f2a] Your game"}
    shown = [re.search(r"mso-hide:all[^>]*>([^<]*)<", page(mail))[1] for mail in mails]
    assert shown[0] == "Your turn. Zoë kept 5. Time left: 3 days 2 hours, until Tuesday 24 November 2026, 12:00 UTC."
    assert shown[1].startswith("Reminder: your turn.")


def test_an_answer_refers_to_the_reply():
    """RFC 3834: it is in the thread of the reply, too."""
    facts = SAMPLES["answer"]()
    mail = sent(replace(facts, answers="<7@example.org>"))
    assert mail["Subject"] == "Re: [Pig #3f2a] Your game"
    assert mail["In-Reply-To"] == "<7@example.org>"
    assert mail["References"] == f"{sent(facts)['References']} <7@example.org>"


@pytest.mark.parametrize("name", ["started", "time", "absent", "over", "offered", "answer_unread"])
def test_every_mail_of_a_table_can_be_answered(name):
    """With a line above which to write, and what to write."""
    mail = sent(SAMPLES[name]())
    assert mail["Reply-To"].addresses[0].username.startswith("move+")
    assert plain(mail).startswith("--- Write your reply above this line. ---\n")
    assert "help" in plain(mail)


def test_the_guide_is_in_the_first_mail_of_a_game_only():
    """Later ones link it, and are short."""
    first, later = plain(sent(SAMPLES["answerable"]())), plain(sent(your_turn(reply=SAMPLES["answerable"]().reply)))
    assert ("What to type:" in first, "What to type:" in later) == (True, False)
    assert "Reply help to see what else you can write." in later


def test_one_click_unsubscribes():
    """RFC 8058: the URL, and the header that allows a single POST."""
    mail = sent(your_turn())
    assert mail["List-Unsubscribe"] == f"<{HOUSE.site}/u/{TOKEN}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_sign_in_mail_has_no_list_headers():
    """Nobody unsubscribes from signing in."""
    mail = sent(SAMPLES["login"]())
    assert mail["List-Unsubscribe"] is None
    assert mail["References"] is None


def test_a_turn_mail_contains_all_that_a_move_needs():
    """Events, board, commands, clock, time, link and checkpoint."""
    text, facts = plain(sent(your_turn())), your_turn()
    for part in (
        "Ben rolled 2.",
        facts.table.board,
        "- roll",
        "the server plays this default move: roll",
        "3 days 2 hours",
        "/games/3f2a",
    ):
        assert part in text
    assert facts.table.note in text.replace("\n\nNo more", "\nNo more")


@pytest.mark.parametrize("name", ["turn", "started", "absent", "offered", "taken", "over", "cancelled"])
def test_a_mail_of_a_game_links_its_guide(name):
    """Text and HTML alike, on a line of its own."""
    mail = sent(SAMPLES[name]())
    assert re.search(rf"^How to play: {HOUSE.site}/play/(pig|bids)$", plain(mail), re.MULTILINE)
    assert re.search(rf'<a href="{HOUSE.site}/play/(pig|bids)">How to play</a>', page(mail))


def test_the_last_mail_about_a_cancelled_table_offers_no_settings():
    """There are no more mails to stop."""
    mail = sent(SAMPLES["cancelled"]())
    assert "Stop emails" not in plain(mail) + page(mail)
    assert "daily digest" not in page(mail)


def test_the_picture_is_attached_with_the_board_as_its_text():
    """A PNG by its content id."""
    mail = sent(your_turn())
    pictures = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert [part["Content-ID"] for part in pictures] == ["<position>"]
    assert pictures[0].get_content().startswith(b"\x89PNG")
    assert f'src="cid:position" alt="{your_turn().table.board}"' in page(mail).replace("\r\n", "\n")


def test_another_seats_secret_is_not_in_a_mail():
    """Ben reads their own seat's favourite, and only that the others have one."""
    whole = plain(sent(first_bid())) + page(sent(first_bid()))
    assert "Ben has a favourite: blue." in whole
    assert "Ada Lovelace has a favourite: hidden." in whole


def test_a_name_with_newlines_makes_no_header_and_no_line():
    """Neither the reader's nor another player's."""
    facts = your_turn()
    evil = replace(facts, place=replace(facts.place, players=(EVIL, EVIL, EVIL), title=EVIL))
    mail = sent(evil, Reader(EVIL, "eve@example.org"))
    assert mail["Bcc"] is None
    assert "\n- Ben kept 99." not in plain(mail)
    assert mail["To"].addresses[0].addr_spec == "eve@example.org"


def test_a_sentence_with_newlines_stays_one_sentence():
    """Sentences contain names too."""
    facts = your_turn()
    mail = sent(replace(facts, table=replace(facts.table, since=(f"{EVIL} rolled 6.",))))
    assert "\n- Ben kept 99." not in plain(mail)


def test_markup_in_a_name_is_escaped_in_html():
    facts = your_turn()
    players = ("<script>alert(1)</script>", '"><img src=x>', "Zoë")
    shown = page(sent(replace(facts, place=replace(facts.place, players=players))))
    assert "<script" not in shown
    assert "<img src=x" not in shown


def test_a_name_is_never_read_as_a_template():
    """Braces of either kind print as they are."""
    facts = your_turn()
    place = replace(facts.place, players=("{{ 7*7 }}", "{seat.__class__}", "%s"))
    assert "{{ 7*7 }}, it is your turn" in plain(sent(replace(facts, place=place)))


@pytest.mark.parametrize("email", ["", "ada", "@example.org", "ada@", "a b@example.org", "ada@exämple.org"])
def test_an_invalid_address_is_refused(email):
    """Before any server is contacted."""
    with pytest.raises(headers.AddressError):
        headers.mailbox("Ada", email)


FORMS = ("a{}b@example.org", '"a{}b"@example.org', "ada@ex{}mple.org", "ada@[127.0.0.{}]")


@pytest.mark.parametrize(
    ("schema", "name"), [(LoginSchema(), "email"), (AddressSchema(), "email"), (InviteSchema(), "to")]
)
def test_the_api_takes_no_address_that_the_mailer_refuses(schema, name):
    """Otherwise a link or an invitation is promised that nobody gets."""
    typed = [form.format(chr(letter)) for form in FORMS for letter in range(32, 256)]
    taken = [email for email in typed if not schema.validate({name: email})]
    assert [headers.mailbox("Ada", email).addr_spec for email in taken] == taken
    assert len(taken) > 100


@pytest.mark.parametrize(
    "email", ["a@b.org,c@d.org", "a@b.org\nBcc: c@d.org", "<a@b.org>", "a@b.org (x)", "a\x00@b.org"]
)
def test_two_addresses_in_one_are_refused(email):
    """One mail, one recipient."""
    with pytest.raises(headers.AddressError):
        headers.mailbox("Ada", email)


def test_html_stays_below_gmails_limit():
    """Even the longest mail, with every limit reached."""
    facts = your_turn()
    table = replace(facts.table, since=("x" * 1000,) * 300, board="\n".join(["#" * 78] * 60), picture=None)
    mail = sent(replace(facts, table=table, legal=tuple(f"a command of {n} words " + "w " * 30 for n in range(999))))
    assert len(page(mail).encode()) < 100_000


def test_a_mail_that_can_be_answered_says_where_and_how():
    """A whole address in Reply-To, and in both parts a line above which to write; without a way in, neither."""
    mail, dumb = sent(SAMPLES["answerable"]()), sent(your_turn())
    assert mail["Reply-To"].addresses[0].addr_spec == SAMPLES["answerable"]().reply.address
    assert b"\r\n <move+" in compose(HOUSE, ADA, SAMPLES["answerable"]()).as_bytes()
    assert plain(mail).startswith("--- Write your reply above this line. ---\n")
    assert dumb["Reply-To"] is None
    assert "above this line" not in plain(dumb) + page(dumb)


def test_points_too_wide_for_a_table_are_listed_by_player():
    """At most 76 columns in any game."""
    told = layout.points([f"Player {n}" for n in range(9)], [("a long heading", tuple(range(9)))])
    assert "- Player 8: a long heading 8" in told.split("\n")
    assert max(map(len, told.split("\n"))) <= 76


def test_ties_take_as_many_places_as_they_have_players():
    """Two first, then a third."""
    text = plain(sent(replace(over(), places=((0, 1), (2,)), out=(2,))))
    assert "1. Ada Lovelace and Ben, tied\n3. Zoë (out)" in text


def test_a_game_without_a_clock_shows_no_time_left():
    text = plain(sent(your_turn(deadline=None)))
    assert "This game has no clock." in text
    assert "Time left" not in text


def test_a_late_letter_counts_the_time_from_when_it_is_sent():
    """Not from when it was queued."""
    assert "Time left: 2 hours" in plain(sent(your_turn(now=NOW + timedelta(days=3))))


def test_the_time_left_excludes_the_grace_period():
    """Nobody should plan with it."""
    text = plain(sent(your_turn(grace=timedelta(hours=12)))).replace("\n", " ")
    assert (
        "Time left: 2 days 14 hours, until Tuesday 24 November 2026, 00:00 UTC. A grace period of 12 hours follows."
        in text
    )


def test_a_turn_mail_in_the_grace_period_says_when_it_ends():
    """With the moment at which the server plays."""
    text = plain(sent(your_turn(grace=timedelta(hours=12), now=NOW + timedelta(days=3)))).replace("\n", " ")
    assert "Your time is up. The grace period ends in 2 hours, on Tuesday 24 November 2026, 12:00 UTC." in text
    assert "Time left" not in text


def test_a_repeated_sentence_is_shown_once_with_a_count():
    """In both parts, even if another sentence is between them."""
    facts = your_turn()
    since = ("Ben rolled 2.", "Ben rolled 2.", "Zoë rolled 5.", "Ben rolled 2.", "A.", "A.", "A.")
    mail = sent(replace(facts, table=replace(facts.table, since=since)))
    assert "- Ben rolled 2 (twice).\n- Zoë rolled 5.\n- Ben rolled 2.\n- A (3 times).\n" in plain(mail)
    assert "<li>Ben rolled 2 (twice).</li>" in page(mail)


def test_an_optional_word_is_in_brackets():
    """One line instead of the same listing twice; if two lines continue differently, all stay."""
    assert layout.once(["rest own", "rest own 2.ride|3.write", "end"]) == ("rest own [2.ride|3.write]", "end")
    assert layout.once(["go", "go a x", "go b y"]) == ("go", "go a x", "go b y")
    assert layout.once(["goal", "go"]) == ("goal", "go")


def test_a_long_choice_of_commands_breaks_in_html_too():
    """After each bar, and markup in it stays text."""
    shown = page(sent(your_turn(legal=("rest a|b|<b>",))))
    assert "rest a|<wbr>b|<wbr>&lt;b&gt;" in shown


GUIDE = """# A game

## What to type

    roll    throw the die; six times a turn at most, and no more often than that at all

| command | what it does |
|---|---|
| `hold` | keeps <b>what</b> is in the pot |

**Nothing** is hidden, as [the rules](/play/pig) say.

## What is not

more
"""


def test_on_a_telephone_a_command_and_its_meaning_stay_apart():
    """The HTML part puts each column of a line of code on its own line, since a narrow screen wraps it."""
    page = str(guide_excerpt.page("    roll    throw the die\n    hold    keep what is in the pot", HOUSE.site))
    assert "roll\n    throw the die\nhold\n    keep what is in the pot" in page


def test_the_guides_section_on_commands_is_in_both_parts():
    """Only that section; as lines of a mail, and as HTML that needs no style sheet."""
    mail = sent(your_turn(manual=guide_excerpt.block(GUIDE)))
    text = plain(mail)
    assert "What to type:\n\n  roll    throw the die; six times a turn at most" in text
    assert "- hold: keeps <b>what</b> is in the pot" in text
    assert "Nothing is hidden" in text
    made = page(mail)
    assert '<pre style="font-size:13px' in made
    assert "<code>hold</code></td>" in made
    assert f'<strong>Nothing</strong> is hidden, as <a href="{HOUSE.site}/play/pig">the rules</a>' in made
    assert "&lt;b&gt;what&lt;/b&gt;" in made
    assert "What is not" not in text + made


def test_a_list_of_a_guide_has_a_line_for_each_item():
    """On one line, a command and the meaning of the one before it could not be told apart."""
    listed = "- **`roll`**: throw the die,\n  six times a turn at most\n- **`hold`**: keep the pot"
    assert guide_excerpt.text(listed) == "- roll: throw the die, six times a turn at most\n- hold: keep the pot"


def test_a_guide_without_that_section_adds_nothing():
    """Neither a heading nor an empty line."""
    mail = sent(your_turn(manual=guide_excerpt.block("# A game\n\nNothing.\n")))
    assert "What to type" not in plain(mail) + page(mail)


@pytest.mark.parametrize("name", ["discoveries", "lewis_clark", "livingstone", "tikal"])
def test_the_section_of_every_guide_fits_a_mail(name):
    """Every guide has one, and none of its lines is too long."""
    assert len(guide_excerpt.of(name)) > 500
    assert max(map(len, guide_excerpt.text(guide_excerpt.of(name)).split("\n"))) <= 76
