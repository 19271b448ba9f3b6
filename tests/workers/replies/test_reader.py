"""The reader of replies, on the corpus and on our own mails, and its laws."""

from __future__ import annotations

import csv
import time
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine import registry
from engine.chance import Lane
from engine.errors import SealedMoveError
from engine.kit import Step, active, format_command, legal, parse
from engine.record.log.options import load_options
from engine.replay import move, start
from tests.kit.games.bids import game as bids
from tests.kit.games.pig import game as pig
from tests.workers.letters import ADA, HOUSE, PLAYERS, SAMPLES
from workers.mail import guide_excerpt
from workers.mail.compose import compose
from workers.replies.html import text_of
from workers.replies.incoming import MOST_HTML, MOST_PARTS, body
from workers.replies.incoming import parse as opened
from workers.replies.lines import HARD_WRAP, attribution, normal, stops
from workers.replies.parser import WORDS, ParsedReply, commands_of, parse_reply

CORPUS = Path(__file__).parent / "corpus"
TABLE = list(
    csv.DictReader((CORPUS / "table.tsv").read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
)
TITLES = ("livingstone", "tikal", "discoveries", "lewis_clark")


def knows(game):
    """The commands that the grammar reads in any position."""

    def parses(_, text):
        try:
            parse(game, text)
        except SealedMoveError:
            return False
        return True

    return parses


def beginning(name, seats=2):
    game = registry.find(name)
    lanes = [Lane(lambda _, word=bytes([number] * 32): word, b"entropy", 1) for number in (1, 2)]
    return game, start(game, seats, load_options(game, {}, None), *lanes)


def positions(name, seats=2, count=40):
    """The positions of a game of default moves, each with the seat to move."""
    game, turn = beginning(name, seats)
    for _ in range(count):
        if not active(game, turn.state):
            return
        seat = active(game, turn.state)[0]
        yield game, turn.state, seat
        move(game, turn, seat, [Step(game.default(turn.state, seat))])


def told(found: ParsedReply) -> str:
    """As in the table."""
    if found.trouble:
        return f"{found.trouble}: {found.line}"
    if found.word:
        return f"{found.word}; {'; '.join(found.commands)}".rstrip()
    return "; ".join(found.commands) or "nothing"


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["file"])
def test_each_reply_of_the_corpus_is_read_correctly(row):
    """For each mail program: commands, a word, or the reason why nothing is done."""
    raw = (CORPUS / f"{row['file']}.eml").read_bytes()
    assert told(parse_reply(body(opened(raw)).written, knows(registry.find("livingstone")))) == row["reading"]


def test_the_corpus_is_of_many_programs_and_few_forms_are_our_own():
    """At least 60 replies of twelve programs; most forms come from the public tests of reply parsers."""
    own = [row for row in TABLE if row["form"].startswith("own")]
    assert len(TABLE) - len(own) >= 50
    assert len({row["program"] for row in TABLE}) >= 12
    assert {path.stem for path in CORPUS.glob("*.eml")} == {row["file"] for row in TABLE}


@pytest.mark.parametrize("name", TITLES)
def test_no_command_ends_the_reading(name):
    """No rule about quotations matches a legal command; every listed command is read alone, in capitals, and with
    a full stop after it.
    """
    for game, state, seat in positions(name):
        reads = commands_of(game, state, seat)
        for text in list(map(format_command, legal(game, state, seat)))[:60]:
            assert not stops([normal(text)], 0)
            assert parse_reply(f"{text.capitalize()}.\n\nAda", reads).commands == (text,)


@pytest.mark.parametrize("name", TITLES)
def test_a_word_of_mail_is_not_a_command(name):
    """Unless a game has that command: there the longer form stops the mail."""
    words = {word for word in WORDS if knows(registry.find(name))((), word)}
    assert words == ({"stop"} if name == "lewis_clark" else set())
    assert parse_reply("Unsubscribe\n", knows(registry.find(name))).word == "stop"


@pytest.mark.parametrize("name", [name for name in SAMPLES if hasattr(SAMPLES[name](), "place")])
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "its line taken out"])
def test_our_own_mail_never_reads_as_a_move(name, whole):
    """Neither part, with seats named like commands, even without the line above which people write."""
    facts = SAMPLES[name]()
    game = pig if facts.place.key == "pig" else bids
    named = ["roll", "hold", "roll"] if facts.place.key == "pig" else ["bid 1"] * 3
    facts = replace(facts, place=replace(facts.place, players=tuple(named[: len(PLAYERS)])))
    mail = compose(HOUSE, replace(ADA, name="roll"), facts)
    for text in (body(opened(mail.as_bytes())).written, text_of(mail.get_body(("html",)).get_content())):
        shown = text if whole else text.replace("Write your move above this line", "")
        assert parse_reply(shown, knows(game)).commands == ()
        assert parse_reply("\n".join(f"> {line}" for line in shown.splitlines()), knows(game)).commands == ()


@pytest.mark.slow
def test_a_digest_does_not_read_as_a_move():
    """However long the names are, no line of either part looks like a command."""
    facts = SAMPLES["digest"]()
    for length in range(54):
        named = (f"{'x' * length} roll".strip(), "hold", f"roll {'x' * length}".strip())
        owed = tuple(replace(one, others=named) for one in facts.owed)
        news = tuple(replace(one, others=named[::-1]) for one in facts.news)
        mail = compose(HOUSE, replace(ADA, name="roll"), replace(facts, owed=owed, news=news))
        for text in (body(opened(mail.as_bytes())).written, text_of(mail.get_body(("html",)).get_content())):
            assert "hold" in text
            assert not {"roll", "hold"} & {line.strip(" -.,:") for line in text.splitlines()}


@pytest.mark.slow
@pytest.mark.parametrize("name", TITLES)
def test_guide_text_in_our_mail_does_not_read_as_a_move(name):
    """Its sample turns are whole turns, yet no part is read as one, even without the line above which people write."""
    facts = replace(SAMPLES["turn"](), manual=guide_excerpt.of(name))
    mail = compose(HOUSE, ADA, facts)
    for text in (body(opened(mail.as_bytes())).written, text_of(mail.get_body(("html",)).get_content())):
        for shown in (
            text,
            text.replace("Write your move above this line", ""),
            text.partition("What to type")[2],
        ):
            for game, state, seat in positions(name, count=3):
                assert parse_reply(shown, commands_of(game, state, seat)).commands == ()


HABITS = {
    "bullets": ("- mine 2\n- mine 3\n* mine 4\n\u2022 mine 5", "mine 2; mine 3; mine 4; mine 5"),
    "numbers": ("1. mine 1\n2) mine 2\n(3) mine 3", "mine 1; mine 2; mine 3"),
    "stars": ("*mine 3*\n**mine 4**\n_mine 5_\n- *mine 1*", "mine 3; mine 4; mine 5; mine 1"),
    "a greeting": ("Hi Ben,\n\nmine 4", "mine 4"),
    "a greeting right above": ("Guten Morgen!\nmine 4", "mine 4"),
    "a greeting below a quotation": ("> Ben took the 5.\n\nHello there\nmine 4", "mine 4"),
    "a greeting before a word": ("Hello,\n\nI resign.", "resign;"),
    "a word in a sentence": ("I give up!", "resign;"),
    "a name": ("mine 4\nAda", "mine 4"),
    "a whole name": ("mine 4\nAda L. Byron", "mine 4"),
    "a closing": ("mine 4\nThanks!", "mine 4"),
    "a closing with a name": ("mine 4\nViele Gr\xfc\xdfe, Ada", "mine 4"),
    "a signature": ("mine 4\nBest regards,\nAda\n+49 30 1234567\nExample Ltd", "mine 4"),
    "a telephone number": ("mine 4\nTel.: (030) 123 45 67", "mine 4"),
    "a disclaimer": ("mine 4\nThis e-mail and any attachments are\nconfidential and for its receiver.", "mine 4"),
    "a full stop": ("mine 4\n.\nI will do the rest tomorrow", "mine 4"),
    "an end in a word": ("mine 4\nSend\nmine 5", "mine 4"),
}
NO_HABITS = {
    "a greeting with a command": ("Hello, mine 4\nmine 5", "late: mine 5"),
    "a greeting with words": ("Hello Ben, I take what is left\nmine 5", "late: mine 5"),
    "another name": ("mine 4\nBen", "unread: ben"),
    "a letter of a name": ("mine 4\nL", "unread: l"),
    "a name and words": ("mine 4\nAda will do the rest", "unread: ada will do the rest"),
    "thanks with words": ("mine 4\nThanks, tomorrow the rest", "unread: thanks, tomorrow the rest"),
    "a number": ("mine 4\n12 34", "unread: 12 34"),
    "words that begin as a disclaimer": ("mine 4\nThis is all for today", "unread: this is all for today"),
    "a command below a name": ("mine 4\nAda\nmine 5", "late: mine 5"),
    "a slip after a bullet": ("- mine 4\n- mien 5", "unread: - mien 5"),
    "a list of other things": ("My wishes:\n- mine 4", "late: mine 4"),
    "a line that is too long": (f"mine 4\n{'x' * 2000}", "unread: ..."),
}


@pytest.mark.parametrize("name", HABITS | NO_HABITS)
def test_harmless_habits_are_forgiven_and_nothing_is_guessed(name):
    """Decoration around commands is ignored; if it could have a meaning, nothing is done and the line is named."""
    text, reading = (HABITS | NO_HABITS)[name]
    assert told(parse_reply(text, knows(registry.find("livingstone")), ("ada", "l", "byron"))) == reading


@pytest.mark.parametrize(
    ("below", "named"),
    [("I will do the rest tomorrow", "i will do the rest tomorrow"), ("Best,\nAda", ""), ("Sent from my iPhone", "")],
)
def test_text_below_a_quotation_is_named_unless_it_is_a_signature(below, named):
    found = parse_reply(f"mine 4\n\n> Ben took the 5.\n\n{below}\n", knows(registry.find("livingstone")), ("ada",))
    assert found == ParsedReply(("mine 4",), line=named)


def test_the_end_of_a_quoted_line_that_a_mail_program_has_broken_refuses_no_reply():
    """As with the guide in the first mail of a game, if the words after the break are a command."""
    quoted = f"> {'In the guide you read what one can do here: ' * 2}\n\nmine 5"
    broken = quoted.replace("\n\n", "\n")
    assert told(parse_reply(f"mine 4\n\n{quoted}", knows(registry.find("livingstone")))) == "late: mine 5"
    found = parse_reply(f"mine 4\n\n{broken}", knows(registry.find("livingstone")))
    assert found == ParsedReply(("mine 4",), line="mine 5")


CHATTER = """Thanks!|Ok|Yes, do it|Good game so far|See you on Monday|I will move tomorrow|What do you mean by that?
Hello there|No idea|The end is near|My move is coming|Use your head next time|Rest well|Give me a day|Take care"""


@pytest.mark.parametrize("name", TITLES)
def test_chatter_is_not_a_command(name):
    """Even with words abbreviated or left out: a line must begin with a command's first word and end as one."""
    for game, state, seat in positions(name, count=12):
        for line in CHATTER.replace("\n", "|").split("|"):
            assert parse_reply(line, commands_of(game, state, seat)).commands == ()


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("On 3 May 2024, Ben wrote:", True),
        ("3 May 2024, ben@example.org:", True),
        ("2024/05/03 Ben <ben@example.org>", True),
        ("It is 3 May 2024, so:", False),
        ("Ask ben@example.org:", False),
        ("Ben said so on 3 May 2024 to <ben@example.org>", False),
        ("walk a1 >", False),
    ],
)
def test_a_date_or_an_address_alone_does_not_announce_a_quote(line, is_one):
    """The text after it would be lost."""
    assert bool(attribution([line], 0)) is is_one


def test_a_command_that_a_mail_program_wrapped_is_one_command():
    """A command that is legal once is counted once, in one line or in two."""
    long = "bid " + "9" * HARD_WRAP
    once = lambda before, text: not before and text in (long, f"{long} for two")  # noqa: E731 - a line in a test
    assert parse_reply(f"{long}\nfor two\n", once) == ParsedReply((f"{long} for two",))


def test_a_hostile_mail_is_read_quickly():
    """Long lines, many lines, lines that all begin like commands: all work is limited."""
    game, state, seat = next(positions("tikal"))
    for text in ("von iphone " * 50_000, "no command\n" * 100_000, "place nowhere\n\n" * 5_000, ">" * 200_000):
        begun = time.process_time()
        assert parse_reply(text, commands_of(game, state, seat)).commands == ()
        assert time.process_time() - begun < 5


def test_the_commands_of_a_clear_signed_text_are_read():
    """Its armor is skipped, and its signature ends the reply; an armor alone has no command."""
    armor = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nroll\n-----BEGIN PGP SIGNATURE-----\n\nroll\n"
    knows = lambda before, text: text == "roll"  # noqa: E731 - said once
    assert parse_reply(armor, knows) == ParsedReply(("roll",))
    assert parse_reply("-----BEGIN PGP SIGNED MESSAGE-----\nroll\n", knows).commands == ()


def test_text_that_a_picture_divides_is_read_whole():
    """As telephones send it; a file of text beside it is not read."""
    mail = EmailMessage()
    mail.set_content("mine 4")
    mail.add_attachment(b"GIF89a", "image", "gif", disposition="inline")
    mail.add_attachment("tent 3 explorer row 2", disposition="inline")
    mail.add_attachment("mine 5", disposition="inline", filename="notes.txt", params={"name": "notes.txt"})
    said = parse_reply(body(opened(mail.as_bytes())).written, knows(registry.find("livingstone")))
    assert told(said) == "mine 4; tent 3 explorer row 2"


def test_pages_that_a_picture_divides_are_read_whole():
    """Half of a turn would be played otherwise. All of them together are as long as one may be."""
    mail = EmailMessage()
    mail.set_content("<p>mine 4</p>", "html")
    mail.add_attachment(b"GIF89a", "image", "gif", disposition="inline")
    mail.add_attachment("<p>tent 3 explorer row 2</p>", "html", disposition="inline")
    mail.add_attachment("<p>mine 5</p>", "html", disposition="inline", params={"name": "notes.html"})
    found = body(opened(mail.as_bytes()))
    assert told(parse_reply(found.written, knows(registry.find("livingstone")))) == "mine 4; tent 3 explorer row 2"
    mail.add_attachment("<!-- -->" * MOST_HTML, "html", disposition="inline")
    assert (found.is_cut, body(opened(mail.as_bytes())).is_cut) == (False, True)


def test_text_above_more_attachments_than_are_read_is_read():
    mail = EmailMessage()
    mail.set_content("mine 4")
    for _ in range(MOST_PARTS):
        mail.add_attachment(b"GIF89a", "image", "gif")
    assert body(opened(mail.as_bytes())).written == "mine 4\n"
