"""Unreadable mails are listed, printed, read again and deleted by the operator; their number and age are limited."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from server.kernel.config import settings
from server.kernel.db.models import InboundMail
from server.kernel.operator_log import Operator
from server.mailbox import inbound
from server.operate import retention
from tests.kit.absent import mentions
from tests.workers.harness import MASTER
from tests.workers.replies.post import begun
from workers.mail.commands import main


@pytest.fixture
def stuck(post, monkeypatch):
    """A server in which one mail could not be read, and the command on its database."""
    monkeypatch.setenv("SEALEDMOVE_MASTER", MASTER.hex())
    monkeypatch.setenv("DATABASE_URL", post.settings.database_url)
    monkeypatch.setattr("workers.mail.commands.startup.checked_settings", lambda **_: settings())
    post.game("bids")
    post.react()
    mail = post.asked("ada")
    post.arrive(post.written(mail, "bid 3"), mail)
    put_away(post)
    return post


def put_away(post) -> None:
    with post.services.database.write() as session:
        away = {"state": "quarantined", "reason": "ValueError in read", "ended_at": post.services.now()}
        session.execute(sa.update(InboundMail).where(InboundMail.state == "waiting").values(away))


WHY = ("--why", "a test")


def run(*words: str):
    return CliRunner().invoke(main, ["quarantine", *words])


def test_the_operator_lists_and_prints_unreadable_mails(stuck):
    """The list shows time, size and reason, and no content; one mail is printed whole."""
    (line,) = run().output.splitlines()
    told = json.loads(line)
    assert (told["mail"], told["why"], told["via"]) == (1, "ValueError in read", "smtp")
    assert mentions("bid", line) == 0
    (kept,) = stuck.kept()
    assert run("--show", "1").stdout_bytes == kept.raw  # to the octet, which its signature covers
    assert b"bid 3" in kept.raw
    assert run("--show", "2").exit_code == 1


def test_a_mail_is_read_again_or_deleted(stuck):
    """Once a fault is fixed; a deleted mail stays deleted."""
    assert run("--again", "1", *WHY).exit_code == 0
    stuck.pass_time(days=400)  # the command uses the wall clock
    assert [row.state for row in stuck.kept()] == ["waiting"]
    put_away(stuck)
    assert run("--drop", "1", *WHY).exit_code == 0
    assert stuck.kept() == []
    assert run("--again", "1", *WHY).exit_code == 1


def test_the_quarantine_is_limited_by_age_and_number(stuck, monkeypatch):
    """Names of read mails are kept for two weeks."""
    retention.forget(stuck.services)
    assert len(stuck.kept()) == 1
    mail = stuck.asked("ada")
    for _ in range(2):
        stuck.arrive(stuck.written(mail, "bid 3"), mail)
        put_away(stuck)
    monkeypatch.setattr(inbound, "MOST_QUARANTINED", 2)
    retention.forget(stuck.services)
    assert [row.id for row in stuck.kept()] == [2, 3]
    stuck.time += inbound.QUARANTINE_KEPT + timedelta(minutes=1)
    retention.forget(stuck.services)
    assert stuck.kept() == []


def test_a_mail_that_waited_for_days_is_as_fresh_as_when_it_came(post):
    """A game was stopped for long: the operator has its mail read again, which is not too old then."""
    game = begun(post, "bids")
    mail = post.asked("ada")
    post.arrive(post.written(mail, "bid 3"), mail)
    post.fault(game, post.services.now())
    post.pass_time(days=6)
    assert post.read() == ["quarantined"]
    post.fault(game, None)
    assert inbound.retry_quarantined(post.services, Operator("op", "a test"), post.kept()[0].id)
    assert post.read() == ["played"]
