"""The bytes of web push, by the vectors of their RFCs."""

from datetime import UTC, datetime

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec

from server.hooks.push import vapid
from tests.workers.push.device import CURVE, Device, claims_of, to_bytes, to_text
from workers.push.encryption import LENGTH, encrypt

# RFC 8291, appendix A.
TEXT = b"When I grow up, I want to be a watermelon"
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
ZEROS = "BAfprX1Z78bSh3B97k_M_oRCz70wyyir5dL-9SSIUNYFfERaQilXOX0oEa9TF59QGAOz4syXt2ixL1oRgZqL4Kc"
AUTH, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
# RFC 8292, section 2.4.
AUTHORIZATION = (
    "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9."
    "eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSS"
    "HzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
)


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(to_bytes(text), "big"), CURVE)


def test_the_vector_of_rfc_8291_is_encrypted_to_its_bytes():
    """The example of its appendix, which is not padded."""
    made = encrypt(TEXT, to_bytes(P256DH), to_bytes(AUTH), to_bytes(SALT), private(KEY), len(TEXT))
    assert to_text(made) == BODY


def test_every_message_has_one_size_and_its_device_reads_it():
    """A text of one byte and the longest one look alike to a push service."""
    device = Device()
    for text in (b"1", b"x" * LENGTH):
        made = encrypt(text, to_bytes(device.address.p256dh), device.auth, bytes(16), private(KEY))
        assert len(made) == 86 + LENGTH + 17
        assert device.opened(made) == text


def test_a_text_that_is_too_long_is_not_cut():
    with pytest.raises(ValueError, match="at most"):
        encrypt(bytes(LENGTH + 1), to_bytes(P256DH), to_bytes(AUTH), to_bytes(SALT), private(KEY))


def test_the_vector_of_rfc_8292_is_read_by_these_tests():
    """So what the tests accept of ours is what the RFC means."""
    claims = claims_of(AUTHORIZATION)
    assert (claims["aud"], claims["exp"], claims["sub"]) == (
        "https://push.example.net",
        1453523768,
        "mailto:push@example.com",
    )


def test_the_server_names_itself_to_one_origin_for_twelve_hours():
    """With raw `r` and `s`, in a form that the RFC's own example has."""
    now = datetime(2026, 11, 21, 10, tzinfo=UTC)
    key = vapid.server_key(bytes(32))
    made = vapid.header(key, "https://push.example.net", "mailto:push@example.com", now)
    assert claims_of(made) == {
        "aud": "https://push.example.net",
        "exp": int(now.timestamp()) + 12 * 3600,
        "sub": "mailto:push@example.com",
        "k": vapid.public_key(bytes(32)),
    }
    with pytest.raises(InvalidSignature):
        claims_of(_with_key_of(made, AUTHORIZATION))


def _with_key_of(header: str, other: str) -> str:
    return header.partition(", k=")[0] + ", k=" + other.partition(", k=")[2]


def test_the_servers_key_follows_from_its_master_alone():
    """It must never change silently: every subscription is bound to it. This is the key of a master of zeros."""
    assert vapid.public_key(bytes(32)) != vapid.public_key(bytes(31) + b"\1")
    assert vapid.public_key(bytes(32)) == ZEROS
