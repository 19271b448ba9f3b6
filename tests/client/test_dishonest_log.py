"""A log that fails a check: forks, forged entries, moves that nobody signed. The client signs nothing."""

import json

import pytest
from msgspec.structs import replace

from client.errors import DistrustError, NotAgreedError
from client.http import NoAnswerError
from engine.record.audit import consistency
from engine.record.compose import entries as compose
from engine.record.encoding import canonical
from engine.record.log.entry import read_entry
from engine.record.signed import note

from .dishonest import Proxy, say
from .fake_server import CLOCK, HOST, SECRET, SEED, FakeServer
from .people import ROLL, At, distrusts, seated

TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]  # always ends the turn
MIXED = "nqPxH1vTTwzXFH_QpDbAiPYkxhAMHfalPAop4F1gzqA"  # a point of mixed order: see conformance/vectors/keys.json


@pytest.fixture
def sit(tmp_path):
    """A server with a game and its players in their seats."""
    return lambda key, seats=2, **given: seated(tmp_path, key, seats, **given)


# --- two histories ----------------------------------------------------------------------------------------------------


def test_a_rewritten_past_is_a_fork(sit, tmp_path):
    """Two histories of one length signed by the server: both checkpoints are kept."""
    house, players = sit("pig")
    players[0].move(ROLL)
    house.falsify(at="2026-11-21T10:00:01Z")
    distrusts(players[0], "fork", again=lambda: At(house, tmp_path, 0))
    held, shown = note.read(players[0].memory.note()), note.read(players[0].evidence[-1]["note"])
    assert held.size == shown.size == 5
    assert held.hash != shown.hash


def test_a_fork_with_new_lines_is_kept_whole(sit, tmp_path):
    """The other history goes on where ours stood, and its lines do not continue ours: lines and note are kept, and with
    our own log they prove two histories to anybody."""
    house, players = sit("pig")
    other = house.twin(4)
    players[0].move(TURN)
    rival = At(other, tmp_path / "there", 0)
    rival.move(TURN)
    At(other, tmp_path / "there", 1).move(TURN)
    house.lines, house.tables = other.lines, other.tables
    distrusts(players[0], "broken-chain", again=lambda: At(house, tmp_path, 0))
    kept = players[0].evidence[-1]
    assert [line.encode() for line in kept["entries"]] == other.lines[5:]
    mine = consistency.of_lines(
        "mine", players[0].memory.lines(), players[0].log.entries[0], [players[0].memory.note()]
    )
    theirs = consistency.of_lines("theirs", other.lines, read_entry(other.lines[0]), [kept["note"]])
    assert consistency.compare(mine, theirs).relation == "fork"


def test_another_players_note_reveals_two_histories(sit, tmp_path):
    """Each is shown another log. The other's checkpoint, from a mail, proves the fork, and is kept."""
    house, players = sit("pig")
    other = house.twin(4)
    players[0].move(TURN)
    rival = At(other, tmp_path / "there", 0)
    rival.move(TURN)
    said = rival.memory.note()
    distrusts(
        players[0], "fork", lambda: players[0].heed(f"Look what I have:\n\n{said}"), lambda: At(house, tmp_path, 0)
    )
    assert players[0].evidence[-1]["note"] == said


def test_notes_of_one_history_agree(sit):
    """The same or an older one; with a mail's line ends, quoted, and with text around it."""
    _, players = sit("pig")
    first = players[1].memory.note()
    players[0].move(TURN)
    last = players[0].memory.note()
    mail = "On Monday Ben wrote:\r\n> " + "\r\n> ".join(first.split("\n")) + "\r\nand now\n\n" + last
    assert players[0].heed(mail) == ["older", "same"]
    assert players[0].heed(last.replace("\n", "\r\n")) == ["same"]
    assert players[0].heed("there is no note in this") == []
    assert players[0].evidence == []


def test_a_checkpoint_is_checked_before_the_first_look(sit, tmp_path):
    """The log is read first."""
    house, players = sit("pig")
    assert At(house, tmp_path / "new", 5).heed(players[0].memory.note()) == ["same"]


def test_a_note_that_anybody_could_have_made_is_ignored(sit):
    """With another key, or of another game: no fork, no distrust, nothing stored."""
    house, players = sit("pig")
    forged = note.write(HOST, house.id, 3, bytes(32), bytes(32))
    elsewhere = FakeServer("pig", 2).note()
    assert players[0].heed(forged + "\n" + elsewhere) == ["unsigned", "other-game"]
    assert players[0].log.broken is None
    players[0].move(ROLL)


# --- entry 0 ----------------------------------------------------------------------------------------------------------


def beginning(house, **members):
    """From now on the server shows another entry 0."""
    house.lines[0] = canonical.dumps(canonical.loads(house.lines[0]) | members)


def test_another_game_under_our_id_is_refused(sit, tmp_path):
    """The log must be of the requested game."""
    house, _ = sit("pig")
    other = FakeServer("pig", 2)
    house.lines = other.lines
    house.note = other.note
    distrusts(At(house, tmp_path / "new", 0), "other-game")


def test_a_game_of_another_host_is_refused(tmp_path):
    """The client signs only for the host in its settings."""
    house = FakeServer("pig", 2)
    beginning(house, server="elsewhere.example")
    house.note = lambda size=None: note.write("elsewhere.example", house.id, 1, read_entry(house.lines[0]).hash, SEED)
    distrusts(At(house, tmp_path, 0), "other-game")


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"hidden": True}, "wrong-hidden"),
        ({"chance": {"chain": "A" * 43, "draws": 5}}, "wrong-total"),
        ({"server_key": MIXED}, "bad-key"),
        ({"clock": CLOCK | {"grace": 0}}, "bad-clock"),
        ({"seats": 9}, "bad-seats"),
        ({"v": 1.0}, "bad-number"),
    ],
)
def test_an_invalid_entry_0_is_refused(tmp_path, members, code):
    """A chain that the rules do not use, a false `hidden`, a server key of mixed order, a clock out of bounds."""
    house = FakeServer("pig", 2)
    body = canonical.loads(house.lines[0]) | members
    house.lines[0] = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    house.note = lambda size=None: note.write(HOST, house.id, 1, bytes(32), SEED)
    player = At(house, tmp_path, 0)
    distrusts(player, code)
    assert house.posted == []


def test_unknown_rules_accuse_nobody(tmp_path):
    """An unknown game or version cannot be checked: nothing is signed, and nobody accused."""
    house = FakeServer("pig", 2)
    beginning(house, rules={"data": None, "game": "pig", "version": 7})
    player = At(house, tmp_path, 0)
    with pytest.raises(Exception, match="newer-rules") as caught:
        player.join()
    assert not isinstance(caught.value, DistrustError)
    assert player.log.broken is None
    assert house.posted == []


# --- moves that nobody signed -----------------------------------------------------------------------------------------


def test_joining_an_unsigned_table_needs_consent(tmp_path):
    """Only the server attests unsigned moves, so the user must agree, not the client."""
    house = FakeServer("pig", 2, unsigned=True)
    with pytest.raises(NotAgreedError):
        At(house, tmp_path, 0).join()
    assert house.posted == []
    assert At(house, tmp_path, 0, unsigned=True).join() == 0


def unsigned_move(house, seat, commands=TURN):
    house.append(compose.compose_unsigned(house.table, SECRET, house.at, seat, "mail", commands))


def test_an_unsigned_move_of_our_seat_is_distrust(tmp_path):
    """Others may play by mail at such a table, but nobody may play our seat without our key."""
    house = FakeServer("pig", 2, unsigned=True)
    _, players = seated(tmp_path, house=house, unsigned=True)
    unsigned_move(house, 0)
    players[1].sync()
    distrusts(players[0], "unsigned-move", again=lambda: At(house, tmp_path, 0, unsigned=True))


def test_a_player_who_also_plays_by_mail_accepts_unsigned_moves_of_the_seat(tmp_path):
    """With `by_mail` at the start."""
    house = FakeServer("pig", 2, unsigned=True)
    _, players = seated(tmp_path, house=house, unsigned=True, by_mail=True)
    unsigned_move(house, 0)
    players[0].sync()
    assert players[0].log.size == 5


def test_an_unsigned_move_at_a_signed_table_is_refused(sit):
    """At any seat."""
    house, players = sit("pig")
    lax = replace(house.table, created={**house.table.created, "unsigned": True})
    house.append(compose.compose_unsigned(lax, SECRET, house.at, 0, "page", TURN))
    distrusts(players[1], "unsigned-move")


def test_a_person_logged_as_a_bot_signs_nothing(tmp_path):
    """The nonces of bots do not count for draws. The entry must repeat what the player signed."""
    house = FakeServer("pig", 2)

    def call_a_bot(path, value):
        if path == "act":
            house.falsify(bot=True)
            return {"entry": house.lines[-1].decode(), "note": house.note()}
        return value

    house.between = call_a_bot
    person = At(house, tmp_path, 0)
    distrusts(person, "wrong-bot", person.join, lambda: At(house, tmp_path, 0))


# --- notes and lines --------------------------------------------------------------------------------------------------


def test_entries_that_the_note_counts_must_be_shown(sit):
    """A checkpoint that counts more entries than the page shows."""
    house, players = sit("pig")
    players[0].move(ROLL)
    house.between = lambda path, value: value | {"entries": []} if path == "log" else value
    distrusts(players[1], "short-log")


def test_a_note_of_another_key_is_refused(sit):
    """Not the key in entry 0."""
    house, players = sit("pig")
    players[0].move(ROLL)
    house.seeds = (bytes(32),)
    distrusts(players[1], "unsigned-note")


def test_a_line_with_other_than_ascii_is_refused(tmp_path):
    """Every character that JSON can hold, half a surrogate pair included."""
    house = FakeServer("pig", 2)
    way = Proxy(house)
    _, players = seated(tmp_path, house=house, way=way)
    page = f'{{"entries": ["\\u00e9\\ud800"], "note": {json.dumps(house.note())}}}'.encode()
    way.reads["log"] = say(200, content=page, headers={"Content-Type": "application/json"})
    distrusts(players[1], "not-ascii")


NO_PAGE = [{"json": []}, {"json": {"entries": 1, "note": ""}}, {"json": {"entries": [1], "note": ""}}, {"text": "<h1>"}]


@pytest.mark.parametrize("answer", NO_PAGE)
def test_an_answer_that_is_not_a_page_of_a_log_accuses_nobody(tmp_path, answer):
    """A proxy may have sent it."""
    house = FakeServer("pig", 2)
    way = Proxy(house)
    _, players = seated(tmp_path, house=house, way=way)
    way.reads["log"] = say(200, **answer)
    with pytest.raises(NoAnswerError):
        players[0].sync()
    way.reads = {}
    players[0].move(ROLL)


def test_an_endless_log_is_read_up_to_a_limit(sit, monkeypatch):
    """In bytes; reaching it accuses nobody."""
    house, players = sit("pig")
    monkeypatch.setattr("client.public_log.MOST_AT_ONCE", 2**16)
    endless = {"entries": [""] * 50, "note": note.write(HOST, house.id, 10**9, bytes(32), SEED)}
    house.between = lambda path, value: endless if path == "log" else value
    with pytest.raises(Exception, match="too-large"):
        players[0].sync()
    assert players[0].log.size == 4


# --- reading ----------------------------------------------------------------------------------------------------------


def test_the_log_is_read_without_the_token(sit):
    """So that a server can hardly show one player another log; private data is read with it."""
    house, players = sit("pig")
    house.asks.clear()
    players[0].wait()
    players[0].legal()
    players[0].move(TURN)
    players[0].bundle()
    shown = {(path, token is not None) for path, token in house.asks}
    assert {("log", False), ("view", True), ("legal", True), ("bundle", False)} <= shown
    assert ("log", True) not in shown


def test_the_client_sends_no_cookies_back(tmp_path):
    """They could reveal the reader."""
    house = FakeServer("pig", 2)
    way, carried = Proxy(house), []

    def with_cookie(request):
        carried.append(request.headers.get("Cookie"))
        answer = house(request)
        answer.headers["Set-Cookie"] = "who=ada"
        return answer

    way.acts = with_cookie
    way.reads = {"log": with_cookie, "view": with_cookie}
    _, players = seated(tmp_path, house=house, way=way)
    players[0].wait()
    assert set(carried) == {None}
