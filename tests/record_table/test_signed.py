"""An act is refused by the server, and its entry by everybody who checks it later, with the same stable code."""

import pytest

from engine.errors import SealedMoveError
from engine.record.audit import audit
from engine.record.encoding import canonical
from engine.record.judge.entries import follow
from engine.record.laws import admission
from engine.record.log.entry import read_entry
from engine.record.signed import acts, keys
from engine.record.signed.keys import sign_jws
from tests.kit import records
from tests.kit.attempts import Attempt, at_door, attempt, kid_of, logged
from tests.kit.audited import failed
from tests.kit.play_record import GAME_ID, SERVER_SEED, Record, jwk_of, seed_of

OTHER_GAME = "0193f3c2-0000-7000-8000-000000000002"
ROLL = [{"do": "roll"}]
BID = canonical.to_base64url(bytes(32))


def moved(record, jws):
    """The honest entry of a roll, with another JWS in it."""
    seat = record.table.active[0]
    honest = admission.check_act(
        record.table, sign_jws(record.seeds[seat], acts.move(**record.where(seat), commands=ROLL)), record.now
    )
    body = canonical.loads(c_line(record, honest))
    return read_entry(canonical.dumps(body | {"jws": jws}))


def c_line(record, signed):
    from engine.record.compose.entries import compose_moved

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
    "a seat that does not exist": ({"seat": 7}, "no-such-seat", "wrong-seat"),
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
    jws = sign_jws(record.seeds[0], payload(record, **changed))
    with pytest.raises(SealedMoveError) as refused:
        admission.check_act(record.table, jws, record.now)
    assert refused.value.code == at_door
    with pytest.raises(SealedMoveError) as broken:
        follow(record.table, moved(record, jws))
    assert broken.value.code == in_log


@pytest.mark.parametrize("act", ["leave", "resign"])
def test_another_act_is_not_logged_as_a_move(act):
    """An act is logged as what it is."""
    record = Record("pig")
    jws = sign_jws(record.seeds[0], getattr(acts, act)(**record.where(0)))
    with pytest.raises(SealedMoveError) as broken:
        follow(record.table, moved(record, jws))
    assert broken.value.code == "wrong-act"


@pytest.mark.parametrize(
    ("seed", "code"), [(SERVER_SEED, "unknown-key"), (seed_of(1), "wrong-seat"), (seed_of(0), "dropped-key")]
)
def test_another_key_is_refused(seed, code):
    """A stranger's key, one of another seat, or one that the seat has dropped."""
    record = Record("pig")
    record.add_key(0)
    record.drop_key(0, keys.thumbprint(keys.public_of(seed_of(0))))
    jws = sign_jws(seed, payload(record))
    for check in (
        lambda: admission.check_act(record.table, jws, record.now),
        lambda: follow(record.table, moved(record, jws)),
    ):
        with pytest.raises(SealedMoveError) as refused:
            check()
        assert refused.value.code == code


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_changed_bit_of_a_jws_is_refused(part):
    """Of the header, the payload, the signature."""
    record = Record("pig")
    parts = sign_jws(record.seeds[0], payload(record)).split(".")
    data = canonical.from_base64url(parts[part])
    parts[part] = canonical.to_base64url(data[:-3] + bytes([data[-3] ^ 1]) + data[-2:])
    with pytest.raises(SealedMoveError):
        admission.check_act(record.table, ".".join(parts), record.now)
    with pytest.raises(SealedMoveError):
        follow(record.table, moved(record, ".".join(parts)))


def test_a_rival_who_lists_my_key_gains_nothing():
    """My acts name my seat, and the report shows the seat for which my key has signed."""
    record = Record("pig", seats=3)
    record.act(acts.key(**record.where(1), add=jwk_of(seed_of(0))))
    record.move(0, ROLL)
    assert record.table.seats_of(kid_of(seed_of(0))) == [0, 1]
    assert audit(record.bundle()).two_seats == ()


def test_a_key_may_sign_for_two_seats_and_the_report_names_it():
    record = Record("pig", seats=3, start=False)
    record.seeds[1] = record.seeds[0]
    for seat in range(3):
        record.join(seat)
    record.start()
    report = audit(record.bundle())
    assert report.verdict == "holds"
    assert [(one.kid, one.seats) for one in report.two_seats] == [(kid_of(seed_of(0)), (0, 1))]
    assert f"key {kid_of(seed_of(0))} signed for seats 1 and 2" in report.text()


def test_a_join_is_signed_with_the_key_it_brings():
    """A join proves possession of the key."""
    record = Record("pig", start=False)
    brought = {"key": keys.jwk(keys.public_of(seed_of(0))), "nonce": bytes(32), "recovery": None}
    payload = acts.join(**record.where(0), **brought, bot=False)
    with pytest.raises(SealedMoveError) as refused:
        record.signed(payload, seed_of(1))
    assert refused.value.code == "wrong-key"


@pytest.mark.parametrize("kind", ["moved", "resigned"])
def test_a_recovery_key_neither_moves_nor_resigns(kind):
    """In an audit such an entry fails its signature."""
    record = records.running(recovery=records.BACK)
    tried = attempt(record, kind, 0, seed=records.BACK)
    with pytest.raises(SealedMoveError) as refused:
        at_door(record, tried)
    assert refused.value.code == "recovery-only"
    assert failed(logged(record, tried))["signatures"] == 4 + 1


def test_one_act_of_the_recovery_key_takes_a_seat_back_from_a_thief():
    """The thief has used up all sixteen adds, dropped the owner's key and offered the seat."""
    record = records.running(recovery=records.BACK, handover={"by": "both", "wait": 3600})
    for number in range(16):
        record.add_key(0, 60 + number)
    record.drop_key(0, kid_of(seed_of(0)))
    record.offer(0)
    record.recover(0, records.BACK)
    assert not record.table.is_open(0)
    assert [kid for kid, _ in record.table.occupants[0].keys] == [kid_of(seed_of(0, 3))]
    for number in range(16):
        tried = attempt(record, "keyed", 0, seed=seed_of(0, 60 + number))
        with pytest.raises(SealedMoveError, match="dropped-key"):
            at_door(record, tried)
    record.move(0, ROLL)
    report = audit(record.bundle())
    assert report.verdict == "holds"
    assert [(one.seq, one.seat) for one in report.recoveries] == [(len(record.lines) - 2, 0)]


def test_a_recovery_code_is_changed_and_the_devices_stay():
    record = records.running(recovery=records.BACK)
    record.replace_recovery(0, records.BACK, seed_of(0, 51))
    record.move(0, ROLL)
    assert audit(record.bundle()).verdict == "holds"


def test_a_recovery_key_that_was_replaced_signs_nothing_more():
    record = records.running(recovery=records.BACK)
    record.replace_recovery(0, records.BACK, seed_of(0, 51))
    for seed, code in ((records.BACK, "dropped-key"), (seed_of(0, 51), None)):
        tried = attempt(record, "keyed", 0, only=[seed_of(5)], seed=seed)
        found = None
        try:
            at_door(record, tried)
        except SealedMoveError as no:
            found = no.code
        assert found == code
        assert failed(logged(record, tried)).get("signatures") == (None if code is None else record.table.size)


@pytest.mark.parametrize("kind", ["moved", "keyed", "offered", "resigned"])
def test_a_former_holder_can_no_longer_sign(kind):
    """`taken` drops all their keys, the recovery key too."""
    record = records.opened(recovery=records.BACK)
    record.take(0)
    for seed in (seed_of(0), records.BACK):
        tried = attempt(record, kind, 0, seed=seed)
        with pytest.raises(SealedMoveError) as refused:
            at_door(record, tried)
        assert refused.value.code == "dropped-key"
        assert failed(logged(record, tried))["signatures"] == record.table.size


@pytest.mark.parametrize("kind", ["joined", "taken"])
def test_only_the_player_can_declare_a_bot(kind):
    """The server cannot call a person a bot, nor a bot a person."""
    record = records.lobby() if kind == "joined" else records.opened()
    tried = attempt(record, kind)
    data = logged(record, tried._replace(body=tried.body | {"bot": True}))
    assert failed(data) == {"signatures": record.table.size}
    assert "the signed bot differs from the entry's" in audit(data).checks["signatures"].says


@pytest.mark.parametrize("kind", ["joined", "taken"])
def test_a_join_or_take_by_another_key_is_refused(kind):
    """A player who presents a key without possessing it gets no seat."""
    record = records.lobby() if kind == "joined" else records.opened()
    payload = canonical.loads_sent(canonical.from_base64url(attempt(record, kind).jws.split(".")[1]))
    jws = sign_jws(seed_of(5), payload)
    with pytest.raises(SealedMoveError) as refused:
        admission.check_act(record.table, jws, record.now)
    assert refused.value.code == "wrong-key"
    assert (
        failed(logged(record, Attempt(kind, {"seat": 0, "bot": False, "jws": jws})))["signatures"] == record.table.size
    )


def test_the_last_key_of_a_seat_stays():
    """Otherwise nobody could play it."""
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


def test_open_commands_are_refused_in_a_hidden_game():
    """Every move is sealed there."""
    record = Record("bids")
    jws = sign_jws(record.seeds[0], acts.move(**record.where(0), commands=[{"do": "bid", "amount": 1}]))
    with pytest.raises(SealedMoveError) as refused:
        admission.check_act(record.table, jws, record.now)
    assert refused.value.code == "wrong-form"


@pytest.mark.slow
def test_a_sealed_move_needs_its_own_text():
    """Another text, even a valid one, is not the one that was signed."""
    from engine.record.compose import entries as c
    from engine.record.signed import moves

    record = Record("bids")
    jws, _ = record.move_jws(0, [{"do": "bid", "amount": 1}])
    text = moves.move_text([{"do": "bid", "amount": 2}], bytes(32))
    with pytest.raises(SealedMoveError) as refused:
        c.compose_moved(
            record.table, record.secret, record.at, admission.check_act(record.table, jws, record.now), text
        )
    assert refused.value.code == "wrong-seal"
