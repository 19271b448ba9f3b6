"""Ways to change a bundle: each is a function that returns what it did."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from engine.record.encoding import canonical
from engine.record.signed import keys
from tests.audit.mutations.parts import Body, Parts, act_text, apart, bases, open_act, seeds
from tests.kit import second
from tests.kit.play_record import SERVER_SEED

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 59, 60, 63, 64, 2**20, 2**25, 2**25 + 1, 2**53 - 1, "", "x", "both", "absent", "offer",
    "joined", "taken", "granted", "2026-11-21T10:00:00Z", "9999-12-31T23:59:59Z", "A" * 43, "A" * 42 + "B", [], {},
    [[]],
)  # fmt: skip


class Hand:
    """The one that changes a bundle: its chance, its parts, and what it did."""

    def __init__(self, rnd: random.Random, base: str) -> None:
        self.rnd = rnd
        self.parts = deepcopy(apart(base))
        self.base = base
        self.by_hand = False

    def entry(self, *kinds: str) -> Body:
        likely = [body for body in self.parts.entries if body["kind"] in kinds] if kinds else []
        return self.rnd.choice(likely or self.parts.entries)

    def place(self) -> int:
        return self.rnd.randrange(len(self.parts.entries))

    def other(self) -> Parts:
        """Another good bundle, or the same."""
        return deepcopy(apart(self.rnd.choice(sorted(bases()))))


def _spot(hand: Hand, root: Any) -> tuple[Any, Any]:
    """An object or array somewhere in the value, and a name or index in it."""
    found = []

    def walk(value: Any) -> None:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in items:
            found.append((value, key))
            walk(inner)

    walk(root)
    return hand.rnd.choice(found)


def _changed_value(hand: Hand, old: Any) -> Any:
    rnd = hand.rnd
    if isinstance(old, bool):
        return rnd.choice((not old, int(old), None))
    if isinstance(old, int):
        return rnd.choice((old + 1, old - 1, -old, old * 2, old + 60, rnd.choice(STRANGE)))
    if isinstance(old, str) and len(old) > 1 and rnd.random() < 0.5:
        at = rnd.randrange(len(old))
        return old[:at] + rnd.choice("A0az-_Z5") + old[at + 1 :]
    return rnd.choice(STRANGE)


def change_member(hand: Hand) -> str:
    where, key = _spot(hand, hand.entry())
    where[key] = _changed_value(hand, where[key])
    return f"changed {key}"


def take_a_value_of_another(hand: Hand) -> str:
    body, other = hand.entry(), hand.rnd.choice(hand.other().entries)
    names = sorted(body.keys() & other.keys())
    name = hand.rnd.choice(names)
    body[name] = other[name]
    return f"took {name} of another entry"


def drop_member(hand: Hand) -> str:
    where, key = _spot(hand, hand.entry())
    del where[key]
    return f"dropped {key}"


def add_member(hand: Hand) -> str:
    body = hand.entry()
    name = hand.rnd.choice(("seat", "jws", "bot", "via", "secret", "outcome", "draws", "seals", "note", "seats", "x"))
    body.setdefault(name, deepcopy(hand.entry().get(name, hand.rnd.choice(STRANGE))))
    return f"added {name}"


def turn_list(hand: Hand) -> str:
    spots = [(where, key) for where, key in (_spot(hand, hand.entry()) for _ in range(9))]
    where, key = next((where, key) for where, key in spots if isinstance(where[key], list))
    one = where[key]
    where[key] = hand.rnd.choice((one[::-1], [], one + one[:1], one[1:]))
    return f"turned {key}"


def drop_entry(hand: Hand) -> str:
    at = hand.place()
    del hand.parts.entries[at]
    return f"dropped entry {at}"


def cut(hand: Hand) -> str:
    at = 1 + hand.place()
    del hand.parts.entries[at:]
    return f"cut before entry {at}"


def repeat_entry(hand: Hand) -> str:
    at = hand.place()
    hand.parts.entries.insert(hand.place() + 1, deepcopy(hand.parts.entries[at]))
    return f"repeated entry {at}"


def swap_entries(hand: Hand) -> str:
    a, b = hand.place(), hand.place()
    lines = hand.parts.entries
    lines[a], lines[b] = lines[b], lines[a]
    return f"swapped entries {a} and {b}"


def insert_entry(hand: Hand) -> str:
    body = hand.rnd.choice(hand.other().entries)
    hand.parts.entries.insert(hand.place() + 1, body)
    return f"inserted {body['kind']} of another game"


def insert_of_the_server(hand: Hand) -> str:
    at = 1 + hand.place()
    first = {name: hand.parts.entries[at - 1][name] for name in ("v", "game", "seq", "prev", "at")}
    own = hand.rnd.choice(({"kind": "granted", "seats": [hand.rnd.randrange(3)], "seconds": 60,
                            "why": "host"},
                           {"kind": "cancelled", "reason": "mine", "secret": None},
                           {"kind": "left", "seat": 0, "jws": None}))  # fmt: skip
    hand.parts.entries.insert(at, first | own)
    return f"inserted {own['kind']} at {at}"


def change_kind(hand: Hand) -> str:
    body = hand.entry()
    body["kind"] = hand.rnd.choice(("joined", "left", "moved", "keyed", "offered", "taken", "resigned", "expired"))
    return f"called it {body['kind']}"


def change_seat(hand: Hand) -> str:
    body = hand.entry("joined", "moved", "keyed", "offered", "taken", "resigned", "expired")
    body["seat"] = hand.rnd.choice((0, 1, 2, 3, 63))
    return "another seat"


def change_time(hand: Hand) -> str:
    """One entry's time, or from one on all of them."""
    at, by = hand.place(), hand.rnd.choice((-86400, -61, -60, -1, 1, 59, 60, 3600, 86400))
    until = hand.rnd.choice((at + 1, None))
    for body in hand.parts.entries[at:until]:
        body["at"] = _later(body["at"], by)
    return f"{by} seconds at entry {at}{'' if until else ' and after'}"


def _later(at: str, by: int) -> str:
    return canonical.instant(canonical.seconds(at) + by)


def change_clock(hand: Hand) -> str:
    clock = hand.parts.entries[0].get("clock")
    if not isinstance(clock, dict) or not clock:
        hand.parts.entries[0]["clock"] = hand.rnd.choice(STRANGE)
        return "a strange clock"
    name = hand.rnd.choice(sorted(clock))
    clock[name] = _changed_value(hand, clock[name])
    return f"changed clock.{name}"


def change_key(hand: Hand) -> str:
    """In entry 0, or in the act of a player: signed by the key that it had, or by the one that it has now."""
    point = hand.rnd.choice((
        keys.public_of(hand.rnd.choice(sorted(seeds().values()))), second.mixed(keys.public_of(SERVER_SEED)),
        second.packed((0, 1)),
    ))  # fmt: skip
    if hand.rnd.random() < 0.3:
        hand.parts.entries[0]["server_key"] = canonical.to_base64url(point)
        return "another server key"
    return _signed_again(
        hand, lambda payload: payload.update(_with_key(hand, payload, point)), "joined", "taken", "keyed"
    )


def _with_key(hand: Hand, payload: Body, point: bytes) -> Body:
    names = [name for name in ("key", "add", "recovery") if name in payload]
    return {hand.rnd.choice(names): keys.jwk(point)} if names else {"drop": keys.thumbprint(point)}


def change_act(hand: Hand) -> str:
    def change(payload: Body) -> None:
        where, key = _spot(hand, payload)
        where[key] = _changed_value(hand, where[key])

    return _signed_again(hand, change, "joined", "moved", "keyed", "offered", "taken", "resigned")


def spell_act_otherwise(hand: Hand) -> str:
    return _signed_again(hand, lambda _payload: None, "moved", "joined", spaced=True)


def sign_by_another(hand: Hand) -> str:
    return _signed_again(hand, lambda _payload: None, "moved", "keyed", "offered", "joined", "taken", other=True)


def _signed_again(
    hand: Hand, change: Callable[[Body], object], *kinds: str, spaced: bool = False, other: bool = False
) -> str:
    """A changed payload, signed by its own key, by another, or under the signature that was there."""
    body = hand.entry(*kinds)
    opened = open_act(body.get("jws"))
    if opened is None:
        return "found no act"
    header, payload, signature = opened
    change(payload)
    how = "other" if other else hand.rnd.choice(("own", "own", "old"))
    seed = seeds().get(header["kid"]) if how == "own" else hand.rnd.choice(sorted(seeds().values()))
    hand.by_hand |= how == "own" and not spaced  # with spaces it is not an act, whoever signs it
    text = json.dumps(payload, separators=(", ", ": ") if spaced else (",", ":"))
    body["jws"] = act_text(header, text, seed, signature if how == "old" else None)
    return f"act of {body['kind']} signed by {how}{' with spaces' if spaced else ''}"


def change_note(hand: Hand) -> str:
    lines = hand.parts.note[0].split("\n")
    at = hand.rnd.randrange(len(lines) - 1)
    lines[at] = hand.rnd.choice(("", "1", lines[at] + "x", lines[at][::-1], lines[hand.rnd.randrange(len(lines))]))
    hand.parts.note[0] = "\n".join(lines)
    return f"changed line {at} of the note"


def change_opening(hand: Hand) -> str:
    if not hand.parts.openings:
        return add_opening(hand)
    one = hand.rnd.choice(hand.parts.openings)
    where, key = _spot(hand, one)
    where[key] = _changed_value(hand, where[key])
    return f"changed {key} of an opening"


def add_opening(hand: Hand) -> str:
    found = hand.other().openings or [{"seq": 3, "events": [], "move": None}]
    hand.parts.openings.append(hand.rnd.choice(found))
    return "added an opening"


def drop_opening(hand: Hand) -> str:
    if hand.parts.openings:
        hand.parts.openings.pop(hand.rnd.randrange(len(hand.parts.openings)))
    return "dropped an opening"


WAYS: tuple[Callable[[Hand], str], ...] = (
    change_member, change_member, change_member, take_a_value_of_another, drop_member, add_member, turn_list,
    drop_entry, cut, repeat_entry, swap_entries, insert_entry, insert_of_the_server, change_kind, change_seat,
    change_time, change_time, change_clock, change_key, change_act, change_act, spell_act_otherwise, sign_by_another,
    change_note, change_opening, add_opening, drop_opening,
)  # fmt: skip
