"""`sealedmove mail test` sends a mail through a real relay and shows its answer; a worker of one round needs Redis."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from server.kernel.config import settings
from tests.workers.harness import MASTER
from workers.mail.commands import main
from workers.worker import main as worker


@pytest.fixture
def environment(sink, tmp_path, monkeypatch):
    monkeypatch.setenv("SEALEDMOVE_MASTER", MASTER.hex())
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'none.db'}")
    monkeypatch.setenv("SMTP_URL", sink.url)
    monkeypatch.setattr("workers.mail.commands.startup.checked_settings", lambda **_: settings())


def test_the_command_sends_a_test_mail(environment, sink):
    """It names the server and no more, and the command says that the relay accepted it."""
    ran = CliRunner().invoke(main, ["test", "ada@example.org"])
    assert (ran.exit_code, [mail["To"].addresses[0].addr_spec for mail in sink.mails]) == (0, ["ada@example.org"])
    assert f"accepted by 127.0.0.1, port {sink.port}" in ran.output
    assert all(sink.mails[0][name] for name in ("Date", "Message-ID", "From", "Auto-Submitted"))


def test_a_worker_of_one_round_says_in_one_sentence_that_its_redis_is_gone(environment, monkeypatch, tmp_path):
    """It ends; without `--burst` it sends mail, and waits."""
    monkeypatch.setenv("REDIS_URL", f"unix://{tmp_path / 'none'}")
    ran = CliRunner().invoke(worker, ["--burst"])
    assert ran.exit_code == 1
    said = [line for line in ran.stderr.splitlines() if not line.startswith("{")]  # another test's sink may log
    assert len(said) == 1
    assert re.fullmatch(r"Error: Redis does not answer at REDIS_URL: .*No such file or directory\.?", said[0])


def test_the_test_mail_is_signed_like_every_mail(environment, sink, tmp_path, monkeypatch):
    """If a key is set; an unreadable one is an error, and nothing is sent."""
    key = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "key.pem").write_bytes(key)
    monkeypatch.setenv("DKIM_SIGN_SELECTOR", "s1")
    monkeypatch.setenv("DKIM_SIGN_KEY_FILE", str(tmp_path / "key.pem"))
    assert CliRunner().invoke(main, ["test", "ada@example.org"]).exit_code == 0
    assert "d=localhost; s=s1" in sink.mails[0]["DKIM-Signature"]
    (tmp_path / "key.pem").write_text("none")
    ran = CliRunner().invoke(main, ["test", "ada@example.org"])
    assert (ran.exit_code, len(sink.mails)) == (1, 1)
    assert "does not hold a private key in PEM" in ran.output


def test_the_relays_refusal_is_shown(environment, sink):
    """In its own words, and the command fails."""
    sink.answer = "554 5.7.1 not from here"
    ran = CliRunner().invoke(main, ["test", "ada@example.org"])
    assert (ran.exit_code, sink.mails) == (1, [])
    assert "554 5.7.1 not from here" in ran.output


@pytest.mark.parametrize("to", ["ada", "ada@example.org, ben@example.org"])
def test_the_command_refuses_an_invalid_address(environment, sink, to):
    """Nothing is sent."""
    ran = CliRunner().invoke(main, ["test", to])
    assert (ran.exit_code, sink.mails) == (1, [])
    assert "an address is local@domain" in ran.output
