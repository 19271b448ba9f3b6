"""The order of checks in `submit`, the same answer to the same JWS, and nothing sent before the commit."""

import dataclasses
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from engine.errors import EngineFault
from server.kernel.db.models import Entry, EntryPrivate, Game, Outbox
from server.operate.stopped_games import resume
from server.play import write as play
from server.play.write import submit
from tests.kit.absent import mentions, not_told
from tests.server.harness import BY, Harness, Player

ROLL = [{"do": "roll"}]


def counts(hall: Harness) -> tuple[int, ...]:
    with hall.services.database.read() as session:
        tables = (Entry, EntryPrivate, Outbox)
        return tuple(session.scalar(sa.select(sa.func.count()).select_from(table)) for table in tables)


def mover(hall: Harness, players: list[Player], game: str) -> tuple[Player, Player]:
    active = hall.client.get(f"/v1/games/{game}").get_json()["active"][0]
    return players[active], players[1 - active]


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]


def test_the_first_failing_check_wins_and_nothing_changes(hall: Harness, two: list[Player]):
    game = hall.game("pig", two)
    player, other = mover(hall, two, game)
    before = counts(hall)
    seq, _ = hall.head(game)
    nowhere = "00000000-0000-4000-8000-000000000000"
    elsewhere = player.sign(player.payload(game, "move", commands=ROLL, seat=other.seat))
    stranger = Player(hall, 9, bytes(range(32)), "", 0, seat=player.seat)
    lower = (seq - 1, bytes(32))
    cases = [
        (player.act(game, "moves", "a.b.c"), (400, "bad-base64url")),
        (player.act(game, "moves", player.sign(player.payload(game, "resign"))), (422, "wrong-act")),
        (player.act(nowhere, "moves", player.signed_move(game, ROLL)["jws"]), (404, "no-such-game")),
        (stranger.move(game, ROLL), (401, "unknown-key")),
        (player.act(game, "moves", elsewhere), (403, "wrong-seat")),
        (player.act(game, "moves", player.signed_move(game, ROLL, at=lower)["jws"]), (409, "unknown-head")),
        (other.move(game, ROLL), (403, "not-active")),
        (player.move(game, [{"do": "nonsense"}]), (422, "bad-move")),
        (player.move(game, [{"do": "hold"}]), (422, "nothing-to-hold")),
    ]  # fmt: skip
    found = [code(answer) for answer, _ in cases]
    assert found[:-1] == [expected for _, expected in cases][:-1]
    assert found[-1][0] == 422
    assert cases[6][0].get_json()["facts"] == {"seat": other.seat, "expected": [player.seat]}
    assert counts(hall) == before


@pytest.mark.slow
def test_the_same_jws_gives_the_same_bytes_again_and_after_the_end(hall: Harness, two: list[Player]):
    game = hall.game("pig", two)
    player, _ = mover(hall, two, game)
    body = player.signed_move(game, ROLL)
    first = hall.client.post(f"/v1/games/{game}/moves", json=body)
    hall.play_out(game, two)
    before = counts(hall)
    again = hall.client.post(f"/v1/games/{game}/moves", json=body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.get_data() == first.get_data()
    assert counts(hall) == before
    assert code(player.move(game, ROLL)) == (410, "game-over")


def test_an_act_on_an_old_head_gets_the_entries_it_missed(hall: Harness, two: list[Player]):
    game = hall.game("bids", two)
    upon = hall.head(game)
    two[0].move(game, [{"do": "bid", "amount": 1}])
    late = hall.client.post(
        f"/v1/games/{game}/moves", json=two[1].signed_move(game, [{"do": "bid", "amount": 2}], at=upon)
    )
    problem = late.get_json()
    assert code(late) == (409, "stale-head")
    assert problem["unchanged"] is True
    assert [json.loads(line)["seq"] for line in problem["entries"]] == [upon[0]]
    assert two[1].move(game, [{"do": "bid", "amount": 2}]).status_code == 201


@pytest.mark.parametrize("same", [True, False])
def test_concurrent_acts_log_one_entry(any_hall: Harness, same: bool):
    hall, players = any_hall, [any_hall.player(number) for number in range(2)]
    game = hall.game("pig", players)
    player, _ = mover(hall, players, game)
    bodies = [player.signed_move(game, ROLL if same or n % 2 else [*ROLL, {"try": {"do": "hold"}}]) for n in range(8)]
    before = counts(hall)[0]

    def send(body):
        answer = hall.app.test_client().post(f"/v1/games/{game}/moves", json=body)
        return answer.status_code, answer.get_data()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, bodies))
    assert counts(hall)[0] == before + 1
    assert sorted(status for status, _ in answers).count(201) == 1
    if same:
        assert {status for status, _ in answers} == {200, 201}
        assert len({data for _, data in answers}) == 1
    else:
        assert sorted({status for status, _ in answers}) == [200, 201, 409]


def test_two_processes_with_their_own_memory_log_one_game(open_house, any_hall: Harness):
    """Each has its own cache and replays the entries of the other."""
    hall, players = any_hall, [any_hall.player(number) for number in range(2)]
    game = hall.game("bids", players)
    url = hall.services.settings.database_url
    other = open_house(url)
    for turn in range(4):
        client = (hall, other)[turn % 2].app.test_client()
        body = players[turn % 2].signed_move(game, [{"do": "bid", "amount": 1}])
        assert client.post(f"/v1/games/{game}/moves", json=body).status_code == 201


@pytest.mark.parametrize("key", ["pig", "bids"])
def test_a_fault_before_the_commit_leaks_nothing_and_repeats_the_same_draw(any_hall, key, monkeypatch):
    hall, players = any_hall, [any_hall.player(number) for number in range(2)]
    game = hall.game(key, players)
    player, _ = mover(hall, players, game)
    body = player.signed_move(game, ROLL if key == "pig" else [{"do": "bid", "amount": 1}])
    before, composed = counts(hall), []
    real = play.compose_moved

    def remember(*given):
        composed.append(real(*given).line)
        return real(*given)

    def fail(*_given, **_more):
        raise OSError("the disk is full")

    monkeypatch.setattr("server.play.write.compose_moved", remember)
    with monkeypatch.context() as broken:
        broken.setattr("server.log.outbox.rows_of_entry", fail)
        answer = hall.client.post(f"/v1/games/{game}/moves", json=body)
    assert code(answer) == (500, "internal-error")
    assert mentions("disk", answer.get_data(as_text=True)) == 0
    assert counts(hall) == before
    again = hall.client.post(f"/v1/games/{game}/moves", json=body)
    assert again.status_code == 201
    assert composed[0] == composed[1] == again.get_json()["entry"].encode()


def test_a_broken_rule_logs_nothing_and_stops_the_clocks(hall: Harness, two: list[Player], monkeypatch):
    game = hall.game("pig", two, clock={"move": 60, "grace": 60})
    player, _ = mover(hall, two, game)
    before = counts(hall)
    with monkeypatch.context() as broken:

        def fault(*_given):
            raise EngineFault("engine-fault", error="with a hidden card")

        broken.setattr("server.play.write.compose_moved", fault)
        answer = player.move(game, ROLL)
    assert code(answer) == (500, "engine-fault")
    not_told("hidden card", answer.get_data(as_text=True))
    assert counts(hall) == before
    assert hall.client.get(f"/v1/games/{game}").get_json()["stopped"] is True
    from server.play.write import expire

    hall.clock.forward(hours=1)
    assert expire(hall.services, game, player.seat) is False
    assert code(player.move(game, ROLL)) == (503, "game-stopped")
    assert counts(hall) == before
    resume(hall.services, BY, game)
    assert hall.client.get(f"/v1/games/{game}").get_json()["stopped"] is False
    assert player.move(game, ROLL).status_code == 201


def test_the_clock_plays_once_and_only_when_a_seat_is_due(any_hall: Harness):
    from server.play.write import expire

    hall, players = any_hall, [any_hall.player(number) for number in range(2)]
    game = hall.game("pig", players, clock={"move": 60, "grace": 60})
    player, _ = mover(hall, players, game)
    hall.clock.forward(seconds=119)
    assert expire(hall.services, game, player.seat) is False
    hall.clock.forward(seconds=1)
    assert expire(hall.services, game, player.seat) is True
    assert expire(hall.services, game, player.seat) is False
    with hall.services.database.read() as session:
        assert (
            session.scalars(sa.select(Entry.kind).where(Entry.game_id == game).order_by(Entry.seq.desc())).first()
            == "expired"
        )
        assert session.get(Game, game).faulted_at is None


def test_a_move_can_be_submitted_without_the_web(hall: Harness, two: list[Player]):
    game = hall.game("pig", two)
    player, _ = mover(hall, two, game)
    services = dataclasses.replace(hall.services)
    answer = submit(services, game, player.signed_move(game, ROLL)["jws"])
    assert json.loads(answer.line)["kind"] == "moved"


def test_a_move_that_ends_a_turn_takes_eleven_statements(hall: Harness, two: list[Player]):
    """Each costs about as much as the rules of the game. One of them begins the transaction."""
    game = hall.game("pig", two)
    for mover in two:
        mover.move(game, [{"do": "roll"}, {"try": {"do": "hold"}}])
    body, sent = two[0].signed_move(game, [{"do": "roll"}, {"try": {"do": "hold"}}]), []
    engine = hall.services.database.writer
    sa.event.listen(engine, "before_cursor_execute", lambda *given: sent.append(given[2].split()[:3]))
    assert hall.client.post(f"/v1/games/{game}/moves", json=body).status_code == 201
    selects = [words[0] for words in sent].count("SELECT")
    assert selects == 3  # the row of the game, the clocks of its seats, the accounts of its players
    assert len(sent) == 11
