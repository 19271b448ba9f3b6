"""What may stand after the question mark: what the document names, and nothing else.

A filter that is spelled wrong would be answered with everything; so whatever is not known is refused by name. The
document is the only list, hence no endpoint can forget to keep one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask import Flask, current_app, request

from server.errors import Problem

HTTP = ("get", "post", "put", "patch", "delete")


def check() -> None:
    """Problem `unknown-parameter`. Pages take what mail programs add to their addresses."""
    rule = request.url_rule
    if not request.args or rule is None or not rule.rule.startswith(("/v1/", "/.well-known/")):
        return
    if rule.endpoint.startswith("web."):
        return
    method = "GET" if request.method == "HEAD" else request.method
    known = _known(current_app).get((method, rule.rule), frozenset())
    found = sorted(set(request.args) - known)
    if found:
        raise Problem("unknown-parameter", found=found, expected=sorted(known))


Known = Mapping[tuple[str, str], frozenset[str]]


def _known(app: Flask) -> Known:
    """By method and rule, the names of query parameters; read from the document once in a process."""
    if "query-parameters" not in app.extensions:
        app.extensions["query-parameters"] = _read(app, app.extensions["api"].document)
    kept: Known = app.extensions["query-parameters"]
    return kept


def _read(app: Flask, document: Mapping[str, Any]) -> Known:
    items = ((rule.rule, document["paths"].get(_path(rule.rule), {})) for rule in app.url_map.iter_rules())
    return {(verb.upper(), rule): _names(item, verb, document) for rule, item in items for verb in HTTP if verb in item}


def _path(rule: str) -> str:
    """As the document spells it: `/games/<uuid:game_id>` is `/games/{game_id}`."""
    return re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule)


def _names(item: Mapping[str, Any], verb: str, document: Mapping[str, Any]) -> frozenset[str]:
    given = [*item.get("parameters", ()), *item[verb].get("parameters", ())]
    whole = [_resolved(one, document) for one in given]
    return frozenset(one["name"] for one in whole if one["in"] == "query")


def _resolved(one: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    name = one.get("$ref", "").rpartition("/")[2]
    return document["components"]["parameters"][name] if name else one
