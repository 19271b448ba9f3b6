"""A letter from its facts (pure): plain text, HTML with the position's picture, and the headers of a good citizen.

Each mail is a folder in `templates/` with `text.txt` and `page.html`. The same facts give the same bytes, and the
Message-ID comes from the facts too, so that a mail sent twice is the same mail (RFC 7352) and shows as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from server import wording
from workers.mail import address, layout
from workers.mail.facts import Cancelled, House, Login, Over, Place, Reader, Started, Turn

MOST_SENTENCES = 60
LONGEST_SENTENCE = 400
MOST_LINES = 200  # of legal commands; with the sentences and the board this keeps a page below the 100 kB of Gmail
PICTURE = "position"

Facts = Login | Started | Turn | Over | Cancelled


def compose(house: House, reader: Reader, facts: Facts) -> EmailMessage:
    """The whole letter. Raises `address.BadAddress` if it can go nowhere."""
    letter = EmailMessage(policy=SMTP)
    letter["From"] = address.sender(house.mailbox)
    letter["To"] = address.mailbox(reader.name, reader.email)
    letter["Subject"] = subject(facts)
    letter["Message-ID"] = facts.message_id
    letter["Auto-Submitted"] = "auto-generated"
    letter["X-Auto-Response-Suppress"] = "All"
    if not isinstance(facts, Login):
        _thread(letter, house, facts.place)
    _fill(letter, facts, _words(house, reader, facts))
    return letter


def message_id(host: str, game: str, seq: int, seat: int, kind: str) -> str:
    """The same for every try of the same news."""
    return f"<g.{game}.e{seq}.{seat}.{kind}@{host}>"


def login_id(host: str, login: str) -> str:
    return f"<login.{login}@{host}>"


def subject(facts: Facts) -> str:
    """A prefix that never changes within a game, then what it is about."""
    if isinstance(facts, Login):
        return "Sealed Move: your link to sign in"
    return f"[{address.clean(facts.place.title)} #{facts.place.game[:4]}] {_about(facts)}"


def _about(facts: Started | Turn | Over | Cancelled) -> str:
    match facts:
        case Turn(reminder=True):
            return "Still your move"
        case Turn():
            return "Your move"
        case Started():
            return "The game has started"
        case Over():
            return "The game is over"
        case Cancelled():
            return "The game is cancelled"


def _thread(letter: EmailMessage, house: House, place: Place) -> None:
    """One thread a game, a name that filters can sort by, and a way to be left alone (RFC 2369, RFC 2919, RFC 8058)."""
    root = f"<g.{place.game}.root.{place.seat}@{house.host}>"
    letter["In-Reply-To"] = root
    letter["References"] = root
    letter["List-Id"] = f"{address.clean(place.title)} <{place.game}.games.{house.host}>"
    letter["List-Unsubscribe"] = f"<{unsubscribe(house, place)}>"
    letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


def unsubscribe(house: House, place: Place) -> str:
    return f"{house.site}/u/{place.token}"


def _words(house: House, reader: Reader, facts: Facts) -> dict[str, Any]:
    """What the templates may name."""
    words: dict[str, Any] = {"facts": facts, "name": address.clean(reader.name), "site": house.site}
    if isinstance(facts, Login):
        return words | {"subject": subject(facts)}
    place, table = facts.place, None if isinstance(facts, Cancelled) else facts.table
    told = [address.clean(sentence, LONGEST_SENTENCE) for sentence in (table.since if table else ())]
    players = [address.clean(player) for player in place.players]
    return words | {
        "subject": subject(facts),
        "place": place,
        "table": table,
        "players": players,
        "me": players[place.seat],
        "to_move": [players[seat] for seat in facts.to_move] if isinstance(facts, Started) else [],
        "ranking": ranking(facts, players) if isinstance(facts, Over) else [],
        "since": told[-MOST_SENTENCES:],
        "untold": max(0, len(told) - MOST_SENTENCES),
        "link": f"{house.site}/games/{place.game}",
        "bundle": f"{house.site}/v1/games/{place.game}/bundle",
        "unsubscribe": unsubscribe(house, place),
        "most_lines": MOST_LINES,
    }


def ranking(over: Over, players: Sequence[str]) -> list[str]:
    """`1. Ada and Ben, tied`, `3. Cy (out)`: a tie takes as many places as it has players."""
    rows, place = ([] if over.won else ["Nobody has won."]), 1
    for seats in over.places:
        people = [players[seat] + (" (out)" if seat in over.out else "") for seat in seats]
        tied = ", tied" if len(seats) > 1 and (over.won or place > 1) else ""
        rows.append((f"{place}. " if over.won else "") + wording.people(people) + tied)
        place += len(seats)
    return rows


def _fill(letter: EmailMessage, facts: Facts, words: dict[str, Any]) -> None:
    """Text first, then HTML with its picture: a reader shows the last form that it knows (RFC 2046 5.1.4)."""
    folder = type(facts).__name__.lower()
    letter.set_content(_render(folder, "text.txt", words), cte="quoted-printable")
    letter.add_alternative(_render(folder, "page.html", words), subtype="html", cte="quoted-printable")
    picture = None if isinstance(facts, Login | Cancelled) else facts.table.picture
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
    environment.filters.update(wrap=layout.wrap, item=layout.item)
    environment.filters.update(span=wording.span, moment=wording.moment, names=wording.people)
    environment.globals.update(points=layout.points, wrapped=lambda *parts: layout.wrap("".join(parts)))
    return environment
