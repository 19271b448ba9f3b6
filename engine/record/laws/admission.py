"""The admission of an act to the log: its signer, its game, the entry it was signed on, and its place in the log.

A server checks it before it writes the entry, an auditor after it. Each check refuses with a stable code of `SAYS`. The
order of the server's checks: the act's shape (BadRecord), the audience and the game it names, the signature by a
key of that seat, the stage of the game, the head on which it was signed, and whether the entry may follow now
(`preconditions.py`). The engine asks the rules of the game last.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import BadRecord, Refused, as_people_count
from engine.record.encoding import canonical
from engine.record.laws import preconditions
from engine.record.laws.proposal import Proposal
from engine.record.log.entry import Entry
from engine.record.log.table import Table
from engine.record.signed import acts, keys
from engine.record.signed.acts import KIND_OF, Act, SignedAct, read_signed
from engine.record.signed.keys import Verify

RECOVERY_SIGNS = ("key", "offer")

SAYS: Mapping[str, str] = {
    "wrong-audience": "The act is signed for {found}, not for {expected}.",
    "wrong-game": "The act is signed for another game.",
    "unknown-key": "The key {kid} is not a key of this game.",
    "wrong-seat": "The key {kid} is not a key of seat {seat}.",
    "dropped-key": "The key {kid} is no longer a key of seat {seat}.",
    "recovery-only": "The key {kid} is a recovery key. It can only change keys and offer the seat.",
    "bad-signature": "The signature is not valid.",
    "wrong-key": "A join or a take must be signed with the key that it brings.",
    "stale-head": "The act was signed on an entry that is not the last.",
    "unknown-head": "The act was signed on an entry that is not in this game.",
    **{law.code: law.says for law in preconditions.LAWS},
}


def check_act(table: Table, compact: object, at: int) -> SignedAct:
    """All checks on a player's act but the game's rules, in the server's order; Refused with the first that fails.

    `at` is the time (seconds since 1970) that its entry would have. A server that finds `stale-head` tells it from
    `unknown-head` by looking for `act.prev` in its log.
    """
    signed = read_signed(compact)
    check_signer(table, signed)
    check_stage(table, signed)
    check_head(table, signed.act)
    check_place(table, signed, at)
    return signed


def check_signer(table: Table, signed: SignedAct, verify: Verify = keys.verify) -> None:
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


def _new_key(signed: SignedAct) -> bytes:
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
        if act.act not in RECOVERY_SIGNS:
            raise Refused("recovery-only", kid=kid)
        return occupant.recovery[1]
    if kid in table.listed[act.seat]:
        raise Refused("dropped-key", kid=kid, seat=act.seat)
    elsewhere = table.seats_of(kid)
    code = "wrong-seat" if elsewhere else "unknown-key"
    raise Refused(code, kid=kid, seat=act.seat, **({"found": elsewhere[0]} if elsewhere else {}))


def check_stage(table: Table, signed: SignedAct) -> None:
    """The game's stage allows such an act."""
    proposal = proposal_of(signed)
    preconditions.check(table, proposal, preconditions.STAGE_OF[proposal.kind])


def check_place(table: Table, signed: SignedAct, at: int) -> None:
    """The entry may follow at this time (seconds since 1970), at this seat."""
    proposal = proposal_of(signed, at)
    preconditions.check(table, proposal, preconditions.PLACE_OF[proposal.kind])


def proposal_of(signed: SignedAct, at: int = 0) -> Proposal:
    """The entry that the act would become; `at` matters only for a `take`."""
    act = signed.act
    return Proposal(KIND_OF[act.act], (act.seat,), act, signed.jws.kid, at)


def check_fits(act: Act, entry: Entry, *, server: str, hidden: bool) -> None:
    """BadRecord unless the act is the one that this entry logs: of its kind, for its server, game, seat and place."""
    body, seq = entry.body, entry.seq
    if act.act != acts.ACT_OF.get(entry.kind):
        raise BadRecord("wrong-act", f"an entry of kind {entry.kind} cannot log the act {act.act}", seq)
    said = (act.aud, act.game, act.seat, act.seq, act.prev, act.bot)
    due = (server, entry.game, body["seat"], seq, entry.prev, body.get("bot"))
    if said != due:
        name = next(name for name, a, b in zip(_SAID, said, due, strict=True) if a != b)
        raise BadRecord(f"wrong-{name}", f"the signed {name} differs from the entry's", seq)
    if act.act == "move" and hidden != (act.sealed is not None):
        raise BadRecord("wrong-form", "a move must be sealed in a hidden game, and only there", seq)


_SAID = ("server", "game", "seat", "seq", "prev", "bot")


def check_head(table: Table, act: Act) -> None:
    """The act was signed on the last entry."""
    if is_on_head(table, act):
        return
    code = "unknown-head" if act.seq >= table.size else "stale-head"
    raise Refused(code, found=act.seq, expected=table.size, head=canonical.to_base64url(table.head))


def is_on_head(table: Table, act: Act) -> bool:
    """Would the act be the next entry, by its own number and `prev`?"""
    return (act.seq, act.prev) == (table.size, table.head)


def as_bad_record(refused: Refused, seq: int) -> BadRecord:
    """The same refusal, for an entry that was logged despite it."""
    says = SAYS.get(refused.code, refused.code.replace("-", " ")).format_map(as_people_count(refused.facts))
    return BadRecord(refused.code, says, seq)
