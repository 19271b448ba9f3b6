"""After entries were submitted: time is given back, seats and secrets are as before, concurrent acts do not fork."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from engine.record.audit import audit
from engine.record.encoding import canonical
from server.kernel.db.models import Place, Seat
from tests.server.harness import Harness
from tests.server.lost import CLOCK, Backup, Lost, forget, lost
from tests.server.test_bots import bot_of, sit
from tests.server.test_compare import logged
from tests.server.test_missing import kept_aside, newest, stored, taken, told

# --- time -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_time_of_the_stop_is_given_back(any_hall: Harness, tmp_path):
    """By a public entry, to players who owed a move while the game was stopped."""
    game = lost(any_hall, tmp_path, clock=CLOCK)
    game.compare()
    any_hall.clock.forward(hours=5)
    answer = game.hand_in()
    assert taken(answer) == (len(game.lines) - game.size, None, False)
    [extra] = game.now()[len(game.lines) :]
    entry = canonical.loads(extra.encode())
    assert (entry["kind"], entry["seconds"], entry["seats"]) == ("granted", 5 * 3600, game.detail()["active"])
    [due] = [one["deadline"] for one in game.detail()["deadlines"]]
    asked = canonical.loads(game.lines[-1].encode())["at"]
    assert canonical.seconds(due) == canonical.seconds(asked) + CLOCK["move"] + CLOCK["grace"] + 5 * 3600
    assert answer.get_json()["head"]["seq"] == len(game.lines)
    any_hall.play_out(game.game, game.players)
    assert audit(any_hall.client.get(f"/v1/games/{game.game}/bundle").get_data()).verdict == "holds"


@pytest.mark.slow
def test_no_time_is_given_where_there_is_no_clock_or_nobody_owes_a_move(hall: Harness, two, tmp_path):
    """Nor for less than a minute."""
    for number, (wish, wait, after) in enumerate(
        [({"clock": None}, 5, 3), ({"clock": CLOCK}, 0, 3), ({"clock": CLOCK}, 5, 99)]
    ):
        game = Lost(hall, two, hall.game("pig", two, options={"goal": 10}, **wish))
        (tmp_path / str(number)).mkdir()
        forget(game, tmp_path / str(number), after)
        game.compare()
        hall.clock.forward(hours=wait)
        game.hand_in()
        assert game.now() == game.lines


def test_the_clock_goes_on_where_it_stood(hall: Harness, tmp_path):
    """The player to move has the time that they had when the game was stopped."""
    from server.play.write import expire

    game = lost(hall, tmp_path, clock=CLOCK)
    hall.clock.forward(seconds=CLOCK["move"])
    game.compare()
    hall.clock.forward(days=3)
    [seat] = canonical_active(game)
    game.hand_in()
    hall.clock.forward(seconds=CLOCK["grace"] - 1)
    assert expire(hall.services, game.game, seat) is False
    hall.clock.at += timedelta(seconds=1)
    assert expire(hall.services, game.game, seat) is True


def canonical_active(game: Lost) -> list[int]:
    """The seat to move at the end of the entries: in Pig, the player who did not end the last turn."""
    last = canonical.loads(game.lines[-1].encode())
    ended = any(event["is"] == "TurnEnded" for event in last["events"])
    return [1 - last["seat"]] if ended else [last["seat"]]


# --- seats ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_joins_and_the_start_come_back_with_their_accounts(any_hall: Harness, tmp_path):
    """A key's registration names its account."""
    players = [any_hall.player(number) for number in range(2)]
    game = Lost(any_hall, players, players[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"])
    backup = Backup(any_hall, tmp_path)
    game.size = 1
    players[0].join(game.game, 0)
    players[0].act(game.game, "leave", players[0].sign(players[0].payload(game.game, "leave")))
    for player in players:
        assert player.join(game.game, player.number).status_code == 201
    game.play(1)
    game.remember()
    before = stored(any_hall, game.game)
    backup.restore()
    assert taken(game.hand_in()) == (len(game.lines) - 1, None, False)
    assert stored(any_hall, game.game) == before
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", "Player 1"]
    game.play(9)


def test_a_recovered_join_ends_the_reservation_of_its_seat(any_hall: Harness, tmp_path):
    """The seat was reserved for a house player when the copy was made."""
    players = [any_hall.player(number) for number in range(3)]
    game = Lost(any_hall, players, players[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"])
    with any_hall.services.database.write() as session:
        reserved = {"game_id": game.game, "kind": "house", "made_at": any_hall.clock(), "until": any_hall.clock()}
        session.add_all(Place(seat=seat, **reserved) for seat in range(2))
    any_hall.clock.forward(hours=1)
    backup, game.size = Backup(any_hall, tmp_path), 1
    assert players[0].join(game.game, 0).status_code == 201
    game.remember()
    backup.restore()
    assert taken(game.hand_in()) == (len(game.lines) - 1, None, False)
    with any_hall.services.database.read() as session:
        assert session.scalars(sa.select(Place.seat).where(Place.state == "asked")).all() == [1]


def test_a_full_game_starts_even_if_nobody_kept_its_start(any_hall: Harness, tmp_path):
    """Only the answer to the last join was kept, with a checkpoint that ends at that join."""
    players = [any_hall.player(number) for number in range(2)]
    game = Lost(any_hall, players, players[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"])
    backup = Backup(any_hall, tmp_path)
    game.size = 1
    answers = [player.join(game.game, player.number).get_json() for player in players]
    game.remember()
    backup.restore()
    lines, mark = [answer["entry"] for answer in answers], newest(any_hall)
    assert taken(game.post(lines, answers[-1]["note"])) == (2, None, False)
    assert game.detail()["status"] == "running"
    assert told(any_hall, game.game, mark) == [("started", 3), ("turn", 3)]
    game.play(99)
    assert audit(any_hall.client.get(f"/v1/games/{game.game}/bundle").get_data()).verdict == "holds"


def test_a_full_table_that_waits_for_its_players_still_waits_for_them(any_hall: Harness, tmp_path):
    """The last join comes back; nobody has said that they are ready."""
    players = [any_hall.player(number) for number in range(2)]
    wish = {"type": "bids", "seats": 2, "start": "ready"}
    game = Lost(any_hall, players, players[0].post("/games", wish).get_json()["id"])
    backup, game.size = Backup(any_hall, tmp_path), 1
    for player in players:
        assert player.join(game.game, player.number).status_code == 201
    game.remember()
    backup.restore()
    assert taken(game.hand_in()) == (2, None, False)
    assert (game.detail()["status"], game.now()) == ("lobby", game.lines)


def test_a_full_table_whose_people_are_ready_starts_if_nobody_kept_its_start(hall: Harness, tmp_path):
    """A bot took the last seat; its join was kept, with a checkpoint that ends there."""
    person = hall.player(0)
    bot = bot_of(person)
    wish = {"type": "bids", "seats": 2, "start": "ready", "related": True}
    game = Lost(hall, [person, bot], person.post("/games", wish).get_json()["id"])
    assert person.join(game.game, 0).status_code == 201
    ready = hall.client.put(f"/v1/games/{game.game}/ready", json={"ready": True}, headers=person.auth)
    assert ready.status_code == 200
    backup, game.size = Backup(hall, tmp_path), 2
    kept = sit(bot, game.game, 1).get_json()
    backup.restore()
    assert taken(game.post([kept["entry"]], kept["note"])) == (1, None, False)
    assert game.detail()["status"] == "running"


@pytest.mark.slow
def test_a_seat_whose_account_is_lost_comes_back_without_one(any_hall: Harness, tmp_path, caplog):
    """Lists, pages and mails work, and its key still plays; registering the key again brings the account back."""
    first = any_hall.player(0)
    game = Lost(any_hall, [first], first.post("/games", {"type": "bids", "seats": 2}).get_json()["id"])
    backup = Backup(any_hall, tmp_path)
    game.size = 1
    game.players.append(any_hall.player(1))
    for player in game.players:
        player.join(game.game, player.number)
    game.play(1)
    game.remember()
    backup.restore()
    assert taken(game.hand_in())[2] is False
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", None]
    for path in ("/", f"/games/{game.game}", "/v1/games", f"/v1/games/{game.game}/view"):
        assert any_hall.client.get(path).status_code == 200
    again = any_hall.player(1)
    game.players[1].token = again.token
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", "Player 1"]
    assert game.players[1].get(f"/games/{game.game}/view").get_json()["seat"] == 1
    game.play(99)
    assert game.detail()["status"] == "finished"


def test_a_registration_restores_only_the_seat_of_its_own_key(hall: Harness, two, tmp_path):
    """And nobody gets two seats in a game."""
    game = Lost(hall, two, hall.game("bids", two))
    with hall.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.game_id == game.game, Seat.seat == 1).values(account_id=None))
    hall.player(5)
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", None]
    with hall.services.database.write() as session:
        from server.kernel.db.models import AccountKey

        session.execute(sa.delete(AccountKey).where(AccountKey.account_id == two[1].account))
    assert two[0].post("/me/keys", {"jws": hall.proof(two[0], two[1].seed)}).status_code == 201
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", None]


# --- sealed moves -----------------------------------------------------------------------------------------------------


def sealed(hall: Harness, folder, after: int = 8) -> Lost:
    """A hidden game in which both have moved in turn."""
    return lost(hall, folder, "bids", options={"lots": 9}, after=after)


def test_in_a_hidden_game_each_player_submits_their_own_texts_once(any_hall: Harness, tmp_path):
    """The first player learns whose text is missing; theirs are kept, so the second submits only their own."""
    game = sealed(any_hall, tmp_path)
    movers = {seq: canonical.loads(game.lines[seq].encode())["seat"] for seq in sorted(game.texts) if seq >= game.size}
    mover = movers[game.size]
    lacking = next(seq for seq, seat in movers.items() if seat != mover)
    assert taken(game.hand_in(by=(mover,))) == (lacking - game.size, lacking, True)
    assert game.now() == game.lines[:lacking]
    assert taken(game.hand_in(first=lacking, by=(1 - mover,))) == (len(game.lines) - lacking, None, False)
    assert game.now() == game.lines
    assert kept_aside(any_hall) == 0


def test_without_texts_nothing_is_taken_and_the_first_is_named(hall: Harness, tmp_path):
    """Entries alone cannot replay a sealed move."""
    game = sealed(hall, tmp_path)
    assert taken(game.hand_in(by=())) == (0, game.size, True)
    assert game.now() == game.lines[: game.size]


@pytest.mark.slow
def test_a_false_text_is_refused_and_blocks_nobody_else(hall: Harness, tmp_path):
    """Nothing of that request is stored, good texts included."""
    game = sealed(hall, tmp_path)
    game.compare()
    false = [*game.moves()[1:], game.moves()[0] | {"text": '{"commands":[],"salt":""}'}]
    before = kept_aside(hall)
    answer = game.post(game.lines[game.size :], game.note, false)
    assert (answer.status_code, answer.get_json()["code"]) == (422, "wrong-seal")
    assert game.now() == game.lines[: game.size]
    assert kept_aside(hall) == before
    assert taken(game.hand_in())[2] is False


@pytest.mark.parametrize("text", ["ä", "a\nb", "\0"])
def test_an_impossible_text_is_refused(hall: Harness, tmp_path, text: str):
    """Before it reaches the database."""
    game = sealed(hall, tmp_path, after=2)
    answer = game.post(game.lines[game.size :], game.note, [{"seq": game.size, "text": text}])
    assert (answer.status_code, answer.get_json()["code"]) == (400, "not-ascii")
    assert game.now() == game.lines[: game.size]


def test_a_text_for_a_move_that_was_not_sealed_is_refused(hall: Harness, tmp_path):
    """An open game has no sealed moves."""
    game = lost(hall, tmp_path)
    answer = game.post(game.lines[game.size :], game.note, [{"seq": game.size, "text": '{"commands":[],"salt":""}'}])
    assert (answer.status_code, answer.get_json()["code"]) == (422, "wrong-seal")
    assert game.now() == game.lines[: game.size]


def test_texts_of_other_entries_are_ignored(hall: Harness, tmp_path):
    """A client may send all that it has, for earlier and later entries too."""
    game = sealed(hall, tmp_path, after=2)
    others = [{"seq": seq, "text": "nothing"} for seq in (1, 3, 900)]
    assert taken(game.post(game.lines, game.note, [*others, *game.moves()]))[2] is False
    assert taken(game.post(game.lines, game.note, [*others, *game.moves()])) == (0, None, False)
    assert kept_aside(hall) == 0


@pytest.mark.slow
def test_submitting_entries_reveals_no_secret(hall: Harness, tmp_path, caplog):
    """Texts are in no answer and in no log, and are still as hard to read as before."""
    caplog.set_level("DEBUG")
    game = sealed(hall, tmp_path)
    answers = [game.hand_in(by=(seat,)).get_data(as_text=True) for seat in (0, 1)]
    said = "".join(answers) + caplog.text + "".join(map(repr, caplog.records))
    assert not [text for text in game.texts.values() if text in said or text.replace('"', '\\"') in said]
    assert logged(caplog, "lines-taken")
    shown = hall.client.get(f"/games/{game.game}").get_data(as_text=True)
    assert "sealed a bid: hidden" in shown


# --- at once ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_concurrent_acts_and_submissions_never_fork(any_hall: Harness, tmp_path):
    """Acts of every kind arrive while entries are submitted: each is refused, or follows all of them."""
    game = lost(any_hall, tmp_path, "bids", options={"lots": 9}, after=10)
    game.compare()
    bodies = [player.signed_move(game.game, [{"do": "bid", "amount": 1}]) for player in game.players] * 6
    lines = {"entries": game.lines[game.size :], "note": game.note, "moves": game.moves()}

    def send(what):
        path, body = what
        return any_hall.app.test_client().post(f"/v1/games/{game.game}/{path}", json=body)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(send, [("moves", body) for body in bodies[:6]] + [("missing", lines)] * 2))
    assert {answer.get_json().get("code") for answer in answers[:6]} <= {"lines-missing", "unknown-head", "stale-head"}
    assert game.now()[: len(game.lines)] == game.lines
    assert game.detail()["stopped"] is False


def test_a_concurrent_note_and_act_leave_one_history(any_hall: Harness, tmp_path):
    """If the act is first, the checkpoint proves a fork; if the checkpoint is first, the act is refused."""
    game = lost(any_hall, tmp_path, "bids", options={"lots": 9})
    mover = game.players[game.detail()["active"][0]]
    any_hall.clock.forward(seconds=5)
    body = mover.signed_move(game.game, [{"do": "bid", "amount": 7}])
    ways = [("moves", body), ("compare", {"note": game.note})]

    def send(what):
        return any_hall.app.test_client().post(f"/v1/games/{game.game}/{what[0]}", json=what[1]).get_json()

    with ThreadPoolExecutor(2) as pool:
        moved, compared = pool.map(send, ways)
    assert compared["relation"] == "newer"
    assert game.detail()["stopped"] is True
    if "entry" in moved:
        assert game.hand_in().get_json()["code"] == "fork"
        assert game.now() == [*game.lines[: game.size], moved["entry"]]
    else:
        assert moved["code"] == "lines-missing"
        assert taken(game.hand_in())[2] is False
