"""The phones that show notifications: one player keeps theirs, another one has a new one again and again."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial

import sqlalchemy as sa

from server.hooks.push import write
from server.kernel.db.models import Notification, PushMessage
from tests.chaos.diary import Copy
from tests.kit.principals import principal_of
from tests.servers.receiver import Got
from tests.workers.harness import Harness
from tests.workers.push.device import Device
from workers.push.plan import PUSHED

KEEPS, CHANGES = 1, 2  # accounts
UNDER_WAY = 15.0  # seconds that a request may take which was checked before its phone was unsubscribed
HOUR = 3600
WAITING = {"waiting", "leased"}
NO_LONGER_TRUE = {"answered", "game-over"}
Said = tuple[str, str]  # the kind, and the game


@dataclass
class Phone:
    """A subscribed phone, and what it was shown."""

    device: Device
    number: int
    shown: list[tuple[Said, float]] = field(default_factory=list)
    ended: float | None = None

    def take(self, body: bytes) -> None:
        """It says what the decision about web push allows, and nothing else."""
        said = self.device.read(body)
        assert said.keys() == {"kind", "game", "count"}
        assert said["kind"] in PUSHED
        self.shown.append(((said["kind"], said["game"]), time.monotonic()))


class Phones:
    """All that were ever subscribed, by their path at the push service."""

    def __init__(self, house: Harness) -> None:
        self.house = house
        self.all: dict[str, Phone] = {}
        self.sizes: set[int] = set()
        self.faults: list[Exception] = []
        self.kept, self.current = self._subscribe(KEEPS), self._subscribe(CHANGES)

    def _subscribe(self, account: int) -> Phone:
        device = Device(f"phone-{len(self.all)}")
        self.all[f"/{device.name}"] = made = Phone(device, 0)  # before it is known: a message may come at once
        made.number, _ = write.subscribe(
            self.house.services, principal_of(self.house.services, account), device.address
        )
        return made

    def change(self) -> None:
        """The second player ends the subscription of their phone, and has another one."""
        write.delete(self.house.services, CHANGES, self.current.number)
        self.current.ended = time.monotonic()
        self.current = self._subscribe(CHANGES)

    def accept(self, got: Got) -> int:
        try:
            self.all[got.target].take(got.body)
        except Exception as fault:  # noqa: BLE001 - told in the test
            self.faults.append(fault)
            return 400
        self.sizes.add(len(got.body))
        return 201

    @property
    def count(self) -> int:
        return sum(len(phone.shown) for phone in self.all.values())

    def unsettled(self, settled: set[int]) -> set[str]:
        """The names of the kept phone's notifications, but for these."""
        return {name((row.kind, row.game_id)) for row in self._rows() if row.id not in settled}

    def settled(self) -> set[int]:
        """The notifications of the kept phone that nobody sends any more."""
        return {row.id for row in self._rows() if row.state not in WAITING}

    def _rows(self) -> list[PushMessage]:
        mine = sa.select(PushMessage).where(PushMessage.subscription_id == self.kept.number)
        with self.house.services.database.read() as session:
            return list(session.scalars(mine))

    def check(self) -> list[Copy]:
        """All that was announced to the first player came, or was no longer true; returns what came without a record.

        Nothing came to a phone after its subscription had ended.
        """
        assert not self.faults, self.faults
        assert len(self.sizes) == 1, "their size tells something of what they say"
        self._check_ended()
        rows = self._rows()
        unlike = {row.dedupe_key for row in rows} ^ self._announced()
        assert not unlike, f"mailed or notified, and not both: {unlike}"
        ends = Counter((row.state, row.reason) for row in rows)
        assert ends.keys() <= {("sent", None), *(("dropped", why) for why in NO_LONGER_TRUE)}, ends
        return self._unrecorded([row for row in rows if row.state == "sent"])

    def _check_ended(self) -> None:
        for phone in self.all.values():
            late = [at for _, at in phone.shown if phone.ended is not None and at > phone.ended + UNDER_WAY]
            assert not late, f"{phone.device.name} was shown something at {late}, but had ended at {phone.ended}"

    def _announced(self) -> set[str]:
        """By the keys of the mails about the same news."""
        told = sa.select(Notification.dedupe_key).where(Notification.kind.in_(PUSHED))
        with self.house.services.database.read() as session:
            return set(session.scalars(told.where(Notification.account_id == KEEPS, Notification.game_id.is_not(None))))

    def _unrecorded(self, sent: list[PushMessage]) -> list[Copy]:
        """What came, but for what was recorded as sent when it came."""
        came: dict[Said, list[float]] = defaultdict(list)
        for said, at in self.kept.shown:
            came[said].append(at)
        for row in sent:
            times, at = came[row.kind, row.game_id], row.ended_at.timestamp() - time.time() + time.monotonic()
            assert times, f"recorded as sent, and not come: {row.dedupe_key}"
            times.remove(min(times, key=partial(_apart, at)))
        return [Copy(name(said), at) for said, times in came.items() for at in times]


def _apart(one: float, other: float) -> float:
    """How many seconds lie between them, if one may be by a clock that is some hours off."""
    return abs((one - other + HOUR / 2) % HOUR - HOUR / 2)


def name(said: Said) -> str:
    return " ".join(said)
