"""Digests by real processes: each waiting mail is in exactly one digest, even if a process is killed."""

from __future__ import annotations

from collections import Counter

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Notification
from server.mailbox import write as mailbox
from tests.databases import BOTH
from tests.kit.patience import until
from tests.workers.processes import CLOCK, WORKER

pytestmark = pytest.mark.slow

GAMES = 6


@pytest.fixture(params=BOTH)
def database_url(request, tmp_path):
    if request.param == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path / 'house.db'}"


def its_hour(house) -> None:
    """Make the hour of the digest come for all that waits."""
    with house.services.database.write() as session:
        waits = sa.update(Notification).where(Notification.state == "held", Notification.digest_id.is_(None))
        session.execute(waits.values(next_at=house.services.now()))


def test_killed_clocks_and_workers_neither_lose_nor_repeat_a_digest(house, sink, crew):
    """Two clocks at once, one killed while it gathers; workers killed while a digest is being sent."""
    for account in (1, 2):
        mailbox.change_choices(house.services, account, {"turn": "digest", "started": "digest"})
    kills = []

    def kill() -> None:
        if not kills:
            crew.kill("worker")
            kills.append(crew.kill("one"))

    sink.before = kill
    for name in ("one", "two"):
        crew.start(name, CLOCK)
    for _ in range(GAMES):
        house.game(clock=None)
    house.dispatch()
    its_hour(house)
    crew.start("worker", WORKER)
    until(lambda: kills, "no digest was sent")
    crew.start("one", CLOCK)
    crew.start("worker", WORKER)
    until(lambda: all(row.state == "sent" for row in house.rows()), "a mail is not told")
    told = [row for row in house.rows() if row.kind != "digest"]
    digests = {row.id: row for row in house.rows() if row.kind == "digest"}
    assert len(told) == 2 * GAMES
    assert {row.digest_id for row in told} == set(digests)
    assert all(digests[row.digest_id].account_id == row.account_id for row in told)
    copies = Counter(mail["Message-ID"] for mail in sink.mails)
    assert set(copies) == {row.message_id for row in digests.values()}
    assert max(copies.values()) <= 1 + len(kills)  # mails being sent then, in any lane, and nothing else
