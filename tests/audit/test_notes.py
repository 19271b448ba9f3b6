"""The server's notes against the log: the bundle's own, those that somebody kept, and whose key signed them."""

import pytest

from engine.record.audit import audit, consistency
from engine.record.log.entry import read_entry
from engine.record.signed import keys, note
from tests.kit.audited import failed
from tests.kit.play_record import GAME_ID, OTHER_SEED, SERVER, SERVER_SEED, Record, bundle_of

SERVER_KEY = keys.public_of(SERVER_SEED)


def test_a_cut_tail_fails_with_its_old_note_and_holds_with_an_older_one():
    """The report then states that later entries are unknown; a kept note reveals the cut."""
    record = Record("pig").play(4)
    kept = record.note()
    cut = record.lines[:-1]
    whole = record.bundle()
    assert failed(whole.replace(record.lines[-1] + b"\n", b"")) == {"note": None}
    report = audit(bundle_of(cut))
    assert report.verdict == "holds"
    assert f"whether anything was logged after entry {len(cut) - 1}" in report.cannot_know
    assert failed(bundle_of(cut), note=kept) == {"note": None}


def test_a_kept_older_note_is_continued():
    """The mail of each turn carries one."""
    record = Record("pig").play(4)
    report = audit(record.bundle(), note=record.note(size=4))
    assert (report.verdict, report.checks["note"].count) == ("holds", 2)


OTHER_GAME = GAME_ID[:-1] + "2"


@pytest.mark.parametrize(
    "kept",
    ["", "a mail", "x" * 10**6, note.write(SERVER, OTHER_GAME, 1, bytes(32), SERVER_SEED),
     note.write("other.example", GAME_ID, 1, bytes(32), SERVER_SEED)],
    ids=["empty", "no note", "long", "another game's", "another server's"],
)  # fmt: skip
def test_a_text_without_a_note_of_the_game_does_not_fail_it(kept):
    """An empty file, or the mail of another game: nobody can judge by it, and nothing fails."""
    report = audit(Record("pig").bundle(), note=kept)
    assert (report.verdict, report.exit, failed(Record("pig").bundle(), note=kept)) == ("unknown", 2, {})
    assert report.text() == "cannot judge: the text given as a checkpoint has no readable checkpoint of this game"


def test_a_note_that_cannot_be_read_does_not_hide_a_failure():
    """A failure stays one, whatever is given beside the file."""
    record = Record("pig")
    assert audit(record.bundle().replace(record.lines[3] + b"\n", b""), note="").verdict == "fails"


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
    lambda text: f"On Saturday you wrote:\n\n{text}\nThis proves it.",
    lambda text: text + note.write(SERVER, OTHER_GAME, 1, bytes(32), SERVER_SEED),
])  # fmt: skip
def test_a_kept_note_is_read_as_mails_carry_it(change):
    """Line ends, quoting, other text, the note of another game beside it: only the note of this game counts."""
    record = Record("pig").play(4)
    assert audit(record.bundle(), note=change(record.note(size=4))).verdict == "holds"
    forged = note.write(SERVER, GAME_ID, 4, bytes(32), SERVER_SEED)
    assert failed(record.bundle(), note=change(forged)) == {"note": 3}


def test_all_notes_of_a_thread_are_looked_at():
    """An older good one does not cover a newer one that names another history."""
    record = Record("pig").play(4)
    forged = note.write(SERVER, GAME_ID, 5, bytes(32), SERVER_SEED)
    assert failed(record.bundle(), note=record.note(size=4) + forged) == {"note": 4}


def test_a_kept_note_that_is_signed_by_another_key_fails():
    """Either the note or the file is not of the server that the other one names."""
    record = Record("pig").play(4)
    assert failed(record.bundle(), note=note.write(SERVER, GAME_ID, 4, bytes(32), OTHER_SEED)) == {"note": None}


def test_a_note_of_another_key_or_game_fails():
    """It is signed with the key that entry 0 names, over this game."""
    record = Record("pig")
    head = record.table.head
    for server, game, seed in (
        (SERVER, GAME_ID, OTHER_SEED),
        (SERVER, GAME_ID[:-1] + "2", SERVER_SEED),
        ("other.example", GAME_ID, SERVER_SEED),
    ):
        other = note.write(server, game, len(record.lines), head, seed)
        data = record.bundle().replace(record.note().encode(), other.encode())
        assert failed(data) == {"note": None}


def test_the_server_key_reveals_a_fabricated_game():
    """A forger with other keys passes unless the reader knows the server's key."""
    record = Record("pig").play()
    assert audit(record.bundle(), server=SERVER_KEY).verdict == "holds"
    assert failed(record.bundle(), server=keys.public_of(OTHER_SEED)) == {"note": 0}


def test_a_known_player_is_looked_for():
    """The thumbprint that sits in a seat."""
    record = Record("pig").play()
    kid = record.table.occupants[0].kid
    report = audit(record.bundle(), keys={0: kid})
    assert report.verdict == "holds"
    assert not any(kid in item for item in report.cannot_know)
    assert failed(record.bundle(), keys={1: kid}) == {"signatures": 2}
    assert failed(record.bundle(), keys={9: kid}) == {"signatures": None}


@pytest.mark.parametrize(
    ("size", "is_told", "finding"),
    [(5, False, {"note": 4}), (6, False, "open"), (7, False, "open"), (8, True, "open"), (8, False, {"note": 7}),
     (9, False, {"note": 8}), (10, False, {"note": None})],
    ids=["before the loss", "its first", "within", "its end", "another end", "longer than told", "and than the file"],
)  # fmt: skip
def test_a_kept_note_on_lost_entries_convicts_nobody(size, is_told, finding):
    """The log of nine entries states after its fifth that it lost those up to the eighth, which had this hash."""
    told, other = bytes([7]) * 32, bytes([8]) * 32
    record = Record("pig", start=False)
    for seat in range(2):
        record.join(seat)
    record.start()
    record.grant([0], 60)
    assert len(record.lines) == 5
    record.restored(8, told)
    for _ in range(3):
        record.grant([0], 60)
    kept = note.write(SERVER, GAME_ID, size, told if is_told else other, SERVER_SEED)
    if isinstance(finding, dict):
        assert failed(record.bundle(), note=kept) == finding
        return
    report = audit(record.bundle(), note=kept)
    assert (report.verdict, report.checks["note"].ok) == (finding, None)


def test_entries_after_a_stated_loss_are_not_lost():
    """They have the numbers of lost ones, but both logs have the statement, so one continues the other."""
    record = Record("pig")
    record.restored(len(record.lines) + 4, bytes([7]) * 32)
    short, first = list(record.lines), read_entry(record.lines[0])
    record.grant([0], 60)
    one, other = (consistency.of_lines("a log", lines, first) for lines in (short, record.lines))
    assert consistency.compare(one, other).relation == "continues"
