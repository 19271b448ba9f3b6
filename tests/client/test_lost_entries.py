"""A server that has fewer entries than it signed for: it was restored from a backup, or replaces its history."""

import pytest

from client.errors import DistrustError, HeldUpError
from client.http import ApiError
from engine.record.signed import note

from .dishonest import lose, say, stale
from .fake_server import problem
from .people import BID, At, distrusts

TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]  # always ends the turn


# --- a server that was restored from an older backup ------------------------------------------------------------------


def test_lost_entries_of_an_open_game_are_submitted(sit):
    """The server replays them to the same bytes, and the game goes on."""
    house, _, players = sit("pig")
    players[0].move(TURN)
    players[1].move(TURN)
    players[0].sync()
    lines = list(house.lines)
    house.restore(4)
    assert players[0].sync() == []
    assert house.lines == lines
    players[1].sync()
    players[0].move(TURN)
    assert house.lines[:-1] == lines
    assert players[0].log.broken is None
    assert players[0].evidence == []


def test_a_lost_start_and_a_lost_default_move_are_submitted_too(sit):
    """No player signed them; the server's own checkpoint covers them."""
    house, _, players = sit("pig")
    house.expire(0)
    players[1].sync()
    lines = list(house.lines)
    house.restore(2)
    players[1].sync()
    assert house.lines == lines


def test_a_lost_sealed_move_is_submitted_with_its_text(sit, tmp_path):
    """The client has stored the text, for other processes too."""
    house, way, players = sit("bids")
    players[0].move(BID)
    lines = list(house.lines)
    house.restore(4)
    At(house, tmp_path, 0, way).sync()
    assert house.lines == lines


def test_the_note_is_sent_before_the_entries(sit):
    """A server that knows of its loss waits, and accepts a longer body than usual."""
    house, way, players = sit("pig")
    players[0].move(TURN)
    house.restore(4)
    way.order.clear()
    players[0].sync()
    assert way.order == ["log", "compare", "missing", "log"]


def test_a_lost_sealed_move_waits_for_its_player(sit):
    """Only its player has the text: nobody is accused and nothing is signed until they submit it."""
    house, _, players = sit("bids")
    players[0].move(BID)
    players[1].move(BID)
    players[0].sync()
    lines = list(house.lines)
    house.restore(4)
    posted = len(house.posted)
    for _ in range(2):
        with pytest.raises(HeldUpError):
            players[0].move(BID)
    assert house.lines == lines[:5]
    assert len(house.posted) == posted
    assert players[0].log.broken is None
    players[1].sync()
    assert house.lines == lines
    players[0].move(BID)


def test_the_note_is_kept_until_the_server_has_its_entries(sit):
    house, _, players = sit("bids")
    players[0].move(BID)
    players[1].move(BID)
    players[0].sync()
    house.restore(4)
    with pytest.raises(HeldUpError):
        players[0].sync()
    kept = players[0].evidence[-1]
    assert (kept["what"], kept["shown"]) == ("shortened-log", 4)
    assert note.read(kept["note"]).size == 6


# --- a server that denies its signature -------------------------------------------------------------------------------


def test_a_server_that_refuses_its_own_entries_is_distrusted(sit, tmp_path):
    """It shows four entries, has signed for five, and refuses the fifth."""
    house, way, players = sit("pig")
    players[0].move(TURN)
    way.reads |= {"log": stale(house, 4), "missing": lambda request: problem(422, "bad-signature")}
    distrusts(players[0], "shortened-log", again=lambda: At(house, tmp_path, 0, way))
    assert note.read(players[0].evidence[-1]["note"]).size == 5


@pytest.mark.parametrize("answer", [{"taken": 1, "lacks": None, "stopped": False}, {"taken": 0, "lacks": 4}, {}, []])
def test_a_server_that_accepts_entries_but_does_not_show_them_is_distrusted(sit, answer):
    """Only the log counts; an open move needs no text."""
    house, way, players = sit("pig")
    players[0].move(TURN)
    way.reads |= {"log": stale(house, 4), "missing": say(200, json=answer)}
    distrusts(players[0], "shortened-log")


def test_lacking_a_text_that_we_submitted_does_not_excuse_the_server(sit):
    """It claims to lack the text that was just submitted."""
    house, way, players = sit("bids")
    players[0].move(BID)
    way.reads |= {"log": stale(house, 4), "missing": say(200, json={"taken": 0, "lacks": 4, "stopped": True})}
    distrusts(players[0], "shortened-log")


def test_a_restored_server_that_went_on_is_a_fork(sit, tmp_path):
    """An unaware player signed on the shorter log. Our checkpoint proves the longer one."""
    house, way, players = sit("pig")
    players[0].move(TURN)
    other = house.twin(4)
    other.now += 60
    At(other, tmp_path / "there", 0).move(TURN)
    house.lines, house.tables = other.lines, other.tables
    distrusts(players[0], "fork", again=lambda: At(house, tmp_path, 0, way))


def test_a_shorter_log_with_another_end_is_a_fork(sit):
    """Three entries, of which the last differs from ours."""
    house, way, players = sit("pig")
    players[0].move(TURN)
    house.restore(3)
    house.falsify(at="2026-11-21T10:00:09Z")
    way.reads["missing"] = lambda request: pytest.fail("nothing is handed in to a fork")
    distrusts(players[0], "fork")


def test_entries_too_large_to_submit_accuse_nobody(sit):
    """The limit is the server's, or a proxy's."""
    house, way, players = sit("pig")
    players[0].move(TURN)
    house.restore(4)
    way.reads["missing"] = lambda request: problem(413, "too-large")
    with pytest.raises(HeldUpError):
        players[0].sync()
    assert players[0].log.broken is None


# --- a longer note than the log ---------------------------------------------------------------------------------------


def test_entries_of_a_longer_note_are_waited_for(sit, tmp_path):
    """Another player's checkpoint counts five entries, the log has four: the server gets the checkpoint, and until its
    log has the fifth, no process signs anything.
    """
    house, way, players = sit("pig")
    players[0].move(TURN)
    way.reads["log"] = stale(house, 4)
    house.between = lambda path, value: way.order.append("told") or value if path == "compare" else value
    mail = players[0].memory.note().replace("\n", "\r\n")
    assert players[1].heed(mail) == ["newer"]
    assert "told" in way.order
    posted = len(house.posted)
    for one in (players[1], At(house, tmp_path, 1, way)):
        with pytest.raises(HeldUpError):
            one.resign()
    assert len(house.posted) == posted
    assert players[1].log.broken is None
    way.reads.clear()
    players[1].sync()
    assert players[1].memory.note_ahead() is None
    players[1].move(TURN)


def test_a_log_that_contradicts_a_longer_note_is_a_fork(sit, tmp_path):
    """The checkpoint covers the fifth entry, and the log shows another fifth."""
    house, way, players = sit("pig")
    other = house.twin(4)
    At(other, tmp_path / "there", 0).move(TURN)
    assert players[1].heed(other.note()) == ["newer"]
    house.longest = 0  # it should wait for those entries, but acts as if it had never seen the note
    players[0].move(TURN)
    distrusts(players[1], "fork", again=lambda: At(house, tmp_path, 1, way))
    assert players[1].memory.note_ahead() == other.note()


def test_a_longer_note_that_the_log_has_reached_is_accepted(sit):
    """The other player only read it earlier."""
    _, _, players = sit("pig")
    players[0].move(TURN)
    assert players[1].heed(players[0].memory.note()) == ["same"]
    players[1].move(TURN)


def test_a_stopped_game_raises_its_code(sit):
    """Somebody has shown the server a longer checkpoint; we have no more entries either."""
    house, _, players = sit("pig")
    longer = note.write("games.example", house.id, 9, bytes(32), house.seed)
    house.post_compare({"note": longer})
    with pytest.raises(HeldUpError, match="lines-missing"):
        players[0].move(TURN)
    assert players[0].log.broken is None
    assert not isinstance(players[0].log.broken, (DistrustError, ApiError))


# --- a fork is shown to the server ------------------------------------------------------------------------------------


@pytest.fixture
def forked(sit, tmp_path):
    """A player in one history and the server in another: after a restore, another player moved."""
    house, way, players = sit("pig")
    other = house.twin(4)
    players[0].move(TURN)
    At(other, tmp_path / "there", 0).move(TURN)
    At(other, tmp_path / "there", 1).move(TURN)
    house.lines, house.tables = other.lines, other.tables
    return house, way, players[0]


def test_a_fork_is_sent_to_the_server_once_the_evidence_is_stored(forked):
    """Without a token and without a request; the server checks it, and stops the game."""
    house, way, player = forked
    mine, kept = player.memory.note(), []
    way.reads["compare"] = lambda _request: kept.append(player.memory.evidence.distrust())
    house.asks.clear()
    with pytest.raises(DistrustError, match="broken-chain"):
        player.sync()
    assert house.compared == [mine]
    assert [token for path, token in house.asks if path == "compare"] == [None]
    assert [one.code for one in kept] == ["broken-chain"]


def test_a_fork_is_sent_once(forked):
    """Later commands report the finding without a request."""
    house, _, player = forked
    for _ in range(3):
        with pytest.raises(DistrustError, match="broken-chain"):
            player.sync()
    assert len(house.compared) == 1


def test_a_contradicting_note_from_a_mail_is_sent(sit, tmp_path):
    """The server may not know that it has signed two histories."""
    house, _, players = sit("pig")
    other = house.twin(4)
    players[0].move(TURN)
    rival = At(other, tmp_path / "there", 0)
    rival.move(TURN)
    with pytest.raises(DistrustError, match="fork"):
        players[0].heed(rival.memory.note())
    assert rival.memory.note() in house.compared


def test_a_longer_note_that_the_log_contradicts_later_is_shown_too(sit):
    """It came by mail, and the log reached its number in another way."""
    house, _, players = sit("pig")
    longer = note.write("games.example", house.id, len(house.lines) + 1, bytes(32), house.seed)
    assert players[0].heed(longer) == ["newer"]
    house.compared.clear()
    house.longest = 0
    again = At(house, players[0].memory.folder.parent, 0)
    players[1].sync()
    house.grant([0], 3600)
    with pytest.raises(DistrustError, match="fork"):
        again.sync()
    assert longer in house.compared


@pytest.mark.parametrize("broken", [lose, lambda: say(503), lambda: say(429)])
def test_a_server_that_refuses_the_note_changes_nothing(forked, broken):
    """The finding stays, and the player learns that the server has not seen the proof."""
    _, way, player = forked
    way.reads["compare"] = broken()
    with pytest.raises(DistrustError, match="broken-chain"):
        player.sync()
    assert player.memory.evidence.distrust().code == "broken-chain"
    assert any("was not shown" in text for text in player.said)


# --- a machine that was signed out ------------------------------------------------------------------------------------


def test_a_deleted_game_keeps_its_last_note(forked):
    """Without the log it still proves that the server has another history now."""
    house, _, player = forked
    mine = player.memory.note()
    player.memory.forget()
    assert sorted(path.name for path in player.memory.folder.iterdir()) == ["evidence", "note"]
    again = At(house, player.memory.folder.parent, 0)
    with pytest.raises(DistrustError, match="fork"):
        again.sync()
    assert house.compared == [mine]


def test_a_forgotten_game_keeps_a_longer_note_and_what_did_not_hold(sit):
    """Both forbid signatures until they are cleared up, whoever signs in next."""
    house, _, players = sit("pig")
    longer = note.write("games.example", house.id, 9, bytes(32), house.seed)
    players[0].heed(longer)
    players[1].heed(longer)
    with pytest.raises(DistrustError):
        players[1].heed(note.write("games.example", house.id, len(house.lines), bytes(32), house.seed))
    for player in players:
        player.memory.forget()
    assert players[0].memory.note_ahead() == longer
    assert players[1].memory.evidence.distrust().code == "fork"


def test_a_deleted_game_is_not_evidence_against_a_server_that_waits(sit):
    """This machine cannot submit deleted entries, but it sends the checkpoint."""
    house, _, players = sit("pig")
    players[0].move(TURN)
    players[0].memory.forget()
    house.restore(4)
    again = At(house, players[0].memory.folder.parent, 0)
    with pytest.raises(HeldUpError):
        again.sync()
    assert len(house.compared) == 1
    assert again.memory.evidence.distrust() is None
