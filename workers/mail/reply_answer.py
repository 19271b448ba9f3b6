"""The facts of an answer to a reply: its outcome, and the position when the answer is sent."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy.orm import Session

from engine import kit
from server.kernel import text
from server.kernel.db import models
from server.kernel.errors import Problem
from server.kernel.problem_bodies import body_of
from server.kernel.text import zone_of
from server.log import deadlines
from server.mailbox.choices import load_choices
from server.play import drafts
from server.play.hints import write as hints
from server.play.read import Perspective
from workers.mail import digest, facts, reply_addresses, sentences
from workers.mail.errors import OutdatedMailError
from workers.mail.seat_summary import SeatSummary
from workers.mail.smtp import TransientMailError
from workers.queues import WorkerContext
from workers.replies.parser import SHOWN


class ReplyOutcome(msgspec.Struct, frozen=True):
    """The outcome of a reply, stored in its row (`workers.replies.decide.ReplyDecision`)."""

    did: str = ""
    lead: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    board: str = ""
    entry: int | None = None
    message: int | None = None
    reason: str = ""
    confirms: bool = False
    answers: str = ""


def load(
    ctx: WorkerContext, session: Session, row: models.Notification
) -> tuple[facts.Reader, facts.Answer | facts.Unproven]:
    """Addressed to the account's own address only, and sent even if its owner has muted the table."""
    account, inbound = session.get(models.Account, row.account_id), session.get(models.InboundMail, row.inbound_id)
    if account is None or account.erased_at is not None or account.email is None:
        raise OutdatedMailError("account-erased")
    if inbound is None or inbound.outcome is None:
        raise OutdatedMailError("too-old")
    summary = _seat_summary(ctx, session, row)
    outcome = msgspec.json.decode(inbound.outcome, type=ReplyOutcome)
    reader = facts.Reader(account.name, account.email, account.zone or "UTC")
    holds = _holds(summary, session, account.id)
    if row.kind == "unproven":
        if not holds:
            raise OutdatedMailError("seat-left")
        return reader, facts.Unproven(row.message_id or "", summary.place(), outcome.reason)
    if not holds:
        return reader, _left(summary, row)
    answer = _answer(summary, row, outcome, account.email)
    return reader, _shown(summary, answer, zone_of(reader.zone)) if outcome.did in (*SHOWN, "hint") else answer


def _shown(summary: SeatSummary, answer: facts.Answer, zone: ZoneInfo) -> facts.Answer:
    """With what the reader asked to see, as it is now."""
    match answer.did:
        case "time":
            return replace(answer, lead=_times(summary, zone), table=None, legal=())
        case "games":
            return replace(answer, lead=_games(summary, zone), table=None, legal=())
        case "history":
            told = summary.history()
            lead = "The last events, the newest last:" if told else "Nothing has happened yet."
            return replace(answer, lead=(lead,), events=told)
        case "hint":
            return replace(answer, lead=_hint(summary))
    return replace(answer, lead=("The table now:",))


def _hint(summary: SeatSummary) -> tuple[str, ...]:
    """A hint for the position as it is now."""
    at = Perspective(summary.game, summary.table, summary.seat, summary.players)
    try:
        hints.check(at)
        found = hints.told(at, hints.find(at))
    except Problem as no:
        return (str(body_of(no)["title"]),)
    return tuple(filter(None, (found["notation"], found["reason"], found["effect"], found["says"])))


def _times(summary: SeatSummary, zone: ZoneInfo) -> tuple[str, ...]:
    """The deadline of each player who is to move."""
    now = summary.ctx.services.now()
    due = deadlines.due(summary.session, summary.game, summary.table, now, is_seated=True)
    rows = (f"{summary.players[seat]}: until {text.moment(one.deadline, zone)}." for seat, one in sorted(due.items()))
    return tuple(rows) or ("No clock runs at this table.",)


def _games(summary: SeatSummary, zone: ZoneInfo) -> tuple[str, ...]:
    """The games that wait for the reader's move, the most urgent first, also where they want no mail."""
    now = summary.ctx.services.now()
    rows = (
        f"{one.title} #{one.game[:4]}{sentences.beside_whom(one.others)}: {sentences.owed_says(one, now, zone)}"
        for one in digest.owed(summary.session, summary.account, unwanted=True)
    )
    return tuple(rows) or ("No game waits for your move.",)


def _seat_summary(ctx: WorkerContext, session: Session, row: models.Notification) -> SeatSummary:
    game = session.get(models.Game, row.game_id)
    assert game is not None
    assert row.seat is not None
    assert row.account_id is not None
    if game.missing_since is not None:
        raise TransientMailError("lines-missing")
    choices = load_choices(session, row.account_id, row.game_id).in_force
    return SeatSummary(ctx, session, game, ctx.services.tables.of(session, game), row.seat, row.account_id, choices)


def _holds(summary: SeatSummary, session: Session, account_id: int) -> bool:
    """Does the account hold the seat at this head of the log? The row of the seat may be newer."""
    seat, occupant = session.get(models.Seat, (summary.game.id, summary.seat)), summary.table.occupants[summary.seat]
    return (
        seat is not None and seat.account_id == account_id and occupant is not None and occupant.since == seat.since_seq
    )


def _left(summary: SeatSummary, row: models.Notification) -> facts.Answer:
    """An answer without anything that the seat sees."""
    lead = ("The seat is no longer yours, so this email does not show the game.",)
    return facts.Answer(row.message_id or "", replace(summary.place(), token=None, ways=None), "left", lead)


def _answer(summary: SeatSummary, row: models.Notification, outcome: ReplyOutcome, email: str) -> facts.Answer:
    table, question = summary.table, summary.table.questions[summary.seat]
    owes = table.stage == "running" and question is not None and summary.seat not in table.gone
    can = owes and question is not None and question.seq <= (row.seq or 0)
    moves = bool(table.created["unsigned"])
    where = reply_addresses.reply(summary.ctx, row, email, moves=moves, talks=summary.talks)
    return facts.Answer(
        message_id=row.message_id or "",
        place=replace(summary.place(), reply=None if where is None else where.address),
        did=outcome.did,
        lead=outcome.lead,
        commands=outcome.commands,
        events=outcome.events if outcome.entry is None else summary.events_of(outcome.entry),
        board=outcome.board,
        table=summary.position() if table.state is not None else None,
        legal=kit.group(kit.legal(table.game, table.state, summary.seat)) if owes else (),
        next_says=_next(summary, owes=owes),
        reply=where if can else None,
        said=summary.said(outcome.message),
        answers=outcome.answers,
        code=_code(summary) if outcome.confirms else "",
    )


def _code(summary: SeatSummary) -> str:
    """The code that confirms the draft, if it is still the same."""
    plan = drafts.mailed_draft(summary.session, summary.game.id, summary.account)
    return "" if plan is None else drafts.code_of(summary.ctx.services, plan)


def _next(summary: SeatSummary, *, owes: bool) -> str:
    """The players to move now."""
    table = summary.table
    if table.stage != "running":
        return "The game has finished." if table.stage == "finished" else ""
    if owes:
        return f"{summary.players[summary.seat]}, it is your turn."
    people = [summary.players[seat] for seat in table.active]
    return f"To move now: {text.people(people)}." if people else ""
