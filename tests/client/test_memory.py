"""What is kept of a game outlives the process, and a crash in the middle of it."""

from client.memory import Memory
from client.signing import Signed


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


def test_the_unanswered_act_is_kept(tmp_path):
    """It comes back as it was signed, text included, until it is dropped."""
    memory = Memory(tmp_path)
    assert memory.pending() is None
    memory.keep_pending(Signed("a.b.c", "{}"))
    assert Memory(tmp_path).pending() == Signed("a.b.c", "{}")
    memory.drop_pending()
    assert memory.pending() is None


def test_the_note_and_what_speaks_against_it(tmp_path):
    """The last note stays; one that contradicts it is put beside it as evidence."""
    memory = Memory(tmp_path)
    assert memory.note() is None
    memory.keep_note("held\n")
    where = memory.keep_evidence("contradicts\n")
    assert Memory(tmp_path).note() == "held\n"
    assert where.read_text() == "contradicts\n"
