"""What may be done at a table now, and by whom: the checks that a server makes at its door and an auditor after it.

Each refuses with a stable code of `SAYS`. In the order in which the server asks: the act's shape (BadRecord), the
audience and the game it names, the signature by a key of that seat, the stage of the game, the head it was signed
upon, the seat's turn. Rules of the game are asked last, by the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import BadRecord, Refused
from engine.record import acts, base64url, keys
from engine.record import jws as jwss
from engine.record.acts import Act
from engine.record.jws import Jws

if TYPE_CHECKING:
    from engine.record.table import Table

SAYS: Mapping[str, str] = {
    "wrong-audience": "The act is signed for {found}, not for {expected}.",
    "wrong-game": "The act is signed for another game.",
    "no-such-seat": "The game has no seat {seat}.",
    "unknown-key": "The key {kid} holds no seat of this game.",
    "wrong-seat": "The key {kid} does not hold seat {seat}.",
    "dropped-key": "The key {kid} was dropped and signs no more.",
    "bad-signature": "The signature does not hold.",
    "wrong-key": "A join is signed with the key that it brings.",
    "game-over": "The game is over.",
    "not-started": "The game has not started.",
    "already-started": "The game has started.",
    "seat-taken": "Seat {seat} is taken.",
    "seat-empty": "Nobody sits in seat {seat}.",
    "not-full": "There are empty seats.",
    "already-resigned": "Seat {seat} has resigned already.",
    "key-taken": "The key {kid} holds or held a seat of this game.",
    "last-key": "A seat keeps at least one key.",
    "stale-head": "The act is signed upon an entry that is not the last.",
    "unknown-head": "The act is signed upon an entry that is none of this game.",
    "wrong-form": "A move is sealed in a hidden game and only there.",
    "unsigned-move": "This game takes signed moves only.",
    "not-due": "The time of seat {seat} is not over.",
    "not-active": "It is not this seat's turn.",
}

KIND_OF: Mapping[str, str] = {act: kind for kind, act in acts.ACT_OF.items()}


@dataclass(frozen=True, slots=True)
class Signed:
    """An act with the JWS that carries it."""

    jws: Jws
    act: Act


def read_signed(compact: object) -> Signed:
    """The act in a compact JWS, its signature not yet verified; BadRecord if it is none."""
    jws = jwss.read(compact)
    return Signed(jws, acts.read_act(jws))


def check_act(table: Table, compact: object) -> Signed:
    """All checks on a player's act but the game's rules, in the server's order; Refused with the first that fails.

    A server that finds `stale-head` tells it from `unknown-head` further by looking for `act.prev` in its log.
    """
    signed = read_signed(compact)
    check_signer(table, signed)
    check_stage(table, KIND_OF[signed.act.act], signed.act.seat)
    check_keys(table, signed.act)
    check_head(table, signed.act)
    check_turn(table, signed.act)
    return signed


def check_signer(table: Table, signed: Signed) -> None:
    """The act is for this server and game, and signed with a key of its seat, or with the key that it joins with."""
    act, jws = signed.act, signed.jws
    if act.aud != table.server:
        raise Refused("wrong-audience", found=act.aud, expected=table.server)
    if act.game != table.game_id:
        raise Refused("wrong-game", found=act.game, expected=table.game_id)
    if act.seat >= table.seats:
        raise Refused("no-such-seat", seat=act.seat, seats=table.seats)
    public = _joining_key(signed) if act.act == "join" else _seat_key(table, act.seat, jws.kid)
    if not keys.verify(public, jws.signing_input, jws.signature):
        raise Refused("bad-signature", kid=jws.kid)


def _joining_key(signed: Signed) -> bytes:
    public = keys.parse_jwk(signed.act.key)
    if keys.thumbprint(public) != signed.jws.kid:
        raise Refused("wrong-key", found=signed.jws.kid, expected=keys.thumbprint(public))
    return public


def _seat_key(table: Table, seat: int, kid: str) -> bytes:
    occupant = table.occupants[seat]
    public = occupant.public(kid) if occupant else None
    if public is not None:
        return public
    holder = table.holder(kid)
    code = "unknown-key" if holder is None else "dropped-key" if holder == seat else "wrong-seat"
    raise Refused(code, kid=kid, seat=seat)


def check_stage(table: Table, kind: str, seat: int | None = None) -> None:
    """An entry of this kind may follow now, about this seat."""
    if table.is_over:
        raise Refused("game-over", stage=table.stage)
    if kind in ("moved", "resigned", "expired") and table.stage != "running":
        raise Refused("not-started")
    if kind in ("created", "joined", "left", "started") and table.stage != "lobby":
        raise Refused("already-started")
    if kind == "started" and not table.is_full:
        raise Refused("not-full", empty=tuple(s for s, o in enumerate(table.occupants) if o is None))
    if seat is not None:
        _check_seat(table, kind, seat)


def _check_seat(table: Table, kind: str, seat: int) -> None:
    if seat >= table.seats:
        raise Refused("no-such-seat", seat=seat, seats=table.seats)
    if kind == "joined" and table.occupants[seat] is not None:
        raise Refused("seat-taken", seat=seat)
    if kind != "joined" and table.occupants[seat] is None:
        raise Refused("seat-empty", seat=seat)
    if kind == "resigned" and seat in table.gone:
        raise Refused("already-resigned", seat=seat)


def check_keys(table: Table, act: Act) -> None:
    """A key that comes is new to the game; one that goes is in force and not the seat's last."""
    coming = act.key or act.add
    if coming is not None:
        kid = keys.thumbprint(keys.parse_jwk(coming))
        if table.holder(kid) is not None:
            raise Refused("key-taken", kid=kid)
    if act.drop is not None:
        occupant = table.occupants[act.seat]
        if occupant is None or occupant.public(act.drop) is None:
            raise Refused("unknown-key", kid=act.drop, seat=act.seat)
        if len(occupant.keys) == 1:
            raise Refused("last-key", kid=act.drop)


def check_head(table: Table, act: Act) -> None:
    """The act is signed upon the last entry."""
    if is_upon_head(table, act):
        return
    code = "unknown-head" if act.seq >= table.size else "stale-head"
    raise Refused(code, found=act.seq, expected=table.size, head=base64url.encode(table.head))


def is_upon_head(table: Table, act: Act) -> bool:
    """Would the act be the next entry, by its own number and `prev`?"""
    return (act.seq, act.prev) == (table.size, table.head)


def check_turn(table: Table, act: Act) -> None:
    """A move is of the game's form and by a seat that owes one."""
    if act.act != "move":
        return
    if table.hidden != (act.sealed is not None):
        raise Refused("wrong-form", hidden=table.hidden)
    if act.seat not in table.active:
        raise Refused("not-active", seat=act.seat)


def as_bad_record(refused: Refused, seq: int) -> BadRecord:
    """The same, said of an entry that somebody logged all the same."""
    facts = {"kid": "", "seat": "", "found": "", "expected": "", **refused.facts}
    says = SAYS.get(refused.code, refused.code.replace("-", " ")).format_map(facts)
    return BadRecord(refused.code, says, seq)
