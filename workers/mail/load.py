"""From a notification row to the facts of its letter, or `Untrue`: what is no longer so is not mailed.

Everything is read in one transaction, right before the letter is handed over, and only what the reader's own seat may
know leaves here: its view, events redacted for it, commands and default made from its view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import dropwhile
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import kit
from engine.game import Event
from engine.record.table import Table
from server.auth import links
from server.db import models
from server.log.ledger import note_of
from workers.mail import facts, picture
from workers.mail.address import clean
from workers.mail.compose import Facts
from workers.queues import Shop

MOST_ENTRIES = 300  # back to the seat's last move; who was away for longer reads on the game's page


class Untrue(Exception):
    """What the notification says is not so any more; the message is the reason, kept in its row."""


def load(shop: Shop, session: Session, row: models.Notification) -> tuple[facts.Reader, Facts]:
    """The reader and the facts, as they are now."""
    if row.kind == "login":
        return _login(shop, session, row)
    account = session.get(models.Account, row.account_id)
    if account is None or account.erased_at is not None or account.email is None:
        raise Untrue("account-erased")
    seat = session.get(models.Seat, (row.game_id, row.seat))
    if seat is None or seat.account_id != account.id:
        raise Untrue("seat-left")
    if seat.muted:
        raise Untrue("muted")
    return facts.Reader(account.name, account.email), _game_facts(shop, session, row)


def _login(shop: Shop, session: Session, row: models.Notification) -> tuple[facts.Reader, facts.Login]:
    link, now = session.get(models.LoginLink, row.login_link_id), shop.services.now()
    if link is None or link.used_at is not None:
        raise Untrue("link-used")
    if link.expires_at <= now:
        raise Untrue("link-expired")
    url = f"{shop.house.site}/login/{links.login_token(shop.services.settings.master, link.id)}"
    return facts.Reader(link.account_name, link.email), facts.Login(row.message_id or "", url, now, link.expires_at)


def _game_facts(shop: Shop, session: Session, row: models.Notification) -> Facts:
    game = session.get(models.Game, row.game_id)
    assert game is not None
    assert row.seat is not None
    table = shop.services.tables.of(session, game)
    told = Told(shop, session, table, row.seat)
    return _KINDS[row.kind](told, row)


class Told:
    """One seat's side of a table, in the words of a mail."""

    def __init__(self, shop: Shop, session: Session, table: Table, seat: int) -> None:
        self.shop, self.session, self.table, self.seat = shop, session, table, seat
        self.players = _players(session, table)

    def place(self) -> facts.Place:
        master = self.shop.services.settings.master
        token = links.unsubscribe_token(master, self.table.game_id, self.seat)
        return facts.Place(self.table.game_id, self.table.game.meta.title, self.seat, self.players, token)

    def position(self) -> facts.Table:
        game, table = self.table.game, self.table
        view = kit.view(game, table.state, self.seat)
        has_moved, since = self._since()
        return facts.Table(
            since=since,
            board=game.board(view, self.players),
            note=note_of(self.shop.services, table.game_id, table.size, table.head),
            picture=picture.png(game.picture(view, self.players)),
            has_moved=has_moved,
        )

    def _since(self) -> tuple[bool, tuple[str, ...]]:
        """Has the seat moved before; and everything told since, in order: also what that move of its own revealed."""
        told: list[list[str]] = []
        for line, events in self._latest_first():
            loaded = self.table.load_events(events)
            if line.kind == "moved" and line.seat == self.seat:
                shown = dropwhile(lambda event: not event.reveals, loaded)
                return True, _in_order([*told, self._sentences(shown)])
            by_clock = [f"The clock played for {self.players[line.seat or 0]}:"] if line.kind == "expired" else []
            told.append(by_clock + self._sentences(loaded))
        return False, _in_order(told)

    def _sentences(self, events: Iterable[Event]) -> list[str]:
        seen = (kit.redact(event, self.seat) for event in events)
        return [said for event in seen if (said := kit.tell(event, self.players))]

    def _latest_first(self) -> Iterator[tuple[Line, list[Mapping[str, Any]]]]:
        """Entries with events and their full events, from the head backwards."""
        entry, private = models.Entry, models.EntryPrivate
        same = sa.and_(private.game_id == entry.game_id, private.seq == entry.seq)
        rows = self.session.execute(
            sa.select(entry.line, private.opening)
            .join(private, same, isouter=True)
            .where(entry.game_id == self.table.game_id, entry.seq < self.table.size)
            .where(entry.kind.in_(("started", "moved", "resigned", "expired")))
            .order_by(entry.seq.desc())
            .limit(MOST_ENTRIES)
        )
        for text, opening in rows:
            line = msgspec.json.decode(text, type=Line)
            yield line, msgspec.json.decode(opening, type=Opening).events if opening else line.events


class Line(msgspec.Struct):
    """The members of an entry that a mail is told from."""

    kind: str
    seat: int | None = None
    events: list[Mapping[str, Any]] = []


class Opening(msgspec.Struct):
    """The member of a private opening that a mail is told from."""

    events: list[Mapping[str, Any]]


def _in_order(latest_first: list[list[str]]) -> tuple[str, ...]:
    return tuple(sentence for sentences in reversed(latest_first) for sentence in sentences)


def _players(session: Session, table: Table) -> tuple[str, ...]:
    """Names by seat, each one clean line."""
    seat, account = models.Seat, models.Account
    found = session.execute(
        sa.select(seat.seat, account.name)
        .join(account, seat.account_id == account.id)
        .where(seat.game_id == table.game_id, account.erased_at.is_(None))
    )
    names = {number: clean(name) for number, name in found}
    return tuple(names.get(number) or f"Seat {number + 1}" for number in range(table.seats))


def _turn(told: Told, row: models.Notification) -> facts.Turn:
    table, question = told.table, told.table.questions[told.seat]
    if table.stage != "running":
        raise Untrue("game-over")
    if told.seat in table.gone:
        raise Untrue("resigned")
    if question is None or question.seq != row.seq:
        raise Untrue("answered")
    deadline, now = table.deadline(told.seat), told.shop.services.now()
    if row.kind == "reminder" and (deadline is None or deadline <= now.timestamp()):
        raise Untrue("too-late")
    began = msgspec.json.decode(_line(told, question.seq), type=Line).kind == "started"
    return facts.Turn(
        message_id=row.message_id or "",
        place=told.place(),
        table=told.position(),
        legal=kit.group(kit.legal(table.game, table.state, told.seat)),
        clock_plays=kit.format_command(table.game.default(table.state, told.seat)),
        now=now,
        deadline=None if deadline is None else datetime.fromtimestamp(deadline, UTC),
        began=began and row.kind == "turn",
        reminder=row.kind == "reminder",
    )


def _line(told: Told, seq: int) -> bytes:
    where = (models.Entry.game_id == told.table.game_id, models.Entry.seq == seq)
    line = told.session.scalar(sa.select(models.Entry.line).where(*where))
    assert line is not None
    return line


def _started(told: Told, row: models.Notification) -> facts.Started:
    if told.table.stage != "running":
        raise Untrue("game-over")
    return facts.Started(row.message_id or "", told.place(), told.position(), told.table.active)


def _over(told: Told, row: models.Notification) -> facts.Over:
    ended = kit.outcome(told.table.game, told.table.state)
    assert ended is not None
    place, position = told.place(), told.position()
    says = kit.ending(told.table.game, ended)
    return facts.Over(row.message_id or "", place, position, ended.places, ended.sheet, says, ended.out, ended.won)


def _cancelled(told: Told, row: models.Notification) -> facts.Cancelled:
    return facts.Cancelled(row.message_id or "", told.place())


_KINDS: dict[str, Callable[[Told, models.Notification], Facts]] = {
    "turn": _turn,
    "reminder": _turn,
    "started": _started,
    "over": _over,
    "cancelled": _cancelled,
}
