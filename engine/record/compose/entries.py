"""The entries that a server writes: pure, from the table, the secret, the time and what a player signed.

Each composer gives the line, the table after it, and for a hidden game the opening that the server keeps beside it.
Nothing is changed: a caller that cannot commit drops the result, and the same act gives the same draws again. An act
that is not allowed raises Refused (from `laws` or the rules of the game), unreadable bytes raise BadRecord, a broken
rule raises EngineFault. `at` is a text like 2026-11-21T10:00:00Z; if it is before the last entry's time, that time is
written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.chance import chain_key
from engine.errors import Refused
from engine.game import Game, Options
from engine.kit import redact
from engine.record.compose.decision import Decision, decide, lanes, last_key, members_of, seal_salt
from engine.record.encoding import canonical
from engine.record.laws import admission, preconditions
from engine.record.laws.proposal import Proposal
from engine.record.log.entry import VERSION, ZERO, write_entry
from engine.record.log.fold import apply_known, open_table
from engine.record.log.options import FILE, data_hash, dump_options
from engine.record.log.table import Table
from engine.record.signed import acts
from engine.record.signed.acts import SignedAct
from engine.record.signed.moves import open_move, read_move_text, seal_move


class Composed(msgspec.Struct, frozen=True):
    """An entry to be appended. `done` is the number of steps played before `refusal` stopped the move, if it did."""

    line: bytes
    table: Table
    opening: dict[str, Any] | None = None
    done: int = 0
    refusal: Refused | None = None


def compose_created(
    game: Game[Any],
    options: Options,
    seats: int,
    *,
    server: str,
    server_key: bytes,
    game_id: str,
    secret: bytes,
    at: str,
    clock: Mapping[str, int] | None,
    handover: Mapping[str, Any] | None = None,
    unsigned: bool = False,
    terms: str | None = None,
    rules: int | None = None,
) -> Composed:
    """Entry 0. `server` is the host that players sign for, `clock` the members of `clock.MEMBERS` or None, `handover`
    has `by` and `wait` (None: no seat changes hands), `terms` is the hash of a text kept elsewhere, `rules` a version.
    """
    _check_seats(game, options, seats)
    plain, data = _with_files(options)
    body = {
        "v": VERSION, "game": game_id, "seq": 0, "prev": ZERO, "at": at, "kind": "created",
        "server": server, "server_key": canonical.to_base64url(server_key),
        "rules": {"game": game.meta.key, "version": rules or game.meta.rules[1], "data": _named(data)},
        "options": plain, "seats": seats, "hidden": game.hidden(options), "clock": clock, "unsigned": unsigned,
        "handover": handover or {"by": "none", "wait": 0}, "terms": terms, "chance": _chance(secret, game.meta.draws),
    }  # fmt: skip
    entry = write_entry(body)
    return Composed(entry.line, open_table(entry, data))


def _check_seats(game: Game[Any], options: Options, seats: int) -> None:
    fewest, most = game.meta.seats
    if not fewest <= seats <= most:
        raise Refused("bad-seats", found=seats, fewest=fewest, most=most)
    options.check(seats)


def _chance(secret: bytes, draws: int) -> dict[str, Any]:
    return {"draws": draws, "chain": canonical.to_base64url(chain_key(secret, draws, 0))}


def _with_files(options: Options) -> tuple[dict[str, Any], dict[str, bytes]]:
    plain, edition = dump_options(options)
    return plain, {} if edition is None else {FILE: edition}


def _named(data: Mapping[str, bytes]) -> dict[str, str] | None:
    return {name: data_hash(content) for name, content in data.items()} or None


def compose_plain(table: Table, signed: SignedAct, at: str) -> Composed:
    """An act that does not involve the rules of the game: joining, leaving, keys, offering, taking."""
    admission.check_stage(table, signed)
    admission.check_place(table, signed, canonical.seconds(max(at, table.at)))
    return _plain(table, at, **_logged(signed))


def _logged(signed: SignedAct) -> dict[str, Any]:
    act = signed.act
    body = {"kind": acts.KIND_OF[act.act], "seat": act.seat, "jws": signed.jws.text}
    return body if act.bot is None else body | {"bot": act.bot}


def compose_removed(table: Table, at: str, seat: int) -> Composed:
    """A player whom the server removes before the start, because the table's host wants it."""
    preconditions.check(table, Proposal("left", (seat,)))
    return _plain(table, at, kind="left", seat=seat, jws=None)


def compose_granted(table: Table, at: str, seats: Sequence[int], seconds: int, why: str) -> Composed:
    """Time that the server gives to seats that owe an answer: their deadlines move back by this many seconds.

    `why` is a name; `outage` is for the operator, and does not count towards the bounds of the game.
    """
    preconditions.check(table, Proposal("granted", tuple(seats), seconds=seconds, why=why))
    return _plain(table, at, kind="granted", seats=sorted(seats), seconds=seconds, why=why)


def compose_restored(table: Table, at: str, size: int, head: bytes) -> Composed:
    """The server states that it lost its log from here up to `size` entries, the last of which had this hash."""
    preconditions.check(table, Proposal("restored", size=size))
    return _plain(table, at, kind="restored", size=size, hash=canonical.to_base64url(head))


def compose_cancelled(table: Table, secret: bytes | None, at: str, reason: str) -> Composed:
    """The end of a game that the server cancels; `secret` is None only if lost. `reason` is a word in lower case."""
    preconditions.check(table, Proposal("cancelled"))
    return _plain(table, at, kind="cancelled", reason=reason, secret=secret and canonical.to_base64url(secret))


def compose_started(table: Table, secret: bytes, at: str) -> Composed:
    """The setup, when every seat is taken."""
    preconditions.check(table, Proposal("started"))
    return _with_events(table, secret, at, {"kind": "started"})


def compose_moved(table: Table, secret: bytes, at: str, signed: SignedAct, text: str | None = None) -> Composed:
    """A signed move; `text` is the sealed move's own text, in a hidden game."""
    act = signed.act
    preconditions.check(table, admission.proposal_of(signed))
    commands = act.commands if act.sealed is None else open_move(text or "", act.sealed)
    return _with_events(table, secret, at, _logged(signed), commands, text if act.sealed else None)


def compose_unsigned(table: Table, secret: bytes, at: str, seat: int, via: str, move: list[Any] | str) -> Composed:
    """A move that the server attests: its commands in an open game, its text (`moves.move_text`) in a hidden one."""
    preconditions.check(table, Proposal("moved", (seat,), sealed=isinstance(move, str)))
    body: dict[str, Any] = {"kind": "moved", "seat": seat, "via": via}
    if isinstance(move, str):
        return _with_events(table, secret, at, body | {"sealed": seal_move(move)}, read_move_text(move)[0], move)
    return _with_events(table, secret, at, body | {"commands": move}, move)


def compose_resigned(table: Table, secret: bytes, at: str, signed: SignedAct) -> Composed:
    """A seat that stops playing; from then on the clock plays for it as soon as it owes something."""
    preconditions.check(table, admission.proposal_of(signed))
    return _with_events(table, secret, at, _logged(signed))


def compose_expired(table: Table, secret: bytes, at: str, seat: int) -> Composed:
    """The default move for a seat whose time is over; Refused `not-due` before that."""
    preconditions.check(table, Proposal("expired", (seat,), at=canonical.seconds(max(at, table.at))))
    return _with_events(table, secret, at, {"kind": "expired", "seat": seat})


def seat_opening(table: Table, secret: bytes, opening: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """The part of an entry for one seat alone: {"seq", "salt", "events"}, which its seal commits to."""
    events = [msgspec.to_builtins(redact(event, seat)) for event in table.load_events(opening["events"])]
    return {
        "seq": opening["seq"],
        "salt": canonical.to_base64url(seal_salt(secret, opening["seq"], seat)),
        "events": events,
    }


# --- putting the line together --------------------------------------------------------------------------------------


def _first(table: Table, at: str) -> dict[str, Any]:
    return {
        "v": VERSION,
        "game": table.game_id,
        "seq": table.size,
        "prev": canonical.to_base64url(table.head),
        "at": max(at, table.at),
    }


def _plain(table: Table, at: str, **body: Any) -> Composed:
    entry = write_entry(_first(table, at) | body)
    return Composed(entry.line, apply_known(table, entry))


def _with_events(
    table: Table,
    secret: bytes,
    at: str,
    body: dict[str, Any],
    commands: list[Any] | None = None,
    text: str | None = None,
) -> Composed:
    chance, hidden = lanes(table, secret)
    decided = decide(table, body["kind"], body.get("seat"), commands, chance, hidden)
    found = members_of(table, table.size, decided, secret, last_key(table, decided, secret))
    entry = write_entry(_first(table, at) | body | {name: msgspec.json.decode(data) for name, data in found.items()})
    after = apply_known(table, entry, decided.state, decided.hidden_next)
    return Composed(entry.line, after, _opening(table, decided, text), decided.done, decided.refusal)


def _opening(table: Table, decided: Decision, text: str | None) -> dict[str, Any] | None:
    if not table.hidden:
        return None
    opening = {"seq": table.size, "move": text, "events": msgspec.to_builtins(decided.events)}
    canonical.dumps(opening)
    return opening
