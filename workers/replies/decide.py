"""What a proven reply does, and what its answer tells: the move, a plan, or nothing and why.

All of it is decided upon the game's head, in the transaction in which the reply is closed. A refusal changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from engine import replay
from engine.errors import BadNotation, EngineFault, SealedMoveError
from engine.kit import Step, explain, format_command, redact, tell
from engine.kit import view as engine_view
from engine.record.log.table import Table
from engine.replay import read as meaning
from server.kernel.db.models import Seat
from server.kernel.errors import Problem, body_of
from server.kernel.text import clean
from server.log.ledger import Ledger
from server.play import drafts
from server.play.write import play_by_mail
from server.tables.read import seat_names
from workers.replies.parser import ParsedReply, begins, commands_of, parse_reply

SIGNED = {
    "resign": "To resign needs your signature. Open the game's page, and resign there.",
    "offer": "To open your seat to others needs your signature. Open the game's page, and offer the seat there.",
}
UNADDRESSED = (
    "Your mail provider does not sign to whom a mail is written, so somebody else could have handed in here what you "
    "wrote to him: nothing is played by it."
)
STOPPED = "No more mail of this table comes to you. The game goes on, and so does its clock."
HELP = (
    "Write commands, one a line, above everything else in your answer; an empty line ends them.",
    "Nothing is done if one of them cannot be read.",
    "`preview` before the commands tells what they would do, and does nothing.",
    "`stop mail` ends the mail of this table; the game goes on.",
    "`resign` and `offer seat` need your signature: you are told where to give it.",
)


@dataclass(frozen=True)
class AnsweredQuestion:
    """The mail of ours that was answered: which question of which seat, and whose."""

    notification: int
    account: int
    game: str
    seat: int
    seq: int
    email: str

    def holds(self, ledger: Ledger) -> bool:
        """Does this account hold the seat, and did it when it was asked?"""
        where = (Seat.game_id == self.game, Seat.seat == self.seat, Seat.account_id == self.account)
        return ledger.session.scalar(sa.select(Seat.seat).where(*where, Seat.since_seq <= self.seq)) is not None


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a reply; `entry` is the number of the entry that it made."""

    did: str
    lead: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    board: str = ""
    entry: int | None = None


def decide(ledger: Ledger, asked: AnsweredQuestion, text: str, *, to_us: bool) -> Decision:
    """Do it, if it can be done; what was not shown to be written `to_us` is no move anywhere, but a plan."""
    table = ledger.table
    if not asked.holds(ledger):
        return Decision("left", ("Nothing was done: the seat is no longer yours.",))
    if table.stage != "running":
        return _of_word(ledger, asked, parse_reply(text, lambda *_: False)) or Decision(
            "over", ("Nothing was done: the game has ended.",)
        )
    said = parse_reply(text, commands_of(table.game, table.state, asked.seat))
    if (of_word := _of_word(ledger, asked, said)) is not None:
        return of_word
    question = table.questions[asked.seat]
    if question is None or question.seq > asked.seq or asked.seat in table.gone:
        return Decision("late", ("Nothing was done: the question that you answered is over.",))
    ledger.check_goes_on()
    if said.trouble or not said.commands:
        return Decision("unread", (_unread(table, asked.seat, said),))
    return _of_commands(ledger, asked, said, to_us=to_us)


def _of_word(ledger: Ledger, asked: AnsweredQuestion, said: ParsedReply) -> Decision | None:
    if said.word == "stop":
        drafts.stop_mail(ledger, asked.seat)
        return Decision("stopped", (STOPPED,))
    if said.word == "help":
        return Decision("help", HELP)
    if said.word in SIGNED and ledger.table.stage == "running":
        return Decision("sign", (SIGNED[said.word],))
    return None


def _unread(table: Table, seat: int, said: ParsedReply) -> str:
    shown = f'"{clean(said.line)[:80]}"'
    match said.trouble:
        case "unread":
            return f"Nothing was done: the line {shown} stands right under a command and is none itself."
        case "late":
            return f"Nothing was done: {shown} comes after other words. Commands stand first, then an empty line."
        case "look-alike":
            return f"Nothing was done: the line {shown} has letters of another alphabet. Type it in plain ones."
    shows = f" It begins: {shown}." if said.line else ""
    return f"Nothing was done: no command could be read in your mail.{shows}{_slip(table, seat, said.line)}"


def _slip(table: Table, seat: int, line: str) -> str:
    """What would do instead, of a line that begins as a command does: who typed it meant one."""
    if not begins(table.game, line):
        return ""
    try:
        meaning(table.game, table.state, seat, line)
    except EngineFault:
        raise
    except SealedMoveError as no:
        return f" {_why(table, no)}"
    return ""


def _of_commands(ledger: Ledger, asked: AnsweredQuestion, said: ParsedReply, *, to_us: bool) -> Decision:
    table, moves = ledger.table, ledger.table.created["unsigned"]
    try:
        steps = meaning(table.game, table.state, asked.seat, "\n".join(said.commands))
        if moves and to_us and said.word != "preview":
            return _played(ledger, asked, steps)
        found = _previewed(ledger, asked, steps, keep=said.word != "preview")
    except EngineFault:
        raise
    except Problem:
        raise
    except SealedMoveError as no:
        did = "unread" if isinstance(no, BadNotation) else "refused"
        return Decision(did, (f"Nothing was done: {_why(table, no)}",), said.commands)
    return replace(found, lead=(*found.lead, UNADDRESSED)) if moves and found.did == "planned" else found


def _played(ledger: Ledger, asked: AnsweredQuestion, steps: Sequence[Step]) -> Decision:
    composed = play_by_mail(ledger, asked.seat, steps)
    entry = composed.table.size - 1
    lead = [f"Your move is played: it is entry {entry} of the log."]
    if composed.refusal is not None:
        stopped = explain(composed.table.game, composed.refusal)
        lead.append(f"It came as far as command {composed.done} of {len(steps)}: {stopped}")
    lead.append("It bears no signature of yours: this server alone attests it.")
    return Decision("played", tuple(lead), _shown(steps), entry=entry)


def _previewed(ledger: Ledger, asked: AnsweredQuestion, steps: Sequence[Step], *, keep: bool) -> Decision:
    """What is certain of it, from the seat's own view. A plan that the rules refuse is not kept."""
    table, seat, names = ledger.table, asked.seat, _names(ledger)
    seen = replay.preview(table.game, table.state, seat, steps)
    if seen.refusal is not None:
        return Decision("refused", (f"Nothing was done: {explain(table.game, seen.refusal, names)}",), _shown(steps))
    lead = ["Your plan is kept. It is no move until you have looked at it and signed it."]
    if keep:
        drafts.keep_draft(ledger, seat, steps)
    else:
        lead = ["This is what would happen. Nothing was done."]
    if not seen.certain:
        lead.append("What is drawn or revealed then cannot be foretold.")
    events = tuple(said for event in seen.events if (said := tell(redact(event, seat), names)))
    board = table.game.board(engine_view(table.game, seen.state, seat), names)
    return Decision("planned" if keep else "preview", tuple(lead), _shown(steps), events, board)


def _shown(steps: Sequence[Step]) -> tuple[str, ...]:
    return tuple(("try " if step.may_skip else "") + format_command(step.command) for step in steps)


def _why(table: Table, no: SealedMoveError) -> str:
    """In the words of the game, or of the reader."""
    says = no.facts.get("says")
    if isinstance(no, BadNotation) and isinstance(says, str):
        return f"{says}."
    if no.code in table.game.refusals:
        return explain(table.game, no)  # type: ignore[arg-type]  # its codes are of refusals
    told = body_of(no)
    candidates = no.facts.get("candidates")
    several = f" It could be: {', '.join(map(str, candidates))}." if isinstance(candidates, tuple) else ""
    return f"{told['title']}{several}"


def _names(ledger: Ledger) -> tuple[str, ...]:
    """As people read them everywhere: a machine's is marked, and those that look alike show their seat."""
    called = seat_names(ledger.session, ledger.game)
    return tuple(name or f"Seat {seat}" for seat, name in enumerate(called, start=1))
