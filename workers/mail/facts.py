"""What a letter is made from: plain values, loaded by the shell, so that composing needs neither database nor clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True)
class MailOrigin:
    """The sender: `mailbox` is the From line, `site` the public URL without a slash at its end.

    `reply` and `bounce` are addresses with `{token}` in them: where answers and refusals come to, if anywhere.
    """

    mailbox: str
    site: str
    reply: str | None = None
    bounce: str | None = None

    @property
    def host(self) -> str:
        """The right side of Message-ID and List-Id: the domain that the house sends from."""
        return self.mailbox.rpartition("@")[2].rstrip("> ")


@dataclass(frozen=True)
class Reader:
    """The reader of a mail: name, address, and time zone by its IANA name."""

    name: str
    email: str
    zone: str = "UTC"


@dataclass(frozen=True)
class Login:
    """A sign-in link, good once and until `expires`."""

    message_id: str
    link: str
    now: datetime
    expires: datetime


@dataclass(frozen=True)
class Paused:
    """A webhook, of the reader or of their `bot`, is paused: `gone` if its receiver asked for that.

    `last` is what came last: a status, or a word why there was none.
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
    """Somebody signed in as the reader asked for what cannot be undone: `act` about `about`, done at `due`.

    `link` cancels it, and of a change of address says yes too; `signed` says that a key of the reader's stands for it.
    """

    message_id: str
    act: str
    about: str
    link: str
    due: datetime
    signed: bool = False


@dataclass(frozen=True)
class Confirm:
    """To an address that a player wants to use: `link` confirms it until `due`. It does not name the player."""

    message_id: str
    link: str
    due: datetime


@dataclass(frozen=True)
class Owed:
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
    """News that waited for the digest: of which kind, where, with whom, and when it was made."""

    game: str
    title: str
    kind: str
    at: datetime
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Digest:
    """What its reader wants in one mail: `owed` has the least time left first.

    `token` stops such mails, `off` all mails of games.
    """

    message_id: str
    now: datetime
    owed: tuple[Owed, ...]
    news: tuple[Happened, ...]
    token: str
    off: str


@dataclass(frozen=True)
class Ways:
    """Tokens of links by which the reader chooses about mails; None: it is so already.

    `digest` is about this table; `text`, no pictures, and `off`, no mail of any game, are about all.
    """

    digest: str | None
    text: str | None
    off: str


@dataclass(frozen=True)
class Place:
    """Which game, and where the reader sits in it. `token` unsubscribes this reader from this game's mail.

    For a former holder `seat` is the one that they held, and `token` is None: no more mail comes.
    """

    game: str
    key: str  # of the game's type, which names its guide
    title: str
    seat: int
    players: tuple[str, ...]
    token: str | None
    ways: Ways | None = None


@dataclass(frozen=True)
class Table:
    """What the reader's seat sees: sentences since it last moved, text board, picture, and the signed note.

    `has_moved` says whether the seat has; `is_new`, whether that was before the reader took it over. `standing` has
    words on each seat (`absent`, `seat offered`, `resigned` or nothing), `free` a sentence on each that anybody may
    take, `offered` each that still waits, with when it can be taken.
    """

    since: tuple[str, ...]
    board: str
    note: str
    picture: bytes | None = None
    has_moved: bool = True
    is_new: bool = False
    standing: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    offered: tuple[tuple[int, datetime], ...] = ()


@dataclass(frozen=True)
class Reply:
    """Where a mail is answered to; `moves` says that an answer is the move, else it becomes the plan of the page."""

    address: str
    moves: bool


@dataclass(frozen=True)
class Started:
    """The game has begun and somebody else is to move."""

    message_id: str
    place: Place
    table: Table
    to_move: tuple[int, ...]


@dataclass(frozen=True)
class Turn:
    """The seat owes a command. `began`: the first mail of the game; `reminder`: four fifths of the clock are gone.

    `bank` is what is left in the seat's bank now, and counted in the deadline; `grace` is what comes after the seat's
    own time, counted in too; `absent` says that the clock waits for the grace alone. `others` are to move at the same
    time, and `then` who is to move after this turn, if it can be foreseen. `manual` is what the game's guide says to
    type, as Markdown.
    """

    message_id: str
    place: Place
    table: Table
    legal: tuple[str, ...]
    clock_plays: str
    now: datetime
    deadline: datetime | None
    bank: timedelta | None = None
    grace: timedelta = timedelta(0)
    absent: bool = False
    began: bool = False
    reminder: bool = False
    reply: Reply | None = None
    others: tuple[int, ...] = ()
    then: tuple[int, ...] = ()
    manual: str = ""


@dataclass(frozen=True)
class Answer:
    """What became of a mail of the reader's. `did` is a key of `compose.SUBJECTS`, `lead` says it in sentences.

    `commands` are those that were read; `events` tell what they did, or would do, `board` where a preview would lead.
    `legal` is what the seat may do now, if it owes something; `path` where the link leads to, below the site.
    """

    message_id: str
    place: Place
    did: str
    lead: tuple[str, ...]
    commands: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    board: str = ""
    table: Table | None = None
    legal: tuple[str, ...] = ()
    next_says: str = ""
    reply: Reply | None = None


@dataclass(frozen=True)
class Unproven:
    """Somebody has answered the reader's mail and could not be shown to be the reader. Nothing of that mail is told."""

    message_id: str
    place: Place
    reason: str


@dataclass(frozen=True)
class Absent:
    """The clock played for the seat `missed` times in a row: until the reader is back it waits for `grace` alone."""

    message_id: str
    place: Place
    note: str
    missed: int
    grace: timedelta
    may_be_taken: bool


@dataclass(frozen=True)
class Taken:
    """Another player holds the reader's seat since entry `seq`, dated `at`; `offered`: the reader had offered it."""

    message_id: str
    place: Place
    note: str
    by: str
    at: datetime
    seq: int
    offered: bool


@dataclass(frozen=True)
class Offered:
    """The reader's seat is offered since entry `seq`, dated `at`, by the reader or by someone with a key of theirs.

    `until` is when it can be taken, None if it can be now. `recovered` is True if its recovery key signed the offer.
    """

    message_id: str
    place: Place
    note: str
    at: datetime
    seq: int
    until: datetime | None
    recovered: bool


@dataclass(frozen=True)
class Cancelled:
    """The game was taken back before it started."""

    message_id: str
    place: Place


@dataclass(frozen=True)
class Over:
    """The game has ended; `says` why. `places` are tuples of seats, best first; `points` (heading, points by seat).

    `unsigned` says how many moves of each seat nobody has signed.
    """

    message_id: str
    place: Place
    table: Table
    places: tuple[tuple[int, ...], ...]
    points: tuple[tuple[str, tuple[int, ...]], ...]
    says: str
    out: tuple[int, ...] = ()
    won: bool = True
    unsigned: tuple[int, ...] = ()


# --- Message-IDs ------------------------------------------------------------------------------------------------------


def message_id(host: str, game: str, seq: int, seat: int, kind: str) -> str:
    """The same for every try of the same news."""
    return f"<g.{game}.e{seq}.{seat}.{kind}@{host}>"


def login_id(host: str, login: str) -> str:
    return f"<login.{login}@{host}>"


def hook_id(host: str, hook: int, at: int) -> str:
    return f"<hook.{hook}.{at}@{host}>"


def waiting_id(host: str, act: int, side: str) -> str:
    return f"<waiting.{act}.{side}@{host}>"


def digest_id(host: str, last: int, at: int) -> str:
    """By the last row that it tells, and when: what came back may be told again in another one."""
    return f"<digest.{last}.{at}@{host}>"
