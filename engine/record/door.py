"""What may be done at a table now, and by whom: the checks that a server makes at its door and an auditor after it.

Each refuses with a stable code of `SAYS`. In the order in which the server asks: the act's shape (BadRecord), the
audience and the game it names, the signature by a key of that seat, the stage of the game, the head it was signed
upon, and whether the entry may follow now (`order.py`). Rules of the game are asked last, by the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from engine.errors import BadRecord, Refused, as_people_count
from engine.record import acts, base64url, keys, order
from engine.record import jws as jwss
from engine.record.acts import Act
from engine.record.jws import Jws
from engine.record.keys import Verify
from engine.record.order import Ask

if TYPE_CHECKING:
    from engine.record.table import Table

SAYS: Mapping[str, str] = {
    "wrong-audience": "The act is signed for {found}, not for {expected}.",
    "wrong-game": "The act is signed for another game.",
    "unknown-key": "The key {kid} holds no seat of this game.",
    "wrong-seat": "The key {kid} does not hold seat {seat}.",
    "dropped-key": "The key {kid} was dropped and signs no more.",
    "recovery-only": "The key {kid} is a recovery key, which signs key acts of its seat and nothing else.",
    "bad-signature": "The signature does not hold.",
    "wrong-key": "A join or a take is signed with the key that it brings.",
    "stale-head": "The act is signed upon an entry that is not the last.",
    "unknown-head": "The act is signed upon an entry that is none of this game.",
    **{rule.code: rule.says for rule in order.RULES},
}

KIND_OF: Mapping[str, str] = {act: kind for kind, act in acts.ACT_OF.items()}


class Signed(msgspec.Struct, frozen=True):
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
    check_stage(table, signed)
    check_head(table, signed.act)
    check_place(table, signed)
    return signed


def check_signer(table: Table, signed: Signed, verify: Verify = keys.verify) -> None:
    """The act is for this server and game, and signed with a key of its seat, or with the key that it comes with."""
    act, jws = signed.act, signed.jws
    if act.aud != table.server:
        raise Refused("wrong-audience", found=act.aud, expected=table.server)
    if act.game != table.game_id:
        raise Refused("wrong-game", found=act.game, expected=table.game_id)
    if act.seat >= table.seats:
        raise Refused("no-such-seat", seat=act.seat, seats=table.seats)
    public = _new_key(signed) if act.key is not None else _seat_key(table, act, jws.kid)
    if not verify(public, jws.signing_input, jws.signature):
        raise Refused("bad-signature", kid=jws.kid)


def _new_key(signed: Signed) -> bytes:
    public = keys.parse_jwk(signed.act.key)
    if keys.thumbprint(public) != signed.jws.kid:
        raise Refused("wrong-key", found=signed.jws.kid, expected=keys.thumbprint(public))
    return public


def _seat_key(table: Table, act: Act, kid: str) -> bytes:
    occupant = table.occupants[act.seat]
    public = occupant.public(kid) if occupant else None
    if public is not None:
        return public
    if occupant and occupant.recovery and occupant.recovers(kid):
        if act.act != "key":
            raise Refused("recovery-only", kid=kid)
        return occupant.recovery[1]
    holder = table.holder(kid)
    code = "unknown-key" if holder is None else "dropped-key" if holder == act.seat else "wrong-seat"
    raise Refused(code, kid=kid, seat=act.seat, **({} if holder is None else {"found": holder}))


def check_stage(table: Table, signed: Signed) -> None:
    """The game's stage allows such an act."""
    ask = asked(signed)
    order.check(table, ask, order.STAGE_OF[ask.kind])


def check_place(table: Table, signed: Signed) -> None:
    """The entry may follow now, at this seat."""
    ask = asked(signed)
    order.check(table, ask, order.PLACE_OF[ask.kind])


def asked(signed: Signed) -> Ask:
    """The entry that the act wants to become."""
    act = signed.act
    return Ask(KIND_OF[act.act], (act.seat,), act, signed.jws.kid)


def check_head(table: Table, act: Act) -> None:
    """The act is signed upon the last entry."""
    if is_upon_head(table, act):
        return
    code = "unknown-head" if act.seq >= table.size else "stale-head"
    raise Refused(code, found=act.seq, expected=table.size, head=base64url.encode(table.head))


def is_upon_head(table: Table, act: Act) -> bool:
    """Would the act be the next entry, by its own number and `prev`?"""
    return (act.seq, act.prev) == (table.size, table.head)


def as_bad_record(refused: Refused, seq: int) -> BadRecord:
    """The same, said of an entry that somebody logged all the same."""
    says = SAYS.get(refused.code, refused.code.replace("-", " ")).format_map(as_people_count(refused.facts))
    return BadRecord(refused.code, says, seq)
