"""Makes small bundles of a game without rules, honest or not, to try the verifier on."""

import base64
from datetime import UTC, datetime, timedelta

from nacl.signing import SigningKey

from tests.stranger import chance
from tests.stranger.keys import kid_of
from tests.stranger.lines import H, leaf, tobase, write

SECRET, ZERO = bytes(range(32)), tobase(bytes(32))
GAME, SERVER = "0193f3c2-0000-7000-8000-000000000001", "games.example"
START = datetime(2026, 11, 21, 10, tzinfo=UTC)
CLOCK = {"move": 600, "bank": 0, "increment": 0, "cap": 0, "grace": 60, "missed": 2}


def key(number):
    """A key pair that nobody should use."""
    return SigningKey(H(b"forge" + bytes([number])))


def public(number):
    return bytes(key(number).verify_key)


def jwk(number):
    return {"crv": "Ed25519", "kty": "OKP", "x": tobase(public(number))}


def kid(number):
    return tobase(kid_of(public(number)))


def jws(payload, number, typ="sealedmove+jws"):
    header = {"alg": "Ed25519", "kid": kid(number), "typ": typ}
    signed = ".".join(tobase(write(part).encode("ascii")) for part in (header, payload))
    return f"{signed}.{tobase(key(number).sign(signed.encode('ascii')).signature)}"


class Forge:
    """A log that grows; `minute` moves its clock, `created` changes members of entry 0."""

    def __init__(self, **created):
        self.lines, self.openings, self.now, self.drawn, self.people = [], [], START, 0, {}
        self.created = {
            "server": SERVER, "server_key": tobase(public(9)), "rules": {"data": None, "game": "toy", "version": 1},
            "options": {}, "seats": 2, "hidden": False, "clock": CLOCK, "handover": "both", "unsigned": False,
            "terms": None, "chance": {"draws": 20, "chain": tobase(chance.chain(SECRET, 20))},
        } | created  # fmt: skip
        self.log("created", **self.created)

    def log(self, kind, **members):
        prev = tobase(leaf(self.lines[-1])) if self.lines else ZERO
        entry = {
            "v": 1, "game": GAME, "seq": len(self.lines), "prev": prev, "at": f"{self.now:%Y-%m-%dT%H:%M:%SZ}",
            "kind": kind,
        } | members  # fmt: skip
        self.lines.append(write(entry).encode("ascii"))

    def later(self, seconds):
        self.now += timedelta(seconds=seconds)

    def act(self, kind, act, seat, signer, log=(), **payload):
        """An entry with the act of a seat; `log` holds what the entry has beside it."""
        said = {
            "v": 1, "aud": SERVER, "game": GAME, "act": act, "seat": seat, "seq": len(self.lines),
            "prev": tobase(leaf(self.lines[-1])),
        } | payload  # fmt: skip
        self.log(kind, seat=seat, jws=jws(said, signer), **dict(log))

    def join(self, seat, number, recovery=None, bot=False):
        self.people[seat] = b"" if bot else kid_of(public(number)) + H(bytes([number]))
        recovery = None if recovery is None else jwk(recovery)
        self.act(
            "joined", "join", seat, number, {"bot": bot}, key=jwk(number), nonce=tobase(H(bytes([number]))),
            recovery=recovery, bot=bot,
        )  # fmt: skip

    def take(self, seat, number, recovery=None, bot=False):
        recovery = None if recovery is None else jwk(recovery)
        self.act("taken", "take", seat, number, {"bot": bot}, key=jwk(number), recovery=recovery, bot=bot)

    def events(self, draws=(), ends=False, move=None):
        """EVENTS, with an opening in a hidden game."""
        seq, size = len(self.lines), self.created["seats"]
        made = {"events": [{"is": "went", "at": seq}], "state": ZERO}
        if self.created["hidden"]:
            full = [{"is": "saw", "at": seq}]
            own = chance.seal(SECRET, seq, size, full)
            made["seals"] = [tobase(bytes(32))] * size + [tobase(own)]
            self.openings.append({"seq": seq, "events": full, "move": move})
        if draws:
            made["draws"] = self.draw(draws)
        if ends:
            points = [["points", [0] * size]]
            outcome = {"places": [list(range(size))], "points": points, "out": [], "reason": "end", "won": True}
            made |= {"outcome": outcome, "secret": tobase(SECRET)}
        return made

    def draw(self, sizes):
        mixed = chance.entropy(leaf(self.lines[0]), self.people.values())
        first, got, most = self.drawn + 1, [], self.created["chance"]["draws"]
        for n in sizes:
            self.drawn += 1
            got.append([n, chance.draw(chance.chain(SECRET, most, self.drawn), mixed, self.drawn, n)])
        return {"first": first, "got": got, "key": tobase(chance.chain(SECRET, most, self.drawn))}

    def start(self, draws=()):
        self.log("started", **self.events(draws))

    def move(self, seat, signer, draws=(), ends=False):
        if self.created["hidden"]:
            text = write({"commands": [1], "salt": ZERO})
            said = {"sealed": tobase(chance.sealed(text.encode("ascii")))}
            return self.act("moved", "move", seat, signer, self.events(draws, ends, text), **said)
        return self.act("moved", "move", seat, signer, self.events(draws, ends), commands=[1])

    def expire(self, seat):
        self.log("expired", seat=seat, **self.events())

    def note(self, number=None):
        number = number or len(self.lines)
        head = base64.b64encode(leaf(self.lines[number - 1])).decode("ascii")
        text = f"{SERVER}/game/{GAME}\n{number}\n{head}\n"
        own = H(SERVER.encode("ascii") + b"\n\1" + public(9))[:4] + key(9).sign(text.encode("ascii")).signature
        return f"{text}\n\u2014 {SERVER} {base64.b64encode(own).decode('ascii')}\n"

    def file(self, openings=False):
        tail = [write(each).encode("ascii") for each in self.openings] if openings else []
        parts = [b"sealedmove bundle 1", *self.lines, b"", self.note().removesuffix("\n").encode("utf-8"), b"", *tail]
        return b"".join(part + b"\n" for part in parts)


def table(players=2, **created):
    """A game at its start; seat i has key 10 + i, and 20 + i as its recovery key."""
    forge = Forge(seats=players, **created)
    for seat in range(players):
        forge.join(seat, 10 + seat, 20 + seat)
    forge.start()
    return forge
