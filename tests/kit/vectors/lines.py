"""Lines, base64url and sent texts: how values may be spelled."""

from __future__ import annotations

import string

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
    """Texts that a player sends: a JWS header, a payload, a move. Canonical, except that members may have any order."""
    wrong = [
        ("a space after a colon", NOT_CANONICAL, b'{"a": 1}'),
        ("a space after a comma", NOT_CANONICAL, b'{"a":1, "b":2}'),
        ("a space in an empty array", NOT_CANONICAL, b'{"a":[ ]}'),
        ("a space before", NOT_CANONICAL, b' {"a":1}'),
        ("a space after", NOT_CANONICAL, b'{"a":1} '),
        ("a line feed after", "not-ascii", b'{"a":1}\n'),
        ("a tab between", "not-ascii", b'{"a":\t1}'),
        ("CRLF between", "not-ascii", b'{"a":1,\r\n"b":2}'),
        ("16,000 spaces", NOT_CANONICAL, [("{}", 1), (" ", 16_000)]),
        ("an escaped letter", NOT_CANONICAL, b'{"a":"\\u0061"}'),
        ("an escaped letter in a name", NOT_CANONICAL, b'{"\\u0061":1}'),
        ("an escaped slash", NOT_CANONICAL, b'{"a":"\\/"}'),
        ("a quote escaped by its number", NOT_CANONICAL, b'{"a":"\\u0022"}'),
        ("a member twice", "duplicate-key", b'{"a":1,"a":1}'),
        ("a member twice, once escaped", "duplicate-key", b'{"a":1,"\\u0061":1}'),
        ("a member twice, deep inside", "duplicate-key", b'{"a":[{"b":1,"b":1}]}'),
        ("a letter beyond ASCII", "not-ascii", '{"a":"é"}'.encode()),
        ("the same, escaped", "not-ascii", b'{"a":"\\u00e9"}'),
        ("the same, in a list", "not-ascii", b'{"a":[["\\u00e9"]]}'),
        ("a lone surrogate, escaped", "not-ascii", b'{"a":"\\ud800"}'),
        ("a line feed, escaped", "not-ascii", b'{"a":"\\n"}'),
        ("a tab inside a string", "not-ascii", b'{"a":"\t"}'),
        ("byte 7f in a string", "not-ascii", b'{"a":"\x7f"}'),
        ("a name beyond ASCII, escaped", "not-ascii", b'{"\\u00e9":1}'),
        ("a BOM", "not-ascii", b'\xef\xbb\xbf{"a":1}'),
        ("a fraction", "bad-number", b'{"a":1.0}'),
        ("an exponent", "bad-number", b'{"a":1e2}'),
        ("minus zero", "bad-number", b'{"a":-0}'),
        ("2^53", "bad-number", b'{"a":9007199254740992}'),
        ("depth 33", "too-deep", [('{"a":', 1), ("[", 32), ("]", 32), ("}", 1)]),
        ("an array", "not-an-object", b"[]"),
        ("nothing", "not-json", b""),
        ("two objects", "not-json", b"{}{}"),
        ("over 16 KiB", "too-long", [('{"a":"', 1), ("a", 2**14 - 7), ('"}', 1)]),
    ]
    good = [
        accepted("an empty object", b"{}"),
        accepted("members in order", b'{"a":1,"b":2}'),
        accepted("members in any order", b'{"b":1,"a":[2]}'),
        accepted("members in any order, deep inside", b'{"b":[{"d":1,"c":{"z":1,"y":[]}}],"a":null}'),
        accepted("a quote and a backslash, escaped", rb'{"a":"\"\\"}'),
        accepted("depth 32", [('{"a":', 1), ("[", 31), ("]", 31), ("}", 1)]),
        accepted("16 KiB", [('{"a":"', 1), ("a", 2**14 - 8), ('"}', 1)]),
    ]
    return [refused(name, code, given) for name, code, given in wrong] + good
