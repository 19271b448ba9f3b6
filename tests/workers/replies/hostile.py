"""Mails that keep a reader busy: the seeds of `test_hostile`. Each has once been slow somewhere.

Anybody can send `SEEDS`; `PAGES` and `TEXTS` are the content of proven mails, so their sender has an account.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Iterator

HEADS = b"From: Ada <ada@example.org>\r\nTo: move+x@play.example\r\nMessage-ID: <1@example.org>\r\nDate: %s\r\n"
SIGNED = b"DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/%s; d=example.org; s=post; h=%s; bh=AAAA; b=AAAA\r\n"
COVERED = b"from:to:date"
LARGE = 400_000


def page(html: bytes) -> bytes:
    return b"Content-Type: text/html\r\n\r\n" + html


def signed(body: bytes, covered: bytes = COVERED, canonical: bytes = b"relaxed") -> bytes:
    """With an invalid signature of the right domain, so that all of it is read."""
    return SIGNED % (canonical, covered) + b"%s\r\n" + body


def nested(depth: int) -> bytes:
    heads = (b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (level, level) for level in range(depth))
    return b"".join(heads) + b"\r\nroll\r\n"


def many(count: int) -> bytes:
    return b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\nContent-Type: image/png\r\n\r\nx\r\n" * count


def head(name: bytes, value: bytes) -> bytes:
    return name + b": " + value + b"\r\n\r\nroll\r\n"


SEEDS: dict[str, bytes] = {
    "tags": page(b"<a" * 50_000),
    "tags with blanks": page(b"<a " * 50_000),
    "comments": page(b"<!--" * 25_000),
    "parameters": head(b"Content-Type", b"text/plain" + b"; a=b" * 50_000),
    "parameters that fit": head(b"Content-Type", b"text/plain" + b"; a=b" * 6_000),
    "continued parameters": head(b"Content-Type", b"".join(b"; a*%d*=b" % number for number in range(3_000))),
    "parameters that contradict each other": head(b"Content-Type", b"text/plain; a*=b; a*0*=b; a*1*=b"),
    "quotation marks": head(b"Content-Type", b'text/plain; a="' + b'\\"' * 10_000),
    "a header for each line": b"a: b\r\n" * 70_000 + b"\r\nroll\r\n",
    "headers that fit": b"a: b\r\n" * 5_000 + b"\r\nroll\r\n",
    "folded": b"a: b\r\n" + b" b\r\n" * 7_000 + b"\r\nroll\r\n",
    "one header": head(b"Subject", b"a" * LARGE),
    "no end of headers": b"From" * 100_000,
    "words that are encoded": head(b"Subject", b"=?utf-8?q?a?= " * 2_000),
    "depth": nested(5_000),
    "depth that fits": nested(20),
    "parts": many(10_000),
    "parts of nothing": b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n" * 80_000,
    "half a boundary": b"Content-Type: multipart/mixed; boundary=bb\r\n\r\n" + b"--b\r\n" * 80_000,
    "lines at a boundary": b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b" + b" " * LARGE,
    "letters that unpack": head(b"Content-Type", b"text/plain; charset=zlib"),
    "letters of names": b"Content-Type: text/plain; charset=punycode\r\n\r\n" + b"a-" * 50_000,
    "letters of no charset": b"Content-Type: text/plain; charset=" + b"x" * 20_000 + b"\r\n\r\nroll\r\n",
    "base64": b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=" * LARGE,
    "lines": b"\r\n" * (LARGE // 2),
    "returns": b"\r\n" + b"\r" * LARGE,
    "blanks": signed(b" " * LARGE),
    "tabs at ends": signed((b"\t" * 4_000 + b"x\r\n") * 100),
    "blanks, simply signed": signed(b" " * LARGE, canonical=b"simple"),
    "empty lines": signed(b"\r\n" * (LARGE // 2) + b"x"),
    "covered": signed(b"x", b":".join(b"a%d" % number for number in range(4_000)) + b":from:date"),
    "signatures": (SIGNED % (b"relaxed", COVERED)) * 200 + b"\r\n" + b"x\r\n" * 100_000,
    "tags of a signature": head(b"DKIM-Signature", b"d=example.org" + b"; a=b" * 5_000),
    "a report": b"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n"
    b"Content-Type: message/delivery-status\r\n\r\n" + b"Action: failed\r\n\r\n" * 20_000,
    "a report of blanks": b"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n"
    b"Content-Type: message/delivery-status\r\n\r\nAction: failed\r\nDiagnostic-Code: smtp" + b" " * 30_000 + b"x",
    "a word for a status": b"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n"
    b"Content-Type: message/delivery-status\r\n\r\nAction: failed\r\nDiagnostic-Code: " + b"5.1." * 8_000,
}
for name, value in {
    "comments": b"(" * 30_000,
    "closed comments": b"(a)" * 10_000,
    "quoted": b'"' * 30_000,
    "escaped": b"\\" * 30_000,
    "words": b"a " * 15_000,
    "addresses": b"a@b," * 7_000,
    "brackets": b"<" * 30_000,
    "groups": b"a:;" * 10_000,
}.items():
    for title in (b"From", b"To", b"Sender"):
        SEEDS[f"{title.decode()} of {name}"] = head(title, value)
        SEEDS[f"{title.decode()} of some {name}"] = head(title, value[:1_900])

PAGES: dict[str, bytes] = {
    name: text * (LARGE // len(text))
    for name, text in {
        "tags": b"<a",
        "tags with blanks": b"<a ",
        "attributes": b"<a b=",
        "quoted attributes": b"<a b='",
        "an attribute": b"a ",
        "comments": b"<!--",
        "ends": b"</",
        "ended": b"</p",
        "declared": b"<![",
        "scripts": b"<script>",
        "styles": b"<style ",
        "quotations": b"<blockquote>",
        "tables": b"<table><tr>",
        "letters": b"&#",
        "named letters": b"&a",
        "large letters": "\ufdfa".encode(),
    }.items()
}
PAGES["an attribute"] = b"<a " + PAGES["an attribute"]

TEXTS: dict[str, bytes] = {
    name: text * (LARGE // len(text))
    for name, text in {
        "flowed": b"a \r\n",
        "quoted": b">",
        "quoted lines": b"> \r\n",
        "accents": "a\u0301".encode(),
        "large letters": "\ufdfa".encode(),
        "large lines": ("\ufdfa" * 900 + "\r\n").encode(),
        "phones": b"von iphone ",
        "words": b"place nowhere\r\n\r\n",
    }.items()
}


def fuzzed(dice: random.Random, count: int) -> Iterator[bytes]:
    """Seeds with pieces repeated, removed, swapped or taken from another one."""
    seeds = list(SEEDS.values()) + [page(html) for html in PAGES.values()]
    changes: tuple[Callable[[bytes, random.Random, bytes], bytes], ...] = (_repeated, _spliced, _flipped, _encoded)
    for _ in range(count):
        raw = dice.choice(seeds)[: dice.choice((2_000, 30_000, LARGE))]
        for _ in range(dice.randrange(1, 4)):
            raw = dice.choice(changes)(raw, dice, dice.choice(seeds))[:LARGE]
        yield raw


def _repeated(raw: bytes, dice: random.Random, _: bytes) -> bytes:
    at, length = dice.randrange(len(raw) or 1), dice.choice((1, 2, 3, 8, 40))
    return raw[:at] + raw[at : at + length] * dice.choice((3, 100, 20_000)) + raw[at:]


def _spliced(raw: bytes, dice: random.Random, other: bytes) -> bytes:
    at, there = dice.randrange(len(raw) or 1), dice.randrange(len(other) or 1)
    return raw[:at] + other[there : there + dice.choice((10, 500, 30_000))] + raw[at:]


def _flipped(raw: bytes, dice: random.Random, _: bytes) -> bytes:
    changed = bytearray(raw)
    for _ in range(dice.randrange(1, 30)):
        changed[dice.randrange(len(changed) or 1)] = dice.choice(b"\r\n \t<>\"'()\\=:;,@\0-a\xff") if changed else 0
    return bytes(changed)


def _encoded(raw: bytes, dice: random.Random, _: bytes) -> bytes:
    at = dice.randrange(len(raw) or 1)
    return raw[:at] + base64.b64encode(raw[at:])
