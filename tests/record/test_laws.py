"""Laws of the bytes, tried on many values."""

from __future__ import annotations

import base64
import hmac
from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import chance
from engine.errors import BadRecord, EngineFault, Uncertain
from engine.kit.supply import Supply
from engine.record.encoding import canonical
from engine.record.log import bundle, entry
from engine.record.signed import keys, note
from tests.kit import second
from tests.kit.vectors import scene

texts = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=8)
plain = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | texts
values = st.recursive(plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4))
binary = st.binary(max_size=70)


@given(values)
def test_canonical_json_round_trips(value: Any) -> None:
    """One value, one line; the second implementation writes the same."""
    line = canonical.dumps(value)
    assert canonical.loads(line) == value
    assert line == second.canonical(value)


@given(st.dictionaries(texts, values, max_size=4), st.randoms(use_true_random=False))
def test_a_sent_object_may_have_its_members_in_any_order(value: dict[str, Any], chance: Any) -> None:
    """Otherwise it is in canonical form; both implementations read it."""
    shuffled = _shuffled(value, chance)
    sent = second.plain(shuffled).encode()
    assert canonical.loads_sent(sent) == value
    assert second.is_sent(sent)


def _shuffled(value: Any, chance: Any) -> Any:
    if isinstance(value, list):
        return [_shuffled(item, chance) for item in value]
    if not isinstance(value, dict):
        return value
    names = sorted(value)
    chance.shuffle(names)
    return {name: _shuffled(value[name], chance) for name in names}


@given(st.text(alphabet='{}[]",:\\u01aeE+-. tf', max_size=24).map(lambda text: f'{{"a":{text}}}'.encode()))
@example(b'{"a":1,"a":1}')
@example(b'{"a":"\\u0061"}')
@example(b'{"a":1.0}')
def test_two_implementations_accept_the_same_sent_objects(data: bytes) -> None:
    """On texts that are nearly good."""
    try:
        canonical.loads_sent(data)
        ours = True
    except BadRecord:
        ours = False
    assert second.is_sent(data) == ours


@given(st.binary(max_size=40) | st.text(alphabet='{}[]",:\\u01aeE+-. tf', max_size=24).map(str.encode))
@example(b'"\\ud800"')
@example(b'"\\\\n"')
def test_any_bytes_are_a_canonical_line_or_refused(line: bytes) -> None:
    """Only BadRecord is raised, and a value that is read is written the same."""
    try:
        value = canonical.loads(line)
    except BadRecord:
        return
    assert canonical.dumps(value) == line


@given(st.integers(0, len(scene.STARTED) - 1), st.integers(1, 255))
def test_a_changed_byte_is_refused_or_gives_another_hash(at: int, change: int) -> None:
    """No entry passes for another."""
    line = bytearray(scene.STARTED)
    line[at] ^= change
    try:
        found = entry.read_entry(bytes(line))
    except BadRecord:
        return
    assert found.hash != canonical.leaf(scene.STARTED)
    assert entry.write_entry(found.body).line == bytes(line)


@given(values)
def test_any_object_is_an_entry_or_refused(value: Any) -> None:
    """The shape checks raise only BadRecord, whatever they are given."""
    for body in (value, {"v": 1, "kind": value}, {**second.json.loads(scene.STARTED), "draws": value}):
        with pytest.raises(BadRecord):
            entry.check_entry(body)


@given(binary)
def test_base64url_round_trips(data: bytes) -> None:
    """It is that of the standard library, without padding."""
    text = canonical.to_base64url(data)
    assert canonical.from_base64url(text) == data
    assert text == base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@given(st.text(max_size=12) | st.text("AQgw-_+/=\n", max_size=8))
def test_any_text_is_base64url_or_refused(text: str) -> None:
    """A text that is read is the only spelling of its bytes."""
    try:
        data = canonical.from_base64url(text)
    except BadRecord:
        return
    assert canonical.to_base64url(data) == text


@given(st.text(max_size=60) | st.text("ab.e30-_", max_size=30))
def test_any_text_is_a_jws_or_refused(text: str) -> None:
    """Rubbish raises nothing else."""
    with pytest.raises(BadRecord):
        keys.read_jws(text)
    with pytest.raises(BadRecord):
        note.read(text)
    with pytest.raises(BadRecord):
        canonical.loads_sent(text + "\x00")


@given(st.binary(max_size=80))
def test_any_bytes_are_a_bundle_or_refused(data: bytes) -> None:
    """Also after a valid header."""
    for file in (data, b"sealedmove bundle 1\n" + data):
        with pytest.raises(BadRecord):
            bundle.read(file)


@given(st.integers(0, 253402300799))
def test_times_round_trip(seconds: int) -> None:
    """From 1970 to the end of the year 9999."""
    assert canonical.seconds(canonical.instant(seconds)) == seconds


@given(st.binary(max_size=130), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@example(bytes(64), 0, 0)
@example(bytes(65), 0, 0)
def test_a_derived_key_is_the_hmac_of_the_standard_library(secret: bytes, a: int, b: int) -> None:
    """Of a secret of any length."""
    message = chance.domain("seal") + a.to_bytes(8, "big") + b.to_bytes(8, "big")
    assert chance.derive(secret, "seal", a, b) == hmac.digest(secret, message, "sha256")


@given(st.binary(min_size=32, max_size=32), st.integers(1, 40), st.data())
def test_a_chain_is_walked_back_link_by_link(secret: bytes, total: int, data: st.DataObject) -> None:
    """However it was made."""
    later = data.draw(st.integers(0, total))
    earlier = data.draw(st.integers(0, later))
    key = chance.chain_key(secret, total, later)
    assert chance.link_back(key, later, earlier) == chance.chain_key(secret, total, earlier)


def test_times_sort_as_text() -> None:
    """So `at` never goes back can be checked on the texts."""
    some = [0, 59, 86399, 951782400, 951868800, 1709164800, 253402300799]
    assert [canonical.instant(s) for s in some] == sorted(canonical.instant(s) for s in some)
    assert canonical.instant(951782400) == "2000-02-29T00:00:00Z"


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32), st.integers(1, 2**40))
def test_draws_agree_with_the_second_implementation(key: bytes, n: int, d: int) -> None:
    """Also where words are rejected."""
    assert chance.draw(key, scene.SECRET, d, n) == second.draw(key, scene.SECRET, d, n)[0]


# The 99.99 % point of chi-square with n-1 degrees of freedom: a fixed stream passes forever, or never.
@pytest.mark.parametrize(
    ("n", "most"),
    [
        (6, 25.7),
        *(pytest.param(n, most, marks=pytest.mark.slow) for n, most in ((7, 27.9), (60, 108.2), (257, 349.8))),
    ],
)
def test_draws_are_even(n: int, most: float) -> None:
    """Chi-square of 250,000 draws a size, a million in all."""
    count = 250_000
    lane = chance.Lane(lambda d: canonical.H(d.to_bytes(8, "big")), scene.entropy(), 1)
    seen = Counter(lane.roll(n) for _ in range(count))
    assert sum((seen[i] - count / n) ** 2 / (count / n) for i in range(n)) < most


def _lane(first: int = 1) -> chance.Lane:
    return chance.Lane(lambda d: chance.chain_key(scene.SECRET, 12, d), scene.entropy(), first)


def test_drawing_twice_equals_drawing_in_two_entries() -> None:
    """Draws are numbered; how they are divided into moves does not matter."""
    whole, first, later = _lane(), _lane(), _lane(3)
    assert [whole.roll(6) for _ in range(4)] == [first.die(6) - 1, first.roll(6), later.roll(6), later.die(6) - 1]
    assert whole.got == first.got + later.got


def test_a_draw_from_one_takes_a_number() -> None:
    """It reads no bytes, so counting needs no exception."""
    lane = _lane()
    assert (lane.roll(1), lane.next, lane.got) == (0, 2, [(1, 0)])
    assert second.draw(b"", b"", 1, 1) == (0, 0)


@given(key=st.binary(max_size=100), message=st.binary(max_size=200))
def test_our_hmac_is_the_one_of_the_library(key: bytes, message: bytes) -> None:
    """For short keys and for long ones, which are hashed first."""
    assert chance.hmac_of(key, message) == hmac.digest(key, message, "sha256")


def test_a_sample_draws_without_replacement() -> None:
    """All of a supply, each piece once; the supply itself stays."""
    supply = Supply.of({"lion": 2, "rhino": 1, "cave": 3})
    lane = _lane()
    assert Counter(lane.sample(supply, 6)) == {"lion": 2, "rhino": 1, "cave": 3}
    assert [n for n, _ in lane.got] == [6, 5, 4, 3, 2, 1]
    assert supply.total == 6


def test_a_closed_lane_ends_a_preview() -> None:
    """Nothing is drawn and nothing counts as drawn."""
    lane = chance.closed_lane()
    with pytest.raises(Uncertain):
        lane.die(6)
    assert not lane.drawn


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_draw_has_a_size(n: int) -> None:
    """From 1 to 2^32; anything else is a fault of the rules."""
    with pytest.raises(EngineFault) as refusal:
        _lane().roll(n)
    assert refusal.value.code == "bad-draw"


def test_a_used_up_chain_is_a_fault() -> None:
    """L(N) is the last key; a lane whose key is missing counts nothing."""
    lane = _lane(12)
    lane.roll(6)
    with pytest.raises(EngineFault) as refusal:
        lane.roll(6)
    assert refusal.value.code == "draws-used-up"
    assert lane.next == 13


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=50))
def test_signatures_hold_for_their_message_alone(seed: bytes, message: bytes) -> None:
    """Made by one implementation, verified by the other."""
    public, signature = keys.public_of(seed), keys.sign(seed, message)
    assert second.public(seed) == public
    assert second.verify(public, message, signature)
    assert not keys.verify(public, message + b"x", signature)


@pytest.mark.parametrize(
    "value", [1.5, {"a": float("nan")}, "é", {"é": 1}, 2**53, [[-(2**53)]], {1: 2}, "\n", object()]
)
def test_a_value_outside_the_model_is_not_written(value: object) -> None:
    """A writer cannot make what a reader refuses."""
    with pytest.raises(BadRecord):
        canonical.dumps(value)
