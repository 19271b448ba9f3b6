"""The verifier written from the specification alone, tried on what keys sign for an account and on key backups."""

import pytest

from tests.stranger.account import Request, check_registration, check_statement
from tests.stranger.forge import SERVER, backup, jwk, public, sign, zeros
from tests.stranger.keybox import open_backup, read_code, write_code
from tests.stranger.lines import H, Refused, to_base64url


@pytest.mark.parametrize(
    ("act", "by_recovery"),
    [
        ("let-in", True), ("drop-key", True), ("box", True), ("drop-box", True),
        ("address", False), ("token", False), ("erase", False),
    ],
)  # fmt: skip
def test_a_recovery_key_signs_only_statements_about_keys_and_the_backup(act, by_recovery):
    """An approved key signs every statement, and an unknown key signs none."""
    request = Request(SERVER, 7, act, "what it is about", "2026-11-21T10:00:00Z", zeros())

    def is_good(key):
        try:
            jws = sign("sealedmove-account+jws", key, {"v": 1, **vars(request)})
            check_statement(jws, request, [public(1), public(2)], recovery=public(3))
        except Refused:
            return False
        return True

    assert [is_good(key) for key in (1, 2, 3, 4)] == [True, True, by_recovery, False]


def test_a_key_is_registered_only_by_its_own_signature():
    """A signature with another good key is refused."""
    payload = {"v": 1, "aud": SERVER, "act": "register", "key": jwk(1), "nonce": zeros()}
    assert check_registration(sign("sealedmove-key+jws", 1, payload), SERVER, zeros()) == public(1)
    with pytest.raises(Refused, match="another key"):
        check_registration(sign("sealedmove-key+jws", 2, payload), SERVER, zeros())


CODE = write_code(bytes(range(240, 256)))


@pytest.mark.parametrize("random", [bytes(16), b"\xff" * 16, bytes(range(16)), bytes(range(240, 256))])
def test_a_recovery_code_is_read_however_it_was_typed(random):
    """Hyphens, spaces and small letters do not matter; letters outside the alphabet are refused."""
    code = write_code(random)
    letters = code.replace("-", "")
    assert len(letters) == 28
    typed = [code, letters, code.lower(), f" {' '.join(letters)} ", letters.replace("0", "O").replace("1", "l")]
    assert {read_code(text) for text in typed} == {letters}
    for text in (letters[:-1], letters + "0", "U" + letters[1:], letters[:-1] + "\n", "\u0131" + letters[1:]):
        with pytest.raises(Refused):
            read_code(text)


def test_a_recovery_code_is_refused_if_a_letter_is_wrong():
    """The check bits of this code find every change of one letter."""
    letters = CODE.replace("-", "")
    others = [
        letters[:at] + other + letters[at + 1 :]
        for at in range(28)
        for other in "0123456789ABCDEFGHJKMNPQRSTVWXYZ".replace(letters[at], "")
    ]
    for other in others:
        with pytest.raises(Refused):
            read_code(other)


def test_a_key_backup_opens_with_its_code():
    """It holds the private half of the key that its header names."""
    assert open_backup(backup(CODE, 1), CODE, SERVER, 7) == H(b"forge\0\1")


@pytest.mark.parametrize(
    ("plain", "says"),
    [
        ({"d": to_base64url(H(b"forge\0\2"))}, "the kid of another key"),
        ({"x": to_base64url(public(2))}, "the public half of another key"),
        ({"d": to_base64url(bytes(31))}, "31 bytes"),
        ({"crv": "X25519"}, "not an Ed25519 key"),
        ({"use": "sig"}, "unknown: use"),
    ],
)
def test_a_key_backup_with_another_plaintext_is_refused(plain, says):
    """Anyone with the code could have written it."""
    with pytest.raises(Refused, match=says):
        open_backup(backup(CODE, 1, **plain), CODE, SERVER, 7)


def test_a_key_backup_has_at_most_4096_characters():
    """The account's number sets the length, by three digits to four characters."""
    account = 10**2701
    assert len(backup(CODE, 1, account)) == 4096
    assert open_backup(backup(CODE, 1, account), CODE, SERVER, account)
    with pytest.raises(Refused, match="4098 characters"):
        open_backup(backup(CODE, 1, account * 10), CODE, SERVER, account * 10)


def test_a_key_backup_is_base64url_without_padding():
    """Padding and white space are refused in every part."""
    parts = backup(CODE, 1).split(".")
    for place in range(5):
        for end in ("=", "==", "\n"):
            changed = [*parts[:place], parts[place] + end, *parts[place + 1 :]]
            with pytest.raises(Refused, match="not base64url"):
                open_backup(".".join(changed), CODE, SERVER, 7)
