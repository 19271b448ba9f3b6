"""The API page: every operation of /v1/openapi.json, to read and to try, without external resources.

The page is rendered on the server and readable without a script. A small script sends the requests. A token that is
typed into the page stays in the page and is sent only to this server.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from flask import Response, current_app, render_template
from markupsafe import Markup

from server.http.etags import conditional, same_for_all
from server.http.page import blueprint, page, reader
from server.kernel.once import Once


@blueprint.get("/v1/docs")
def docs_page() -> Response:
    """The frame for its reader around what is rendered once: the document does not change while a process runs."""
    rendered: Once[Markup] = current_app.extensions.setdefault("docs", Once(_rendered))
    answer = conditional(page("docs.html", operations=rendered()))
    return answer if reader() else same_for_all(answer)


def _rendered() -> Markup:
    document = current_app.extensions["api"].document
    shown = {"info": document["info"], "resources": resources(document), "schemas": schemas(document)}
    return Markup(render_template("operations.html", **shown))  # noqa: S704 - the template has escaped it


# --- The API's document, arranged for reading -------------------------------------------------------------------------
# operations by resource, with examples made from their schemas (pure).


METHODS = ("get", "post", "put", "patch", "delete")
REF = "#/components/schemas/"
DEEPEST = 5
Json = Mapping[str, Any]


def resources(document: Json) -> list[dict[str, Any]]:
    """Each tag with its operations, in the document's order."""
    found = list(_operations(document))
    tags = [*document.get("tags", []), *_untagged(document)]
    return [
        {"name": tag["name"], "says": tag.get("description", ""), "operations": own}
        for tag in tags
        if (own := [operation for operation in found if operation["tag"] == tag["name"]])
    ]


def schemas(document: Json) -> list[tuple[str, str]]:
    """Every named schema, as JSON text."""
    named = document.get("components", {}).get("schemas", {})
    return [(name, json.dumps(schema, indent=2)) for name, schema in sorted(named.items())]


def _untagged(document: Json) -> list[dict[str, str]]:
    known = {tag["name"] for tag in document.get("tags", [])}
    rest = dict.fromkeys(operation["tag"] for operation in _operations(document))
    return [{"name": name} for name in rest if name not in known]


def _operations(document: Json) -> Iterator[dict[str, Any]]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield _operation(document, path, method, item[method], item.get("parameters", []))


def _operation(document: Json, path: str, method: str, operation: Json, shared: list[Json]) -> dict[str, Any]:
    parameters = [_parameter(document, given) for given in (*shared, *operation.get("parameters", []))]
    return {
        "id": f"{method}{path.replace('/', '-').replace('{', '').replace('}', '')}",
        "tag": next(iter(operation.get("tags", [])), "other"),
        "method": method.upper(),
        "path": path,
        "summary": operation.get("summary", ""),
        "says": operation.get("description", ""),
        "scope": _scope(operation.get("security", [])),
        "parameters": parameters,
        "body": _body(document, operation.get("requestBody")),
        "answers": [_answer(document, code, said) for code, said in sorted(operation.get("responses", {}).items())],
    }


def _scope(security: list[Json]) -> str | None:
    """The scope that is required, or `any`; `""` if a token is optional; None if no token is used."""
    wanted = [scope for way in security for scopes in way.values() for scope in scopes or ["any"]]
    if not wanted:
        return None
    return "" if {} in security else wanted[0]


def _parameter(document: Json, given: Json) -> dict[str, Any]:
    parameter = _resolved(document, given)
    schema = _resolved(document, parameter.get("schema", {}))
    return {
        "name": parameter["name"],
        "where": parameter["in"],
        "required": parameter.get("required", False),
        "says": parameter.get("description") or schema.get("description", ""),
        "kind": _kind(schema),
        "default": schema.get("default"),
    }


def _kind(schema: Json) -> str:
    """A schema in one or two words."""
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"])
    kind = schema.get("type", "")
    bounds = [f"{schema[name]}" if name in schema else "" for name in ("minimum", "maximum")]
    words = " or ".join(kind) if isinstance(kind, list) else kind
    return f"{words} {schema.get('format') or ''} {'..'.join(bounds) if any(bounds) else ''}".strip()


def _body(document: Json, body: Json | None) -> dict[str, Any] | None:
    content = _resolved(document, body or {}).get("content", {})
    if not content:
        return None
    kind, media = next(iter(content.items()))
    sample = media.get("example", example(document, media.get("schema", {})))
    return {"kind": kind, "schema": _name(media.get("schema", {})), "sample": json.dumps(sample, indent=2)}


def _answer(document: Json, code: str, said: Json) -> dict[str, Any]:
    answer = _resolved(document, said)
    content: Json = answer.get("content", {})
    kind = next(iter(content), "")
    schema = content[kind].get("schema", {}) if kind else {}
    listed = schema.get("type") == "array"
    name = _name(schema["items"] if listed else schema)
    return {"code": code, "says": answer.get("description", ""), "kind": kind, "schema": name, "listed": listed}


def _name(schema: Json) -> str:
    return str(schema.get("$ref", "")).removeprefix(REF)


def _resolved(document: Json, thing: Json) -> Json:
    """The schema that a `$ref` of the document refers to."""
    while "$ref" in thing:
        found: Any = document
        for part in thing["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        thing = found
    return thing


def example(document: Json, schema: Json, depth: int = 0) -> Any:
    """A value of the schema's form, for the reader to change."""
    schema = _resolved(document, schema)
    for given in ("example", "default", "const"):
        if given in schema:
            return schema[given]
    if "enum" in schema:
        return schema["enum"][0]
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return example(document, schema[several][0], depth + 1)
    return _of_type(document, schema, depth)


def _of_type(document: Json, schema: Json, depth: int) -> Any:
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        properties = schema.get("properties", {}) if depth < DEEPEST else {}
        return {name: example(document, inner, depth + 1) for name, inner in properties.items()}
    if kind == "array":
        return [example(document, schema.get("items", {}), depth + 1)] if depth < DEEPEST else []
    number = schema.get("minimum", 0)
    return {"integer": number, "number": number, "boolean": False, "null": None}.get(str(kind), "")
