"""Whole recorded games of the tiny games, played with keys through the composers: for record, audit and server tests.

record = Record("bids", seats=3)        # created, joined by every seat, started
record.play()                           # at random by `seed`, to the end
record.bundle()                         # the file that anybody can audit
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from engine import registry
from engine.kit import Step, dump_steps, legal
from engine.record.compose import entries as c
from engine.record.encoding import canonical
from engine.record.encoding.canonical import H, leaf
from engine.record.laws import admission, preconditions
from engine.record.laws.proposal import Proposal
from engine.record.log import bundle
from engine.record.log.entry import Entry, read_entry
from engine.record.log.table import Table
from engine.record.signed import acts, keys, moves, note
from engine.record.signed.keys import sign_jws
from tests.kit import installed

installed.here()

GAME_ID = "0193f3c2-0000-7000-8000-000000000001"
SERVER = "games.example"
SERVER_SEED = b"\x09" * 32
OTHER_SEED = b"\x0a" * 32
CLOCK = {"move": 259200, "bank": 0, "increment": 0, "cap": 0, "grace": 300, "missed": 2, "grants": 2**20}
START = canonical.seconds("2026-11-21T10:00:00Z")


def seed_of(seat: int, which: int = 0) -> bytes:
    """The private seed of a seat's first, second ... key."""
    return H(b"key %d %d" % (seat, which))


def jwk_of(seed: bytes) -> keys.Jwk:
    """The public JWK of a private seed."""
    return keys.jwk(keys.public_of(seed))


class Record:
    """A running game with all data of its server and players."""

    def __init__(self, game: str = "pig", seats: int = 2, seed: int = 1, *, start: bool = True, **created: Any) -> None:
        self.random = random.Random(seed)
        self.secret = H(b"secret %d" % seed)
        self.now = START
        self.lines: list[bytes] = []
        self.openings: list[dict[str, Any]] = []
        self.game = registry.find(game)
        self.seeds = {seat: seed_of(seat) for seat in range(seats)}
        self.table: Table = self.first(seats, **created)
        if start:
            for seat in range(seats):
                self.join(seat)
            self.start()

    def first(self, seats: int, **created: Any) -> Table:
        options = created.pop("options", None) or self.game.meta.options()
        clock = CLOCK if seats > 1 else None
        given = {"server": SERVER, "game_id": GAME_ID, "clock": clock, "secret": self.secret} | created
        if isinstance(given.get("handover"), str):
            given["handover"] = {"by": given["handover"], "wait": 0}
        made = c.compose_created(self.game, options, seats, server_key=keys.public_of(SERVER_SEED), at=self.at, **given)
        self.lines.append(made.line)
        return made.table

    @property
    def at(self) -> str:
        return canonical.instant(self.now)

    def put(self, made: c.Composed) -> c.Composed:
        self.lines.append(made.line)
        self.table = made.table
        if made.opening:
            self.openings.append(made.opening)
        self.now += 60
        return made

    # --- acts -------------------------------------------------------------------------------------------------------

    def where(self, seat: int) -> dict[str, Any]:
        t = self.table
        return {"aud": t.server, "game": t.game_id, "seat": seat, "seq": t.size, "prev": t.head}

    def signed(self, payload: dict[str, Any], seed: bytes | None = None) -> acts.SignedAct:
        return admission.check_act(self.table, sign_jws(seed or self.seeds[payload["seat"]], payload), self.now)

    def act(self, payload: dict[str, Any], seed: bytes | None = None) -> c.Composed:
        """Log an act that the rules of the game do not decide."""
        return self.put(c.compose_plain(self.table, self.signed(payload, seed), self.at))

    def join(
        self, seat: int, *, bot: bool = False, nonce: bytes | None = None, recovery: bytes | None = None
    ) -> c.Composed:
        """`recovery` is the private seed of a recovery key."""
        back = None if recovery is None else jwk_of(recovery)
        given = {"key": jwk_of(self.seeds[seat]), "nonce": nonce or H(b"nonce %d" % seat), "recovery": back}
        return self.act(acts.join(**self.where(seat), **given, bot=bot))

    def leave(self, seat: int) -> c.Composed:
        return self.act(acts.leave(**self.where(seat)))

    def remove(self, seat: int) -> c.Composed:
        return self.put(removed(self.table, self.at, seat))

    def offer(self, seat: int, *, is_open: bool = True, by: bytes | None = None) -> c.Composed:
        return self.act(acts.offer(**self.where(seat), open_=is_open), by)

    def take(
        self, seat: int, which: int = 2, *, bot: bool = False, recovery: bytes | None = None, seed: bytes | None = None
    ) -> c.Composed:
        """Give the seat a new holder, who plays on with this key or their own (`seed_of(seat, which)`)."""
        seed, back = seed or seed_of(seat, which), None if recovery is None else jwk_of(recovery)
        act = acts.take(**self.where(seat), key=jwk_of(seed), recovery=back, bot=bot)
        made = self.act(act, seed)
        self.seeds[seat] = seed
        return made

    def grant(self, seats: Sequence[int], seconds: int, why: str = "host") -> c.Composed:
        return self.put(c.compose_granted(self.table, self.at, seats, seconds, why))

    def restored(self, size: int, head: bytes) -> c.Composed:
        """The server states that it lost its log up to this size, the last entry with this hash."""
        return self.put(c.compose_restored(self.table, self.at, size, head))

    def start(self) -> c.Composed:
        return self.put(c.compose_started(self.table, self.secret, self.at))

    def move_jws(self, seat: int, commands: list[Any]) -> tuple[str, str | None]:
        """The JWS of a move, and in a hidden game its text."""
        if not self.table.hidden:
            return sign_jws(self.seeds[seat], acts.move(**self.where(seat), commands=commands)), None
        text = moves.move_text(commands, self.random.randbytes(32))
        return sign_jws(self.seeds[seat], acts.move(**self.where(seat), sealed=moves.seal_move(text))), text

    def move(self, seat: int, commands: list[Any]) -> c.Composed:
        jws, text = self.move_jws(seat, commands)
        signed = admission.check_act(self.table, jws, self.now)
        return self.put(c.compose_moved(self.table, self.secret, self.at, signed, text))

    def unsigned(self, seat: int, commands: list[Any], via: str = "mail") -> c.Composed:
        move = moves.move_text(commands, self.random.randbytes(32)) if self.table.hidden else commands
        return self.put(c.compose_unsigned(self.table, self.secret, self.at, seat, via, move))

    def add_key(self, seat: int, which: int = 1, seed: bytes | None = None) -> c.Composed:
        """Add another key, with which the seat continues."""
        seed = seed or seed_of(seat, which)
        made = self.act(acts.key(**self.where(seat), add=jwk_of(seed)))
        self.seeds[seat] = seed
        return made

    def drop_key(self, seat: int, kid: str, seed: bytes | None = None) -> c.Composed:
        return self.act(acts.key(**self.where(seat), drop=kid), seed)

    def recover(self, seat: int, by: bytes, which: int = 3, new: bytes | None = None) -> c.Composed:
        """Make one key the only key of the seat, signed by this recovery seed, optionally with a new recovery key."""
        seed, back = seed_of(seat, which), None if new is None else jwk_of(new)
        made = self.act(acts.replace_keys(**self.where(seat), only=[jwk_of(seed)], recovery=back), by)
        self.seeds[seat] = seed
        return made

    def replace_recovery(self, seat: int, by: bytes, new: bytes) -> c.Composed:
        """Replace the recovery key, signed by itself; the device keys stay."""
        return self.act(acts.replace_keys(**self.where(seat), recovery=jwk_of(new)), by)

    def resign(self, seat: int) -> c.Composed:
        act = acts.resign(**self.where(seat))
        return self.put(c.compose_resigned(self.table, self.secret, self.at, self.signed(act)))

    def expire(self, seat: int) -> c.Composed:
        self.now = max(self.now, self.table.deadline(seat) or 0)
        return self.put(c.compose_expired(self.table, self.secret, self.at, seat))

    def cancel(self, reason: str = "stopped", secret: bytes | None = None) -> c.Composed:
        return self.put(c.compose_cancelled(self.table, secret or self.secret, self.at, reason))

    # --- whole games ------------------------------------------------------------------------------------------------

    def choose(self, seat: int) -> list[Any]:
        return dump_steps([Step(self.random.choice(list(legal(self.game, self.table.state, seat))))])

    def play(self, most: int = 10_000) -> Record:
        """Play random moves of the active seats, until the end or for `most` moves."""
        for _ in range(most):
            if self.table.is_over:
                break
            seat = self.random.choice(self.table.active)
            if seat in self.table.gone:
                self.expire(seat)
            else:
                self.move(seat, self.choose(seat))
        return self

    def note(self, size: int | None = None) -> str:
        size = len(self.lines) if size is None else size
        return note.write(SERVER, GAME_ID, size, read_entry(self.lines[size - 1]).hash, SERVER_SEED)

    def bundle(self) -> bytes:
        ended = self.table.is_over and self.table.hidden and self.table.secret
        return bundle.write(self.lines, self.note(), self.openings if ended else None, self.table.data.items())

    @property
    def entries(self) -> list[Entry]:
        return [read_entry(line) for line in self.lines]


def removed(table: Table, at: str, seat: int) -> c.Composed:
    """Empty a seat as the server before the start: the record allows it, though this server never does it."""
    preconditions.check(table, Proposal("left", (seat,)))
    return c._plain(table, at, kind="left", seat=seat, jws=None)


def rewrite(lines: Sequence[bytes], change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> list[bytes]:
    """Rewrite a log as a dishonest server: each body changed or dropped (None), then numbered and chained again."""
    made: list[bytes] = []
    for line in lines:
        body = change(canonical.loads(line))
        if body is not None:
            prev = canonical.to_base64url(leaf(made[-1])) if made else body["prev"]
            made.append(canonical.dumps(body | {"seq": len(made), "prev": prev}))
    return made


def bundle_of(
    lines: Sequence[bytes], openings: Sequence[dict[str, Any]] | None = None, size: int | None = None
) -> bytes:
    """A bundle of any lines, with the note that the server would sign for them."""
    head = leaf(lines[-1] if size is None else lines[size - 1])
    return bundle.write(lines, note.write(SERVER, GAME_ID, size or len(lines), head, SERVER_SEED), openings)
