"""The relation of two holdings of a game (section 10)."""

import itertools
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.stranger.entries import Entry, read_entry
from tests.stranger.lines import from_base64url
from tests.stranger.notes import read_note


class Says(NamedTuple):
    """A text, a line or a note, and the hash that it gives for the last of so many entries."""

    head: bytes
    text: str


@dataclass
class Holding:
    games: set[tuple[str, str]] = field(default_factory=set)
    says: dict[int, list[Says]] = field(default_factory=dict)
    restored: dict[bytes, Entry] = field(default_factory=dict)

    def add(self, number: int, says: Says) -> None:
        self.says.setdefault(number, []).append(says)


def _holding(it: dict[str, list[str]]) -> Holding:
    """Put lines before notes, so that a line is the proof if both give the same hash."""
    held = Holding()
    for place, line in enumerate(it["lines"]):
        entry = read_entry(line.encode("ascii"))
        head = from_base64url(entry.hash)
        held.add(place + 1, Says(head, line))
        if entry.kind == "created":
            held.games.add((entry.server, entry.game))
        elif entry.kind == "restored":
            held.restored[head] = entry
    for text in it["notes"]:
        note = read_note(text.encode("utf-8"))
        held.games.add((note.server, note.game))
        held.add(note.size, Says(note.head, text))
    return held


def is_explained(restored: list[Entry], number: int, heads: set[bytes | None]) -> bool:
    """Return whether a stated loss explains two hashes of this number."""
    return any(
        entry.seq < number < entry.size or (number == entry.size and from_base64url(entry.value["hash"]) in heads)
        for entry in restored
    )


def compare(first: dict[str, list[str]], second: dict[str, list[str]]) -> dict[str, Any]:
    """The relation of the second holding to the first; of a fork also its number and the two texts that prove it."""
    one, two = _holding(first), _holding(second)
    at, proof = None, None
    if len(one.games | two.games) > 1:
        relation = "other-game"
    elif fork := _fork(one, two):
        relation, (at, proof) = "fork", fork
    else:
        relation = _relation(one, two)
    return {"relation": relation, "at": at, "proof": proof}


def _fork(one: Holding, two: Holding) -> tuple[int, list[str]] | None:
    """A contradiction within one holding is a better proof than one between the two."""
    restored = [*one.restored.values(), *two.restored.values()]
    for number in sorted(one.says.keys() | two.says.keys()):
        here, there = one.says.get(number, []), two.says.get(number, [])
        within = [*itertools.combinations(here, 2), *itertools.combinations(there, 2)]
        for a, b in [*within, *itertools.product(here, there)]:
            if a.head != b.head and not is_explained(restored, number, {a.head, b.head}):
                return number, [a.text, b.text]
    return None


def _relation(one: Holding, two: Holding) -> str:
    if _differs(one, two) or _lost(one, two) or _lost(two, one):
        return "lost"
    most, other = max(one.says, default=0), max(two.says, default=0)
    if min(most, other) not in one.says.keys() & two.says.keys():
        return "unknown"
    return "same" if most == other else "continues" if other > most else "continued"


def _differs(one: Holding, two: Holding) -> bool:
    """Return whether they share a number but no hash for it."""
    both = one.says.keys() & two.says.keys()
    return any({it.head for it in one.says[n]}.isdisjoint({it.head for it in two.says[n]}) for n in both)


def _lost(knows: Holding, tells: Holding) -> bool:
    """Return whether one has a number that the other lacks and states as lost, and does not have that statement."""
    for head, entry in tells.restored.items():
        if head in knows.restored:
            continue
        for number in knows.says.keys() - tells.says.keys():
            told = from_base64url(entry.value["hash"])
            if entry.seq < number < entry.size or (
                number == entry.size and any(it.head == told for it in knows.says[number])
            ):
                return True
    return False
