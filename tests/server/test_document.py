"""The document that clients are generated from: required parts of every operation and every schema."""

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
def test_every_operation_has_a_name_a_summary_a_tag_and_its_security(operation):
    """The name is a verb and a noun; there is a summary and a description."""
    assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", operation["operationId"])
    assert operation["summary"].strip()
    assert operation["description"].strip()
    assert operation["tags"][0] in {tag["name"] for tag in COMMITTED["tags"]}
    assert "security" in operation


def test_operations_have_distinct_names():
    """A generator would overwrite one with the other."""
    names = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(set(names)) == len(names)
    assert operation_id("create_key_challenge") == "createKeyChallenge"


def test_every_schema_name_is_a_class_name_in_any_language():
    """No dots, no separate title, and no two names that differ in case only."""
    assert [name for name in SCHEMAS if not re.fullmatch("[A-Z][A-Za-z0-9]*", name)] == []
    assert [name for name, schema in SCHEMAS.items() if "title" in schema] == []
    assert len({name.lower() for name in SCHEMAS}) == len(SCHEMAS)


def test_no_schema_has_a_member_with_its_own_name():
    """In a generated class the two would clash."""
    snake = {name: re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in SCHEMAS}
    assert [name for name, schema in SCHEMAS.items() if snake[name] in schema.get("properties", {})] == []


def test_every_code_has_an_example_with_its_status():
    """The example is a whole problem document."""
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
def test_every_example_of_a_request_is_valid(name: str, hall: Harness):
    """By its schema, in its signed payload, and for the server, which refuses none for its form."""
    media = OPERATIONS[name]["requestBody"]["content"]["application/json"]
    _holds(media["schema"], media["example"])
    method, path = name.split()
    filled = path.replace("{game_id}", str(uuid4()))
    player = hall.player(0)
    answer = hall.client.open(filled, method=method.upper(), json=media["example"], headers=player.auth)
    code = (answer.get_json(silent=True) or {}).get("code", "")
    assert answer.status_code not in (400, 415), code
    assert code not in ("bad-fields", "bad-options", "bad-move", "missing-member", "unknown-member")


def _parts(thing):
    """Every object in it."""
    if isinstance(thing, dict):
        yield thing
    for part in thing.values() if isinstance(thing, dict) else thing if isinstance(thing, list) else ():
        yield from _parts(part)


def _holds(schema, value) -> None:
    """Check the value against the schema, and its signed payload against its own."""
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
def test_each_game_has_an_example_of_a_first_move(key: str):
    """Valid by the schema of its commands."""
    commands = SCHEMAS[f"{key}MovePayload"]["properties"]["commands"]
    _holds({"type": "array", "items": commands["items"]}, commands["example"])
    assert commands["example"]


def test_extensible_enums_and_unions_are_marked():
    """Later games and rules add to these; a status or a scope is closed."""
    assert SCHEMAS["Problem"]["properties"]["code"]["x-open"] is True
    assert SCHEMAS["TikalEvent"]["x-open"] is True
    assert SCHEMAS["GameType"]["properties"]["stage"]["enum"] == ["tiny", "beta", "stable"]
    assert "x-open" not in SCHEMAS["Game"]["properties"]["status"]


def test_every_constant_is_a_text():
    """Generated Kotlin compares a constant integer with a text, which does not compile."""
    constants = [part for part in _parts(SCHEMAS) if "const" in part or "enum" in part]
    assert constants
    assert [part for part in constants if part.get("type") in ("integer", "number")] == []


def test_no_schema_has_the_name_of_a_class_that_generated_code_uses():
    """A generated C# file imports the namespaces `System`, `System.IO` and others beside its models."""
    assert (
        SCHEMAS.keys() & {"Type", "Object", "String", "Exception", "File", "Stream", "Task", "List", "Version"} == set()
    )


def test_times_and_numbers_of_games_have_their_formats():
    """Every member called `..._at`, `deadline` or `since` is a date-time."""
    times = [
        (name, member)
        for name, schema in SCHEMAS.items()
        for member, told in schema.get("properties", {}).items()
        if re.search("_at$|^deadline$", member) and "string" in told.get("type", ())
    ]
    assert len(times) > 6
    assert [where for where in times if SCHEMAS[where[0]]["properties"][where[1]].get("format") != "date-time"] == []
    assert SCHEMAS["Game"]["properties"]["id"]["format"] == "uuid"


def test_the_document_names_license_contact_version_and_deprecation_policy():
    info = COMMITTED["info"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", info["version"])
    assert info["license"]["name"]
    assert info["contact"]["name"]
    assert "Sunset" in info["description"]


def test_a_discriminator_names_the_members_of_its_union():
    """Each by the values that only this member accepts."""
    unions = {name: schema for name, schema in SCHEMAS.items() if "discriminator" in schema}
    assert len(unions) > 8
    for schema in unions.values():
        told, mapping = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
        assert sorted(part["$ref"] for part in schema["oneOf"]) == sorted(set(mapping.values()))
        for value, name in mapping.items():
            kind = SCHEMAS[name.rpartition("/")[2]]["properties"][told]
            assert value in kind.get("enum", [kind.get("const")])


def test_the_document_describes_the_messages_of_webhooks():
    """Headers, the three messages and a valid example; no answer uses these schemas otherwise."""
    operation = COMMITTED["webhooks"]["accountEvent"]["post"]
    headers = {one["name"]: one["required"] for one in operation["parameters"]}
    always = ("webhook-id", "webhook-timestamp", "webhook-signature")
    assert headers == {**dict.fromkeys(always, True), "x-request-id": False}
    media = operation["requestBody"]["content"]["application/json"]
    _holds(media["schema"], media["example"])
    _holds(media["schema"], {"n": None, "kind": "ping", "hook": 3, "at": "2026-11-21T10:00:00Z"})
    _holds(media["schema"], {"n": 9, "kind": "reset", "at": "2026-11-21T10:00:00Z"})
