"""Other origins: a program in a browser may use the API with a token, but no page and no cookie."""

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
def test_a_preflight_is_answered_for_any_origin(hall: Harness, path: str):
    """For every path below /v1, unknown ones too, so that the program reads the problem and not a blank failure."""
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


def test_the_preflight_allows_every_method_of_the_document(hall: Harness):
    for path, item in hall.client.get("/v1/openapi.json").get_json()["paths"].items():
        if not path.startswith("/v1/"):
            continue
        for verb in {"get", "post", "patch", "put", "delete"} & set(item):
            asks = {**ORIGIN, "Access-Control-Request-Method": verb.upper()}
            allowed = hall.client.options(address(path), headers=asks).headers["Access-Control-Allow-Methods"]
            assert verb.upper() in allowed.split(", "), (verb, path)


@pytest.mark.parametrize("path", ["/v1/games", "/v1/me", "/v1/nowhere", "/v1/games?limit=0", "/v1/openapi.json"])
def test_answers_and_errors_are_readable_from_any_origin(hall: Harness, path: str):
    """With the headers that a program needs, and never with credentials."""
    answer = hall.client.get(path, headers=ORIGIN)
    told = crossing(answer)
    assert told["Access-Control-Allow-Origin"] == "*"
    exposed = told["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Location", "Link", "Retry-After", "Deprecation", "Sunset"} <= set(exposed)
    assert {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} <= set(exposed)
    assert "Access-Control-Allow-Credentials" not in told


def test_a_spent_budget_is_readable_from_other_origins(tmp_path, open_house):
    """Otherwise a program sees only a failure and retries at once."""
    hall = open_house(sqlite_url(tmp_path), limit_address="1/hour")
    answers = [hall.client.get("/v1/games", headers=ORIGIN) for _ in range(2)]
    assert answers[1].status_code == 429
    assert crossing(answers[1]) == crossing(answers[0])


@pytest.mark.parametrize("path", ["/", "/login", "/v1/docs", "/healthz", "/.well-known/sealedmove.json"])
def test_pages_are_not_shared_with_other_origins(hall: Harness, path: str):
    """Outside of the API there are no CORS headers and no preflight."""
    assert crossing(hall.client.get(path, headers=ORIGIN)) == {}
    assert crossing(hall.client.options(path, headers={**ORIGIN, "Access-Control-Request-Method": "POST"})) == {}


def test_answers_to_a_cookie_do_not_cross_origins(hall: Harness, two: list[Player]):
    """A program sends a token on purpose; a browser sends a cookie by itself."""
    answer = hall.client.get("/v1/games", headers={**ORIGIN, "Cookie": "session=1"})
    assert crossing(answer) == {}
    assert "Cookie" in answer.headers["Vary"]
    assert "Cookie" in hall.client.get("/v1/games", headers=ORIGIN).headers["Vary"]


def test_a_preflight_costs_no_budget(tmp_path, open_house):
    """Browsers send one before every other request."""
    hall = open_house(sqlite_url(tmp_path), limit_address="2/hour", limit_login="1/hour", limit_token="2/hour")
    asks = {**ORIGIN, **ASKED, "Access-Control-Request-Method": "POST", "Authorization": "Bearer x"}
    assert {hall.client.options("/v1/login", headers=asks).status_code for _ in range(9)} == {204}
    assert {hall.client.options("/v1/login").status_code for _ in range(9)} == {200}
    assert hall.client.post("/v1/login", json={"email": "a@example.org"}).status_code == 202
