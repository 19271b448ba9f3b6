"""The drill of a lost database, with its times, on both databases."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import pytest
from sqlalchemy.engine import make_url

from tests.server.harness import WHY, Harness
from tests.server.lost import Lost
from tests.server.test_backups import backed_up, lose, played, run, started
from tests.server.test_processes import gunicorn
from tests.server.test_restore import Wire


@dataclass
class Times:
    """The seconds of each step of the drill."""

    taken: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.taken[name] = time.monotonic() - began


@contextmanager
def serving(hall: Harness, redis_url: str) -> Iterator[None]:
    """The real web server, which the players use; its Redis has the newest checkpoints."""
    with gunicorn(hall.services.settings.database_url, REDIS_URL=redis_url) as web:
        wire = Wire(web)
        hall.client = wire
        with wire.http:
            yield


def next_move(made: Lost) -> Any:
    """The seat to move plays on the head that the server shows; returns the answer."""
    mover = next(player for player in made.players if player.seat in made.detail()["active"])
    return mover.move(made.game, [mover.legal(made.game)[0]])


@pytest.mark.slow
def test_the_drill_of_a_lost_database(url: str, tmp_path: Path, redis_url: str, open_house, capsys):
    """Games that had moved on stop before anybody acts; their players bring the entries, or the operator gives up."""
    times, hall = Times(), open_house(url, redis_url=redis_url)
    hall.clock.to_now()
    with serving(hall, redis_url):
        still, returned, given_up = (played(hall, key) for key in ("pig", "bids", "pig"))
        with times.step("backup, while the server runs"):
            copy = backed_up(url, tmp_path / "copy")
        for made in (returned, given_up):
            made.size = len(made.now())
            made.play(3)
            made.remember()
    hall.services.database.dispose()
    lose(url)
    with times.step("restore"):
        assert run(url, "restore", str(copy), *WHY).exit_code == 0
    with times.step("migrate, reset-events"):
        assert run(url, "migrate").exit_code == 0
        assert run(url, "reset-events", *WHY, REDIS_URL=redis_url).exit_code == 0
    with times.step("verify"):
        checked = started(url, "verify")
        assert (checked.returncode, "0 failed, 0 unknown, 1 open, 2 hold" in checked.stdout) == (0, True), checked
    with times.step("start of the web server"):
        web = serving(hall, redis_url)
        web.__enter__()
    try:
        assert [made.detail()["stopped"] for made in (still, returned, given_up)] == [False, True, True]
        assert next_move(still).status_code == 201
        with times.step("a player's client submits the missing entries"):
            assert next_move(returned).get_json()["code"] == "lines-missing"
            assert returned.hand_in().get_json()["stopped"] is False
        assert returned.now()[: len(returned.lines)] == returned.lines
        with times.step("the operator gives up the entries of a game"):
            assert next_move(given_up).get_json()["code"] == "lines-missing"
            assert run(url, "give-up", given_up.game, *WHY, REDIS_URL=redis_url).exit_code == 0
        for made in (returned, given_up):
            assert next_move(made).status_code == 201
    finally:
        web.__exit__(None, None, None)
    with times.step("verify again"):
        checked = started(url, "verify")
        assert (checked.returncode, "0 failed, 0 unknown, 1 open, 2 hold" in checked.stdout) == (0, True), checked
    with capsys.disabled():
        click.echo(f"\nThe drill on {make_url(url).get_backend_name()}:")
        click.echo("\n".join(f"{seconds:7.2f} s  {name}" for name, seconds in times.taken.items()))
