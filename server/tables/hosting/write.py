"""A table before its start: its host removes players, passes the table on and keeps it open; its players get ready.

A table that does not start ends: 14 days after the last player joined, and at most 60 days after it was made. Its host
gets one mail three days before that, and may put the end off twice. If its end comes while no clock runs, the table
has three more days from the mail on.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from engine.errors import Refused
from engine.record.compose.entries import compose_cancelled, compose_removed, compose_started
from server.kernel.db.models import Account, Game, Seat
from server.kernel.db.tables import Row
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import outbox, seats
from server.log.ledger import Ledger, Logged, check_host, moment, open_for_writing
from server.log.outbox import SeatEvent

WAITS, LONGEST = timedelta(days=14), timedelta(days=60)
WARNING = timedelta(days=3)
MOST_KEPT = 2


def end_of(game: Row, now: datetime) -> datetime:
    """When the table ends if nobody joins from now on."""
    return min(now + WAITS, game.created_at + LONGEST + WAITS * game.kept_open)


def postpone_end(ledger: Ledger) -> None:
    """Somebody has joined."""
    _set(ledger, ends_at=end_of(ledger.game, ledger.services.now()), warned_at=None)


def _set(ledger: Ledger, **values: object) -> None:
    ledger.session.execute(sa.update(Game).where(Game.id == ledger.game.id).values(**values))


# --- By the host ------------------------------------------------------------------------------------------------------


def remove_player(services: Services, game_id: str, account_id: int, seat: int, since: int) -> Logged:
    """Empty a seat whose holder joined with entry `since`; a repeated request cannot hit whoever sits there next."""
    with open_for_writing(services, game_id) as ledger:
        check_host(ledger, account_id)
        _check_holder(ledger, seat, since)
        composed = compose_removed(ledger.table, ledger.at, seat)
        held = ledger.session.get_one(Seat, (game_id, seat))
        account = held.account_id
        ledger.seat_left(seat, "removed")
        entry = ledger.append(composed)
        ledger.outbox.append(outbox.row_of_table(ledger.session, "removed", ledger.table, services.now()))
        if account is not None:
            event = SeatEvent("removed", game_id, seat, entry.seq, moment(ledger.table.at), None)
            ledger.others.append((account, event))
    return Logged(entry.line, services.note_of(ledger.game, entry.seq + 1, entry.leaf_hash), again=False)


def _check_holder(ledger: Ledger, seat: int, since: int) -> None:
    held = ledger.session.get(Seat, (ledger.game.id, seat))
    if held is not None and held.since_seq != since:
        raise Problem("seat-changed", seat=seat, since=held.since_seq)


def pass_on(services: Services, game_id: str, account_id: int, seat: int, since: int | None = None) -> None:
    """Make the player at that seat the host, at any time before the end; a repeated request changes nothing.

    With `since` only the player who joined with that entry, not somebody who has sat down there meanwhile.
    """
    with open_for_writing(services, game_id) as ledger:
        heir = ledger.session.scalar(
            sa.select(Account)
            .join(Seat, Seat.account_id == Account.id)
            .where(Seat.game_id == game_id, Seat.seat == seat, Account.erased_at.is_(None), Account.bot.is_(False))
        )
        if heir is not None and heir.id == ledger.game.host_id and _sits(ledger, account_id):
            return
        check_host(ledger, account_id)
        if ledger.table.is_over:
            raise Refused("game-over")
        if since is not None:
            _check_holder(ledger, seat, since)
        if heir is None:
            raise Problem("no-person", seat=seat)
        _set(ledger, host_id=heir.id)
        ledger.outbox.append(outbox.row_of_table(ledger.session, "hosts", ledger.table, services.now()))


def _sits(ledger: Ledger, account_id: int) -> bool:
    mine = (Seat.game_id == ledger.game.id, Seat.account_id == account_id)
    return ledger.session.scalar(sa.select(Seat.seat).where(*mine)) is not None


def keep_open(services: Services, game_id: str, account_id: int) -> datetime:
    """Put off the end of a table that would end within three days; before that it is not needed and not counted."""
    with open_for_writing(services, game_id) as ledger:
        check_host(ledger, account_id)
        _check_lobby(ledger)
        game, now = ledger.game, services.now()
        if game.ends_at - now > WARNING:
            return game.ends_at  # type: ignore[no-any-return]  # a column
        if game.kept_open >= MOST_KEPT:
            raise Problem("kept-open", most=MOST_KEPT)
        ends = now + WAITS
        _set(ledger, ends_at=ends, kept_open=game.kept_open + 1, warned_at=None)
    return ends


def _check_lobby(ledger: Ledger) -> None:
    if ledger.table.stage != "lobby":
        raise Refused("game-over" if ledger.table.is_over else "already-started")


# --- By the players of a table that starts when all are ready ---------------------------------------------------------


def set_ready(services: Services, game_id: str, account_id: int, *, ready: bool) -> None:
    """Be ready, or not any more; the last one to be ready at a full table starts the game. Bots always are."""
    with open_for_writing(services, game_id) as ledger:
        if ledger.game.start != "ready":
            raise Problem("starts-full")
        mine = (Seat.game_id == game_id, Seat.account_id == account_id)
        seat = ledger.session.scalar(sa.select(Seat).where(*mine))
        if seat is None:
            raise Problem("no-seat")
        if ledger.table.stage == "running" and ready:
            return
        _check_lobby(ledger)
        ledger.check_goes_on()
        seat.ready = ready
        ledger.session.flush()
        start_if_ready(ledger)


def start_if_ready(ledger: Ledger) -> None:
    """Start a full table whose people are all ready."""
    if ledger.table.is_full and not seats.waits_for_people(ledger.session, ledger.game):
        ledger.append(compose_started(ledger.table, ledger.secret, ledger.at))


# --- Tables that do not start, by the clock ---------------------------------------------------------------------------


def ending(now: datetime) -> sa.Select[str]:
    """Tables whose hosts are to be warned."""
    near = (Game.ends_at <= now + WARNING, Game.warned_at.is_(None))
    return sa.select(Game.id).where(Game.status == "lobby", *near, *_GOING).order_by(Game.ends_at)


def ended(now: datetime) -> sa.Select[str]:
    """Tables that have waited long enough."""
    over = (Game.ends_at <= now, Game.warned_at.is_not(None))
    return sa.select(Game.id).where(Game.status == "lobby", *over, *_GOING).order_by(Game.ends_at)


_GOING = (Game.faulted_at.is_(None), Game.missing_since.is_(None))


def warn(services: Services, game_id: str) -> None:
    """Warn the host once, unless the table has started or somebody has joined meanwhile."""
    with open_for_writing(services, game_id) as ledger:
        game, now = ledger.game, services.now()
        if ledger.table.stage != "lobby" or game.warned_at is not None or game.ends_at > now + WARNING:
            return
        _set(ledger, warned_at=now, ends_at=game.ends_at if game.ends_at > now else now + WARNING)
        ledger.outbox.append(outbox.row_of_table(ledger.session, "ending", ledger.table, now))


def end_unstarted(services: Services, game_id: str) -> None:
    """Cancel it, unless it has started, was kept open, or somebody has joined meanwhile."""
    with open_for_writing(services, game_id) as ledger:
        if ledger.table.stage == "lobby" and ledger.game.ends_at <= services.now():
            ledger.append(compose_cancelled(ledger.table, ledger.secret, ledger.at, "unstarted"))
