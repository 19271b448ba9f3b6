"""A table as a mail shows it to one seat: names, what has happened since its last move, the position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import dropwhile, islice
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import kit, replay
from engine.game import Event
from engine.record.log.table import Table
from server.evidence import read as evidence
from server.kernel import secrets
from server.kernel.db import models
from server.kernel.text import badged
from server.log import seats
from server.mailbox.choices import KINDS, Choices
from server.play.read import names_at, past_holders
from server.tables.talk import read as talk
from workers.mail import facts, near, picture
from workers.mail.headers import clean
from workers.queues import WorkerContext

MOST_STEPS = 12  # of a turn, when playing its default move ahead
MOST_HISTORY = 40  # sentences
MOST_COMMANDS = 400  # of a turn; a picture shows their places
MOST_ENTRIES = 300  # back to the seat's last move; anything earlier is on the game's page


class SeatSummary:
    """A table as a mail shows it to one seat."""

    def __init__(
        self,
        ctx: WorkerContext,
        session: Session,
        game: models.Game,
        table: Table,
        seat: int,
        account: int,
        choices: Choices,
    ) -> None:
        self.ctx, self.session, self.game, self.table, self.seat = ctx, session, game, table, seat
        self.account, self.choices = account, choices
        self.players = _players(session, table)
        self.before = past_holders(session, table.game_id)
        self._events: list[Event] = []  # since the seat's last move

    def place(self) -> facts.ReaderSeat:
        """With links for the seat's holder alone: those in the mail about a bot's seat would change the bot's mail."""
        held, meta = self.session.get(models.Seat, (self.table.game_id, self.seat)), self.table.game.meta
        place = facts.ReaderSeat(self.table.game_id, meta.key, meta.title, self.seat, self.players)
        if held is None or held.account_id != self.account:
            return place
        occupant = self.table.occupants[self.seat]
        since = 0 if occupant is None else occupant.since
        token = secrets.unsubscribe_token(self.ctx.services.master, self.table.game_id, self.seat, since)
        return replace(place, token=token, ways=self._ways())

    def _ways(self) -> facts.Ways:
        """The settings that the seat's holder may change by a link."""
        account, chosen = self.session.get_one(models.Account, self.account), self.choices
        master = self.ctx.services.master
        digest = all(chosen.mode(kind) == "digest" for kind in KINDS)
        return facts.Ways(
            digest=None if digest else secrets.choice_token(master, "digest", account, self.table.game_id),
            text=secrets.choice_token(master, "text", account) if chosen.picture else None,
            off=secrets.choice_token(master, "off", account),
        )

    def note(self) -> str:
        return self.ctx.services.note_of(self.game, self.table.size, self.table.head)

    def position(self) -> facts.TableView:
        game, table = self.table.game, self.table
        view = kit.view(game, table.state, self.seat)
        (moved, since), now = self._since(), self.ctx.services.now()
        whole, part = self._pictures(game.picture(view, self.players)) if self.choices.picture else (None, None)
        occupant = table.occupants[self.seat]
        said, more = self._talk(moved or 0)
        return facts.TableView(
            since=since,
            board=game.board(view, self.players),
            note=self.note(),
            picture=whole,
            near=part,
            has_moved=moved is not None,
            is_new=moved is not None and occupant is not None and moved < occupant.since,
            standing=tuple(seats.seat_marks(table, seat) for seat in range(table.seats)),
            free=tuple(filter(None, (seats.free_says(table, seat, now) for seat in range(table.seats)))),
            offered=tuple((seat, until) for seat in range(table.seats) if (until := self.waits_until(seat, now))),
            talk=said,
            more_talk=more,
        )

    def _pictures(self, svg: str) -> tuple[bytes | None, bytes | None]:
        """The whole, and for a seat that is to move the part for a telephone."""
        game, state = self.table.game, self.table.state
        commands = islice(kit.legal(game, state, self.seat), MOST_COMMANDS)
        seen = (kit.redact(event, self.seat) for event in self._events)
        words = (*near.of_commands(commands, self.seat), *near.of_events(seen))
        focused = near.focused(svg, words) if self.seat in kit.active(game, state) else None
        part = self.ctx.draw(focused) if focused else None
        whole = self.ctx.draw(picture.limited(svg, part))
        is_one_too_many = whole is not None and part is not None and len(whole) + len(part) > picture.MOST
        return whole, None if is_one_too_many else part

    @property
    def talks(self) -> bool:
        """May a reply write at the table?"""
        return self.game.talk == "seats"

    def _talk(self, since: int) -> tuple[tuple[facts.TalkMessage, ...], int]:
        """What others have said since the seat last moved and its holder has not seen; how many more there are."""
        if not self.choices.talk:
            return (), 0
        messages, more = talk.unseen(self.session, self.account, self.table.game_id, since)
        return tuple(facts.TalkMessage(one.seat, name, one.body or "") for one, name in messages), more

    def said(self, n: int | None) -> facts.TalkMessage | None:
        """Message `n` of the holder, unless it was removed."""
        one = None if n is None else self.session.get(models.Message, (self.table.game_id, n))
        if one is None or one.body is None or one.account_id != self.account:
            return None
        return facts.TalkMessage(one.seat, self.players[self.seat], one.body)

    def waits_until(self, seat: int, now: datetime) -> datetime | None:
        """When an offered seat that still waits can be taken."""
        return seats.waits_until(seats.free_from(self.table, seat), now)

    def then(self) -> tuple[int, ...]:
        """The seats to move after this turn if it is the default move; () if chance or a secret decides.

        This reveals nothing: the seat could find out by a preview.
        """
        game, state = self.table.game, self.table.state
        for _ in range(MOST_STEPS):
            if self.seat not in kit.active(game, state):
                return kit.active(game, state)
            seen = replay.preview(game, state, self.seat, (kit.Step(game.default(state, self.seat)),))
            if not seen.certain or not seen.done:
                return ()
            state = seen.state
        return ()

    def _since(self) -> tuple[int | None, tuple[str, ...]]:
        """The seat's last move, and every sentence since in order, including what that move revealed.

        The start is told only while nothing else has happened: a mail has announced it, and the position shows it.
        """
        told: list[list[str]] = []
        for line, events in self._latest_first():
            if line.kind == "started" and any(told):
                break
            names, loaded = self.names(line.seq), self.table.load_events(events)
            if line.kind == "moved" and line.seat == self.seat:
                shown = dropwhile(lambda event: not event.reveals, loaded)
                return line.seq, _in_order([*told, self._sentences(shown, names)])
            told.append([*self._heading(line, names), *self._sentences(loaded, names)])
            self._events += loaded
        return None, _in_order(told)

    def history(self) -> tuple[str, ...]:
        """The last sentences of the game, in order."""
        told: list[list[str]] = []
        for line, events in self._latest_first():
            names, loaded = self.names(line.seq), self.table.load_events(events)
            told.append([*self._heading(line, names), *self._sentences(loaded, names)])
            if sum(map(len, told)) >= MOST_HISTORY:
                break
        return _in_order(told)[-MOST_HISTORY:]

    def _heading(self, line: EntryMembers, names: tuple[str, ...]) -> list[str]:
        if line.kind == "expired":
            return [f"Time ran out: the server played a default move for {names[line.seat or 0]}."]
        if line.kind == "taken":
            seat = line.seat or 0
            return [f"{names[seat]} took the seat of {self.names(line.seq - 1)[seat]}."]
        return []

    def line(self, seq: int) -> EntryMembers:
        """The members of entry `seq`."""
        where = (models.Entry.game_id == self.table.game_id, models.Entry.seq == seq)
        return msgspec.json.decode(
            self.session.scalars(sa.select(models.Entry.line).where(*where)).one(), type=EntryMembers
        )

    def names(self, seq: int) -> tuple[str, ...]:
        """The players at each seat when this entry was logged."""
        return tuple(map(clean, names_at(self.players, self.before, seq)))

    def _sentences(self, events: Iterable[Event], names: tuple[str, ...]) -> list[str]:
        seen = (kit.redact(event, self.seat) for event in events)
        return [said for event in seen if (said := kit.tell(event, names))]

    def unsigned(self) -> tuple[str, ...]:
        """The players of the unsigned moves, one for each; () if there are none."""
        return tuple(self.names(seq)[seat] for seq, seat in evidence.unsigned(self.session, self.table))

    def verdict(self) -> str:
        """The verdict of the server's audit of the whole game; "" before there is one."""
        kept = self.session.get(models.Audit, self.game.id)
        return kept.verdict if kept is not None and kept.head_hash == self.game.head_hash else ""

    def events_of(self, seq: int) -> tuple[str, ...]:
        """The events of one entry, as the seat sees them."""
        line, names = self.line(seq), self.names(seq)
        private = self.session.get(models.EntryPrivate, (self.table.game_id, seq))
        opening = None if private is None or private.opening is None else private.opening
        events = msgspec.json.decode(opening, type=Opening).events if opening else line.events
        return tuple(self._sentences(self.table.load_events(events), names))

    def _latest_first(self) -> Iterator[tuple[EntryMembers, list[Mapping[str, Any]]]]:
        """The entries that a mail reports, with their full events, from the head backwards."""
        entry, private = models.Entry, models.EntryPrivate
        same = sa.and_(private.game_id == entry.game_id, private.seq == entry.seq)
        rows = self.session.execute(
            sa.select(entry.line, private.opening)
            .join(private, same, isouter=True)
            .where(entry.game_id == self.table.game_id, entry.seq < self.table.size)
            .where(entry.kind.in_(("started", "moved", "resigned", "expired", "taken")))
            .order_by(entry.seq.desc())
            .limit(MOST_ENTRIES)
        )
        for text, opening in rows:
            line = msgspec.json.decode(text, type=EntryMembers)
            yield line, msgspec.json.decode(opening, type=Opening).events if opening else line.events


class EntryMembers(msgspec.Struct):
    """The members of an entry that a mail needs."""

    seq: int
    kind: str
    at: str
    seat: int | None = None
    reason: str = ""
    events: list[Mapping[str, Any]] = []


class Opening(msgspec.Struct):
    """The member of a private opening that a mail needs."""

    events: list[Mapping[str, Any]]


def _in_order(latest_first: list[list[str]]) -> tuple[str, ...]:
    return tuple(sentence for sentences in reversed(latest_first) for sentence in sentences)


def _players(session: Session, table: Table) -> tuple[str, ...]:
    """Names by seat, each one clean line."""
    seat, account = models.Seat, models.Account
    found = session.execute(
        sa.select(seat.seat, account.name, account.bot)
        .join(account, seat.account_id == account.id)
        .where(seat.game_id == table.game_id, account.erased_at.is_(None))
    )
    names = {number: badged(clean(name), bot=bot) for number, name, bot in found if clean(name)}
    return tuple(names.get(number) or f"Seat {number + 1}" for number in range(table.seats))
