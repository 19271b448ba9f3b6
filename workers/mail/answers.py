"""The facts of an answer to a mail that came in: what became of it, and how the game stands when it goes out."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from sqlalchemy.orm import Session

from engine import kit
from server.kernel import text
from server.kernel.db import models
from server.mailbox import kept
from workers.mail import answerable, facts
from workers.mail.smtp import NotNow
from workers.mail.told import Told
from workers.mail.untrue import Untrue
from workers.queues import Shop


class Outcome(msgspec.Struct, frozen=True):
    """What a reply's row keeps for its answer (`workers.replies.decide.Decision`)."""

    did: str = ""
    lead: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    board: str = ""
    entry: int | None = None
    reason: str = ""


def load(shop: Shop, session: Session, row: models.Notification) -> tuple[facts.Reader, facts.Answer | facts.Unproven]:
    """To the account's address and no other, also if he wants no more mail of the table."""
    account, inbound = session.get(models.Account, row.account_id), session.get(models.InboundMail, row.inbound_id)
    if account is None or account.erased_at is not None or account.email is None:
        raise Untrue("account-erased")
    if inbound is None or inbound.outcome is None:
        raise Untrue("too-old")
    told = _told(shop, session, row)
    outcome = msgspec.json.decode(inbound.outcome, type=Outcome)
    reader = facts.Reader(account.name, account.email, account.zone or "UTC")
    holds = _holds(told, session, account.id)
    if row.kind == "unproven":
        if not holds:
            raise Untrue("seat-left")
        return reader, facts.Unproven(row.message_id or "", told.place(), outcome.reason)
    if not holds:
        return reader, _left(told, row)
    return reader, _answer(told, row, outcome, account.email)


def _told(shop: Shop, session: Session, row: models.Notification) -> Told:
    game = session.get(models.Game, row.game_id)
    assert game is not None
    assert row.seat is not None
    assert row.account_id is not None
    if game.missing_since is not None:
        raise NotNow("lines-missing")
    choices = kept.of(session, row.account_id, row.game_id).in_force
    return Told(shop, session, game, shop.services.tables.of(session, game), row.seat, choices)


def _holds(told: Told, session: Session, account_id: int) -> bool:
    """As the log stands that is told from: the look at the seat may be of a moment later."""
    seat, occupant = session.get(models.Seat, (told.game.id, told.seat)), told.table.occupants[told.seat]
    return (
        seat is not None and seat.account_id == account_id and occupant is not None and occupant.since == seat.since_seq
    )


def _left(told: Told, row: models.Notification) -> facts.Answer:
    """Nothing that the seat sees."""
    lead = ("Nothing is told of the game: the seat is no longer yours.",)
    return facts.Answer(row.message_id or "", replace(told.place(), token=None, ways=None), "left", lead)


def _answer(told: Told, row: models.Notification, outcome: Outcome, email: str) -> facts.Answer:
    table, question = told.table, told.table.questions[told.seat]
    owes = table.stage == "running" and question is not None and told.seat not in table.gone
    can = owes and question is not None and question.seq <= (row.seq or 0)
    moves = bool(table.created["unsigned"])
    return facts.Answer(
        message_id=row.message_id or "",
        place=told.place(),
        did=outcome.did,
        lead=outcome.lead,
        commands=outcome.commands,
        events=outcome.events if outcome.entry is None else told.events_of(outcome.entry),
        board=outcome.board,
        table=told.position() if table.state is not None else None,
        legal=kit.group(kit.legal(table.game, table.state, told.seat)) if owes else (),
        next_says=_next(told, owes=owes),
        reply=answerable.reply(told.shop, row, email, moves=moves) if can else None,
    )


def _next(told: Told, *, owes: bool) -> str:
    """Who owes what now."""
    table = told.table
    if table.stage != "running":
        return "The game has ended." if table.stage == "finished" else ""
    if owes:
        return f"{told.players[told.seat]}, it is your move."
    people = [told.players[seat] for seat in table.active]
    return f"Now {text.people(people)} {'is' if len(people) == 1 else 'are'} to move." if people else ""
