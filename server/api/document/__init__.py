"""One pass over the document that flask-smorest has written: what it cannot say, or says wrong.

A new endpoint gets all of it by its function alone: the name gives the `operationId`, the docstring's first line the
summary, the rest the description. `tests/server/test_document.py` holds every operation to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from server.api.document import kinds
from server.api.schemas.payloads import payloads

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")


def finished(document: Json) -> Json:
    """The document as it is published."""
    schemas = document["components"]["schemas"]
    schemas |= kinds.own_schemas() | payloads()
    schemas |= kinds.carriers(schemas)
    for operation in operations(document):
        operation.setdefault("security", [])
    return document


def operations(document: Json) -> Iterator[Json]:
    """Every operation."""
    for item in document["paths"].values():
        yield from (item[method] for method in METHODS if method in item)


def operation_id(function: str) -> str:
    """`join_game` as clients call it: `joinGame`."""
    first, *rest = function.split("_")
    return first + "".join(word.capitalize() for word in rest)
