"""Lines, entries, base64url and what is sent: how values may be spelled."""

from __future__ import annotations

import string
from typing import Any

from tests.kit import second
from tests.kit.vectors import scene
from tests.kit.vectors.cases import Case, accepted, refused

NOT_CANONICAL = "not-canonical"


def line_cases() -> list[Case]:
    wrong = [
        ("a member twice", NOT_CANONICAL, b'{"a":1,"a":1}'),
        ("members out of order", NOT_CANONICAL, b'{"b":1,"a":1}'),
        ("capitals after small letters", NOT_CANONICAL, b'{"a":1,"B":1}'),
        ("a space", NOT_CANONICAL, b'{"a": 1}'),
        ("a space before", NOT_CANONICAL, b' {"a":1}'),
        ("a final line feed inside", "not-ascii", b'{"a":1}\n'),
        ("CRLF", "not-ascii", b'{"a":1}\r'),
        ("BOM", "not-ascii", b'\xef\xbb\xbf{"a":1}'),
        ("UTF-16 without BOM", "not-ascii", '{"a":1}'.encode("utf-16-le")),
        ("UTF-16 with BOM", "not-ascii", b"\xff\xfe" + '{"a":1}'.encode("utf-16-le")),
        ("overlong UTF-8", "not-ascii", b'{"a":"\xc0\xaf"}'),
        ("a letter beyond ASCII", "not-ascii", '{"a":"é"}'.encode()),
        ("byte 7f in a string", "not-ascii", b'{"a":"\x7f"}'),
        ("byte 1f in a string", "not-ascii", b'{"a":"\x1f"}'),
        ("byte 00 in a string", "not-ascii", b'{"a":"\x00"}'),
        ("an escaped letter", NOT_CANONICAL, b'{"a":"\\u0061"}'),
        ("an escaped slash", NOT_CANONICAL, b'{"a":"\\/"}'),
        ("an escaped lone surrogate", NOT_CANONICAL, b'{"a":"\\ud800"}'),
        ("an escaped line feed", NOT_CANONICAL, b'{"a":"\\n"}'),
        ("a fraction", "bad-number", b"[1.0]"),
        ("an exponent", "bad-number", b"[1e2]"),
        ("minus zero", "bad-number", b"[-0]"),
        ("NaN", "bad-number", b"[NaN]"),
        ("Infinity", "bad-number", b"[Infinity]"),
        ("2^53", "bad-number", b"[9007199254740992]"),
        ("-2^53", "bad-number", b"[-9007199254740992]"),
        ("5,000 digits", "bad-number", [("[", 1), ("7", 5000), ("]", 1)]),
        ("a leading zero", "not-json", b"[01]"),
        ("a plus sign", "not-json", b"[+1]"),
        ("True", "not-json", b"[True]"),
        ("depth 33", "too-deep", [("[", 33), ("]", 33)]),
        ("depth 100,000", "too-deep", [("[", 100_000), ("]", 100_000)]),
        ("objects 100,000 deep, never closed", "too-deep", [('{"a":', 100_000)]),
        ("a string of brackets and 400,000 quotes, never closed", "not-json", [('"', 1), ("[", 40), ('\\"', 400_000)]),
        ("trailing data", "not-json", b"{}{}"),
        ("a trailing comma", "not-json", b"[1,]"),
        ("single quotes", "not-json", b"{'a':1}"),
        ("an empty line", "not-json", b""),
        ("over 1 MiB", "too-long", [('"', 1), ("a", 2**20), ('"', 1)]),
    ]
    return [refused(name, code, given) for name, code, given in wrong] + _good_lines()


def _good_lines() -> list[Case]:
    return [
        accepted("the created line", scene.CREATED),
        accepted("the started line", scene.STARTED),
        accepted("a quote and a backslash, escaped", rb'["\"\\"]'),
        accepted("a slash", b'["/"]'),
        accepted("brackets in a string", [('["', 1), ("[", 100), ('"]', 1)]),
        accepted("the largest integers", b"[-9007199254740991,9007199254740991,0]"),
        accepted("constants", b"[true,false,null]"),
        accepted("depth 32", [("[", 32), ("]", 32)]),
        accepted("capitals before small letters", b'{"B":1,"a":1}'),
    ]


def entry_cases() -> list[Case]:
    started = second.json.loads(scene.STARTED)
    created = second.json.loads(scene.CREATED)
    wrong = [
        ("an unknown member", "unknown-member", {**started, "extra": 1}),
        ("a missing member", "missing-member", {k: v for k, v in started.items() if k != "state"}),
        ("a member of another kind", "unknown-member", {**started, "jws": "a.b.c"}),
        ("an unknown kind", "unknown-kind", {**started, "kind": "rewound"}),
        ("no kind", "missing-member", {k: v for k, v in started.items() if k != "kind"}),
        ("true for 1", "bad-version", {**started, "v": True}),
        ("true for a number", "bad-member", {**started, "seq": True}),
        ("v 0", "bad-version", {**started, "v": 0}),
        ("v 2: cannot be judged", "newer-record", {**started, "v": 2, "new": "member"}),
        ("v as a string", "bad-version", {**started, "v": "1"}),
        ("no object", "bad-member", [started]),
        ("seq below zero", "bad-member", {**started, "seq": -1}),
        ("prev of 31 bytes", "bad-length", {**started, "prev": second.b64(bytes(31))}),
        ("prev of 33 bytes", "bad-length", {**started, "prev": second.b64(bytes(33))}),
        ("game in capitals", "bad-member", {**started, "game": scene.GAME.replace("c", "C")}),
        ("a day that is none", "bad-time", {**started, "at": "2026-02-30T10:00:00Z"}),
        ("a time with an offset", "bad-time", {**started, "at": "2026-11-21T10:00:00+00:00"}),
        ("a fraction of a second", "bad-time", {**started, "at": "2026-11-21T10:00:00.5Z"}),
        ("a leap second", "bad-time", {**started, "at": "2026-12-31T23:59:60Z"}),
        ("an event that is no object", "bad-member", {**started, "events": ["rolled"]}),
        ("a draw of n = 0", "bad-member", _with_draw(started, [0, 0])),
        ("a draw of 2^32 + 1", "bad-member", _with_draw(started, [2**32 + 1, 0])),
        ("a result of n", "bad-member", _with_draw(started, [6, 6])),
        ("draws of nothing", "bad-member", {**started, "draws": {**started["draws"], "got": []}}),
        ("draws from number 0", "bad-member", {**started, "draws": {**started["draws"], "first": 0}}),
        ("an outcome without the secret", "bad-end", {**started, "outcome": {}}),
        ("the secret without an outcome", "bad-end", {**started, "secret": second.b64(scene.SECRET)}),
        ("created as entry 3", "bad-first", {**created, "seq": 3}),
        ("started as entry 0", "bad-first", {**started, "seq": 0}),
        ("entry 0 with a prev", "bad-first", {**created, "prev": started["prev"]}),
        ("no seats", "bad-member", {**created, "seats": 0}),
        ("a move by nobody", "bad-author", scene.entry("moved", seat=0, **_events())),
        ("a move both signed and not", "bad-author", _moved(jws="a.b.c", via="mail", commands=[["take"]])),
        ("a move with commands and their seal", "bad-author", _moved(via="mail", commands=[["take"]], sealed=_hash())),
        ("a move from nowhere", "bad-member", _moved(via="telegraph", commands=[["take"]])),
        ("a move of no commands", "bad-commands", _moved(via="mail", commands=[])),
        ("a move of 65 commands", "bad-commands", _moved(via="mail", commands=[["take"]] * 65)),
        ("a reason in free text", "bad-member", scene.entry("cancelled", reason="Bob left", secret=None)),
    ]
    return [refused(name, code, second.canonical(body)) for name, code, body in wrong] + _good_entries(started)


def _with_draw(started: dict[str, Any], got: list[int]) -> dict[str, Any]:
    return {**started, "draws": {**started["draws"], "got": [got]}}


def _hash() -> str:
    return second.b64(bytes(32))


def _events() -> dict[str, Any]:
    return {"events": [], "state": _hash()}


def _moved(**body: Any) -> dict[str, Any]:
    return scene.entry("moved", seat=0, **_events(), **body)


def _good_entries(started: dict[str, Any]) -> list[Case]:
    ended = {"outcome": {"reason": "cap"}, "secret": second.b64(scene.SECRET)}
    no_clock = {**second.json.loads(scene.CREATED), "clock": None}
    edition = {"game": "toy", "version": 1, "data": {"edition.json": _hash()}}
    good: list[tuple[str, dict[str, Any]]] = [
        ("created", second.json.loads(scene.CREATED)),
        ("created without a clock", no_clock),
        ("created with an edition", {**no_clock, "rules": edition}),
        ("started", started),
        ("joined", scene.entry("joined", seat=0, bot=False, jws="a.b.c")),
        ("left", scene.entry("left", seat=0, jws="a.b.c")),
        ("removed by the server", scene.entry("left", seat=0, jws=None)),
        ("moved, signed", _moved(jws="a.b.c")),
        ("moved by mail", _moved(via="mail", commands=[["take"]])),
        ("moved on a page, sealed", _moved(via="page", sealed=_hash())),
        ("keyed", scene.entry("keyed", seat=0, jws="a.b.c")),
        ("resigned", scene.entry("resigned", seat=0, jws="a.b.c", **_events())),
        ("expired", scene.entry("expired", seat=0, **_events())),
        ("moved and ended", _moved(jws="a.b.c", **ended)),
        ("cancelled", scene.entry("cancelled", reason="operator", secret=second.b64(scene.SECRET))),
        ("cancelled, the secret lost", scene.entry("cancelled", reason="operator", secret=None)),
        ("on a leap day", {**started, "at": "2028-02-29T00:00:00Z"}),
    ]
    return [accepted(name, second.canonical(body)) for name, body in good]


def base64url_cases() -> list[Case]:
    """All of them are read as 32 bytes."""
    good = second.b64(bytes(range(32)))
    same_byte = [c for c in string.ascii_letters + string.digits + "-_" if _same(good, c) and c != good[-1]]
    code = "bad-base64url"
    return [
        accepted("32 bytes", good),
        *[refused(f"last character {c} for {good[-1]}: other spare bits", code, good[:-1] + c) for c in same_byte],
        refused("padded", code, good + "="),
        refused("a plus", code, "+" + good[1:]),
        refused("a slash", code, "/" + good[1:]),
        refused("a line feed inside", code, good[:20] + "\n" + good[20:]),
        refused("a line feed at the end", code, good + "\n"),
        refused("a space inside", code, good[:20] + " " + good[20:]),
        refused("an exclamation mark", code, good[:20] + "!" + good[21:]),
        refused("a letter beyond ASCII", code, good[:20] + "é" + good[21:]),
        refused("length 4k + 1", code, good[:41]),
        refused("31 bytes", "bad-length", second.b64(bytes(31))),
        refused("33 bytes", "bad-length", second.b64(bytes(33))),
        refused("nothing", "bad-length", ""),
    ]


def _same(good: str, last: str) -> bool:
    return second.base64.urlsafe_b64decode(good[:-1] + last + "=") == second.base64.urlsafe_b64decode(good + "=")


def sent_cases() -> list[Case]:
    """What a player sends: a JWS header, a payload, the text of a move."""
    wrong = [
        ("a member twice", "duplicate-key", b'{"a":1,"a":1}'),
        ("a member twice, once escaped", "duplicate-key", b'{"a":1,"\\u0061":1}'),
        ("a member twice, deep inside", "duplicate-key", b'{"a":[{"b":1,"b":1}]}'),
        ("a letter beyond ASCII", "not-ascii", '{"a":"é"}'.encode()),
        ("the same, escaped", "not-ascii", b'{"a":"\\u00e9"}'),
        ("the same, in a list", "not-ascii", b'{"a":[["\\u00e9"]]}'),
        ("a lone surrogate, escaped", "not-ascii", b'{"a":"\\ud800"}'),
        ("a line feed, escaped", "not-ascii", b'{"a":"\\n"}'),
        ("a tab inside a string", "not-json", b'{"a":"\t"}'),
        ("a name beyond ASCII, escaped", "not-ascii", b'{"\\u00e9":1}'),
        ("a fraction", "bad-number", b'{"a":1.0}'),
        ("an exponent", "bad-number", b'{"a":1e2}'),
        ("minus zero", "bad-number", b'{"a":-0}'),
        ("2^53", "bad-number", b'{"a":9007199254740992}'),
        ("depth 33", "too-deep", [('{"a":', 1), ("[", 32), ("]", 32), ("}", 1)]),
        ("an array", "not-an-object", b"[]"),
        ("nothing", "not-json", b""),
        ("two objects", "not-json", b"{} {}"),
        ("over 16 KiB", "too-long", [("{}", 1), (" ", 2**14)]),
    ]
    good = [
        accepted("members in any order, spaced", b'\r\n {\t"b" : 1 , "a" : [ 2 ] } \n'),
        accepted("an escaped letter", b'{"a":"\\u0061"}'),
        accepted("16 KiB", [("{}", 1), (" ", 2**14 - 2)]),
    ]
    return [refused(name, code, given) for name, code, given in wrong] + good
