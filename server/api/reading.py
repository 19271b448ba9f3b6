"""A request's JSON, read strictly: UTF-8 with whole characters, numbers that are numbers, and nothing endlessly deep.

What passes here can be stored and written again. The record's own bytes lie in it as strings, and are read by the
record's reader, which is stricter still.
"""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Request, request
from webargs import missing
from webargs.flaskparser import FlaskParser
from werkzeug.routing import BaseConverter

from engine.record.canonical import MAX_DEPTH
from server.errors import Problem


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


def not_json() -> Problem:
    return Problem("not-json", found=request.mimetype, expected="application/json")


def loads(data: bytes) -> Any:
    """The value; Problem `bad-request` says what is wrong with the text."""
    try:
        value = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as bad:
        raise Problem("bad-request", says=str(bad)) from None
    except RecursionError:
        raise _too_deep() from None
    _check_depth(value)
    return value


def _check_depth(value: Any) -> None:
    """Not by recursion, which is what it protects."""
    level, depth = [value], 0
    while level := [inner for one in level for inner in _inside(one)]:
        depth += 1
        if depth > MAX_DEPTH:
            raise _too_deep()


def _inside(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _too_deep() -> Problem:
    return Problem("bad-request", says="the JSON is nested too deep", most=MAX_DEPTH)
