"""A game's options in words: for the form that opens a table, and for the table's own page.

An option's type may carry a title and words for its values (`said`). They are in the JSON Schema of the options, so
a form is made from the schema alone:

    {"variant": {"enum": ["basic", "auction"], "default": "basic", "title": "Variant",
                 "x-words": {"basic": "basic game", "auction": "auction game"}}}

`x-words` names each value of an `enum`, or `true` and `false`; an empty word is not shown. `x-only` gives the values
of other options with which the option has an effect; `seats` among them is the number of players.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from engine.game import Options

Schema = Mapping[str, Any]


def said(title: str, words: Mapping[str, str] | None = None, **only: Any) -> msgspec.Meta:
    """Give an option and its values their names, and the values of other options that it needs to have an effect."""
    more = {"x-words": dict(words or {})} | ({"x-only": only} if only else {})
    return msgspec.Meta(title=title, extra_json_schema=more)


def options_schema(kind: type[Options]) -> dict[str, Any]:
    """The options as one schema with its definitions in `$defs`; without the edition, which is a file of its own."""
    schema = whole_schema(kind)
    schema.get("properties", {}).pop("edition", None)
    return schema


def whole_schema(kind: type[Any]) -> dict[str, Any]:
    """One self-contained schema: its definitions are in `$defs`."""
    schema: dict[str, Any] = msgspec.json.schema(kind)
    own = schema.pop("$ref", "").rpartition("/")[2]
    definitions: dict[str, Any] = schema.pop("$defs", {})
    top: dict[str, Any] = definitions.pop(own) if own else schema
    return top | ({"$defs": definitions} if definitions else {})


def told(kind: type[Options], chosen: Mapping[str, Any], seats: int) -> list[str]:
    """The options of a table in a few words each, without those that have no effect there or their usual value."""
    given = {**chosen, "seats": seats}
    found = _properties(kind).items()
    return [words for name, one in found if _counts(one, given) and (words := _told(name, one, given.get(name)))]


@cache
def _properties(kind: type[Options]) -> Schema:
    """Cached, because a list of games needs it for each."""
    found: Schema = options_schema(kind).get("properties", {})
    return found


def _counts(one: Schema, given: Mapping[str, Any]) -> bool:
    return all(given.get(name) == value for name, value in one.get("x-only", {}).items())


def _told(name: str, one: Schema, value: Any) -> str:
    key = str(value).lower() if isinstance(value, bool) else str(value)
    words: str | None = one.get("x-words", {}).get(key)
    if words is not None:
        return words
    usual = value is None or value == one.get("default")
    return "" if usual else f"{one.get('title', name.replace('_', ' '))}: {_plain(value)}"


def _plain(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
