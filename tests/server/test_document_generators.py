"""Rules of the document without which a generator of some language writes code that does not compile."""

import json
import keyword
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.http.document import METHODS, game_schemas, operations
from server.http.document.webhooks import TAG

COMMITTED = json.loads(Path("openapi/openapi.json").read_text())
SCHEMAS = COMMITTED["components"]["schemas"]
WEBHOOKS = [item["post"] for item in COMMITTED["webhooks"].values()]
OPERATIONS = [operation for _, _, operation in operations(COMMITTED)] + WEBHOOKS
MAPS = ("properties", "headers", "responses", "content", "schemas", "parameters", "paths", "webhooks", "components")
# The keywords of Go, Java, C#, Kotlin, Swift, Rust and TypeScript; Python lists its own.
ELSEWHERE = """
abstract any become bool boolean box byte case catch char const crate decimal default defer delegate delete do double
dyn enum event export extends extern fallthrough final fixed float fn foreach fun func function go goto guard if impl
implements implicit in init inout instanceof int interface internal let lock long loop macro map match mod module move
mut namespace native new nil null object open operator out override package params priv private protected pub public
range readonly ref sbyte sealed select self short sizeof static string struct super switch synchronized this throw
throws trait transient true try type typealias typeof uint ulong unsafe unsized use using val var virtual void volatile
when where
"""
KEYWORDS = {*keyword.kwlist, *ELSEWHERE.split()}


def plain(name: str) -> str:
    """A name without its spelling: `created_at`, `createdAt` and `CreatedAt` are one."""
    return re.sub("[^a-z0-9]", "", name.lower())


def twice(names) -> list[str]:
    return [name for name, count in Counter(map(plain, names)).items() if count > 1]


def schemas(thing=COMMITTED, where: str = "", *, is_map: bool = True) -> Iterator[tuple[str, dict]]:
    """Every object of the document that may be a schema, with its place; no examples."""
    if isinstance(thing, list):
        for at, item in enumerate(thing):
            yield from schemas(item, f"{where}/{at}", is_map=False)
    elif isinstance(thing, dict):
        if not is_map:
            yield where, thing
        for name, value in thing.items():
            if is_map or name not in ("example", "examples", "default", "const", "enum"):
                yield from schemas(value, f"{where}/{name}", is_map=not is_map and name in MAPS)


def found(test) -> list[str]:
    return [where for where, schema in schemas() if test(schema)]


def test_no_schema_is_named_like_the_constructor_of_another():
    """In Go `func NewGame` makes a `Game`, and `type NewGame` would be declared twice."""
    assert [name for name in SCHEMAS if name.startswith("New") and name.removeprefix("New") in SCHEMAS] == []


def test_the_body_of_a_create_operation_is_named_like_the_operation():
    """One form for all; the operation is `createGame`, its body `CreateGame`."""
    for thing in ("Game", "Hook", "Token"):
        operation = next(one for one in OPERATIONS if one["operationId"] == f"create{thing}")
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        assert body == game_schemas.ref(f"Create{thing}")


def test_a_reference_stands_alone():
    """Generators ignore what is beside a `$ref`, or write a default that does not compile."""
    assert found(lambda schema: "$ref" in schema and len(schema) > 1) == []


def test_every_constant_and_every_enum_has_a_type():
    """Without one it is an empty object in Go, Java and C#, and no discriminator finds it."""
    assert found(lambda schema: ("const" in schema or "enum" in schema) and "type" not in schema) == []


def test_no_webhook_shares_a_tag_with_an_operation():
    """Generators write one file per tag, and one per tag of the webhooks over it."""
    of_webhooks = {tag for operation in WEBHOOKS for tag in operation["tags"]}
    assert of_webhooks == {TAG["name"]}
    assert not of_webhooks & {tag for _, _, operation in operations(COMMITTED) for tag in operation["tags"]}
    assert TAG in COMMITTED["tags"]


def test_operations_webhooks_and_tags_have_distinct_names_in_any_spelling():
    """Each becomes a method, a class or a file."""
    names = [operation["operationId"] for operation in OPERATIONS]
    tags = [tag["name"] for tag in COMMITTED["tags"]]
    assert twice(names) == twice(tags) == []
    assert {plain(name) for name in names}.isdisjoint(map(plain, tags))
    assert {plain(tag + suffix) for tag in tags for suffix in ("Api", "Client")}.isdisjoint(map(plain, SCHEMAS))


def test_no_schema_has_the_name_of_a_generated_request_or_answer():
    """Generators add these to an operation's name."""
    added = ("Request", "Response", "Params", "Body", "Error", "200Response", "201Response", "OperationRequest")
    generated = {plain(operation["operationId"] + suffix) for operation in OPERATIONS for suffix in added}
    assert generated.isdisjoint(map(plain, SCHEMAS))


def test_members_and_values_stay_distinct_in_any_spelling():
    """They become fields and constants, in the case that the language prefers."""
    assert [name for name, schema in SCHEMAS.items() if twice(schema.get("properties", {}))] == []
    assert found(lambda schema: twice(str(value) for value in schema.get("enum", ()))) == []


def test_members_named_like_a_keyword_are_listed_in_the_documentation():
    """They stay, since the wire format does not change; generators rename them."""
    used = {member for schema in SCHEMAS.values() for member in schema.get("properties", {})} & KEYWORDS
    line = next(
        line for line in Path("docs/write-a-client.md").read_text("utf-8").splitlines() if "keywords somewhere" in line
    )
    assert sorted(used) == re.findall("`([a-z_]+)`", line)


def test_a_union_has_a_discriminator_if_all_of_it_has_a_constant_that_differs():
    """Otherwise a generated client tries every member."""

    def lacks(schema) -> bool:
        parts = [SCHEMAS[part["$ref"].rpartition("/")[2]] for part in union(schema)]
        told = [{name: one.get("const") for name, one in part.get("properties", {}).items()} for part in parts]
        common = set.intersection(*map(set, told)) if told else set()
        return "discriminator" not in schema and any(
            None not in (values := [one[name] for one in told])
            and len(set(values)) == len(values)
            and all(name in part.get("required", ()) for part in parts)
            for name in common
        )

    assert found(lacks) == []


def union(schema) -> list[dict]:
    """The parts of a union of named schemas."""
    parts = schema.get("oneOf") or schema.get("anyOf") or []
    return parts if all(isinstance(part, dict) and "$ref" in part for part in parts) else []


def test_null_has_two_forms():
    """`type: [..., null]`, whose enum then has null, and `anyOf: [..., {type: null}]`; never null alone."""

    def is_odd(schema) -> bool:
        kind, some = schema.get("type"), schema.get("anyOf", [])
        if isinstance(kind, list):
            return len(kind) != 2 or kind[1] != "null" or ("enum" in schema and None not in schema["enum"])
        return "nullable" in schema or ({"type": "null"} in some and (len(some) != 2 or some[1] != {"type": "null"}))

    assert found(is_odd) == []
    alone = [where for where, schema in schemas() if schema.get("type") == "null"]
    assert [where for where in alone if not re.search("/anyOf/[0-9]+$", where)] == []


def test_no_union_without_a_name_has_a_list():
    """In Java its class would be called `List<Integer>`. A list that may be null does not count."""

    def has_list(schema) -> bool:
        parts = [part for part in schema.get("anyOf", schema.get("oneOf", [])) if part != {"type": "null"}]
        return len(parts) > 1 and any(part.get("type") == "array" for part in parts)

    named = {f"/components/schemas/{name}" for name in SCHEMAS}
    assert [where for where in found(has_list) if where not in named] == []


def test_no_set_has_values_of_an_enum():
    """Java's generator takes such a value for a string, and does not compile."""
    assert found(lambda schema: schema.get("uniqueItems") and "enum" in schema["items"]) == []


def test_objects_and_bodies_of_several_forms_have_a_name():
    """A generator would invent one from the place, and a new place would rename the class."""
    named = {f"/components/schemas/{name}" for name in SCHEMAS}
    assert [where for where in found(lambda schema: schema.get("properties")) if where not in named] == []
    bodies = [one["requestBody"]["content"].values() for one in OPERATIONS if "requestBody" in one]
    assert [media["schema"] for content in bodies for media in content if "$ref" not in media["schema"]] == []


@pytest.mark.parametrize("method", METHODS)
def test_the_rules_look_at_every_operation(method: str):
    """The walk finds the operations, so that none is left out of a rule."""
    places = {where for where, _ in schemas()}
    assert {f"/paths/{path}/{method}" for path, item in COMMITTED["paths"].items() if method in item} <= places
