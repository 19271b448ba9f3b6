"""Other origins: a program in a browser may use the API with a token, and nothing of a page or a cookie is for it."""

import pytest

from tests.server.harness import Harness, Player, address, sqlite_url

ORIGIN = {"Origin": "https://elsewhere.example"}
ASKED = {"Access-Control-Request-Headers": "authorization,content-type"}
PATHS = (
    "/v1/nowhere",
    "/v1/games",
    "/v1/me",
    "/v1/me/tokens/1",
    "/v1/me/keys/challenge",
    "/v1/openapi.json",
    "/v1/games/00000000-0000-4000-8000-000000000000/moves",
)


def crossing(answer) -> dict[str, str]:
    return {name: value for name, value in answer.headers if name.startswith("Access-Control")}


@pytest.mark.parametrize("path", PATHS)
def test_any_origin_may_ask_before_it_sends(hall: Harness, path: str):
    """Every path below /v1, also one that is none: so the program reads the problem and not a blank failure."""
    method = "DELETE" if "tokens" in path else "POST" if path.endswith(("moves", "challenge")) else "GET"
    answer = hall.client.options(path, headers={**ORIGIN, **ASKED, "Access-Control-Request-Method": method})
    told = crossing(answer)
    assert answer.status_code == 204
    assert answer.get_data() == b""
    assert told["Access-Control-Allow-Origin"] == "*"
    assert method in told["Access-Control-Allow-Methods"].split(", ")
    assert told["Access-Control-Max-Age"] == "7200"
    named = {name.lower() for name in told["Access-Control-Allow-Headers"].split(", ")}
    assert named == {
        *("authorization", "content-type", "if-match", "if-none-match", "idempotency-key", "last-event-id"),
        "sealed-move-proof",
    }
    assert "Access-Control-Allow-Credentials" not in told


def test_every_operation_of_the_document_may_be_asked_for(hall: Harness):
    """Its own method is among those that the preflight allows."""
    for path, item in hall.client.get("/v1/openapi.json").get_json()["paths"].items():
        if not path.startswith("/v1/"):
            continue
        for verb in {"get", "post", "patch", "put", "delete"} & set(item):
            asks = {**ORIGIN, "Access-Control-Request-Method": verb.upper()}
            allowed = hall.client.options(address(path), headers=asks).headers["Access-Control-Allow-Methods"]
            assert verb.upper() in allowed.split(", "), (verb, path)


@pytest.mark.parametrize("path", ["/v1/games", "/v1/me", "/v1/nowhere", "/v1/games?limit=0", "/v1/openapi.json"])
def test_answers_and_errors_may_be_read_from_anywhere(hall: Harness, path: str):
    """With the headers that a program needs, and never with credentials."""
    answer = hall.client.get(path, headers=ORIGIN)
    told = crossing(answer)
    assert told["Access-Control-Allow-Origin"] == "*"
    exposed = told["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Location", "Link", "Retry-After", "Deprecation", "Sunset"} <= set(exposed)
    assert {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} <= set(exposed)
    assert "Access-Control-Allow-Credentials" not in told


def test_a_budget_spent_is_told_to_other_origins_too(tmp_path, open_house):
    """Else a program sees only that it failed, and tries again at once."""
    hall = open_house(sqlite_url(tmp_path), limit_address="1/hour")
    answers = [hall.client.get("/v1/games", headers=ORIGIN) for _ in range(2)]
    assert answers[1].status_code == 429
    assert crossing(answers[1]) == crossing(answers[0])


@pytest.mark.parametrize("path", ["/", "/login", "/v1/docs", "/healthz", "/metrics", "/.well-known/sealedmove.json"])
def test_pages_are_for_this_origin_alone(hall: Harness, path: str):
    """Nothing outside of the API crosses, nor does a preflight for it."""
    assert crossing(hall.client.get(path, headers=ORIGIN)) == {}
    assert crossing(hall.client.options(path, headers={**ORIGIN, "Access-Control-Request-Method": "POST"})) == {}


def test_answers_to_a_cookie_do_not_cross_origins(hall: Harness, two: list[Player]):
    """A token is given on purpose, a cookie is not."""
    answer = hall.client.get("/v1/games", headers={**ORIGIN, "Cookie": "session=1"})
    assert crossing(answer) == {}
    assert "Cookie" in answer.headers["Vary"]
    assert "Cookie" in hall.client.get("/v1/games", headers=ORIGIN).headers["Vary"]


def test_asking_costs_nothing_of_the_budget(tmp_path, open_house):
    """A browser asks before every other request, and its user has sent only those."""
    hall = open_house(sqlite_url(tmp_path), limit_address="2/hour", limit_login="1/hour", limit_token="2/hour")
    asks = {**ORIGIN, **ASKED, "Access-Control-Request-Method": "POST", "Authorization": "Bearer x"}
    assert {hall.client.options("/v1/login", headers=asks).status_code for _ in range(9)} == {204}
    assert {hall.client.options("/v1/login").status_code for _ in range(9)} == {200}
    assert hall.client.post("/v1/login", json={"email": "a@example.org"}).status_code == 202
