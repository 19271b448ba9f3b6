"""The content of mails as plain values, so that composing needs neither database nor clock.

Mails about one game are here, those about an account or several games in `account_facts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from workers.mail.account_facts import AccountMail


@dataclass(frozen=True)
class MailOrigin:
    """The sender: `mailbox` is the From line, `site` the public URL without a slash at its end.

    `reply` and `bounce` are the address patterns, with `{token}`, for replies and bounces; None if not received.
    """

    mailbox: str
    site: str
    reply: str | None = None
    bounce: str | None = None

    @property
    def host(self) -> str:
        """The right side of Message-ID and List-Id: the domain of the sender."""
        return self.mailbox.rpartition("@")[2].rstrip("> ")


@dataclass(frozen=True)
class Reader:
    """The reader of a mail: name, address, and time zone by its IANA name."""

    name: str
    email: str
    zone: str = "UTC"


@dataclass(frozen=True)
class Ways:
    """Tokens of links that change the reader's mail settings; None if the setting is in force already.

    `digest` is for this table; `text` (no pictures) and `off` (no mail about any game) are for all tables.
    """

    digest: str | None
    text: str | None
    off: str


@dataclass(frozen=True)
class ReaderSeat:
    """The game and the reader's seat. `token` unsubscribes this reader from mail about this game.

    For a former holder `seat` is the seat that they held, and `token` is None: they get no more mail. So it is for the
    person responsible for a bot, who gets no other. `reply` is the address for replies, None if they are not received.
    """

    game: str
    key: str  # the type, by which the guide is found
    title: str
    seat: int
    players: tuple[str, ...]
    token: str | None = None
    ways: Ways | None = None
    reply: str | None = None


@dataclass(frozen=True)
class TalkMessage:
    """A message of the table talk, with the seat and the name of its author."""

    seat: int
    name: str
    text: str


@dataclass(frozen=True)
class TableView:
    """The reader's view: sentences `since` the seat last moved, the board as text, the picture, the checkpoint.

    `near` is the part of the picture for a telephone, around what has happened and what the seat can do.

    `has_moved`: the seat has made a move; `is_new`: only before the reader took it over. `standing` has words for each
    seat (`absent`, `seat offered`, `resigned` or ""), `free` a sentence for each seat that anyone may take, `offered`
    the offered seats that cannot be taken yet, with the time when they can. `talk` has the messages of others since
    then, `more_talk` is the number of earlier ones.
    """

    since: tuple[str, ...]
    board: str
    note: str
    picture: bytes | None = None
    near: bytes | None = None
    has_moved: bool = True
    is_new: bool = False
    standing: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    offered: tuple[tuple[int, datetime], ...] = ()
    talk: tuple[TalkMessage, ...] = ()
    more_talk: int = 0


@dataclass(frozen=True)
class ReplyAddress:
    """The reply address; with `moves` a reply is a move, otherwise a draft move. `talks`: it may write at the table.

    `confirms`: the reader's provider does not sign the recipient, so a move takes a second reply.
    """

    address: str
    moves: bool
    talks: bool = False
    confirms: bool = False


@dataclass(frozen=True)
class Started:
    """The game has started and another player moves first."""

    message_id: str
    place: ReaderSeat
    table: TableView
    to_move: tuple[int, ...]


@dataclass(frozen=True)
class Turn:
    """The seat owes a move. `began`: the first mail of the game; `reminder`: most of the time is used up.

    `deadline` includes `bank`, the rest of the time bank, and `grace`, the period after the seat's own time; an
    `absent` seat has only that. `others` move at the same time; `then` move after this turn, if that can be foreseen.
    `manual` is the guide's section on what to type, as Markdown.
    """

    message_id: str
    place: ReaderSeat
    table: TableView
    legal: tuple[str, ...]
    clock_plays: str
    now: datetime
    deadline: datetime | None
    bank: timedelta | None = None
    grace: timedelta = timedelta(0)
    absent: bool = False
    began: bool = False
    reminder: bool = False
    reply: ReplyAddress | None = None
    others: tuple[int, ...] = ()
    then: tuple[int, ...] = ()
    manual: str = ""


@dataclass(frozen=True)
class Answer:
    """The outcome of the reader's reply: `did` is a key of `compose.ANSWERS`, `lead` are sentences.

    `commands` are those that were read, `events` what they did, or would do in a preview, which shows the `board` that
    they lead to. `legal` are the seat's legal commands, if it owes a move. `said` is what the reply wrote at the table.
    `answers` is the Message-ID of the reply, `code` confirms the draft move in the subject of the next one.
    """

    message_id: str
    place: ReaderSeat
    did: str
    lead: tuple[str, ...]
    commands: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    board: str = ""
    table: TableView | None = None
    legal: tuple[str, ...] = ()
    next_says: str = ""
    reply: ReplyAddress | None = None
    said: TalkMessage | None = None
    answers: str = ""
    code: str = ""


@dataclass(frozen=True)
class Unproven:
    """A reply to the reader's mail whose sender could not be verified. Nothing of its content is shown."""

    message_id: str
    place: ReaderSeat
    reason: str


@dataclass(frozen=True)
class Rescheduled:
    """The deadline of the reader's move has moved without an entry; `why` are reasons (`server.log.kind`).

    `deadline` includes `grace`, the period after the seat's own time.
    """

    message_id: str
    place: ReaderSeat
    note: str
    now: datetime
    deadline: datetime
    grace: timedelta
    why: tuple[str, ...]


@dataclass(frozen=True)
class Absent:
    """The server played `missed` turns in a row for the seat; until the reader is back it only waits for `grace`."""

    message_id: str
    place: ReaderSeat
    note: str
    missed: int
    grace: timedelta
    may_be_taken: bool


@dataclass(frozen=True)
class Taken:
    """Another player took the reader's seat with entry `seq`, dated `at`; `offered`: it had been offered."""

    message_id: str
    place: ReaderSeat
    note: str
    by: str
    at: datetime
    seq: int
    offered: bool


@dataclass(frozen=True)
class Offered:
    """The reader's seat was offered with entry `seq`, dated `at`, by the reader or by someone who has their key.

    `until` is when it can be taken, None if at once. `recovered`: the seat's recovery key signed the offer.
    """

    message_id: str
    place: ReaderSeat
    note: str
    at: datetime
    seq: int
    until: datetime | None
    recovered: bool


@dataclass(frozen=True)
class Cancelled:
    """The game was cancelled before it started: by its host, or because it was `unstarted`."""

    message_id: str
    place: ReaderSeat
    reason: str = "creator"


@dataclass(frozen=True)
class Over:
    """The game has ended; `says` is why. `places` are tuples of seats, best first; `points` (heading, points by seat).

    `unsigned` has the player of each unsigned move, `verdict` that of the server's audit, if there is one.
    """

    message_id: str
    place: ReaderSeat
    table: TableView
    places: tuple[tuple[int, ...], ...]
    points: tuple[tuple[str, tuple[int, ...]], ...]
    says: str
    out: tuple[int, ...] = ()
    won: bool = True
    unsigned: tuple[str, ...] = ()
    verdict: str = ""


GameMail = Started | Turn | Rescheduled | Answer | Unproven | Absent | Offered | Taken | Over | Cancelled
Facts = AccountMail | GameMail


# --- Message-IDs ------------------------------------------------------------------------------------------------------


def message_id(host: str, game: str, seq: int, seat: int, kind: str) -> str:
    """The same for every attempt to send the same news."""
    return f"<g.{game}.e{seq}.{seat}.{kind}@{host}>"


def login_id(host: str, login: str) -> str:
    return f"<login.{login}@{host}>"


def hook_id(host: str, hook: int, at: int) -> str:
    return f"<hook.{hook}.{at}@{host}>"


def notice_id(host: str, kind: str, outbox: int, account: int) -> str:
    return f"<table.{outbox}.{account}.{kind}@{host}>"


def waiting_id(host: str, act: int, side: str) -> str:
    return f"<waiting.{act}.{side}@{host}>"


def holiday_id(host: str, holiday: int) -> str:
    return f"<holiday.{holiday}@{host}>"


def digest_id(host: str, last: int, at: int) -> str:
    """Named by its last row and the time, since a row whose mail bounced may be in another digest later."""
    return f"<digest.{last}.{at}@{host}>"
