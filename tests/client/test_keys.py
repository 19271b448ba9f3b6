"""Keys in files, and the acts signed with them."""

import errno
import os
from pathlib import Path
from unittest.mock import Mock

import jwt
import pytest

from client import keys, signing
from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.signed import acts, moves
from engine.record.signed.keys import read_jws, sign_jws

AUD = "games.example"
GAME = "0193f3c2-0000-7000-8000-000000000001"


@pytest.fixture
def key():
    return keys.Key(bytes(range(32)))


@pytest.fixture
def place():
    return signing.ActPlace(AUD, GAME, 1, 7, bytes(32))


def test_a_saved_key_is_readable_by_its_owner_only(tmp_path, key):
    """The file has mode 0600, is never overwritten, and gives the same key back."""
    path = tmp_path / "new" / "me.key"
    keys.save(key, path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert keys.load(path) == key
    with pytest.raises(FileExistsError):
        keys.save(keys.make(), path)


def test_a_key_that_finds_no_room_leaves_no_file(tmp_path, monkeypatch):
    """An empty file in its place would be read as a broken key from then on."""
    path = tmp_path / "key"
    monkeypatch.setattr(os, "fsync", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        keys.load_or_make(path)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []
    assert keys.load_or_make(path) == keys.load(path)


def test_a_key_can_be_saved_where_files_have_one_name_only(tmp_path, monkeypatch, key):
    """As on a memory stick, to which a recovery key may be written."""
    monkeypatch.setattr(os, "link", Mock(side_effect=PermissionError(errno.EPERM, "Operation not permitted")))
    keys.save(key, tmp_path / "me.key")
    assert keys.load(tmp_path / "me.key") == key
    with pytest.raises(FileExistsError):
        keys.save(keys.make(), tmp_path / "me.key")
    assert keys.load(tmp_path / "me.key") == key


def test_two_processes_that_make_a_key_at_once_have_one(tmp_path, monkeypatch):
    """The second one takes the key of the first."""
    path, theirs = tmp_path / "key", keys.make()
    real = keys.make
    monkeypatch.setattr(keys, "make", lambda: keys.save(theirs, path) or real())
    assert keys.load_or_make(path) == theirs
    assert list(tmp_path.iterdir()) == [path]


def test_a_key_on_a_file_system_without_modes_is_used_with_a_warning(tmp_path, monkeypatch, key):
    """As on a memory stick, if the caller can warn; the key that this machine signs with is refused there, too."""
    path, told = tmp_path / "me.key", []
    keys.save(key, path)
    path.chmod(0o755)
    monkeypatch.setattr(Path, "chmod", Mock())
    assert keys.load(path, told.append) == keys.load_or_make(path, told.append) == key
    assert len(told) == 2
    assert str(path) in told[0]
    with pytest.raises(keys.KeyFileError, match="chmod 600"):
        keys.load(path)


@pytest.mark.parametrize("refusal", [None, PermissionError(errno.EPERM, "Operation not permitted")])
def test_a_key_that_others_can_read_is_refused_as_often_as_it_is_tried(tmp_path, monkeypatch, key, refusal):
    """Looking for modes leaves the mode of the file; without the right to look the file is refused."""
    path = tmp_path / "me.key"
    keys.save(key, path)
    path.chmod(0o644)
    if refusal:
        monkeypatch.setattr(Path, "chmod", Mock(side_effect=refusal))
    for _ in range(2):
        with pytest.raises(keys.KeyFileError, match="chmod 600"):
            keys.load(path, pytest.fail)
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_key_that_others_can_read_is_not_used(tmp_path, key):
    """It is refused with the reason, and so is a file without a seed."""
    keys.save(key, tmp_path / "me.key")
    (tmp_path / "me.key").chmod(0o640)
    with pytest.raises(keys.KeyFileError, match="chmod 600"):
        keys.load(tmp_path / "me.key")
    (tmp_path / "no.key").write_text("not a seed\n")
    (tmp_path / "no.key").chmod(0o600)
    with pytest.raises(BadRecord):
        keys.load(tmp_path / "no.key")


def test_two_keys_differ_and_hide_their_seed(tmp_path):
    """Each new key is different, and printing one does not show its seed."""
    one, two = keys.make(), keys.make()
    assert one.kid != two.kid
    assert repr(one.seed) not in repr(one)
    assert keys.load_or_make(tmp_path / "k") == keys.load_or_make(tmp_path / "k")


def test_a_move_names_its_place(key, place):
    """The act names server, game, seat, number and head, and its signature is the key's."""
    read = read_jws(signing.move(key, place, [{"do": "roll"}]).jws)
    read.verify(key.public)
    act = acts.read_act(read)
    assert (act.aud, act.game, act.seat, act.seq, act.prev) == (AUD, GAME, 1, 7, bytes(32))
    assert act.commands == [{"do": "roll"}]


def test_a_sealed_move_contains_only_the_hash_of_its_text(key, place):
    """The text opens it; a second commitment to the same commands is different."""
    text = signing.seal_text([{"do": "bid", "amount": 3}])
    signed = signing.sealed_move(key, place, text)
    act = acts.read_act(read_jws(signed.jws))
    assert signed.body == {"jws": signed.jws, "text": text}
    assert act.commands is None
    assert moves.open_move(text, act.sealed) == [{"do": "bid", "amount": 3}]
    assert signing.seal_text([{"do": "bid", "amount": 3}]) != text


@pytest.mark.parametrize("act", ["leave", "resign"])
def test_leaving_and_resigning_contain_only_their_place(key, place, act):
    assert acts.read_act(read_jws(getattr(signing, act)(key, place).jws)).act == act


def test_key_acts_name_the_key(key, place):
    """A key is added by its JWK and dropped by its kid."""
    added = acts.read_act(read_jws(signing.add_key(key, place, key.jwk).jws))
    dropped = acts.read_act(read_jws(signing.drop_key(key, place, key.kid).jws))
    assert (added.add, dropped.drop) == (key.jwk, key.kid)


def test_a_join_and_a_take_contain_keys_and_bot_flag(key, place):
    """Signed with the key that they add."""
    recovery = keys.Key(bytes(32)).jwk
    for signed in (
        signing.join(key, place, bytes(32), recovery, bot=True),
        signing.take(key, place, recovery, bot=True),
    ):
        read = read_jws(signed.jws)
        read.verify(key.public)
        act = acts.read_act(read)
        assert (act.key, act.recovery, act.bot) == (key.jwk, recovery, True)
    plain = acts.read_act(read_jws(signing.take(key, place).jws))
    assert (plain.recovery, plain.bot) == (None, False)


def test_an_offer_and_its_withdrawal(key, place):
    for is_open in (True, False):
        assert acts.read_act(read_jws(signing.offer(key, place, is_open=is_open).jws)).open is is_open


def test_a_recovery_key_names_the_only_keys_and_its_successor(key, place):
    """Separately or in one act, signed by the old recovery key."""
    old, new = keys.Key(b"\1" * 32), keys.Key(b"\2" * 32)
    for only, recovery in (([key.jwk], None), (None, new.jwk), ([key.jwk], new.jwk)):
        read = read_jws(signing.replace_keys(old, place, only=only, new=recovery).jws)
        read.verify(old.public)
        act = acts.read_act(read)
        assert (act.only, act.recovery) == (only, recovery)
    with pytest.raises(BadRecord, match="the only device keys"):
        signing.replace_keys(old, place)


def test_a_registration_is_a_jws_of_its_own_type(key):
    """It cannot be used as a move, and holds the members that the server's challenge requires."""
    text = signing.register(key, AUD, "challenge")
    with pytest.raises(BadRecord) as caught:
        read_jws(text)
    assert caught.value.code == "bad-typ"
    read = read_jws(text, typ=signing.REGISTER)
    read.verify(key.public)
    assert read.payload == {"v": 1, "aud": AUD, "act": "register", "key": key.jwk, "nonce": "challenge"}


def test_another_library_verifies_our_signature(key, place):
    """PyJWT verifies a move that names its algorithm by the older name."""
    payload = acts.resign(*place.given)
    token = sign_jws(key.seed, payload, alg="EdDSA")
    assert jwt.decode(token, jwt.PyJWK(key.jwk).key, algorithms=["EdDSA"], audience=AUD) == payload
    assert canonical.from_base64url(jwt.get_unverified_header(token)["kid"], 32)
