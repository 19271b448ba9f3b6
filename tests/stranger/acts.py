"""Sections 5.2 and 5.3: what players sign, and the texts of sealed moves."""

from tests.stranger.entries import commands, game_id, seat, seq, server_name
from tests.stranger.keys import kid_of, public_of, verify
from tests.stranger.lines import Refused, exactly, need, read_sent, tobase, unbase

COMMON = ("v", "aud", "game", "act", "seat", "seq", "prev")
LOGGED = {
    "join": "joined", "leave": "left", "move": "moved", "key": "keyed",
    "offer": "offered", "take": "taken", "resign": "resigned",
}  # fmt: skip
LONGEST = 16_384


class Act:
    """A JWS taken apart: `header`, `payload`, the bytes signed and the signature."""

    def __init__(self, jws, typ="sealedmove+jws"):
        need(type(jws) is str and len(jws) <= LONGEST, "not a compact JWS")
        parts = jws.split(".")
        need(len(parts) == 3, "not a compact JWS")
        self.header = read_sent(unbase(parts[0]))
        exactly(self.header, "alg", "kid", "typ")
        need(self.header["alg"] in ("Ed25519", "EdDSA"), "another algorithm")
        need(self.header["typ"] == typ, "another type")
        unbase(self.header["kid"], 32)
        self.kid = self.header["kid"]
        self.payload = read_sent(unbase(parts[1]))
        self.signature = unbase(parts[2], 64)
        self.signed = jws.rpartition(".")[0].encode("ascii")

    def verify(self, public):
        need(self.kid == tobase(kid_of(public)), "signed with another key")
        verify(public, self.signed, self.signature)


def flag(value):
    need(value is True or value is False, "neither true nor false")


def maybe_key(value):
    if value is not None:
        public_of(value)


MORE = {
    "join": {"key": public_of, "nonce": lambda text: unbase(text, 32), "recovery": maybe_key, "bot": flag},
    "leave": {},
    "offer": {"open": flag},
    "take": {"key": public_of, "recovery": maybe_key, "bot": flag},
    "resign": {},
}
ONE_OF = {
    "move": {"commands": commands, "sealed": lambda text: unbase(text, 32)},
    "key": {"add": public_of, "drop": lambda text: unbase(text, 32), "recovery": public_of},
}


def check_payload(payload):
    """Refuses a payload that is not one of the seven acts."""
    act = payload.get("act")
    need(type(act) is str and act in LOGGED, "an unknown act")
    if act in ONE_OF:
        more = {name: form for name, form in ONE_OF[act].items() if name in payload}
        need(len(more) == 1, "not exactly one of the members that it may have")
    else:
        more = MORE[act]
    exactly(payload, *COMMON, *more)
    need(type(payload["v"]) is int and payload["v"] == 1, "another version")
    server_name(payload["aud"])
    game_id(payload["game"])
    seat(payload["seat"])
    seq(payload["seq"])
    unbase(payload["prev"], 32)
    for name, form in more.items():
        form(payload[name])


def read_act(jws):
    """An act whose form is right; its signature is still to be verified."""
    act = Act(jws)
    check_payload(act.payload)
    return act


def why_not_of(act, entry, server):
    """What an act says that its entry does not; None if it is the one the entry logs."""
    said = act.payload
    wanted = {name: entry[name] for name in ("game", "seat", "seq", "prev")} | {"aud": server}
    wrong = [name for name, value in wanted.items() if said[name] != value]
    if LOGGED[said["act"]] != entry["kind"]:
        wrong.append("act")
    if "bot" in entry and said.get("bot") is not entry["bot"]:
        wrong.append("bot")
    return f"the act names another {', '.join(wrong)}" if wrong else None


def read_move_text(text):
    """The commands in the text of a sealed move."""
    said = read_sent(text)
    exactly(said, "commands", "salt")
    commands(said["commands"])
    unbase(said["salt"], 32)
    return said["commands"]


def succession(jws, before, server):
    """The public key that the key `before` names as its successor (section 16)."""
    act = Act(jws, "sealedmove-server+jws")
    act.verify(before)
    exactly(act.payload, "v", "aud", "act", "key")
    said = act.payload
    need(type(said["v"]) is int and said["v"] == 1, "another version")
    if said["aud"] != server or said["act"] != "succeed":
        raise Refused("another server, or no succession")
    return public_of(said["key"])
