"""Hostile requests: every operation answers a problem document below 500 and changes nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from prometheus_client.registry import REGISTRY
from werkzeug.routing import IntegerConverter

from server.kernel.db.models import Base
from tests.server.harness import Harness, Player, address

COMMITTED = json.loads(Path("openapi/openapi.json").read_text())
OPERATIONS = [
    (verb.upper(), path) for path, item in COMMITTED["paths"].items() for verb in item if verb != "parameters"
]
WITH_BODY = [(verb, path) for verb, path in OPERATIONS if "requestBody" in COMMITTED["paths"][path][verb.lower()]]
DEEP = b"[" * 30_000
BODIES = {
    "deep": DEEP,
    "deep and whole": b"[" * 900 + b"]" * 900,
    "surrogate": rb'"\ud800"',
    "long integer": b"1" * 5000,
    "endless number": b"1e999",
    "not a number": b"NaN",
    "no text": b"\xff\xfe",
    "NUL": rb'"\u0000"',
    "nothing": b"null",
}
PRINTED = ("%00", "%ff", "%ed%a0%80", "%0a", "%f4%90%80%80", "a" * 3000)
OTHERS = [pytest.param(odd, marks=pytest.mark.long) for odd in PRINTED[2:]]


def test_every_number_in_a_path_has_an_end(hall: Harness):
    """The database has none for larger ones."""
    numbers = [(rule, one) for rule in hall.app.url_map.iter_rules() for one in rule._converters.values()]
    assert [str(rule) for rule, one in numbers if isinstance(one, IntegerConverter) and one.max is None] == []


def count(hall: Harness) -> dict[str, int]:
    with hall.services.database.read() as session:
        return {
            name: session.scalar(sa.select(sa.func.count()).select_from(table)) or 0
            for name, table in Base.metadata.tables.items()
        }


def is_problem(answer) -> bool:
    """True if the answer is a problem. An unreadable checkpoint is not one: it is compared, and does not match."""
    if answer.status_code == 200:
        return bool(answer.get_json().get("relation") == "none")
    return answer.status_code < 500 and answer.content_type == "application/problem+json"


def places(verb: str, path: str, body: bytes) -> list[str]:
    """The members of the body of this operation, without those that may be null."""
    schema = COMMITTED["paths"][path][verb.lower()]["requestBody"]["content"]["application/json"]["schema"]
    members = _members(schema)
    return sorted(name for name, told in members.items() if body != b"null" or "null" not in told.get("type", ()))


def _members(schema) -> dict[str, Any]:
    if "$ref" in schema:
        schema = COMMITTED["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    parts = [*schema.get("oneOf", []), *schema.get("anyOf", []), *schema.get("allOf", [])]
    return {**schema.get("properties", {}), **{name: told for part in parts for name, told in _members(part).items()}}


@pytest.mark.slow
def test_no_body_breaks_an_operation(any_hall: Harness):
    """The whole body, then each of its members, is replaced by something meaningless."""
    hall, player = any_hall, any_hall.player(0)
    game = player.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    before = count(hall)
    for verb, path in WITH_BODY:
        for name, body in BODIES.items():
            members = [b'{"%s":%s}' % (member.encode(), body) for member in places(verb, path, body)]
            for sent in [body, *members, *(b'{"x":' + body + b"}",)]:
                answer = hall.client.open(
                    address(path, game), method=verb, data=sent, content_type="application/json", headers=player.auth
                )
                assert is_problem(answer), (verb, path, name, sent[:40], answer.get_data()[:200])
    assert count(hall) == before


@pytest.mark.parametrize("inner", list(BODIES.values()), ids=list(BODIES))
def test_no_value_inside_a_valid_request_breaks_it(any_hall: Harness, inner: bytes):
    """Options, an edition, commands, the text of a checkpoint: wherever the schema leaves the form open."""
    hall, player = any_hall, any_hall.player(0)
    game = player.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    bodies = [
        ("/v1/games", b'{"type":"pig","seats":2,"options":{"goal":%s}}'),
        ("/v1/games", b'{"type":"pig","seats":2,"options":{"a":%s}}'),
        ("/v1/games", b'{"type":"bids","seats":2,"edition":{"cards":[%s]}}'),
        (f"/v1/games/{game}/preview", b'{"commands":[%s]}'),
        (f"/v1/games/{game}/preview", b'{"commands":[{"do":"roll","x":%s}]}'),
        (f"/v1/games/{game}/missing", b'{"note":"x","entries":[%s]}'),
        (f"/v1/games/{game}/missing", b'{"note":"x","entries":["x"],"moves":[{"seq":1,"text":%s}]}'),
    ]
    before = count(hall)
    for path, text in bodies:
        answer = hall.client.post(path, data=text % inner, content_type="application/json", headers=player.auth)
        assert is_problem(answer), (path, answer.get_data()[:200])
    assert count(hall) == before


@pytest.mark.parametrize("odd", [*PRINTED[:2], *OTHERS], ids=lambda odd: odd[:12])
def test_no_path_and_no_query_breaks_an_operation(any_hall: Harness, odd: str):
    """In every part of a path, and as name and value of every parameter."""
    hall, player = any_hall, any_hall.player(0)
    game = player.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    before = count(hall)
    for verb, path in OPERATIONS:
        own = COMMITTED["paths"][path][verb.lower()].get("parameters", [])
        named = [one["name"] for one in own if one.get("in") == "query"]
        for where in [
            *(re.sub(rf"\{{{part}\}}", odd, path) for part in re.findall(r"\{(\w+)\}", path)),
            *(f"{path}?{name}={odd}" for name in named),
            f"{path}?{odd}=1",
        ]:
            answer = hall.client.open(address(where, game), method=verb, json={}, headers=player.auth)
            assert answer.status_code < 500, (verb, where, answer.status_code, answer.get_data()[:200])
    assert count(hall) == before


@pytest.mark.slow
@pytest.mark.parametrize("value", ["\x00".join("ab"), "\xff", "ü" * 50, '"', ",", "W/", '"' * 200])
def test_no_header_breaks_an_answer(hall: Harness, two: list[Player], value: str):
    """Headers may hold bytes that are not text."""
    game = hall.game("bids", two)
    for name in ("If-None-Match", "Idempotency-Key", "Authorization", "Content-Type", "Last-Event-ID", "Origin"):
        for path in (f"/v1/games/{game}", f"/v1/games/{game}/view", "/v1/me", "/"):
            answer = hall.client.get(path, headers={**two[0].auth, name: value.replace("\x00", "")})
            assert answer.status_code < 500, (name, path)


def test_unknown_methods_and_paths_become_no_metric_labels(hall: Harness):
    """They would fill the memory of the metrics."""
    hall.client.open("/v1/made-up-1", method="MADEUP1")
    hall.client.open("/v1/games", method="ODD1")
    hall.client.get("/made-up/1")
    labels = {value for family in REGISTRY.collect() for sample in family.samples for value in sample.labels.values()}
    assert not [label for label in labels if "made" in label.lower() or label.startswith("ODD")]


@pytest.mark.parametrize(
    ("headers", "data"),
    [
        ({"Content-Type": "text/plain"}, b""),
        ({"Content-Type": "application/x-www-form-urlencoded"}, b"email=a%40example.org"),
        ({"Content-Type": "text/plain"}, b'{"email":"a@example.org"}'),
        ({"Content-Type": "text/plain", "Transfer-Encoding": "chunked"}, b'{"email":"a@example.org"}'),
        ({"Transfer-Encoding": "chunked"}, b'{"email":"a@example.org"}'),
    ],
)
def test_a_body_that_is_not_json_is_415_before_its_content_is_422(hall: Harness, headers, data: bytes):
    """The sender of a form reads that it is not JSON, instead of a list of missing fields."""
    chunked = {"environ_overrides": {"CONTENT_LENGTH": "", "wsgi.input_terminated": True}}
    answer = hall.client.post(
        "/v1/login", headers=headers, data=data, **(chunked if "Transfer-Encoding" in headers else {})
    )
    assert (answer.status_code, answer.get_json()["code"]) == (415, "not-json")


def test_without_a_body_the_fields_are_missing(hall: Harness):
    """Not 415, because nothing was sent."""
    assert hall.client.post("/v1/login").get_json()["code"] == "bad-fields"


def test_each_address_lists_its_methods(hall: Harness):
    """`challenge` is not a thumbprint of a key, so it has no DELETE."""
    assert sorted(hall.client.options("/v1/me/keys/challenge").headers["Allow"].split(", ")) == ["OPTIONS", "POST"]
    assert "DELETE" in hall.client.options(f"/v1/me/keys/{'A' * 43}").headers["Allow"]


def test_a_key_that_is_not_a_thumbprint_is_not_found(hall: Harness, two: list[Player]):
    """The known ones stay."""
    for odd in ("A" * 42, "A" * 44, "A" * 42 + "%00", "A" * 42 + "%0A", "A" * 42 + "="):
        answer = hall.client.delete(f"/v1/me/keys/{odd}", headers=two[0].auth)
        assert answer.get_json()["code"] == "not-found"
    assert len(two[0].get("/me/keys").get_json()) == 1


def test_a_preview_accepts_objects_only_as_commands(hall: Harness, two: list[Player]):
    game = hall.game("bids", two)
    for odd in (None, 1, "bid 1", [1]):
        assert two[0].post(f"/games/{game}/preview", {"commands": [odd]}).get_json()["code"] == "bad-fields"


def test_a_preview_for_another_type_is_refused(hall: Harness, two: list[Player]):
    """A wrong type in the request is refused; the right one, or none, is accepted."""
    game = hall.game("bids", two)
    move, before = {"commands": [{"do": "bid", "amount": 1}]}, hall.head(game)
    refused = two[0].post(f"/games/{game}/preview", {"type": "pig", **move}).get_json()
    assert (refused["status"], refused["code"]) == (422, "other-type")
    assert refused["facts"] == {"found": "pig", "expected": "bids"}
    assert two[0].post(f"/games/{game}/preview", {"type": "bids", **move}).status_code == 200
    assert two[0].post(f"/games/{game}/preview", move).status_code == 200
    assert hall.head(game) == before


def test_answers_for_one_account_are_not_cached(hall: Harness, two: list[Player]):
    """Tokens, keys, names, turns: neither by a browser nor by a proxy."""
    answers = [
        *(two[0].get(path) for path in ("/me", "/me/tokens", "/me/keys", "/me/turns")),
        two[0].post("/me/tokens", {"name": "t", "scopes": ["read"]}),
        two[0].post("/me/keys/challenge"),
        hall.client.post("/v1/login", json={"email": "a@example.org"}),
        hall.client.post("/v1/login/confirm", json={"token": hall.link("a@example.org")}),
    ]
    assert [answer.status_code for answer in answers] == [200] * 4 + [201, 201, 202, 201]
    assert {"no-store" in answer.headers["Cache-Control"] for answer in answers} == {True}


def test_retry_after_is_sent_only_where_waiting_helps(tmp_path, open_house):
    """In a 429, and in no successful answer or refusal that waiting does not change."""
    from tests.server.harness import sqlite_url

    hall = open_house(sqlite_url(tmp_path), limit_address="5/hour")
    paths = ("/v1/games", "/v1/games", "/v1/me", "/v1/nowhere", "/login", "/v1/games")
    answers = [hall.client.get(path) for path in paths]
    assert [answer.status_code for answer in answers] == [200, 200, 401, 404, 200, 429]
    assert ["Retry-After" in answer.headers for answer in answers] == [False] * 5 + [True]
    assert answers[0].headers["X-RateLimit-Remaining"] == "4"
