"""The document that clients are generated from: what every operation and every schema must have."""

import json
import re
from pathlib import Path
from uuid import uuid4

import jwt
import pytest
from jsonschema import Draft202012Validator

from server.http.document import METHODS, operation_id
from tests.server.harness import Harness

COMMITTED = json.loads(Path("openapi/openapi.json").read_text())
SCHEMAS = COMMITTED["components"]["schemas"]
OPERATIONS = {
    f"{method} {path}": item[method]
    for path, item in COMMITTED["paths"].items()
    for method in METHODS
    if method in item
}  # fmt: skip


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_every_operation_says_what_a_client_needs(operation):
    """A name of verb and noun, what it does in a line and in full, its tag, and whose token it takes."""
    assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", operation["operationId"])
    assert operation["summary"].strip()
    assert operation["description"].strip()
    assert operation["tags"][0] in {tag["name"] for tag in COMMITTED["tags"]}
    assert "security" in operation


def test_no_two_operations_have_one_name():
    """A generator would write one over the other."""
    names = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(set(names)) == len(names)
    assert operation_id("create_key_challenge") == "createKeyChallenge"


def test_every_schema_has_a_name_that_is_a_class_in_any_language():
    """No dots, no title beside it, and no two that differ in case alone."""
    assert [name for name in SCHEMAS if not re.fullmatch("[A-Z][A-Za-z0-9]*", name)] == []
    assert [name for name, schema in SCHEMAS.items() if "title" in schema] == []
    assert len({name.lower() for name in SCHEMAS}) == len(SCHEMAS)


def test_no_schema_has_a_member_of_its_own_name():
    """In a generated class the variable of the one would be that of the other."""
    snake = {name: re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in SCHEMAS}
    assert [name for name, schema in SCHEMAS.items() if snake[name] in schema.get("properties", {})] == []


def test_every_code_has_an_example_of_its_own_status():
    """Of a problem as it is answered."""
    problem = Draft202012Validator({"$ref": "#/components/schemas/Problem", "components": COMMITTED["components"]})
    shown = {}
    for answer in COMMITTED["components"]["responses"].values():
        for code, example in answer["content"]["application/problem+json"]["examples"].items():
            assert list(problem.iter_errors(example["value"])) == []
            assert example["value"]["code"] == code
            shown[code] = example["value"]
    assert sorted(shown) == SCHEMAS["Problem"]["properties"]["code"]["enum"]
    assert shown["stale-head"]["status"] == 409
    assert "{" not in "".join(problem["title"] for problem in shown.values())


def bodies():
    return {name: one for name, one in OPERATIONS.items() if "requestBody" in one}


@pytest.mark.parametrize("name", bodies())
def test_the_example_of_a_request_is_one(name: str, hall: Harness):
    """By its schema, inside its signature as well, and by the server: it is refused for no form."""
    media = OPERATIONS[name]["requestBody"]["content"]["application/json"]
    _holds(media["schema"], media["example"])
    method, path = name.split()
    filled = path.replace("{game_id}", str(uuid4()))
    player = hall.player(0)
    answer = hall.client.open(filled, method=method.upper(), json=media["example"], headers=player.auth)
    code = (answer.get_json(silent=True) or {}).get("code", "")
    assert answer.status_code not in (400, 415), code
    assert code not in ("bad-fields", "bad-options", "bad-move", "missing-member", "unknown-member")


def _holds(schema, value) -> None:
    """The value is one of the schema; what is signed in it is one of its own."""
    whole = schema | {"components": COMMITTED["components"]}
    assert list(Draft202012Validator(whole).iter_errors(value)) == []
    named = SCHEMAS.get(schema.get("$ref", "").rpartition("/")[2], {})
    for member, told in named.get("properties", {}).items():
        if "contentSchema" in told and member in value:
            is_signed = told["contentMediaType"] == "application/jose"
            inside = (
                jwt.decode_complete(value[member], options={"verify_signature": False})["payload"]
                if is_signed
                else json.loads(value[member])
            )
            _holds(told["contentSchema"], inside)


@pytest.mark.parametrize("key", [name.removesuffix("Legal") for name in SCHEMAS if re.fullmatch("[A-Z].+Legal", name)])
def test_the_first_steps_of_a_game_are_an_example(key: str):
    """A move with which the game may begin, by the schema of its steps."""
    commands = SCHEMAS[f"{key}MovePayload"]["properties"]["commands"]
    _holds({"type": "array", "items": commands["items"]}, commands["example"])
    assert commands["example"]


def test_what_may_grow_says_so():
    """Enums and unions that later games and rules add to; a status or a scope does not grow."""
    assert SCHEMAS["Problem"]["properties"]["code"]["x-open"] is True
    assert SCHEMAS["TikalEvent"]["x-open"] is True
    assert SCHEMAS["Type"]["properties"]["stage"]["enum"] == ["tiny", "beta", "stable"]
    assert "x-open" not in SCHEMAS["Game"]["properties"]["status"]


def test_times_and_numbers_of_games_have_their_formats():
    """Whatever is called `..._at`, `deadline` or `since` in words is a date-time."""
    times = [
        (name, member)
        for name, schema in SCHEMAS.items()
        for member, told in schema.get("properties", {}).items()
        if re.search("_at$|^deadline$", member) and "string" in told.get("type", ())
    ]
    assert len(times) > 6
    assert [where for where in times if SCHEMAS[where[0]]["properties"][where[1]].get("format") != "date-time"] == []
    assert SCHEMAS["Game"]["properties"]["id"]["format"] == "uuid"


def test_the_document_says_whose_it_is_and_how_it_may_change():
    """License, contact, version, and the policy of deprecation."""
    info = COMMITTED["info"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", info["version"])
    assert info["license"]["name"]
    assert info["contact"]["name"]
    assert "Sunset" in info["description"]


def test_a_discriminator_names_the_members_of_its_union():
    """Each by the value that it alone requires."""
    unions = {name: schema for name, schema in SCHEMAS.items() if "discriminator" in schema}
    assert len(unions) > 8
    for schema in unions.values():
        told, mapping = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
        assert sorted(part["$ref"] for part in schema["oneOf"]) == sorted(mapping.values())
        for value, name in mapping.items():
            assert SCHEMAS[name.rpartition("/")[2]]["properties"][told]["const"] == value


def test_the_document_describes_the_messages_of_webhooks():
    """Its headers, its three messages, and an example that is one of them; schemas that no answer has otherwise."""
    operation = COMMITTED["webhooks"]["accountEvent"]["post"]
    assert [one["name"] for one in operation["parameters"]] == ["webhook-id", "webhook-timestamp", "webhook-signature"]
    media = operation["requestBody"]["content"]["application/json"]
    _holds(media["schema"], media["example"])
    _holds(media["schema"], {"n": None, "kind": "ping", "hook": 3, "at": "2026-11-21T10:00:00Z"})
    _holds(media["schema"], {"n": 9, "kind": "reset", "at": "2026-11-21T10:00:00Z"})
