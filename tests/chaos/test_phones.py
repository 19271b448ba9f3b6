"""The check of the phones finds what is missing, what is too much, what comes too late, and what says too much."""

from __future__ import annotations

import json
import time
from datetime import timedelta

import pytest
import sqlalchemy as sa

from server.hooks.push import vapid
from server.kernel.db.models import PushMessage
from server.kernel.services import utc_now
from tests.chaos.diary import Copy
from tests.chaos.phones import UNDER_WAY, Phones
from tests.servers.receiver import Got
from tests.workers.harness import Harness
from tests.workers.push.device import HOST, to_bytes
from workers.push.encryption import SALT, encrypt


@pytest.fixture
def house(tmp_path, smtp_server):
    made = Harness(f"sqlite:///{tmp_path / 'house.db'}", smtp_server, push_hosts=(HOST,))
    yield made
    made.close()


@pytest.fixture
def phones(house):
    return Phones(house)


@pytest.fixture
def game(house, phones):
    """Recorded as sent by a clock that is an hour off: that it is the first player's turn."""
    made = house.game(clock=None)
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.update(PushMessage).values(state="sent", ended_at=utc_now() - timedelta(hours=1)))
    return made


def show(phones: Phones, phone, **said) -> int:
    """As the push service passes it on."""
    its, key = phone.device.address, vapid.key_from(bytes(range(40)))
    sealed = encrypt(json.dumps(said).encode(), to_bytes(its.p256dh), to_bytes(its.auth), bytes(SALT), key)
    return phones.accept(Got(HOST, f"/{phone.device.name}", {}, sealed))


def test_what_was_announced_and_came_once_is_in_order(phones, game):
    assert show(phones, phones.kept, kind="turn", game=game, count=1) == 201
    assert phones.check() == []


def test_what_is_recorded_as_sent_and_never_came_is_found(phones, game):
    phones.sizes.add(1)
    with pytest.raises(AssertionError, match="not come"):
        phones.check()


def test_what_came_more_often_than_recorded_needs_an_explanation(phones, game):
    """At its own time, which is not that of the record."""
    for _ in range(3):
        show(phones, phones.kept, kind="turn", game=game, count=1)
    now, (said, _) = time.monotonic(), phones.kept.shown[0]
    phones.kept.shown[:] = [(said, now - ago) for ago in (900, 1, 500)]
    assert phones.check() == [Copy(f"turn {game}", now - ago) for ago in (900, 500)]


def test_what_was_announced_and_has_no_notification_is_found(house, phones, game):
    show(phones, phones.kept, kind="turn", game=game, count=1)
    with house.services.database.write() as session:
        session.execute(sa.update(PushMessage).values(dedupe_key="another"))
    with pytest.raises(AssertionError, match="another"):
        phones.check()


def test_a_notification_that_was_given_up_is_found(house, phones, game):
    show(phones, phones.kept, kind="turn", game=game, count=1)
    with house.services.database.write() as session:
        session.execute(sa.update(PushMessage).values(state="failed", reason="given-up"))
    with pytest.raises(AssertionError, match="given-up"):
        phones.check()


def test_what_comes_long_after_unsubscribing_is_found(phones, game):
    """A request that was checked before may still be under way."""
    show(phones, phones.kept, kind="turn", game=game, count=1)
    old = phones.current
    phones.change()
    show(phones, old, kind="started", game=game, count=0)
    assert phones.check() == []
    old.ended = time.monotonic() - 2 * UNDER_WAY
    with pytest.raises(AssertionError, match="phone-1 was shown something"):
        phones.check()


@pytest.mark.parametrize("said", [{"kind": "turn", "count": 1, "move": "bid 3"}, {"kind": "rumour", "count": 1}])
def test_what_says_more_than_it_may_is_found(phones, game, said):
    assert show(phones, phones.kept, game=game, **said) == 400
    with pytest.raises(AssertionError, match="AssertionError"):
        phones.check()
