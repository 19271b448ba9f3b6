"""An act is refused at the door, and its entry by everybody who checks it later, with the same stable code."""

import pytest

from engine.errors import SealedMoveError
from engine.record import acts, base64url, canonical, door, keys
from engine.record.entry import read_entry
from engine.record.judge import follow
from engine.record.jws import sign
from tests.kit.play_record import GAME_ID, SERVER_SEED, Record, seed_of

OTHER_GAME = "0193f3c2-0000-7000-8000-000000000002"
ROLL = [{"do": "roll"}]
BID = base64url.encode(bytes(32))


def moved(record, jws):
    """The honest entry of a roll, with another JWS in it."""
    seat = record.table.active[0]
    honest = door.check_act(record.table, sign(record.seeds[seat], acts.move(**record.where(seat), commands=ROLL)))
    body = canonical.loads(c_line(record, honest))
    return read_entry(canonical.dumps(body | {"jws": jws}))


def c_line(record, signed):
    from engine.record.compose import compose_moved

    return compose_moved(record.table, record.secret, record.at, signed).line


def payload(record, **changed):
    """The payload of the roll that is due, with members changed, added, or (None) left out."""
    seat = record.table.active[0]
    whole = acts.move(**record.where(seat), commands=ROLL) | changed
    return {name: value for name, value in whole.items() if value is not None}


PAYLOADS = {
    "another server": ({"aud": "games.example:8000"}, "wrong-audience", "wrong-server"),
    "another game": ({"game": OTHER_GAME}, "wrong-game", "wrong-game"),
    "another seat": ({"seat": 1}, "wrong-seat", "wrong-seat"),
    "a seat that is none": ({"seat": 7}, "no-such-seat", "wrong-seat"),
    "a later entry": ({"seq": 9}, "unknown-head", "wrong-seq"),
    "an earlier entry": ({"seq": 2}, "stale-head", "wrong-seq"),
    "another past": ({"prev": BID}, "unknown-head", "wrong-prev"),
    "a sealed move in an open game": ({"commands": None, "sealed": BID}, "wrong-form", "wrong-form"),
    "commands and a seal": ({"sealed": BID}, "bad-form", "bad-form"),
    "another version": ({"v": 2}, "bad-version", "bad-version"),
    "an unknown member": ({"name": "x"}, "unknown-member", "unknown-member"),
    "no prev": ({"prev": None}, "missing-member", "missing-member"),
}


@pytest.mark.parametrize("case", PAYLOADS)
def test_a_payload_that_is_not_this_entrys_is_refused(case):
    """Signed with the right key, but for something else."""
    changed, at_door, in_log = PAYLOADS[case]
    record = Record("pig")
    jws = sign(record.seeds[0], payload(record, **changed))
    with pytest.raises(SealedMoveError) as refused:
        door.check_act(record.table, jws)
    assert refused.value.code == at_door
    with pytest.raises(SealedMoveError) as broken:
        follow(record.table, moved(record, jws))
    assert broken.value.code == in_log


@pytest.mark.parametrize("act", ["leave", "resign"])
def test_another_act_is_no_move(act):
    """An act is logged as what it is."""
    record = Record("pig")
    jws = sign(record.seeds[0], getattr(acts, act)(**record.where(0)))
    with pytest.raises(SealedMoveError) as broken:
        follow(record.table, moved(record, jws))
    assert broken.value.code == "wrong-act"


@pytest.mark.parametrize(
    ("seed", "code"), [(SERVER_SEED, "unknown-key"), (seed_of(1), "wrong-seat"), (seed_of(0), "dropped-key")]
)
def test_another_key_is_refused(seed, code):
    """A stranger's, another seat's, one that the seat has dropped."""
    record = Record("pig")
    record.add_key(0)
    record.drop_key(0, keys.thumbprint(keys.public_of(seed_of(0))))
    jws = sign(seed, payload(record))
    for check in (lambda: door.check_act(record.table, jws), lambda: follow(record.table, moved(record, jws))):
        with pytest.raises(SealedMoveError) as refused:
            check()
        assert refused.value.code == code


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_changed_bit_of_a_jws_is_refused(part):
    """Of the header, the payload, the signature."""
    record = Record("pig")
    parts = sign(record.seeds[0], payload(record)).split(".")
    data = base64url.decode(parts[part])
    parts[part] = base64url.encode(data[:-3] + bytes([data[-3] ^ 1]) + data[-2:])
    with pytest.raises(SealedMoveError):
        door.check_act(record.table, ".".join(parts))
    with pytest.raises(SealedMoveError):
        follow(record.table, moved(record, ".".join(parts)))


def test_a_key_holds_one_seat_of_a_game():
    """Nobody plays against himself with one key; nor with one that was a rival's."""
    record = Record("pig", seats=3, start=False)
    record.join(0)
    record.seeds[1] = record.seeds[0]
    with pytest.raises(SealedMoveError) as refused:
        record.join(1)
    assert refused.value.code == "key-taken"


def test_a_join_is_signed_with_the_key_it_brings():
    """Who joins proves that he holds the key."""
    record = Record("pig", start=False)
    payload = acts.join(**record.where(0), key=keys.jwk(keys.public_of(seed_of(0))), nonce=bytes(32))
    with pytest.raises(SealedMoveError) as refused:
        record.signed(payload, seed_of(1))
    assert refused.value.code == "wrong-key"


def test_the_last_key_of_a_seat_stays():
    """Else nobody could play it."""
    record = Record("pig")
    with pytest.raises(SealedMoveError) as refused:
        record.drop_key(0, keys.thumbprint(keys.public_of(seed_of(0))))
    assert refused.value.code == "last-key"


def test_an_added_key_signs_and_the_old_one_too():
    """Validity is by place in the log."""
    record = Record("pig")
    record.add_key(0)
    record.move(0, ROLL)
    assert record.table.occupants[0].public(keys.thumbprint(keys.public_of(seed_of(0))))
    assert record.table.created["game"] == GAME_ID


def test_commands_are_no_move_of_a_hidden_game():
    """There every move is sealed."""
    record = Record("bids")
    jws = sign(record.seeds[0], acts.move(**record.where(0), commands=[{"do": "bid", "amount": 1}]))
    with pytest.raises(SealedMoveError) as refused:
        door.check_act(record.table, jws)
    assert refused.value.code == "wrong-form"


def test_a_sealed_move_needs_its_own_text():
    """Another text, though a good one, is not what was signed."""
    from engine.record import compose as c
    from engine.record import moves

    record = Record("bids")
    jws, _ = record.move_jws(0, [{"do": "bid", "amount": 1}])
    text = moves.move_text([{"do": "bid", "amount": 2}], bytes(32))
    with pytest.raises(SealedMoveError) as refused:
        c.compose_moved(record.table, record.secret, record.at, door.check_act(record.table, jws), text)
    assert refused.value.code == "wrong-seal"
