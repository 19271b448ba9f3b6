"""The stored files of a game survive the end of the process, and a crash while writing."""

from client.memory import MOST_LOOKS, MOST_WARNINGS, Memory, Observation, Pending
from client.signing import Signed
from engine.record.signed import moves


def test_one_nonce_a_game(tmp_path):
    """It is kept before it is first used, so another process sends the same; another game has another."""
    assert Memory(tmp_path / "a").nonce() == Memory(tmp_path / "a").nonce()
    assert Memory(tmp_path / "a").nonce() != Memory(tmp_path / "b").nonce()
    assert (tmp_path / "a" / "nonce").stat().st_mode & 0o777 == 0o600


def test_lines_add_up_and_a_torn_one_is_dropped(tmp_path):
    """A line without its line feed was cut off by a crash: it is fetched again and takes its place."""
    memory = Memory(tmp_path)
    memory.keep_lines([b"one", b"two"])
    with (tmp_path / "log").open("ab") as file:
        file.write(b"thr")
    assert memory.lines() == [b"one", b"two"]
    memory.keep_lines([b"three"])
    assert Memory(tmp_path).lines() == [b"one", b"two", b"three"]


def test_what_is_not_settled_is_kept(tmp_path):
    """It comes back as it was signed, text, time and refusal included, until it is dropped."""
    memory, act = Memory(tmp_path), Pending("a.b.c", 7.5, "{}", "not-now")
    assert memory.pending() == []
    memory.keep_pending([act])
    assert Memory(tmp_path).pending() == [act]
    assert act.signed == Signed("a.b.c", "{}")
    memory.keep_pending([])
    assert memory.pending() == []


def test_the_last_note_and_one_ahead_of_the_log(tmp_path):
    """Each until it is replaced; the one ahead until the log has come to it."""
    memory = Memory(tmp_path)
    assert (memory.note(), memory.note_ahead()) == (None, None)
    memory.keep_note("held\n")
    memory.keep_note_ahead("promised\n")
    assert (Memory(tmp_path).note(), Memory(tmp_path).note_ahead()) == ("held\n", "promised\n")
    memory.drop_note_ahead()
    assert memory.note_ahead() is None


def test_texts_of_sealed_moves_are_found_by_their_seals(tmp_path):
    """Each once, for as long as the folder is there; a torn one is dropped."""
    text = moves.move_text([{"do": "bid"}], bytes(32))
    for _ in range(2):
        Memory(tmp_path).keep_text(text)
    with (tmp_path / "texts").open("ab") as file:
        file.write(b'{"comma')
    assert Memory(tmp_path).texts() == {moves.seal_move(text): text}
    assert (tmp_path / "texts").read_text().count("\n") == 1


def test_looks_are_bounded(tmp_path):
    """For each length of the log when it was first and last seen so; of the newest lengths."""
    memory = Memory(tmp_path)
    for size, when in [(1, 10.0), (1, 50.0), (2, 60.0)]:
        memory.keep_look(size, when)
    assert Memory(tmp_path).looks() == [Observation(1, 10.0, 50.0), Observation(2, 60.0, 60.0)]
    for size in range(3, 3 + 2 * MOST_LOOKS):
        memory.keep_look(size, 100.0)
    assert len(memory.looks()) == MOST_LOOKS


def test_warnings_are_kept_once_and_bounded(tmp_path):
    """The oldest make room."""
    memory = Memory(tmp_path)
    assert memory.keep_warning("late")
    assert not memory.keep_warning("late")
    for number in range(40):
        memory.keep_warning(f"{number} " + "x" * 4000)
    assert (tmp_path / "warnings").stat().st_size <= MOST_WARNINGS
    assert memory.warnings()[-1].startswith("39 ")


def test_only_the_owner_reads_the_folder(tmp_path):
    """Every file of it has mode 0600."""
    memory = Memory(tmp_path / "game")
    memory.nonce()
    memory.keep_lines([b"one"])
    memory.keep_text(moves.move_text([{"do": "bid"}], bytes(32)))
    memory.keep_pending([Pending("a.b.c", 0)])
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "game").iterdir() if path.is_file()} == {0o600}
    assert (tmp_path / "game").stat().st_mode & 0o077 == 0
