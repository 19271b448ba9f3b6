"""Rows that are no longer needed are deleted after their times; nothing that can still be used is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from server.accounts import sign_in
from server.kernel.db.models import (
    AccountEvent,
    Base,
    IdempotencyKey,
    InboundMail,
    KeyChallenge,
    LoginLink,
    Notification,
    Outbox,
)
from server.operate import retention
from tests.kit.patience import PATIENCE
from tests.server.harness import Harness, Player


@pytest.fixture
def pair(each_hall: Harness) -> list[Player]:
    """Two people on a server of each database."""
    return [each_hall.player(number) for number in range(2)]


def count(hall: Harness, table: type[Base], *where: Any) -> int:
    with hall.services.database.read() as session:
        return session.scalar(sa.select(sa.func.count()).select_from(table).where(*where)) or 0


def dispatched(hall: Harness) -> None:
    with hall.services.database.write() as session:
        session.execute(sa.update(Outbox).values(dispatched_at=hall.clock()))


def mailed(hall: Harness, game: str | None = None, **about: Any) -> int:
    """A mail that was sent now; its number."""
    now = hall.clock()
    about = {"kind": "turn", "state": "sent", "next_at": now, "created_at": now, "attempts": 1, "game_id": game} | about
    with hall.services.database.write() as session:
        key = session.scalar(sa.select(sa.func.count()).select_from(Notification))
        made = sa.insert(Notification).values(dedupe_key=f"mail.{key}", **about).returning(Notification.id)
        return session.scalars(made).one()


def forget(hall: Harness) -> dict[str, int]:
    """A round with as much time as it needs."""
    return dict(retention.forget(hall.services, share=PATIENCE))


def test_dispatched_outbox_rows_are_deleted_after_their_time_and_others_wait(each_hall: Harness, pair: list[Player]):
    each_hall.game("pig", pair)
    rows = count(each_hall, Outbox)
    each_hall.clock.forward(days=8)
    assert "outbox" not in forget(each_hall), "nothing is dispatched"
    dispatched(each_hall)
    each_hall.clock.forward(days=6)
    assert "outbox" not in forget(each_hall)
    each_hall.clock.forward(days=2)
    assert forget(each_hall)["outbox"] == rows - 1
    assert count(each_hall, Outbox) == 1, "SQLite would give its number again"


def test_a_mail_stays_while_its_question_is_open(each_hall: Harness, pair: list[Player]):
    """It can be answered by mail, and nobody is asked the same twice."""
    game = each_hall.game("pig", pair)
    seq = each_hall.head(game)[0] - 1
    old, asked = mailed(each_hall, game, seat=0, seq=seq - 1), mailed(each_hall, game, seat=0, seq=seq)
    mailed(each_hall)
    each_hall.clock.forward(days=31)
    assert forget(each_hall)["notification"] == 1
    assert (count(each_hall, Notification, Notification.id == old), count(each_hall, Notification)) == (0, 2)
    pair[0].move(game, [{"do": "roll"}, {"try": {"do": "hold"}}])
    assert forget(each_hall)["notification"] == 1
    assert count(each_hall, Notification, Notification.id == asked) == 0


@pytest.mark.parametrize("state", ["pending", "leased", "held"])
def test_a_mail_that_is_not_sent_yet_stays(each_hall: Harness, state: str):
    mailed(each_hall, state=state)
    mailed(each_hall)
    each_hall.clock.forward(days=400)
    assert "notification" not in forget(each_hall)


def test_the_newest_link_stays_so_that_no_old_mail_signs_in_another(each_hall: Harness, pair: list[Player]):
    """SQLite would give its number again, and a link's token is made from its number."""
    dispatched(each_hall)
    each_hall.clock.forward(days=8)
    old = each_hall.link("player1@example.org")
    assert forget(each_hall)["login_link"] == 1
    assert count(each_hall, LoginLink) == 1
    sign_in.request_link(each_hall.services, "eve@example.org", "Eve")
    assert each_hall.link("eve@example.org") != old


def test_a_link_stays_while_a_mail_contains_it(each_hall: Harness, pair: list[Player]):
    """A report on that mail finds its address there."""
    dispatched(each_hall)
    with each_hall.services.database.read() as session:
        first = session.scalars(sa.select(sa.func.min(LoginLink.id))).one()
    mailed(each_hall, kind="login", login_link_id=first)
    mailed(each_hall)
    each_hall.clock.forward(days=8)
    assert "login_link" not in forget(each_hall)
    each_hall.clock.forward(days=23)
    forget(each_hall)
    forget(each_hall)
    assert count(each_hall, LoginLink) == 1


def test_challenges_are_deleted_once_they_can_be_used_no_more(each_hall: Harness, pair: list[Player]):
    each_hall.clock.forward(minutes=5)
    pair[0].post("/me/keys/challenge")
    each_hall.clock.forward(minutes=6)
    assert forget(each_hall)["key_challenge"] == 2
    assert count(each_hall, KeyChallenge) == 1


def test_idempotency_keys_last_for_their_time(each_hall: Harness, pair: list[Player]):
    """Until then the same request returns the same game."""

    def opened() -> str:
        body = {"type": "pig", "seats": 2}
        return str(pair[0].post("/games", body, headers={"Idempotency-Key": "once"}).get_json()["id"])

    first = opened()
    each_hall.clock.forward(days=29)
    forget(each_hall)
    assert opened() == first
    each_hall.clock.forward(days=2)
    assert forget(each_hall)["idempotency_key"] == 1
    assert opened() != first
    assert count(each_hall, IdempotencyKey) == 1


def test_the_last_processed_mail_stays_so_that_no_answer_has_an_old_name(each_hall: Harness):
    """An answer is named after the number of the mail, and of two with one name the second is not sent."""
    now = each_hall.clock()
    about = {"kind": "move", "token": "t", "notification_id": 1, "via": "smtp", "relayed": False, "room": "move"}
    with each_hall.services.database.write() as session:
        for _ in range(2):
            session.add(InboundMail(**about, state="done", next_at=now, received_at=now, ended_at=now))
    each_hall.clock.forward(days=15)
    assert forget(each_hall) == {"inbound_mail": 1}
    assert count(each_hall, InboundMail) == 1


def events(hall: Harness, player: Player, number: int) -> None:
    game = hall.game("pig", [player, hall.player(9)])
    row = {"account_id": player.account, "kind": "news", "game_id": game, "seat": 0, "seq": 0}
    times = {"at": hall.clock(), "created_at": hall.clock()}
    with hall.services.database.write() as session:
        session.execute(sa.insert(AccountEvent), [row | times | {"n": 1000 + n} for n in range(number)])


def test_a_round_goes_on_until_nothing_is_left(each_hall: Harness, pair: list[Player]):
    """Batches are small, so that writers are not held up for long, but no number of rows outgrows the rounds."""
    events(each_hall, pair[0], 2 * retention.MOST + 1)
    each_hall.clock.forward(days=31)
    assert forget(each_hall)["account_event"] > 2 * retention.MOST
    assert count(each_hall, AccountEvent) == 0


def test_a_round_without_time_takes_one_batch_of_each_table(each_hall: Harness, pair: list[Player]):
    """So a table that fills quickly keeps no other from being emptied."""
    events(each_hall, pair[0], 2 * retention.MOST)
    dispatched(each_hall)
    each_hall.clock.forward(days=31)
    gone = retention.forget(each_hall.services, share=0)
    assert gone["account_event"] == retention.MOST
    assert gone["outbox"] > 0


def test_rows_of_the_record_are_not_deleted(each_hall: Harness, pair: list[Player]):
    """After years a game is still there as a whole."""
    game = each_hall.game("pig", pair)
    bundle = each_hall.client.get(f"/v1/games/{game}/bundle").data
    each_hall.clock.at += timedelta(days=4000)
    forget(each_hall)
    assert each_hall.client.get(f"/v1/games/{game}/bundle").data == bundle
