"""Makes games of a toy that has no rules, acts of accounts and key backups, for the verifier to judge."""

import base64
import datetime as dt
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC
from cryptography.hazmat.primitives.keywrap import aes_key_wrap

from tests.stranger import chance, keybox
from tests.stranger.acts import seal_of
from tests.stranger.entries import WITH_EVENTS
from tests.stranger.keys import kid_of
from tests.stranger.lines import H, Json, K, leaf, to_base64url, write

SERVER = "games.example"
GAME = "0193f3c2-0000-7000-8000-000000000001"
SECRET = b"\5" * 32
CLOCK = {"move": 300, "bank": 300, "increment": 0, "cap": 300, "grace": 60, "grants": 1000, "missed": 2}
BEGAN = dt.datetime(2026, 11, 21, 10, tzinfo=dt.UTC)
SERVER_KEY = 9


def _private(number: int) -> Ed25519PrivateKey:
    """The key of this number, which everybody knows."""
    return Ed25519PrivateKey.from_private_bytes(H(b"forge" + number.to_bytes(2, "big")))


def public(number: int) -> bytes:
    return _private(number).public_key().public_bytes_raw()


def jwk(number: int) -> dict[str, Json]:
    return {"crv": "Ed25519", "kty": "OKP", "x": to_base64url(public(number))}


def kid(number: int) -> str:
    return kid_of(public(number))


def sign(typ: str, key: int, payload: dict[str, Json]) -> str:
    """A JWS of this type, by this key."""
    header = {"alg": "Ed25519", "kid": kid(key), "typ": typ}
    signed = f"{to_base64url(write(header))}.{to_base64url(write(payload))}"
    return f"{signed}.{to_base64url(_private(key).sign(signed.encode('ascii')))}"


def backup(code: str, key: int, account: int = 7, **plain: Json) -> str:
    """The backup of this key, opened by this code; `plain` replaces members of its plaintext."""
    salt, iv, content_key = bytes(16), bytes(12), bytes(32)
    header = {
        "alg": keybox.ALG, "enc": keybox.ENC, "p2c": keybox.COUNT, "p2s": to_base64url(salt), "kid": kid(key),
        "aud": SERVER, "sub": str(account),
    }  # fmt: skip
    protected = to_base64url(write(header))
    wrapping = PBKDF2HMAC(SHA512(), 32, f"{keybox.ALG}\0".encode("ascii") + salt, keybox.COUNT)
    wrapped = aes_key_wrap(wrapping.derive(code.replace("-", "").encode("ascii")), content_key)
    jwk_of_both = jwk(key) | {"d": to_base64url(_private(key).private_bytes_raw())} | plain
    sealed = AESGCM(content_key).encrypt(iv, write(jwk_of_both), protected.encode("ascii"))
    return ".".join([protected, *map(to_base64url, (wrapped, iv, sealed[:-16], sealed[-16:]))])


def zeros() -> str:
    return to_base64url(bytes(32))


class Forge:
    """A log in the making. Keys are named by numbers; only `later` lets time pass."""

    def __init__(
        self,
        *,
        hidden: bool = False,
        handover: tuple[str, int] = ("both", 0),
        clock: dict[str, int] | None = CLOCK,
        rules: dict[str, Json] | None = None,
        unsigned: bool = False,
        draws: int = 20,
    ) -> None:
        self.hidden, self.draws = hidden, draws
        self.now, self.drawn, self.mixed = 0, 0, b""
        self.lines: list[bytes] = []
        self.openings: list[dict[str, Json]] = []
        self.people: dict[int, bytes] = {}
        self.log(
            "created",
            server=SERVER,
            server_key=to_base64url(public(SERVER_KEY)),
            rules=rules or {"game": "toy", "version": 1, "data": None},
            options={},
            seats=2,
            hidden=hidden,
            clock=clock,
            handover={"by": handover[0], "wait": handover[1]},
            unsigned=unsigned,
            terms=None,
            chance={"draws": draws, "chain": to_base64url(chance.chain(SECRET, draws, 0))},
        )

    @property
    def seq(self) -> int:
        return len(self.lines)

    @property
    def prev(self) -> str:
        return to_base64url(leaf(self.lines[-1])) if self.lines else zeros()

    def later(self, seconds: int) -> None:
        self.now += seconds

    def log(self, kind: str, **members: Json) -> None:
        at = (BEGAN + dt.timedelta(seconds=self.now)).strftime("%Y-%m-%dT%H:%M:%SZ")
        common = {"v": 1, "game": GAME, "seq": self.seq, "prev": self.prev, "at": at, "kind": kind}
        if kind in WITH_EVENTS and self.hidden:
            seals = [chance.seal(SECRET, self.seq, i, members["events"]) for i in range(3)]
            members["seals"] = [to_base64url(seal) for seal in seals]
            self.openings.append({"seq": self.seq, "events": members["events"], "move": members.pop("text", None)})
        self.lines.append(write(common | members))

    def act(
        self, kind: str, act: str, seat: int, key: int, logged: dict[str, Json] | None = None, /, **says: Json
    ) -> None:
        """An act of this seat, signed by this key, and the entry that logs it."""
        payload = {"v": 1, "aud": SERVER, "game": GAME, "act": act, "seat": seat, "seq": self.seq, "prev": self.prev}
        jws = sign("sealedmove+jws", key, payload | says)
        bot = {"bot": says["bot"]} if "bot" in says else {}
        self.log(kind, seat=seat, jws=jws, **bot, **(logged or {}))

    def join(self, seat: int, key: int, recovery: int | None = None) -> None:
        nonce = H(b"nonce" + bytes([seat]))
        self.people[seat] = H(write(jwk(key))) + nonce
        self.act("joined", "join", seat, key, nonce=to_base64url(nonce), **_keys(key, recovery))

    def take(self, seat: int, key: int, recovery: int | None = None) -> None:
        self.act("taken", "take", seat, key, **_keys(key, recovery))

    def start(self, draws: tuple[int, ...] = ()) -> None:
        self.mixed = chance.entropy(leaf(self.lines[0]), self.people.values())
        self.log("started", **self.events(draws))

    def move(self, seat: int, key: int, draws: tuple[int, ...] = (), *, ends: bool = False) -> None:
        logged, commands = self.events(draws, ends=ends), [self.seq % 2]
        if self.hidden:
            text = write({"commands": commands, "salt": zeros()})
            logged["text"] = text.decode("ascii")
            self.act("moved", "move", seat, key, logged, sealed=seal_of(text))
        else:
            self.act("moved", "move", seat, key, logged, commands=commands)

    def expire(self, seat: int) -> None:
        self.log("expired", seat=seat, **self.events())

    def grant(self, seconds: int, why: str = "host") -> None:
        self.log("granted", seats=[0], seconds=seconds, why=why)

    def events(self, draws: tuple[int, ...] = (), *, ends: bool = False) -> dict[str, Any]:
        """The members of an entry with events after such a draw."""
        state = chance.state_hash({}, K(SECRET, "state", self.seq, 0) if self.hidden else bytes(32))
        members: dict[str, Any] = {"events": [], "state": to_base64url(state)}
        if draws:
            first, self.drawn = self.drawn + 1, self.drawn + len(draws)
            keys = [chance.chain(SECRET, self.draws, d) for d in range(first, self.drawn + 1)]
            results = [chance.draw(key, self.mixed, first + i, draws[i])[0] for i, key in enumerate(keys)]
            got = [list(each) for each in zip(draws, results, strict=True)]
            members["draws"] = {"first": first, "got": got, "key": to_base64url(keys[-1])}
        if ends:
            members["outcome"] = {"places": [[0], [1]], "points": [], "out": [], "reason": "over", "won": True}
            members["secret"] = to_base64url(SECRET)
        return members

    def note(self) -> str:
        head = base64.b64encode(leaf(self.lines[-1])).decode("ascii")
        text = f"{SERVER}/game/{GAME}\n{self.seq}\n{head}\n"
        key_id = H(f"{SERVER}\n\1".encode("ascii") + public(SERVER_KEY))[:4]
        signature = base64.b64encode(key_id + _private(SERVER_KEY).sign(text.encode("ascii"))).decode("ascii")
        return f"{text}\n\u2014 {SERVER} {signature}\n"

    def file(self, openings: bool = False) -> bytes:
        entries = b"".join(line + b"\n" for line in self.lines)
        further = b"".join(write(opening) + b"\n" for opening in self.openings) if openings else b""
        return b"sealedmove bundle 1\n" + entries + b"\n" + self.note().encode("utf-8") + b"\n" + further


def _keys(key: int, recovery: int | None) -> dict[str, Json]:
    return {"key": jwk(key), "recovery": None if recovery is None else jwk(recovery), "bot": False}


def joined(*seats: int, **created: Any) -> Forge:
    """Seat n has device key 10 + n and recovery key 20 + n."""
    forge = Forge(**created)
    for seat in seats:
        forge.join(seat, 10 + seat, 20 + seat)
    return forge


def table(**created: Any) -> Forge:
    """A game of two that has begun."""
    forge = joined(0, 1, **created)
    forge.start()
    return forge
