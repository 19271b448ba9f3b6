"""Making a mutant by its number, and the reason if it may pass."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import zip_longest
from typing import NamedTuple

from engine.errors import BadRecord
from tests.audit.mutations.parts import Body, apart, bases, together
from tests.audit.mutations.ways import WAYS, Hand

REPAIRS = ("nothing", "noted", "chained", "chained", "conspired")
# Members that the server alone states, and members that nobody can check before the end of a hidden game.
OWN_WORD = {"at", "seconds", "seats", "reason", "prev", "seq"}
UNSEEN = OWN_WORD | {"state", "seals", "events", "draws"}


class Mutant(NamedTuple):
    """One mutation of one bundle. `by_hand`: a signature was made again with the key that had made it."""

    number: int
    base: str
    did: str
    repair: str
    by_hand: bool
    data: bytes


def _done(way: Callable[[Hand], str], hand: Hand) -> str:
    """The changes made; a second one may meet values of the first that cannot be changed."""
    try:
        return way(hand)
    except (BadRecord, StopIteration, ValueError, TypeError, KeyError, IndexError, AttributeError) as no:
        return f"could not {way.__name__.replace('_', ' ')}: {type(no).__name__}"


def mutant_of(number: int, seed: int = 1) -> Mutant:
    """The mutant of this number: usually one change, sometimes several."""
    rnd = random.Random(f"{seed}-{number}")
    base = rnd.choice(sorted(bases()))
    hand, did = Hand(rnd, base), []
    for _ in range(9):
        did.append(_done(rnd.choice(WAYS), hand))
        if hand.parts != apart(base) and rnd.random() < 0.7:
            break
    repair = rnd.choice(REPAIRS)
    return Mutant(number, base, ", ".join(did), repair, hand.by_hand, together(hand.parts, repair))


def may_pass(mutant: Mutant, verdict: str) -> str:
    """Why the mutant may get this verdict, `holds` or `open`, without anybody having been cheated; "" if it may not."""
    before, after = bases()[mutant.base], mutant.data
    if before == after:
        return "nothing has changed"
    if mutant.repair == "conspired":
        return "all players and the server have signed another game"
    if mutant.by_hand:
        return "who had signed an act has signed another one"
    return _tail(before, after, UNSEEN if verdict == "open" else OWN_WORD)


def _tail(before: bytes, after: bytes, own: set[str]) -> str:
    """Changes to the server's own statements on which nobody has signed: it could have written them at once."""
    old, new = (data.split(b"\n\n", 1)[0].split(b"\n")[1:] for data in (before, after))
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    if _openings(before) != _openings(after) and len(new) >= len(old):
        return ""
    later = [json.loads(line) for line in new[same:]]
    if any(body.get("jws") for body in later[1:]):
        return ""
    earlier = [json.loads(line) for line in old[same:]]
    is_own = all(_is_own(one, body, own) for one, body in zip_longest(earlier[: len(later)], later))
    # All of entry 0 is the server's own statement, as long as nobody has signed on it.
    return "the server's own statement, on which nobody has signed" if is_own or not same else ""


def _is_own(before: Body | None, after: Body, own: set[str]) -> bool:
    """True if the server alone vouches for the change: an entry that needs no player, or another field of its own."""
    if after["kind"] in ("granted", "cancelled", "left", "restored") and not after.get("jws"):
        return True
    names = before.keys() | after.keys() if before else set(after)
    return all(name in own for name in names if (before or {}).get(name) != after.get(name))


def _openings(data: bytes) -> bytes:
    return data.split(b"\n\n", 2)[2].partition(b"\n\n")[2]
