"""Entries alone: exact members by kind, each of its form."""

from __future__ import annotations

from typing import Any

from tests.kit import second
from tests.kit.vectors import scene
from tests.kit.vectors.cases import Case, accepted, refused

Body = dict[str, Any]
Row = tuple[str, str, Body]
POINTS = [["lots", [1, 3]], ["favourites", [0, -2]]]
OUTCOME: Body = {"places": [[1], [0]], "points": POINTS, "out": [], "reason": "cap", "won": True}


def entry_cases() -> list[Case]:
    rows = [*_bad_firsts(), *_bad_created(), *_bad_clocks(), *_bad_events(), *_bad_outcomes(), *_bad_kinds()]
    cases = [refused(name, code, second.canonical(body)) for name, code, body in rows]
    no_object = refused("no object", "bad-member", second.canonical([_started()]))
    return [*cases, no_object, *[accepted(name, second.canonical(body)) for name, body in _good_entries()]]


# --- made of the scene ------------------------------------------------------------------------------------------------


def _started(**members: Any) -> Body:
    return {**second.json.loads(scene.STARTED), **members}


def _created(**members: Any) -> Body:
    return {**second.json.loads(scene.CREATED), **members}


def _clocked(**members: Any) -> Body:
    clock = {**_created()["clock"], **members}
    return _created(clock={name: value for name, value in clock.items() if value is not None})


def _without(body: Body, name: str) -> Body:
    return {member: value for member, value in body.items() if member != name}


def _with_draws(**members: Any) -> Body:
    return _started(draws={**_started()["draws"], **members})


def _hash() -> str:
    return second.b64(bytes(32))


def _events() -> Body:
    return {"events": [], "state": _hash()}


def _moved(**body: Any) -> Body:
    return scene.entry("moved", seat=0, **_events(), **body)


def _ended(**members: Any) -> Body:
    outcome = {name: value for name, value in {**OUTCOME, **members}.items() if value is not None}
    return _moved(jws="a.b.c", outcome=outcome, secret=second.b64(scene.SECRET))


def _granted(seats: Any, seconds: Any, why: Any = "host") -> Body:
    return scene.entry("granted", seats=seats, seconds=seconds, why=why)


def _restored(**members: Any) -> Body:
    return scene.entry("restored", **{"size": 9, "hash": _hash(), **members})


def _handed(by: Any = "both", wait: Any = 0, **more: Any) -> Body:
    return _created(handover={"by": by, "wait": wait, **more})


# --- refused ----------------------------------------------------------------------------------------------------------


def _bad_firsts() -> list[Row]:
    """The six members that every entry has, and the number of members."""
    return [
        ("an unknown member", "unknown-member", _started(extra=1)),
        ("a missing member", "missing-member", _without(_started(), "state")),
        ("a member of another kind", "unknown-member", _started(jws="a.b.c")),
        ("an unknown kind", "unknown-kind", _started(kind="rewound")),
        ("no kind", "missing-member", _without(_started(), "kind")),
        ("true for 1", "bad-version", _started(v=True)),
        ("true for a number", "bad-member", _started(seq=True)),
        ("v 0", "bad-version", _started(v=0)),
        ("v 2: cannot be judged", "newer-record", _started(v=2, new="member")),
        ("v as a string", "bad-version", _started(v="1")),
        ("seq below zero", "bad-member", _started(seq=-1)),
        ("seq 2^20", "bad-member", _started(seq=2**20)),
        ("prev of 31 bytes", "bad-length", _started(prev=second.b64(bytes(31)))),
        ("prev of 33 bytes", "bad-length", _started(prev=second.b64(bytes(33)))),
        ("game in capitals", "bad-member", _started(game=scene.GAME.replace("c", "C"))),
        ("a day that does not exist", "bad-time", _started(at="2026-02-30T10:00:00Z")),
        ("a time with an offset", "bad-time", _started(at="2026-11-21T10:00:00+00:00")),
        ("a fraction of a second", "bad-time", _started(at="2026-11-21T10:00:00.5Z")),
        ("a leap second", "bad-time", _started(at="2026-12-31T23:59:60Z")),
        ("created as entry 3", "bad-first", _created(seq=3)),
        ("started as entry 0", "bad-first", _started(seq=0)),
        ("entry 0 with a prev", "bad-first", _created(prev=_started()["prev"])),
    ]


def _bad_created() -> list[Row]:
    key, identity, eight = second.public(scene.SERVER_SEED), second.packed((0, 1)), second.ORDER8
    assert eight is not None
    data = {"game": "toy", "version": 1}
    return [
        ("no seats", "bad-member", _created(seats=0)),
        ("65 seats", "bad-member", _created(seats=65)),
        ("a server key of 31 bytes", "bad-length", _created(server_key=second.b64(key[:31]))),
        ("a server key that is the identity", "bad-key", _created(server_key=second.b64(identity))),
        ("a server key of small order", "bad-key", _created(server_key=second.b64(second.packed(eight)))),
        ("a server key of mixed order", "bad-key", _created(server_key=second.b64(second.mixed(key)))),
        ("a server key off the curve", "bad-key", _created(server_key=second.b64((2).to_bytes(32, "little")))),
        ("a server key with y = p", "bad-key", _created(server_key=second.b64(second.P.to_bytes(32, "little")))),
        ("a server key in hex", "bad-length", _created(server_key=key.hex())),
        ("a server with a path", "bad-member", _created(server="games.example/x")),
        ("no server", "bad-member", _created(server="")),
        ("no handover", "missing-member", _without(_created(), "handover")),
        ("an unknown handover", "bad-member", _handed(by="any")),
        ("handover null", "not-an-object", _created(handover=None)),
        ("handover as a word, as in the draft", "not-an-object", _created(handover="both")),
        ("handover by null", "bad-member", _handed(by=None)),
        ("handover in capitals", "bad-member", _handed(by="Both")),
        ("handover by a list", "bad-member", _handed(by=["offer", "absent"])),
        ("handover without a wait", "missing-member", _created(handover={"by": "both"})),
        ("handover with another member", "unknown-member", _handed(to="house")),
        ("a wait below zero", "bad-member", _handed(wait=-1)),
        ("a wait of 2^25 + 1 seconds", "bad-member", _handed(wait=2**25 + 1)),
        ("a wait where nothing changes hands", "bad-handover", _handed(by="none", wait=1)),
        ("a wait where only absence counts", "bad-handover", _handed(by="absent", wait=1)),
        ("no terms", "missing-member", _without(_created(), "terms")),
        ("terms in free text", "bad-base64url", _created(terms="the rules of our club")),
        ("terms of 31 bytes", "bad-length", _created(terms=second.b64(bytes(31)))),
        ("terms as an object", "bad-base64url", _created(terms={})),
        ("a data file with a path for a name", "bad-member", _created(rules={**data, "data": {"a/b.json": _hash()}})),
        ("a data file whose name begins with a dot", "bad-member", _created(rules={**data, "data": {".a": _hash()}})),
        ("a data file named by 129 letters", "bad-member", _created(rules={**data, "data": {"a" * 129: _hash()}})),
        ("rules of version 0", "bad-member", _created(rules={"game": "toy", "version": 0, "data": None})),
        ("2^20 + 1 draws", "bad-member", _created(chance={**_created()["chance"], "draws": 2**20 + 1})),
    ]


def _bad_clocks() -> list[Row]:
    return [
        ("a clock of two members", "missing-member", _created(clock={"grace": 300, "move": 259200})),
        ("a clock without grants", "missing-member", _clocked(grants=None)),
        ("grants of 2^25 + 1 seconds", "bad-member", _clocked(grants=2**25 + 1)),
        ("a clock without a bank", "missing-member", _clocked(bank=None)),
        ("a clock without missed", "missing-member", _clocked(missed=None)),
        ("a clock with another member", "unknown-member", _clocked(byoyomi=5)),
        ("a clock as a number", "not-an-object", _created(clock=259200)),
        ("a bank above its cap", "bad-clock", _clocked(bank=604801)),
        ("59 seconds for move and bank", "bad-clock", _clocked(move=29, bank=30)),
        ("no time at all", "bad-clock", _clocked(move=0, bank=0)),
        ("59 seconds of grace", "bad-clock", _clocked(grace=59)),
        ("a clock in a game of one seat", "bad-clock", _created(seats=1)),
        ("a bank below zero", "bad-member", _clocked(bank=-1)),
        ("a move of 2^25 + 1 seconds", "bad-member", _clocked(move=2**25 + 1)),
        ("a cap of 2^25 + 1 seconds", "bad-member", _clocked(cap=2**25 + 1)),
        ("an increment in quotes", "bad-member", _clocked(increment="3600")),
        ("missed true", "bad-member", _clocked(missed=True)),
        ("missed below zero", "bad-member", _clocked(missed=-1)),
    ]


def _bad_events() -> list[Row]:
    return [
        ("an event that is not an object", "bad-member", _started(events=["rolled"])),
        ("a draw of n = 0", "bad-member", _with_draws(got=[[0, 0]])),
        ("a draw of 2^32 + 1", "bad-member", _with_draws(got=[[2**32 + 1, 0]])),
        ("a result of n", "bad-member", _with_draws(got=[[6, 6]])),
        ("draws of nothing", "bad-member", _with_draws(got=[])),
        ("draws from number 0", "bad-member", _with_draws(first=0)),
        ("no seals in their list", "bad-member", _started(seals=[])),
        ("one seal, though a game has a seat", "bad-member", _started(seals=[_hash()])),
        ("66 seals, though no game has 65 seats", "bad-member", _started(seals=[_hash()] * 66)),
        ("a seal of 31 bytes", "bad-length", _started(seals=[second.b64(bytes(31))])),
    ]


def _bad_outcomes() -> list[Row]:
    """All five members, each of its form."""
    secret = second.b64(scene.SECRET)
    return [
        ("an outcome without the secret", "bad-end", _moved(jws="a.b.c", outcome=OUTCOME)),
        ("the secret without an outcome", "bad-end", _moved(jws="a.b.c", secret=secret)),
        ("an empty outcome", "missing-member", _moved(jws="a.b.c", outcome={}, secret=secret)),
        *[(f"an outcome without {name}", "missing-member", _ended(**{name: None})) for name in OUTCOME],
        ("an outcome with another member", "unknown-member", _ended(draw=False)),
        ("won as a number", "bad-member", _ended(won=1)),
        ("won by a seat", "bad-member", _ended(won=[1])),
        ("a reason in free text", "bad-member", _ended(reason="Bob gave up")),
        ("places that are not lists", "bad-member", _ended(places=[1, 0])),
        ("a place of nobody", "bad-member", _ended(places=[[1], [], [0]])),
        ("a tie in descending order", "bad-member", _ended(places=[[1, 0]])),
        ("a seat twice in a place", "bad-member", _ended(places=[[0, 0], [1]])),
        ("points as an object", "bad-member", _ended(points={"lots": [1, 3]})),
        ("points that are a fraction of text", "bad-member", _ended(points=[["lots", ["1/2", 3]]])),
        ("points without a heading", "bad-member", _ended(points=[[[1, 3]]])),
        ("out in descending order", "bad-member", _ended(out=[1, 0])),
        ("out as a number", "bad-member", _ended(out=0)),
    ]


def _bad_kinds() -> list[Row]:
    twice = {"jws": "a.b.c", "via": "mail", "commands": [["take"]]}
    seal_too = {"via": "mail", "commands": [["take"]], "sealed": _hash()}
    return [
        ("a move by nobody", "bad-author", _moved()),
        ("a move both signed and not", "bad-author", _moved(**twice)),
        ("a move with commands and their seal", "bad-author", _moved(**seal_too)),
        ("a move by a way in free text", "bad-member", _moved(via="by post", commands=[["take"]])),
        ("a move of no commands", "bad-commands", _moved(via="mail", commands=[])),
        ("a move of 65 commands", "bad-commands", _moved(via="mail", commands=[["take"]] * 65)),
        ("a reason in free text to cancel", "bad-member", scene.entry("cancelled", reason="Bob left", secret=None)),
        ("joined without bot", "missing-member", scene.entry("joined", seat=0, jws="a.b.c")),
        ("joined by the server", "bad-member", scene.entry("joined", seat=0, bot=False, jws=None)),
        ("offered without a signature", "missing-member", scene.entry("offered", seat=0)),
        ("offered, saying it itself", "unknown-member", scene.entry("offered", seat=0, open=True, jws="a.b.c")),
        ("offered by the server", "bad-member", scene.entry("offered", seat=0, jws=None)),
        ("offered of seat 64", "bad-member", scene.entry("offered", seat=64, jws="a.b.c")),
        ("offered with events", "unknown-member", scene.entry("offered", seat=0, jws="a.b.c", **_events())),
        ("taken without bot", "missing-member", scene.entry("taken", seat=0, jws="a.b.c")),
        ("taken with 1 for true", "bad-member", scene.entry("taken", seat=0, bot=1, jws="a.b.c")),
        ("taken by the server's word", "bad-member", scene.entry("taken", seat=0, bot=False, jws=None)),
        ("taken with a nonce", "unknown-member", scene.entry("taken", seat=0, bot=False, jws="a.b.c", nonce=_hash())),
        ("granted to nobody", "bad-member", _granted([], 60)),
        ("granted to a seat twice", "bad-member", _granted([0, 0], 60)),
        ("granted in descending order", "bad-member", _granted([1, 0], 60)),
        ("granted to a seat alone", "bad-member", _granted(0, 60)),
        ("granted to seat 64", "bad-member", _granted([64], 60)),
        ("granted no time", "bad-member", _granted([0], 0)),
        ("granted time back", "bad-member", _granted([0], -60)),
        ("granted 2^25 + 1 seconds", "bad-member", _granted([0], 2**25 + 1)),
        ("granted for no reason", "missing-member", _without(_granted([0], 60), "why")),
        ("granted for null", "bad-member", _granted([0], 60, None)),
        ("granted for a reason in free text", "bad-member", _granted([0], 60, "Bob is ill")),
        ("restored without a size", "missing-member", _without(_restored(), "size")),
        ("restored without a hash", "missing-member", _without(_restored(), "hash")),
        ("restored of size 0", "bad-member", _restored(size=0)),
        ("restored of size 2^20 + 1", "bad-member", _restored(size=2**20 + 1)),
        ("restored with a hash of 31 bytes", "bad-length", _restored(hash=second.b64(bytes(31)))),
        ("restored at a seat", "unknown-member", _restored(seat=0)),
        ("restored by a player", "unknown-member", _restored(jws="a.b.c")),
        ("restored with events", "unknown-member", _restored(**_events())),
        ("granted by a player", "unknown-member", {**_granted([0], 60), "jws": "a.b.c"}),
        ("granted to one seat by name", "unknown-member", {**_granted([0], 60), "seat": 0}),
    ]


# --- accepted ---------------------------------------------------------------------------------------------------------


def _good_entries() -> list[tuple[str, Body]]:
    return [*_good_created(), *_good_others()]


def _good_created() -> list[tuple[str, Body]]:
    edition = {"game": "toy", "version": 1, "data": {"edition.json": _hash()}}
    return [
        ("created", _created()),
        ("created without a clock", _created(clock=None)),
        ("created for one seat", _created(clock=None, seats=1)),
        ("created for 64 seats", _created(seats=64)),
        ("created with the least clock", _clocked(move=60, bank=0, increment=0, cap=0, grace=60, missed=0)),
        ("created with all time in the bank", _clocked(move=0, bank=60, cap=60)),
        ("created with the longest clock", _clocked(**dict.fromkeys(_created()["clock"], 2**25))),
        *[(f"created with handover {name}", _handed(by=name)) for name in ("none", "offer", "absent")],
        ("created with the longest wait", _handed(by="offer", wait=2**25)),
        ("created without a second to grant", _clocked(grants=0)),
        ("created under terms", _created(terms=_hash())),
        ("created with an edition", _created(rules=edition)),
    ]


def _good_others() -> list[tuple[str, Body]]:
    return [
        ("started", _started()),
        ("on a leap day", _started(at="2028-02-29T00:00:00Z")),
        ("seq 2^20 - 1", _started(seq=2**20 - 1)),
        ("joined", scene.entry("joined", seat=0, bot=False, jws="a.b.c")),
        ("left", scene.entry("left", seat=0, jws="a.b.c")),
        ("removed by the server", scene.entry("left", seat=0, jws=None)),
        ("moved, signed", _moved(jws="a.b.c")),
        ("moved by mail", _moved(via="mail", commands=[["take"]])),
        ("moved by a way that nobody knows", _moved(via="telegraph", commands=[["take"]])),
        ("moved on a page, sealed", _moved(via="page", sealed=_hash())),
        ("keyed", scene.entry("keyed", seat=0, jws="a.b.c")),
        ("offered", scene.entry("offered", seat=0, jws="a.b.c")),
        ("taken", scene.entry("taken", seat=0, bot=False, jws="a.b.c")),
        ("taken by a bot", scene.entry("taken", seat=63, bot=True, jws="a.b.c")),
        ("resigned", scene.entry("resigned", seat=0, jws="a.b.c", **_events())),
        ("expired", scene.entry("expired", seat=0, **_events())),
        ("granted", _granted([0], 1)),
        ("granted for an outage", _granted([0], 1, "outage")),
        ("granted for a reason that nobody knows", _granted([0], 1, "wedding")),
        ("restored", _restored()),
        ("restored of size 2^20", _restored(size=2**20)),
        ("granted to two, a year", _granted([0, 1], 2**25)),
        ("moved and ended", _ended()),
        ("ended in a tie that nobody won", _ended(places=[[0, 1]], won=False)),
        ("ended with seats put out", _ended(out=[0, 1])),
        ("ended without points", _ended(points=[])),
        ("cancelled", scene.entry("cancelled", reason="operator", secret=second.b64(scene.SECRET))),
        ("cancelled, the secret lost", scene.entry("cancelled", reason="operator", secret=None)),
    ]
