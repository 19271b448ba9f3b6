"""The holders of the seats, their keys, and the limits used up by the entries so far (4.2, 4.5, 5.2)."""

from dataclasses import dataclass, field
from typing import Any

from tests.stranger.acts import Act
from tests.stranger.chance import entropy
from tests.stranger.clock import Event, Timer, follow
from tests.stranger.entries import Entry
from tests.stranger.keys import kid_of
from tests.stranger.lines import Refused, from_base64url, need


@dataclass
class Seat:
    """A seat and its holder: device keys by kid, and the number of acts that a law limits."""

    timer: Timer
    taken: bool = False
    keys: dict[str, bytes] = field(default_factory=dict)
    recovery: bytes | None = None
    added: int = 0
    recovered: int = 0
    opened: dict[bool, int] = field(default_factory=lambda: {False: 0, True: 0})  # by whether a recovery key signed
    takes: int = 0
    brought: bytes | None = None  # thumbprint and nonce of the `join`, except a bot's

    def holds(self, act: Act) -> None:
        """A new holder, by a `join` or a `take`."""
        assert act.key is not None
        self.empty()
        self.taken, self.keys, self.recovery = True, {kid_of(act.key): act.key}, act.recovery
        if act.act == "join" and not act.payload["bot"]:
            self.brought = from_base64url(kid_of(act.key)) + from_base64url(act.payload["nonce"])

    def empty(self) -> None:
        self.taken, self.keys, self.recovery, self.brought = False, {}, None, None
        self.added, self.recovered, self.opened = 0, 0, {False: 0, True: 0}

    def is_recovery(self, kid: str) -> bool:
        return self.recovery is not None and kid_of(self.recovery) == kid

    def keyed(self, act: Act) -> None:
        if act.recovers:
            self.recovered += 1
            if act.only is not None:
                self.keys = {kid_of(key): key for key in act.only}
            self.recovery = act.recovery or self.recovery
        elif act.key is not None:
            self.added += 1
            self.keys[kid_of(act.key)] = act.key
        else:
            self.keys.pop(act.payload["drop"], None)


@dataclass
class Table:
    """The table after the entries before the current one. `seats` are those of entry 0."""

    created: Entry
    seats: list[Seat]
    started: bool = False
    ended: str | None = None
    joins: int = 0
    grants: int = 0
    granted: dict[int, int] = field(default_factory=dict)

    @property
    def clock(self) -> dict[str, Any] | None:
        clock: dict[str, Any] | None = self.created.clock
        return clock

    def entropy(self) -> bytes:
        """E, from the holders at the start."""
        brought = [seat.brought for seat in self.seats if seat.brought is not None]
        return entropy(from_base64url(self.created.hash), brought)

    @property
    def stage(self) -> str:
        return self.ended or ("running" if self.started else "lobby")

    def hands_over(self, way: str) -> bool:
        return self.created.handover["by"] in (way, "both")

    def is_free_by_absence(self, seat: Seat) -> bool:
        return seat.timer.absent and self.hands_over("absent")


def table_of(created: Entry) -> Table:
    wait = created.handover["wait"]
    return Table(created, [Seat(Timer(created.clock, wait)) for _ in range(created.value["seats"])])


@dataclass(frozen=True)
class Step:
    """An entry, its place in the file, and its act if that can be read and is of the kind that the entry logs."""

    table: Table
    entry: Entry
    place: int
    act: Act | None

    @property
    def seat(self) -> Seat:
        return self.table.seats[self.entry.named[0]]

    @property
    def has_seats(self) -> bool:
        """Return whether it names only seats of the game; other entries are not judged by laws about a seat."""
        return all(seat < len(self.table.seats) for seat in self.entry.named)

    @property
    def named(self) -> list[Seat]:
        return [self.table.seats[seat] for seat in self.entry.named]

    @property
    def readable(self) -> Act:
        assert self.act is not None
        return self.act

    @property
    def says(self) -> dict[str, Any]:
        return self.act.payload if self.act else {}

    @property
    def by_recovery(self) -> bool:
        return self.act is not None and self.seat.is_recovery(self.act.kid)

    def signer(self) -> bytes:
        """The active key that must have signed the act."""
        act = self.readable
        if act.key is not None and act.act != "key":
            return act.key
        need(self.has_seats, "the game does not have this seat")
        recovers = self.by_recovery and act.act in ("key", "offer")
        key = self.seat.recovery if recovers else self.seat.keys.get(act.kid)
        if key is None:
            raise Refused("it is signed by a key that is not in force at this seat")
        return key


def _counts(step: Step) -> bool:
    """Return whether its seats are of the game, a new holder comes where one is due, and an act of a holder has one."""
    kind = step.entry.kind
    if not step.has_seats or (kind in ("joined", "taken") and step.act is None):
        return False
    return kind not in ("keyed", "offered") or step.seat.taken


def apply(step: Step) -> None:
    """Apply an entry as if it had kept the laws, as far as that is possible."""
    table, entry, act = step.table, step.entry, step.act
    if not _counts(step):
        return
    follow([seat.timer for seat in table.seats], _event(step))
    table.started = table.started or entry.kind == "started"
    if entry.ends and table.ended != "cancelled":
        table.ended = "cancelled" if entry.kind == "cancelled" else "finished"
    if entry.kind == "granted" and entry.why != "outage":
        table.grants += 1
        for seat in entry.seats:
            table.granted[seat] = table.granted.get(seat, 0) + entry.seconds
    elif entry.kind == "left":
        step.seat.empty()
    elif act is not None:
        _acts(step, act)


def _acts(step: Step, act: Act) -> None:
    """Apply a readable act to its seat."""
    if act.act in ("join", "take"):
        step.table.joins += act.act == "join"
        step.seat.takes += act.act == "take"
        step.seat.holds(act)
    elif act.act == "key":
        step.seat.keyed(act)
    elif act.act == "offer" and act.payload["open"]:
        step.seat.opened[step.by_recovery] += 1


def _event(step: Step) -> Event:
    entry, act = step.entry, step.act
    return Event(
        entry.kind,
        entry.time,
        entry.named,
        entry.get("seconds") or 0,
        step.says.get("open"),
        bool(act and act.only),
        entry.kind == "offered" and step.by_recovery,
    )
