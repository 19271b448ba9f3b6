"""`sealedmove watch`: the public log of a running game, checked as it grows."""

import json

import pytest

from client.commands import watch
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.signed import keys
from tests.client.replay_server import ReplayServer, pig, watching
from tests.kit.games.bids import BidsOptions
from tests.kit.play_record import GAME_ID, Record, seed_of


@pytest.fixture
def run(monkeypatch, tmp_path):
    return watching(monkeypatch, tmp_path)


# --- a good game ------------------------------------------------------------------------------------------------------


def test_a_game_is_followed_to_its_end(run):
    """A line for each entry, then the verdict; no token is sent."""
    record = pig()
    shown = ReplayServer(record, 1)
    done = run(shown)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert [int(line.split()[0]) for line in lines[: len(record.lines)]] == list(range(len(record.lines)))
    assert lines[len(record.lines)] == ""
    assert lines[len(record.lines) + 1] == "holds: a finished game, under a key that was compared with nothing"
    assert shown.tokens == {None}
    assert {query["after"] for what, query in shown.asked if what == "log"} == {
        str(seq) for seq in range(-1, len(record.lines) - 1)
    }


def test_watch_uses_long_polls(run):
    """A server that does not hold requests is polled with pauses."""
    shown = ReplayServer(pig(), 3)
    shown.grows = False
    shown.on_sleep = lambda: setattr(shown, "grows", True)
    assert run(shown).exit_code == 0
    waits = [query["wait"] for what, query in shown.asked if what == "log"]
    assert waits[0] == "0"
    assert set(waits[1:]) == {"25"}
    assert shown.slept == [watch.LEAST_ROUND]


def test_a_long_log_comes_in_pages(run):
    """The checkpoint of each page counts later entries too."""
    shown = ReplayServer(pig(), grows=False)
    shown.limit = 2
    done = run(shown, "--once")
    assert done.exit_code == 0
    assert len([what for what, _ in shown.asked if what == "log"]) == -(-len(shown.record.lines) // 2)


def test_each_kind_of_entry_has_its_sentence(run):
    """Seats count from 1."""
    record = Record("bids", seats=3, seed=2, options=BidsOptions(lots=2), start=False, handover="both")
    for seat in (0, 1):
        record.join(seat, bot=seat == 1)
    record.leave(0)
    record.join(0, recovery=b"r" * 32)
    record.remove(1)
    record.join(1)
    record.join(2)
    record.start()
    record.add_key(0)
    record.drop_key(0, record.table.occupants[0].keys[0][0])
    record.offer(1)
    record.offer(1, is_open=False)
    record.offer(1)
    record.take(1, bot=True)
    record.grant([0, 2], 5400)
    for seat in (2, 0, 1):
        record.expire(seat)
    record.resign(2)
    record.expire(2)
    record.cancel("stopped")
    done = run(ReplayServer(record), "--once")
    assert done.exit_code == 0, done.output
    said = [line[29:] for line in done.stdout.splitlines()[: len(record.lines)]]
    assert said[0].startswith(
        "Bids (rules 1, hidden) for 3 seats at games.example; 3 days a turn, then a grace period of 5 minutes"
    )
    assert said[1].startswith("Seat 1 joined with the key ")
    assert said[2].startswith("Seat 2 joined, a bot with the key ")
    assert said[3] == "Seat 1 left."
    assert said[4].endswith(" and a recovery key.")
    assert said[5] == "The server removed Seat 2."
    assert said[8].startswith("The game starts.")
    assert said[9].startswith("Seat 1 added the key ")
    assert said[10].startswith("Seat 1 dropped the key ")
    assert said[11:13] == ["Seat 2 is offered to others.", "Seat 2 is no longer offered."]
    assert said[14].startswith("Seat 2, which was offered, was taken, a bot with the key ")
    assert said[15] == "The server gave Seat 1 and Seat 3 1 hour 30 minutes more (host)."
    assert said[16].startswith("The time of Seat 3 ran out: the server played a default move.")
    assert said[19].startswith("Seat 3 resigned.")
    assert said[20].startswith("The server played a default move for Seat 3, which has resigned.")
    assert said[21] == "The server cancelled the game: stopped."


def test_absent_seats_and_recovery_keys_are_shown(run):
    record = Record("pig", seed=2, start=False, handover="absent")
    record.join(0, recovery=b"r" * 32)
    record.join(1)
    record.start()
    record.recover(0, b"r" * 32, new=b"n" * 32)
    for _ in range(4):
        record.expire(record.table.active[0])
    record.take(0)
    said = run(ReplayServer(record), "--once").stdout
    only, new = (keys.thumbprint(keys.public_of(seed)) for seed in (seed_of(0, 3), b"n" * 32))
    assert f"The recovery key of Seat 1 makes {only} the only keys of Seat 1 and is replaced by {new}." in said
    assert "Seat 1, whose holder was absent, was taken with the key " in said


def test_the_end_is_shown_with_the_ranking(run):
    """And the reason why the game is over."""
    record = pig()
    scores = record.table.state.scores
    best = max((0, 1), key=lambda seat: scores[seat])
    said = run(ReplayServer(record), "--once").stdout
    end = f"The end. Somebody has reached the goal. 1. Seat {best + 1} ({scores[best]}). "
    assert f"{end}2. Seat {2 - best} ({scores[1 - best]})." in said


def test_once_does_not_wait(run):
    """All existing entries are checked."""
    shown = ReplayServer(pig(2), grows=False)
    done = run(shown, "--once")
    assert done.exit_code == 0
    assert "holds: a running game" in done.stdout
    assert not shown.slept


def test_a_running_hidden_game_is_open(run):
    """Exit 3: its moves can be checked at the end."""
    done = run(ReplayServer(Record("bids", seed=2).play(1)), "--once")
    assert done.exit_code == 3
    assert "open: a running game" in done.stdout


def test_a_hidden_game_is_followed_to_its_end(run):
    """The audit of the bundle gives the verdict."""
    done = run(ReplayServer(Record("bids", seats=3, seed=2, options=BidsOptions(lots=2)).play(), 2))
    assert done.exit_code == 0, done.output
    assert "holds: a finished game" in done.stdout


def test_json_is_an_object_a_line(run):
    """Entries, and then the whole report."""
    record = pig()
    found = [json.loads(line) for line in run(ReplayServer(record, 2), "--json").stdout.splitlines()]
    assert [one["is"] for one in found] == ["entry"] * len(record.lines) + ["verdict"]
    assert found[-1]["verdict"] == "holds"
    assert found[5]["hash"] == canonical.to_base64url(leaf(record.lines[5]))


# --- outages ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [None, 500, 503])
def test_an_outage_is_waited_for(run, status):
    """Its begin and end are shown, and nothing is lost."""
    record = pig()
    shown = ReplayServer(record, 3)
    shown.status = status

    def fails_once(what, content):
        if shown.size == 5 and what == "log":
            shown.between = lambda what, content: content
            shown.away = 20
        return content

    shown.between = fails_once
    done = run(shown)
    assert done.exit_code == 0, done.output
    assert done.stdout.count("the server does not answer; trying again until it does: ") == 1
    assert done.stdout.count("the server answers again, after ") == 1
    assert max(shown.slept) <= watch.LONGEST_PAUSE
    assert [query["wait"] for what, query in shown.asked if what == "log"].count("0") > 10
    assert f"\n{len(record.lines) - 1:>5}  " in done.stdout


def test_a_page_of_a_proxy_is_an_outage(run):
    """An answer in HTML, or an empty one, is not the server's."""
    shown = ReplayServer(pig(), 3)
    strange = [b"<html>Back soon</html>", b""]
    shown.between = lambda what, content: strange.pop() if strange and shown.size > 4 else content
    done = run(shown)
    assert done.exit_code == 0, done.output
    assert "the server answers again" in done.stdout


def test_a_server_that_is_down_at_the_start_is_waited_for(run):
    """Unless it answers that there is no such game."""
    shown = ReplayServer(pig(), 3)
    shown.status, shown.away = None, 8
    assert run(shown).exit_code == 0


def test_with_once_an_outage_exits_with_2(run):
    """Nothing was judged."""
    shown = ReplayServer(pig())
    shown.away = 100
    done = run(shown, "--once")
    assert done.exit_code == 2
    assert "the game cannot be followed: " in done.stdout


def test_an_unknown_game_exits_with_2(run):
    """Only the server says so."""
    shown = ReplayServer(pig())
    shown.away, shown.status = 1, 404
    done = run(shown)
    assert done.exit_code == 2
    assert "404 away: not now" in done.stdout


def test_a_servers_text_is_printed_without_escapes(run):
    """They would control the terminal."""
    shown = ReplayServer(pig())
    shown.away, shown.status, shown.detail = 1, 404, "\x1b]0;owned\x07"
    done = run(shown)
    assert "]0;owned" in done.stdout
    assert "\x1b" not in done.stdout


def test_ctrl_c_stops_the_watch(run):
    """It prints how far it came, and exits like a stopped program."""
    shown = ReplayServer(pig(), 3)

    def stop(what, content):
        if shown.size == 5:
            raise KeyboardInterrupt
        return content

    shown.between = stop
    done = run(shown)
    assert done.exit_code == 130
    assert done.stdout.endswith("stopped; the log holds so far (4 entries)\n")


# --- a copy -----------------------------------------------------------------------------------------------------------


def test_a_copy_is_kept_and_continued(run, tmp_path):
    """Known entries are checked again but not printed again; at the end the whole bundle is there."""
    record, copy = pig(), tmp_path / "copy"
    assert run(ReplayServer(pig(2), grows=False), "--once", "--keep", copy).exit_code == 0
    assert (copy / GAME_ID / "log").read_bytes() == b"".join(line + b"\n" for line in record.lines[:6])
    shown = ReplayServer(record, 6)
    done = run(shown, "--keep", copy)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("       - the log kept before holds (6 entries)\n    6  ")
    assert shown.asked[0][1]["after"] == "5"
    assert (copy / GAME_ID / "bundle.txt").read_bytes() == record.bundle()
    assert not list((copy / GAME_ID).glob("evidence/*"))


def test_without_a_folder_nothing_is_left(run, tmp_path):
    """If the game passes."""
    assert run(ReplayServer(pig()), "--once").exit_code == 0
    assert not list(tmp_path.iterdir())


def test_a_damaged_copy_judges_nobody(run, tmp_path):
    """Exit 2: the fault is in the watcher's own disk."""
    copy = tmp_path / "copy"
    run(ReplayServer(pig(2), grows=False), "--once", "--keep", copy)
    log = copy / GAME_ID / "log"
    log.write_bytes(log.read_bytes().replace(b'"seq":3', b'"seq":4'))
    done = run(ReplayServer(pig()), "--once", "--keep", copy)
    assert done.exit_code == 2
    assert "the stored copy does not hold" in done.stderr
