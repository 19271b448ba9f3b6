"""A player at a table: whole games, lost answers, races, and a server that cheats."""

import json

import pytest

from client import keys, openings, signing
from client.game import Player
from client.http import ApiError, NoAnswerError
from client.log import SKEW, DistrustError
from client.memory import Memory
from engine import selfplay
from engine.record import base64url, jws, seals
from engine.record.entry import read_entry
from engine.record.keys import public_of

from .house import NOW, SEED, House


class At:
    """A player who says whose eyes he looks through before he asks: the house knows no tokens."""

    def __init__(self, house, folder, number, **given):
        self.house = house
        key = keys.Key(bytes([number]) * 32)
        given = {"clock": lambda: house.now, **given}
        self.player = Player(house.api(), house.id, key, Memory(folder / f"player-{number}"), **given)

    def __getattr__(self, name):
        self.house.asked = self.player.seat if self.player.log.size else None
        return getattr(self.player, name)


@pytest.fixture
def sit(tmp_path):
    """A house with a game and its players in their seats."""

    def seated(key, seats=2):
        house = House(key, seats)
        players = [At(house, tmp_path, number) for number in range(seats)]
        for player in players:
            player.join()
        return house, players

    return seated


def play_on(house, players, most=10_000):
    """Random moves, one command each, until the end."""
    choice = selfplay.lanes(bytes(32), "choice")
    for _ in range(most):
        if house.table.is_over:
            return
        player = players[house.table.active[0]]
        assert player.wait()
        listed = player.legal()
        player.move([listed[choice.roll(len(listed))]["command"]])


@pytest.mark.parametrize(("key", "seats"), [("pig", 2), ("bids", 3)])
def test_a_whole_game(sit, key, seats):
    """Played to its end; every player's copy is the whole log, its openings fit its seals, its state the end's."""
    house, players = sit(key, seats)
    play_on(house, players)
    for player in players:
        player.sync()
        assert [entry.line for entry in player.log.entries] == house.lines
        assert player.table.outcome == house.table.outcome
        assert player.wait() is False
        assert len(player.openings()) == (len(house.openings) if key == "bids" else 0)


def test_a_player_picks_up_where_he_left(sit, tmp_path):
    """Another process reads the checked log and the note from the folder, and plays on with the same nonce."""
    house, players = sit("pig")
    play_on(house, players, most=6)
    again = At(house, tmp_path, 0)
    assert again.log.size == players[0].log.size
    assert again.log.note == players[0].log.note
    again.sync()
    assert again.seat == 0
    play_on(house, [again, players[1]])
    assert house.table.stage == "finished"


# --- answers that are lost ------------------------------------------------------------------------------------------


def test_a_lost_answer_is_got_again_by_the_same_bytes(sit):
    """The act was logged, the answer lost: it is sent again as it was, and stands in the log once."""
    house, players = sit("pig")
    size, house.lost = len(house.lines), 2
    entry = players[0].move([{"do": "roll"}])
    assert entry.seq == size
    assert len(house.lines) == size + 1
    assert house.posted[-1] == house.posted[-2] == house.posted[-3]
    assert players[0].memory.pending() is None


def test_an_act_never_answered_is_sent_again_by_the_next_process(sit, tmp_path):
    """Nobody answers and the process dies; the next one sends the same bytes first and learns that it was logged."""
    house, players = sit("pig")
    players[0].sync()
    size, house.lost = len(house.lines), 100
    with pytest.raises(NoAnswerError):
        players[0].player._act("move", lambda place: pytest.fail("signed twice") if house.posted[3:] else _roll(place))
    house.lost = 0
    again = At(house, tmp_path, 0)
    again.sync()
    assert len(house.lines) == size + 1
    assert again.log.size == size + 1
    assert len(set(house.posted[2:])) == 1
    assert again.memory.pending() is None


def _roll(place):
    return signing.move(keys.Key(bytes(32)), place, [{"do": "roll"}])


def test_one_nonce_a_game(tmp_path):
    """A join that was refused and tried again brings the same nonce, so the server cannot choose among several."""
    house = House("pig", 2)
    one, two = At(house, tmp_path, 0), At(house, tmp_path, 1)
    one.sync()
    two.join(0)
    with pytest.raises(ApiError) as caught:
        one.join(0)
    assert caught.value.code == "seat-taken"
    one.join(1)
    nonces = {read_jws(body)["nonce"] for body in house.posted[1:]}
    assert len(nonces) == 1


def read_jws(body):
    return jws.read(json.loads(body)["jws"]).payload


# --- races ----------------------------------------------------------------------------------------------------------


def test_a_bid_overtaken_by_another_is_signed_again(sit):
    """Both bid upon the same head; the second answer still means the same, and its text and salt stay as they were."""
    house, players = sit("bids")
    for player in players:
        player.sync()
    players[0].move([{"do": "bid", "amount": 1}])
    stale = players[1].player
    stale._send_again = lambda: None
    stale.sync = lambda wait=0: []
    entry = stale.move([{"do": "bid", "amount": 2}])
    first, second = (json.loads(body) for body in house.posted[-2:])
    assert first["jws"] != second["jws"]
    assert first["text"] == second["text"]
    assert entry.body["jws"] == second["jws"]


def test_an_answer_to_another_question_is_not_signed_again(sit):
    """If it would not mean the same any more, the player is told and decides anew."""
    house, players = sit("pig")
    players[0].sync()
    elsewhere = At(house, players[0].memory.folder / "elsewhere", 0)
    elsewhere.sync()
    elsewhere.move([{"do": "roll"}])
    stale = players[0].player
    stale.sync = lambda wait=0: []
    posted = len(house.posted)
    with pytest.raises(ApiError) as caught:
        stale.move([{"do": "hold"}])
    assert caught.value.code == "stale-head"
    assert len(house.posted) == posted + 1


# --- servers that cheat ---------------------------------------------------------------------------------------------


def refuses(player, code):
    """The player distrusts with this code, and signs nothing from then on."""
    posted = len(player.house.posted)
    with pytest.raises(DistrustError) as caught:
        player.sync()
    assert caught.value.code == code
    player.house.between = lambda path, value: value
    with pytest.raises(DistrustError):
        player.player._act("move", lambda place: pytest.fail("signed"))
    assert len(player.house.posted) == posted


def test_a_rewritten_past_is_a_fork_with_proof(sit, tmp_path):
    """Two histories of one length signed by the server: nothing is signed, and the other note is kept as evidence."""
    house, players = sit("pig")
    players[0].move([{"do": "roll"}])
    body = json.loads(house.lines[-1]) | {"at": "2026-11-21T10:00:01Z"}
    house.lines[-1] = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    refuses(players[0], "fork")
    assert players[0].memory.has_evidence()
    restarted = At(house, tmp_path, 0)
    assert restarted.log.broken is not None


def test_a_shortened_log_is_refused(sit):
    """A note of fewer entries than the last one is old and harmless; entries that the note counts must be shown."""
    house, players = sit("pig")
    players[0].sync()
    players[1].sync()
    players[0].move([{"do": "roll"}])
    house.between = lambda path, value: value | {"entries": []} if path == "log" else value
    refuses(players[1], "short-log")


def test_an_entry_from_the_future_is_refused(sit):
    """Dated ahead of our own clock by more than two honest clocks may differ."""
    house, players = sit("pig")
    slow = At(house, players[0].memory.folder / "slow", 0, clock=lambda: NOW - SKEW - 1)
    refuses(slow, "ahead-of-time")


def test_a_foreign_note_is_refused(sit):
    """Signed with another key than entry 0 names."""
    house, players = sit("pig")
    players[0].sync()
    house.seed = bytes(32)
    refuses(players[0], "unsigned-note")


def test_another_game_under_our_id_is_refused(sit):
    """The log shown to us must be the log of the game that we asked for."""
    house, players = sit("pig")
    other = House("pig", 2)
    new = At(house, players[0].memory.folder / "new", 0)
    house.between = lambda path, value: other.get_log({"after": -1}) if path == "log" else value
    refuses(new, "other-game")


def test_a_server_key_known_from_elsewhere_is_held_to(sit):
    """Who knows the server's key does not take another one from entry 0."""
    house, players = sit("pig")
    folder = players[0].memory.folder
    At(house, folder / "right", 0, server_key=public_of(SEED)).sync()
    refuses(At(house, folder / "wrong", 0, server_key=public_of(bytes(32))), "other-server-key")


def test_a_beginning_that_the_rules_do_not_give_is_refused(sit):
    """A chain of another length than the game's, or a false `hidden`, is found before anything is signed."""
    house, players = sit("pig")
    for member, value in (("hidden", True), ("chance", {"chain": "A" * 43, "draws": 5})):
        other = House("pig", 2, game_id=house.id)
        body = json.loads(other.lines[0]) | {member: value}
        other.lines[0] = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
        house.between = lambda path, shown, other=other: other.get_log({"after": -1}) if path == "log" else shown
        new = At(house, players[0].memory.folder / member, 0)
        with pytest.raises(DistrustError, match="wrong-"):
            new.sync()


def test_a_person_whom_the_log_calls_a_bot_signs_nothing(tmp_path):
    """The nonces of bots have no part in the dice: a server that calls us one wants to choose them."""
    house = House("pig", 2)
    house.bots = True
    person = At(house, tmp_path, 0)
    for act in (person.join, person.leave):
        with pytest.raises(DistrustError, match="called-a-bot"):
            act()
    assert len(house.lines) == 2


def test_a_loaded_die_is_refused(sit):
    """The server logs another result than the key throws: the next signature is not given."""
    house, players = sit("pig")
    players[0].sync()
    players[1].sync()
    players[0].move([{"do": "roll"}])
    body = json.loads(house.lines[-1])
    body["draws"]["got"][0][1] = (body["draws"]["got"][0][1] + 1) % 6
    house.lines[-1] = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    with pytest.raises(DistrustError):
        players[1].sync()


def test_a_false_opening_is_found(sit):
    """A seat is told another card than was sealed for it, or one that it was never told."""
    house, players = sit("bids")
    players[0].sync()

    def lie(path, value):
        if path == "openings":
            value[0]["events"][2]["colour"] = "red" if value[0]["events"][2]["colour"] != "red" else "blue"
        return value

    house.between = lie
    with pytest.raises(DistrustError, match="wrong-opening"):
        players[0].openings()


def test_an_opening_of_another_entry_is_found(sit):
    """Sealed for us, but not what everybody was told of this entry."""
    _house, players = sit("bids")
    players[0].sync()
    entry = players[0].log.entries[-1]
    assert entry.kind == "started"
    salt, events = bytes(32), [{"is": "LotShown", "colour": "red"}]
    entry.body["seals"][0] = seals.seal(salt, events)
    told = {"seq": entry.seq, "salt": base64url.encode(salt), "events": events}
    with pytest.raises(DistrustError, match="another entry"):
        openings.check(players[0].table, entry, 0, told)


def test_a_false_view_is_found(sit):
    """In an open game the position shown must be the one that the log gives."""
    house, players = sit("pig")
    players[0].sync()
    house.between = lambda path, value: value | {"view": value["view"] | {"pot": 9}} if path == "view" else value
    with pytest.raises(DistrustError, match="other-view"):
        players[0].view()


def test_an_answer_to_something_else_is_found(sit):
    """The entry that comes back must log what we signed."""
    house, players = sit("pig")
    players[0].sync()
    joined = house.lines[1]
    shown = {"entry": joined.decode(), "note": house.note(2)}
    house.between = lambda path, value: shown if path == "act" else value
    with pytest.raises(DistrustError, match="other-answer"):
        players[0].move([{"do": "roll"}])
    assert read_entry(house.lines[-1]).kind == "moved"


def test_a_refused_move_says_why_and_changes_nothing(sit):
    """The rule's code comes through, nothing is logged, nothing is left to be sent again."""
    house, players = sit("pig")
    with pytest.raises(ApiError) as caught:
        players[0].move([{"do": "hold"}])
    assert caught.value.code == "nothing-to-hold"
    assert players[0].memory.pending() is None
    assert len(house.lines) == 4


def test_leaving_and_resigning(sit, tmp_path):
    """Before the start a seat is given up, after it the game; the last one left has won."""
    lobby = House("pig", 2)
    one = At(lobby, tmp_path / "lobby", 0)
    one.join()
    one.leave()
    assert one.seat is None
    house, players = sit("pig")
    players[1].resign()
    assert house.table.outcome["places"] == [[0], [1]]
