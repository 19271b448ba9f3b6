"""Relays with TLS: password and mail are sent only to the named host with a valid certificate."""

from __future__ import annotations

import ipaddress
import ssl
import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.servers import free
from tests.servers.lines import Controller
from tests.workers.letters import letter
from workers import doctor
from workers.mail import smtp
from workers.mail.smtp import Smtp, TransientMailError

# aiosmtpd does not recognise a connection that is encrypted from the first byte.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
NOW = datetime.now(UTC)
USER, PASSWORD = b"ada@x", b"p/w:1"


class Relay:
    """Accepts mail from clients with the password, and stores it."""

    def __init__(self, scheme: str, context: ssl.SSLContext) -> None:
        self.port, self.passwords, self.mails = free.ports(1)[0], [], []
        more = {"ssl_context": context} if scheme == "smtps" else {"tls_context": context, "require_starttls": True}
        options = {"authenticator": self.judge, "auth_required": True, "auth_require_tls": scheme != "smtps"}
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port, **more, **options)
        self.controller.start()

    def judge(self, server, session, envelope, mechanism, data) -> AuthResult:
        self.passwords.append((data.login, data.password))
        return AuthResult(success=self.passwords[-1] == (USER, PASSWORD), handled=False)

    async def handle_DATA(self, server, session, envelope) -> str:
        self.mails.append(server.transport.get_extra_info("cipher"))
        return "250 OK"


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """A test authority, trusted by this machine on request."""
    key, folder = ec.generate_private_key(ec.SECP256R1()), tmp_path_factory.mktemp("ca")
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tests")])
    usual = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    usual = usual.serial_number(1).not_valid_before(NOW - timedelta(days=9)).not_valid_after(NOW + timedelta(days=9))
    cert = usual.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True).sign(key, hashes.SHA256())
    (folder / "ca.pem").write_bytes(cert.public_bytes(serialization.Encoding.PEM))
    return SimpleNamespace(key=key, name=name, folder=folder, file=folder / "ca.pem")


def context(authority, host: str, days: int) -> ssl.SSLContext:
    """A relay's TLS context, with a certificate for this host that expires in this many days."""
    key = ec.generate_private_key(ec.SECP256R1())
    where = x509.IPAddress(ipaddress.ip_address(host)) if host[0].isdigit() else x509.DNSName(host)
    made = x509.CertificateBuilder().subject_name(x509.Name([])).issuer_name(authority.name)
    made = made.public_key(key.public_key()).serial_number(x509.random_serial_number())
    made = made.not_valid_before(NOW - timedelta(days=5)).not_valid_after(NOW + timedelta(days=days))
    made = made.add_extension(x509.SubjectAlternativeName([where]), critical=True).sign(authority.key, hashes.SHA256())
    file = authority.folder / f"{host}{days}.pem"
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file.write_bytes(key.private_bytes(*form) + made.public_bytes(serialization.Encoding.PEM))
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(file)
    return served


@pytest.fixture
def known(authority, monkeypatch):
    """Trust authorities through `SSL_CERT_FILE`; contexts are cached, so they are made again here."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    smtp._secure.cache_clear()
    yield
    smtp._secure.cache_clear()


@pytest.fixture
def handed_in(request):
    """The mails at the relay after one was submitted."""
    relays = []

    def send(scheme: str, served: ssl.SSLContext, user: str = "ada%40x:p%2Fw%3A1@") -> Relay:
        relays.append(Relay(scheme, served))
        with Smtp.at(f"{scheme}://{user}127.0.0.1:{relays[-1].port}").session() as session:
            session.send(letter("login"))
        return relays[-1]

    yield send, relays
    for relay in relays:
        relay.controller.stop()


BOTH = pytest.mark.parametrize("scheme", ["smtps", "smtp+starttls"])


@BOTH
def test_a_relay_with_tls_gets_user_password_and_mail(scheme, handed_in, authority, known):
    """With characters written as `%40` in the URL; the mail goes over the encrypted connection."""
    send, _ = handed_in
    relay = send(scheme, context(authority, "127.0.0.1", 5))
    assert relay.passwords == [(USER, PASSWORD)]
    assert [bool(cipher) for cipher in relay.mails] == [True]


@BOTH
@pytest.mark.parametrize(
    ("host", "days", "says"),
    [("127.0.0.2", 5, "IP address mismatch"), ("relay.example", 5, "mismatch"), ("127.0.0.1", -1, "expired")],
)
def test_nothing_is_sent_to_a_relay_with_a_wrong_or_expired_certificate(
    scheme, host, days, says, handed_in, authority, known
):
    """Neither the password nor the mail; it is tried again later."""
    send, relays = handed_in
    with pytest.raises(TransientMailError, match=says):
        send(scheme, context(authority, host, days))
    assert (relays[0].passwords, relays[0].mails) == ([], [])


@BOTH
def test_nothing_is_sent_to_a_relay_with_an_unknown_authority(scheme, handed_in, authority):
    """Neither the password nor the mail."""
    send, relays = handed_in
    with pytest.raises(TransientMailError, match="CERTIFICATE_VERIFY_FAILED"):
        send(scheme, context(authority, "127.0.0.1", 5))
    assert (relays[0].passwords, relays[0].mails) == ([], [])


@BOTH
def test_a_wrong_password_is_tried_again_later(scheme, handed_in, authority, known):
    """The recipient's address is not at fault, and the password is in no error."""
    send, relays = handed_in
    with pytest.raises(TransientMailError, match="535") as told:
        send(scheme, context(authority, "127.0.0.1", 5), "ada%40x:wrong-one@")
    assert "wrong-one" not in str(told.value)
    assert relays[0].mails == []


def test_the_authorities_are_read_once():
    """Reading them takes longer than sending a mail."""
    assert smtp._secure() is smtp._secure()


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("host", "days", "says"),
    [("127.0.0.1", 99, ""), ("127.0.0.1", 9, "expires in 8 days"), ("other.example", 99, "a trusted certificate")],
)
def test_the_doctor_judges_the_certificate_of_the_site(authority, host: str, days: int, says: str):
    """As a browser does, and warns before it expires."""
    site = Relay("smtps", context(authority, host, days))
    try:
        found = doctor.certificate_of("127.0.0.1", site.port)
    finally:
        site.controller.stop()
    assert (says in found.wrong, bool(found.wrong)) == (True, bool(says))
    assert (found.ends > time.time()) == (host == "127.0.0.1")
