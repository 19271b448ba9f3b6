"""A letter from its facts (pure): plain text, HTML with the position's picture, and the headers of a good citizen.

Each mail is a folder in `templates/` with `text.txt` and `page.html`. The same facts give the same bytes, and the
Message-ID comes from the facts too, so that a mail sent twice is the same mail (RFC 7352) and shows as one.
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

from server.kernel import text
from server.kernel.text import zone_of
from workers.mail import guide_excerpt, headers, layout, sentences, waiting_act_words
from workers.mail.facts import (
    Absent,
    Answer,
    Cancelled,
    Confirm,
    Digest,
    Login,
    MailOrigin,
    Offered,
    Over,
    Paused,
    Place,
    Reader,
    Reply,
    Started,
    Table,
    Taken,
    Turn,
    Unproven,
    Waiting,
    Ways,
)
from workers.mail.headers import POLICY, is_plain
from workers.replies.parser import MARKER

MOST_SENTENCES = 60
LONGEST_SENTENCE = 400
MOST_LINES = 200  # of legal commands; with the sentences and the board this keeps a page below the 100 kB of Gmail
PICTURE = "position"
BACK = (
    "Are you still there? Whatever you sign says so: your move, or at any time an offer with "
    '"open" false, which says that you are back. Then your time begins anew.'
)
NOT_YOU = (
    "Did you not offer it? Then somebody else has a key of yours. Close the seat at once, by an offer with "
    '"open" false; then drop that key, with another one of the seat or with its recovery key. Whoever has it '
    "can open the seat again."
)

# Of the answer to a mail, by what became of it.
SUBJECTS = {
    "played": "Your move is played",
    "planned": "Your plan is kept",
    "preview": "What your move would do",
    "unread": "Nothing was done",
    "refused": "Nothing was done",
    "late": "Nothing was done: the question is over",
    "over": "Nothing was done: the game has ended",
    "left": "Nothing was done: the seat is no longer yours",
    "sign": "This needs your signature",
    "stopped": "No more mail of this table",
    "help": "How to play by mail",
}

# What the links in a mail choose.
DIGEST, TEXT = "This table in one mail a day", "Mail without pictures"
NO_DIGEST, OFF = "No more mail once a day", "No more mail of any game"

ADVICE = {"back": BACK, "not_you": NOT_YOU}

GameMail = Started | Turn | Answer | Unproven | Absent | Offered | Taken | Over | Cancelled
AccountMail = Login | Paused | Waiting | Confirm | Digest
Facts = AccountMail | GameMail
WITH_TABLE = (Started, Turn, Answer, Over)


def compose(origin: MailOrigin, reader: Reader, facts: Facts) -> EmailMessage:
    """The whole letter. Raises `headers.AddressError` if it can go nowhere."""
    letter = EmailMessage(policy=POLICY)
    letter["From"] = headers.sender(origin.mailbox)
    letter["To"] = headers.mailbox(reader.name, reader.email)
    letter["Subject"] = subject(facts)
    letter["Message-ID"] = facts.message_id
    if (reply := _reply(facts)) is not None:
        letter["Reply-To"] = headers.mailbox(headers.sender(origin.mailbox).display_name, reply.address)
    letter["Auto-Submitted"] = "auto-replied" if isinstance(facts, Answer | Unproven) else "auto-generated"
    letter["X-Auto-Response-Suppress"] = "All"
    if not isinstance(facts, AccountMail):
        _thread(letter, origin, facts.place)
    elif isinstance(facts, Digest):
        _list(letter, f'"Sealed Move once a day" <digest.{origin.host}>', f"{origin.site}/m/{facts.token}")
    _fill(letter, facts, _words(origin, reader, facts))
    return letter


def _reply(facts: Facts) -> Reply | None:
    """Where it can be answered to."""
    return facts.reply if isinstance(facts, Turn | Answer) else None


def subject(facts: Facts) -> str:
    """A prefix that never changes within a game, then what it is about."""
    if isinstance(facts, Login):
        return "Sealed Move: your link to sign in"
    if isinstance(facts, Paused):
        return f"Sealed Move: your webhook {headers.clean(facts.name)} is paused"
    if isinstance(facts, Waiting):
        return f"Sealed Move: {waiting_act_words.SUBJECTS[facts.act]}"
    if isinstance(facts, Confirm):
        return "Sealed Move: shall mail go to this address?"
    if isinstance(facts, Digest):
        return f"Sealed Move: {sentences.waiting(len(facts.owed))}"
    return f"[{headers.clean(facts.place.title)} #{facts.place.game[:4]}] {_about(facts)}"


def _about(facts: GameMail) -> str:
    match facts:
        case Turn(reminder=True):
            return "Still your move"
        case Turn():
            return "Your move"
        case Started():
            return "The game has started"
        case Answer():
            return SUBJECTS[facts.did]
        case Unproven():
            return "A mail that could not be shown to be yours"
        case Absent():
            return "You count as absent"
        case Offered():
            return "Your seat is open to others"
        case Taken():
            return "Somebody has taken your seat"
        case Over():
            return "The game is over"
        case Cancelled():
            return "The game is cancelled"


def _thread(letter: EmailMessage, origin: MailOrigin, place: Place) -> None:
    """One thread a game, a name that filters can sort by, and a way to be left alone (RFC 2369, RFC 2919, RFC 8058)."""
    root = f"<g.{place.game}.root.{place.seat}@{origin.host}>"
    letter["In-Reply-To"] = root
    letter["References"] = root
    _list(letter, f"{_list_name(place)} <{place.game}.games.{origin.host}>", unsubscribe(origin, place))


def _list(letter: EmailMessage, name: str, stops: str | None) -> None:
    letter["List-Id"] = name
    if stops is not None:
        letter["List-Unsubscribe"] = f"<{stops}>"
        letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


def _list_name(place: Place) -> str:
    """A list's name is not encoded, so that filters find it: without plain letters it is the key (RFC 2919 3)."""
    title = headers.clean(place.title)
    return f'"{quote(title)}"' if is_plain(title) else place.key


def unsubscribe(origin: MailOrigin, place: Place) -> str | None:
    """Where the reader stops the mail of this game; None if he gets no more of it."""
    return None if place.token is None else f"{origin.site}/u/{place.token}"


def _words(origin: MailOrigin, reader: Reader, facts: Facts) -> dict[str, Any]:
    """What the templates may name."""
    zone, name = zone_of(reader.zone), headers.clean(reader.name)
    words = {**ADVICE, "facts": facts, "name": name, "site": origin.site, "zone": zone, "subject": subject(facts)}
    if isinstance(facts, AccountMail):
        return words | _of_account(origin, facts, zone)
    return words | _of_game(origin, facts, zone)


def _of_game(origin: MailOrigin, facts: GameMail, zone: ZoneInfo) -> dict[str, Any]:
    place, table = facts.place, facts.table if isinstance(facts, WITH_TABLE) else None
    told = layout.runs([headers.clean(sentence, LONGEST_SENTENCE) for sentence in (table.since if table else ())])
    players = [headers.clean(player) for player in place.players]
    return _of_answers(facts, players) | {
        "place": place,
        "table": table,
        "players": players,
        "seats": _seats(players, place.seat, table),
        "note": _note(facts),
        "news": _news(players, place.seat, table) if table else "",
        "beside": sentences.beside(facts, players) if isinstance(facts, Turn) else "",
        "then": sentences.then(facts, players) if isinstance(facts, Turn) else "",
        "time_left": sentences.time_left(facts, zone) if isinstance(facts, Turn) else "",
        "by": headers.clean(facts.by) if isinstance(facts, Taken) else "",
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
        "unsubscribe": unsubscribe(origin, place),
        "wishes": _wishes(origin, place.ways),
        "most_lines": MOST_LINES,
    }


def _wishes(origin: MailOrigin, ways: Ways | None) -> list[tuple[str, str]]:
    """Links by which the reader chooses about mails, with what each does."""
    if ways is None:
        return []
    named = ((DIGEST, ways.digest), (TEXT, ways.text), (OFF, ways.off))
    return [(f"{origin.site}/m/{token}", says) for says, token in named if token is not None]


def _of_answers(facts: GameMail, players: Sequence[str]) -> dict[str, Any]:
    """How it is answered, what was answered before, and at the end how many answers were moves."""
    told = facts.events if isinstance(facts, Answer) else ()
    return {
        "reply": _reply(facts),
        "marker": f"--- {MARKER.capitalize()}. ---",
        "legal": layout.once(facts.legal) if isinstance(facts, Turn | Answer) else (),
        "commands": facts.commands if isinstance(facts, Answer) else (),
        "events": [headers.clean(sentence, LONGEST_SENTENCE) for sentence in told],
        "unsigned": text.unsigned(players, facts.unsigned) if isinstance(facts, Over) else "",
    }


def _of_account(origin: MailOrigin, facts: AccountMail, zone: ZoneInfo) -> dict[str, Any]:
    if isinstance(facts, Digest):
        owed = [sentences.owed_says(one, facts.now, zone) for one in facts.owed]
        waiting = sentences.waiting(len(facts.owed))
        wishes = [(f"{origin.site}/m/{token}", says) for says, token in ((NO_DIGEST, facts.token), (OFF, facts.off))]
        words = {"waiting": waiting[0].upper() + waiting[1:], "owed": owed, "happened": sentences.HAPPENED}
        return words | {"wishes": wishes}
    if isinstance(facts, Waiting):
        return {"deed": waiting_act_words.DEEDS[facts.act].format(about=facts.about)}
    return _of_hook(origin, facts) if isinstance(facts, Paused) else {}


def _of_hook(origin: MailOrigin, facts: Paused) -> dict[str, str]:
    link = f"{origin.site}/v1/me/hooks/{facts.number}"
    return {"hook": headers.clean(facts.name), "host": facts.host, "bot": headers.clean(facts.bot or ""), "link": link}


def _seats(players: Sequence[str], mine: int, table: Table | None) -> list[str]:
    """`Seat 2: Ben (you, absent)`."""
    standing = (table.standing if table else ()) or ("",) * len(players)
    marks = [", ".join(filter(None, ("you" * (seat == mine), says))) for seat, says in enumerate(standing)]
    return [
        f"Seat {number}: {name}" + (f" ({mark})" if mark else "")
        for number, (name, mark) in enumerate(zip(players, marks, strict=True), 1)
    ]


def _news(players: Sequence[str], mine: int, table: Table) -> str:
    """What the list of sentences is about."""
    if not table.has_moved:
        return "What has happened so far:"
    if table.is_new:
        return f"Since the last move of seat {mine + 1}, before {players[mine]} took it over:"
    return f"Since {players[mine]} last moved:"


def _note(facts: GameMail) -> str:
    """The server's signed word, in every letter that has one."""
    if isinstance(facts, Cancelled | Unproven):
        return ""
    if isinstance(facts, Absent | Offered | Taken):
        return facts.note
    return facts.table.note if facts.table else ""


def ranking(over: Over, players: Sequence[str]) -> list[str]:
    """`1. Ada and Ben, tied`, `3. Cy (out)`: a tie takes as many places as it has players."""
    rows, place = ([] if over.won else ["Nobody has won."]), 1
    for seats in over.places:
        people = [players[seat] + (" (out)" if seat in over.out else "") for seat in seats]
        tied = ", tied" if len(seats) > 1 and (over.won or place > 1) else ""
        rows.append((f"{place}. " if over.won else "") + text.people(people) + tied)
        place += len(seats)
    return rows


def _fill(letter: EmailMessage, facts: Facts, words: dict[str, Any]) -> None:
    """Text first, then HTML with its picture: a reader shows the last form that it knows (RFC 2046 5.1.4)."""
    folder = type(facts).__name__.lower()
    letter.set_content(_render(folder, "text.txt", words), cte="quoted-printable")
    letter.add_alternative(_render(folder, "page.html", words), subtype="html", cte="quoted-printable")
    picture = facts.table.picture if isinstance(facts, WITH_TABLE) and facts.table else None
    if picture:
        html = letter.get_payload()[1]  # type: ignore[index]  # a multipart's payload is a list of parts
        assert isinstance(html, EmailMessage)
        html.add_related(picture, "image", "png", cid=f"<{PICTURE}>", disposition="inline", filename="position.png")
    _name_borders(letter, facts.message_id.strip("<>").partition("@")[0])


def _name_borders(letter: EmailMessage, name: str) -> None:
    """Borders from the Message-ID instead of from chance: the same facts give the same bytes."""
    for depth, part in enumerate(part for part in letter.walk() if part.is_multipart()):
        part.set_boundary(f"=_{depth}.{name}"[:70])


def _render(folder: str, name: str, words: dict[str, Any]) -> str:
    return _templates().get_template(f"{folder}/{name}").render(words)


@pass_context
def _moment(words: Context, at: datetime) -> str:
    """Where the reader keeps his hours."""
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
        wrap=layout.wrap, breaking=layout.breaking, item=layout.item, beside_whom=sentences.beside_whom
    )
    environment.filters.update(span=text.span, moment=_moment, names=text.people)
    environment.globals.update(points=layout.points, wrapped=lambda *parts: layout.wrap("".join(map(str, parts))))
    return environment
