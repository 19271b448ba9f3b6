"""The reference client reads streams through the real web server and the real process that holds them."""

from __future__ import annotations

import time

import httpx
import pytest

from client.events import MINE, follow, of_game
from client.http import Api
from tests.kit.patience import PATIENCE
from tests.workers.streams.conftest import Site
from tests.workers.streams.told import shape, stored, table

PASS = [{"do": "bid", "amount": 0}]


@pytest.mark.slow
def test_the_client_gets_all_events_across_a_restart(site: Site):
    """It resumes by itself and reports when it cannot; nothing is lost or repeated."""
    (ada, _), game = table(site)
    with httpx.Client(timeout=PATIENCE) as http:
        heard = follow(Api(site.url, ada.token, http, lambda _: time.sleep(0.1)), MINE, 0)
        told = [next(heard) for _ in range(4)]
        site.stop("events")
        assert next(heard) is None
        ada.move(game, PASS)
        site.start("events")
        told.append(next(event for event in heard if event is not None))
        heard.close()
    assert shape(told) == stored(site, ada)


@pytest.mark.slow
def test_the_client_follows_a_game_to_its_end(site: Site):
    """Without a token, and it stops by itself."""
    people = site.people(2)
    game = site.hall.game("bids", people)
    site.hall.play_out(game, people)
    with httpx.Client(timeout=PATIENCE) as http:
        told = list(follow(Api(site.url, None, http), of_game(game), -1))
    assert [event["seq"] for event in told] == list(range(site.hall.head(game)[0]))
