"""One entry of the log: a canonical line with exact members. The next entry, and a signature, name it by its hash.

Here an entry is judged alone. Its place among the others - its number, its `prev`, whether seals, draws or an outcome
are due - follows from the table (`laws`), its events from the engine's decision (`judge`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.chance import MAX_DRAW, MAX_DRAWS
from engine.errors import BadRecord, NewerRecord
from engine.record.encoding import canonical
from engine.record.encoding import members as m
from engine.record.encoding.canonical import MAX_INTEGER, leaf
from engine.record.log import clock
from engine.record.signed import keys
from engine.record.signed.moves import check_unsigned

VERSION = 1
EVENTFUL = ("started", "moved", "resigned", "expired")  # kinds of entries with events, which the engine decides
HANDOVERS = ("none", "offer", "absent", "both")
OUTAGE = "outage"  # the `why` of a grant that no bound counts
ZERO = canonical.to_base64url(bytes(32))


class Entry(msgspec.Struct, frozen=True):
    """An entry as it was read. `prev` and `hash` are 32 bytes, `time` is `at` in seconds since 1970.

    `body` is the whole object with all its members.
    """

    seq: int
    kind: str
    game: str
    prev: bytes
    at: str
    time: int
    body: dict[str, Any]
    line: bytes
    hash: bytes


def read_entry(line: bytes) -> Entry:
    """The entry in one line (without its line feed); BadRecord if malformed, NewerRecord if it has a later `v`."""
    body = canonical.loads(line)
    check_entry(body)
    prev, time = canonical.from_base64url(body["prev"], 32), canonical.seconds(body["at"])
    return Entry(body["seq"], body["kind"], body["game"], prev, body["at"], time, body, line, leaf(line))


def write_entry(body: Mapping[str, Any]) -> Entry:
    """The entry of these members, which are JSON values, with its line; BadRecord if they are not those of its kind."""
    return read_entry(canonical.dumps(body))


def check_entry(body: object) -> None:
    """BadRecord unless this object is an entry in shape."""
    m.an_object(body)
    assert isinstance(body, dict)
    check_version(body.get("v"))
    kind = body.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadRecord("unknown-kind" if "kind" in body else "missing-member", "an entry must have a known kind")
    SHAPES[kind](body)
    _check_whole(kind, body)


def check_version(v: object) -> None:
    """Raises NewerRecord for a later version, BadRecord for a value that cannot be a version."""
    if type(v) is int and v > VERSION:
        raise NewerRecord("newer-record", f"version {v} of the record is newer than this auditor")
    if type(v) is not int or v != VERSION:
        raise BadRecord("bad-version", "every entry must have v, the version of the record")


def _check_whole(kind: str, body: dict[str, Any]) -> None:
    """Rules that involve several members."""
    if (body["seq"] == 0) != (kind == "created"):
        raise BadRecord("bad-first", "entry 0, and no other, has the kind created")
    if ("outcome" in body) != ("secret" in body and kind != "cancelled"):
        raise BadRecord("bad-end", "the entry that ends a game must have both an outcome and the secret")
    if kind == "created":
        _check_first(body)
    if kind == "moved":
        _check_author(body)


def _check_first(body: dict[str, Any]) -> None:
    if body["prev"] != ZERO:
        raise BadRecord("bad-first", "entry 0 must have 32 zero bytes as prev")
    clock.check(body["clock"], body["seats"])
    if body["handover"]["by"] in ("none", "absent") and body["handover"]["wait"]:
        raise BadRecord("bad-handover", "seats of this game are not offered, so no offer waits")


def _check_author(body: dict[str, Any]) -> None:
    signed, forms = "jws" in body, ("commands" in body) + ("sealed" in body)
    if signed == ("via" in body) or forms != (not signed):
        raise BadRecord("bad-author", "a move must have either jws, or via with commands or sealed")
    if not signed:
        check_unsigned(body)


def _check_at(value: object) -> None:
    if not isinstance(value, str):
        raise m.bad("expected a string")
    canonical.seconds(value)


def _check_data(value: object) -> None:
    """Names of data files, each with the SHA-256 of its bytes; null if the rules do not need any."""
    m.an_object(value)
    assert isinstance(value, dict)
    if not value:
        raise m.bad("expected null or at least one data file")
    for file, digest in value.items():
        m.file_name(file)
        m.binary32(digest)


def _check_got(value: object) -> None:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_DRAWS:
        raise m.bad("expected a list of draws")
    for item in value:
        if not isinstance(item, list) or len(item) != 2:
            raise m.bad("each draw must be [n, result]")
        n, result = item
        _possibilities(n)
        if type(result) is not int or not 0 <= result < n:
            raise m.bad(f"expected an integer from 0 to {n - 1}")


def _check_server_key(value: object) -> None:
    keys.check_point(canonical.from_base64url(value, 32))


def _check_places(value: object) -> None:
    """Places, the best first: each a list of seats that tie."""
    if not isinstance(value, list):
        raise m.bad("expected a list of places")
    for place in value:
        m.seats(place)


def _check_points(value: object) -> None:
    if not isinstance(value, list):
        raise m.bad("expected a list of headings with points")
    for row in value:
        if not isinstance(row, list) or len(row) != 2 or not isinstance(row[1], list):
            raise m.bad("points must be [heading, [points of seat 0, 1, ...]]")
        m.text(row[0])
        for points in row[1]:
            m.integer(-MAX_INTEGER)(points)


def _check_out(value: object) -> None:
    if value != []:
        m.seats(value)


_possibilities = m.integer(1, MAX_DRAW)

_FIRST: m.Members = {
    "v": m.integer(VERSION), "game": m.game_id, "seq": m.seq, "prev": m.binary32, "at": m.MemberCheck(_check_at, str),
    "kind": m.text,
}  # fmt: skip
_EVENTS: m.Members = {"events": m.objects, "state": m.binary32}
_OUTCOME: m.Members = {
    "places": m.MemberCheck(_check_places), "points": m.MemberCheck(_check_points), "out": m.MemberCheck(_check_out),
    "reason": m.name, "won": m.boolean,
}  # fmt: skip
_PERHAPS: m.Members = {
    "seals": m.seals,
    "draws": m.Shape("draws", {"first": m.integer(1, MAX_DRAWS), "got": m.MemberCheck(_check_got), "key": m.binary32}),
    "outcome": m.Shape("an outcome", _OUTCOME),
    "secret": m.binary32,
}
_CREATED: m.Members = {
    "server": m.host,
    "server_key": m.MemberCheck(_check_server_key),
    "rules": m.Shape(
        "rules", {"game": m.name, "version": m.integer(1), "data": m.nullable(m.MemberCheck(_check_data))}
    ),
    "options": m.an_object,
    "seats": m.integer(1, m.MOST_SEATS),
    "hidden": m.boolean,
    "clock": m.nullable(m.Shape("a clock", clock.MEMBERS)),
    "handover": m.Shape("handover", {"by": m.one_of(*HANDOVERS), "wait": m.seconds}),
    "unsigned": m.boolean,
    "terms": m.nullable(m.binary32),
    "chance": m.Shape("chance", {"draws": m.integer(0, MAX_DRAWS), "chain": m.binary32}),
}
_ANYTHING = m.MemberCheck(lambda _: None, whole=True)  # `check_unsigned` judges it
_SIGNED: m.Members = {"seat": m.seat, "jws": m.text}
_UNSIGNED: m.Members = {"jws": m.text, "via": m.name, "commands": _ANYTHING, "sealed": m.binary32}

# kind -> members that it has, members that it may have, beside the first six
KINDS: dict[str, tuple[m.Members, m.Members]] = {
    "created": ({**_FIRST, **_CREATED}, m.NONE),
    "joined": ({**_FIRST, **_SIGNED, "bot": m.boolean}, m.NONE),
    "left": ({**_FIRST, "seat": m.seat, "jws": m.nullable(m.text)}, m.NONE),
    "started": ({**_FIRST, **_EVENTS}, _PERHAPS),
    "moved": ({**_FIRST, "seat": m.seat, **_EVENTS}, {**_PERHAPS, **_UNSIGNED}),
    "keyed": ({**_FIRST, **_SIGNED}, m.NONE),
    "offered": ({**_FIRST, **_SIGNED}, m.NONE),
    "taken": ({**_FIRST, **_SIGNED, "bot": m.boolean}, m.NONE),
    "resigned": ({**_FIRST, **_SIGNED, **_EVENTS}, _PERHAPS),
    "expired": ({**_FIRST, "seat": m.seat, **_EVENTS}, _PERHAPS),
    "granted": ({**_FIRST, "seats": m.seats, "seconds": m.integer(1, m.MOST_SECONDS), "why": m.name}, m.NONE),
    "restored": ({**_FIRST, "size": m.integer(1, m.MOST_ENTRIES), "hash": m.binary32}, m.NONE),
    "cancelled": ({**_FIRST, "reason": m.name, "secret": m.nullable(m.binary32)}, m.NONE),
}

SHAPES = {kind: m.Shape(f"an entry of kind {kind}", *members) for kind, members in KINDS.items()}
