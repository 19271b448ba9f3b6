"""The state of a game at the end of its log: seats with their holders and keys, draws, and the answers that are due.

A table is a value: this module has its fields and queries. `fold.py` makes it from entry 0 and applies entry after
entry. It always holds the engine's state in an open game, and in a hidden one if the full events (openings) or the
secret are given; otherwise the state is None, and `questions` hold the earliest possible entries.

A *question* is the entry after which a seat owes an answer: one after which it is active, and before which it was
not, or which logs its own move. An act signed on the question or any later entry is still the same answer to it.
How long a seat may take is counted from stretches of questions without a break: `clock.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from engine.chance import chain_key
from engine.errors import BadRecord
from engine.kit.notation import convert
from engine.kit.resigned import SeatResigned
from engine.record.encoding import canonical
from engine.record.log import clock
from engine.record.log.clock import Time
from engine.record.signed import keys
from engine.record.signed.acts import Act

Stage = Literal["lobby", "running", "finished", "cancelled"]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The log so far. `draw` is the number of the next public draw and `shown` the last L (32 bytes) in the log.

    By seat: `listed` are the kids that are or were its keys, `takes` how often it was taken over, `given` the seconds
    that were granted to it, outages left out; `grants` is how many entries granted them.
    """

    created: Mapping[str, Any]
    created_hash: bytes
    hidden: bool
    game: Any
    options: Any
    size: int
    head: bytes
    at: str
    shown: bytes
    occupants: tuple[Occupant | None, ...]
    questions: tuple[Question | None, ...]
    times: tuple[Time, ...]
    listed: tuple[frozenset[str], ...]
    stage: Stage = "lobby"
    joins: int = 0
    takes: tuple[int, ...] = ()
    given: tuple[int, ...] = ()
    grants: int = 0
    lost: tuple[Loss, ...] = ()
    data: Mapping[str, bytes] = {}
    left: tuple[Leave, ...] = ()
    gone: tuple[int, ...] = ()
    entropy: bytes = b""
    draw: int = 1
    hidden_draw: int = 1
    state: Any = None
    outcome: Mapping[str, Any] | None = None
    secret: bytes | None = None

    @property
    def server(self) -> str:
        return str(self.created["server"])

    @property
    def game_id(self) -> str:
        return str(self.created["game"])

    @property
    def seats(self) -> int:
        return len(self.occupants)

    @property
    def rules(self) -> int:
        return int(self.created["rules"]["version"])

    @property
    def is_over(self) -> bool:
        return self.stage in ("finished", "cancelled")

    @property
    def is_full(self) -> bool:
        return None not in self.occupants

    @property
    def active(self) -> tuple[int, ...]:
        """Seats that owe an answer now; in a hidden game without openings, those that may owe one."""
        if self.stage != "running":
            return ()
        return tuple(seat for seat, question in enumerate(self.questions) if question is not None)

    def owes(self, seat: int) -> bool:
        """Is the seat among the active ones?"""
        return self.stage == "running" and self.questions[seat] is not None

    def seats_of(self, kid: str) -> list[int]:
        """The seats that list this key now, as a device key or to recover with. A listed key owns nothing."""
        return [seat for seat, one in enumerate(self.occupants) if one is not None and one.lists(kid)]

    def is_open(self, seat: int) -> bool:
        """Has the holder offered the seat? The offer may still have to wait."""
        occupant = self.occupants[seat]
        return occupant is not None and occupant.offer is not None

    def is_absent(self, seat: int) -> bool:
        """Has the clock ended enough stretches of the seat in a row for it to count as absent?"""
        return seat not in self.gone and clock.is_absent(self.times[seat], self.created["clock"])

    def is_free(self, seat: int, at: int) -> bool:
        """May somebody else take the seat at this time (seconds since 1970)?"""
        since = self.free_from(seat)
        return since is not None and since <= at

    def free_from(self, seat: int) -> int | None:
        """When somebody else may take the seat (seconds since 1970; 0: at once); None if it is not free at all."""
        if self.stage != "running" or seat in self.gone:
            return None
        if self.created["handover"]["by"] in ("absent", "both") and self.is_absent(seat):
            return 0
        return self.offered_from(seat)

    def offered_from(self, seat: int) -> int | None:
        """The time from which the offered seat may be taken, absent or not; None if the seat is not offered."""
        occupant = self.occupants[seat]
        if occupant is None or occupant.offer is None:
            return None
        return 0 if occupant.offer.hastened else occupant.offer.at + int(self.created["handover"]["wait"])

    def deadline(self, seat: int) -> int | None:
        """When the clock may play for the seat, in seconds since 1970; None if never.

        At once for a seat that has resigned; else when the time that the clock promises is over.
        """
        question = self.questions[seat]
        if question is None or self.stage != "running":
            return None
        if seat in self.gone:
            return canonical.seconds(question.at)
        return clock.deadline(self.times[seat], self.created["clock"], exact=self.state is not None)

    def unchanged(self, seat: int, seq: int) -> bool:
        """Would an act that the seat signed as entry `seq` mean the same now? Then it can simply be signed again."""
        question = self.questions[seat]
        return question is not None and self.stage == "running" and question.seq < seq <= self.size

    def has_lost(self, size: int, head: bytes) -> bool:
        """Does the log state that it lost this history, of this length and with this last hash?"""
        return any(loss.explains(size, head) for loss in self.lost)

    def chain_fits(self, secret: bytes) -> bool:
        """Is this the secret that entry 0 commits to?"""
        total: int = self.created["chance"]["draws"]
        return canonical.to_base64url(chain_key(secret, total, 0)) == str(self.created["chance"]["chain"])

    def load_events(self, events: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Events from their plain values; BadRecord if one is not an event of the game."""
        try:
            return [convert(event, (*self.game.events, SeatResigned)) for event in events]
        except msgspec.ValidationError as no:
            raise BadRecord("bad-event", f"not an event of {self.game.meta.key}: {no}".replace("`", "'")) from None


# --- one seat as the log describes it ---------------------------------------------------------------------------------
# Its holder with their keys, what it owes, and who gave it up before the start.


class Offer(msgspec.Struct, frozen=True):
    """An offered seat, `since` in seconds since 1970; `hastened` by the recovery key, it need not wait."""

    at: int
    hastened: bool


class Occupant(msgspec.Struct, frozen=True):
    """The holder of a seat: the key that joined or took it, all active device keys, and the recovery key.

    `nonce` is that of the join, or None if the seat was taken over. The counts that have a bound: `added`, device keys
    that device keys brought; `recoveries`, `keyed` of recovery keys; `offers`, by device keys and by recovery keys.
    """

    bot: bool
    kid: str
    nonce: bytes | None
    since: int
    keys: tuple[tuple[str, bytes], ...]
    recovery: tuple[str, bytes] | None = None
    added: int = 0
    recoveries: int = 0
    offers: tuple[int, int] = (0, 0)
    offer: Offer | None = None

    def public(self, kid: str) -> bytes | None:
        """The public key (32 bytes) of this `kid`, if it is active."""
        return next((public for own, public in self.keys if own == kid), None)

    def recovers(self, kid: str) -> bool:
        """Is this the seat's recovery key?"""
        return self.recovery is not None and self.recovery[0] == kid

    def lists(self, kid: str) -> bool:
        """Is this an active key of the seat, as a device key or as its recovery key?"""
        return self.public(kid) is not None or self.recovers(kid)


class Question(msgspec.Struct, frozen=True):
    """The entry after which a seat owes an answer."""

    seq: int
    at: str


class Loss(msgspec.Struct, frozen=True):
    """Entry `seq` is a `restored` entry: the log was lost from there up to `size` entries, the last with this hash."""

    seq: int
    size: int
    hash: bytes

    def covers(self, size: int) -> bool:
        """Is a log of this length one of those that were lost?"""
        return self.seq < size <= self.size

    def explains(self, size: int, head: bytes) -> bool:
        """Is a log of this length and last hash one that was lost? Of the longest one the stated hash alone is."""
        return self.covers(size) and (size != self.size or head == self.hash)


class Leave(msgspec.Struct, frozen=True):
    """A seat given up before the start; `removed` if by the server alone, without a signature."""

    seq: int
    seat: int
    kid: str
    removed: bool


def seated(act: Act, seq: int) -> Occupant:
    """The occupant whom a `join` or a `take`, logged as entry `seq`, puts into the seat."""
    kid, public = pair(act.key)
    recovery = None if act.recovery is None else pair(act.recovery)
    return Occupant(bool(act.bot), kid, act.nonce, seq, ((kid, public),), recovery)


def rekeyed(occupant: Occupant, act: Act) -> Occupant:
    """After a `key` act of the seat: one key more, one fewer, or those that the recovery key names."""
    if act.drop is not None:
        return replace(occupant, keys=tuple(own for own in occupant.keys if own[0] != act.drop))
    if act.add is not None:
        return replace(occupant, keys=(*occupant.keys, pair(act.add)), added=occupant.added + 1)
    occupant = replace(occupant, recoveries=occupant.recoveries + 1)
    if act.recovery is not None:
        occupant = replace(occupant, recovery=pair(act.recovery))
    if act.only is not None:
        occupant = replace(occupant, keys=tuple(map(pair, act.only)), offer=None)
    return occupant


def offered(occupant: Occupant, act: Act, signer: str, at: int) -> Occupant:
    """After an `offer` of the seat, signed with this kid at this time (seconds since 1970)."""
    if not act.open:
        return replace(occupant, offer=None)
    hastened, (by_device, by_recovery) = occupant.recovers(signer), occupant.offers
    counted = (by_device + (not hastened), by_recovery + hastened)
    since = at if occupant.offer is None else occupant.offer.at
    return replace(occupant, offers=counted, offer=Offer(since, hastened))


def pair(key: Any) -> tuple[str, bytes]:
    """A JWK's kid and public key (32 bytes)."""
    public = keys.parse_jwk(key)
    return keys.thumbprint(public), public
