"""Schemas of each game's commands, events and views, with one union of each per game.

There is no union over all games: commands of several games share their `do`, and a generated client that takes the
first match would send one game's command to another. So whatever contains commands is a union by the game's `type`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, get_type_hints

import msgspec

from engine import registry
from engine.game import Game
from server.http.document.examples import first_steps

REF = "#/components/schemas/"
OF_GAME = "x-of-game"  # marks a member: "View", or "Event[]" for a list
Json = dict[str, Any]


def prefix(key: str) -> str:
    """`lewis_clark` as a prefix of schema names: `LewisClark`."""
    return "".join(word.capitalize() for word in re.split("[-_]", key))


def ref(name: str) -> Json:
    return {"$ref": REF + name}


def union(names: Mapping[str, str], member: str, says: str) -> Json:
    """One of these schemas, by the value of a member that all of them require. New games and rules may add more."""
    mapping = {value: REF + name for value, name in names.items()}
    discriminator = {"propertyName": member, "mapping": mapping}
    one_of = [ref(name) for name in names.values()]
    return {"description": says, "oneOf": one_of, "discriminator": discriminator, "x-open": True}


def own_schemas() -> dict[str, Json]:
    """The schemas of every game."""
    found: dict[str, Json] = {}
    for key, game in registry.games().items():
        found |= _game_schema(prefix(key), game)
    return found


def _game_schema(begin: str, game: Game[Any]) -> dict[str, Json]:
    shown = view_of(game)
    made = _named(begin, (*game.commands, *game.events, shown))
    for command in game.commands:
        made[begin + command.__name__] |= _about(command)
    for event in game.events:
        _open_sealed(made[begin + event.__name__], event.sealed)
    title, steps = game.meta.title, (f"{begin}Command", f"{begin}Try")
    return made | {
        f"{begin}Command": union(_by_tag(begin, game.commands), "do", f"One step of a move of {title}."),
        f"{begin}Try": _TRY | {"properties": {"try": ref(f"{begin}Command")}},
        f"{begin}Step": {"description": "A command, or one to try.", "oneOf": [*map(ref, steps)]},
        f"{begin}Event": union(_by_tag(begin, game.events), "is", f"Something that happened in {title}."),
    }


_TRY: Json = {
    "type": "object",
    "required": ["try"],
    "additionalProperties": False,
    "description": "A command that is skipped if the rules refuse it. Otherwise the whole move would be refused.",
}


def view_of(game: Game[Any]) -> type[Any]:
    """The type that the game's `view` returns."""
    return get_type_hints(type(game).view)["return"]  # type: ignore[no-any-return]  # a class, by the contract


def _named(begin: str, kinds: Iterable[type[Any]]) -> dict[str, Json]:
    """Schemas of these types and all that they contain, with the game's prefix in their names."""
    _, made = msgspec.json.schema_components(tuple(kinds), ref_template=REF + "{name}")
    names = {name: name if name.startswith(begin) else begin + name for name in made}
    return {names[name]: _plain(schema, names) for name, schema in made.items()}


def _plain(schema: Any, names: Mapping[str, str]) -> Any:
    """Without titles, which are not names, with nothing beside a `$ref`, and `const` for an enum of one value."""
    if isinstance(schema, list):
        return [_plain(item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return ref(names[schema["$ref"].removeprefix(REF)])
    made = {name: _plain(value, names) for name, value in schema.items() if name != "title"}
    if "prefixItems" in made:  # for readers who know no tuples: one schema if all parts have it, otherwise any value
        made["items"] = _common(made["prefixItems"])
    if isinstance(one := made.get("enum"), list) and len(one) == 1:
        del made["enum"]
        made["const"] = one[0]
    return typed(made)


def _common(parts: list[Json]) -> Json:
    """The schema of all parts; a union of lists has no name, and Java's generator writes a class `List<Integer>`."""
    return parts[0] if all(part == parts[0] for part in parts) else {}


def typed(schema: Json) -> Json:
    """With the type of its constants: generators do not infer it."""
    values = [schema["const"]] if "const" in schema else schema.get("enum", ())
    kinds = {_KINDS[type(value)] for value in values} if "type" not in schema else set()
    return schema | {"type": kinds.pop()} if len(kinds) == 1 else schema


_KINDS = {str: "string", int: "integer", bool: "boolean"}


def _about(command: type[Any]) -> Json:
    says = " ".join((command.__doc__ or "").split())
    made: Json = {"description": f"{says}\n\nAs text: `{command.notation}`", "additionalProperties": False}
    return made | ({"x-sealed": list(command.sealed)} if command.sealed else {})


def _open_sealed(schema: Json, sealed: tuple[str, ...]) -> None:
    """A sealed member is null for everyone except its seat."""
    for name in sealed:
        known = schema["properties"][name]
        if {"type": "null"} not in known.get("anyOf", []):
            schema["properties"][name] = {"anyOf": [known, {"type": "null"}]}


def _by_tag(begin: str, kinds: Iterable[type[Any]]) -> dict[str, str]:
    return {str(kind.__struct_config__.tag): begin + kind.__name__ for kind in kinds}


def carriers(schemas: dict[str, Json]) -> dict[str, Json]:
    """For each schema with members of a game's own: one schema per game, and their union in its place."""
    found = {name: schema for name, schema in schemas.items() if _marked(schema)}
    return {made: what for name, schema in found.items() for made, what in _carrier(name, schema).items()}


def _marked(schema: Json) -> list[str]:
    return [name for name, member in schema.get("properties", {}).items() if OF_GAME in member]


def _carrier(name: str, schema: Json) -> dict[str, Json]:
    keys = tuple(registry.games())
    made = {prefix(key) + name: _of_game(schema, key) for key in keys}
    says = schema.get("description", "")
    if "type" in schema.get("required", ()):
        return made | {name: union({key: prefix(key) + name for key in keys}, "type", says)}
    return made | {name: {"description": says, "anyOf": [ref(one) for one in made]}}


def _of_game(schema: Json, key: str) -> Json:
    members = {name: _member(member, key) for name, member in schema["properties"].items()}
    if "type" in members:
        members["type"] = {"const": key, "type": "string", "description": "The game's type."}
    return schema | {"properties": members}


def _member(member: Json, key: str) -> Json:
    kind = member.get(OF_GAME)
    if kind is None:
        return member
    own = _own_name(key, kind.removesuffix("[]"))
    if kind.endswith("[]"):
        made = {name: value for name, value in member.items() if name != OF_GAME} | {"items": ref(own)}
        return made | ({"example": first_steps(key)} if kind == "Step[]" else {})
    if "null" in member.get("type", []):
        return {"anyOf": [ref(own), {"type": "null"}], "description": member["description"]}
    return ref(own)


@cache
def _own_name(key: str, kind: str) -> str:
    if kind != "View":
        return prefix(key) + kind
    name = view_of(registry.find(key)).__name__
    return name if name.startswith(prefix(key)) else prefix(key) + name
