"""The key backup: each reader opens the other's, and a header that is not exactly ours is refused."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from client import key_backup
from client.key_backup import KeyBackupError
from client.keys import Key
from engine.record.encoding import canonical
from tests.generated import tools
from tests.kit.vectors.__main__ import FOLDER

SPEC = (tools.ROOT / "docs" / "spec" / "keybox.md").read_text("utf-8")
SCRIPT = Path("tests/browser/node/boxes.mjs")
CODE, KID, *BOX = re.search(r"\*\*An example\.\*\*.*?```\n(.*?)\n```", SPEC, re.DOTALL)[1].split("\n")
KEY = Key(hashlib.sha256(b"a recovery key that everybody knows").digest())
ACCOUNT, AUD = "7", "games.example"


def refuses(code, *given):
    with pytest.raises(KeyBackupError) as no:
        key_backup.unwrap(*given)
    assert no.value.code == code


def with_header(text, **changed):
    header, *rest = text.split(".")
    head = {**canonical.loads_sent(canonical.from_base64url(header)), **changed}
    made = canonical.dumps({name: value for name, value in head.items() if value is not None})
    return ".".join([canonical.to_base64url(made), *rest])


def in_the_page(*words):
    done = tools.node("--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", SCRIPT, *words)
    assert done.returncode == 0, done.stdout
    return done.stdout.strip()


def test_the_example_of_the_specification_opens_in_both_readers():
    """Its code, its thumbprint and its key."""
    assert KEY.kid == KID == key_backup.kid_of("".join(BOX))
    assert key_backup.unwrap("".join(BOX), CODE, ACCOUNT, AUD) == KEY
    assert in_the_page("open", "".join(BOX), CODE) == KID


def test_each_reader_opens_a_box_of_the_other():
    """This client's in the page's script, and the script's here; with another code in neither."""
    code, other = key_backup.new_code(), key_backup.new_code()
    ours = key_backup.wrap(KEY, code, ACCOUNT, AUD)
    assert in_the_page("open", ours, code) == KID
    assert in_the_page("open", ours, other) == "wrong-code"
    theirs = in_the_page("wrap", canonical.to_base64url(KEY.seed), code)
    assert key_backup.unwrap(theirs, code, ACCOUNT, AUD) == KEY
    refuses("wrong-code", theirs, other, ACCOUNT, AUD)


def test_a_code_is_read_in_any_style_and_a_mistyped_one_is_refused():
    """Small letters, spaces, letters that look like digits; a code with an error opens no box."""
    code = key_backup.new_code()
    letters = code.replace("-", "")
    looks = letters.replace("0", "o").replace("1", "l")
    for typed in (letters, code.lower(), f" {code.replace('-', ' ')}\n", looks, code.replace("-", "\u2013")):
        assert key_backup.read_code(typed) == letters
    slip = letters[:5] + ("8" if letters[5] == "7" else "7") + letters[6:]
    for wrong in ("", letters[1:], letters + "0", "U" + letters[1:], slip):
        with pytest.raises(KeyBackupError, match="code"):
            key_backup.read_code(wrong)
    assert len({key_backup.new_code() for _ in range(50)}) == 50


CHANGES = [
    {"p2c": 1},
    {"p2c": 100_000_000},
    {"p2c": "8192"},
    {"zip": "DEF"},
    {"crit": ["b64"]},
    {"enc": "A128GCM"},
    {"alg": "dir"},
    {"p2s": "AAAA"},
    {"kid": "x"},
    {"sub": None},
]


def test_any_other_header_is_refused_before_the_code_is_used():
    """No other algorithm, no count that would take an hour, no member more or less."""
    good = "".join(BOX)
    for changed in CHANGES:
        refuses("bad-box", with_header(good, **changed), CODE, ACCOUNT, AUD)
    refuses("bad-box", good + "A" * 4096, CODE, ACCOUNT, AUD)
    refuses("other-box", good, CODE, "8", AUD)
    refuses("other-box", good, CODE, ACCOUNT, "elsewhere.example")
    refuses("wrong-code", with_header(good, p2s=canonical.to_base64url(bytes(16))), CODE, ACCOUNT, AUD)


def changed_at(text, part, data):
    parts = text.split(".")
    return ".".join([*parts[:part], canonical.to_base64url(data), *parts[part + 1 :]])


def test_a_part_of_another_length_or_spelling_is_refused():
    """The wrapped key has 40 bytes, the nonce 12, the tag 16; a box has five parts, in canonical base64url."""
    good = "".join(BOX)
    for bad in (good.rpartition(".")[0], good + ".", good + "=", good.replace(".", "..", 1)):
        refuses("bad-box", bad, CODE, ACCOUNT, AUD)
    for part, due in ((1, 40), (2, 12), (4, 16)):
        for length in (0, due - 8, due + 8):
            refuses("bad-box", changed_at(good, part, bytes(length)), CODE, ACCOUNT, AUD)


def test_a_changed_bit_anywhere_keeps_a_box_closed():
    """In the wrapped key, the nonce, the ciphertext, the tag, or the authenticated header."""
    good = "".join(BOX)
    for part in (1, 2, 3, 4):
        data = bytearray(canonical.from_base64url(good.split(".")[part]))
        data[-1] ^= 1
        refuses("wrong-code", changed_at(good, part, bytes(data)), CODE, ACCOUNT, AUD)
    refuses("wrong-code", with_header(good, kid=canonical.to_base64url(bytes(32))), CODE, ACCOUNT, AUD)


def test_the_key_in_a_box_must_match_its_header(monkeypatch):
    """The public half must follow from `d`."""
    other = Key(bytes(range(32)))
    monkeypatch.setattr(key_backup, "_private", lambda key: {**other.jwk, "d": canonical.to_base64url(key.seed)})
    lying = key_backup.wrap(KEY, CODE, ACCOUNT, AUD)
    monkeypatch.undo()
    refuses("bad-box", lying, CODE, ACCOUNT, AUD)


BACKUPS = json.loads((FOLDER / "key-backups.json").read_text("ascii"))["cases"]


@pytest.mark.parametrize("case", BACKUPS, ids=[case["name"] for case in BACKUPS])
def test_each_vector_opens_or_is_refused_with_its_code(case):
    """Other implementations must agree."""
    found = None
    try:
        assert key_backup.unwrap(case["input"], case["unlock"], ACCOUNT, AUD) == KEY
    except KeyBackupError as no:
        found = no.code
    assert found == case["code"]
