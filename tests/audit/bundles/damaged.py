"""Files that were cut, mixed or changed afterwards, and files that nobody can judge."""

from __future__ import annotations

from collections.abc import Iterator

from engine.record.encoding import canonical
from tests.audit.bundles.tools import OTHER, Body, at_start, bids, pig
from tests.kit.play_record import bundle_of, rewrite
from tests.kit.vectors.example import example


def damaged() -> Iterator[tuple[str, bytes]]:
    record = bids().play()
    wrong = canonical.to_base64url(OTHER)
    other = rewrite(record.lines, lambda body: body | ({"secret": wrong} if "secret" in body else {}))
    yield "another-secret", bundle_of(other, record.openings)
    yield "opening-missing", bundle_of(record.lines, record.openings[1:])
    running = bids().play(1)
    yield "opening-too-early", bundle_of(running.lines, running.openings)
    yield "swapped-seals", bundle_of(rewrite(record.lines, _swapped), record.openings)
    yield "cut-with-its-old-note", record.bundle().replace(record.lines[-1] + b"\n", b"")
    yield "line-repeated", record.bundle().replace(record.lines[4], record.lines[4] + b"\n" + record.lines[4])
    yield "line-0-repeated", record.bundle().replace(record.lines[0], record.lines[0] + b"\n" + record.lines[0])
    yield "line-ends-of-windows", pig().bundle().replace(b"\n", b"\r\n").replace(b"\r\n", b"\n", 1)
    yield "time-goes-back", bundle_of(rewrite(pig().play(1).lines, _dated))
    yield "entry-after-the-end", after_the_end()


def _swapped(body: Body) -> Body:
    seals = body.get("seals")
    return body | {"seals": [seals[1], seals[0], *seals[2:]]} if seals else body


def _dated(body: Body) -> Body:
    return body | ({"at": "2026-11-21T09:59:59Z"} if body["kind"] == "moved" else {})


def after_the_end() -> bytes:
    lines = [*example().lines]
    lines.append(lines[-1])
    return bundle_of(rewrite(lines, lambda body: body))


def not_judged() -> Iterator[tuple[str, bytes]]:
    lines = pig().lines
    newer = bundle_of(rewrite(lines, lambda body: body | {"v": 2}))
    yield "newer-record", newer
    yield "newer-record-and-broken", newer.replace(b"\n\n", b"\n", 1)
    yield "newer-rules", bundle_of(at_start(lines, rules={"game": "pig", "version": 2, "data": None}))
    yield "unknown-game", bundle_of(at_start(lines, rules={"game": "chess", "version": 1, "data": None}))
    yield "newer-bundle", pig().bundle().replace(b"bundle 1", b"bundle 2", 1)
    yield "no-bundle", b"%PDF-1.7\n"
