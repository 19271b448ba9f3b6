"""The content of mails about an account, or about several games, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True)
class Login:
    """A sign-in link, valid once and until `expires`."""

    message_id: str
    link: str
    now: datetime
    expires: datetime


@dataclass(frozen=True)
class Paused:
    """A webhook of the reader or of their `bot` was paused; `gone` if its receiver asked for that.

    `last` is the latest result: a status, or a word for why there was none.
    """

    message_id: str
    number: int
    name: str
    host: str
    gone: bool
    since: datetime
    last: int | str
    bot: str | None = None


@dataclass(frozen=True)
class Waiting:
    """Someone signed in as the reader requested the irreversible `act` on `about`, to be carried out at `due`.

    `link` cancels it, or confirms it if it is a change of address. `signed`: with a signature by a key of the reader.
    """

    message_id: str
    act: str
    about: str
    link: str
    due: datetime
    signed: bool = False


@dataclass(frozen=True)
class Holiday:
    """The reader, or someone signed in as them, announced a holiday; `left` are the days that they have left."""

    message_id: str
    starts: datetime
    ends: datetime
    left: int


@dataclass(frozen=True)
class Confirm:
    """To an address that a player wants to use: `link` confirms it until `due`. The mail does not name the player."""

    message_id: str
    link: str
    due: datetime


@dataclass(frozen=True)
class Invited:
    """A seat is kept for the reader until `until`, by the player `by`; `link` shows the table. `again`: for a rematch.

    The mail has nothing else of the inviter's own.
    """

    message_id: str
    game: str
    title: str
    by: str
    people: tuple[str, ...]
    clock: str
    link: str
    until: datetime
    again: bool = False


@dataclass(frozen=True)
class Notice:
    """Something at a table, of a `kind` of `notices.NOTICES`.

    `at` is when the table ends unless it starts, or the end of the pause that the player `by` wishes for.

    Without a `game` it is about all tables.
    """

    message_id: str
    kind: str
    game: str | None
    title: str
    link: str
    at: datetime | None = None
    by: str = ""


@dataclass(frozen=True)
class OwedMove:
    """A move that the reader of a digest owes, from the row of the seat; the deadline includes `grace`.

    `others` are the names of the other players.
    """

    game: str
    title: str
    seat: int
    deadline: datetime | None
    grace: timedelta = timedelta(0)
    absent: bool = False
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Happened:
    """News that waited for the digest, made at `at`."""

    game: str
    title: str
    kind: str
    at: datetime
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Digest:
    """Several mails in one; `owed` has the least time left first, `waits` what else waits for the reader.

    `token` is for a link that stops digests, `off` for one that stops all mails about games.
    """

    message_id: str
    now: datetime
    owed: tuple[OwedMove, ...]
    news: tuple[Happened, ...]
    waits: tuple[Happened, ...]
    token: str
    off: str


AccountMail = Login | Paused | Waiting | Holiday | Confirm | Digest | Notice | Invited
