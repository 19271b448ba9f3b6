"""The API keeps to its own document: schemathesis over the real app, with tokens, real games and signed bodies."""

import json
import re
from itertools import count
from pathlib import Path
from uuid import uuid4

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance, response_schema_conformance

from engine.record.signed import acts, keys
from server.operate.openapi import document
from tests.server.harness import HOST, Harness, harness, sqlite_url

ACTS = {
    "join": "join",
    "leave": "leave",
    "moves": "move",
    "resign": "resign",
    "keys": "key",
    "offer": "offer",
    "take": "take",
}
SPARE = count()
COMMANDS = {"pig": [{"do": "roll"}], "bids": [{"do": "bid", "amount": 1}]}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A server with people, a lobby, and running games."""
    hall = harness(sqlite_url(tmp_path_factory.mktemp("contract")))
    players = [hall.player(number) for number in range(2)]
    games = [hall.game(key, players) for key in ("pig", "bids")]
    games.append(players[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"])
    yield hall, players, games
    hall.services.database.dispose()


class Named:
    """The application under its own host name, whichever name the library sends; it decompresses nothing."""

    def __init__(self, app) -> None:
        self.app = app

    def __call__(self, environ, start):
        return self.app({**environ, "HTTP_HOST": HOST, "HTTP_ACCEPT_ENCODING": "identity"}, start)


@pytest.fixture(scope="module")
def contract(world):
    hall, _, _ = world
    return schemathesis.openapi.from_wsgi("/v1/openapi.json", Named(hall.app))


# Requests that no schema can describe: a signature, a text without a letter, a link's token, a time zone, options of a
# type, commands that the rules allow, a seat that this table has, the tag of stored settings, a day that is left.
BEYOND_SCHEMAS = {
    "/v1/login/confirm",
    "/v1/me",
    "/v1/me/keys",
    "/v1/me/keybox",
    "/v1/me/address",
    "/v1/me/waiting",
    "/v1/me/tokens",
    "/v1/me/mail",
    "/v1/me/mail/games/{game_id}",
    "/v1/games",
    "/v1/games/{game_id}/preview",
    "/v1/types/{key}/lesson/{step}/preview",
    "/v1/games/{game_id}/view",
    "/v1/games/{game_id}/picture",
    "/v1/games/{game_id}/cancel",
    "/v1/games/{game_id}/missing",
    "/v1/games/{game_id}/grants",
    "/v1/games/{game_id}/pause",
    "/v1/me/holidays",
    "/v1/me/push",
    "/v1/games/{game_id}/house",
    "/v1/games/{game_id}/consents/cancel",
    "/v1/games/{game_id}/consents/pause",
    "/v1/games/{game_id}/host",
    "/v1/games/{game_id}/keep",
    "/v1/games/{game_id}/talk/{n}/report",
    "/v1/games/{game_id}/invitations",
    "/v1/games/{game_id}/seats/{seat}",
    *(f"/v1/games/{{game_id}}/{act}" for act in ACTS),
}
# Streams need a connection that a test client lacks; tests/workers/streams asks the real web server, and checks the
# events, which schemathesis would read as objects that the document does not describe.
STREAMS = {"/v1/me/events", "/v1/events", "/v1/games/{game_id}/events"}
# Operations without a rule that a request could violate.
TAKES_ANYTHING = {
    "/.well-known/sealedmove.json",
    *("/v1/clocks", "/v1/guests", "/v1/house", "/v1/players/{handle}", "/v1/types", "/v1/types/{key}"),
    "/v1/types/{key}/lesson",
}
GIVES_UP_TOKENS = {"DELETE /v1/me", "DELETE /v1/me/tokens/current", "DELETE /v1/me/tokens/{token_id}"}
COMMITTED = json.loads(Path("openapi/openapi.json").read_text())
OPERATIONS = [(verb, path) for path, item in COMMITTED["paths"].items() for verb in item if verb != "parameters"]
# Forbidden requests are tried for each operation; tests/server/test_hostile_requests.py has one of each kind.
MODES = [GenerationMode.POSITIVE, pytest.param(GenerationMode.NEGATIVE, marks=pytest.mark.long)]


@pytest.mark.timeout(900)  # as many as `--contract` asks for
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize(("verb", "path"), OPERATIONS)
def test_every_answer_is_in_the_document(verb: str, path: str, mode, contract, world, pytestconfig):
    """For valid and invalid requests; `--contract N` tries N of each kind."""
    found = contract[path][verb].as_strategy(generation_mode=mode)
    tries = pytestconfig.getoption("contract")

    @given(case=found)
    @settings(
        max_examples=tries, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    def law(case):
        _answers_as_promised(case, world, mode)

    try:
        law()
    except Unsatisfiable:
        assert (mode, path) in [(GenerationMode.NEGATIVE, known) for known in TAKES_ANYTHING]


def _answers_as_promised(case, world, mode) -> None:
    hall, players, games = world
    case.headers = {**(case.headers or {}), **players[0].auth}
    if "game_id" in (case.path_parameters or {}):
        _use_real(case, hall, players[0], games)
    if case.operation.label in GIVES_UP_TOKENS:
        case.headers = {"Authorization": f"Bearer {_spare(hall)}"}
    beyond = [positive_data_acceptance] if case.operation.path in BEYOND_SCHEMAS else []
    beyond += [not_a_server_error, response_schema_conformance] if case.operation.path in STREAMS else []
    beyond += [ignored_auth] if mode is GenerationMode.NEGATIVE else []  # a token that it broke was mended above
    answer = case.call()
    if mode is GenerationMode.NEGATIVE and _is_refused_elsewhere(case, answer.status_code):
        return
    case.validate_response(answer, excluded_checks=beyond)


def _is_refused_elsewhere(case, status: int) -> bool:
    """A broken parameter of the path makes another address, which may know no such method; 413 is how an overlong body
    is refused, which schemathesis does not count among refusals."""
    return (status == 405 and "{" in case.operation.path) or status == 413


def _use_real(case, hall: Harness, player, games: list[str]) -> None:
    """Of every two cases one keeps what was generated, the other names a real game and signs."""
    if isinstance(case.body, dict) and len(json.dumps(case.body)) % 2:
        return
    game = games[len(str(case.query)) % len(games)]
    case.path_parameters = {**case.path_parameters, "game_id": game}
    path = case.operation.path.rpartition("/")[2]
    if path in ACTS and isinstance(case.body, dict):
        case.body = _signed(hall, player, game, path)


def _signed(hall: Harness, player, game: str, path: str) -> dict[str, str]:
    if path == "moves":
        return player.signed_move(game, COMMANDS[hall.client.get(f"/v1/games/{game}").get_json()["type"]])
    body = {
        "join": {**player.holder(), "nonce": player.nonce, "seat": 0},
        "take": {**player.holder(), "seat": 0},
        "keys": {"add": keys.jwk(keys.public_of(bytes(range(32))))},
        "offer": {"open_": True},
    }
    return {"jws": player.sign(player.payload(game, ACTS[path], **body.get(path, {})))}


def _spare(hall: Harness) -> str:
    """The token of an account that may be erased, each time another, since links to one mailbox are limited."""
    email = f"spare{next(SPARE)}@example.org"
    hall.client.post("/v1/login", json={"email": email})
    return hall.client.post("/v1/login/confirm", json={"token": hall.link(email)}).get_json()["token"]


def test_the_document_is_valid_and_names_every_command(hall: Harness):
    made = hall.client.get("/v1/openapi.json").get_json()
    validate(made)
    assert made["openapi"].startswith("3.1")
    assert made["components"]["schemas"]["BidsBid"]["x-sealed"] == ["amount"]
    assert {"$ref": "#/components/schemas/PigRoll"} in made["components"]["schemas"]["PigCommand"]["oneOf"]
    answers = made["components"]["responses"].values()
    assert {kind for answer in answers for kind in answer["content"]} == {"application/problem+json"}


def test_the_document_names_every_code_in_the_vectors_of_requests():
    """Other vectors are read by auditors and need no code of the API."""
    files = [Path(f"conformance/vectors/{name}.json") for name in ("base64url", "jws", "keys", "moves", "sent")]
    codes = {case.get("code") for file in files for case in json.loads(file.read_text())["cases"]} - {None}
    assert len(codes) > 15
    assert codes - {*COMMITTED["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]} == set()


def test_the_schemas_of_signed_payloads_match_the_engine():
    jwk, place = keys.jwk(keys.public_of(bytes(32))), ("games.example", str(uuid4()), 0, 4, bytes(32))
    built = {
        "JoinPayload": acts.join(*place, jwk, bytes(32), None, bot=False),
        "TakePayload": acts.take(*place, jwk, jwk, bot=True),
        "OfferPayload": acts.offer(*place, open_=False),
        "LeavePayload": acts.leave(*place),
        "SealedMovePayload": acts.move(*place, sealed="A" * 43),
        "TikalMovePayload": acts.move(*place, commands=[{"do": "pass"}, {"try": {"do": "pass"}}]),
        "ResignPayload": acts.resign(*place),
        "KeyPayload": acts.key(*place, drop="A" * 43),
    }
    for name, payload in built.items():
        schema = {"$ref": f"#/components/schemas/{name}", "components": COMMITTED["components"]}
        assert list(Draft202012Validator(schema).iter_errors(payload)) == []
        assert list(Draft202012Validator(schema).iter_errors(payload | {"more": 1}))
        for member in payload:
            assert list(Draft202012Validator(schema).iter_errors({k: v for k, v in payload.items() if k != member}))


@pytest.mark.slow
def test_the_committed_document_is_up_to_date():
    committed = json.loads(Path("openapi/openapi.json").read_text())
    made = _without_tiny_games(json.loads(document()))
    code = made["components"]["schemas"]["Problem"]["properties"]["code"]
    code["enum"] = [
        one
        for one in code["enum"]
        if one in COMMITTED["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]
    ]
    for each in (made, committed):
        del each["components"]["responses"]["RefusedByRules"]["content"]
    assert made == committed


def _without_tiny_games(made):
    """The document without the tests' own games."""
    schemas = made["components"]["schemas"]
    for name in [name for name in schemas if re.match("(Pig|Bids)[A-Z]", name)]:
        del schemas[name]
    for schema in schemas.values():
        mapping = schema.get("discriminator", {}).get("mapping", {})
        for key in ("pig", "bids"):
            mapping.pop(key, None)
        for several in ("oneOf", "anyOf"):
            if several in schema:
                schema[several] = [one for one in schema[several] if not re.search("/(Pig|Bids)[A-Z]", str(one))]
    return made
