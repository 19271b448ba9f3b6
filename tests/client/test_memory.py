"""The files of a game survive the end of the process, and a crash while writing."""

import os
import secrets
import stat
from concurrent.futures import ThreadPoolExecutor

from client.memory import MOST_LOOKS, MOST_WARNINGS, Memory, Observation, Pending
from client.signing import Signed
from engine.record.signed import moves


def test_a_game_keeps_its_nonce(tmp_path):
    """It is stored before its first use, so another process sends the same; another game has another."""
    assert Memory(tmp_path / "a").nonce() == Memory(tmp_path / "a").nonce()
    assert Memory(tmp_path / "a").nonce() != Memory(tmp_path / "b").nonce()
    assert (tmp_path / "a" / "nonce").stat().st_mode & 0o777 == 0o600


def test_a_signed_act_keeps_its_name_through_a_loss_of_power(tmp_path, monkeypatch):
    """The folder is forced to the disk, too, after the file has got its name."""
    memory, real, forced = Memory(tmp_path), os.fsync, []

    def force(descriptor):
        forced.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), memory.pending() != []))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", force)
    with memory.changing_pending() as acts:
        acts.append(Pending("a.b.c", 7.5))
    assert forced == [(False, False), (True, True)]


def test_lines_are_appended_and_an_incomplete_one_is_dropped(tmp_path):
    """A line without its line feed was cut off by a crash; it is fetched again."""
    memory = Memory(tmp_path)
    memory.keep_lines([b"one", b"two"])
    with (tmp_path / "log").open("ab") as file:
        file.write(b"thr")
    assert memory.lines() == [b"one", b"two"]
    memory.keep_lines([b"three"])
    assert Memory(tmp_path).lines() == [b"one", b"two", b"three"]


def test_unsettled_acts_are_kept(tmp_path):
    """As signed, with text, time and refusal, until they are dropped."""
    memory, act = Memory(tmp_path), Pending("a.b.c", 7.5, "{}", "not-now")
    assert memory.pending() == []
    with memory.changing_pending() as acts:
        acts.append(act)
    assert Memory(tmp_path).pending() == [act]
    assert act.signed == Signed("a.b.c", "{}")
    with memory.changing_pending() as acts:
        acts.clear()
    assert memory.pending() == []


def test_two_processes_forget_none_of_their_unsettled_acts(tmp_path):
    """The second one waits, and reads what the first has stored."""

    def add(name):
        with Memory(tmp_path).changing_pending() as acts:
            acts.append(Pending(name, 7.5))

    with ThreadPoolExecutor(1) as pool:
        with Memory(tmp_path).changing_pending() as acts:
            second = pool.submit(add, "second")
            acts.append(Pending("first", 7.5))
        second.result()
    assert {act.jws for act in Memory(tmp_path).pending()} == {"first", "second"}


def test_two_processes_that_join_at_once_have_one_nonce(tmp_path, monkeypatch):
    """The second one finds the first one's, though there was none when it looked."""
    first, make, made = Memory(tmp_path), secrets.token_bytes, []

    def meanwhile(size):
        if size == 32 and not made:
            made.append(size)
            made.append(Memory(tmp_path).nonce())
        return make(size)

    monkeypatch.setattr(secrets, "token_bytes", meanwhile)
    assert first.nonce() == made[1] == Memory(tmp_path).nonce()


def test_the_last_note_and_a_longer_one_are_kept(tmp_path):
    """Until replaced; the longer one until the log has reached it."""
    memory = Memory(tmp_path)
    assert (memory.note(), memory.note_ahead()) == (None, None)
    memory.keep_note("held\n")
    memory.keep_note_ahead("promised\n")
    assert (Memory(tmp_path).note(), Memory(tmp_path).note_ahead()) == ("held\n", "promised\n")
    memory.drop_note_ahead()
    assert memory.note_ahead() is None


def test_texts_of_sealed_moves_are_found_by_commitment(tmp_path):
    """Each once, as long as the folder exists; an incomplete one is dropped."""
    text = moves.move_text([{"do": "bid"}], bytes(32))
    for _ in range(2):
        Memory(tmp_path).keep_text(text)
    with (tmp_path / "texts").open("ab") as file:
        file.write(b'{"comma')
    assert Memory(tmp_path).texts() == {moves.seal_move(text): text}
    assert (tmp_path / "texts").read_text().count("\n") == 1


def test_looks_are_limited(tmp_path):
    """For each length of the log the first and last time it was seen; of the newest lengths."""
    memory = Memory(tmp_path)
    for size, when in [(1, 10.0), (1, 50.0), (2, 60.0)]:
        memory.keep_look(size, when)
    assert Memory(tmp_path).looks() == [Observation(1, 10.0, 50.0), Observation(2, 60.0, 60.0)]
    for size in range(3, 3 + 2 * MOST_LOOKS):
        memory.keep_look(size, 100.0)
    assert len(memory.looks()) == MOST_LOOKS


def test_warnings_are_kept_once_and_limited(tmp_path):
    """The oldest are dropped."""
    memory = Memory(tmp_path)
    assert memory.keep_warning("late")
    assert not memory.keep_warning("late")
    for number in range(40):
        memory.keep_warning(f"{number} " + "x" * 4000)
    assert (tmp_path / "warnings").stat().st_size <= MOST_WARNINGS
    assert memory.warnings()[-1].startswith("39 ")


def test_only_the_owner_reads_the_folder(tmp_path):
    """Every file in it has mode 0600."""
    memory = Memory(tmp_path / "game")
    memory.nonce()
    memory.keep_lines([b"one"])
    memory.keep_text(moves.move_text([{"do": "bid"}], bytes(32)))
    with memory.changing_pending() as acts:
        acts.append(Pending("a.b.c", 0))
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "game").iterdir() if path.is_file()} == {0o600}
    assert (tmp_path / "game").stat().st_mode & 0o077 == 0
