"""The audit of a file by a verifier without rules (section 12)."""

from typing import Any

from tests.stranger.bundle import BadNote, NoBundle, read_form, version_of
from tests.stranger.compare import is_explained
from tests.stranger.entries import Entry, is_newer
from tests.stranger.keys import kid_of
from tests.stranger.lines import Newer, Refused, from_base64url, leaf
from tests.stranger.notes import Note, notes_in
from tests.stranger.walk import NAMES, Walk, walk

NEED_RULES = ("rules", "outcome")
CANNOT_KNOW = [
    "whose the keys are, the server's too",
    "what came after the last entry",
    "true times",
    "what the server foresaw, which holds the secret",
    "whether the holder of an absent seat was kept away from it",
    "what stood in entries that the server says it has lost, and whether an outage was one",
    "what the server told to whom outside the record",
]
Report = dict[str, Any]


def judge(data: bytes, kept: str | None = None) -> Report:
    """The report on a file, and on a text beside it with kept notes."""
    if version_of(data) is not None and is_newer(data.partition(b"\n")[2].partition(b"\n")[0]):
        return _unread("unknown", "this is of a later version")
    try:
        it = walk(read_form(data))
    except (NoBundle, Newer) as refused:
        return _unread("unknown", str(refused))
    except BadNote as refused:
        return _unread("fails", note=str(refused))
    except Refused as refused:
        return _unread("fails", chain=str(refused))
    is_lost, is_unread = False, False
    if it.table is not None:
        _own_note(it, it.bundle.note, it.table.created)
        if kept is not None:
            is_lost, is_unread = _kept(it, kept, it.table.created)
    return _report(it, is_lost, is_unread)


def _own_note(it: Walk, note: Note, created: Entry) -> None:
    it.checks["note"].count += 1
    if (note.server, note.game) != (created.server, created.game):
        it.fails("note", None, "it is on another game")
    elif note.size != len(it.bundle.lines):
        it.fails("note", None, f"it is on {note.size} entries, and the file has {len(it.bundle.lines)}")
    elif not _is_signed(note, created):
        it.fails("note", None, "the key of entry 0 has not signed it")
    elif note.head != leaf(it.bundle.lines[note.size - 1]):
        it.fails("note", note.size - 1, "it names another hash")


def _is_signed(note: Note, created: Entry) -> bool:
    try:
        note.verify(from_base64url(created.server_key))
    except Refused:
        return False
    return True


def _kept(it: Walk, text: str, created: Entry) -> tuple[bool, bool]:
    """Return whether a kept note is on entries that the server lost, and whether no note on this game can be read."""
    notes = [note for note in notes_in(text) if (note.server, note.game) == (created.server, created.game)]
    it.checks["note"].count += len(notes)
    lost = [note for note in notes if _is_lost(it, note, created)]
    return bool(lost), not notes


def _is_lost(it: Walk, note: Note, created: Entry) -> bool:
    """Judge a kept note; true if only a loss explains it."""
    head = leaf(it.bundle.lines[note.size - 1]) if note.size <= len(it.bundle.lines) else None
    if not _is_signed(note, created):
        it.fails("note", None, "the key of entry 0 has not signed a kept note")
    elif note.head == head:
        return False
    elif is_explained(it.restored, note.size, {note.head, head}):
        return True
    elif head is None:
        it.fails("note", None, "the file was cut")
    else:
        it.fails("note", note.size - 1, "the log was rewritten")
    return False


def _unread(verdict: str, why: str = "", **failures: str) -> Report:
    """The report on a file whose entries were not walked."""
    checks = {
        name: {"ok": False if name in failures else None, "count": 0, "first_failure": None, "says": failures.get(name)}
        for name in NAMES
    }
    return {"verdict": verdict, "stage": None, "why": why, "checks": checks, "not_looked_at": ["the entries"]}


def _report(it: Walk, is_lost: bool, is_unread: bool) -> Report:
    checks = {name: _check(it, name, is_lost) for name in NAMES}
    report: Report = {
        "verdict": _verdict(it, is_lost, is_unread),
        "stage": it.table.stage if it.table else None,
        "why": "no note on this game can be read in the text beside the file" if is_unread else "",
        "checks": checks,
        "not_looked_at": _not_looked_at(it),
        "lost": [{"seq": each.seq, "size": each.size, "hash": each.value["hash"]} for each in it.restored],
        "holders": it.holders,
        "recoveries": it.recoveries,
        "two_seats": [
            {"kid": kid, "seats": sorted(seats)} for kid, seats in sorted(it.signed.items()) if len(seats) > 1
        ],
        "attested": it.attested,
        "cannot_know": CANNOT_KNOW,
    }
    if it.table is not None:
        report["server_key"] = {"kid": kid_of(from_base64url(it.table.created.server_key)), "compared": None}
    return report


def _check(it: Walk, name: str, is_lost: bool) -> dict[str, Any]:
    check = it.checks[name]
    seen = check.count and (name == "note" or not it.stopped)
    unseen = not seen or name in NEED_RULES or (name == "note" and is_lost)
    ok = False if check.failed else None if unseen else True
    return {"ok": ok, "count": check.count, "first_failure": check.place, "says": check.says}


def _verdict(it: Walk, is_lost: bool, is_unread: bool) -> str:
    if any(check.failed for check in it.checks.values()):
        return "fails"
    if is_unread:
        return "unknown"
    stage = it.table.stage if it.table else None
    waits = (it.hidden and stage == "running") or (stage == "cancelled" and it.secret is None)
    return "open" if is_lost or waits else "holds"


def _not_looked_at(it: Walk) -> list[str]:
    said = ["the rules and the outcome, beyond the data files, the bounds of time and grants, and the secret"]
    if it.stopped:
        said.append(f"everything from line {it.checks['chain'].place} on, but for the note")
    return said
