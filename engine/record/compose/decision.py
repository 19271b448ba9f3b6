"""One entry's events decided by the engine, and the members of the entry that follow from them.

Server and auditor both use this module: the server writes the members down, the auditor compares them with what was
written. They differ only in the source of the keys of the draws: the secret, or the last key that the entry shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from engine import replay
from engine.chance import Lane, chain_key, derive, domain, draw, links
from engine.errors import BadRecord, EngineFault, Refused
from engine.game import Event, Turn
from engine.kit import load_steps, outcome, redact
from engine.kit.play import owner
from engine.record.encoding import canonical
from engine.record.encoding.canonical import H
from engine.record.log.fold import entropy_of
from engine.record.log.table import Table

# Each draw is computed twice: for the entry that shows it, and for the rules that use it.
draw_again = lru_cache(maxsize=256)(draw)

KeyOf = Callable[[int], bytes]
encode = msgspec.json.Encoder(order="sorted").encode  # canonical for values that keep the engine's contract


class Decision(msgspec.Struct, frozen=True):
    """The engine's decision for an act. `refusal` stopped an already fixed move after `done` of its steps."""

    state: Any
    events: tuple[Event, ...]
    first: int
    got: tuple[tuple[int, int], ...]
    hidden_next: int
    outcome: Any
    done: int = 0
    refusal: Refused | None = None


def lanes(table: Table, secret: bytes | None, shown: Mapping[str, Any] | None = None) -> tuple[Lane, Lane]:
    """The two lanes of chance at this table, from the secret or from the `draws` that an entry shows."""
    mixed = entropy_of(table)
    public = _by_secret(table, secret) if secret else _by_shown(shown)
    made = Lane(public, mixed, table.draw, draw_again if shown else draw)
    return made, Lane(_hidden_keys(table, secret), mixed, table.hidden_draw)


def _by_secret(table: Table, secret: bytes) -> KeyOf:
    total: int = table.created["chance"]["draws"]
    return lambda d: chain_key(secret, total, d)


def _by_shown(shown: Mapping[str, Any] | None) -> KeyOf:
    if shown is None:
        return _no_key
    keys, last = keys_shown(shown), shown["first"] + len(shown["got"]) - 1
    return lambda d: keys[last - d] if shown["first"] <= d <= last else _no_key(d)


def _no_key(d: int) -> bytes:
    raise BadRecord("draws-missing", f"the rules make draw {d} here, but the entry does not show its key")


def keys_shown(draws: Mapping[str, Any]) -> tuple[bytes, ...]:
    """The keys of an entry's draws, the last first."""
    return _links(canonical.from_base64url(draws["key"], 32), draws["first"] + len(draws["got"]) - 1, draws["first"])


@lru_cache(maxsize=4)  # needed for the draws that are shown, and again for the rules that make them
def _links(key: bytes, last: int, first: int) -> tuple[bytes, ...]:
    return tuple(links(key, last, first))


def _hidden_keys(table: Table, secret: bytes | None) -> KeyOf:
    if not table.hidden or secret is None:
        return _never_hidden
    return lambda d: derive(secret, "hidden", d, 0)


def _never_hidden(d: int) -> bytes:
    raise EngineFault("hidden-draw-in-open-game", draw=d)


def decide(
    table: Table, kind: str, seat: int | None, commands: Sequence[Any] | None, chance: Lane, hidden: Lane
) -> Decision:
    """Decide an entry of this kind; Refused by the rules, EngineFault if a rule broke its contract."""
    turn, moved = _turn(table, kind, -1 if seat is None else seat, commands, chance, hidden)
    return Decision(
        state=turn.state,
        events=tuple(turn.events),
        first=table.draw,
        got=tuple(chance.got),
        hidden_next=hidden.next,
        outcome=outcome(table.game, turn.state),
        done=moved.done,
        refusal=moved.refusal,
    )


def _turn(
    table: Table, kind: str, seat: int, commands: Sequence[Any] | None, chance: Lane, hidden: Lane
) -> tuple[Turn, replay.Moved]:
    moved = replay.Moved(0)
    if kind == "started":
        return replay.start(table.game, table.seats, table.options, chance, hidden, table.rules), moved
    turn = Turn(table.state, chance, hidden)
    if kind == "moved":
        moved = replay.move(table.game, turn, seat, load_steps(table.game, commands))
    elif kind == "resigned":
        replay.resign(table.game, turn, seat)
    else:
        moved = replay.Moved(replay.expire(table.game, turn, seat))
    return turn, moved


# --- members --------------------------------------------------------------------------------------------------------


def members_of(table: Table, seq: int, decided: Decision, secret: bytes | None, key: bytes | None) -> dict[str, bytes]:
    """The members that the play gives entry `seq`, each as canonical bytes; `key` is that of the last public draw.

    In a hidden game the secret is needed. At the end of a game it is a member itself; without it the member is "null".
    """
    views = event_views(table, decided.events)
    salt = state_salt(secret if table.hidden else None, seq)
    found = {
        "events": listed(views[-2] if table.hidden else views[-1]),
        "state": _text(H(domain("state") + salt + encode(committed(decided.state)))),
    }
    if table.hidden and secret:
        found["seals"] = encode(seals_of(secret, seq, [*views[:-2], views[-1]]))
    if decided.got:
        found["draws"] = encode({"first": decided.first, "got": decided.got, "key": canonical.to_base64url(key or b"")})
    if decided.outcome is not None:
        found |= {"outcome": encode(decided.outcome), "secret": _text(secret) if secret else b"null"}
    return found


def event_views(table: Table, events: Sequence[Event]) -> list[list[bytes]]:
    """Each event's canonical bytes as seat 0, 1, ... may see them, then as anybody may see them, then in full."""
    full = [encode(event) for event in events]
    if not table.hidden:
        return [full]
    owners = [owner(event) for event in events]
    public = [
        data if of is None else encode(redact(event, None))
        for event, data, of in zip(events, full, owners, strict=True)
    ]
    return [*(_seen(seat, owners, public, full) for seat in range(table.seats)), public, full]


def _seen(seat: int, owners: Sequence[int | None], public: list[bytes], full: Sequence[bytes]) -> list[bytes]:
    """The events that one seat may see: its own secrets in full, and everything public."""
    if seat not in owners:
        return public
    return [whole if of == seat else seen for of, seen, whole in zip(owners, public, full, strict=True)]


def listed(parts: Sequence[bytes]) -> bytes:
    """A canonical list of canonical values."""
    return b"[" + b",".join(parts) + b"]"


def seals_of(secret: bytes, seq: int, views: Sequence[Sequence[bytes]]) -> list[str]:
    """The seals of an entry over lists of events given as canonical bytes; must agree with `seals.seals`."""
    last = len(views) - 1
    seals = [_seal(secret, seq, i, listed(seen)) for i, seen in enumerate(views[:last])]
    return [*seals, seal_again(secret, seq, last, listed(views[last]))]


def _seal(secret: bytes, seq: int, i: int, events: bytes) -> str:
    return canonical.to_base64url(H(domain("seal") + seal_salt(secret, seq, i) + events))


seal_again = lru_cache(maxsize=4)(_seal)  # over the full list: for the opening, and for what the rules decide


def last_key(table: Table, decided: Decision, secret: bytes) -> bytes | None:
    """The key of the last public draw of a play, to be shown with it."""
    if not decided.got:
        return None
    return chain_key(secret, table.created["chance"]["draws"], decided.first + len(decided.got) - 1)


def _text(data: bytes) -> bytes:
    return b'"' + canonical.to_base64url(data).encode() + b'"'


# --- seals over what each seat saw, and commitments to the state, which the end of the game proves --------------------


def seals(secret: bytes, seq: int, views: Sequence[Sequence[object]]) -> list[str]:
    """The seals of entry `seq`: one for each seat's list of events, and last one for the full list."""
    return [seal(seal_salt(secret, seq, i), events) for i, events in enumerate(views)]


def seal(salt: bytes, events: Sequence[object]) -> str:
    """H(D("seal") | salt | canonical list of events), in base64url."""
    return canonical.to_base64url(H(domain("seal") + salt + canonical.dumps(events)))


def seal_salt(secret: bytes, seq: int, i: int) -> bytes:
    """K("seal", seq, i): seat i checks its own seal with it, and cannot check another seat's."""
    return derive(secret, "seal", seq, i)


def state_hash(salt: bytes, state: object) -> str:
    """H(D("state") | salt | canonical state), in base64url."""
    return canonical.to_base64url(H(domain("state") + salt + canonical.dumps(state)))


def committed(state: Any) -> Any:
    """The state as the record commits to it: what entry 0 pins for the whole game is null."""
    return replace(state, **dict.fromkeys(state.constant)) if state.constant else state


def state_salt(secret: bytes | None, seq: int) -> bytes:
    """K("state", seq, 0) in a hidden game; without a secret, in an open one, 32 zero bytes."""
    return bytes(32) if secret is None else derive(secret, "state", seq, 0)
