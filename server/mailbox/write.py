"""Changes of mail settings, for an account or for one table.

Mails that wait because of an earlier setting are decided again, so that a change loses none, and none waits for a
digest that is switched off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel import secrets
from server.kernel.db.account_lock import lock_account
from server.kernel.db.models import (
    Account,
    Game,
    MailChoice,
    MailException,
    MailOff,
    MailReminder,
    Notification,
    Seat,
)
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.mailbox import switched_off
from server.mailbox.choices import KINDS, Choices, Exceptions, StoredChoices, load_choices

T = TypeVar("T", Choices, Exceptions)
Known = Callable[[StoredChoices, bool | None], bool]  # is the caller's version of the settings current?


def show_choices(services: Services, account_id: int) -> StoredChoices:
    """The general settings."""
    with services.database.read() as session:
        return load_choices(session, account_id)


def show_exceptions(services: Services, account_id: int, game_id: str) -> tuple[StoredChoices, bool]:
    """The exceptions at a table, and whether its mail is muted. Problem `no-seat`."""
    with services.database.read() as session:
        return load_choices(session, account_id, game_id), _seat(session, account_id, game_id).muted


def change_choices(services: Services, account_id: int, given: Mapping[str, Any], known: Known | None = None) -> None:
    """Change the given settings; the others stay as they are."""
    with services.database.write() as session:
        lock_choices(session, account_id)
        was = load_choices(session, account_id)
        _check(known, was, None)
        change_choices_in(session, account_id, given, services.now())
        switched_off.settle(session, account_id)


def change_choices_in(session: Session, account_id: int, given: Mapping[str, Any], now: datetime) -> None:
    """The same in a transaction."""
    was = load_choices(session, account_id)
    choices = _with(was.choices, given)
    if (choices.quiet_from is None) != (choices.quiet_until is None) or (
        choices.quiet_from is not None and choices.quiet_from == choices.quiet_until
    ):
        raise Problem("bad-quiet-hours", quiet_from=choices.quiet_from, quiet_until=choices.quiet_until)
    row: dict[str, Any] = {"says": _encode(choices), "reminds": choices.remind == "hours"}
    row |= {"hours_since": _hours_since(was.choices, choices, was.since, now)}
    session.merge(MailChoice(account_id=account_id, **row))
    reconsider_waiting(session, account_id, now)


def change_exceptions(
    services: Services, account_id: int, game_id: str, given: Mapping[str, Any], known: Known | None = None
) -> None:
    """The same for one table; null restores the general setting. `muted` stops all mail that can be switched off."""
    with services.database.write() as session:
        lock_choices(session, account_id, game_id)
        seat, was = _seat(session, account_id, game_id), load_choices(session, account_id, game_id)
        _check(known, was, seat.muted)
        otherwise = {name: value for name, value in given.items() if name != "muted"}
        change_exceptions_in(session, account_id, game_id, otherwise, services.now())
        if "muted" in given:
            seat.muted = given["muted"]
        switched_off.settle(session, account_id, game_id)


def change_exceptions_in(
    session: Session, account_id: int, game_id: str, given: Mapping[str, Any], now: datetime
) -> None:
    """The same in a transaction; a table without exceptions has no row."""
    was = load_choices(session, account_id, game_id)
    exceptions = _with(was.exceptions, given)
    if exceptions.is_empty:
        here = (MailException.account_id == account_id, MailException.game_id == game_id)
        session.execute(sa.delete(MailException).where(*here))
    else:
        reminds = None if exceptions.remind is None else exceptions.remind == "hours"
        row: dict[str, Any] = {"says": _encode(exceptions), "reminds": reminds}
        row |= {"hours_since": _hours_since(was.exceptions, exceptions, was.since, now)}
        session.merge(MailException(account_id=account_id, game_id=game_id, **row))
    reconsider_waiting(session, account_id, now, game_id)


def reconsider_waiting(session: Session, account_id: int, now: datetime, game_id: str | None = None) -> None:
    """Decide waiting mails again and plan reminders again; the sweeper and the clock carry it out."""
    here = [] if game_id is None else [Notification.game_id == game_id]
    held = sa.and_(Notification.state == "held", Notification.digest_id.is_(None))
    chosen = Notification.waited.in_(("delay", "on-site", "push", "quiet"))
    waits = sa.and_(Notification.state == "pending", chosen, Notification.attempts == 0)
    mine = sa.update(Notification).where(Notification.account_id == account_id, sa.or_(held, waits), *here)
    session.execute(mine.values(state="pending", next_at=now))
    planned = [] if game_id is None else [MailReminder.game_id == game_id]
    session.execute(sa.delete(MailReminder).where(MailReminder.account_id == account_id, *planned))


def in_order(given: dict[str, Any]) -> dict[str, Any]:
    """Each hour once, the earliest reminder first."""
    hours = given.get("hours")
    return given if hours is None else given | {"hours": tuple(sorted(set(hours), reverse=True))}


def forget_choices(session: Session, account_id: int) -> None:
    """Delete the settings of an erased account."""
    for table in (MailChoice, MailException, MailReminder, MailOff):
        session.execute(sa.delete(table).where(table.account_id == account_id))


def _with(was: T, given: Mapping[str, Any]) -> T:
    return msgspec.structs.replace(was, **given)


def _hours_since(was: T, choices: T, since: datetime | None, now: datetime) -> datetime:
    """A player who has just changed the hours of reminders has seen the time left on the page."""
    same = (was.remind, was.hours) == (choices.remind, choices.hours)
    return since if same and since is not None else now


def _encode(choices: Choices | Exceptions) -> str:
    return msgspec.json.encode(choices).decode()


def lock_choices(session: Session, account_id: int, game_id: str | None = None) -> None:
    """Lock the settings, so that the second of two changes sees the first.

    The game is locked before the account, as by every writer: logging a move locks the game, and last the accounts.
    """
    if game_id is not None:
        session.execute(sa.select(Game.id).where(Game.id == game_id).with_for_update(read=True, key_share=True))
    lock_account(session, account_id, key_share=True)


def _check(known: Known | None, was: StoredChoices, muted: bool | None) -> None:
    if known is not None and not known(was, muted):
        raise Problem("choices-changed")


def _seat(session: Session, account_id: int, game_id: str) -> Seat:
    held = sa.select(Seat).where(Seat.game_id == game_id, Seat.account_id == account_id)
    seat = session.scalars(held).one_or_none()
    if seat is None:
        raise Problem("no-seat")
    return seat


# --- Links in mails that change one mail setting, by POST, for anyone who has the mail --------------------------------
# So a forwarded mail can change which mails are sent, and nothing more: it signs nobody in and shows nothing about the
# account. A link for a table works as long as its reader sits there. A link for all mail applies to every table and
# overrides its exceptions, since the reader wants no more such mail.


@dataclass(frozen=True, slots=True)
class LinkedChoice:
    """The setting that a link changes, for which account, and at which table; None means everywhere."""

    name: str
    account_id: int
    game_id: str | None


def linked_choice(services: Services, token: str) -> LinkedChoice:
    """The link's effect; Problem `bad-link` if it does nothing."""
    with services.database.read() as session:
        return _parse_choice_token(services, session, token)


def is_undecided(services: Services, choice: LinkedChoice) -> bool:
    """Has a link switched off mail for all tables, and its reader has not decided yet?"""
    with services.database.read() as session:
        return session.get(MailOff, (choice.account_id, switched_off.EVERYWHERE)) is not None


def apply_linked_choice(services: Services, token: str, *, back: bool = False) -> LinkedChoice:
    """Apply the change, or undo it if `back`."""
    with services.database.write() as session:
        choice = _parse_choice_token(services, session, token)
        lock_choices(session, choice.account_id, choice.game_id)
        _change(session, choice, services.now(), back=back)
        told = _note_switch(session, choice, services.now(), back=back)
    services.waker.wake(told, [])
    return choice


def _note_switch(session: Session, choice: LinkedChoice, now: datetime, *, back: bool) -> list[int]:
    """A link that has switched mail off is told to the reader, who may not have pressed it."""
    if choice.name not in switched_off.LAST_MAILS:
        return []
    if not back:
        return switched_off.stop_everywhere(session, choice.account_id, choice.name, now)
    switched_off.settle(session, choice.account_id)
    return []


def _change(session: Session, choice: LinkedChoice, now: datetime, *, back: bool) -> None:
    whose, choose = choice.account_id, LINKED_CHOICES[choice.name]
    if choice.game_id is not None:
        here = load_choices(session, whose, choice.game_id).exceptions
        change_exceptions_in(session, whose, choice.game_id, choose(here, back), now)
        return
    change_choices_in(session, whose, choose(load_choices(session, whose).choices, back), now)
    tables = sa.select(MailException.game_id).where(MailException.account_id == whose)
    for game_id in session.scalars(tables.order_by(MailException.game_id)).all():
        there = choose(load_choices(session, whose, game_id).exceptions, back)
        change_exceptions_in(session, whose, game_id, there, now)


Chosen = Choices | Exceptions


def _digest(_: Chosen, back: bool) -> Mapping[str, Any]:
    return dict.fromkeys(KINDS, None if back else "digest")


def _text(was: Chosen, back: bool) -> Mapping[str, Any]:
    return {"picture": back if isinstance(was, Choices) else None}


def _off(was: Chosen, back: bool) -> Mapping[str, Any]:
    everywhere = "on" if back else "off"
    return dict.fromkeys(KINDS, everywhere if isinstance(was, Choices) else None)


def _no_digest(was: Chosen, back: bool) -> Mapping[str, Any]:
    """Switch off what comes in digests. Nobody knows that later, so undoing it puts all that is off into them."""
    here, there = ("off", "digest") if back else ("digest", "off")
    return {kind: there for kind in KINDS if getattr(was, kind) == here}


LINKED_CHOICES: Mapping[str, Callable[[Chosen, bool], Mapping[str, Any]]] = {
    "digest": _digest,
    "text": _text,
    "off": _off,
    "no-digest": _no_digest,
}


def _parse_choice_token(services: Services, session: Session, token: str) -> LinkedChoice:
    named = secrets.named_choice(token)
    account = None if named is None else session.get(Account, named[1])
    if named is None or account is None or not _is_there(session, account, named[2]):
        raise Problem("bad-link")
    if not secrets.is_good_link(token, secrets.choice_token(services.master, named[0], account, named[2])):
        raise Problem("bad-link")
    return LinkedChoice(*named)


def _is_there(session: Session, account: Account, game_id: str | None) -> bool:
    if account.erased_at is not None:
        return False
    held = sa.select(Seat.seat).where(Seat.game_id == game_id, Seat.account_id == account.id)
    return game_id is None or session.scalar(held) is not None


# --- Unsubscribing a seat's holder from mail about one game, and resuming it ------------------------------------------
# The link stops working with the entry that gives the seat to another player, whose mail it must not stop.


def mute(services: Services, token: str, *, muted: bool = True) -> str:
    """Stop or resume mail by the token of an unsubscribe link; returns the game's id."""
    with services.database.write() as session:
        seat = _unsubscribed(services, session, token, is_locked=True)
        told = switched_off.stop_table(session, seat, "link", services.now()) if muted else []
        if not muted:
            seat.muted = False
            if seat.account_id is not None:
                switched_off.settle(session, seat.account_id, seat.game_id)
        game_id = seat.game_id
    services.waker.wake(told, [])
    return game_id


def muted_game(services: Services, token: str) -> tuple[str, bool]:
    """The game of the token, and whether its mail is off; refused if the token no longer stops anything."""
    with services.database.read() as session:
        seat = _unsubscribed(services, session, token)
        return seat.game_id, seat.muted


def _unsubscribed(services: Services, session: Session, token: str, *, is_locked: bool = False) -> Seat:
    game_id, seat, since = _read_unsubscribe(services, token)
    held = sa.select(Seat).where(Seat.game_id == game_id, Seat.seat == seat, Seat.since_seq == since)
    found = session.scalar(held.with_for_update(key_share=True) if is_locked else held)
    if found is None:
        raise Problem("bad-link")
    return found


def _read_unsubscribe(services: Services, token: str) -> tuple[str, int, int]:
    named = secrets.read_unsubscribe_token(services.master, token)
    if named is None:
        raise Problem("bad-link")
    return named
