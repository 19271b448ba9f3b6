"""All programs of two releases side by side on one database: what one of them writes, the other one reads.

The tables that the worker, the hooks, the web server and inbound write have grown under the release before. Its
programs go on, also if they are started again: players move, a default move is played once, a mailed reply too, and
every mail, message of a webhook and event of a stream arrives once.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from server.kernel.services import utc_now
from tests.chaos.clients import Listener, Mover
from tests.chaos.conftest import PROGRAMS, Host
from tests.chaos.consumer import Consumer
from tests.chaos.test_law import READERS, check_events, check_log, settle, token_of
from tests.kit.patience import PATIENCE, until
from tests.kit.releases import Growth, Release
from tests.servers.receiver import Receiver
from tests.workers.live.test_law import check_arrived, ids
from tests.workers.replies.answering import Answers
from tests.workers.replies.post import Post
from tests.workers.test_log_lines import STARTED, lines_of
from workers.dev.signer import PageSigner

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]  # some thirty programs are started
MAKERS, TELLERS = ("web", "clock", "inbound"), ("events", "worker", "hooks")  # of news
MADE = ("inbound_mail",)  # rows that these programs alone write; other mails may also come from a clock that sweeps
TOLD = ("hook_delivery", "notification WHERE kind = 'answer'")
OLD, NEW = 1, 2
GROWTH = Growth({"game": "games.py", "notification": "mail.py", "inbound_mail": "mail.py", "hook_delivery": "hooks.py"})
OVERDUE = {"move": 60, "grace": 60}


@dataclass
class Upgrade:
    """A host with the release before, later a second one with the next, and all that players do at them."""

    house: Post
    hosts: list[Host]
    following: Release
    answers: Answers
    movers: list[Mover]
    urls: list[str]  # of the hosts that run, which all clients share

    def migrate(self) -> None:
        """Players move meanwhile."""
        for mover in self.movers:
            mover.start()
        self.following.migrate(self.house.settings.database_url)
        for mover in self.movers:
            mover.stop()

    def start_second(self, receiver: Receiver) -> None:
        folder = self.hosts[0].crew.log.parents[1] / "south"
        self.hosts.append(host(self.house, folder, receiver, **self.following.variables))
        self.urls.append(self.hosts[1].url)

    def stop_second(self) -> None:
        second = self.hosts.pop()
        self.urls.remove(second.url)
        for program in PROGRAMS:
            second.crew.end(program)
        check_lines(second)

    def restart(self, programs: Sequence[str], **variables: str) -> None:
        """On the first host; of the release before without variables."""
        for program in programs:
            self.hosts[0].crew.end(program)
        for program in programs:
            self.hosts[0].start(program, **variables)

    def play(self) -> None:
        """Turns at every host, default moves, and replies by both ways; all that follows has arrived."""
        await_started(self.hosts)
        for mover in self.movers * 2 * len(self.hosts):
            mover.act()
        late = overdue_game(self.house)
        for one in self.hosts:
            for by_http in (True, False):
                self.reply(one, by_http=by_http)
        until(lambda: self.house.table(late).is_over, "no default moves are played")
        assert self.house.kinds(late).count("expired") == 2  # once for each seat
        settle(self.house, self.hosts)

    def reply(self, one: Host, *, by_http: bool) -> None:
        mail = self.answers.next()
        one.doors.hand_in(mail, self.answers.to(mail), by_http=by_http)
        until(lambda: all(row.state == "done" for row in self.house.kept()), "the reply is not read")

    def written(self, rows: str) -> set[tuple[int, int]]:
        """The number of each row, and the release that wrote it."""
        with self.house.services.database.read() as session:
            return {(number, tempo) for number, tempo in session.execute(sa.text(f"SELECT id, tempo FROM {rows}"))}

    @contextmanager
    def writes(self, made: int, told: int) -> Iterator[None]:
        """New rows meanwhile come from these releases."""
        by = dict.fromkeys(MADE, made) | dict.fromkeys(TOLD, told)
        before = {rows: self.written(rows) for rows in by}
        yield
        for rows, expected in by.items():
            assert {tempo for _, tempo in self.written(rows) - before[rows]} == {expected}, rows


def host(house: Post, folder: Path, receiver: Receiver, **variables: str) -> Host:
    """Its receiver has time: a second request would be a second copy."""
    return Host(house, folder, receiver, request=PATIENCE, LOG_LEVEL="INFO", **variables)


def await_started(hosts: Sequence[Host]) -> None:
    for one in hosts:
        until(one.answers, one.crew.report)
        until(lambda said=one.crew.log: all(word in said.read_text() for word in STARTED), one.crew.report)


def overdue_game(house: Post) -> str:
    """One whose two seats should have moved long ago; two default moves end it."""
    past = copy.copy(house)
    past.services = replace(house.services, now=lambda: utc_now() - timedelta(hours=1))
    return past.game("bids", clock=OVERDUE, lots=1)


def check_lines(one: Host) -> None:
    """No process has logged an error, or anything that is not a line of the log, as a traceback is."""
    assert not [line for line in lines_of(one.crew.log) if line["level"] in ("error", "critical")]


@pytest.fixture
def listeners(house: Post) -> Any:
    made = {account: Listener([], house.settings.server_name, token_of(house, account)) for account in READERS}
    yield made
    for listener in made.values():
        listener.stopped.set()


@pytest.fixture
def consumer(house: Post, receiver: Receiver) -> Consumer:
    made = Consumer(house)
    receiver.answer = made.accept
    for account in READERS:
        made.hook(account)
    return made


@pytest.fixture
def upgrade(house: Post, receiver: Receiver, consumer: Consumer, letters: PageSigner, tmp_path: Path) -> Any:
    """The webhooks are there before the first game."""
    first = host(house, tmp_path / "north", receiver)
    answered = [house.game("pig", clock=1800, unsigned=True, goal=100)]
    following = Release(tmp_path / "next", {"9998": GROWTH.migration}, GROWTH.edits)
    urls = [first.url]
    movers = [Mover(urls, house, number) for number in range(2)]
    made = Upgrade(house, [first], following, Answers(house, letters, answered), movers, urls)
    yield made
    for one in made.hosts:
        one.crew.stop()


def test_all_programs_of_two_releases_run_side_by_side(
    house: Post, upgrade: Upgrade, receiver: Receiver, consumer: Consumer, listeners: dict[int, Listener]
):
    """Each half of the programs of one release with the other half of the other one, too."""
    for listener in listeners.values():
        listener.urls = upgrade.urls
        listener.start()
    upgrade.play()
    upgrade.migrate()
    upgrade.start_second(receiver)
    upgrade.play()
    upgrade.stop_second()
    upgrade.restart(MAKERS, **upgrade.following.variables)
    with upgrade.writes(made=NEW, told=OLD):
        upgrade.play()
    upgrade.restart(MAKERS)
    upgrade.restart(TELLERS, **upgrade.following.variables)
    with upgrade.writes(made=OLD, told=NEW):
        upgrade.play()
    for mover in upgrade.movers:
        check_log(house, mover)
    for account, listener in listeners.items():
        check_events(house, account, listener)
    upgrade.answers.check()
    check_arrived(house, house.sink)
    assert len(ids(house.sink)) == len(set(ids(house.sink)))
    consumer.check(())
    assert len(consumer.accepted) == len({got.headers["webhook-id"] for got in consumer.accepted})
    check_lines(upgrade.hosts[0])
