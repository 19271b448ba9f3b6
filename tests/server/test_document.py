"""The document that clients are generated from: what every operation and every schema must have."""

import json
import re
from pathlib import Path

import pytest

from server.api.document import METHODS, operation_id

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
