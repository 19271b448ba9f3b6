"""The literal values of an independent prototype, and of the standards that the record is built on.

Values that follow from entry 0 were written again by the second implementation when it got its last members.
"""

from __future__ import annotations

import base64
import hashlib
import json

import jwt
import pytest

from engine import chance
from engine.record.encoding import canonical
from engine.record.log import entry
from engine.record.signed import acts, keys, moves, note
from tests.kit.vectors import scene

CREATED_HASH = "511708dc326809621476afeaf4765e698c0d0fd2f2247fb70dcb12d86f41401d"
E_OF_SCENE = bytes.fromhex("27aed0a48bb98265bceda2a1f6c7f449159e46dd3ae134e94f644753f9fef19a")
E = bytes.fromhex("39283aa77742fc4e743e7428fcac850688a09afe5578f6096aef5ae1f544d6e1")


def _link(d: int) -> bytes:
    return chance.chain_key(scene.SECRET, scene.DRAWS, d)


@pytest.mark.parametrize(
    ("label", "a", "b", "key"),
    [
        ("chain", 256, 0, "52fbdffc87255c0eb61b98b914a673094f84287c3b2303896bc933ceeaa4d4c8"),
        ("hidden", 1, 0, "77b5c52c8ea473e57070c6103a7bfff5cf77f2faa122a8db340373fb0add7074"),
        ("seal", 3, 0, "3d082a4cb00da6b8822e02feb96519ea7d5ea3ecde3cf1848d51843f3a005f9b"),
        ("seal", 1, 23, "99ec776b47a271b6894accc05d8bc86300a393d24919bd606fd3ae64034c9239"),
        ("seal", 12, 3, "7c23e0063c11375498724ed0c258dcd5ef8a8e4df5356abe8ba310433c056e39"),
        ("state", 3, 0, "f665bb7a5a04526e3fb70af9802e9240b37223e4d62192288de4be34a81d1bcb"),
    ],
)
def test_derived_keys(label: str, a: int, b: int, key: str) -> None:
    """K, also for two pairs of numbers with the same digits in a row: their keys differ."""
    assert chance.derive(scene.SECRET, label, a, b).hex() == key


@pytest.mark.parametrize(
    ("d", "key"),
    [
        (255, "1e5a15ab31ee611f4b892264e0da3e1294a3f5af6a942f46aba58e9d7ab0938b"),
        (2, "cc42cf45de76bdebd6642a0ebda04cbe1a5ac0ffb543667f78e9862befce1444"),
        (1, "66c0cbb123e360ea07576cf756fdd0478cfa7490c693e5336601c553bff2ccf1"),
        (0, "b1099cc7de2ad9c2af1a89b4cfb9e7ecaa2bcf9e253db3f9b15b8b0410271fbe"),
    ],
)
def test_links(d: int, key: str) -> None:
    """L(d) of a chain of 256."""
    assert _link(d).hex() == key


def test_entropy_of_the_scene() -> None:
    """E from the hash of `created`, two thumbprints and two nonces, in any order."""
    seats = [(keys.thumbprint_bytes(keys.public_of(scene.SEEDS[i])), scene.NONCES[i]) for i in (1, 0)]
    assert canonical.leaf(scene.CREATED).hex() == CREATED_HASH
    assert chance.entropy(canonical.leaf(scene.CREATED), seats) == E_OF_SCENE


def test_thumbprints() -> None:
    """Of the keys from seeds 01*32 and 02*32."""
    wanted = ["UDDReOZl1ipXAfp9wYsm13sDBMK5og--QWdBjzuf6o4", "aVBtapLd11SUVKIMGJfPzOEDuN0sXcmzJQNVT-_sKEU"]
    assert [keys.thumbprint(keys.public_of(seed)) for seed in scene.SEEDS] == wanted


def test_public_and_hidden_draws() -> None:
    """Five dice from the chain, four draws from a shrinking supply in the hidden lane."""
    hidden = [chance.derive(scene.SECRET, "hidden", d, 0) for d in range(1, 5)]
    assert [chance.draw(_link(d), E, d, 6) for d in range(1, 6)] == [1, 5, 5, 3, 5]
    assert [chance.draw(key, E, d, 7 - d) for d, key in enumerate(hidden, 1)] == [3, 1, 3, 1]


def test_draws_of_many_sizes() -> None:
    """One key read in words of no to four bytes."""
    sizes = (1, 2, 6, 255, 256, 257, 65536, 65537, 2**32)
    assert [chance.draw(_link(1), E, 1, n) for n in sizes] == [0, 1, 1, 175, 175, 61, 45036, 60412, 2951523080]


@pytest.mark.parametrize(
    ("n", "results"),
    [
        (129, [8, 118, 23, 87, 115, 53, 64, 52]),
        (32769, [21172, 44, 21668, 22328, 10071, 13734, 13510, 12562]),
        (
            2**31 + 1,
            [1387573292, 2079316842, 54970088, 1463337101, 1169354652, 900098329, 550872058, 1601592878],
        ),
    ],
)
def test_draws_that_reject_often(n: int, results: list[int]) -> None:
    """Sizes just over half a word: about every second word is rejected."""
    assert [chance.draw(_link(d), E, d, n) for d in range(1, 9)] == results


def test_the_sealed_move() -> None:
    """H(D("move") | text)."""
    assert moves.seal_move(scene.MOVE_TEXT) == "58wQPDENUi3zUntaqhDtDCfKULedFjnv4s78pJNIef4"
    assert moves.read_move_text(scene.MOVE_TEXT) == ([["take"], ["give", 7]], b"\xc0" * 32)


def test_the_lines_are_read_and_written_again() -> None:
    """Entry 0 commits to the chain; entry 3 shows a link and the die it threw."""
    created, started = entry.read_entry(scene.CREATED), entry.read_entry(scene.STARTED)
    assert entry.write_entry(started.body).line == scene.STARTED
    assert started.hash.hex() == "8169e7cba10153008156e4c43fcfa096222010bd07d545c60abd64247e620ed5"
    shown = started.body["draws"]
    assert created.body["chance"]["chain"] == _b64(chance.link_back(_link(1), 1, 0))
    assert shown == {"first": 1, "got": [[6, chance.draw(_link(1), E_OF_SCENE, 1, 6)]], "key": _b64(_link(1))}


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def test_the_lines_of_the_scene_are_one_chain() -> None:
    """Two joins from the second implementation are between entry 0 and entry 3."""
    head = canonical.leaf(scene.CREATED)
    for i in (0, 1):
        head = entry.read_entry(scene.joined(i, head)).hash
    assert entry.read_entry(scene.STARTED).prev == head


def test_the_note_of_the_scene() -> None:
    """Ed25519 is deterministic, so the note is the same letter by letter."""
    found = note.read(scene.NOTE)
    note.verify(found, keys.public_of(scene.SERVER_SEED))
    assert note.write(scene.SERVER, scene.GAME, 8, found.hash, scene.SERVER_SEED) == scene.NOTE


def test_the_thumbprint_of_rfc_8037() -> None:
    """Appendix A.3."""
    public = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    assert keys.thumbprint(public) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


def test_the_leaf_hash_of_nothing_in_rfc_6962() -> None:
    """The published hash of a tree of one empty leaf."""
    assert canonical.leaf(b"").hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"


def test_hmac_of_rfc_4231() -> None:
    """Test case 1."""
    wanted = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    assert canonical.M(b"\x0b" * 20, b"Hi There").hex() == wanted


@pytest.mark.parametrize(
    ("name", "public", "text", "signed"),
    [
        (
            "example.com/foo",
            base64.b64decode("AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k").hex()[2:],
            "This is an example message.\n",
            "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=",
        ),
        (
            "PeterNeumann",
            base64.b64decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW").hex()[2:],
            "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
            "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=",
        ),
    ],
)
def test_the_examples_of_signed_note(name: str, public: str, text: str, signed: str) -> None:
    """Key id and signature of the specification's example and of Go's."""
    key = bytes.fromhex(public)[-32:]
    data = base64.b64decode(signed)
    assert note.key_id(name, key) == data[:4]
    assert keys.verify(key, text.encode(), data[4:])


def test_pyjwt_reads_our_signatures() -> None:
    """A plain JWT library is enough for a third party, under the algorithm's old name."""
    text = keys.sign_jws(scene.SEEDS[0], scene.payload(), alg="EdDSA")
    key = jwt.PyJWK({**keys.jwk(keys.public_of(scene.SEEDS[0])), "alg": "EdDSA"})
    found = jwt.decode(text, key.key, algorithms=["EdDSA"], audience=scene.SERVER)
    assert found == acts.move(
        scene.SERVER, scene.GAME, 0, 4, canonical.leaf(scene.STARTED), sealed=moves.seal_move(scene.MOVE_TEXT)
    )


def test_canonical_json_is_what_the_standard_library_writes() -> None:
    """Over our model RFC 8785 needs no library of its own."""
    for line in (scene.CREATED, scene.STARTED):
        plain = json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")).encode()
        assert canonical.dumps(json.loads(line)) == plain == line
        assert canonical.H(line) == hashlib.sha256(line).digest()
