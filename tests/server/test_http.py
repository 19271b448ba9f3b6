"""Laws of every answer: problem documents, ETags, limits, long polls, idempotent creation."""

import time
from itertools import pairwise
from typing import get_args
from uuid import UUID

import pytest

from engine.kit.play import REFUSALS
from engine.record.laws.admission import SAYS
from engine.record.laws.preconditions import LAWS
from server.http import limits
from server.kernel import errors
from tests.server import refusals
from tests.server.harness import HOST, Client, Harness, Player, sqlite_url

ROLL = [{"do": "roll"}]


def test_every_refusal_in_the_engines_tables_has_a_status_and_a_title():
    """A code outside them fails the test that gets it: each answer is held to the document (`promised.py`)."""
    assert {rule.code for rule in LAWS} <= {*SAYS}
    assert {*REFUSALS, *SAYS} - {*errors.ENGINE, *errors.SERVER} == set()
    assert {*errors.ENGINE} - {*errors.TITLES} == set()


def test_every_code_that_the_server_raises_is_in_its_table():
    """`Problem` accepts no other code: `make check` checks each place that raises one against this type."""
    codes = set(get_args(errors.Code))
    assert codes - {*errors.SERVER, *errors.ENGINE} == set()
    assert set(errors.SERVER) - codes == set()


def test_every_refusal_is_documented():
    """docs/refusals.md matches the tables; `python -m tests.server.refusals` writes it again."""
    assert refusals.PAGE.read_text("utf-8") == refusals.page()


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/v1/nowhere", None, 404, "not-found"),
        ("DELETE", "/v1/games", None, 405, "method-not-allowed"),
        ("POST", "/v1/login", b"{", 400, "bad-request"),
        ("POST", "/v1/login", b'{"email":"a@example.org","email":"b@example.org"}', 400, "bad-request"),
        ("POST", "/v1/login", b'{"email":"a@example.org","em\\u0061il":"b@example.org"}', 400, "bad-request"),
        ("POST", "/v1/login", b'{"email":"nobody"}', 422, "bad-fields"),
        ("POST", "/v1/login", b'{"email":"a@example.org","more":1}', 422, "bad-fields"),
        ("POST", "/v1/login", b'{"email":"a@example.org","name":"a\\r\\nBcc: b"}', 422, "bad-fields"),
        ("POST", "/v1/login", b'{"email":"a@example.org","name":"a\\n"}', 422, "bad-fields"),
        ("POST", "/v1/login", b'"' + b"x" * 70_000 + b'"', 413, "too-large"),
        ("GET", "/v1/games?status=odd", None, 422, "bad-fields"),
        ("GET", "/v1/types/chess", None, 404, "unknown-game"),
        ("GET", "/v1/me", None, 401, "not-signed-in"),
    ],
)
def test_every_error_is_a_problem_document(hall: Harness, method, path, body, status, code):
    answer = hall.client.open(path, method=method, data=body, content_type="application/json" if body else None)
    problem = answer.get_json()
    assert answer.content_type == "application/problem+json"
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert problem["type"] == f"/problems/{code}"
    assert problem["title"]


def test_a_body_that_is_not_json_is_415_and_405_names_what_is_allowed(hall: Harness):
    assert hall.client.post("/v1/login", data={"email": "a@example.org"}).get_json()["code"] == "not-json"
    assert "POST" in hall.client.delete("/v1/games").headers["Allow"]
    assert hall.client.get("/v1/me").headers["WWW-Authenticate"].startswith("Bearer")


def test_a_refusal_by_the_rules_has_the_games_own_sentence(hall: Harness, two: list[Player]):
    game = hall.game("bids", two)
    problem = two[0].move(game, [{"do": "bid", "amount": 99}]).get_json()
    assert (problem["status"], problem["code"]) == (422, "too-few-coins")
    assert problem["facts"]["found"] == 99
    assert (problem["facts"]["command"], problem["facts"]["notation"]) == (1, "bid 99")


def test_a_refusal_names_the_command_of_the_move(hall: Harness, two: list[Player]):
    """In the sentence and in the facts, as in a preview."""
    game = hall.game("bids", two)
    move = [{"try": {"do": "bid", "amount": 98}}, {"do": "bid", "amount": 99}]
    problem = two[0].move(game, move).get_json()
    shown = two[0].post(f"/games/{game}/preview", {"commands": move}).get_json()["refusal"]
    assert problem["title"].startswith("Command 2 (bid 99): ")
    assert problem["title"] == shown["says"]
    assert (problem["facts"]["command"], problem["facts"]["notation"]) == (2, "bid 99")
    assert hall.head(game)[0] == 4


@pytest.mark.parametrize(("path", "private"), [("", True), ("/log", False), ("/view", True), ("/bundle", False)])
def test_an_unchanged_answer_is_304(hall: Harness, two: list[Player], path: str, private: bool):
    game = hall.game("bids", two)
    first = two[0].get(f"/games/{game}{path}")
    again = two[0].get(f"/games/{game}{path}", headers={"If-None-Match": first.headers["ETag"]})
    two[0].move(game, [{"do": "bid", "amount": 1}])
    changed = two[0].get(f"/games/{game}{path}", headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, again.status_code, changed.status_code) == (200, 304, 200)
    assert again.get_data() == b""
    assert first.headers["Cache-Control"] == ("private, no-store" if private else "no-cache")
    assert "Authorization" in first.headers["Vary"]


def test_views_of_different_seats_have_different_tags(hall: Harness, two: list[Player]):
    game = hall.game("bids", two)
    answers = [
        two[0].get(f"/games/{game}/view"),
        two[1].get(f"/games/{game}/view"),
        hall.client.get(f"/v1/games/{game}/view"),
    ]
    assert len({answer.headers["ETag"] for answer in answers}) == 3


def test_the_log_comes_in_pages_and_waits_for_new_entries(hall: Harness, two: list[Player], waits):
    game = hall.game("bids", two)
    page = hall.client.get(f"/v1/games/{game}/log?after=0&limit=2")
    assert len(page.get_json()["entries"]) == 2
    assert f'</v1/games/{game}/log?after=2&limit=2>; rel="next"' == page.headers["Link"]
    waits.meanwhile += [lambda: None, lambda: two[0].move(game, [{"do": "bid", "amount": 1}])]
    waited = hall.app.test_client().get(f"/v1/games/{game}/log?after=3&wait=20").get_json()
    assert len(waited["entries"]) == 1
    assert waits.looks == 2


def test_an_ambiguous_command_lists_its_candidates(hall: Harness, two: list[Player]):
    """In the sentence and in the facts; nothing is played."""
    game = hall.game("bids", two)
    before = hall.head(game)
    refused = two[0].post(f"/games/{game}/preview", {"notation": "bid"}).get_json()
    assert refused["code"] == "ambiguous"
    assert refused["title"] == f"'bid' fits several commands: {', '.join(refused['facts']['candidates'])}."
    assert hall.head(game) == before


def test_a_move_is_previewed_without_being_made(hall: Harness, two: list[Player]):
    game = hall.game("bids", two)
    seen = two[0].post(f"/games/{game}/preview", {"notation": "bid 4"}).get_json()
    assert seen["commands"] == [{"do": "bid", "amount": 4}]
    assert seen["certain"] is True
    assert seen["sentences"] == ["Player 0 sealed a bid: 4."]
    refused = two[0].post(f"/games/{game}/preview", {"commands": [{"do": "bid", "amount": 99}]}).get_json()
    assert refused["refusal"]["code"] == "too-few-coins"
    assert two[0].post(f"/games/{game}/preview", {"notation": "b 4"}).get_json()["commands"] == seen["commands"]
    assert hall.head(game)[0] == 4


def test_a_preview_ends_before_a_draw(hall: Harness, two: list[Player]):
    game = hall.game("pig", two)
    active = hall.client.get(f"/v1/games/{game}").get_json()["active"][0]
    seen = two[active].post(f"/games/{game}/preview", {"commands": ROLL}).get_json()
    assert (seen["certain"], seen["events"]) == (False, [])


def test_one_idempotency_key_makes_one_game(hall: Harness, two: list[Player]):
    headers = {"Idempotency-Key": "once"}
    wish = {"type": "pig", "seats": 2}
    first, again = (two[0].post("/games", wish, headers=headers).get_json() for _ in range(2))
    other = two[0].post("/games", {"type": "pig", "seats": 3}, headers=headers)
    assert first["id"] == again["id"]
    assert other.get_json()["code"] == "idempotency-reused"
    assert two[1].post("/games", wish, headers=headers).get_json()["id"] != first["id"]


def test_games_are_listed_newest_first_in_pages(hall: Harness, two: list[Player]):
    made = []
    for _ in range(5):
        hall.clock.forward(seconds=1)
        made.append(two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"])
    first = hall.client.get("/v1/games?limit=3&status=lobby&type=pig").get_json()
    rest = hall.client.get(f"/v1/games?limit=3&after={first['next']}").get_json()
    assert [game["id"] for game in first["games"] + rest["games"]] == made[::-1]
    assert rest["next"] is None


def test_types_describe_their_options_and_commands(hall: Harness):
    shown = hall.client.get("/v1/types/bids").get_json()
    assert shown["commands"][0]["sealed"] == ["amount"]
    assert shown["commands"][0]["schema"]["properties"]["amount"]["maximum"] == 99
    assert shown["options"]["properties"]["lots"]["default"] == 5
    assert "too-few-coins" in shown["refusals"]


@pytest.mark.parametrize(
    ("limits", "headers", "status"),
    [({"limit_address": "3/hour"}, {}, 200), ({"limit_token": "3/hour"}, {"Authorization": "Bearer x"}, 401)],
)
def test_a_budget_spent_is_429_with_retry_after(tmp_path, open_house, limits, headers, status):
    hall = open_house(sqlite_url(tmp_path), **limits)
    answers = [hall.client.get("/v1/games", headers=headers) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [status, status, status, 429]
    assert answers[-1].get_json()["code"] == "too-many-requests"
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 3600
    assert hall.client.get("/healthz").status_code == 200


def test_a_path_that_leads_nowhere_has_a_budget(tmp_path, open_house):
    """So has a method that a path does not have: the answer may be a page, which costs as much as others."""
    hall = open_house(sqlite_url(tmp_path), limit_address="3/hour")
    answers = [hall.client.get("/nowhere"), hall.client.get("/v1/nowhere"), hall.client.delete("/v1/types")]
    assert [answer.status_code for answer in answers] == [404, 404, 405]
    assert hall.client.get("/nowhere").status_code == 429
    assert hall.client.get("/static/nowhere.css").status_code == 404


def test_a_token_has_one_budget_however_its_header_is_written(tmp_path, open_house):
    hall = open_house(sqlite_url(tmp_path), limit_token="2/hour")
    written = ("Bearer {}", "bearer {}", "Bearer  {}")
    token = hall.player(0).token
    asked = [hall.client.get("/v1/me", headers={"Authorization": one.format(token)}).status_code for one in written]
    assert asked == [200, 200, 429]


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (("2001:db8::1", "2001:db8::2", "2001:db8::ffff:3"), "2001:db8:0:1::1"),
        (("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1"), "::ffff:192.0.2.2"),
    ],
)
def test_a_network_of_ipv6_has_one_budget(tmp_path, open_house, near, far):
    """One host may have every address of it; an IPv4 address is the same in either form."""
    hall = open_house(sqlite_url(tmp_path), limit_address="2/hour")
    asked = [hall.client.get("/v1/games", environ_base={"REMOTE_ADDR": one}).status_code for one in (*near, far)]
    assert asked == [200, 200, 429, 200]


def test_budgets_are_shared_through_redis(tmp_path, open_house, redis_url):
    halls = [open_house(sqlite_url(tmp_path), limit_address="3/hour", redis_url=redis_url) for _ in range(2)]
    statuses = [halls[n % 2].client.get("/v1/games").status_code for n in range(4)]
    assert statuses == [200, 200, 200, 429]


def test_all_budgets_of_a_request_are_drawn_on_in_one_trip(tmp_path, open_house, redis_url, monkeypatch):
    """Each trip costs more than anything else that a limit does."""
    hall = open_house(sqlite_url(tmp_path), limit_address="50/hour", limit_token="50/hour", redis_url=redis_url)
    player, sent = hall.player(0), []
    player.get("/me")  # loads the script
    usual = hall.services.waker.redis.execute_command
    monkeypatch.setattr(hall.services.waker.redis, "execute_command", lambda *a, **k: sent.append(a) or usual(*a, **k))
    answer = player.get("/me")
    assert [command for command, *_ in sent] == ["EVALSHA"]
    assert sent[0][2] == 2
    assert (answer.headers["X-RateLimit-Limit"], answer.headers["X-RateLimit-Remaining"]) == ("50", "48")


@pytest.mark.parametrize("is_shared", [True, False])
def test_previews_and_pictures_count_as_often_as_they_cost(tmp_path, open_house, redis_url, is_shared):
    """A preview as four plain requests, a picture as two, in Redis and in memory; 429 once they are used up."""
    hall = open_house(sqlite_url(tmp_path), limit_address="7/hour", redis_url=redis_url if is_shared else None)
    game = f"/v1/games/{UUID(int=0)}"
    preview = hall.client.post(f"{game}/preview", json={"commands": ROLL})
    answers = [preview, hall.client.get(f"{game}/picture"), hall.client.get("/v1/games"), hall.client.get("/v1/games")]
    left = [(answer.status_code, answer.headers["X-RateLimit-Remaining"]) for answer in answers]
    assert left == [(401, "3"), (404, "1"), (200, "0"), (429, "0")]


def test_pages_count_as_often_as_they_cost(tmp_path, open_house):
    """Anyone may ask for them; the picture takes as much processor time as sixteen plain requests."""
    hall = open_house(sqlite_url(tmp_path), limit_address="60/hour")
    paths = [
        "/v1/docs",
        f"/games/{UUID(int=0)}/preview.png",
        "/v1/openapi.json",
        "/",
        "/tables",
        f"/games/{UUID(int=0)}",
    ]
    left = [int(hall.client.get(path).headers["X-RateLimit-Remaining"]) for path in paths]
    assert [before - after for before, after in pairwise([60, *left])] == [3, 16, 1, 3, 3, 3]
    assert set(limits.WEIGHTS) <= set(hall.app.view_functions)


def test_previews_and_positions_of_a_lesson_count_as_often_as_they_cost(tmp_path, open_house):
    """They need no account, and calculate as much as those of a game."""
    hall = open_house(sqlite_url(tmp_path), limit_address="60/hour")
    step = "/v1/types/livingstone/lesson/1"
    answers = [hall.client.post(f"{step}/preview", json={"notation": "coins 1"}), hall.client.get(step)]
    left = [int(answer.headers["X-RateLimit-Remaining"]) for answer in answers]
    assert [before - after for before, after in pairwise([60, *left])] == [4, 4]


@pytest.mark.parametrize("is_shared", [False, True])
def test_each_answer_names_its_budget_and_when_it_is_full_again(tmp_path, open_house, redis_url, is_shared):
    """The first one, or the one that is spent; an hour does not run out in a test."""
    rates = {"limit_address": "4/hour;2/2 hours", "redis_url": redis_url if is_shared else None}
    began, hall = time.time(), open_house(sqlite_url(tmp_path), **rates)
    answers = [hall.client.get("/v1/games") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    shown = [[answer.headers[f"X-RateLimit-{name}"] for name in ("Limit", "Remaining")] for answer in answers]
    assert shown == [["4", "3"], ["4", "2"], ["2", "0"]]
    assert began + 3590 < int(answers[0].headers["X-RateLimit-Reset"]) <= time.time() + 3601
    assert "Retry-After" not in answers[0].headers
    assert 7100 < int(answers[2].headers["Retry-After"]) <= 7201


def test_a_window_in_redis_ends_by_itself(tmp_path, open_house, redis_url):
    """Its counter has an end from the first request on, which later ones do not move."""
    hall = open_house(sqlite_url(tmp_path), limit_address="9/hour", redis_url=redis_url)
    store = hall.services.waker.redis
    hall.client.get("/v1/games")
    (key,) = store.keys("budget:*")
    store.pexpire(key, 600_000)
    hall.client.get("/v1/games")
    assert 0 < store.pttl(key) <= 600_000
    store.delete(key)
    assert hall.client.get("/v1/games").headers["X-RateLimit-Remaining"] == "8"
    assert 3_000_000 < store.pttl(key) <= 3_600_000


def test_a_window_in_memory_ends_by_itself(monkeypatch):
    counters, now = limits.OwnCounters(), [100.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    one = limits.RequestBudget("budget:somebody", 1, 60)
    assert [counters.draw([one]), counters.draw([one])] == [[(1, 60.0)], [(2, 60.0)]]
    now[0] += 60
    assert counters.draw([one]) == [(1, 60.0)]


def test_counters_in_memory_are_dropped_when_their_windows_are_over(monkeypatch):
    """Addresses that came once must not fill the memory of a process."""
    counters, now = limits.OwnCounters(), [100.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    for number in range(3000):
        counters.draw([limits.RequestBudget(f"budget:{number}", 1, 60)])
        now[0] += 1
    assert len(counters._counted) <= 1001


def test_signing_in_has_a_smaller_budget(tmp_path, open_house):
    hall = open_house(sqlite_url(tmp_path), limit_login="2/hour")
    statuses = [hall.client.post("/v1/login", json={"email": f"a{n}@example.org"}).status_code for n in range(3)]
    assert statuses == [202, 202, 429]


def test_health_is_answered(hall: Harness):
    assert hall.client.get("/healthz").status_code == 200
    assert hall.client.get("/readyz").status_code == 200


@pytest.mark.parametrize("host", [HOST, "127.0.0.1:9100", "elsewhere.example"])
def test_metrics_are_not_on_the_public_port(hall: Harness, host: str):
    """Whatever `Host` the request has: a proxy passes on everything that this port answers."""
    answer = hall.client.get("/metrics", headers={"Host": host})
    assert answer.status_code in (404, 421)
    assert b"sealedmove_" not in answer.get_data()


def test_without_its_tables_the_server_is_not_ready(tmp_path):
    from server.http.app import create_app
    from tests.server.harness import settings

    app = create_app(settings(f"sqlite:///{tmp_path / 'empty.db'}"))
    client = Client(app)
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 503
    app.extensions["sealedmove"].database.dispose()


def test_a_wait_without_a_free_place_is_refused_with_a_delay(tmp_path, open_house):
    """503 with Retry-After, so that not everybody retries at once; an answer that is ready needs no place."""
    hall = open_house(sqlite_url(tmp_path), most_waiting=0)
    game = hall.game("bids", [hall.player(number) for number in range(2)])
    full = hall.client.get(f"/v1/games/{game}/log?after=3&wait=5")
    assert (full.status_code, full.get_json()["code"]) == (503, "no-place")
    assert full.get_json()["facts"] == {"of": "server", "most": 0}
    assert full.headers["Retry-After"] == "5"
    assert len(hall.client.get(f"/v1/games/{game}/log?after=2&wait=5").get_json()["entries"]) == 1
    assert hall.client.get(f"/v1/games/{game}/log?after=3").get_json()["entries"] == []


def test_one_address_gets_half_of_the_places_to_wait(tmp_path, open_house, waits):
    """Of IPv6 the whole network is one. A place whose request has been answered is free again."""
    hall = open_house(sqlite_url(tmp_path), most_waiting=4)
    two = [hall.player(number) for number in range(2)]
    game = hall.game("bids", two)

    def wait(address: str, after: int = 3) -> tuple[int, dict[str, object] | None]:
        path = f"/v1/games/{game}/log?after={after}&wait=5"
        answer = hall.app.test_client().get(path, environ_base={"REMOTE_ADDR": address})
        return answer.status_code, answer.get_json().get("facts")

    full, held = (503, {"of": "address", "most": 2}), (200, None)
    seen = []
    bid = [{"do": "bid", "amount": 1}]
    waits.meanwhile += [lambda: seen.append(wait("2001:db8::2")), lambda: seen.append(wait("2001:db8::3"))]
    waits.meanwhile += [lambda: seen.append(wait("203.0.113.7")), lambda: two[0].move(game, bid)]
    assert wait("2001:db8::1") == held
    assert seen == [full, held, held]
    waits.meanwhile.append(lambda: two[1].move(game, bid))
    assert wait("2001:db8::1", after=4) == held


def test_a_wait_above_the_limit_is_refused_and_not_shortened(tmp_path, open_house, waits):
    """The refusal names the limit."""
    hall = open_house(sqlite_url(tmp_path), longest_wait=20)
    game = hall.game("bids", [hall.player(number) for number in range(2)])
    answer = hall.client.get(f"/v1/games/{game}/log?after=3&wait=21")
    assert waits.looks == 0
    assert (answer.status_code, answer.get_json()["code"]) == (422, "wait-too-long")
    assert answer.get_json()["facts"] == {"found": 21, "most": 20}
