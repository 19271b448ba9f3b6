"""One pass over the document of flask-smorest that adds and corrects what it cannot express.

A new endpoint needs only its function: the name gives the `operationId`, the first line of the docstring the summary,
the rest the description. `tests/server/test_document.py` checks every operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from server.http.document import errors, examples, game_schemas, headers, webhooks
from server.http.document.payloads import payloads

Json = dict[str, Any]
STREAM = "text/event-stream"
METHODS = ("get", "post", "put", "patch", "delete")
ALSO = "x-also"  # further members of a schema that marshmallow cannot express


def finished(document: Json) -> Json:
    """The document as published."""
    parts = document["components"]
    parts["schemas"] = _schemas(parts["schemas"])
    parts["responses"] = errors.responses()
    parts["parameters"] = {"IfNoneMatch": headers.IF_NONE_MATCH}
    for status, (name, _) in errors.NAMES.items():
        parts["responses"][name]["headers"] = headers.of_status(status)
    parts["responses"][errors.BY_RULES[0]]["headers"] = headers.of_status(422)
    for path, method, operation in operations(document):
        operation.setdefault("security", [])
        errors.put(path, method, operation)
        headers.put(operation)
        _put_also(operation)
        _put_example(operation)
        _put_stream(operation)
    parts["schemas"] |= webhooks.schemas(parts["schemas"]["AccountEvent"]["properties"]["kind"]["enum"])
    document["webhooks"] = webhooks.webhooks()
    document["tags"].append(webhooks.TAG)
    parts["headers"] = headers.used(document)
    return document


def _schemas(known: dict[str, Json]) -> dict[str, Json]:
    made = known | game_schemas.own_schemas() | payloads()
    made.pop("PaginationMetadata", None)  # flask-smorest's own, which no operation here returns
    made["Problem"]["properties"]["code"] |= {"enum": errors.codes(), "x-open": True}
    for schema in made.values():
        for member in schema.get("properties", {}).values():
            member.update(member.pop(ALSO, {}))
    made |= game_schemas.carriers(made)
    made["MovePayload"]["anyOf"].append(game_schemas.ref("SealedMovePayload"))
    return made


def _put_also(operation: Json) -> None:
    """Also applied to the parameters of operations."""
    for parameter in operation.get("parameters", []):
        schema = parameter.get("schema", {})
        schema.update(schema.pop(ALSO, {}))


def _put_example(operation: Json) -> None:
    """Unless the endpoint gives its own: `@blp.arguments(..., example={...})`."""
    given = examples.requests().get(operation["operationId"])
    for media in operation.get("requestBody", {}).get("content", {}).values() if given else ():
        media.setdefault("example", given)


def _put_stream(operation: Json) -> None:
    """A stream is text whose `data` has the schema: OpenAPI 3.1 cannot describe the items of a stream."""
    media = operation["responses"].get("200", {}).get("content", {}).get(STREAM)
    if media:
        media["schema"] = {"type": "string", "contentMediaType": STREAM, "contentSchema": media["schema"]}


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    """Every operation, with its path and method."""
    for path, item in document["paths"].items():
        yield from ((path, method, item[method]) for method in METHODS if method in item)


def operation_id(function: str) -> str:
    """`join_game` as clients name it: `joinGame`."""
    first, *rest = function.split("_")
    return first + "".join(word.capitalize() for word in rest)
