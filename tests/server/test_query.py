"""Query parameters: those that the document names, and no others."""

import pytest

from tests.server.harness import Harness, Player, address


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("/v1/games?state=lobby", ["after", "limit", "status", "type"]),
        ("/v1/types?limit=3", []),
        ("/v1/me?x", []),
        ("/v1/openapi.json?v=2", []),
        ("/v1/games/00000000-0000-4000-8000-000000000000?wait=3", []),
        ("/v1/games/00000000-0000-4000-8000-000000000000/log?since=3", ["after", "limit", "wait"]),
        ("/.well-known/sealedmove.json?v=1", []),
    ],
)
def test_an_unknown_parameter_is_refused_with_the_known_ones(hall: Harness, path: str, known: list[str]):
    """Otherwise a misspelled filter would return everything."""
    problem = hall.client.get(path).get_json()
    assert (problem["status"], problem["code"]) == (422, "unknown-parameter")
    assert problem["facts"]["found"] == [path.partition("?")[2].partition("=")[0]]
    assert set(known) <= set(problem["facts"]["expected"])


def test_an_act_with_an_unknown_parameter_changes_nothing(hall: Harness, two: list[Player]):
    """A POST is refused like a GET, before anything is done."""
    game = hall.game("bids", two)
    before = hall.head(game)
    body = two[0].signed_move(game, [{"do": "bid", "amount": 1}])
    refused = hall.client.post(f"/v1/games/{game}/moves?dry=1", json=body)
    assert refused.get_json()["code"] == "unknown-parameter"
    assert hall.head(game) == before
    assert hall.client.post(f"/v1/games/{game}/moves", json=body).status_code == 201


def test_every_operation_refuses_unknown_parameters(hall: Harness):
    """It is named first, before any other fault of the request."""
    for path, item in hall.client.get("/v1/openapi.json").get_json()["paths"].items():
        for verb in {"get", "post", "patch", "put", "delete"} & set(item):
            problem = hall.client.open(f"{address(path)}?surely-unknown=1", method=verb.upper()).get_json()
            assert problem["code"] == "unknown-parameter", (verb, path)


def test_pages_ignore_unknown_parameters(hall: Harness):
    """Mail programs add some to the addresses that people follow."""
    assert hall.client.get("/?utm_source=mail").status_code == 200
    assert hall.client.get("/v1/docs?utm_source=mail").status_code == 200
