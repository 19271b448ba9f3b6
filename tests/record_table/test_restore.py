"""A server can decide its own old lines again from the lines, its secret and the texts of the moves."""

import pytest

from engine.errors import BadRecord
from engine.record.compose.entries import Composed
from engine.record.encoding import canonical
from engine.record.judge.restore import restore_entry, sealed_in
from engine.record.log.entry import read_entry
from engine.record.log.fold import open_table
from engine.record.log.table import Table
from engine.record.signed import acts
from engine.record.signed.keys import sign_jws
from tests.kit.play_record import OTHER_SEED, Record

ROLL = [{"do": "roll"}]


class Remembering(Record):
    """A record that remembers everything that was composed."""

    def put(self, made: Composed) -> Composed:
        self.made = [*getattr(self, "made", []), made]
        return super().put(made)


def texts(record: Record) -> dict[int, str]:
    return {opening["seq"]: opening["move"] for opening in record.openings if opening["move"]}


def again(record: Record) -> list[Composed]:
    """All lines but entry 0, decided again one after the other."""
    table, found, moves = open_table(read_entry(record.lines[0])), [], texts(record)
    for line in record.lines[1:]:
        entry = read_entry(line)
        found.append(restore_entry(table, entry, record.secret, moves.get(entry.seq)))
        table = found[-1].table
    return found


def plain(made: Composed) -> tuple[object, ...]:
    refusal = made.refusal and (made.refusal.code, made.refusal.facts)
    return made.line, made.table, made.opening, made.done, refusal


@pytest.mark.parametrize("game", ["pig", "bids"])
def test_every_entry_decided_again_gives_the_same_result(game: str):
    """Lines, tables, openings, and how far each move went, also after handovers and default moves."""
    record = Remembering(game, 3, handover="both", unsigned=True)
    record.add_key(0)
    first = record.table.active[0]
    record.offer(first)
    record.take(first)
    record.grant([first], 600)
    record.move(first, record.choose(first))
    second = record.table.active[0]
    record.unsigned(second, record.choose(second))
    record.expire(record.table.active[0])
    record.resign(0)
    record.play()
    assert {read_entry(line).kind for line in record.lines} >= {"taken", "granted", "expired", "resigned", "offered"}
    assert record.table.stage == "finished"
    assert [plain(made) for made in again(record)] == [plain(made) for made in record.made]


@pytest.mark.parametrize("ended", ["cancel", "leave", "remove"])
def test_the_lobby_and_a_cancelled_game_too(ended: str):
    """With a seat given up, a seat emptied by the server, or the whole game cancelled."""
    record = Remembering("bids", 3, start=False)
    record.join(0)
    record.join(1)
    {"cancel": record.cancel, "leave": lambda: record.leave(1), "remove": lambda: record.remove(0)}[ended]()
    assert [plain(made) for made in again(record)] == [plain(made) for made in record.made]


def test_a_move_that_stopped_halfway_stops_there_again():
    """The rest, refused after a throw, is refused again."""
    record = Remembering("pig", 2)
    seat = record.table.active[0]
    record.move(seat, [*ROLL, *[{"do": "hold"}] * 3])
    assert record.made[-1].refusal is not None
    assert [plain(made) for made in again(record)] == [plain(made) for made in record.made]


def hidden_move() -> tuple[Table, bytes, str, Record]:
    record = Record("bids", 2)
    before = record.table
    record.move(0, [{"do": "bid", "amount": 1}])
    return before, record.lines[-1], texts(record)[before.size], record


@pytest.mark.parametrize(("given", "code"), [("none", "opening-missing"), ("other", "wrong-seal"), ("ä", "not-ascii")])
def test_a_sealed_move_needs_its_exact_text(given: str, code: str):
    """Without it, or with another one, nothing is decided."""
    table, line, text, record = hidden_move()
    wrong = {"none": None, "other": text.replace('"amount":1', '"amount":2'), "ä": "ä"}[given]
    with pytest.raises(BadRecord) as no:
        restore_entry(table, read_entry(line), record.secret, wrong)
    assert no.value.code == code


def test_the_seal_of_a_move_is_read_in_its_signature_or_in_its_line():
    """Signed or unsigned; an open move and any other entry has none."""
    record = Record("bids", 2, unsigned=True)
    record.move(0, [{"do": "bid", "amount": 1}])
    record.unsigned(1, [{"do": "bid", "amount": 2}])
    found = [sealed_in(entry) for entry in record.entries]
    assert [seq for seq, sealed in enumerate(found) if sealed] == [4, 5]
    assert not [entry for entry in Record("pig", 2).play(3).entries if sealed_in(entry)]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"seq": 5}, "wrong-seq"),
        ({"at": "2026-11-21T09:00:00Z"}, "time-goes-back"),
        ({"state": "A" * 43}, "wrong-state"),
    ],
)
def test_a_line_that_cannot_follow_is_refused(change: dict, code: str):
    """A note about it does not help."""
    record = Record("pig", 2)
    before = record.table
    assert before.active == (0,)
    record.move(0, ROLL)
    bad = read_entry(canonical.dumps(canonical.loads(record.lines[-1]) | change))
    with pytest.raises(BadRecord) as no:
        restore_entry(before, bad, record.secret)
    assert no.value.code == code


def test_a_line_without_a_signature_of_its_seat_is_refused():
    """The same commands at the same place, signed with an unknown key."""
    record = Record("pig", 2)
    before = record.table
    jws = sign_jws(OTHER_SEED, acts.move(**record.where(0), commands=ROLL))
    record.move(0, ROLL)
    bad = read_entry(canonical.dumps(canonical.loads(record.lines[-1]) | {"jws": jws}))
    with pytest.raises(BadRecord) as no:
        restore_entry(before, bad, record.secret)
    assert no.value.code == "unknown-key"


def test_a_move_that_the_rules_refuse_is_refused_as_a_line():
    """The code is that of the rules."""
    record = Record("pig", 2)
    before, seat = record.table, record.table.active[0]
    record.move(seat, ROLL)
    forged = Record("pig", 2)
    jws, _ = forged.move_jws(seat, [{"do": "hold"}])
    bad = read_entry(canonical.dumps(canonical.loads(record.lines[-1]) | {"jws": jws}))
    with pytest.raises(BadRecord) as no:
        restore_entry(before, bad, record.secret)
    assert no.value.code == "nothing-to-hold"
    assert no.value.seq == before.size
