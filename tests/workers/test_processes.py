"""The processes that other tests start."""

from __future__ import annotations

from server.kernel.services import utc_now
from tests.workers.processes import Crew


def test_a_house_beside_processes_goes_by_their_clock(house, tmp_path):
    """Otherwise the clock process would move for a player before the mail about their turn is sent."""
    Crew(house, tmp_path / "log")
    game = house.game()
    assert house.seat(game, 0).deadline > utc_now()
