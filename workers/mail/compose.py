"""A mail from its facts (pure): plain text, HTML with a picture of the position, and headers.

Each mail is a folder in `templates/` with `text.txt` and `page.html`. The same facts give the same bytes and the same
Message-ID, so that a mail sent twice is the same mail (RFC 7352) and shows as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from email.utils import quote
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context, select_autoescape
from jinja2.runtime import Context

from engine.kit import count
from server.kernel import text
from server.kernel.text import zone_of
from workers.mail import account_words, guide_excerpt, headers, layout, sentences
from workers.mail.account_facts import AccountMail, Digest, Invited
from workers.mail.facts import (
    Absent,
    Answer,
    Cancelled,
    Facts,
    GameMail,
    MailOrigin,
    Offered,
    Over,
    Reader,
    ReaderSeat,
    ReplyAddress,
    Rescheduled,
    Started,
    TableView,
    Taken,
    TalkMessage,
    Turn,
    Unproven,
    Ways,
)
from workers.mail.headers import POLICY, is_plain
from workers.replies.lines import MARKER

MOST_SENTENCES = 60
MOST_PREHEADER = 200
LONGEST_SENTENCE = 400
MOST_LINES = 200  # of legal commands; with the sentences and the board this keeps a page below the 100 kB of Gmail
PICTURE, NEAR = "position", "near"  # also in the templates
BACK = (
    'To come back, make your move. If it is not your turn, press "I am back" on the game\'s page or run '
    "`sealedmove resign GAME --back`. From then on you have your full time for each turn again."
)
NOT_YOU = (
    "If you did not offer it, someone else has one of your keys. With your recovery code, replace the keys of the seat "
    "now: remove the key of the lost device on your account's page, or run `sealedmove keys recover FILE`. This also "
    "withdraws the offer. If you do not have the code at hand, withdraw the offer at once, on the game's page or with "
    "`sealedmove resign GAME --back`. The other person can offer the seat again until you have replaced its keys."
)
RECOVERED = (
    "The offer was signed with the recovery key, so it does not wait. If that was not you, someone else has your "
    "recovery code. Withdraw the offer, then change the code."
)

# What an answer to a reply is about, by its outcome.
ANSWERS = {
    "played": "Your move was played",
    "planned": "Your draft move was saved",
    "preview": "Preview of your move",
    "unconfirmed": "Your draft move was not confirmed",
    "unread": "Your reply was not understood",
    "refused": "Your move was refused",
    "late": "Your reply had no effect",
    "over": "The game is over",
    "left": "The seat is no longer yours",
    "sign": "Your signature is needed",
    "stopped": "Emails about this table have stopped",
    "said": "Your message was sent to the table",
    "unsaid": "Your message was not sent",
    "help": "How to play by email",
    "board": "The table now",
    "hint": "A hint",
    "no-hint": "No hint",
    "time": "The time left",
    "games": "Your games",
    "history": "The last events",
}

# The labels of the links in a mail that change settings.
DIGEST, TEXT = "Put this table in the daily digest", "Leave out pictures"

ADVICE = {"back": BACK}

WITH_TABLE = (Started, Turn, Answer, Over)


def compose(origin: MailOrigin, reader: Reader, facts: Facts) -> EmailMessage:
    """The whole mail. Raises `headers.AddressError` if the address is invalid."""
    letter = EmailMessage(policy=POLICY)
    letter["From"] = headers.sender(origin.mailbox)
    letter["To"] = headers.mailbox(reader.name, reader.email)
    letter["Subject"] = subject(facts)
    letter["Message-ID"] = facts.message_id
    if (address := _reply_address(facts)) is not None:
        letter["Reply-To"] = headers.mailbox(headers.sender(origin.mailbox).display_name, address)
    letter["Auto-Submitted"] = "auto-replied" if isinstance(facts, Answer | Unproven) else "auto-generated"
    letter["X-Auto-Response-Suppress"] = "All"
    if not isinstance(facts, AccountMail):
        _thread(letter, origin, facts)
    elif isinstance(facts, Invited):
        _list(letter, f'"Sealed Move invitations" <invitations.{origin.host}>', facts.link)
    elif isinstance(facts, Digest):
        _list(letter, f'"Sealed Move daily digest" <digest.{origin.host}>', f"{origin.site}/m/{facts.token}")
    _fill(letter, facts, _words(origin, reader, facts))
    return letter


def _reply(facts: Facts) -> ReplyAddress | None:
    """Where to reply with a move."""
    return facts.reply if isinstance(facts, Turn | Answer) else None


def _reply_address(facts: Facts) -> str | None:
    """Where to reply: every mail about a table can be answered, if only to ask for the board."""
    return None if isinstance(facts, AccountMail) else facts.place.reply


def subject(facts: Facts) -> str:
    """One for each game, so that mail programs keep its mails together; a warning has its own."""
    if isinstance(facts, AccountMail | Offered | Taken | Unproven):
        return heading(facts)
    begin = f"[{headers.clean(facts.place.title)} #{facts.place.game[:4]}] Your game"
    if not isinstance(facts, Answer):
        return begin
    return f"Re: {begin} #{facts.code}" if facts.code else f"Re: {begin}"


def heading(facts: Facts) -> str:
    """The game, or our name, and the topic."""
    if isinstance(facts, AccountMail):
        return account_words.heading(facts)
    return f"[{headers.clean(facts.place.title)} #{facts.place.game[:4]}] {topic(facts)}"


def topic(facts: GameMail) -> str:
    """The subject matter of a mail about a game."""
    match facts:
        case Turn(reminder=True):
            return "Reminder: your turn"
        case Turn():
            return "Your turn"
        case Rescheduled():
            return "Your deadline has moved"
        case Started():
            return "The game has started"
        case Answer():
            return ANSWERS[facts.did]
        case Unproven():
            return "Reply with an unverified sender"
        case Absent():
            return "You count as absent"
        case Offered():
            return "Your seat is offered to others"
        case Taken():
            return "Your seat was taken"
        case Over():
            return "The game has finished"
        case Cancelled():
            return "The game was cancelled"


def _thread(letter: EmailMessage, origin: MailOrigin, facts: GameMail) -> None:
    """One thread for each game, a List-Id for filters, and one-click unsubscribing (RFC 2369, RFC 2919, RFC 8058).

    An answer refers to the reply, too (RFC 3834 3.1.4).
    """
    place = facts.place
    root = f"<g.{place.game}.root.{place.seat}@{origin.host}>"
    answered = facts.answers if isinstance(facts, Answer) else ""
    letter["In-Reply-To"] = answered or root
    letter["References"] = f"{root} {answered}".strip()
    _list(letter, f"{_list_name(place)} <{place.game}.games.{origin.host}>", unsubscribe(origin, place))


def _list(letter: EmailMessage, name: str, stops: str | None) -> None:
    letter["List-Id"] = name
    if stops is not None:
        letter["List-Unsubscribe"] = f"<{stops}>"
        letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


def _list_name(place: ReaderSeat) -> str:
    """The name is not encoded, so that filters find it; the game's key if the title is not plain ASCII (RFC 2919 3)."""
    title = headers.clean(place.title)
    return f'"{quote(title)}"' if is_plain(title) else place.key


def unsubscribe(origin: MailOrigin, place: ReaderSeat) -> str | None:
    """The link that stops mails about this game; None if the reader gets none any more."""
    return None if place.token is None else f"{origin.site}/u/{place.token}"


def _words(origin: MailOrigin, reader: Reader, facts: Facts) -> dict[str, Any]:
    """The variables of the templates."""
    zone, name = zone_of(reader.zone), headers.clean(reader.name)
    words = {**ADVICE, "facts": facts, "name": name, "site": origin.site, "zone": zone, "subject": heading(facts)}
    if isinstance(facts, AccountMail):
        return words | account_words.of_account(origin, facts, zone)
    of_game = _of_game(origin, facts, zone)
    return words | of_game | {"preheader": _preheader(facts, of_game)}


def _preheader(facts: GameMail, words: dict[str, Any]) -> str:
    """What a list of mails shows after the subject: the topic, the latest news, the time left."""
    news = words["since"][-1:] if isinstance(facts, Turn) else facts.lead[:1] if isinstance(facts, Answer) else ()
    return " ".join(filter(None, (f"{topic(facts)}.", *news, words["time_left"])))[:MOST_PREHEADER]


def _of_game(origin: MailOrigin, facts: GameMail, zone: ZoneInfo) -> dict[str, Any]:
    place, table = facts.place, facts.table if isinstance(facts, WITH_TABLE) else None
    told = layout.runs([headers.clean(sentence, LONGEST_SENTENCE) for sentence in (table.since if table else ())])
    players = [headers.clean(player) for player in place.players]
    return _of_answers(facts) | {
        "place": place,
        "table": table,
        "players": players,
        "seats": _seats(players, place.seat, table),
        "note": _note(facts),
        "news": _news(place.seat, table) if table else "",
        "beside": sentences.beside(facts, players) if isinstance(facts, Turn) else "",
        "then": sentences.then(facts, players) if isinstance(facts, Turn) else "",
        "time_left": sentences.time_left(facts, zone) if isinstance(facts, Turn | Rescheduled) else "",
        "by": headers.clean(facts.by) if isinstance(facts, Taken) else "",
        "not_you": RECOVERED if isinstance(facts, Offered) and facts.recovered else NOT_YOU,
        "me": players[place.seat],
        "to_move": [players[seat] for seat in facts.to_move] if isinstance(facts, Started) else [],
        "ranking": ranking(facts, players) if isinstance(facts, Over) else [],
        "since": told[-MOST_SENTENCES:],
        "untold": max(0, len(told) - MOST_SENTENCES),
        "link": f"{origin.site}/games/{place.game}",
        "guide": f"{origin.site}/play/{place.key}",
        "manual_text": guide_excerpt.text(facts.manual) if isinstance(facts, Turn) else "",
        "manual_page": guide_excerpt.page(facts.manual, origin.site) if isinstance(facts, Turn) else "",
        "bundle": f"{origin.site}/v1/games/{place.game}/bundle",
        "most_lines": MOST_LINES,
        **_switches(origin, facts),
    }


def _switches(origin: MailOrigin, facts: GameMail) -> dict[str, Any]:
    """The links that stop mails, and instead the one that resumes them for the answer to a reply that stopped them."""
    link, is_stopped = unsubscribe(origin, facts.place), isinstance(facts, Answer) and facts.did == "stopped"
    return {
        "unsubscribe": None if is_stopped else link,
        "undo": link if is_stopped else None,
        "wishes": _wishes(origin, facts.place.ways),
    }


def _spoken(talk: Sequence[TalkMessage]) -> list[str]:
    """The lines of the table talk."""
    each = (layout.spoken(one.seat, headers.clean(one.name, layout.LONGEST_SPEAKER), one.text) for one in talk)
    return [line for lines in each for line in lines]


def _wishes(origin: MailOrigin, ways: Ways | None) -> list[tuple[str, str]]:
    """The links that change the reader's settings, with their labels."""
    if ways is None:
        return []
    named = ((DIGEST, ways.digest), (TEXT, ways.text), (account_words.OFF, ways.off))
    return [(f"{origin.site}/m/{token}", says) for says, token in named if token is not None]


def _of_answers(facts: GameMail) -> dict[str, Any]:
    """The talk, why there is more time, how to reply, the last reply's outcome, and how many moves came by reply."""
    table = facts.table if isinstance(facts, WITH_TABLE) else None
    told = facts.events if isinstance(facts, Answer) else ()
    return {
        "talk": _spoken(table.talk) if table else [],
        "reply": _reply(facts),
        "replies": facts.place.reply is not None,
        "extended": text.extended(facts.why) if isinstance(facts, Rescheduled) else "",
        "marker": f"--- {MARKER.capitalize()}. ---",
        "legal": layout.once(facts.legal) if isinstance(facts, Turn | Answer) else (),
        "commands": facts.commands if isinstance(facts, Answer) else (),
        "said": _spoken([facts.said]) if isinstance(facts, Answer) and facts.said else [],
        "events": [headers.clean(sentence, LONGEST_SENTENCE) for sentence in told],
        "unsigned": text.unsigned(map(headers.clean, facts.unsigned)) if isinstance(facts, Over) else "",
    }


def _seats(players: Sequence[str], mine: int, table: TableView | None) -> list[str]:
    """`Seat 2: Ben (you, absent)`."""
    standing = (table.standing if table else ()) or ("",) * len(players)
    marks = [", ".join(filter(None, ("you" * (seat == mine), says))) for seat, says in enumerate(standing)]
    return [
        f"Seat {number}: {name}" + (f" ({mark})" if mark else "")
        for number, (name, mark) in enumerate(zip(players, marks, strict=True), 1)
    ]


def _news(mine: int, table: TableView) -> str:
    """The heading of the list of sentences."""
    if not table.has_moved:
        return "What has happened so far:"
    if table.is_new:
        return f"Since the last move of seat {mine + 1}, before you took it:"
    return "Since your last move:"


def _note(facts: GameMail) -> str:
    """The checkpoint, in every mail that has one."""
    if isinstance(facts, Cancelled | Unproven):
        return ""
    if isinstance(facts, Rescheduled | Absent | Offered | Taken):
        return facts.note
    return facts.table.note if facts.table else ""


def ranking(over: Over, players: Sequence[str]) -> list[str]:
    """`1. Ada and Ben, tied`, `3. Cy (out)`: a tie takes up as many places as it has players."""
    rows, place = ([] if over.won else ["Nobody has won."]), 1
    for seats in over.places:
        people = [players[seat] + (" (out)" if seat in over.out else "") for seat in seats]
        tied = ", tied" if len(seats) > 1 and (over.won or place > 1) else ""
        rows.append((f"{place}. " if over.won else "") + text.people(people) + tied)
        place += len(seats)
    return rows


def _fill(letter: EmailMessage, facts: Facts, words: dict[str, Any]) -> None:
    """Text first, then HTML with its picture: mail programs show the last form they support (RFC 2046 5.1.4)."""
    folder = type(facts).__name__.lower()
    letter.set_content(_render(folder, "text.txt", words), cte="quoted-printable")
    letter.add_alternative(_render(folder, "page.html", words), subtype="html", cte="quoted-printable")
    table = facts.table if isinstance(facts, WITH_TABLE) else None
    if table and table.picture:
        html = letter.get_payload()[1]  # type: ignore[index]  # a multipart's payload is a list of parts
        assert isinstance(html, EmailMessage)
        for name, png in ((PICTURE, table.picture), (NEAR, table.near)):
            if png:
                html.add_related(png, "image", "png", cid=f"<{name}>", disposition="inline", filename=f"{name}.png")
    _name_borders(letter, facts.message_id.strip("<>").partition("@")[0])


def _name_borders(letter: EmailMessage, name: str) -> None:
    """Boundaries from the Message-ID instead of random ones, so that the same facts give the same bytes."""
    for depth, part in enumerate(part for part in letter.walk() if part.is_multipart()):
        part.set_boundary(f"=_{depth}.{name}"[:70])


def _render(folder: str, name: str, words: dict[str, Any]) -> str:
    return _templates().get_template(f"{folder}/{name}").render(words)


@pass_context
def _moment(words: Context, at: datetime) -> str:
    """A time in the reader's time zone."""
    return text.moment(at, words["zone"])


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("workers.mail"),
        autoescape=select_autoescape(("html",), default=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        wrap=layout.wrap,
        breaking=layout.breaking,
        code=layout.code,
        item=layout.item,
        beside_whom=sentences.beside_whom,
    )
    environment.filters.update(span=text.span, moment=_moment, names=text.people, count=count)
    environment.globals.update(points=layout.points, wrapped=lambda *parts: layout.wrap("".join(map(str, parts))))
    return environment
