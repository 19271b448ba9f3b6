"""Typed options and times of a new table, checked against the game's schema.

auction                 the one option that has this value
variant=auction         the option and its value
start_over no-badges    yes and no, of options that are either; a name may be cut short
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import jsonschema

from engine.errors import Refused
from engine.kit import count

Schema = Mapping[str, Any]
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_LEVEL = re.compile(r"[a-z]{1,10}")
_TIME = re.compile(r"(\d{1,9})\s*([smhdw])[a-z]*\s*")


def seconds(text: str) -> int:
    """Read `3d`, `1d 12h`, `90 minutes` or `3600`; Refused `bad-time` for anything else."""
    plain = text.strip().lower()
    if plain.isascii() and plain.isdigit():
        return int(plain)
    parts = _TIME.findall(plain)
    if not parts or _TIME.sub("", plain):
        raise Refused("bad-time", says=f"'{text}' is not a time: write 3d, 12h, 1d 12h, 90m or a number of seconds")
    return sum(int(number) * _UNITS[unit] for number, unit in parts)


def levels(text: str | None) -> list[str]:
    """Read `easy,fair`: the levels of house players; Refused `bad-options` for anything that cannot be a level."""
    found = [word.strip().lower() for word in text.split(",")] if text else []
    wrong = next((word for word in found if not _LEVEL.fullmatch(word)), None)
    if wrong is not None:
        raise Refused("bad-options", says=f"'{wrong}' is not a level: write for example easy,fair")
    return found


def last_seats(levels: Sequence[str], seats: int, people: int) -> dict[int, str]:
    """Give the last seats to house players. Refused `bad-options` if too few seats are free."""
    if people + len(levels) > seats:
        room = seats - people
        says = f"{count(len(levels), 'level')} for {count(room, 'free seat')}: name at most {room}, or add seats"
        raise Refused("bad-options", says=says)
    return dict(enumerate(levels, seats - len(levels)))


def options(schema: Schema, words: Sequence[str]) -> dict[str, Any]:
    """Read the words as options; Refused `bad-options` says what would fit."""
    found: dict[str, Any] = {}
    for word in words:
        name, value = _option(schema, word)
        if name in found:
            raise Refused("bad-options", says=f"{name} is given twice")
        found[name] = value
    wrong = next(iter(jsonschema.Draft202012Validator(schema).iter_errors(found)), None)
    if wrong is not None:
        raise Refused("bad-options", says=f"{'.'.join(map(str, wrong.absolute_path)) or 'options'}: {wrong.message}")
    return found


def _option(schema: Schema, word: str) -> tuple[str, Any]:
    name, equals, text = word.partition("=")
    if equals:
        name = _known(schema, name)
        return name, _value(_property(schema, name), text, name)
    meanings = [*_values(schema, word), *_flags(schema, word)]
    if len(meanings) == 1:
        return meanings[0]
    says = " or ".join(f"{name}={spelled(value)}" for name, value in meanings)
    raise Refused(
        "bad-options", says=f"'{word}' may be {says}" if says else f"'{word}' is not an option{_near(schema, word)}"
    )


def _known(schema: Schema, name: str) -> str:
    names = _names(schema)
    fits = [one for one in names if one == name] or [one for one in names if one.startswith(name)]
    if len(fits) != 1:
        raise Refused("bad-options", says=f"there is no option '{name}'{_there(names)}")
    return fits[0]


def _value(kind: Schema, text: str, name: str) -> Any:
    if "enum" in kind:
        fits = [value for value in kind["enum"] if str(value) == text]
        if not fits:
            raise Refused(
                "bad-options", says=f"{name} must be one of {', '.join(map(spelled, kind['enum']))}, not '{text}'"
            )
        return fits[0]
    if kind.get("type") == "boolean":
        if text not in _YES + _NO:
            raise Refused("bad-options", says=f"{name} must be yes or no, not '{text}'")
        return text in _YES
    if kind.get("type") == "integer" and re.fullmatch(r"-?\d{1,9}", text):
        return int(text)
    if kind.get("type") == "string":
        return text
    raise Refused("bad-options", says=f"{name} must be {kind_words(kind)}, not '{text}'")


_YES, _NO = ("yes", "true", "on"), ("no", "false", "off")


def _values(schema: Schema, word: str) -> list[tuple[str, Any]]:
    """The options of which this word is a value."""
    kinds = ((name, _property(schema, name)) for name in _names(schema))
    return [(name, word) for name, kind in kinds if word in kind.get("enum", ())]


def _flags(schema: Schema, word: str) -> list[tuple[str, Any]]:
    plain, wanted = word.replace("-", "_"), True
    if word.startswith("no-"):
        plain, wanted = plain.removeprefix("no_"), False
    flags = [name for name in _names(schema) if _property(schema, name).get("type") == "boolean"]
    fits = [name for name in flags if name == plain] or [name for name in flags if name.startswith(plain)]
    return [(name, wanted) for name in fits]


# --- listed -----------------------------------------------------------------------------------------------------------


def _names(schema: Schema) -> list[str]:
    return list(schema.get("properties", {}))


def _property(schema: Schema, name: str) -> Schema:
    """The schema of one option, with its definitions resolved."""
    kind: Schema = schema["properties"][name]
    named = kind.get("$ref", "").rpartition("/")[2]
    return schema["$defs"][named] if named else kind


def option_rows(schema: Schema) -> list[tuple[str, str, str]]:
    """Each option with its name, its values and its default."""
    kinds = {name: _property(schema, name) for name in _names(schema)}
    usual = {name: schema["properties"][name].get("default") for name in kinds}
    return [(name, kind_words(kind), spelled(usual[name])) for name, kind in kinds.items()]


def kind_words(kind: Schema) -> str:
    """The values of an option, in words."""
    if "enum" in kind:
        return " or ".join(map(spelled, kind["enum"]))
    if kind.get("type") == "boolean":
        return "yes or no"
    if kind.get("type") == "integer":
        return f"a number from {kind.get('minimum', 0)}" + (f" to {kind['maximum']}" if "maximum" in kind else "")
    return str(kind.get("type", "a value"))


def spelled(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def _near(schema: Schema, word: str) -> str:
    """The nearest option, or all of them."""
    known = [*_names(schema), *(str(v) for name in _names(schema) for v in _property(schema, name).get("enum", ()))]
    near = get_close_matches(word, known, 1)
    return (f": did you mean {near[0]}?" if near else "") + _there(_names(schema))


def _there(names: Sequence[str]) -> str:
    return f"; there are {', '.join(names)}" if names else "; this game has none"
