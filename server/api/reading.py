"""A request's JSON, read strictly: UTF-8 with whole characters, numbers that are numbers, and nothing endlessly deep.

What passes here can be stored and written again. The record's own bytes lie in it as strings, and are read by the
record's reader, which is stricter still.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

import msgspec
from flask import Request, request
from webargs import missing
from webargs.flaskparser import FlaskParser
from werkzeug.routing import BaseConverter

from engine.record.encoding.canonical import MAX_DEPTH
from server.errors import Problem

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
