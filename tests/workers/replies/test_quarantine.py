"""What nobody can read is listed, printed, read again and deleted by the operator; it has a cap and an age."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from server.kernel.config import settings
from server.kernel.db.models import InboundMail
from server.mailbox import inbound
from tests.kit.absent import mentions
from tests.workers.harness import MASTER
from workers.mail.commands import main


@pytest.fixture
def stuck(post, monkeypatch):
    """A house in which one mail could not be read, and the command on its database."""
    monkeypatch.setenv("SEALEDMOVE_MASTER", MASTER.hex())
    monkeypatch.setenv("DATABASE_URL", post.settings.database_url)
    monkeypatch.setattr("workers.mail.commands.startup.checked_settings", settings)
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


def run(*words: str):
    return CliRunner().invoke(main, ["quarantine", *words])


def test_the_operator_reads_what_nobody_could(stuck):
    """The list says when, how large and why, and nothing of what it says; the mail itself is printed whole."""
    (line,) = run().output.splitlines()
    told = json.loads(line)
    assert (told["mail"], told["why"], told["via"]) == (1, "ValueError in read", "smtp")
    assert mentions("bid", line) == 0
    (kept,) = stuck.kept()
    assert run("--show", "1").stdout_bytes == kept.raw  # to the octet: its signature is over them
    assert b"bid 3" in kept.raw
    assert run("--show", "2").exit_code == 1


def test_a_mail_is_read_again_or_deleted(stuck):
    """Once a fault of ours is mended; what is gone stays gone."""
    assert run("--again", "1").exit_code == 0
    stuck.pass_time(days=400)  # the command goes by the wall clock
    assert [row.state for row in stuck.kept()] == ["waiting"]
    put_away(stuck)
    assert run("--drop", "1").exit_code == 0
    assert stuck.kept() == []
    assert run("--again", "1").exit_code == 1


def test_the_quarantine_has_an_age_and_a_cap(stuck, monkeypatch):
    """And what was read is known for two weeks."""
    inbound.forget_mail(stuck.services)
    assert len(stuck.kept()) == 1
    mail = stuck.asked("ada")
    for _ in range(2):
        stuck.arrive(stuck.written(mail, "bid 3"), mail)
        put_away(stuck)
    monkeypatch.setattr(inbound, "MOST_QUARANTINED", 2)
    inbound.forget_mail(stuck.services)
    assert [row.id for row in stuck.kept()] == [2, 3]
    stuck.time += inbound.QUARANTINE_KEPT + timedelta(minutes=1)
    inbound.forget_mail(stuck.services)
    assert stuck.kept() == []
