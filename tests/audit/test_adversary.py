"""The audit of entries that no honest server writes, forged by hand and then chained and noted correctly."""

import pytest

from engine.chance import chain_key
from engine.errors import BadRecord
from engine.record.audit import audit
from engine.record.compose import entries as c
from engine.record.compose.decision import lanes
from engine.record.encoding import canonical
from engine.record.judge.entries import follow
from engine.record.laws import admission
from engine.record.log.entry import read_entry
from engine.record.log.fold import open_table
from engine.record.signed import acts, keys, moves
from engine.record.signed.keys import sign_jws
from tests.kit.audited import failed
from tests.kit.play_record import SERVER_SEED, Record, bundle_of, rewrite, seed_of

ROLL = [{"do": "roll"}]
EVENTS = {"events": [], "state": canonical.to_base64url(bytes(32))}
L = 2**252 + 27742317777372353535851937790883648493


def forged(record, **body):
    """The record with a line of these members after it, written by no composer."""
    return bundle_of([*record.lines, canonical.dumps(c._first(record.table, record.at) | body)])


def jwk_of(seed):
    return keys.jwk(keys.public_of(seed))


def begun_with(game, **members):
    """A game whose entry 0 has other members, on which everybody signs."""
    record = Record(game, start=False)
    record.lines = [canonical.dumps(canonical.loads(record.lines[0]) | members)]
    record.table = open_table(read_entry(record.lines[0]))
    for seat in range(record.table.seats):
        record.join(seat)
    return record


# --- in the wrong stage, or about nobody ----------------------------------------------------------------------------


def test_nobody_joins_or_leaves_after_the_start():
    """Even with a valid signature; nor can the server remove anyone then."""
    record, seed = Record("pig"), seed_of(5)
    join = acts.join(**record.where(0), key=jwk_of(seed), nonce=bytes(32), recovery=None, bot=False)
    leave = sign_jws(record.seeds[0], acts.leave(**record.where(0)))
    for body in (
        {"kind": "joined", "seat": 0, "bot": False, "jws": sign_jws(seed, join)},
        {"kind": "left", "seat": 0, "jws": leave},
        {"kind": "left", "seat": 0, "jws": None},
    ):
        assert failed(forged(record, **body)) == {"chain": 4}


def test_a_taken_seat_is_not_joined_over():
    """The holder must leave first, and that is an entry."""
    record, seed = Record("pig", start=False), seed_of(5)
    record.join(0)
    join = acts.join(**record.where(0), key=jwk_of(seed), nonce=bytes(32), recovery=None, bot=False)
    assert failed(forged(record, kind="joined", seat=0, bot=False, jws=sign_jws(seed, join))) == {"chain": 2}


@pytest.mark.parametrize("made", [{"kind": "started"}, {"kind": "expired", "seat": 0}])
def test_no_game_starts_with_an_empty_seat_or_plays_before(made):
    """Every seat is taken at the start, by a signature."""
    record = Record("pig", start=False)
    record.join(0)
    assert failed(forged(record, **EVENTS, **made))["chain"] == 2


def test_no_game_starts_twice():
    """A second setup would deal again."""
    record = Record("pig")
    record.put(c._with_events(record.table, record.secret, record.at, {"kind": "started"}))
    assert failed(record.bundle())["chain"] == 4


def test_nothing_is_cancelled_after_its_end():
    """An outcome is final."""
    record = Record("pig").play()
    assert failed(forged(record, kind="cancelled", reason="regret", secret=None)) == {"chain": record.table.size}


@pytest.mark.parametrize("seat", [2, 63])
@pytest.mark.parametrize("kind", ["expired", "resigned", "moved", "left", "keyed"])
def test_an_entry_about_a_missing_seat_breaks_the_chain(kind, seat):
    """An entry about the third seat of two fails the chain, and the audit goes on."""
    record = Record("pig")
    jws = sign_jws(record.seeds[0], acts.resign(**record.where(0) | {"seat": seat}))
    body = {"kind": kind, "seat": seat, **({} if kind == "expired" else {"jws": jws})}
    assert failed(forged(record, **body, **({} if kind in ("left", "keyed") else EVENTS)))["chain"] == 4


def test_the_clock_plays_only_for_a_seat_that_owes():
    """Not for another seat, however late, nor twice for the same seat."""
    record = Record("pig", seats=3)
    record.now += 10**7
    assert failed(forged(record, kind="expired", seat=1, **EVENTS)) == {"rules": 5}
    record.resign(0)
    record.expire(0)
    assert failed(forged(record, kind="expired", seat=0, **EVENTS)) == {"rules": 7}


def test_a_late_move_counts_if_it_is_logged_first():
    """The deadline allows the clock to play, and still allows the player to move."""
    record = Record("pig")
    record.now = record.table.deadline(0) + 10**6
    record.move(0, ROLL)
    assert audit(record.bundle()).verdict == "holds"


# --- keys -----------------------------------------------------------------------------------------------------------


def test_a_listed_key_cannot_be_added_again():
    """Neither one that the seat joined with nor one that was added."""
    record = Record("pig")
    record.add_key(0, 5)
    for seed in (seed_of(0), seed_of(0, 5)):
        act = acts.key(**record.where(0), add=jwk_of(seed))
        assert failed(forged(record, kind="keyed", seat=0, jws=sign_jws(seed_of(0), act))) == {"signatures": 5}


def test_a_key_that_a_rival_lists_signs_nothing_for_the_rival():
    """The act names its seat, so a move that the owner signs for their own seat cannot be logged at the rival's."""
    record = Record("pig")
    record.act(acts.key(**record.where(1), add=jwk_of(seed_of(0))))
    move = sign_jws(seed_of(0), acts.move(**record.where(0), commands=ROLL))
    assert failed(forged(record, kind="moved", seat=1, jws=move, **EVENTS))["signatures"] == 5


def test_a_dropped_key_signs_again_only_after_it_was_added_again():
    """A stolen device that was found again can be used again."""
    record = Record("pig")
    record.add_key(0)
    record.drop_key(0, keys.thumbprint(keys.public_of(seed_of(0))))
    move = sign_jws(seed_of(0), acts.move(**record.where(0), commands=ROLL))
    assert failed(forged(record, kind="moved", seat=0, jws=move, **EVENTS))["signatures"] == 6
    record.act(acts.key(**record.where(0), add=jwk_of(seed_of(0))))
    record.seeds[0] = seed_of(0)
    record.move(0, ROLL)
    assert audit(record.bundle()).verdict == "holds"


def test_the_server_adds_no_key_and_the_last_one_stays():
    """A key is added and dropped by a key of its seat."""
    record = Record("pig")
    add = sign_jws(SERVER_SEED, acts.key(**record.where(0), add=jwk_of(SERVER_SEED)))
    drop = sign_jws(record.seeds[0], acts.key(**record.where(0), drop=record.table.occupants[0].kid))
    for jws in (add, drop):
        assert failed(forged(record, kind="keyed", seat=0, jws=jws)) == {"signatures": 4}


# --- chance ---------------------------------------------------------------------------------------------------------


def test_a_number_of_a_draw_is_not_skipped():
    """A draw with the true key of the one after it, which needs one hash more."""
    record = Record("pig")
    honest, record.table = record.table, c.msgspec.structs.replace(record.table, draw=2)
    signed = admission.check_act(honest, record.move_jws(0, ROLL)[0], record.now)
    record.put(c.compose_moved(record.table, record.secret, record.at, signed))
    assert failed(record.bundle())["draws"] == 4


def test_a_discarded_public_draw_is_caught_at_the_end(monkeypatch):
    """In a hidden game nobody knows earlier whether the rules required it."""
    record = Record("bids", seats=3)

    def burning(table, secret):
        public, hidden = lanes(table, secret)
        public.roll(6)
        return public, hidden

    monkeypatch.setattr(c, "lanes", burning)
    record.play(1)
    monkeypatch.undo()
    assert audit(record.bundle()).verdict == "open"
    assert failed(record.play().bundle())["draws"] == 5


@pytest.mark.parametrize("total", [1, 719, 721])
def test_entry_0_commits_to_the_draws_of_the_rules(total):
    """A chain that is too short would end the game in the middle."""
    record = Record("pig", start=False)
    chance = {"draws": total, "chain": canonical.to_base64url(chain_key(record.secret, total, 0))}
    assert record.game.meta.draws == 720
    assert failed(bundle_of(begun_with("pig", chance=chance).lines)) == {"rules": 0}


def test_declared_bots_are_reported():
    """If all players are declared bots, only the server decides the dice; the report lists them."""
    record = Record("pig", start=False)
    for seat in (0, 1):
        record.join(seat, bot=True)
        (said,) = [line for line in audit(record.bundle()).cannot_know if "bot" in line]
        assert "whether the server chose the dice" in said
    other = Record("pig", start=False)
    other.join(1, bot=True)
    other.join(0)
    said = audit(other.bundle()).cannot_know
    assert any("seat 1, the last to join" in line for line in said)
    assert any("seat 2 is a declared bot, and the dice use no nonce of a declared bot" in line for line in said)


# --- entry 0, signatures, openings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "members"), [("bids", {"hidden": False}), ("pig", {"hidden": True}),
                                               ("pig", {"options": {}})])  # fmt: skip
def test_an_entry_0_that_all_have_signed_must_still_follow_the_rules(game, members):
    """Signatures do not make an entry 0 valid that no engine would write."""
    assert failed(bundle_of(begun_with(game, **members).lines)) == {"rules": 0}


def test_a_secret_that_the_caller_trusts_is_checked_too():
    """A replay of a hidden game takes the secret from the last entry, which must not vouch for itself."""
    record, other = Record("bids").play(), bytes(32)
    table, openings = open_table(record.entries[0]), {opening["seq"]: opening for opening in record.openings}
    for entry in record.entries[1:-1]:
        table = follow(table, entry, openings.get(entry.seq), record.secret)
    body = canonical.loads(record.lines[-1]) | {"secret": canonical.to_base64url(other)}
    with pytest.raises(BadRecord) as refused:
        follow(table, read_entry(canonical.dumps(body)), openings[table.size], other)
    assert refused.value.code == "wrong-secret"


def with_jws(jws):
    """A finished move of seat 0 with another JWS in it."""
    record = Record("pig")
    record.move(0, ROLL)
    return failed(bundle_of(rewrite(record.lines, lambda body: body | ({"jws": jws} if body["seq"] == 4 else {}))))


@pytest.mark.parametrize("tail", ['"commands":[{"do":"hold"}]', '"comm\\u0061nds":[{"do":"hold"}]'])
def test_a_signed_payload_has_no_member_twice(tail):
    """Readers differ on which of two equal members counts, so both are refused."""
    record = Record("pig")
    payload = canonical.dumps(acts.move(**record.where(0), commands=ROLL))[:-1] + b"," + tail.encode() + b"}"
    head = sign_jws(record.seeds[0], {"v": 1}).partition(".")[0]
    signing = f"{head}.{canonical.to_base64url(payload)}"
    jws = f"{signing}.{canonical.to_base64url(keys.sign(record.seeds[0], signing.encode()))}"
    assert with_jws(jws)["signatures"] == 4


@pytest.mark.parametrize("change", [
    lambda s: s[:32] + (int.from_bytes(s[32:], "little") + L).to_bytes(32, "little"),
    lambda s: s[:63],
    lambda s: s + b"\0",
])  # fmt: skip
def test_a_signature_has_one_spelling(change):
    """With two spellings, one act could become two entries."""
    record = Record("pig")
    head, payload, signature = record.move_jws(0, ROLL)[0].split(".")
    jws = f"{head}.{payload}.{canonical.to_base64url(change(canonical.from_base64url(signature)))}"
    assert with_jws(jws)["signatures"] == 4


def test_an_opening_of_another_entry_fails():
    """The events of another entry, or the text of its move."""
    record = Record("bids").play()
    first, second = [opening for opening in record.openings if opening["move"]][:2]
    for part in ("events", "move"):
        swapped = [one | {part: second[part]} if one is first else one for one in record.openings]
        assert failed(bundle_of(record.lines, swapped))["seals"] == first["seq"]
    without = [one | {"move": None} if one is first else one for one in record.openings]
    assert failed(bundle_of(record.lines, without))["seals"] == first["seq"]


def test_the_text_of_a_move_is_one_line():
    """It will be a string in a bundle, and those are printable: refused before anything is decided."""
    text = moves.move_text([{"do": "bid", "amount": 1}], bytes(32)).replace(",", ",\n")
    with pytest.raises(BadRecord) as refused:
        moves.seal_move(text)
    assert refused.value.code == "not-ascii"


def test_a_data_file_is_the_one_that_entry_0_names():
    """A game that names no file must have none."""
    record = Record("pig")
    data = record.bundle() + canonical.dumps({"data": "AA", "name": "edition.json"}) + b"\n"
    report = audit(data)
    assert (report.verdict, report.checks["rules"].ok) == ("fails", False)
    assert "not the ones that entry 0 names" in report.checks["rules"].says


def test_retired_rules_cannot_be_judged(monkeypatch):
    """An engine without a version reports that, and nothing else."""
    data, game = Record("pig").bundle(), Record("pig").game
    monkeypatch.setattr(type(game), "meta", c.msgspec.structs.replace(game.meta, rules=(2, 2)))
    report = audit(data)
    assert (report.exit, report.text()) == (
        2,
        "cannot judge: rules version 1 is older than 2, the oldest that this auditor has",
    )
