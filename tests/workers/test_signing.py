"""DKIM of our own mails: they verify on arrival, and nothing can be changed or added on top."""

from __future__ import annotations

import base64
from email.message import EmailMessage

import dkim
import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa

from server.kernel.config import ConfigError, settings
from tests.workers.harness import MASTER, Sink
from tests.workers.letters import letter
from workers.mail import signing
from workers.mail.commands import main
from workers.mail.headers import POLICY
from workers.mail.smtp import Smtp

FROM = "Sealed Move <games@Play.example>"
KEYS = {"rsa": rsa.generate_private_key(65537, 2048), "ed25519": ed25519.Ed25519PrivateKey.generate()}


@pytest.fixture(params=["rsa", "ed25519"])
def signer(request, tmp_path):
    return signing.of(chosen(written(tmp_path, KEYS[request.param])))


def written(folder, key):
    """The key in a file."""
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path = folder / "dkim.pem"
    path.write_bytes(key.private_bytes(serialization.Encoding.PEM, *form))
    return path


def chosen(path, **more):
    given = {"SEALEDMOVE_MASTER": MASTER.hex(), "MAIL_FROM": FROM, "DKIM_SIGN_SELECTOR": "s1"}
    return settings(given | {"DKIM_SIGN_KEY_FILE": str(path)} | more)


def holds(raw, signer) -> bool:
    """As judged by a receiver who knows only the record of this name."""
    records = {b"s1._domainkey.play.example.": signer.record().encode()}
    try:
        return dkim.DKIM(raw).verify(0, dnsfunc=lambda name, timeout=5: records.get(name))
    except dkim.DKIMException:  # raised for two From headers, or for another body
        return False


def raw(name="turn") -> bytes:
    return letter(name).as_bytes(policy=POLICY)


@pytest.mark.parametrize("name", ["turn", "login", "over"])
def test_a_delivery_verifies(signer, name):
    """Every kind of mail, with and without a picture, by an independent verifier."""
    signed = signer.sign(raw(name))
    assert signed.endswith(raw(name))
    assert holds(signed, signer)
    assert max(map(len, signed.partition(b"From:")[0].split(b"\r\n"))) <= 78


@pytest.mark.parametrize(
    "change",
    [
        lambda mail: mail.replace(b"Ada", b"Eve", 1),
        lambda mail: mail.rstrip(b"\r\n") + b"more\r\n",
        lambda mail: mail.replace(b"/u/", b"/U/", 1),
        *(
            lambda mail, name=name: name + b": eve@evil.example\r\n" + mail
            for name in (b"From", b"To", b"Subject", b"Reply-To", b"Content-Type", b"List-Unsubscribe", b"In-Reply-To")
        ),
    ],
)
def test_a_mail_that_was_changed_on_the_way_does_not_verify(change, tmp_path):
    """Its text, its links, or a header that a program would read before ours."""
    one = signing.of(chosen(written(tmp_path, KEYS["ed25519"])))
    signed = one.sign(raw())
    assert change(signed) != signed
    assert holds(signed, one)
    assert not holds(change(signed), one)


def test_a_mail_arrives_through_smtp_as_it_was_signed(signer):
    """Byte for byte, lines that begin with a dot included."""
    got = []

    class Raw(Sink):
        async def handle_DATA(self, server, session, envelope) -> str:
            got.append(envelope.original_content)
            return "250 OK"

    sink = Raw()
    mail = EmailMessage(policy=POLICY)
    mail["From"], mail["To"], mail["Subject"] = "games@play.example", "ada@example.org", "Dots"
    mail.set_content(".one\n..two\n.\n", cte="7bit")
    try:
        with Smtp.at(sink.url, signer.sign).session() as session:
            session.send(mail)
    finally:
        sink.stop()
    assert got == [signer.sign(mail.as_bytes(policy=POLICY))]
    assert holds(got[0], signer)


def test_the_signature_is_of_the_domain_of_from(tmp_path):
    """Another domain cannot be set, since it would not be aligned."""
    path = written(tmp_path, KEYS["rsa"])
    assert signing.of(chosen(path, DKIM_SIGN_DOMAIN="play.example")).domain == "play.example"
    with pytest.raises(ConfigError, match=r"must be the domain of MAIL_FROM, play\.example"):
        chosen(path, DKIM_SIGN_DOMAIN="other.example")


@pytest.mark.parametrize("name", ["DKIM_SIGN_SELECTOR", "DKIM_SIGN_KEY_FILE"])
def test_a_key_without_its_selector_is_refused(tmp_path, name):
    """And a selector without its key."""
    with pytest.raises(ConfigError, match="must both be set"):
        chosen(written(tmp_path, KEYS["rsa"]), **{name: ""})


def test_a_key_that_receivers_would_reject_is_refused(tmp_path):
    """Short RSA, another curve, no key, no file."""
    short = rsa.generate_private_key(65537, 1024)
    with pytest.raises(ConfigError, match="2048 bits"):
        signing.of(chosen(written(tmp_path, short)))
    (tmp_path / "text.pem").write_text("no key")
    for path in (tmp_path / "text.pem", tmp_path / "none.pem"):
        with pytest.raises(ConfigError, match="does not hold a private key in PEM"):
            signing.of(chosen(path))


def test_the_command_prints_the_dns_record(tmp_path, monkeypatch):
    """The public half, and nothing of the private one."""
    monkeypatch.setattr(
        "workers.mail.commands.startup.checked_settings", lambda **_: chosen(written(tmp_path, KEYS["ed25519"]))
    )
    public = KEYS["ed25519"].public_key().public_bytes_raw()
    told = CliRunner().invoke(main, ["dkim"]).output
    record = f"v=DKIM1; k=ed25519; p={base64.b64encode(public).decode()}"
    assert told == f's1._domainkey.play.example. TXT "{record}"\n'


def test_without_a_key_nothing_is_signed():
    """The relay signs."""
    plain = settings({"SEALEDMOVE_MASTER": MASTER.hex()})
    assert signing.signing(plain)(b"From: a@b.c\r\n\r\n") == b"From: a@b.c\r\n\r\n"
