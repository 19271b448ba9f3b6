"""Webhooks and their deliveries, for their owner."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.encoding import canonical
from engine.record.encoding.canonical import H
from server.kernel.db.models import Account, AccountEvent, Entry, Game, Hook, HookAnswer, HookDelivery, Seat
from server.kernel.errors import Problem
from server.kernel.problem_bodies import body_of
from server.kernel.services import Services
from server.kernel.text import iso

PING, RESET = "ping", "reset"  # lanes and kinds of deliveries about no game


def message_id(row: HookDelivery) -> str:
    """The same for every attempt and repetition, so that receivers recognise a message.

    After a restore a number may be used again for a different event, so the id also depends on the content.
    """
    own = f"p{row.id}" if row.n is None else f"e{row.n}"
    return f"h{row.hook_id}-{own}-{H(row.body.encode())[:4].hex()}"


def listed_hooks(services: Services, account_id: int) -> list[dict[str, Any]]:
    """All webhooks of an account, oldest first."""
    with services.database.read() as session:
        mine = sa.select(Hook).where(Hook.account_id == account_id).order_by(Hook.id)
        return [_as_json(hook) for hook in session.scalars(mine)]


def shown_hook(services: Services, account_id: int, hook_id: int) -> dict[str, Any]:
    with services.database.read() as session:
        return _as_json(_own_hook(session, account_id, hook_id))


def deliveries(
    services: Services, account_id: int, hook_id: int, *, after: int | None = None, limit: int = 50
) -> dict[str, Any]:
    """Newest first; `next` continues the list."""
    with services.database.read() as session:
        _own_hook(session, account_id, hook_id)
        query = sa.select(HookDelivery).where(HookDelivery.hook_id == hook_id).order_by(HookDelivery.id.desc())
        query = query.where(HookDelivery.id < after) if after is not None else query
        rows = list(session.scalars(query.limit(limit + 1)))
        made = _with_answers(session, rows[:limit])
    return {"deliveries": made, "next": made[-1]["id"] if len(rows) > limit else None}


def delivery(services: Services, account_id: int, hook_id: int, delivery_id: int) -> dict[str, Any]:
    """One of them."""
    with services.database.read() as session:
        _own_hook(session, account_id, hook_id)
        row = session.get(HookDelivery, delivery_id)
        if row is None or row.hook_id != hook_id:
            raise Problem("not-found")
        return _with_answers(session, [row])[0]


def _own_hook(session: Session, account_id: int, hook_id: int) -> Hook:
    hook = session.get(Hook, hook_id)
    if hook is None or hook.account_id != account_id:
        raise Problem("not-found")
    return hook


def _as_json(hook: Hook) -> dict[str, Any]:
    moments = ("created_at", "last_used_at", "failing_since", "paused_at", "former_until")
    return {
        "id": hook.id,
        "url": hook.url,
        "name": hook.name,
        "kinds": None if hook.kinds is None else hook.kinds.split(),
        "signature": hook.signature,
        "paused": hook.paused,
        "cursor": hook.cursor,
        **{name: _moment(getattr(hook, name)) for name in moments},
    }


def _with_answers(session: Session, rows: list[HookDelivery]) -> list[dict[str, Any]]:
    query = sa.select(HookAnswer).where(HookAnswer.delivery_id.in_([row.id for row in rows])).order_by(HookAnswer.id)
    answers: dict[int, list[dict[str, Any]]] = {}
    for one in session.scalars(query):
        answer = {"at": iso(one.at), "status": one.status, "error": one.error, "ms": one.ms}
        answers.setdefault(one.delivery_id, []).append(answer)
    return [_delivery(row, answers.get(row.id, [])) for row in rows]


def _delivery(row: HookDelivery, answers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": row.id,
        "message": message_id(row),
        "n": row.n,
        "kind": row.kind,
        "game": None if row.lane in (PING, RESET) else row.lane,
        "seat": row.seat,
        "state": row.state,
        "created_at": iso(row.created_at),
        "next_at": iso(row.next_at) if row.state == "waiting" else None,
        "answers": answers,
    }


def _moment(at: datetime | None) -> str | None:
    return None if at is None else iso(at)


# --- Events of an account or of a game, as streams and webhooks send them, without anything that a game hides ---------
#     {"n": 17, "kind": "turn", "game": ID, "type": "pig", "seat": 0, "seq": 9, "at": MOMENT, "deadline": MOMENT}
#
# The holder of a seat is looked up when the event is sent: `seat` and `deadline` are null if the account no longer
# holds the seat. If events are missing, since they were deleted or a restored database has lost them, the reader gets
# `reset` instead.
#
# A game's events are its entries as everyone may see them, with their numbers in the log:
#
#     {"seq": 9, "kind": "moved", "game": ID, "type": "pig", "seat": 0, "at": MOMENT, "hash": HEAD, "over": false}


MOST = 200


class EventPage(NamedTuple):
    """Events in order, and the number after which to ask for the next ones.

    With `reset` some events are lost for good: the page is empty and `last` is the newest number. `over`: no more will
    follow.
    """

    events: list[dict[str, Any]]
    last: int
    reset: bool = False
    over: bool = False

    @property
    def tells(self) -> bool:
        """Does it tell anything? Not if the numbers that were compared have become equal meanwhile."""
        return bool(self.events) or self.reset


def last_event(session: Session, account_id: int) -> int:
    """The number of the newest event of an account; 0 if it has none."""
    return session.scalar(sa.select(Account.events).where(Account.id == account_id)) or 0


def events_after(session: Session, account_id: int, n: int, limit: int = MOST) -> EventPage:
    """The events of an account after its event `n`."""
    newest = last_event(session, account_id)
    rows = session.execute(_event_rows(account_id, n, limit)).all() if n < newest else []
    whole = [row for number, row in enumerate(rows, n + 1) if row.AccountEvent.n == number]
    if n != newest and not whole:
        return EventPage([], newest, reset=True)
    return EventPage([_event(*row) for row in whole], n + len(whole))


def _event_rows(account_id: int, n: int, limit: int) -> sa.Select[AccountEvent, str, int | None]:
    held = sa.and_(
        Seat.game_id == AccountEvent.game_id, Seat.seat == AccountEvent.seat, Seat.account_id == AccountEvent.account_id
    )
    query = sa.select(AccountEvent, Game.type, Seat.seat).join(Game, Game.id == AccountEvent.game_id)
    where = (AccountEvent.account_id == account_id, AccountEvent.n > n)
    return query.join(Seat, held, isouter=True).where(*where).order_by(AccountEvent.n).limit(limit)


def _event(row: AccountEvent, key: str, held: int | None) -> dict[str, Any]:
    deadline = row.deadline if held is not None else None
    return {
        "n": row.n,
        "kind": row.kind,
        "game": row.game_id,
        "type": key,
        "seat": held,
        "seq": row.seq,
        "at": iso(row.at),
        "deadline": iso(deadline) if deadline else None,
    }


def events_of_game(session: Session, game: Any, seq: int, limit: int = MOST) -> EventPage:
    """The entries of a game after number `seq`, up to its row's head; later ones come with the next call."""
    if seq > game.head_seq:
        return EventPage([], game.head_seq, reset=True)
    where = (Entry.game_id == game.id, Entry.seq > seq, Entry.seq <= game.head_seq)
    query = sa.select(Entry.seq, Entry.kind, Entry.at, Entry.line, Entry.leaf_hash).where(*where)
    rows = session.execute(query.order_by(Entry.seq).limit(limit)).all()
    final = game.head_seq if game.status in ("finished", "cancelled") else None
    last_event = seq + len(rows)
    return EventPage([_entry(game, row, over=row.seq == final) for row in rows], last_event, over=last_event == final)


class EntryAuthor(msgspec.Struct):
    """The seat that made an entry, if a seat did."""

    seat: int | None = None


def _entry(game: Any, row: Any, *, over: bool) -> dict[str, Any]:
    return {
        "seq": row.seq,
        "kind": row.kind,
        "game": game.id,
        "type": game.type,
        "seat": msgspec.json.decode(row.line, type=EntryAuthor).seat,
        "at": iso(row.at),
        "hash": canonical.to_base64url(row.leaf_hash),
        "over": over,
    }


def reset_event(last: int, at: datetime, number: str = "n") -> dict[str, Any]:
    """The event that replaces lost ones: read the present state, then continue after this number."""
    return {number: last, "kind": "reset", "at": iso(at)}


def following_event(index: int, n: int) -> dict[str, Any]:
    """How a shared stream begins for an account: with the number after which it continues."""
    return {"index": index, "kind": "following", "n": n}


def refused_event(index: int | None, problem: Problem) -> dict[str, Any]:
    """A shared stream does not follow an account, or no longer."""
    return {"index": index, "kind": "refused", "problem": body_of(problem)}


def as_data(event: Mapping[str, Any]) -> bytes:
    """An event without a number of the stream's own, in the format of `text/event-stream`."""
    return b"data: %s\n\n" % msgspec.json.encode(event)
