"""Every answer that a test of the server gets, held against the committed document: status, form, code, headers."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, request

BROKEN: list[str] = []  # answers that break the document, until the test that got them has ended


@cache
def document() -> dict[str, Any]:
    return json.loads(Path("openapi/openapi.json").read_text())


def watch(app: Flask) -> None:
    app.after_request(_held)


def _held(answer: Response) -> Response:
    path = re.sub(r"<(?:[^:<>]+:)?([a-z_]+)>", r"{\1}", str(request.url_rule))
    operation = document()["paths"].get(path, {}).get(request.method.lower())
    if operation is not None:
        BROKEN.extend(f"{request.method} {path}: {what}" for what in _found(operation, answer))
    return answer


def _found(operation: dict[str, Any], answer: Response) -> list[str]:
    promised = operation["responses"].get(str(answer.status_code))
    if promised is None:
        return [f"{answer.status_code} is not promised: {answer.get_data(as_text=True)[:200]}"]
    named = promised.get("$ref", "").rpartition("/")[2]
    promised = document()["components"]["responses"][named] if named else promised
    content = promised.get("content", {})
    if content and answer.mimetype not in {kind.partition(";")[0] for kind in content}:
        return [f"{answer.status_code} is {answer.mimetype}"]
    missing = [
        f"no {name}"
        for name in ("ETag", "Location")
        if name in promised.get("headers", {}) and name not in answer.headers
    ]
    return [*missing, *_unknown_code(named, content, answer)]


def _unknown_code(named: str, content: dict[str, Any], answer: Response) -> list[str]:
    if answer.mimetype != "application/problem+json" or named == "RefusedByRules":  # the tests' own games refuse there
        return []
    code = answer.get_json()["code"]
    known = content["application/problem+json"]["examples"]
    return [] if code in known else [f"{answer.status_code} has no example of {code}"]
