"""An object is accepted by its type at once; the law, member by member, never refuses one that the type accepts."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadRecord
from engine.record.encoding import members as m
from engine.record.log import entry
from engine.record.signed import acts, keys
from tests.audit.bundles.good import everything, pig
from tests.kit.play_record import Record, seed_of

HASH = "A" * 43
TEXTS = ("", "x", "x\n", "moved", "mail\n", HASH, HASH + "\n", "A" * 42 + "B", "2026-02-30T10:00:00Z")
NUMBERS = (0, 1, -1, 63, 64, 2**20, 2**25 + 1, 2**53 - 1)
LISTS = ([], [0], [1, 0], [HASH], [HASH] * 2, [HASH] * 66, [HASH, 1], [[6, 5]], [[6, 6]], [[6, True]], [{}], [{}, 1])
ODD = st.sampled_from((None, True, False, {}, {"a": 1}, *TEXTS, *NUMBERS, *LISTS))
CHECKS = {
    "boolean": m.boolean, "text": m.text, "binary32": m.binary32, "an_object": m.an_object, "objects": m.objects,
    "seals": m.seals, "game_id": m.game_id, "host": m.host, "name": m.name, "file_name": m.file_name, "seat": m.seat,
    "seq": m.seq, "seconds": m.seconds, "nullable": m.nullable(m.seat), "one_of": m.one_of("mail", "page"),
}  # fmt: skip


@cache
def objects() -> tuple[tuple[m.Shape, dict[str, Any]], ...]:
    """Every object of some whole games that has a shape, with that shape."""
    clock = {"move": 3600, "bank": 600, "increment": 30, "cap": 900, "grace": 300, "missed": 1, "grants": 3600}
    handed = Record("pig", clock=clock, handover="both")
    handed.offer(0)
    handed.take(0, recovery=seed_of(0, 9))
    handed.grant([handed.table.active[0]], 60)
    return tuple(pair for record in (pig().play(), everything(), handed) for pair in _objects(record))


def _objects(record: Record) -> Iterator[tuple[m.Shape, dict[str, Any]]]:
    for body in (one.body for one in record.entries):
        yield entry.SHAPES[body["kind"]], body
        if body.get("jws"):
            payload = keys.read_jws(body["jws"]).payload
            yield acts.SHAPES[payload["act"]], payload


def test_a_valid_object_is_accepted_by_its_type() -> None:
    """Otherwise every object would be checked member by member."""
    kinds = {body.get("kind") for _, body in objects()} | {body.get("act") for _, body in objects()}
    assert kinds >= {"created", "moved", "granted", "taken", "join", "take", "key", "offer"}
    for shape, body in objects():
        msgspec.convert(body, shape.type)


@pytest.mark.slow
@settings(max_examples=500)
@given(data=st.data(), odd=ODD)
def test_an_object_that_the_law_refuses_is_never_accepted(data: st.DataObject, odd: object) -> None:
    """One member, however deep, is changed or dropped, or one is added."""
    shape, right = data.draw(st.sampled_from(objects()))
    body = copy.deepcopy(right)
    place, name = data.draw(st.sampled_from(list(_places(body))))
    change = data.draw(st.sampled_from(("put", "drop", "add")))
    if change == "put":
        place[name] = odd
    elif change == "drop":
        del place[name]
    else:
        body[data.draw(st.sampled_from(("x", *shape.optional)))] = odd
    assert _answer(shape, body) == _answer(shape.explain, body)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (object or list, name or number) in it."""
    if isinstance(value, dict | list):
        for name in value if isinstance(value, dict) else range(len(value)):
            yield value, name
            yield from _places(value[name])


@pytest.mark.parametrize("name", CHECKS)
@settings(max_examples=100)
@given(odd=ODD | st.text(max_size=40) | st.integers(-(2**53) + 1, 2**53 - 1))
def test_a_type_that_is_whole_accepts_what_its_law_accepts(name: str, odd: object) -> None:
    """If it accepted more, an invalid object would pass; if less, valid ones would be slow."""
    check = CHECKS[name]
    try:
        msgspec.convert(odd, check.type)
        accepted = True
    except msgspec.ValidationError:
        accepted = False
    assert check.whole
    assert accepted == (_answer(check, odd) is None)


def _answer(check: Callable[[Any], object], value: object) -> tuple[str, str] | None:
    try:
        check(value)
    except BadRecord as bad:
        return bad.code, bad.says
    return None
