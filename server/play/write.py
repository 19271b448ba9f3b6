"""A player's signed act becomes an entry: the order of the checks, once for all acts.

The first failure is reported, and nothing has changed:

    shape of the JWS and its payload -> the game exists -> this very JWS is logged already: the same answer
    -> the game is not stopped -> signature by a key of that seat -> the game's stage (over, not
    started, ...) -> `prev` is the head -> the place: may this entry follow at this seat now
    (`engine.record.laws.preconditions`)
    -> whose account it is, where a seat gets a holder -> the rules decide -> append -> commit -> wake

Writers of one game queue at its row. Of two acts on one head, the second finds that the game has moved on; of two
copies of one act, the second finds the first. No draw leaves the process before the commit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from engine.errors import EngineFault, Refused
from engine.kit import Step, dump_steps
from engine.record.compose.entries import (
    Composed,
    compose_expired,
    compose_moved,
    compose_plain,
    compose_resigned,
    compose_started,
    compose_unsigned,
)
from engine.record.encoding import canonical
from engine.record.laws import admission
from engine.record.signed import acts
from engine.record.signed.acts import SignedAct
from engine.record.signed.moves import move_text
from server.kernel.db.models import Account, AccountKey, Consent, Entry, FormerHolder, Game, Place, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import outbox, places, seats
from server.log.ledger import Ledger, Logged, open_for_writing, stop_game
from server.tables import asks, blocks, guests, limits
from server.tables.calendar import outages
from server.tables.hosting import write as hosting
from server.tables.write import check_suspended

MOST_MISSED = 500

Play = Callable[[Ledger, SignedAct], Composed]


def log_act(services: Services, game_id: str, compact: str, act: str, play: Play) -> Logged:
    """Log a signed act, composed by `play` after all checks have passed; a repeated act gets the first answer again."""
    signed = acts.read_signed(compact)
    if signed.act.act != act:
        raise Problem("wrong-act", found=signed.act.act, expected=act)
    try:
        return _once(services, game_id, signed, play)
    except IntegrityError:  # logged meanwhile, by a writer that did not wait at the row
        return _once(services, game_id, signed, play)
    except EngineFault as fault:
        stop_game(services, game_id, fault)
        raise


def _once(services: Services, game_id: str, signed: SignedAct, play: Play) -> Logged:
    with open_for_writing(services, game_id) as ledger:
        entry = ledger.logged(signed)
        again = entry is not None
        if entry is None:
            ledger.check_goes_on()
            _check(ledger, signed)
            entry = ledger.append(play(ledger, signed))
        ends = ledger.ended_holiday(entry) if again else ledger.ends_holiday
    return Logged(entry.line, ledger.note_of(entry.seq + 1, entry.leaf_hash), again, ends)


def _check(ledger: Ledger, signed: SignedAct) -> None:
    """In the order above; must agree with `admission.check_act`."""
    table = ledger.table
    admission.check_signer(table, signed)
    admission.check_stage(table, signed)
    _check_head(ledger, signed)
    admission.check_place(table, signed, canonical.seconds(ledger.at))


def _check_head(ledger: Ledger, signed: SignedAct) -> None:
    """Refuse another head: an older one with the entries that were missed, an unknown one by a code of its own."""
    try:
        admission.check_head(ledger.table, signed.act)
    except Refused as no:
        if no.code == "stale-head" and _was_head(ledger, signed.act.seq, signed.act.prev):
            raise _stale(ledger, signed) from None
        raise Refused("unknown-head", **no.facts) from None


def _was_head(ledger: Ledger, seq: int, prev: bytes) -> bool:
    where = (Entry.game_id == ledger.game.id, Entry.seq == seq - 1)
    return ledger.session.scalar(sa.select(Entry.leaf_hash).where(*where)) == prev


def _stale(ledger: Ledger, signed: SignedAct) -> Refused:
    act = signed.act
    missed = ledger.session.scalars(
        sa.select(Entry.line)
        .where(Entry.game_id == ledger.game.id, Entry.seq >= act.seq)
        .order_by(Entry.seq)
        .limit(MOST_MISSED)
    )
    return Refused(
        "stale-head",
        found=act.seq,
        expected=ledger.table.size,
        head=canonical.to_base64url(ledger.table.head),
        entries=[line.decode("ascii") for line in missed],
        unchanged=ledger.table.unchanged(act.seat, act.seq),
    )


# --- A seat's move ----------------------------------------------------------------------------------------------------


def submit(services: Services, game_id: str, compact: str, text: str | None = None) -> Logged:
    """Log a signed move; `text` is the move that the signature of a hidden game commits to."""

    def play(ledger: Ledger, signed: SignedAct) -> Composed:
        return compose_moved(ledger.table, ledger.secret, ledger.at, signed, text)

    answer = log_act(services, game_id, compact, "move", play)
    play_resigned(services, game_id)
    return answer


def play_by_mail(ledger: Ledger, seat: int, steps: Sequence[Step]) -> Composed:
    """Log a move that nobody has signed, if the table allows that; committed to like any other in a hidden game."""
    ledger.check_goes_on()
    commands, table = dump_steps(steps), ledger.table
    move = move_text(commands, ledger.services.random(32)) if table.hidden else commands
    composed = compose_unsigned(table, ledger.secret, ledger.at, seat, "mail", move)
    ledger.append(composed)
    return composed


# --- Resigning, in turn or not ----------------------------------------------------------------------------------------


def resign(services: Services, game_id: str, compact: str) -> Logged:
    """Log it; the server plays at once for the seat if it owes a move."""
    answer = log_act(services, game_id, compact, "resign", _compose_resign)
    play_resigned(services, game_id)
    return answer


def _compose_resign(ledger: Ledger, signed: SignedAct) -> Composed:
    return compose_resigned(ledger.table, ledger.secret, ledger.at, signed)


# --- Changing a seat's keys: add one, drop one, or replace the recovery key, signed by itself -------------------------


def rekey(services: Services, game_id: str, compact: str) -> Logged:
    """Log it; the next act may be signed with the new key."""
    return log_act(services, game_id, compact, "key", _compose_rekey)


def _compose_rekey(ledger: Ledger, signed: SignedAct) -> Composed:
    return compose_plain(ledger.table, signed, ledger.at)


# --- Offering a seat, or withdrawing the offer, which also ends an absence --------------------------------------------


def offer(services: Services, game_id: str, compact: str) -> Logged:
    """Log it; the holder plays on until somebody takes the seat."""
    return log_act(services, game_id, compact, "offer", _compose_offer)


def _compose_offer(ledger: Ledger, signed: SignedAct) -> Composed:
    return compose_plain(ledger.table, signed, ledger.at)


# --- Joining before the start by a signed act; the last join starts the game in the same transaction ------------------


def join(services: Services, game_id: str, compact: str) -> Logged:
    """Log the join; the account is the one that the key is registered with."""
    return log_act(services, game_id, compact, "join", _compose_join)


def _compose_join(ledger: Ledger, signed: SignedAct) -> Composed:
    account = account_of(ledger, signed, "lobby_seats", "seats")
    check_joins(ledger, account)
    composed = compose_plain(ledger.table, signed, ledger.at)
    ledger.seat_joined(signed.act.seat, account)
    hosting.postpone_end(ledger)
    if composed.table.is_full and not seats.waits_for_people(ledger.session, ledger.game):
        ledger.then(lambda: compose_started(ledger.table, ledger.secret, ledger.at))
    elif composed.table.is_full:
        services = ledger.services
        ledger.outbox.append(outbox.row_of_table(ledger.session, "full", composed.table, services.now()))
    return composed


# --- Leaving before the start -----------------------------------------------------------------------------------------


def leave(services: Services, game_id: str, compact: str) -> Logged:
    """Log it and free the seat."""
    return log_act(services, game_id, compact, "leave", _compose_leave)


def _compose_leave(ledger: Ledger, signed: SignedAct) -> Composed:
    ledger.seat_left(signed.act.seat)
    return compose_plain(ledger.table, signed, ledger.at)


# --- Taking a seat of a running game ----------------------------------------------------------------------------------
# The seat must be offered or, if the table allows it, its holder absent.


def take(services: Services, game_id: str, compact: str) -> Logged:
    """Log it; from this entry on the new holder sees the seat's secrets, and the former one does not."""
    return log_act(services, game_id, compact, "take", _compose_take)


def _compose_take(ledger: Ledger, signed: SignedAct) -> Composed:
    account = account_of(ledger, signed, "seats")
    check_never_seated(ledger, account, signed.act.seat)
    composed = compose_plain(ledger.table, signed, ledger.at)
    ledger.session.execute(sa.delete(Consent).where(Consent.game_id == ledger.game.id))
    ledger.seat_taken(signed.act.seat, account, canonical.seconds(ledger.at))
    return composed


# --- The right to sit down --------------------------------------------------------------------------------------------
# An account has one seat in a game, and cannot take another after it has seen the first one's secrets.
#
# A bot must declare itself in what it signs, and needs a table that allows bots. It cannot sit with its owner or the
# owner's other bots unless the table allows related players. A reserved seat is for the invited house player only.


BEFORE_START = ("left", "removed")  # how a holding ended that has seen nothing secret
MOST_JOINS = 8  # of an account in a game, whose joins are limited in all: nobody may use them up alone


def account_of(ledger: Ledger, signed: SignedAct, *limited: str) -> int:
    """The account of the key, checked: it holds no seat in this game, may have this one, and is within its limits."""
    keyed = sa.select(Account).join(AccountKey, AccountKey.account_id == Account.id)
    found = ledger.session.scalar(keyed.where(AccountKey.kid == signed.jws.kid))
    if found is None:
        raise Problem("unregistered-key", kid=signed.jws.kid)
    if found.blocked_at is not None:
        raise Problem("account-blocked")
    check_suspended(ledger.services, found)
    held = ledger.session.scalar(sa.select(Seat.seat).where(*_in(ledger, Seat, found.id)))
    if held is not None:
        raise Problem("already-seated", seat=held)
    _check_place(ledger, signed.act.seat, found)
    blocks.check(ledger.session, ledger.game, found)
    asks.check(ledger.services, ledger.session, ledger.game, found)
    guests.check_sits(ledger.session, ledger.game, found)
    limits.check(ledger.services, ledger.session, found.id, *limited)
    _check_bot(ledger, signed, found)
    return found.id


def _check_bot(ledger: Ledger, signed: SignedAct, account: Account) -> None:
    if signed.act.bot != account.bot:
        raise Problem("wrong-bot", found=signed.act.bot, expected=account.bot)
    if account.bot and not (ledger.game.bots == "any" or (ledger.game.bots == "house" and account.level is not None)):
        raise Problem("no-bots", bots=ledger.game.bots)
    if account.owner_id is not None:
        limits.check(ledger.services, ledger.session, account.id, "bot_seats")
    if not ledger.game.related:
        _check_relations(ledger, account, signed.act.seat)


def _check_relations(ledger: Ledger, account: Account, seat: int) -> None:
    """House players have no owner, and a person counts as their own owner. What one of them has seen, all know."""
    owner = account.owner_id if account.bot else account.id
    if owner is None:
        return
    same = sa.or_(Account.owner_id == owner, Account.id == owner)
    beside = sa.select(Seat.seat).join(Account, Account.id == Seat.account_id).where(Seat.game_id == ledger.game.id)
    before = sa.select(FormerHolder.seat).join(Account, Account.id == FormerHolder.account_id)
    before = before.where(FormerHolder.game_id == ledger.game.id, *_elsewhere(seat), Account.id != account.id)
    held = ledger.session.scalar(sa.union_all(beside.where(same), before.where(same)).limit(1))
    if held is not None:
        raise Problem("same-owner", seat=held)


def _check_place(ledger: Ledger, seat: int, account: Account) -> None:
    """Refuse a seat that is kept for another, and before the start players who were not invited or were removed."""
    session, now = ledger.session, ledger.services.now()
    lasts = (seats.ASKED, sa.or_(Place.until > now, Place.kind == "house"))  # a late house player may still join
    mine = sa.select(Place.id).where(Place.game_id == ledger.game.id, places.is_of(account), *lasts)
    kept, is_asked = places.kept_at(session, ledger.game.id, seat, now), session.scalar(mine.limit(1)) is not None
    if kept is not None and not places.belongs_to(kept, account):
        raise Problem("seat-kept", seat=seat)
    if ledger.table.stage != "lobby" or is_asked:
        return
    removed = (*_in(ledger, FormerHolder, account.id), FormerHolder.ended == "removed")
    if session.scalar(sa.select(FormerHolder.seat).where(*removed).limit(1)) is not None:
        raise Problem("removed-by-host")
    if ledger.game.door == "invited" and ledger.game.host_id != account.id:
        raise Problem("by-invitation")


def check_never_seated(ledger: Ledger, account_id: int, seat: int) -> None:
    """Refuse former holders of other seats, who know those seats' secrets; players may take their own seat back."""
    here = (*_in(ledger, FormerHolder, account_id), *_elsewhere(seat))
    held = ledger.session.scalar(sa.select(FormerHolder.seat).where(*here))
    if held is not None:
        raise Problem("held-another-seat", held=held, seat=seat)


def _elsewhere(seat: int) -> tuple[sa.ColumnElement[bool], ...]:
    """Of a former holder: another seat, with its secrets."""
    return FormerHolder.ended.not_in(BEFORE_START), FormerHolder.seat != seat


def check_joins(ledger: Ledger, account_id: int) -> None:
    """Limit how often an account may join and leave a game."""
    left = (*_in(ledger, FormerHolder, account_id), FormerHolder.ended.in_(BEFORE_START))
    if (ledger.session.scalar(sa.select(sa.func.count()).where(*left)) or 0) >= MOST_JOINS:
        raise Problem("joined-too-often", most=MOST_JOINS)


def _in(ledger: Ledger, rows: type[Seat | FormerHolder], account_id: int) -> tuple[sa.ColumnElement[bool], ...]:
    return rows.game_id == ledger.game.id, rows.account_id == account_id


# --- Default moves for seats whose time is over -----------------------------------------------------------------------
# The server writes the entry, and anyone can check it.


NOT_NOW = ("not-due", "not-started", "game-over")


def expire(services: Services, game_id: str, seat: int) -> bool:
    """Log the default move; False if the seat is not due (any more), so that two clocks may call it at once.

    Its calendar may have changed since the deadline was written: then the row is written again, and no entry.
    """
    try:
        with open_for_writing(services, game_id) as ledger:
            if ledger.is_faulted or not ledger.is_whole or not _is_due(ledger, seat):
                return False
            ledger.append(compose_expired(ledger.table, ledger.secret, ledger.at, seat))
    except Refused as no:
        if no.code in NOT_NOW:
            return False
        raise
    except EngineFault as fault:
        stop_game(services, game_id, fault)
        return False
    return True


def _is_due(ledger: Ledger, seat: int) -> bool:
    """Has the deadline passed that the seat was told? The log has the deadline of a seat that has resigned."""
    if seat in ledger.table.gone:
        return True
    now = ledger.services.now()  # earlier than `ledger.at` if a host that is ahead wrote the last entry
    if not outages.may_play(ledger.session, now):
        return False
    ledger.recount()
    told = sa.select(Seat.deadline).where(Seat.game_id == ledger.game.id, Seat.seat == seat)
    deadline = ledger.session.scalar(told)
    return deadline is None or deadline.timestamp() <= min(canonical.seconds(ledger.at), now.timestamp())


# --- Default moves for seats that have resigned, as soon as they owe a move -------------------------------------------


def play_resigned(services: Services, game_id: str) -> None:
    """After an entry, play for every resigned seat that owes a move; if that fails, the clock's next round does it."""
    while (seat := _resigned_seat(services, game_id)) is not None and expire(services, game_id, seat):
        pass


def _resigned_seat(services: Services, game_id: str) -> int | None:
    """The next resigned seat that owes a move. Usually the cached table suffices: nobody has resigned."""
    kept = services.tables.cached(game_id)
    if kept is not None and not kept.gone:
        return None
    with services.database.read() as session:
        game = session.get(Game, game_id)
        assert game is not None
        table = services.tables.of(session, game)
    return next((seat for seat in table.active if seat in table.gone), None)
