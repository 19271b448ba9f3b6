"""Reply addresses: each is for one mail, one seat, one question, one email address."""

from __future__ import annotations

import string
from dataclasses import replace

import pytest

from server.kernel import secrets
from server.kernel.config import ConfigError, settings

MASTER = bytes(range(32))
GAME = "3f2a6c1e-0b7d-4c58-9a54-7d1f0e2b9c11"
ABOUT = secrets.ReplySubject(41, GAME, 1, 12, "ada@example.org")
TOKEN = secrets.reply_token(MASTER, "move", ABOUT)
OTHERS = [
    replace(ABOUT, notification=42),
    replace(ABOUT, game=GAME.replace("3f2a", "3f2b")),
    replace(ABOUT, seat=0),
    replace(ABOUT, seq=13),
    replace(ABOUT, email="eve@example.org"),
]


def test_a_token_names_its_mail_and_is_short():
    """24 letters, so that old programs accept the address; in any case."""
    assert len(TOKEN) == 24
    assert set(TOKEN) <= set(string.ascii_lowercase + string.digits)
    assert secrets.reply_number(TOKEN.upper()) == 41
    assert secrets.is_good_reply(MASTER, "move", TOKEN.upper(), replace(ABOUT, email=" Ada@Example.org "))


@pytest.mark.parametrize("other", OTHERS)
def test_a_token_is_refused_for_anything_else(other):
    """Another mail, game, seat, question or address."""
    assert not secrets.is_good_reply(MASTER, "move", TOKEN, other)


def test_a_token_is_refused_for_another_purpose_or_server():
    """Moves and bounces have their own labels."""
    assert not secrets.is_good_reply(MASTER, "bounce", TOKEN, ABOUT)
    assert not secrets.is_good_reply(bytes(32), "move", TOKEN, ABOUT)


def test_a_token_with_a_changed_letter_is_refused():
    """At any place, including the last."""
    letters = string.ascii_lowercase + "234567"
    changed = (TOKEN[:at] + letter + TOKEN[at + 1 :] for at in range(24) for letter in letters if letter != TOKEN[at])
    assert not any(secrets.is_good_reply(MASTER, "move", text, ABOUT) for text in changed)


@pytest.mark.parametrize("text", ["", "a", "a" * 23, "a" * 25, "1" * 24, "ä" * 24, "=" * 24, " " * 24])
def test_an_invalid_token_names_nothing(text):
    """Without an error."""
    assert secrets.reply_number(text) is None
    assert not secrets.is_good_reply(MASTER, "move", text, ABOUT)


def test_a_token_is_found_in_its_address_and_in_no_other():
    """After a plus, or as the whole local part where a host does not support the plus."""
    for pattern in ("move+{token}@play.example", "{token}@move.play.example"):
        address = secrets.reply_address(pattern, TOKEN)
        assert secrets.reply_token_in(pattern, address.upper()) == TOKEN
        assert secrets.reply_token_in(pattern, address.replace("play", "other")) is None
        assert secrets.reply_token_in(pattern, "x" + address) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REPLY_ADDRESS", "move@play.example"),
        ("BOUNCE_ADDRESS", "bounce+{token}"),
        ("AUTH_RESULTS", "mx.play.example"),
        ("DKIM_KEY_FILE", "key.txt"),
    ],
)
def test_an_unusable_setting_is_refused_at_the_start(name, value):
    """Of every process; and a local key proves nothing elsewhere."""
    given = {"SEALEDMOVE_MASTER": "0" * 64, "PUBLIC_URL": "https://games.example", name: value}
    with pytest.raises(ConfigError, match=name):
        settings(given)
