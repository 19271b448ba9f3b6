"""Players and readers of the house over HTTP, who try again until they have an answer, as clients must."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import httpx
import sqlalchemy as sa

from engine.record.encoding.canonical import leaf
from engine.record.signed import acts
from engine.record.signed.keys import sign_jws
from server.kernel.db.models import Entry
from tests.kit.patience import PATIENCE
from tests.servers import patient
from tests.workers.harness import PEOPLE, Harness, seed

TURN = [{"do": "roll"}, {"try": {"do": "hold"}}]  # always ends the turn, so the seats alternate
TIME = 1800  # seconds for a move: less than a clock may be off
ENOUGH = 3  # moves of each player
SOON = 0.1  # seconds until a client tries again
PASSING = (429, 500, 502, 503, 504)


class Client(threading.Thread):
    """Acts again and again until it is stopped; what it raises fails the test."""

    def __init__(self, urls: Sequence[str], host: str) -> None:
        super().__init__(daemon=True)
        self.urls, self.headers = urls, {"Host": host}
        self.stopped, self.failed = threading.Event(), []
        self.count = 0  # of what it has done or read

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.count}, failed={self.failed})"

    def run(self) -> None:
        try:
            while not self.stopped.is_set():
                self.act()
        except Exception as fault:  # noqa: BLE001 - told in the test
            self.failed.append(fault)

    def act(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        self.stopped.set()
        self.join(3 * PATIENCE)
        assert not self.is_alive()
        assert not self.failed, self.failed


class Mover(Client):
    """Plays one table after the other, at whichever host answers. A move without an answer is sent again as it is."""

    def __init__(self, urls: Sequence[str], house: Harness, number: int) -> None:
        super().__init__(urls, house.settings.server_name)
        self.house, self.dice = house, random.Random(number)
        self.confirmed: dict[str, list[bytes]] = {}  # the lines of the moves of each game that a host has confirmed
        self._open()

    @property
    def has_played(self) -> bool:
        """Has it moved often enough, or failed, as `stop` then tells?"""
        return self.count > ENOUGH or bool(self.failed)

    def _open(self) -> None:
        while True:
            with suppress(sa.exc.OperationalError):  # its connection was ended: another table will do
                self.game = self.house.game(clock=TIME, goal=100)
                table = self.house.table(self.game)
                break
        self.seat, self.seq, self.prev = table.active[0], table.size, table.head
        self.confirmed[self.game] = []

    def act(self) -> None:
        where = (self.headers["Host"], self.game, self.seat, self.seq)
        act = acts.move(*where, self.prev, commands=TURN)
        answer = self._sent({"jws": sign_jws(seed(PEOPLE[self.seat]), act)})
        self._take(answer.json()["entry"].encode())
        self.stopped.wait(self.dice.random() / 2)

    def _sent(self, body: dict[str, Any]) -> httpx.Response:
        for attempt in range(10_000):
            with suppress(httpx.TransportError):
                url = self.urls[(attempt + self.seq) % len(self.urls)]
                path = f"{url}/v1/games/{self.game}/moves"
                answer = patient.post(path, json=body, headers=self.headers)
                if answer.status_code not in PASSING:
                    assert answer.status_code in (200, 201), answer.text
                    return answer
            threading.Event().wait(SOON)
        raise AssertionError("no host answers")

    def _take(self, line: bytes) -> None:
        self.confirmed[self.game].append(line)
        self.count += 1
        self.seat, self.seq, self.prev = 1 - self.seat, self.seq + 1, leaf(line)
        if b'"outcome"' in line:
            self._open()


def moves_of(house: Harness, game: str) -> list[bytes]:
    """The lines of the moves that the database has, in order."""
    moved = sa.select(Entry.line).where(Entry.game_id == game, Entry.kind == "moved").order_by(Entry.seq)
    with house.services.database.read() as session:
        return list(session.scalars(moved))


class Listener(Client):
    """Reads an account's stream of events, and after each break goes on after the last number."""

    def __init__(self, urls: Sequence[str], host: str, token: str) -> None:
        super().__init__(urls, host)
        self.headers |= {"Authorization": f"Bearer {token}"}
        self.numbers: list[int] = []
        self.breaks = -1

    @property
    def last(self) -> int:
        return self.numbers[-1] if self.numbers else 0

    def act(self) -> None:
        self.breaks += 1
        url = self.urls[self.breaks % len(self.urls)]
        more = self.headers | {"Last-Event-ID": str(self.last)}
        asked = {"headers": more, "timeout": 2, "verify": patient.trust()}
        with suppress(httpx.TransportError), httpx.stream("GET", f"{url}/v1/me/events", **asked) as got:
            if got.status_code == 200:
                self._read(got.iter_lines)
        self.stopped.wait(SOON)

    def _read(self, lines: Callable[[], Any]) -> None:
        number = self.last
        for line in lines():
            if self.stopped.is_set():
                return
            word, _, rest = line.partition(": ")
            number = int(rest) if word == "id" else number
            if word == "data":
                self.numbers.append(number)
                self.count += 1
