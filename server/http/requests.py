"""A request's JSON, read strictly: UTF-8 with whole characters, numbers that are numbers, and nothing endlessly deep.

What passes here can be stored and written again. The record's own bytes lie in it as strings, and are read by the
record's reader, which is stricter still.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import msgspec
from flask import Flask, Request, current_app, request
from webargs import missing
from webargs.flaskparser import FlaskParser
from werkzeug.routing import BaseConverter

from engine.record.encoding.canonical import MAX_DEPTH
from server.kernel.errors import Problem

# A string that never closes is taken to the end: tried again at each quote, it would cost the square of its length.
STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
BRACKET = re.compile(rb"[\[\]{}]")


class BodyParser(FlaskParser):
    """The house's reading of bodies; query and headers as usual."""

    def _raw_load_json(self, req: Request) -> Any:
        """415 comes before anything that a schema finds; without a body the schema says what is missing."""
        data = req.get_data(cache=True)
        if not req.is_json and (data or req.mimetype):
            raise not_json()
        return loads(data) if data else missing


class Thumbprint(BaseConverter):
    """A key's, in a path: 43 letters, so that no other word is taken for one."""

    regex = "[A-Za-z0-9_-]{43}"


def kid_schema(_converter: object) -> dict[str, str]:
    """What the document says of a thumbprint in a path."""
    return {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"}


def not_json() -> Problem:
    return Problem("not-json", found=request.mimetype, expected="application/json")


def loads(data: bytes) -> Any:
    """The value; Problem `bad-request` says what is wrong with the text."""
    _check_depth(data)
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as bad:
        raise Problem("bad-request", says=str(bad)) from None


def _check_depth(data: bytes) -> None:
    """Before any parser recurses; most bodies have not as many brackets in all."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return
    depths = accumulate(1 if bracket in b"[{" else -1 for bracket in BRACKET.findall(STRING.sub(b"", data)))
    if max(depths, default=0) > MAX_DEPTH:
        raise Problem("bad-request", says="the JSON is nested too deep", most=MAX_DEPTH)


# --- What may stand after the question mark: what the document names, and nothing else --------------------------------
# A filter that is spelled wrong would be answered with everything; so whatever is not known is refused by name. The
# document is the only list, hence no endpoint can forget to keep one.


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
