"""The SMTP server encrypts with the certificate of the settings, and does not start with an unusable one."""

from __future__ import annotations

import asyncio
import os
import shutil
import smtplib
import ssl
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives import serialization

from server.kernel import config
from server.kernel.config import ConfigError
from tests.deploy import certificates
from tests.kit.patience import PATIENCE, until
from tests.workers.replies.incoming import to_of
from tests.workers.replies.post import door
from workers.replies.certificate import TlsCertificate
from workers.replies.main import listen
from workers.replies.smtp_server import ConnectionLimits

NAME = "localhost"


@pytest.fixture
def files(tmp_path):
    return certificates.write(tmp_path, NAME)


def trusting(cert) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(cert))


@pytest.mark.parametrize("scheme", ["smtp", "lmtp"])
def test_a_mail_arrives_encrypted(post, game, files, scheme):
    """The session counts once, and no more after its end."""
    mail, limits = post.asked("ada"), ConnectionLimits(sessions=1)
    client = smtplib.SMTP if scheme == "smtp" else smtplib.LMTP
    with door(post, scheme, limits, certificate=TlsCertificate(*files)) as port:
        with client(NAME, port, timeout=PATIENCE) as line:
            line.starttls(context=trusting(files[0]))
            assert line.sock.version() in ("TLSv1.2", "TLSv1.3")
            assert limits.open.total() == 1
            assert line.sendmail("ada@example.org", [to_of(mail)], post.written(mail, "bid 3")) == {}
        until(lambda: limits.open.total() == 0, "the session counts after its end")
    assert post.read() == ["planned"]


def test_senders_without_tls_are_served_too(post, game, files):
    """Most senders encrypt if they can; a mail that was not encrypted is proven by its signature like any other."""
    mail = post.asked("ada")
    with door(post, certificate=TlsCertificate(*files)) as port, smtplib.SMTP(NAME, port, timeout=PATIENCE) as line:
        assert line.sendmail("ada@example.org", [to_of(mail)], post.written(mail, "bid 3")) == {}
    assert post.read() == ["planned"]


def test_a_failed_handshake_ends_its_session(post, files):
    """Once: it would otherwise leave room for more sessions than there may be."""
    limits = ConnectionLimits()
    with door(post, limits=limits, certificate=TlsCertificate(*files)) as port:
        with smtplib.SMTP(NAME, port, timeout=PATIENCE) as line, pytest.raises(ssl.SSLError):
            line.starttls(context=ssl.create_default_context())
        until(lambda: limits.open.total() == 0, "the session counts after its end")
        with smtplib.SMTP(NAME, port, timeout=PATIENCE) as line:
            line.starttls(context=trusting(files[0]))
            assert limits.open.total() == 1
        until(lambda: limits.open.total() == 0, "the session counts after its end")


def test_a_renewed_certificate_is_served_without_a_restart(post, files, tmp_path):
    """One that is unusable is not: the last usable one stays."""
    held = TlsCertificate(*files)
    (tmp_path / "new").mkdir()
    newer = certificates.write(tmp_path / "new", NAME)
    first = held.context()
    assert held.context() is first
    _put(newer, files)
    second = held.context()
    assert second is not first
    with door(post, certificate=held) as port, smtplib.SMTP(NAME, port, timeout=PATIENCE) as line:
        line.starttls(context=trusting(newer[0]))
    files[0].write_text("half a file")
    os.utime(files[0], (1, 1))
    assert held.context() is second


def _put(new, old) -> None:
    for number, (this, there) in enumerate(zip(new, old, strict=True)):
        shutil.copy(this, there)
        os.utime(there, (9 + number, 9 + number))


def _mixed(files, folder):
    (folder / "other").mkdir()
    return files[0], certificates.write(folder / "other", NAME)[1]


def _locked(files, folder):
    key = serialization.load_pem_private_key(files[1].read_bytes(), None)
    form = serialization.PrivateFormat.PKCS8
    lock = serialization.BestAvailableEncryption(b"x")
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, form, lock))
    return files


def _blank(files, folder):
    files[0].write_text("")
    return files


UNUSABLE = {
    "the key is of another certificate": _mixed,
    "the key has a password": _locked,
    "it holds no usable certificate or key": _blank,
    "No such file or directory: .*gone.pem": lambda files, folder: (folder / "gone.pem", files[1]),
    "No such file or directory: .*none.pem": lambda files, folder: (files[0], folder / "none.pem"),
    "File name too long: .*xxx": lambda files, folder: (folder / ("x" * 300), files[1]),  # a look at it raises
    "it expired on": lambda files, folder: certificates.write(folder, NAME, days=-1),
}


@pytest.mark.parametrize("why", UNUSABLE)
def test_the_process_does_not_start_with_an_unusable_certificate(post, files, tmp_path, why):
    """The sentence names the setting and what is wrong."""
    chain, key = UNUSABLE[why](files, tmp_path)
    chosen = replace(post.settings, inbound_certificate_file=chain, inbound_key_file=key)
    with pytest.raises(ValueError, match=f"INBOUND_CERTIFICATE_FILE cannot be used: .*{why}"):
        asyncio.run(listen(chosen))


def test_a_key_without_its_certificate_is_refused():
    usual = {"SEALEDMOVE_MASTER": "00" * 32, "INBOUND_KEY_FILE": "key.pem"}
    with pytest.raises(ConfigError, match="INBOUND_KEY_FILE is set without INBOUND_CERTIFICATE_FILE"):
        config.settings(usual)
    both = config.settings({**usual, "INBOUND_CERTIFICATE_FILE": "chain.pem"})
    assert (str(both.inbound_certificate_file), str(both.inbound_key_file)) == ("chain.pem", "key.pem")
