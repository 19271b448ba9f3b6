"""Find changes that break clients of an older document: two documents compared by operationId.

All schemas are compared by `SchemaComparison.stricter(a, b)`: what does `a` allow that `b` does not? For requests, the
old one is `a`: nothing that was accepted may be refused. For responses, the new one is `a`: nothing undocumented may
come, except new members, and new values where the old document has `x-open`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from server.http.document.game_schemas import REF, typed

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
LOWEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
HIGHEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
SAME = ("pattern", "format", "uniqueItems", "multipleOf", "contentMediaType")


MAPS = ("paths", "schemas", "properties", "headers", "responses", "content", "$defs", "mapping", "webhooks")
WORDS = ("description", "summary", "example", "examples")


def bare(thing: Any, *, is_map: bool = False) -> Any:
    """The parts of a document that `breaking` reads: no descriptions. A member may be named like one of ours."""
    if isinstance(thing, list):
        return [bare(item) for item in thing]
    if not isinstance(thing, dict):
        return thing
    kept = thing.items() if is_map else [(name, value) for name, value in thing.items() if name not in WORDS]
    return {name: bare(value, is_map=not is_map and name in MAPS) for name, value in kept}


def breaking(old: Json, new: Json) -> list[str]:
    """Every change that may break a client of the old document, one line each."""
    was, now = _operations(old), _operations(new)
    found = [f"{name}: was removed" for name in was.keys() - now.keys()]
    for name in was.keys() & now.keys():
        found += [f"{name}: {what}" for what in _Operation(old, new, was[name], now[name]).found()]
    return sorted(found)


def _operations(document: Json) -> dict[str, Json]:
    items = ((path, item, method) for path, item in document["paths"].items() for method in METHODS if method in item)
    return {
        item[method]["operationId"]: item[method]
        | {"at": f"{method} {path}", "parameters": [*item.get("parameters", ()), *item[method].get("parameters", ())]}
        for path, item, method in items
    }


@dataclass
class _Operation:
    """One operation in both documents."""

    old: Json
    new: Json
    was: Json
    now: Json

    def __post_init__(self) -> None:
        self.sent = SchemaComparison(self.old, self.new, is_answer=False)
        self.told = SchemaComparison(self.new, self.old, is_answer=True)

    def found(self) -> Iterator[str]:
        if self.was["at"] != self.now["at"]:
            yield f"is {self.now['at']} and was {self.was['at']}"
        yield from self._security()
        yield from self._parameters()
        yield from self._body()
        yield from self._answers()

    def _security(self) -> Iterator[str]:
        """Every old way to authorize must remain: some new way may require no more than it."""
        ways = [_asked(way) for way in self.now["security"]]
        for way in self.was["security"] or [{}]:
            held = _asked(way)
            if ways and not any(asked <= held for asked in ways):
                yield f"requires more than {sorted(held) or 'nothing'}"

    def _parameters(self) -> Iterator[str]:
        was, now = (
            _named(document, one["parameters"]) for document, one in ((self.old, self.was), (self.new, self.now))
        )
        yield from (f"no longer accepts {name}" for name in was.keys() - now.keys())
        for name, given in now.items():
            if given.get("required") and not was.get(name, {}).get("required"):
                yield f"requires {name}"
            if name in was:
                yield from self.sent.stricter(was[name]["schema"], given["schema"], name)

    def _body(self) -> Iterator[str]:
        was, now = self.was.get("requestBody", {}), self.now.get("requestBody", {})
        if now.get("required") and not was.get("required"):
            yield "requires a body"
        taken = now.get("content", {})
        for kind, media in was.get("content", {}).items():
            if kind not in taken:
                yield f"no longer accepts {kind}"
            else:
                yield from self.sent.stricter(media["schema"], taken[kind]["schema"], "body")

    def _answers(self) -> Iterator[str]:
        was, now = self.was["responses"], self.now["responses"]
        yield from (f"no longer answers {status}" for status in was.keys() - now.keys() if status < "400")
        yield from (f"now also answers {status}" for status in now.keys() - was.keys() if status < "400")
        for status in was.keys() & now.keys():
            yield from self._answer(status, _resolved(self.old, was[status]), _resolved(self.new, now[status]))

    def _answer(self, status: str, was: Json, now: Json) -> Iterator[str]:
        yield from (f"{status} lacks {name}" for name in was.get("headers", {}).keys() - now.get("headers", {}).keys())
        shown = now.get("content", {})
        for kind, media in was.get("content", {}).items():
            if kind not in shown:
                yield f"{status} no longer answers {kind}"
            elif "schema" in media:
                yield from self.told.stricter(shown[kind]["schema"], media["schema"], status)


def _named(document: Json, given: list[Json]) -> dict[str, Json]:
    whole = [_resolved(document, one) for one in given]
    return {f"{one['in']} {one['name']}": one for one in whole}


def _resolved(document: Json, thing: Json) -> Json:
    while "$ref" in thing:
        found: Any = document
        for part in thing["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        thing = found
    return thing


@dataclass
class SchemaComparison:
    """Schemas of one document against those of another."""

    ours: Json
    theirs: Json
    is_answer: bool
    known: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def stricter(self, a: Json, b: Json, where: str) -> list[str]:
        """All that `a` allows and `b` does not. Recursive pairs of names count as equal until a difference is found."""
        names = (a.get("$ref", ""), b.get("$ref", ""))
        if not all(names):
            return self._compared(_resolved(self.ours, a), _resolved(self.theirs, b), where)
        if names not in self.known:
            self.known[names] = []
            named = names[0].removeprefix(REF)
            self.known[names] = self._compared(_resolved(self.ours, a), _resolved(self.theirs, b), named)
        return self.known[names]

    def _compared(self, a: Json, b: Json, where: str) -> list[str]:
        mine, others = _alternatives(a), _alternatives(b)
        if len(mine) == len(others) == 1:
            return self._plain(mine[0], others[0], where)
        open_ = self.is_answer and b.get("x-open")
        return [what for one in mine for what in self._one_of(one, others, where, is_open=bool(open_))]

    def _one_of(self, one: Json, others: list[Json], where: str, *, is_open: bool) -> list[str]:
        """An alternative that accepts it whole; otherwise the differences from the most similar one."""
        tag = _tag(self.ours, one)
        like = [self.stricter(one, other, where) for other in others if _tag(self.theirs, other) == tag]
        if any(not against for against in like):
            return []
        if like:
            return like[0]
        if any(not self.stricter(one, other, where) for other in others):
            return []
        return [] if is_open else [f"{where}: {tag} is not one of the variants"]

    def _plain(self, a: Json, b: Json, where: str) -> list[str]:
        if "$ref" in a or "$ref" in b:
            return self.stricter(a, b, where)
        kinds = (typed(a).get("type"), b.get("type"))
        if "type" in b and kinds[0] != kinds[1] and kinds != ("integer", "number"):
            return [f"{where}: {kinds[0] or 'anything'} for {kinds[1]}"]
        return [
            *self._values(a, b, where),
            *_bounds(a, b, where),
            *self._members(a, b, where),
            *self._parts(a, b, where),
        ]

    def _values(self, a: Json, b: Json, where: str) -> list[str]:
        wanted, given = _values(b), _values(a) or _only(a)
        if wanted is None or (self.is_answer and b.get("x-open")):
            return []
        if given is None:
            return [f"{where}: any value for some"]
        return [f"{where}: {value!r} is not an allowed value" for value in given if value not in wanted]

    def _members(self, a: Json, b: Json, where: str) -> list[str]:
        mine, others = a.get("properties", {}), b.get("properties", {})
        needed = set(b.get("required", ())) - set(a.get("required", ()))
        found = [
            f"{where}: {name} may be left out" if self.is_answer else f"{where}: {name} is required" for name in needed
        ]
        gone = others.keys() - mine.keys() if self.is_answer else mine.keys() - others.keys()
        if self.is_answer or b.get("additionalProperties") is False:
            found += [f"{where}: {name} was removed" for name in gone - needed]
        for name in mine.keys() & others.keys():
            found += self.stricter(mine[name], others[name], f"{where}.{name}")
        return found

    def _parts(self, a: Json, b: Json, where: str) -> list[str]:
        """Items of an array, values of a map, the content of a signed text."""
        found = []
        parts = len(b.get("prefixItems", ()))
        is_tuple = 0 < parts == b.get("maxItems")  # then `items` concerns none of them
        for name in () if is_tuple else ("items", "additionalProperties", "contentSchema"):
            if isinstance(b.get(name), dict):
                mine = a.get(name, {})
                found += self.stricter(mine if isinstance(mine, dict) else {}, b[name], f"{where}[]")
        for mine, other in zip(a.get("prefixItems", ()), b.get("prefixItems", ()), strict=False):
            found += self.stricter(mine, other, f"{where}[]")
        return found


def _alternatives(schema: Json) -> list[Json]:
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return list(schema[several])
    kinds = schema.get("type")
    return [schema | {"type": kind} for kind in kinds] if isinstance(kinds, list) else [schema]


def _tag(document: Json, schema: Json) -> str:
    """The label of an alternative: its name, the constants in it, or its type."""
    whole = _resolved(document, schema)
    fixed = [f"{name} {part['const']}" for name, part in whole.get("properties", {}).items() if "const" in part]
    return ", ".join(sorted(fixed)) or schema.get("$ref", "").removeprefix(REF) or str(whole.get("type", "anything"))


def _values(schema: Json) -> list[Any] | None:
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _only(schema: Json) -> list[Any] | None:
    """The one integer that fits between equal bounds."""
    is_one = schema.get("type") == "integer" and schema.get("minimum", 0) == schema.get("maximum", 1)
    return [schema["minimum"]] if is_one else None


def _numbers(schema: Json) -> Json:
    """The bounds of constant integers."""
    values = _values(schema) if typed(schema).get("type") == "integer" else None
    return {"minimum": min(values), "maximum": max(values)} if values else {}


def _bounds(a: Json, b: Json, where: str) -> list[str]:
    own = _numbers(a) | a
    found = [f"{where}: {name} {b[name]}" for name in LOWEST if name in b and own.get(name, b[name] - 1) < b[name]]
    found += [f"{where}: {name} {b[name]}" for name in HIGHEST if name in b and own.get(name, b[name] + 1) > b[name]]
    fixed = "const" in a or "enum" in a
    return found + [f"{where}: {name} {b[name]}" for name in SAME if name in b and not fixed and a.get(name) != b[name]]


def _asked(way: Json) -> set[tuple[str, str]]:
    """The requirements of one way to authorize: a credential (`""`), and each of its scopes."""
    return {(scheme, scope) for scheme, scopes in way.items() for scope in ("", *scopes)}
