"""The server's key: the first seen holds for all games of a host; a signed change is followed, any other refused."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from client.errors import DistrustError
from client.pins import Pins
from engine.record.encoding import canonical
from engine.record.signed import keys, server_keys
from tests.kit.patience import PATIENCE

from .dishonest import Proxy, say
from .fake_server import HOST, SEED, FakeServer
from .people import At, distrusts

ONE, TWO, THREE = SEED, b"\x22" * 32, b"\x33" * 32


def public(*seeds):
    return tuple(map(keys.public_of, seeds))


def known(folder):
    return Pins(folder).known(HOST).keys


def look(folder, house, way=None):
    """A new game of this house is looked at, by a client that keeps its games in this folder."""
    player = At(house, folder, 0, way)
    player.player = type(player.player)(
        (way or house).api(), house.id, player.player.key, type(player.player.memory)(folder / house.id),
        clock=lambda: house.now, tell=player.said.append,
    )  # fmt: skip
    return player


def test_the_first_key_seen_is_kept_for_the_host(tmp_path):
    """With the server's whole list, in the folder above the games."""
    look(tmp_path, FakeServer("pig", 2, ONE, TWO)).sync()
    assert known(tmp_path) == public(ONE, TWO)
    assert [path.name for path in (tmp_path / "servers").iterdir()] == [f"{HOST}.json"]


def test_another_key_in_another_game_is_refused_aloud(tmp_path):
    """Without a document that names it, or with one of its own making; the pin stays."""
    look(tmp_path, FakeServer("pig", 2)).sync()
    for document in (False, True):
        house = FakeServer("pig", 2, TWO)
        house.has_document = document
        player = look(tmp_path, house)
        distrusts(player, "other-server-keys" if document else "other-server-key")
        assert house.posted == []
    assert known(tmp_path) == public(ONE)


def test_the_refusal_names_both_keys(tmp_path):
    """So that a person can ask the operator."""
    look(tmp_path, FakeServer("pig", 2)).sync()
    house = FakeServer("pig", 2, TWO)
    house.has_document = False
    with pytest.raises(DistrustError) as caught:
        look(tmp_path, house).sync()
    for key in public(ONE, TWO):
        assert keys.thumbprint(key) in str(caught.value)


def test_a_change_that_the_old_key_has_signed_is_followed(tmp_path):
    """New games are under the new key, and old ones under the old."""
    look(tmp_path, FakeServer("pig", 2)).sync()
    look(tmp_path, FakeServer("pig", 2, ONE, TWO)).sync()
    assert known(tmp_path) == public(ONE, TWO)
    look(tmp_path, FakeServer("pig", 2, ONE, TWO, THREE)).sync()
    assert known(tmp_path) == public(ONE, TWO, THREE)


def document(*seeds, signed_by=None):
    """A server's list, in which the last key is signed by another than the one before it."""
    made = server_keys.document(HOST, seeds, [None] * len(seeds), spec="", software="", contact=None)
    if signed_by is not None:
        made["keys"][-1]["signed"] = server_keys.succession(HOST, signed_by, keys.public_of(seeds[-1]))
    return made


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        (document(ONE, TWO, signed_by=THREE), "wrong-key"),
        (document(TWO), "other-server-keys"),
        (document(TWO, ONE), "other-server-keys"),
        (document(THREE, ONE, TWO), "other-server-keys"),
        ({**document(ONE, TWO), "server": "elsewhere.example"}, "wrong-act"),
        ({**document(ONE), "server": "elsewhere.example"}, "other-server-keys"),
        ({"server": HOST, "keys": []}, "bad-server-document"),
        ([], "bad-server-document"),
        ("keys", "bad-server-document"),
        (document(ONE, THREE), "other-server-key"),
    ],
)
def test_a_change_that_the_old_key_has_not_signed_is_refused(tmp_path, shown, code):
    """Signed by nobody, by another, for another host, in a list that does not continue ours, or that lacks the key."""
    look(tmp_path, FakeServer("pig", 2)).sync()
    house = FakeServer("pig", 2, TWO)
    house.get_sealedmove = lambda query: shown
    player = look(tmp_path, house)
    distrusts(player, code)
    assert any(kept["what"] == "server-keys" and kept["document"] == shown for kept in player.evidence)
    assert known(tmp_path) == public(ONE)


def test_a_list_that_was_rewritten_is_found_though_the_key_is_known(tmp_path):
    """Keys are never removed: a list that lacks one we have seen is another list."""
    look(tmp_path, FakeServer("pig", 2, ONE, TWO)).sync()
    house = FakeServer("pig", 2, ONE)
    distrusts(look(tmp_path, house), "other-server-keys")


def test_a_host_without_a_list_has_the_one_key(tmp_path):
    """Later it shows a list that begins with it, and then a change is followed."""
    house = FakeServer("pig", 2)
    house.has_document = False
    look(tmp_path, house).sync()
    assert known(tmp_path) == public(ONE)
    look(tmp_path, FakeServer("pig", 2, ONE, TWO)).sync()
    assert known(tmp_path) == public(ONE, TWO)


def test_an_older_key_is_not_taken_because_it_names_ours_as_the_next(tmp_path):
    """Anybody can make a key and sign that ours follows it."""
    house = FakeServer("pig", 2, TWO)
    house.has_document = False
    look(tmp_path, house).sync()
    false = FakeServer("pig", 2, ONE)
    false.get_sealedmove = lambda query: document(ONE, TWO)
    distrusts(look(tmp_path, false), "other-server-key")
    assert known(tmp_path) == public(TWO)


def test_a_list_that_does_not_come_takes_nothing_away(tmp_path):
    """A proxy that hides it: the known key is still known, and another is still refused."""
    look(tmp_path, FakeServer("pig", 2)).sync()
    for seed, is_known in ((ONE, True), (TWO, False)):
        house = FakeServer("pig", 2, seed)
        way = Proxy(house)
        way.reads["sealedmove.json"] = say(502)
        player = look(tmp_path, house, way)
        if is_known:
            player.sync()
        else:
            distrusts(player, "other-server-key")


def test_a_key_known_from_elsewhere_is_held_to(tmp_path):
    """A player who was given the server's key accepts no other, whatever is pinned."""
    house = FakeServer("pig", 2)
    At(house, tmp_path / "right", 0, server_key=keys.public_of(ONE)).sync()
    distrusts(At(house, tmp_path / "wrong", 0, server_key=keys.public_of(TWO)), "other-server-key")


def test_a_person_who_knows_why_forgets_the_pin(tmp_path):
    """Then the next key seen is the first."""
    look(tmp_path, FakeServer("pig", 2)).sync()
    Pins(tmp_path).forget(HOST)
    look(tmp_path, FakeServer("pig", 2, TWO)).sync()
    assert known(tmp_path) == public(TWO)


def test_another_host_has_keys_of_its_own(tmp_path):
    """One file a host, whatever its name holds."""
    pins = Pins(tmp_path)
    pins.check("one.example:8000", *public(ONE), None)
    pins.check("[::1]:8000", *public(TWO), None)
    assert pins.known("one.example:8000").keys == public(ONE)
    assert pins.known("[::1]:8000").keys == public(TWO)
    assert pins.known("two.example") is None
    assert canonical.to_base64url(*public(ONE)) in (tmp_path / "servers" / "one.example%3A8000.json").read_text()


def test_two_clients_that_start_at_once_both_keep_the_pin(tmp_path, monkeypatch):
    """Each has written its file before either moves it into place."""
    both, replace = threading.Barrier(2), Path.replace

    def late(part, target):
        both.wait(PATIENCE)
        return replace(part, target)

    monkeypatch.setattr(Path, "replace", late)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: Pins(tmp_path).check(HOST, public(ONE)[0], None), range(2)))
    assert known(tmp_path) == public(ONE)
    assert [path.name for path in (tmp_path / "servers").iterdir()] == [f"{HOST}.json"]


def test_a_file_that_cannot_be_written_leaves_no_part(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="no space"):
        Pins(tmp_path).check(HOST, public(ONE)[0], None)
    assert list((tmp_path / "servers").iterdir()) == []


def refuse(_descriptor):
    raise OSError(28, "no space left on the device")
