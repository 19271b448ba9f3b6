"""A certificate of a game whose bundle holds: the seats with all their keys, the result, the end of the log, how to
check it.

This module makes the text, `certificate_svg.py` a drawing to print. A certificate proves nothing by itself: it is
there to compare with. Seats count from 1 on it, entries from 0.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from client.entry_text import clock_words, seat_name, standing
from engine import registry
from engine.game import Outcome
from engine.kit import count, ending
from engine.record.audit import Holder, Report
from engine.record.encoding import canonical
from engine.record.log import bundle
from engine.record.log.entry import Entry, read_entry
from engine.record.signed import keys
from engine.record.signed import note as notes

WIDTH = 100
WELL_KNOWN = "/.well-known/sealedmove.json"
HOLDERS = "Holders of the seats, by the thumbprint of their first key (entries count from 0)"
HOW = {"join": "joined", "offer": "took the offered seat", "absence": "took the seat of an absent holder"}
CHECK = (
    'With the file of the game, "sealedmove audit FILE" repeats every check; "sealedmove compare" shows whether a '
    "file or a mail belongs to the same log. The audit lists what it cannot know, such as the owners of the keys."
)


class SeatResult(msgspec.Struct, frozen=True):
    """A seat in the result: its place in an ended game, and its points by heading, the total last."""

    seat: int
    place: int | None
    points: tuple[int, ...]
    fate: str


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the page, as text where people read it.

    `reservations` belong to the headline: lost entries, and what the server's key was compared with. `about` are labels
    with their values; `head` is the content of the code: the three lines that the checkpoint signs.
    """

    verdict: str
    reservations: str
    why: str
    title: str
    about: tuple[tuple[str, str], ...]
    result: str
    headings: tuple[str, ...]
    rows: tuple[SeatResult, ...]
    holders: tuple[Holder, ...]
    remarks: tuple[str, ...]
    size: int
    head: str
    note: str
    server_key: str
    key_words: str


def certify(data: bytes, report: Report) -> Certificate:
    """The certificate of a bundle that holds or is open."""
    whole = bundle.read(data)
    entries, read = [read_entry(line) for line in whole.lines], notes.read(whole.note)
    first, last = entries[0], entries[-1]
    game = registry.find(first.body["rules"]["game"])
    ended = msgspec.convert(last.body["outcome"], Outcome) if "outcome" in last.body else None
    verdict, why = _verdict(report)
    return Certificate(
        verdict=verdict,
        reservations=report.reservations,
        why=why,
        title=game.meta.title,
        about=tuple(_about(game.meta.title, first, last)),
        result=f"{ending(game, ended)} {standing(ended)}" if ended else _no_result(last),
        headings=() if ended is None else tuple(heading for heading, _ in ended.sheet),
        rows=() if ended is None else tuple(_rows(ended, entries)),
        holders=report.holders,
        remarks=tuple(_remarks(entries, report)),
        size=read.size,
        head=read.text.rstrip("\n"),
        note=whole.note,
        server_key=first.body["server_key"],
        key_words=_key_words(read.server, first.body["server_key"]),
    )


def _verdict(report: Report) -> tuple[str, str]:
    """`holds` only for a game that is over: the end of a running game is unknown."""
    if report.stage in ("lobby", "running") and report.verdict == "holds":
        return "open", "the game is not over; everything so far holds"
    return report.verdict, report.why


def _about(title: str, first: Entry, last: Entry) -> Iterator[tuple[str, str]]:
    """The facts about the game."""
    body = first.body
    yield "Game", f"{title}: {_kind(body)}"
    yield "Options", canonical.dumps(body["options"]).decode("ascii") if body["options"] else "none"
    yield "Clock", clock_words(body["clock"])
    if body["terms"] is not None:
        yield "Terms", f"SHA-256 {body['terms']}"
    yield "Server", str(body["server"])
    yield "Number", first.game
    yield "Time", f"{_minute(first.at)} to {_minute(last.at)}, {count(last.seq + 1, 'entry', 'entries')}"


def _kind(body: Mapping[str, Any]) -> str:
    data = (body["rules"]["data"] or {}).items()
    editions = "".join(f", {name} with SHA-256 {digest}" for name, digest in data)
    seats, secret = count(body["seats"], "seat"), "hidden" if body["hidden"] else "open"
    return f"{seats}, rules {body['rules']['version']}, {secret}{editions}"


def _minute(at: str) -> str:
    return f"{at[:10]} {at[11:16]} UTC"


def _no_result(last: Entry) -> str:
    return f"none: the server cancelled the game ({last.body['reason']})" if last.kind == "cancelled" else "none yet"


def _rows(ended: Outcome, entries: Sequence[Entry]) -> Iterator[SeatResult]:
    """By place, then by seat."""
    resigned, place = {entry.body["seat"] for entry in entries if entry.kind == "resigned"}, 1
    for tied in ended.places:
        for seat in tied:
            fate = "resigned" if seat in resigned else "out" if seat in ended.out else ""
            yield SeatResult(seat, place, tuple(row[seat] for _, row in ended.sheet), fate)
        place += len(tied)


def _remarks(entries: Sequence[Entry], report: Report) -> Iterator[str]:
    unsigned = sum("via" in entry.body for entry in entries)
    if unsigned:
        yield f"Moves without their player's signature, attested only by the server: {unsigned}."
    for one in report.recoveries:
        yield f"Entry {one.seq} is signed by the recovery key of {seat_name(one.seat)}."


def _key_words(server: str, key: str) -> str:
    kid = keys.thumbprint(canonical.from_base64url(key, 32))
    return (
        f"Its thumbprint is {kid}. https://{server}{WELL_KNOWN} lists the server's keys, each signed by "
        "the one before. If you kept that list, or an email about another game of that time, compare the key with it."
    )


def as_sentence(words: str) -> str:
    """Words of a report, with a capital letter and a full stop."""
    return f"{words[0].upper()}{words[1:]}."


def holder_words(one: Holder) -> str:
    """How a holder came to the seat, and the entries for which they held it."""
    until = "" if one.until is None else f" to {one.until}"
    return f"{HOW[one.by]}, entry {one.since}{until}{', a bot' if one.bot else ''}"


def place_words(row: SeatResult) -> str:
    """A seat with its place in the result."""
    return f"{row.place}. {seat_name(row.seat)}{f' ({row.fate})' if row.fate else ''}"


# --- as text ----------------------------------------------------------------------------------------------------------


def text(page: Certificate) -> str:
    """The page as lines of at most 100 characters, except for the checkpoint, which stays as it is."""
    return "\n".join(_lines(page)) + "\n"


def _lines(page: Certificate) -> Iterator[str]:
    yield f"CERTIFICATE OF A GAME: {page.verdict.upper()}"
    for said in filter(None, (page.reservations, page.why)):
        yield from _wrapped("", as_sentence(said))
    yield ""
    for label, value in page.about:
        yield from _wrapped(label, value)
    yield ""
    yield from _wrapped("Result", page.result)
    yield from _sheet(page)
    yield ""
    yield HOLDERS
    for one in page.holders:
        yield f"  {seat_name(one.seat):8}{one.kid}  {holder_words(one)}"
    for remark in page.remarks:
        yield from _wrapped("", remark)
    yield ""
    yield f"The end of the log, {count(page.size, 'entry', 'entries')}, as the server signed it"
    yield ""
    yield page.note
    yield from _wrapped("Key", f"{page.server_key}")
    yield from _wrapped("", page.key_words)
    yield from _wrapped("Check", CHECK)


def _sheet(page: Certificate) -> Iterator[str]:
    """The points by heading; only the total if there are too many for a line."""
    shown = slice(0, None) if len(page.headings) * 12 < WIDTH - 24 else slice(-1, None)
    if page.headings:
        yield " " * 32 + "".join(f" {heading:>11}" for heading in page.headings[shown])
        for row in page.rows:
            yield f"{'':10}{place_words(row):22}" + "".join(f" {points:11}" for points in row.points[shown])


def _wrapped(label: str, value: str) -> list[str]:
    return textwrap.wrap(value, WIDTH, initial_indent=f"{label:10}", subsequent_indent=" " * 10, break_on_hyphens=False)
