"""The client against the real server, in one process: its app, its store, its clock."""

import sqlite3
from contextlib import closing

import httpx
import pytest

from client import keys, session
from client.errors import HeldUpError, SeatGoneError
from client.game import Player
from client.http import Api, ApiError
from client.memory import Memory
from client.pins import Pins
from engine.record.audit import audit
from engine.record.log.entry import read_entry
from tests.server.conftest import hall, open_house
from tests.server.harness import HOST

__all__ = ["hall", "open_house"]


TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]  # always ends the turn
CLOCK = {"move": 3600, "grace": 60}


class Wire(httpx.BaseTransport):
    """The way to the app. Loses the next `lost` answers after the app has given them."""

    def __init__(self, app):
        self.app, self.lost, self.statuses = httpx.WSGITransport(app=app), 0, []

    def handle_request(self, request):
        answer = self.app.handle_request(request)
        answer.read()
        if request.method == "POST":
            self.statuses.append(answer.status_code)
        if self.lost and request.method == "POST":
            self.lost -= 1
            raise httpx.ReadTimeout("lost")
        return answer


@pytest.fixture
def wire(hall):
    return Wire(hall.app)


@pytest.fixture
def sign_in(hall, wire):
    """Sign a person in by the link in a mail, and register a key."""
    http, waits = httpx.Client(transport=wire), []

    def signed_in(name):
        api = Api(f"https://{HOST}", None, http, waits.append)
        session.request_link(api, f"{name}@example.org", name)
        one = session.confirm(api, hall.link(f"{name}@example.org"))
        session.register_key(one, keys.Key(name.encode().ljust(32)))
        return one

    yield signed_in
    http.close()


@pytest.fixture
def seat(hall, tmp_path):
    """A player of a session at a game, with the server's clock."""

    def seated(who, game, key=None, folder=""):
        key = key or keys.Key(who.name.encode().ljust(32))
        memory = Memory(tmp_path / f"{who.name}{folder}" / game)
        return Player(who.api, game, key, memory, clock=lambda: hall.clock().timestamp(), tell=said.append)

    said = []
    seated.said = said

    return seated


@pytest.fixture
def table(sign_in, seat):
    """A started game and its players."""

    def started(key, names):
        people = [sign_in(name) for name in names]
        game = session.create_game(people[0], key, len(names), clock=CLOCK, handover="both", offer_wait=0)
        players = [seat(who, game) for who in people]
        for player in players:
            player.join()
        return people, players

    return started


@pytest.mark.parametrize("key", ["pig", "bids"])
def test_a_whole_game(table, key):
    """By turns lists, legal commands, checked views and openings, to the same log for all."""
    people, players = table(key, ["ada", "ben", "cy"])
    for _ in range(300):
        owing = [n for n, who in enumerate(people) if session.turns(who)]
        if not owing:
            break
        player = players[owing[-1]]
        assert player.wait()
        player.move([player.legal()[-1]["command"]])
        player.openings()
    for player in players:
        assert player.wait(0) is False
        player.openings()
    assert len({player.table.head for player in players}) == 1
    assert players[0].table.stage == "finished"


def test_a_lost_answer(table, wire):
    """The move is logged once, and found in the log before it is sent a second time; sent again it is answered 200."""
    _, players = table("pig", ["ada", "ben"])
    wire.lost, wire.statuses = 1, []
    entry = players[0].move([{"do": "roll"}])
    assert wire.statuses == [201]
    assert entry.seq == players[0].table.size - 1
    path = f"/v1/games/{players[0].game}/moves"
    again = players[0].api.act(path, {"jws": entry.body["jws"]})
    assert (again.status, again.value["entry"].encode()) == (200, entry.line)


def test_two_answers_at_once(table):
    """Both bid on one head: the second learns that its bid still means the same, and signs it again."""
    _, players = table("bids", ["ada", "ben"])
    for player in players:
        player.sync()
    players[1].move([{"do": "bid", "amount": 2}])
    players[0].sync = lambda wait=0: []
    entry = players[0].move([{"do": "bid", "amount": 1}])
    assert entry.body["seat"] == 0
    assert entry.seq == 5


def test_a_second_machine(table, seat):
    """A key added to the seat moves from another folder; dropped, it moves no more."""
    people, players = table("pig", ["ada", "ben"])
    other = keys.Key(b"another machine of ada's".ljust(32))
    players[0].add_key(other.jwk)
    there = seat(people[0], players[0].game, other, "-there")
    there.sync()
    assert there.seat == 0
    there.move([{"do": "roll"}])
    players[0].drop_key(other.kid)
    with pytest.raises(SeatGoneError, match="dropped-key"):
        there.resign()


def test_a_game_has_the_usual_clock_unless_it_is_said(sign_in):
    """Left out, null, or in part: what entry 0 then says."""
    ada = sign_in("ada")
    whole = {"move": 259200, "bank": 0, "increment": 0, "cap": 0, "grace": 43200, "missed": 2, "grants": 1209600}
    for given, due in (({}, whole), ({"clock": None}, None), ({"clock": CLOCK}, whole | CLOCK)):
        game = session.create_game(ada, "pig", 2, **given)
        line = ada.api.get(f"/v1/games/{game}/log", after=-1).value["entries"][0]
        assert read_entry(line.encode()).body["clock"] == due
    game = session.create_game(ada, "pig", 2, handover="none", terms="A" * 43)
    first = read_entry(ada.api.get(f"/v1/games/{game}/log", after=-1).value["entries"][0].encode()).body
    assert (first["handover"], first["terms"]) == ({"by": "none", "wait": 0}, "A" * 43)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["pig", "bids"])
def test_a_seat_is_offered_and_taken(table, sign_in, seat, key):
    """By another account, which reads its openings from the start; the old holder is told, and stops."""
    people, players = table(key, ["ada", "ben"])
    players[1].offer()
    cleo = sign_in("cleo")
    new = seat(cleo, players[0].game)
    assert new.take() == 1
    new.openings()
    with pytest.raises(SeatGoneError):
        players[1].wait()
    assert [text for text in seat.said if "was taken over with entry" in text]
    for _ in range(200):
        owing = [player for player, who in ((players[0], people[0]), (new, cleo)) if session.turns(who)]
        if not owing:
            break
        assert owing[0].wait()
        owing[0].move([owing[0].legal()[-1]["command"]])
    assert players[0].wait(0) is False
    report = audit(players[0].bundle())
    assert report.verdict == "holds"


def test_a_seat_that_is_back(table):
    """It was open, and is ours again."""
    _, players = table("pig", ["ada", "ben"])
    players[0].offer()
    assert players[0].table.is_open(0)
    players[0].back()
    assert players[0].table.free_from(0) is None


def test_an_owner_recovers_a_seat(sign_in, seat):
    """The recovery key, which no account knows, makes a new device's key the only one; the account names the seat."""
    people = [sign_in(name) for name in ("ada", "ben")]
    game, recovery = session.create_game(people[0], "pig", 2), keys.Key(b"in a drawer at home".ljust(32))
    lost, other = (seat(who, game) for who in people)
    lost.join(recovery=recovery.jwk)
    other.join()
    found = seat(people[0], game, keys.Key(b"a new device".ljust(32)), "-new")
    found.recover(recovery)
    assert found.wait()
    found.move(TURN)
    with pytest.raises(SeatGoneError):
        lost.move(TURN)


def test_what_the_rules_refuse_is_refused_by_both(table):
    """The server's no is checked by the client's own rules, which come to the same: nobody is accused."""
    _, players = table("pig", ["ada", "ben"])
    for commands, code in (([{"do": "hold"}], "nothing-to-hold"), ([{"do": "jump"}], "bad-move")):
        with pytest.raises(ApiError) as caught:
            players[0].move(commands)
        assert caught.value.code == code
    with pytest.raises(ApiError, match="not-active"):
        players[1].move(TURN)
    assert [player.log.broken for player in players] == [None, None]
    assert [player.memory.pending() for player in players] == [[], []]


def test_a_refused_join_accuses_nobody(sign_in, seat):
    """The log cannot show that a key has no account, or an account a seat already, so the act stays unsettled."""
    ada = sign_in("ada")
    game = session.create_game(ada, "pig", 2)
    stranger = seat(ada, game, keys.Key(b"nobody's".ljust(32)), "-stranger")
    with pytest.raises(ApiError, match="unregistered-key"):
        stranger.join()
    assert stranger.log.broken is None
    seat(ada, game).join()
    session.register_key(ada, stranger.key)
    with pytest.raises(ApiError, match="already-seated"):
        stranger.join()
    assert stranger.log.broken is None


def test_the_server_s_keys_are_pinned(table):
    """From its own list, across all games of one folder."""
    _, players = table("pig", ["ada", "ben"])
    pinned = Pins(players[0].memory.folder.parent).known(HOST)
    assert len(pinned.keys) == 1
    document = players[0].api.get("/.well-known/sealedmove.json").value
    assert [item["x"] for item in document["keys"]] == [players[0].table.created["server_key"]]


def test_notes_are_compared(table, hall):
    """Another player's note, by the client and by the server."""
    _, players = table("pig", ["ada", "ben"])
    older = players[1].memory.note()
    players[0].move(TURN)
    assert players[0].heed(older.replace("\n", "\r\n")) == ["older"]
    told = players[0].api.post(f"/v1/games/{players[0].game}/compare", {"note": older}).value
    assert told["relation"] == "older"


@pytest.mark.slow
@pytest.mark.parametrize("key", ["pig", "bids"])
def test_a_restored_database_gets_back_what_it_lost(table, hall, tmp_path, wire, open_house, key):
    """An older copy is put back under running clients: they hand in what they have, and the game goes on."""
    people, players = table(key, ["ada", "ben"])
    for player in players:
        player.sync()
    with (
        closing(sqlite3.connect(tmp_path / "sealedmove.db")) as now,
        closing(sqlite3.connect(tmp_path / "old.db")) as old,
    ):
        now.backup(old)
    for turn in range(4):
        player = players[turn % 2]
        assert player.wait()
        player.move([player.legal()[0]["command"], *TURN[1:]] if key == "pig" else [player.legal()[0]["command"]])
    players[0].sync()
    before = [entry.line for entry in players[0].log.entries]
    hall.services.database.dispose()
    restored = open_house(f"sqlite:///{tmp_path / 'old.db'}")
    restored.clock.at = hall.clock.at
    wire.app = httpx.WSGITransport(app=restored.app)
    for player in players:
        try:
            player.sync()
        except HeldUpError:
            assert key == "bids"
    for player in players:
        player.sync()
        assert [entry.line for entry in player.log.entries][: len(before)] == before
        assert player.log.broken is None
    mover = next(player for player, who in zip(players, people, strict=True) if session.turns(who))
    mover.move([mover.legal()[-1]["command"]])


def test_a_preview_signs_nothing(table, wire):
    """The effect of a move is shown up to the first draw, and the log does not change."""
    _, players = table("pig", ["ada", "ben"])
    players[0].sync()
    assert players[0].preview([{"do": "roll"}])["certain"] is False
    assert players[0].sync() == []


def test_tokens(sign_in):
    """A token for reading reads and does not play; revoked, it opens nothing."""
    ada = sign_in("ada")
    number, reading = session.make_token(ada, "a reader", ("read",))
    assert reading.get("/v1/me/turns").value == []
    with pytest.raises(ApiError) as caught:
        reading.post("/v1/games", {"type": "pig", "seats": 2})
    assert caught.value.status == 403
    session.revoke_token(ada, number)
    with pytest.raises(ApiError) as caught:
        reading.get("/v1/me/turns")
    assert caught.value.status == 401


def test_a_link_works_once(hall, sign_in):
    """The second use of a sign-in link is refused."""
    ada = sign_in("ada")
    with pytest.raises(ApiError) as caught:
        session.confirm(ada.api, hall.link("ada@example.org"))
    assert caught.value.code == "bad-link"
