"""Believed senders: valid signatures, and everything that a valid signature does not prove."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from unittest.mock import Mock

import dkim
import pytest
from dns import exception as dns_errors
from dns import resolver

from tests.workers.replies.mail import KEY, OTHER, SELECTOR, dns, record, rsa_key, signed, written
from workers.replies.authentication import Claim, Relay, UnprovenSenderError, prove
from workers.replies.dns import DnsError, ask
from workers.replies.incoming import parse

NOW = datetime.now(UTC).replace(microsecond=0)
A_DAY = timedelta(days=1)
TO = "move+abcdefghijklmnopqrstuvwx@games.example"
CLAIM = Claim("ada@example.org", TO, NOW)
BELIEVED = Relay("mx.games.example")


def mail(text="roll", **changed) -> bytes:
    return written(text, changed.pop("to", TO), changed.pop("at", NOW), **changed)


def proven(raw: bytes, claim: Claim = CLAIM, resolver=dns, relay=None) -> bytes:
    """The mail's name, if its sender is proven."""
    proof = prove(raw, parse(raw), claim, resolver, relay)
    assert proof.to_us
    return proof.name


def refused(raw: bytes, **given) -> str:
    with pytest.raises(UnprovenSenderError) as no:
        proven(raw, **given)
    return str(no.value)


def test_a_signature_of_the_senders_domain_proves_a_mail():
    """In any case, with anything around the address."""
    assert len(proven(signed(mail()))) == 32
    assert proven(signed(mail(from_='"Ada, L." <ADA@Example.org>', to=f"Sealed Move <{TO.upper()}>")))


def test_a_date_in_utc_may_hide_its_writers_zone():
    """As privacy settings and scripts write it, which RFC 5322 allows; one of another day is still too old."""
    for at in (NOW, NOW - 4 * A_DAY):
        assert proven(signed(mail(date=f"{at:%a, %d %b %Y %H:%M:%S} -0000")))
    assert "its date is" in refused(signed(mail(date=f"{NOW - 6 * A_DAY:%a, %d %b %Y %H:%M:%S} -0000")))


def test_rsa_as_most_providers_sign():
    """1024 bits are the minimum."""
    private, public = rsa_key()
    raw = mail()
    whole = dkim.sign(raw, b"post", b"example.org", private, include_headers=[b"from", b"to", b"date"]) + raw
    assert proven(whole, resolver=lambda _: public)


@pytest.mark.parametrize(("bits", "algorithm"), [(1022, b"rsa-sha256"), (1024, b"rsa-sha1")])
def test_a_short_key_or_an_old_algorithm_proves_nothing(bits, algorithm):
    """Both can be forged. The signatures are valid otherwise."""
    private, public = rsa_key(bits)
    raw, covered = mail(), [b"from", b"to", b"date"]
    given = {"include_headers": covered, "signature_algorithm": algorithm}
    whole = dkim.sign(raw, b"post", b"example.org", private, **given) + raw
    assert dkim.DKIM(whole, minkey=512).verify(dnsfunc=lambda *_, **__: public)
    assert "no valid DKIM signature" in refused(whole, resolver=lambda _: public)


def test_each_mail_has_its_own_name():
    """By its Message-ID if that is signed, otherwise by the signature."""
    first = signed(mail())
    assert proven(b"Received: by another\r\n" + first) == proven(first)
    assert proven(signed(mail(message_id="<2@example.org>"))) != proven(first)
    bare = (b"from", b"to", b"date")
    assert proven(signed(mail(), covered=bare)) != proven(signed(mail("hold"), covered=bare))


def test_a_mail_whose_signature_cannot_be_decoded_has_a_name_if_a_relay_believes_it():
    whole = believed("dkim=pass header.d=example.org", signed(mail(), covered=(b"from", b"to", b"date")))
    assert len(proven(re.sub(rb"[\w/+]==", b"", whole, count=1), relay=BELIEVED)) == 32


def test_a_signature_that_is_spelled_differently_is_the_same_mail():
    """The last letter of Base64 has bits that mean nothing: anyone with a copy of the mail could send it 16 times."""
    first = signed(mail(), covered=(b"from", b"to", b"date"))
    (last,) = re.findall(rb"[AQgw]==", first)
    other = first.replace(last, bytes([last[0] + 1]) + b"==")
    assert proven(other) == proven(first)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (mail(), "no valid DKIM signature"),
        (signed(mail(), key=OTHER), "no valid DKIM signature"),
        (signed(mail(), domain="evil.example", key=OTHER), "no valid DKIM signature"),
        (signed(mail(from_="Ada <ada@sub.example.org>")), "not from the address"),
        (signed(mail(from_="Eve <eve@example.org>")), "not from the address"),
        (signed(mail(from_="Ada <ada@example.org>, Eve <eve@example.org>")), "not from the address"),
        (signed(mail(to="ben@example.org")), "not addressed to"),
        (signed(mail(to=TO.replace("abcdef", "ghijkl"))), "not addressed to"),
        (signed(mail(at=NOW - timedelta(days=6))), "its date is"),
        (signed(mail(at=NOW + timedelta(hours=2))), "its date is"),
        (signed(mail(date="")), "its date is"),
        (signed(mail(), covered=(b"from", b"to")), "no valid DKIM signature"),
        (signed(mail(), length=True) + b"hold\r\n", "no valid DKIM signature"),
        (signed(mail(), length=True), "no valid DKIM signature"),
        (signed(mail()) + b"hold\r\n", "no valid DKIM signature"),
        (signed(mail()).replace(b"roll", b"hold"), "no valid DKIM signature"),
        (b"Subject: hold\r\n" + signed(mail()), "more than one Subject header"),
        (b"To: <ben@example.org>\r\n" + signed(mail()), "more than one To header"),
        (b"From: <eve@evil.example>\r\n" + signed(mail()), "more than one From header"),
        (b"Date: Sat, 21 Nov 2026 10:00:00 +0000\r\n" + signed(mail()), "more than one Date header"),
        (b"Content-Type: text/html\r\n" + signed(mail()), "more than one Content-Type header"),
        (b"Message-ID: <9@example.org>\r\n" + signed(mail()), "more than one Message-Id header"),
        (b"Reply-To: <eve@evil.example>\r\n" * 2 + signed(mail()), "more than one Reply-To header"),
        (b"X: a\rTo: <ben@example.org>\r\n" + signed(mail()), "cannot be read"),
        (b"no header at all", "cannot be read"),
        (b"", "cannot be read"),
    ],
)
def test_a_reply_without_proof_of_its_sender_is_refused(raw, why):
    """Another domain, recipient or time, text appended, a header added on top."""
    assert why in refused(raw)


def test_a_domain_does_not_sign_for_its_subdomains():
    """They may have different owners, unless a list says otherwise."""
    below = replace(CLAIM, email="ada@sub.example.org")
    raw = mail(from_="Ada <ada@sub.example.org>")
    for one, relay in ((signed(raw), None), (believed("dkim=pass header.d=example.org", signed(raw)), BELIEVED)):
        with pytest.raises(UnprovenSenderError, match="no valid DKIM signature"):
            prove(one, parse(one), below, dns, relay)


def test_a_test_or_revoked_key_proves_nothing():
    """`t=y` in its record, or an empty key."""
    assert "no valid DKIM signature" in refused(signed(mail()), resolver=lambda _: record(more="t=y; "))
    assert "no valid DKIM signature" in refused(signed(mail()), resolver=lambda _: b"v=DKIM1; k=ed25519; p=")
    assert proven(signed(mail()), resolver=lambda _: record(more="t=s; "))


def test_an_expired_signature_is_refused_to_the_second():
    """The library allows ten hours."""
    ends = NOW + A_DAY  # far enough, however long after NOW the library's own clock reads it
    x = str(int(ends.timestamp())).encode()
    assert "no valid DKIM signature" in refused(signed(mail()).replace(b"; t=", b"; x=" + x + b"; t=", 1))
    sealed = _with_end(mail(), int(x))
    assert proven(sealed, claim=Claim(CLAIM.email, CLAIM.to, ends - timedelta(seconds=1)))
    assert "no valid DKIM signature" in refused(sealed, claim=Claim(CLAIM.email, CLAIM.to, ends))


def _with_end(raw: bytes, ends: int) -> bytes:
    """The library writes no `x`, so it is added to the signed header."""
    signer = dkim.DKIM(raw, signature_algorithm=b"ed25519-sha256")
    gather, end = signer.gen_header, (b"x", str(ends).encode())
    signer.gen_header = lambda fields, *more, **how: gather([*fields[:-1], end, fields[-1]], *more, **how)
    private = base64.b64encode(bytes(KEY))
    return signer.sign(SELECTOR.encode(), b"example.org", private, include_headers=[b"from", b"to", b"date"]) + raw


def test_at_most_five_signatures_are_checked():
    """One of them is enough."""
    bad = b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=x; h=from:to:date; bh=AA==; b=AA==\r\n"
    assert proven(bad * 4 + signed(mail()))
    assert "no valid DKIM signature" in refused(bad * 5 + signed(mail()))


def test_an_unreachable_dns_refuses_nothing():
    """The mail is read again later."""

    def away(_):
        raise DnsError("Timeout")

    with pytest.raises(DnsError):
        proven(signed(mail()), resolver=away)


def believed(says: str, raw: bytes | None = None, host: str = BELIEVED.name) -> bytes:
    return f"Authentication-Results: {host}; {says}\r\n".encode() + (raw or signed(mail(), key=OTHER))


def test_a_trusted_relay_is_believed_about_the_signature():
    """In the forms that relays write; no key is looked up."""
    for says in (
        "dkim=pass header.d=example.org",
        "dkim=pass (2048-bit key) header.d=example.org header.i=@example.org header.b=abc; spf=pass smtp.mailfrom=x",
        "dkim=pass header.i=@example.org header.s=post header.b=abc; dmarc=pass (p=NONE) header.from=example.org",
    ):
        assert proven(believed(says), relay=BELIEVED)


# The headers known here that providers sign (docs/adr/replies.md).
MICROSOFT = (b"from", b"date", b"subject", b"message-id", b"content-type", b"mime-version")
OTHERS = (b"from", b"to", b"date", b"subject", b"message-id", b"mime-version")


@pytest.mark.parametrize(("covered", "to_us"), [(MICROSOFT, False), (OTHERS, True)])
def test_a_signature_without_to_proves_the_sender_only(covered, to_us):
    """Any recipient could have submitted the mail here; of two signatures the one that covers more counts."""
    raw = signed(mail(), covered=covered)
    assert prove(raw, parse(raw), CLAIM, dns).to_us is to_us
    of_relay = believed("dkim=pass header.d=example.org", signed(mail(), key=OTHER, covered=covered))
    assert prove(of_relay, parse(of_relay), CLAIM, dns, BELIEVED).to_us is to_us
    assert proven(signed(signed(mail(), covered=OTHERS), covered=MICROSOFT))
    assert "not addressed to" in refused(signed(mail(to="eve@evil.example"), covered=covered))


@pytest.mark.parametrize(
    "raw",
    [
        believed("dkim=fail header.d=example.org"),
        believed("dkim=pass header.d=evil.example"),
        believed("spf=pass smtp.mailfrom=example.org"),
        believed("dmarc=pass header.from=example.org"),
        believed("dkim=pass header.d=example.org", host="mx.evil.example"),
        believed("dkim=none", None) + b"",
        believed("dkim=fail header.d=example.org", believed("dkim=pass header.d=example.org")),
        believed("dkim=pass header.d=example.org", mail()),
        believed("dkim=pass header.d=example.org", signed(mail(), key=OTHER, covered=(b"from", b"to"))),
        believed("dkim=pass header.d=example.org", signed(signed(mail(), covered=(b"from",)), key=OTHER)),
        believed("dkim=pass header.d=example.org", signed(mail(to="ben@example.org"), key=OTHER)),
        believed("\xff\x00;;="),
    ],
)
def test_a_relays_result_replaces_no_other_rule(raw):
    """Only its topmost header counts, about the only signature of the sender's domain, over all that is read."""
    assert refused(raw, relay=BELIEVED)


def test_an_untrusted_relay_is_not_believed():
    """Anybody could write its header."""
    assert refused(believed("dkim=pass header.d=example.org"))


@pytest.mark.parametrize("fault", [OSError(), dns_errors.Timeout(), resolver.NoNameservers()])
def test_an_unreachable_dns_is_not_a_missing_key(monkeypatch, fault):
    """The lookup is repeated later."""
    monkeypatch.setattr(resolver, "resolve", Mock(side_effect=fault))
    with pytest.raises(DnsError):
        ask("x._domainkey.example.org")
    monkeypatch.setattr(resolver, "resolve", Mock(side_effect=resolver.NXDOMAIN()))
    assert ask("x._domainkey.example.org") is None


@pytest.mark.parametrize("selector", ["a..b", "x" * 64, "x." * 130, "\\300"])
def test_a_name_that_cannot_exist_has_no_key(selector):
    """A forged mail with such a selector is refused at once; waiting for days, it would take the room of others."""
    assert ask(f"{selector}._domainkey.example.org.") is None
    tag = f"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s={selector}; h=from:to:date; bh=AA==; b=AA==\r\n"
    assert "no valid DKIM signature" in refused(tag.encode() + mail(), resolver=ask)
