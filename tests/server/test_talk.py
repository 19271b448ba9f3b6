"""Table talk: its writers and readers, its limits, and what becomes of it."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
import sqlalchemy as sa

from server.kernel.db.models import FormerHolder, Message, PlayerReport, Seat
from server.operate import retention
from server.tables.limits import LIMITS
from server.tables.talk import read, write
from tests.server import surfaces
from tests.server.harness import BY, Harness, Player
from tests.server.test_query_plans import noted

SECRET = "the bridge is mine, says zanzibar"


@pytest.fixture
def three(hall: Harness) -> list[Player]:
    """Ada and Ben play; Cy has no seat yet."""
    return [hall.player(number) for number in range(3)]


@pytest.fixture
def game(hall: Harness, three: list[Player]) -> str:
    return hall.game("pig", three[:2])


def say(player: Player, game: str, text: str = SECRET, **headers: str) -> Any:
    return player.post(f"/games/{game}/talk", {"text": text}, headers=headers)


def said(player: Player, game: str) -> list[str | None]:
    """The texts that the player reads."""
    answer = player.get(f"/games/{game}/talk")
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return [one["text"] for one in answer.get_json()["messages"]]


def put(player: Player, path: str, body: Any = None, **headers: str) -> Any:
    return player.harness.client.put(f"/v1{path}", json=body or {}, headers={**player.auth, **headers})


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]


def count(hall: Harness, table: type = Message) -> int:
    with hall.services.database.read() as session:
        return session.scalar(sa.select(sa.func.count()).select_from(table)) or 0


# --- writers and readers --------------------------------------------------------------------------------------------


def test_holders_of_seats_read_what_one_of_them_says(three: list[Player], game: str):
    ada, ben, _ = three
    made = say(ada, game, "  Good luck!\r\n\r\n\r\n\r\nAnd   have fun. ")
    assert made.status_code == 201
    assert made.get_json() | {"own": False} == ben.get(f"/games/{game}/talk").get_json()["messages"][0]
    assert made.get_json()["text"] == "Good luck!\n\nAnd   have fun."
    assert said(ada, game) == said(ben, game)


def test_nobody_without_a_seat_reads_or_writes(hall: Harness, three: list[Player], game: str):
    """The answer is the same whether there is talk or not."""
    cy = three[2]
    before = cy.get(f"/games/{game}/talk")
    say(three[0], game)
    after = cy.get(f"/games/{game}/talk")
    assert refused(before) == refused(after) == (403, "no-seat")
    assert before.get_data() == after.get_data()
    assert refused(say(cy, game)) == (403, "no-seat")
    assert hall.client.get(f"/v1/games/{game}/talk").status_code == 401
    assert refused(cy.get("/games/00000000-0000-4000-8000-000000000000/talk")) == (404, "no-such-game")
    assert count(hall) == 1


def test_talk_appears_in_nothing_that_others_can_fetch(hall: Harness, three: list[Player], game: str):
    """Neither the page, the log, the bundle, the game, its events, nor the lists; with or without a token."""
    before = {path: hall.client.get(path).get_data() for path in public(game)}
    say(three[0], game)
    for path in public(game):
        for answer in (hall.client.get(path), three[2].get(path.removeprefix("/v1")) if "/v1" in path else None):
            if answer is not None:
                assert "zanzibar" not in whole(answer)
        if path.startswith("/v1"):
            assert hall.client.get(path).get_data() == before[path], path
    hall.play_out(game, three[:2])
    assert "zanzibar" not in whole(hall.client.get(f"/v1/games/{game}/bundle"))


def test_no_log_line_contains_talk(hall: Harness, three: list[Player], game: str, caplog: pytest.LogCaptureFixture):
    """Neither of a request that is carried out nor of one that is refused."""
    with caplog.at_level(0):
        n = say(three[0], game).get_json()["n"]
        say(three[2], game)
        three[1].post(f"/games/{game}/talk/{n}/report", {"why": SECRET})
        put(three[0], f"/games/{game}/notes", {"text": SECRET})
        say(three[0], game, SECRET * 100)
    assert "/talk" in caplog.text
    assert "zanzibar" not in caplog.text


def test_permission_and_messages_are_read_in_one_statement(hall: Harness, three: list[Player], game: str):
    """A read has no snapshot of its own on PostgreSQL: between two statements the seat may change hands."""
    say(three[0], game)
    with noted(hall) as sent:
        said(three[1], game)
        read.section(hall.services, three[1].account, game)
    of_talk = [statement for statement, _ in sent if "message.body" in statement]
    assert len(of_talk) == 2
    assert all("former_holder" in statement and "FROM seat" in statement for statement in of_talk)


def public(game: str) -> list[str]:
    here = f"/v1/games/{game}"
    return [f"/games/{game}", here, f"{here}/log", f"{here}/view", f"{here}/bundle", "/v1/games", "/tables"]


def whole(answer: Any) -> str:
    """The body, with the files of a bundle."""
    data = answer.get_data()
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as bundle:
            data = b"".join(bundle.read(name) for name in bundle.namelist())
    return data.decode("utf-8", "replace")


def test_a_successor_reads_the_talk_from_the_beginning_and_a_former_holder_to_their_end(three: list[Player], game: str):
    ada, ben, cy = three
    say(ada, game, "before")
    assert ben.offer(game).status_code == 201
    assert cy.take(game, 1).status_code == 201
    say(ada, game, "after")
    assert said(cy, game) == ["before", "after"]
    assert said(ben, game) == ["before"]
    assert refused(say(ben, game)) == (403, "no-seat")


def test_a_player_who_left_before_the_start_reads_nothing_later(hall: Harness, three: list[Player]):
    ada, ben, cy = three
    game = ada.post("/games", {"type": "pig", "seats": 3}).get_json()["id"]
    for seat, player in enumerate((ada, ben)):
        player.join(game, seat)
    say(ben, game, "mine")
    ben.leave(game)
    say(ada, game, "later")
    assert said(ben, game) == ["mine"]
    assert refused(say(cy, game)) == (403, "no-seat")


def test_a_removed_player_reads_nothing(hall: Harness, three: list[Player]):
    ada, ben, _ = three
    game = ada.post("/games", {"type": "pig", "seats": 3}).get_json()["id"]
    for seat, player in enumerate((ada, ben)):
        player.join(game, seat)
    say(ben, game, "mine")
    ben.leave(game)
    with hall.services.database.write() as session:
        session.execute(sa.update(FormerHolder).values(ended="removed"))
    assert refused(ben.get(f"/games/{game}/talk")) == (403, "no-seat")


def test_bots_do_not_talk(hall: Harness, three: list[Player]):
    ada = three[0]
    token = ada.post("/me/bots", {"name": "Robot"}).get_json()
    game = ada.post("/games", {"type": "pig", "seats": 2, "related": True}).get_json()["id"]
    with hall.services.database.write() as session:
        row = {"absent": False, "open": False, "muted": False, "since_seq": 1}
        session.execute(sa.insert(Seat).values(game_id=game, seat=0, account_id=token["id"], **row))
    answer = hall.client.post(
        f"/v1/games/{game}/talk", json={"text": "beep"}, headers={"Authorization": f"Bearer {token['token']}"}
    )
    assert refused(answer) == (403, "no-talk")


def test_a_table_without_talk_refuses_messages(three: list[Player], hall: Harness):
    game = hall.game("pig", three[:2], talk="off")
    assert refused(say(three[0], game)) == (409, "talk-off")
    assert three[0].get(f"/games/{game}/talk").get_json()["closed"] is True
    assert three[0].get(f"/games/{game}").get_json()["talk"] == "off"


def test_people_can_write_until_seven_days_after_the_end(hall: Harness, three: list[Player], game: str):
    hall.play_out(game, three[:2])
    hall.clock.forward(days=6)
    assert say(three[0], game).status_code == 201
    hall.clock.forward(days=1)
    assert refused(say(three[0], game)) == (410, "talk-closed")
    assert three[0].get(f"/games/{game}/talk").get_json()["closed"] is True


def test_nobody_writes_at_a_table_that_was_cancelled_before_it_began(three: list[Player]):
    ada = three[0]
    game = ada.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    ada.join(game, 0)
    assert say(ada, game).status_code == 201
    assert ada.post(f"/games/{game}/cancel").status_code == 201
    assert refused(say(ada, game)) == (410, "talk-closed")


# --- words, limits, repeats -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " \n ", "\u202e\u200f", "x" * 1001])
def test_a_message_has_1_to_1000_characters(hall: Harness, three: list[Player], game: str, text: str):
    assert refused(say(three[0], game, text)) == (422, "bad-fields")
    assert count(hall) == 0


def test_control_and_direction_marks_are_removed_and_other_scripts_stay(three: list[Player], game: str):
    words = "\u202eroll\u2066 \x07bell\u2028next می‌روم 👩‍👧 שלום"
    assert say(three[0], game, words).get_json()["text"] == "roll bell\nnext می‌روم 👩‍👧 שלום"


def test_the_same_request_again_writes_once(hall: Harness, three: list[Player], game: str):
    once = {"Idempotency-Key": "a key"}
    first, again = say(three[0], game, **once), say(three[0], game, **once)
    assert (first.status_code, again.status_code, first.get_data()) == (201, 200, again.get_data())
    assert refused(say(three[0], game, "other", **once)) == (422, "idempotency-reused")
    assert count(hall) == 1


def test_messages_are_limited_by_the_hour_the_day_and_the_table(
    hall: Harness, three: list[Player], game: str, monkeypatch: pytest.MonkeyPatch
):
    """Also for a thief with a stolen session. The answer names when to come back."""
    ada, ben, _ = three
    for name, most in (("MOST_AN_HOUR", 2), ("MOST_AT_TABLE", 5)):
        monkeypatch.setattr(write, name, most)
    monkeypatch.setitem(LIMITS, "messages", LIMITS["messages"]._replace(most=3))
    for _ in range(2):
        assert say(ada, game).status_code == 201
    hall.clock.forward(minutes=50)
    late = say(ada, game)
    assert (refused(late), late.headers["Retry-After"]) == ((429, "too-much-talk"), "600")
    hall.clock.forward(minutes=10)
    assert say(ada, game).status_code == 201
    hall.clock.forward(hours=2)
    assert refused(say(ada, game)) == (429, "too-much-talk")
    assert [say(ben, game).status_code for _ in range(2)] == [201, 201]
    hall.clock.forward(days=2)
    assert refused(say(ben, game)) == (409, "talk-full")
    assert count(hall) == 5


# --- events, taking back, muting, reporting -------------------------------------------------------------------------


def events(hall: Harness, player: Player) -> list[tuple[str, str]]:
    found = surfaces.events(hall, player)
    return [(event["kind"], json.dumps(event)) for event in found if event["kind"] == "talk"]


def test_an_event_without_text_announces_a_message_to_holders_alone(hall: Harness, three: list[Player], game: str):
    say(three[0], game)
    for player, number in zip(three, (1, 1, 0), strict=True):
        found = events(hall, player)
        assert len(found) == number
        assert all("zanzibar" not in row for _, row in found)


def test_a_former_holder_gets_no_event_of_later_talk(hall: Harness, three: list[Player], game: str):
    ada, ben, cy = three
    ben.offer(game)
    cy.take(game, 1)
    say(ada, game)
    assert (events(hall, ben), len(events(hall, cy))) == ([], 1)


def test_a_message_can_be_taken_back_for_ten_minutes(hall: Harness, three: list[Player], game: str):
    """Twice changes nothing more; nobody else can do it."""
    ada, ben, _ = three
    path = f"/games/{game}/talk/{say(ada, game).get_json()['n']}"
    assert refused(ben.delete(path)) == (404, "not-found")
    assert ada.delete(path).status_code == ada.delete(path).status_code == 204
    shown = ben.get(f"/games/{game}/talk").get_json()["messages"][0]
    assert (shown["text"], shown["removed"]) == (None, "author")
    later = f"/games/{game}/talk/{say(ada, game).get_json()['n']}"
    hall.clock.forward(minutes=10)
    assert refused(ada.delete(later)) == (409, "message-stays")
    assert said(ben, game) == [None, SECRET]


def test_a_muted_player_is_not_read_and_does_not_learn_of_it(hall: Harness, three: list[Player], game: str):
    ada, ben, _ = three
    before = ben.get(f"/games/{game}/talk").get_json()
    assert put(ada, f"/games/{game}/mutes/1").status_code == put(ada, f"/games/{game}/mutes/1").status_code == 204
    assert ben.get(f"/games/{game}/talk").get_json() == before
    say(ben, game)
    assert said(ada, game) == [None]
    assert events(hall, ada) == []
    assert ada.get(f"/games/{game}/talk").get_json()["muted"] == [1]
    assert ada.delete(f"/games/{game}/mutes/1").status_code == 204
    assert said(ada, game) == [SECRET]
    assert refused(put(ada, f"/games/{game}/mutes/0")) == (422, "not-about-yourself")


def test_a_successor_of_a_muted_player_is_read(three: list[Player], game: str):
    ada, ben, cy = three
    put(ada, f"/games/{game}/mutes/1")
    say(ben, game, "muted")
    ben.offer(game)
    cy.take(game, 1)
    say(cy, game, "hello")
    assert said(ada, game) == [None, "hello"]


def test_a_report_has_a_copy_of_the_message_once(hall: Harness, three: list[Player], game: str):
    """It stays for 180 days, although the message was taken back."""
    ada, ben, cy = three
    n = say(ada, game).get_json()["n"]
    for _ in range(2):
        assert ben.post(f"/games/{game}/talk/{n}/report", {"why": "rude"}).status_code == 204
    ada.delete(f"/games/{game}/talk/{n}")
    with hall.services.database.read() as session:
        (row,) = session.scalars(sa.select(PlayerReport)).all()
    assert (row.by_id, row.about_id, row.why, row.copy) == (ben.account, ada.account, "rude", SECRET)
    assert refused(ada.post(f"/games/{game}/talk/{n}/report", {"why": "me"})) == (422, "not-about-yourself")
    assert refused(ben.post(f"/games/{game}/talk/9/report", {"why": "?"})) == (404, "not-found")
    assert refused(cy.post(f"/games/{game}/talk/{n}/report", {"why": "?"})) == (403, "no-seat")
    hall.clock.forward(days=181)
    retention.forget(hall.services)
    assert count(hall, PlayerReport) == 0


def test_the_operator_removes_a_message(hall: Harness, three: list[Player], game: str):
    n = say(three[0], game).get_json()["n"]
    write.remove(hall.services, BY, game, n)
    shown = three[1].get(f"/games/{game}/talk").get_json()["messages"][0]
    assert (shown["text"], shown["removed"]) == (None, "operator")


def test_the_mark_of_seen_messages_never_moves_back(three: list[Player], game: str):
    ada, ben, _ = three
    for _ in range(3):
        say(ada, game)
    for n, seen in ((2, 2), (1, 2), (99, 3)):
        assert put(ben, f"/games/{game}/talk/seen", {"n": n}).status_code == 204
        assert ben.get(f"/games/{game}/talk").get_json()["seen"] == seen


# --- what is forgotten ----------------------------------------------------------------------------------------------


def test_the_talk_of_an_erased_account_is_deleted_at_once(hall: Harness, three: list[Player], game: str):
    ada, ben, _ = three
    say(ada, game)
    put(ada, f"/games/{game}/notes", {"text": SECRET})
    assert ada.erase().status_code == 204
    shown = ben.get(f"/games/{game}/talk").get_json()["messages"][0]
    assert (shown["text"], shown["removed"], shown["name"]) == (None, "erasure", "Deleted account")
    assert "zanzibar" not in dump(hall)


def dump(hall: Harness) -> str:
    """Every value in the database."""
    with hall.services.database.read() as session:
        connection = session.connection()
        tables = sa.inspect(connection).get_table_names()
        return "".join(str(connection.execute(sa.text(f'SELECT * FROM "{name}"')).all()) for name in tables)


def test_talk_is_deleted_a_year_after_the_end(hall: Harness, three: list[Player], game: str):
    say(three[0], game)
    hall.clock.forward(days=400)
    retention.forget(hall.services)
    assert count(hall) == 1, "the game goes on"
    hall.play_out(game, three[:2])
    hall.clock.forward(days=364)
    retention.forget(hall.services)
    assert count(hall) == 1
    hall.clock.forward(days=2)
    retention.forget(hall.services)
    assert count(hall) == 0


def test_ending_all_sessions_stops_a_thief_from_talking(hall: Harness, three: list[Player], game: str):
    ada = three[0]
    assert say(ada, game).status_code == 201
    assert ada.post("/me/end-all").status_code in (200, 204)
    assert say(ada, game).status_code == 401
    assert count(hall) == 1
