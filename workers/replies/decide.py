"""Decides what a verified reply does: a move, a draft move, or nothing, and what the answer to it says.

The decision is made on the game's head, in the transaction that closes the reply. A refusal changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from engine import replay
from engine.chance import imagined_lane
from engine.errors import BadNotation, EngineFault, SealedMoveError
from engine.game import Turn
from engine.kit import Step, active, explain, format_command, redact, tell
from engine.kit import view as engine_view
from engine.record.log.table import Table
from engine.replay import read as meaning
from server.kernel.db.models import Account, Game, Seat
from server.kernel.errors import Problem
from server.kernel.problem_bodies import body_of
from server.kernel.text import clean, spoken
from server.log.ledger import Ledger
from server.mailbox import switched_off
from server.play import drafts
from server.play.hints import write as hints
from server.play.read import Perspective
from server.play.write import play_by_mail
from server.tables.read import seat_names
from server.tables.talk.read import LONGEST
from server.tables.talk.write import NewMessage, say_in
from workers.replies.incoming import Text
from workers.replies.lines import normal
from workers.replies.parser import MOST_SAID, SHOWN, ParsedReply, begins, commands_of, parse_reply

THROWS = 16  # every legal command ends the turn, so that no line of chatter is one by chance
SIGNED = {
    "resign": "Resigning needs your signature. Open the game's page and resign there.",
    "offer": "Offering your seat needs your signature. Open the game's page and offer the seat there.",
}
UNADDRESSED = (
    "Your email provider does not sign the address that an email is sent to, so someone else could have passed on "
    "an email that you sent to them. To play the move, reply to this email with `confirm`, and keep its subject as it "
    "is. You can also check and sign it on the game's page."
)
UNCONFIRMED = (
    "Nothing was done: your email provider does not sign the address that an email is sent to, and the subject of your "
    "reply does not have the code of your draft. Reply to the email about the draft, and keep its subject as it is."
)
UNPASSED = (
    "Your email provider does not sign the address that an email is sent to. Someone else could have passed on an "
    "email that you wrote to them."
)
ENDS_IN_CHANCE = "Chance decides next, so the preview ends here."
ENDS_IN_HIDDEN = "Chance or hidden information decides next, so the preview ends here."
SENT = "Your words were sent to the table. You can take them back on the game's page for ten minutes:"
STOPPED = "You will not get any more emails about this table."
GOES_ON = "The game goes on. You still get a notice if your seat is offered or taken."
ANOTHER_TURN = (
    "Nothing was done: it is your turn, but the email that you answered was not about this turn. Reply to the latest "
    "one about this table."
)
TAKEN_BACK = (
    "Nothing was done: the email that you answered is from before you took the seat back. Reply to the latest one "
    "about this table."
)
HELP = (
    "Write commands at the top of your reply, one on each line. An empty line ends them.",
    "If one of them cannot be read, none is played.",
    "`preview` before the commands shows what they would do. Nothing is played.",
    "`say`, on a line of its own below an empty line, sends the lines below it to the players at the table.",
    "`board`, `time` and `history` show the table, the time left and the last events; `games` lists your games.",
    "`hint` shows what a house player would play, if the table allows it.",
    "`stop mail` stops emails about this table. The game goes on.",
    "`resign` and `offer seat` need your signature. The answer tells you where to sign.",
)


@dataclass(frozen=True)
class AnsweredQuestion:
    """The mail that was replied to: its question, the seat and the account."""

    notification: int
    account: int
    game: str
    seat: int
    seq: int
    email: str

    def holds(self, ledger: Ledger) -> bool:
        """Does this account hold the seat, and did it when the question was asked?"""
        where = (Seat.game_id == self.game, Seat.seat == self.seat, Seat.account_id == self.account)
        return ledger.session.scalar(sa.select(Seat.seat).where(*where, Seat.since_seq <= self.seq)) is not None


@dataclass(frozen=True)
class Addressed:
    """What a proven reply proves about its address: that it was written to `us`, and its signed `subject`, or ""."""

    us: bool
    subject: str = ""

    def confirms(self, code: str) -> bool:
        """Was it written to us about this draft? Only the mail about the draft has the code."""
        return self.us or re.search(rf"(?<![a-z0-9])#{code}(?![a-z0-9])", self.subject.lower()) is not None


class ReplyDecision(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of a reply; `entry` and `message` are the numbers of what it logged and said, if anything."""

    did: str
    lead: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    board: str = ""
    entry: int | None = None
    message: int | None = None
    answers: str = ""  # the Message-ID of the reply
    confirms: bool = False  # a reply to the answer can confirm the draft


def decide_reply(ledger: Ledger, asked: AnsweredQuestion, text: Text, to: Addressed) -> ReplyDecision:
    """Carry out the reply if possible. Without proof that it was written to us it is only a draft, to be confirmed."""
    table = ledger.table
    if not asked.holds(ledger):
        return _of_former(ledger, asked)
    runs = table.stage == "running"
    knows = commands_of(table.game, table.state, asked.seat) if runs else lambda *_: False
    said = parse_reply(text.written, knows, _names_of(ledger, asked), is_cut=text.is_cut)
    if (of_word := _of_word(ledger, asked, said, to)) is not None:
        return of_word
    if said.word == "confirm" and runs:
        return _confirmed(ledger, asked, to)
    if not said.said:
        return _of_turn(ledger, asked, said, to)
    only_said = not said.commands and not said.trouble
    found = ReplyDecision("said") if only_said else _of_turn(ledger, asked, said, to)
    return _with_words(ledger, asked, said, found, to)


def _of_former(ledger: Ledger, asked: AnsweredQuestion) -> ReplyDecision:
    """For a player who has lost the seat since then, or lost it and taken it back."""
    if ledger.session.get_one(Seat, (asked.game, asked.seat)).account_id == asked.account:
        return ReplyDecision("late", (TAKEN_BACK,))
    return ReplyDecision("left", ("The seat is no longer yours, so nothing was done.",))


def _of_turn(ledger: Ledger, asked: AnsweredQuestion, said: ParsedReply, to: Addressed) -> ReplyDecision:
    table = ledger.table
    if table.stage != "running":
        how = "was cancelled" if table.stage == "cancelled" else "has already finished"
        return ReplyDecision("over", (f"The game {how}, so nothing was done.",))
    question = table.questions[asked.seat]
    if question is None or asked.seat in table.gone:
        return ReplyDecision("late", ("Nothing was done: it is not your turn.",))
    if question.seq > asked.seq:
        return ReplyDecision("late", (ANOTHER_TURN,))
    ledger.check_goes_on()
    if said.trouble or not said.commands:
        return ReplyDecision("unread", (_unread(table, asked.seat, said),))
    return _of_commands(ledger, asked, said, to)


def _confirmed(ledger: Ledger, asked: AnsweredQuestion, to: Addressed) -> ReplyDecision:
    """Play the draft, on the entry for which it was saved."""
    ledger.check_goes_on()
    plan, table = drafts.mailed_draft(ledger.session, asked.game, asked.account), ledger.table
    if plan is None:
        return ReplyDecision("unconfirmed", ("Nothing was done: there is no draft move to confirm.",))
    if not table.created["unsigned"]:
        return ReplyDecision(
            "sign", ("Only signed moves are played at this table. Check and sign your draft move there.",)
        )
    if plan.size != table.size:
        moved_on = "Nothing was done: the game has moved on since your draft move was saved. Send your commands again."
        return ReplyDecision("late", (moved_on,))
    if not to.confirms(drafts.code_of(ledger.services, plan)):
        return ReplyDecision("unconfirmed", (UNCONFIRMED,))
    steps = meaning(table.game, table.state, asked.seat, plan.notation)
    drafts.drop_draft(ledger.session, asked.game, asked.seat)
    return _played(ledger, asked, steps)


def _with_words(
    ledger: Ledger, asked: AnsweredQuestion, said: ParsedReply, found: ReplyDecision, to: Addressed
) -> ReplyDecision:
    """Pass the words on to the table, and add that to the decision; the rest of the reply stands by itself."""
    text, why = spoken(said.said), ""
    if not to.us:
        why = UNPASSED
    elif not 0 < len(text) <= LONGEST:
        why = f"A message has 1 to {LONGEST:,} characters."
    else:
        try:
            written = say_in(ledger.services, ledger.session, ledger.game, asked.account, NewMessage(text, "mail"))
        except Problem as no:
            why = str(body_of(no)["title"])
        else:
            ledger.events += written.events
            return replace(found, lead=(*found.lead, SENT), message=written.message.n)
    did = "unsaid" if found.did == "said" else found.did
    return replace(found, did=did, lead=(*found.lead, f"Your words were not sent to the table. {why}"))


def _names_of(ledger: Ledger, asked: AnsweredQuestion) -> frozenset[str]:
    """Words that a signature may consist of: the writer's name, and their address before the @."""
    account = ledger.session.get_one(Account, asked.account)
    return frozenset(re.findall(r"[^\W\d_]+", normal(f"{account.name} {asked.email.rpartition('@')[0]}")))


def _of_word(ledger: Ledger, asked: AnsweredQuestion, said: ParsedReply, to: Addressed) -> ReplyDecision | None:
    if said.word == "stop":
        seat = ledger.session.get_one(Seat, (asked.game, asked.seat))
        switched_off.stop_table(ledger.session, seat, None, ledger.services.now())
        return ReplyDecision("stopped", (STOPPED, GOES_ON) if ledger.table.stage == "running" else (STOPPED,))
    if said.word in SHOWN:  # what is shown is read when the answer is sent
        return ReplyDecision(said.word)
    if said.word == "hint":
        return _hint(ledger, asked, to)
    if said.word == "help":
        return ReplyDecision("help", HELP)
    if said.word in SIGNED and ledger.table.stage == "running":
        return ReplyDecision("sign", (SIGNED[said.word],))
    return None


def _hint(ledger: Ledger, asked: AnsweredQuestion, to: Addressed) -> ReplyDecision:
    """Mark a hint for everyone at the table, if that allows it; nothing is played."""
    if not to.us:
        return ReplyDecision("no-hint", (f"You got no hint. {UNPASSED}", "Ask for one on the game's page."))
    ledger.check_goes_on()
    names = tuple(
        clean(name or "") or f"Seat {seat + 1}" for seat, name in enumerate(seat_names(ledger.session, ledger.game))
    )
    at = Perspective(ledger.session.get_one(Game, ledger.game.id), ledger.table, asked.seat, names)
    try:
        hints.check(at)
    except Problem as no:
        return ReplyDecision("no-hint", (str(body_of(no)["title"]),))
    hints.mark(ledger.services, ledger.session, at)
    return ReplyDecision("hint")  # found when the answer is sent


def _unread(table: Table, seat: int, said: ParsedReply) -> str:
    shown = _shown(said)
    match said.trouble:
        case "unread":
            return (
                f"Nothing was done: the line {shown} follows a command but is not a command. Put an empty line first."
            )
        case "late":
            return f"Nothing was done: {shown} comes after other text. Write the commands at the top of your reply."
        case "silent":
            return "Nothing was done: there is no text below `say`. Write your words on the lines right below it."
        case "wordy":
            return f"Nothing was done: there are more than {MOST_SAID} lines below `say`."
        case "long":
            return "Nothing was done: your reply is too long to be read to its end. Delete what you do not need."
        case "look-alike":
            return f"Nothing was done: the line {shown} has letters of another alphabet. Type it in plain letters."
    if not said.line:
        return "Nothing was done: your reply does not contain a command."
    return (
        f"Nothing was done: your reply does not begin with a command but with {shown}.{_slip(table, seat, said.line)}"
    )


def _slip(table: Table, seat: int, line: str) -> str:
    """The problem with a line that begins like a command, since it was meant as one."""
    if not begins(table.game, line):
        return ""
    try:
        meaning(table.game, table.state, seat, line)
    except EngineFault:
        raise
    except SealedMoveError as no:
        return f" {_why(table, no)}"
    return ""


def _of_commands(ledger: Ledger, asked: AnsweredQuestion, said: ParsedReply, to: Addressed) -> ReplyDecision:
    table, moves = ledger.table, ledger.table.created["unsigned"]
    try:
        steps = meaning(table.game, table.state, asked.seat, "\n".join(said.commands))
        if (ended := _ended_before(table, asked.seat, steps)) is not None:
            return ReplyDecision("refused", (ended,), said.commands)
        if moves and to.us and said.word != "preview":
            return _named(_played(ledger, asked, steps), said)
        found = _previewed(ledger, asked, steps, keep=said.word != "preview")
    except EngineFault:
        raise
    except Problem:
        raise
    except SealedMoveError as no:
        did = "unread" if isinstance(no, BadNotation) else "refused"
        return ReplyDecision(did, (f"Nothing was done: {_why(table, no)}",), said.commands)
    found = _named(found, said)
    if not moves or found.did != "planned":
        return found
    return replace(found, lead=(*found.lead, UNADDRESSED), confirms=True)


def _named(found: ReplyDecision, said: ParsedReply) -> ReplyDecision:
    """Adds the unread rest of the reply, unless it was only a signature."""
    if not said.line or found.did == "refused":
        return found
    return replace(found, lead=(*found.lead, f"Your reply from {_shown(said)} on was not read as commands."))


def _shown(said: ParsedReply) -> str:
    return f'"{clean(said.line)[:80]}"'


def _ended_before(table: Table, seat: int, steps: Sequence[Step]) -> str | None:
    """The refusal if the turn ends before the last command, whatever chance decides.

    The rules would play the first commands and drop the rest, but the writer meant all of them.
    """
    if len(steps) == 1:
        return None
    seen = replay.preview(table.game, table.state, seat, steps)
    if seen.certain or seen.refusal is not None or table.hidden:
        return None
    ends = seen.done if seat not in active(table.game, seen.state) else seen.done + 1
    late = next((step for step in steps[ends:] if not step.may_skip), None)
    if late is None or not all(_is_over(table, seat, steps[:ends], number) for number in range(THROWS)):
        return None
    last, first = format_command(steps[ends - 1].command), format_command(late.command)
    return (
        f'Nothing was done: your turn ends with "{last}", but "{first}" follows it. Leave out what follows your turn.'
    )


def _is_over(table: Table, seat: int, steps: Sequence[Step], number: int) -> bool:
    """Is the seat's turn over after this, whatever is drawn? Uses other draws than the game's own."""
    turn = Turn(table.state, imagined_lane(number), imagined_lane(number))
    try:
        moved = replay.move(table.game, turn, seat, steps)
    except SealedMoveError:
        return False
    return moved.refusal is None and seat not in active(table.game, turn.state)


def _played(ledger: Ledger, asked: AnsweredQuestion, steps: Sequence[Step]) -> ReplyDecision:
    composed = play_by_mail(ledger, asked.seat, steps)
    entry = composed.table.size - 1
    lead = [f"Your move was played as entry {entry} of the log."]
    if composed.refusal is not None:
        stopped = explain(composed.table.game, composed.refusal)
        lead.append(f"Your move stopped after command {composed.done} of {len(steps)}. {stopped}")
    lead.append("The move is not signed: only this server vouches for it.")
    return ReplyDecision("played", tuple(lead), _lines(steps), entry=entry)


def _previewed(ledger: Ledger, asked: AnsweredQuestion, steps: Sequence[Step], *, keep: bool) -> ReplyDecision:
    """The certain effects, in the seat's own view. A draft that the rules refuse is not kept."""
    table, seat, names = ledger.table, asked.seat, _names(ledger)
    seen = replay.preview(table.game, table.state, seat, steps)
    if seen.refusal is not None:
        return ReplyDecision(
            "refused", (f"Nothing was done: {explain(table.game, seen.refusal, names)}",), _lines(steps)
        )
    lead = ["Your draft move was saved. It is not played until you check it and sign it."]
    if keep:
        drafts.keep_draft(ledger, seat, steps)
    else:
        lead = ["This is a preview. Nothing was played."]
    if not seen.certain:
        lead.append(ENDS_IN_HIDDEN if table.hidden else ENDS_IN_CHANCE)
    events = tuple(said for event in seen.events if (said := tell(redact(event, seat), names)))
    board = table.game.board(engine_view(table.game, seen.state, seat), names)
    return ReplyDecision("planned" if keep else "preview", tuple(lead), _lines(steps), events, board)


def _lines(steps: Sequence[Step]) -> tuple[str, ...]:
    return tuple(("try " if step.may_skip else "") + format_command(step.command) for step in steps)


def _why(table: Table, no: SealedMoveError) -> str:
    """The refusal as a sentence of the game, of the notation or of the server."""
    says = no.facts.get("says")
    if isinstance(no, BadNotation) and isinstance(says, str):
        return f"{says}."
    if no.code in table.game.refusals:
        return explain(table.game, no)  # type: ignore[arg-type]  # its codes are of refusals
    told = body_of(no)
    candidates = no.facts.get("candidates")
    several = f" Possible commands: {', '.join(map(str, candidates))}." if isinstance(candidates, tuple) else ""
    return f"{told['title']}{several}"


def _names(ledger: Ledger) -> tuple[str, ...]:
    """The names as people read them everywhere: with badges for bots, and with seats where names look alike."""
    called = seat_names(ledger.session, ledger.game)
    return tuple(name or f"Seat {seat}" for seat, name in enumerate(called, start=1))
