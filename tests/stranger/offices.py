"""Sections 4.2 and 5.2: the holders of each seat's keys, and what the check `signatures` requires of an act."""

from tests.stranger.acts import why_not_of
from tests.stranger.game import opened
from tests.stranger.keys import kid_of, public_of
from tests.stranger.lines import Refused, tobase, unbase

BROUGHT = 16


def thumb(jwk):
    return tobase(kid_of(public_of(jwk)))


def brought(said):
    """The kids of the keys that an act brings."""
    return [thumb(said[name]) for name in ("key", "add", "recovery") if said.get(name) is not None]


def fault_of(game, entry, act, fault):
    """Why the check `signatures` fails at this entry, or None; `fault` is why its act could not be read."""
    if "jws" not in entry:
        return unsigned_fault(game, entry) if entry["kind"] == "moved" else None
    if entry["jws"] is None:
        return None
    if act is None:
        return fault
    seat = game.at(entry["seat"])
    wrong = why_not_of(act, entry, game.created["server"])
    return wrong or signer_fault(seat, act) or next((code for code, holds in laws(game, seat, act) if not holds), None)


def unsigned_fault(game, entry):
    if not game.created["unsigned"]:
        return "unsigned-move"
    return None if ("sealed" in entry) is game.created["hidden"] else "wrong-form"


def signer_fault(seat, act):
    """Whether the act is signed by a key that may sign it."""
    said = act.payload
    if "key" in said:
        public = public_of(said["key"])
    elif seat is None:
        return "a seat that is none"
    elif said["act"] == "key" and seat.recovery and act.kid == seat.recovery[0]:
        public = seat.recovery[1]
    else:
        public = seat.keys.get(act.kid)
    if public is None:
        return "signed by no key of the seat"
    try:
        act.verify(public)
    except Refused as fault:
        return str(fault)
    return None


def laws(game, seat, act):
    """The laws of 4.2 that are counted under `signatures`, in their order."""
    said = act.payload
    new = brought(said)
    yield "key-taken", len(set(new)) == len(new) and not game.held & set(new)
    if said["act"] == "key":
        by_recovery = signs_recovery(seat, act)
        yield "not-recovery", "recovery" not in said or by_recovery
        drop = said.get("drop")
        yield "recovery-stays", drop is None or not seat.recovery or drop != seat.recovery[0]
        yield "not-a-key", drop is None or drop in seat.keys
        yield "last-key", drop is None or len(seat.keys) > 1
        yield "too-many-keys", not new or (seat.by_recovery if by_recovery else seat.by_keys) < BROUGHT
    if said["act"] == "move":
        yield "wrong-form", ("sealed" in said) is game.created["hidden"]


def signs_recovery(seat, act):
    return bool(seat.recovery) and act.kid == seat.recovery[0]


def apply(game, entry, act, holders):
    """What an entry does to the keys of its seat; an act that cannot be read leaves them alone."""
    seat = game.at(entry["seat"]) if "seat" in entry else None
    if seat is None:
        return
    if entry["kind"] == "left":
        leave(game, seat)
        end_holder(holders, entry)
    elif entry["kind"] in ("joined", "taken"):
        sit(game, seat, entry, act, holders)
    elif act is not None and entry["kind"] == "keyed" and act.payload["act"] == "key":
        change_keys(game, seat, act)
    elif act is not None and entry["kind"] == "offered" and "open" in act.payload:
        opened(seat, act.payload["open"])


def leave(game, seat):
    """All keys that the holder brought, those dropped or replaced too, may come again."""
    game.held -= seat.brought
    seat.empty()


def sit(game, seat, entry, act, holders):
    by = "join" if entry["kind"] == "joined" else "offer" if seat.open else "absence"
    person = seat.person
    seat.empty()
    seat.sits = True
    end_holder(holders, entry)
    if act is None or "key" not in act.payload:
        return
    said = act.payload
    public = public_of(said["key"])
    seat.keys = {tobase(kid_of(public)): public}
    if said["recovery"] is not None:
        seat.recovery = thumb(said["recovery"]), public_of(said["recovery"])
    seat.person = person
    if "nonce" in said:
        seat.person = b"" if said["bot"] else kid_of(public) + unbase(said["nonce"], 32)
    seat.brought = set(brought(said))
    game.held |= seat.brought
    holders.append({
        "seat": entry["seat"], "kid": next(iter(seat.keys)), "bot": said["bot"], "since": entry["seq"],
        "until": None, "by": by,
    })  # fmt: skip


def end_holder(holders, entry):
    for holder in holders:
        if holder["seat"] == entry["seat"] and holder["until"] is None:
            holder["until"] = entry["seq"]


def change_keys(game, seat, act):
    said = act.payload
    for name in ("add", "recovery"):
        if name in said:
            kid = thumb(said[name])
            seat.brought.add(kid)
            game.held.add(kid)
            if signs_recovery(seat, act):
                seat.by_recovery += 1
            else:
                seat.by_keys += 1
            if name == "add":
                seat.keys[kid] = public_of(said["add"])
            else:
                seat.recovery = kid, public_of(said["recovery"])
    seat.keys.pop(said.get("drop"), None)
