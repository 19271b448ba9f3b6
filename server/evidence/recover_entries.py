"""Entries lost in a restore and submitted by anyone who has them: checked and stored, then the game continues.

    a note by the game's own key names the last line, and each line the one before it
    -> the lines agree with our log -> each text belongs to a sealed move in them
    -> each line is decided again (`restore_entry`) and stored -> once complete: time is granted, players are notified

The note proves that every line up to its end was ours, so nothing can be forged. Lines are checked outside of the
game's lock and stored in batches under it, so that nobody waits long, a process that dies leaves less to do, and two
submissions at once continue each other. A sealed move's text is kept until its line can be stored, so every player
needs to submit only once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.errors import BadRecord, EngineFault
from engine.record.compose.entries import Composed
from engine.record.encoding.canonical import leaf
from engine.record.judge.restore import restore_entry, sealed_in
from engine.record.log.entry import Entry as Line
from engine.record.log.entry import read_entry
from engine.record.log.table import Table
from engine.record.signed.moves import seal_move
from engine.record.signed.note import Note
from server.kernel import metrics, secrets
from server.kernel.db.models import Entry, Game, HandedText, ShownNote
from server.kernel.db.tables import lock_game
from server.kernel.errors import Problem
from server.kernel.logs import log
from server.kernel.services import Services
from server.log import note_check, recovery
from server.log.ledger import open_for_writing, stop_game
from server.tables.read import game_row

A_BATCH = 100


@dataclass(frozen=True, slots=True)
class RecoveredEntries:
    """How many lines were stored; `lacks` is the number of the first whose text is missing; the game as it is now."""

    count: int
    lacks: int | None
    game: Game
    note: str


def submit_missing(
    services: Services, game_id: str, lines: Sequence[str], text: str, texts: Mapping[int, str]
) -> RecoveredEntries:
    """Store as many lines as can be decided. `text` contains the note, `texts` the sealed moves' texts by number."""
    notes = note_check.check_notes(services, game_id, note_check.notes_in(text))
    chain = read_chain(lines, [one.note for one in notes if one.is_good and one.note is not None])
    _check_fits(services, game_id, chain)
    _keep_texts(services, game_id, chain, texts)
    try:
        count, lacks = _recover(services, game_id, chain)
    except EngineFault as fault:
        stop_game(services, game_id, fault)
        raise
    with services.database.read() as session:
        game = game_row(session, game_id)
    return RecoveredEntries(count, lacks, game, services.note_of(game, game.head_seq + 1, game.head_hash))


def _check_fits(services: Services, game_id: str, chain: Chain) -> None:
    """The lines must begin at or before the end of our log and agree with it; otherwise two histories were signed."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        forked = _forked_at(session, game, chain)
        is_given_up = services.tables.of(session, game).has_lost(chain.size, chain.head)
    if forked is not None and is_given_up:
        raise Problem("entries-given-up", size=forked)
    if forked is not None:
        _report_fork(services, game_id, chain)
        raise Problem("fork", size=forked)
    if chain.first > game.head_seq + 1:
        raise Problem("broken-lines", line=0, found=chain.first, expected=game.head_seq + 1)


def _forked_at(session: Session, game: Game, chain: Chain) -> int | None:
    """The size of the log at which the lines contradict our log, or a note for which entries are awaited."""
    logged = sa.select(Entry.seq + 1, Entry.leaf_hash).where(
        Entry.game_id == game.id, Entry.seq.between(chain.first - 1, min(chain.size - 1, game.head_seq))
    )
    awaited = sa.select(ShownNote.size, ShownNote.hash).where(
        ShownNote.game_id == game.id, ShownNote.relation == note_check.AWAITED, ShownNote.size <= chain.size
    )
    for size, ours in [*session.execute(logged.order_by(Entry.seq)), *session.execute(awaited)]:
        if chain.hash_at(size) not in (None, ours):
            return int(size)
    over = game.status in ("finished", "cancelled") and chain.size > game.head_seq + 1
    return game.head_seq + 2 if over else None


def _report_fork(services: Services, game_id: str, chain: Chain) -> None:
    """Keep the note at the end of the lines as evidence of a fork; a stopped game stays stopped."""
    one = Note(services.settings.server_name, game_id, chain.size, chain.head, (), "")
    with services.database.write() as session:
        reports = note_check.keep(services, session, lock_game(session, game_id), [note_check.CheckedNote("fork", one)])
    note_check.report(reports)


def _keep_texts(services: Services, game_id: str, chain: Chain, texts: Mapping[int, str]) -> None:
    """Kept until their lines are recovered: other players submit the texts of their own moves."""
    if not texts:
        return
    with services.database.write() as session:
        found = texts_in(chain, texts, lock_game(session, game_id).head_seq + 1)
        known = set(session.scalars(sa.select(HandedText.sealed).where(HandedText.game_id == game_id)))
        rows = [{"game_id": game_id, "sealed": sealed, "text": found[sealed]} for sealed in found.keys() - known]
        if rows:
            session.execute(sa.insert(HandedText), rows)


# --- line by line -----------------------------------------------------------------------------------------------------


def _recover(services: Services, game_id: str, chain: Chain) -> tuple[int, int | None]:
    """Store batch after batch, until none is left or a text is missing: how many, and which entry lacks its text."""
    count = 0
    while True:
        head, made, lacks = _decide(services, game_id, chain)
        if not made:
            return count, lacks
        count += _store(services, game_id, head, made)


def _decide(services: Services, game_id: str, chain: Chain) -> tuple[bytes, list[tuple[Line, Composed]], int | None]:
    """The head of the log, and the next lines as far as they can be decided. Holds no lock."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        table = services.tables.of(session, game)
        lines = [(line, sealed_in(line)) for line in chain.after(table.size, A_BATCH)]
        texts = _texts(session, game_id, [sealed for _, sealed in lines if sealed is not None])
    if chain.hash_at(table.size) not in (None, table.head):
        raise Problem("fork", size=table.size)
    head, secret = table.head, secrets.game_secret(services.master, game.secret_r)
    made: list[tuple[Line, Composed]] = []
    for line, sealed in lines:
        if sealed is not None and sealed not in texts:
            return head, made, line.seq
        made.append((line, _again(table, line, secret, texts.get(sealed or ""))))
        table = made[-1][1].table
    return head, made, None


def _texts(session: Session, game_id: str, seals: list[str]) -> dict[str, str]:
    where = (HandedText.game_id == game_id, HandedText.sealed.in_(seals))
    return {row.sealed: row.text for row in session.scalars(sa.select(HandedText).where(*where))}


def _again(table: Table, line: Line, secret: bytes, text: str | None) -> Composed:
    """If our rules cannot repeat a line that we signed, that is a fault of ours, earlier or now."""
    try:
        return restore_entry(table, line, secret, text)
    except BadRecord as bad:
        log.error("line-refused", game=table.game_id, seq=line.seq, code=bad.code)
        raise Problem("line-refused", seq=line.seq, reason=bad.code) from None


def _store(services: Services, game_id: str, head: bytes, made: Sequence[tuple[Line, Composed]]) -> int:
    """Store the lines; returns their number, or 0 if another submission came first."""
    with open_for_writing(services, game_id) as ledger:
        if ledger.table.head != head:
            return 0
        for line, composed in made:
            recovery.restore_holder(ledger, line)
            ledger.restore(composed)
        if not ledger.is_whole and ledger.table.size >= ledger.game.shown_size:
            recovery.resume(ledger)
        size = ledger.table.size
    metrics.LINES_TAKEN.inc(len(made))
    log.info("lines-taken", game=game_id, taken=len(made), size=size)
    return len(made)


# --- submitted lines, read from their end, where a note proves that this server wrote them (pure) ---------------------
# The note names the hash of the last line, and each line that of the one before it. Read backwards, a line that this
# server has not written is rejected by its hash, before it is parsed.


class Chain(msgspec.Struct, frozen=True):
    """Consecutive entries of one game."""

    entries: Sequence[Line]

    @property
    def first(self) -> int:
        return self.entries[0].seq

    @property
    def size(self) -> int:
        """The size of the log that ends with them."""
        return self.entries[-1].seq + 1

    @property
    def head(self) -> bytes:
        return self.entries[-1].hash

    def hash_at(self, size: int) -> bytes | None:
        """The head of the log of this size, by these lines."""
        if size == self.first:
            return self.entries[0].prev
        return self.entries[size - 1 - self.first].hash if self.first < size <= self.size else None

    def after(self, size: int, most: int) -> Sequence[Line]:
        """The next lines for a log of this size."""
        return self.entries[size - self.first : size - self.first + most]


def read_chain(lines: Sequence[str], notes: Sequence[Note]) -> Chain:
    """The lines as entries; `notes` are valid ones of the game.

    Problem `unproven-lines` if none is on a log that ends with the last line, `broken-lines` if a line is not the one
    that the next one names.
    """
    data = [line.encode("utf-8", "surrogatepass") for line in lines]
    end = next((one for one in notes if one.hash == leaf(data[-1])), None)
    if end is None:
        raise Problem("unproven-lines")
    entries: list[Line] = []
    due = end.hash
    for number in reversed(range(len(data))):
        entries.append(_entry(data[number], number, due, end.size - len(entries) - 1))
        due = entries[-1].prev
    return Chain(entries[::-1])


def _entry(line: bytes, number: int, due: bytes, seq: int) -> Line:
    if leaf(line) != due:
        raise Problem("broken-lines", line=number, expected=seq)
    try:
        entry = read_entry(line)
    except BadRecord as bad:
        raise Problem("broken-lines", line=number, expected=seq, reason=bad.code) from None
    if entry.seq != seq:
        raise Problem("broken-lines", line=number, expected=seq, found=entry.seq)
    return entry


def texts_in(chain: Chain, texts: Mapping[int, str], size: int) -> dict[str, str]:
    """By commitment, the sealed moves' texts that a log of this size lacks. BadRecord `wrong-seal` if one is false."""
    found: dict[str, str] = {}
    for seq, text in texts.items():
        if not max(chain.first, size) <= seq < chain.size:
            continue
        sealed = sealed_in(chain.entries[seq - chain.first])
        if sealed is None or seal_move(text) != sealed:
            raise BadRecord("wrong-seal", f"the text is not that of a sealed move in entry {seq}", seq)
        found[sealed] = text
    return found
