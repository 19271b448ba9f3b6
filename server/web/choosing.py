"""The options of a new table as the fields of a form, from their schema alone (pure).

A choice is a `select` of its values, yes or no a box to tick, a number a field with its bounds; `only` says in words
and in data with which other choices it means anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Options
from engine.kit import choices as words

Schema = Mapping[str, Any]


def choices(kind: type[Options]) -> list[dict[str, Any]]:
    """Each option: its name, what it is called, what it may be, and what it is if nothing is chosen."""
    found = words.options_schema(kind).get("properties", {})
    return [_choice(name, one, found) for name, one in found.items() if _kind(one) is not None]


def _choice(name: str, one: Schema, others: Mapping[str, Schema]) -> dict[str, Any]:
    return {
        "name": name,
        "title": _title(name, one),
        "kind": _kind(one),
        "default": one.get("default"),
        "choices": [(value, _word(one, value)) for value in _values(one)],
        "least": one.get("minimum"),
        "most": one.get("maximum"),
        "only": [_only(other, value, others) for other, value in one.get("x-only", {}).items()],
    }


def _title(name: str, one: Schema) -> str:
    return str(one.get("title", name.replace("_", " ").capitalize()))


def _kind(one: Schema) -> str | None:
    """How it is chosen; None for what no form here can say: then it stays as it is."""
    if "enum" in one:
        return "choice"
    return {"boolean": "yes-no", "integer": "number"}.get(one.get("type", ""))


def _values(one: Schema) -> list[Any]:
    """In the order in which the game names them; a schema has its values by the alphabet."""
    named = list(one.get("x-words", {}))
    return sorted(one.get("enum", ()), key=lambda value: named.index(str(value)) if str(value) in named else len(named))


def _word(one: Schema, value: Any) -> str:
    return str(one.get("x-words", {}).get(str(value)) or value)


def _only(name: str, value: Any, others: Mapping[str, Schema]) -> tuple[str, str, str]:
    """The other option, its value, and both in words."""
    if name == "seats":
        return name, str(value), "one player" if value == 1 else f"{value} players"
    return name, str(value).lower(), _word(others[name], value)
