"""The clock of a host that is ahead of the database's: nothing begins or ends before its time."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Place
from server.tables.invitations.write import invite
from tests.workers.harness import Harness
from tests.workers.test_lobbies import lobby
from tests.workers.test_loops import CASES
from workers.clock import in_step, round_of

AHEAD = timedelta(days=2)
# What may come at any time: work that was left, or that no person waits for.
ANY_TIME = {"analyses", "audits", "holidays", "outage", "outbox", "reminder-plans", "rules"}


def old_places(house: Harness) -> None:
    invite(house.services, lobby(house), 1, "ben@example.org")
    house.pass_time(days=14)


# How items become due, and which are due.
LOOPS = {name: (CASES[name].make, CASES[name].due) for name in CASES.keys() - ANY_TIME} | {
    "places": (old_places, lambda now: sa.select(Place.id).where(Place.state == "asked", Place.until <= now))
}


@pytest.mark.parametrize("loop", sorted(LOOPS))
def test_what_is_due_only_by_this_machine_s_clock_waits(house: Harness, monkeypatch, loop: str):
    make, due = LOOPS[loop]
    make(house)
    found = house.ask(due)
    assert found
    monkeypatch.setattr(house.services.database, "time", lambda _: house.time - AHEAD)
    round_of(house.ctx, timed=in_step)
    assert house.ask(due) == found
    round_of(house.ctx)
    assert house.ask(due) == []
