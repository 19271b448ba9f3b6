"""Two people's holdings of one game: equal, one continuing the other, or a fork with the lines that prove it."""

from __future__ import annotations

import base64
from functools import cache
from typing import Any

from tests.kit import second
from tests.kit.vectors import scene

Holding = dict[str, list[str]]
Mark = tuple[bytes, str]
ELSEWHERE = second.note(scene.SERVER, scene.GAME.replace("1", "2"), 4, bytes(32), scene.SERVER_SEED)


def _log(*, late: int | None = None, server: str = scene.SERVER) -> list[bytes]:
    """Four entries. Entry `late` is dated a second later, and so are all after it."""
    lines = [_dated(scene.CREATED.replace(b"games.example", server.encode()), late == 0, None)]
    for i in (0, 1):
        lines.append(_dated(scene.joined(i, second.leaf(lines[-1])), late == i + 1, None))
    return [*lines, _dated(scene.STARTED, late == 3, second.leaf(lines[-1]))]


def _dated(line: bytes, is_late: bool, prev: bytes | None) -> bytes:
    body = second.json.loads(line)
    body["at"] = body["at"].replace(":00Z", ":01Z") if is_late else body["at"]
    return second.canonical({**body, "prev": second.b64(prev)} if prev else body)


def _restored(*more: str) -> list[bytes]:
    """Two entries, then the server's statement that it lost the next two, then entries at these times."""
    lines = _log()
    kept = lines[:2]
    for seq, at in enumerate(("2026-11-21T10:05:00Z", *more), 2):
        first = {"v": 1, "game": scene.GAME, "seq": seq, "prev": second.b64(second.leaf(kept[-1])), "at": at}
        lost = {"kind": "restored", "size": 4, "hash": second.b64(second.leaf(lines[-1]))}
        kept.append(second.canonical({**first, **(lost if seq == 2 else {"kind": "left", "seat": 0, "jws": None})}))
    return kept


def note_on(lines: list[bytes], server: str = scene.SERVER) -> str:
    return second.note(server, scene.GAME, len(lines), second.leaf(lines[-1]), scene.SERVER_SEED)


def held(lines: list[bytes], *notes: str) -> Holding:
    """The lines of a log, from entry 0 on, and notes beside them."""
    return {"lines": [line.decode() for line in lines], "notes": list(notes)}


def compare_cases() -> list[dict[str, Any]]:
    """`second` as it relates to `first`; `at` and `proof` for a fork. Texts are listed by name, each once."""
    rows = [*_at_one(), *_apart(), *_lost()]
    cases = [{"name": name, "first": first, "second": other, **_compared(first, other)} for name, first, other in rows]
    return [_named(case) for case in cases]


@cache
def texts() -> dict[str, str]:
    """Lines and notes by name: `a2` is the line of entry 2 of the game as it was, `b2` to `e2` those of its forks."""
    logs = {"a": _log(), **{"bcde"[late]: _log(late=late) for late in range(4)}, "x": _log(server="b.example")}
    logs["r"] = _restored("2026-11-21T10:06:00Z", "2026-11-21T10:07:00Z")
    found = {}
    for name, log in logs.items():
        for number, line in enumerate(log):
            found[f"{name}{number}"] = line.decode()
            found[f"note on {name}{number}"] = note_on(log[: number + 1])
    found["note of another game"] = ELSEWHERE
    first: dict[str, str] = {}
    for name, text in found.items():
        first.setdefault(text, name)
    return {name: text for text, name in first.items()}


def _named(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: member if name == "name" else _named(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_named(item) for item in value]
    return next((name for name, text in texts().items() if text == value), value)


def _at_one() -> list[tuple[str, Holding, Holding]]:
    log, other = _log(), _log(server="b.example")
    return [
        ("the same lines", held(log), held(log)),
        ("the same lines, with notes and without", held(log, note_on(log), note_on(log[:2])), held(log)),
        ("two lines more", held(log[:2]), held(log)),
        ("two lines less", held(log), held(log[:2])),
        ("lines and the note on them", held(log), held([], note_on(log))),
        ("lines and an older note", held(log), held([], note_on(log[:2]))),
        ("a note, and lines that go on", held([], note_on(log[:2])), held(log)),
        ("the same note", held([], note_on(log)), held([], note_on(log))),
        ("two notes of different sizes, which say nothing of each other", held([], note_on(log)),
         held([], note_on(log[:2]))),
        ("lines, and a note on more of them", held(log[:2]), held([], note_on(log))),
        ("lines with a note on more of them, and all lines", held(log[:2], note_on(log)), held(log)),
        ("lines that the other's note does not reach", held(log[:3], note_on(log)), held(log[:2], note_on(log[:2]))),
        ("another server's game", held(log), held(other)),
        ("another game's note", held(log), held([], ELSEWHERE)),
    ]  # fmt: skip


def _apart() -> list[tuple[str, Holding, Holding]]:
    log, forks = _log(), [_log(late=number) for number in range(4)]
    return [
        ("another last entry", held(log), held(forks[3])),
        ("another third entry, and all that follows", held(log), held(forks[2])),
        ("another entry 0", held(log), held(forks[0])),
        ("a fork in a log that is shorter", held(log), held(forks[2][:3])),
        ("a fork in a log that is longer", held(log[:2]), held(forks[1])),
        ("lines and a note on other lines", held(log), held([], note_on(forks[2]))),
        ("lines and an older note on other lines", held(log), held([], note_on(forks[1][:2]))),
        ("a note, and lines that it does not fit", held([], note_on(forks[2][:3])), held(log)),
        ("two notes of one size", held([], note_on(log)), held([], note_on(forks[3]))),
        ("a kept note on more lines, and other lines", held(log[:2], note_on(log)), held(forks[3])),
        ("both with notes on more lines", held(log[:2], note_on(log)), held(log[:2], note_on(forks[3]))),
        ("a kept note that contradicts the lines beside it", held(log, note_on(forks[1][:2])), held(log)),
        ("two kept notes that contradict each other", held(log), held(log[:1], note_on(log), note_on(forks[3]))),
        ("two kept notes that contradict the lines, the later entry first",
         held(log, note_on(forks[3]), note_on(forks[1][:2])), held(log)),
        ("the second contradicts itself earlier than the first does",
         held(log, note_on(forks[3])), held(log, note_on(forks[1][:2]))),
        ("a holding contradicts itself later than the other contradicts it",
         held(log, note_on(forks[3])), held([], note_on(forks[1][:2]))),
        ("both contradict themselves at one number", held(log, note_on(forks[3])), held(forks[3], note_on(log))),
        ("three hashes of one number", held(log, note_on(forks[3]), note_on(forks[2])), held(log)),
        ("a kept note that contradicts the line, and one of the other on it",
         held([], note_on(log)), held(log[:3], note_on(forks[3]), note_on(log))),
    ]  # fmt: skip


def _lost() -> list[tuple[str, Holding, Holding]]:
    """Cases with entries that the server states as lost."""
    log, other, short, long = (
        _log(),
        _log(late=3),
        _restored(),
        _restored("2026-11-21T10:06:00Z", "2026-11-21T10:07:00Z"),
    )
    return [
        ("a note at the end that was lost", held(short), held([], note_on(log))),
        ("a note in the midst of what was lost", held(short), held([], note_on(log[:3]))),
        ("the lines that were lost", held(short), held(log)),
        ("the lines that were lost, and those that came after", held(log), held(long)),
        ("a note at the lost end, and a log that went on", held(long), held([], note_on(log))),
        ("a note before what was lost", held(short), held([], note_on(log[:2]))),
        ("another end than the one told", held(short), held([], note_on(other))),
        ("another end than the one told, and a log that went on", held(long), held([], note_on(other))),
        ("a note on an entry after the loss, unknown to the other", held(short), held([], note_on(long[:4]))),
        ("a note longer than what was told", held(short), held([], note_on(long))),
        ("a note after the loss", held(long), held([], note_on(long))),
        ("a kept note on what was lost, beside the lines", held(long, note_on(log)), held(long)),
        ("a kept note on another end, beside the lines", held(long, note_on(other)), held(long)),
        ("the same log after the loss", held(short), held(long)),
        (
            "a kept note at the lost end beside the lines, and a third end",
            held(long, note_on(log)),
            held([], note_on(other)),
        ),
        (
            "a kept note at the lost end beside the lines, and the lines that were lost",
            held(long, note_on(log)),
            held(log),
        ),
        (
            "kept notes that contradict each other in what the other states as lost",
            held(log[:1], note_on(log[:3]), note_on(_log(late=2)[:3])),
            held(short),
        ),
    ]


# --- a second comparison ----------------------------------------------------------------------------------------------


def _compared(first: Holding, other: Holding) -> dict[str, Any]:
    if _game(first) != _game(other):
        return {"relation": "other-game", "at": None, "proof": None}
    told = {**_told(first), **_told(other)}
    for size in sorted({*_marks(first), *_marks(other)}):
        for one, two in _pairs(_marks(first).get(size, []), _marks(other).get(size, [])):
            if one[0] != two[0] and not _excused(told, size, one[0], two[0]):
                return {"relation": "fork", "at": size, "proof": [one[1], two[1]]}
    return {"relation": _relation(first, other), "at": None, "proof": None}


def _pairs(mine: list[Mark], yours: list[Mark]) -> list[tuple[Mark, Mark]]:
    """Two of the first, two of the second, one of each."""
    own = [(one, two) for marks in (mine, yours) for place, one in enumerate(marks) for two in marks[place + 1 :]]
    return own + [(one, two) for one in mine for two in yours]


def _relation(first: Holding, other: Holding) -> str:
    mine, yours = _marks(first), _marks(other)
    both = set(mine) & set(yours)
    apart = [size for size in both if {head for head, _ in mine[size]}.isdisjoint(head for head, _ in yours[size])]
    if apart or _is_lost(first, other) or _is_lost(other, first):
        return "lost"
    if min(max(mine), max(yours)) not in both:
        return "unknown"
    order = (max(yours) > max(mine)) - (max(yours) < max(mine))
    return {0: "same", 1: "continues", -1: "continued"}[order]


def _marks(holding: Holding) -> dict[int, list[Mark]]:
    """By number of entries: hashes of the last one, each with the text that says so. A line goes before a note."""
    marks: dict[int, list[Mark]] = {
        n: [(second.leaf(line.encode()), line)] for n, line in enumerate(holding["lines"], 1)
    }
    for note in holding["notes"]:
        _, size, head = note.split("\n")[:3]
        marks.setdefault(int(size), []).append((base64.b64decode(head), note))
    return marks


def _is_lost(log: Holding, other: Holding) -> bool:
    """True if `other` has an entry that `log` states as lost and lacks, but does not have that statement."""
    own, others = _marks(log), _marks(other)
    heads = {head for marks in others.values() for head, _ in marks}
    return any(
        size in others
        and size not in own
        and (head is None or head in {known for known, _ in others[size]})
        and second.leaf(line.encode()) not in heads
        for size, (head, line) in _told(log).items()
    )


def _told(holding: Holding) -> dict[int, tuple[bytes | None, str]]:
    """By number of lost entries: the hash of the last one (None if not stated), and the line that states it."""
    said: dict[int, tuple[bytes | None, str]] = {}
    for line in holding["lines"]:
        body = second.json.loads(line)
        if body["kind"] == "restored":
            said |= dict.fromkeys(range(body["seq"] + 1, body["size"]), (None, line))
            said[body["size"]] = (base64.urlsafe_b64decode(body["hash"] + "="), line)
    return said


def _excused(told: dict[int, tuple[bytes | None, str]], size: int, *heads: bytes) -> bool:
    return size in told and (told[size][0] is None or told[size][0] in heads)


def _game(holding: Holding) -> str:
    if holding["lines"]:
        first = second.json.loads(holding["lines"][0])
        return f"{first['server']}/game/{first['game']}"
    return holding["notes"][0].split("\n")[0]
