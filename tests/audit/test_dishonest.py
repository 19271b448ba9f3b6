"""Eight dishonest servers, each caught at the stage where the design says, and not before."""

import pytest

from engine.record.audit import audit
from engine.record.compose import entries as c
from engine.record.compose.decision import lanes
from engine.record.encoding import canonical
from engine.record.log.fold import apply_entry, open_table
from engine.record.signed import acts, moves
from engine.record.signed.keys import sign_jws
from tests.kit.audited import failed
from tests.kit.play_record import SERVER_SEED, Record, bundle_of, rewrite

OTHER = b"\x77" * 32


def test_chosen_dice_are_caught_at_once():
    """A key that gives the wished die is not in the chain that entry 0 commits to."""
    record = Record("pig").play(2)
    jws, _ = record.move_jws(record.table.active[0], [{"do": "roll"}])
    signed = c.admission.check_act(record.table, jws, record.now)
    record.put(c.compose_moved(record.table, OTHER, record.at, signed))
    assert failed(record.bundle())["draws"] == record.table.size - 1


def test_a_die_that_its_key_does_not_give_is_caught_at_once():
    """The true key with another result."""
    record = Record("pig")
    record.move(0, [{"do": "roll"}])

    def change(body):
        for one in body.get("draws", {}).get("got", ()):
            one[1] = (one[1] + 1) % 6
        return body

    assert failed(bundle_of(rewrite(record.lines, change)))["draws"] == 4


def test_a_false_hidden_card_is_caught_at_the_end(monkeypatch):
    """A player who was dealt the wrong card cannot know it before the secret is out."""
    record = Record("bids", seats=3, start=False)
    for seat in range(3):
        record.join(seat)
    monkeypatch.setattr(c, "lanes", lambda table, secret: (lanes(table, secret)[0], lanes(table, OTHER)[1]))
    record.start()
    monkeypatch.undo()
    assert audit(record.play(3).bundle()).verdict == "open"
    assert failed(record.play().bundle())["rules"] == 4


def test_a_rewritten_past_is_caught_at_the_next_signature():
    """A move taken out, and everything after it chained again."""
    record = Record("pig", seed=2).play(5)
    lines = rewrite(record.lines, lambda body: None if body["seq"] == 4 else body)
    assert failed(bundle_of(lines))["signatures"] == 4


def test_a_rewritten_last_entry_is_caught_by_a_kept_note():
    """Nobody has signed on the last entry yet, but its player's note names it."""
    record = Record("pig").play(2)
    kept = record.note()
    record.lines.pop()
    record.table = Record("pig").play(1).table
    record.expire(record.table.active[0])
    assert audit(record.bundle()).verdict == "holds"
    assert failed(record.bundle(), note=kept) == {"note": record.table.size - 1}


def test_an_invented_move_is_caught_at_once():
    """The server cannot sign for a player, not even with its own key."""
    record = Record("bids")
    text = moves.move_text([{"amount": 9, "do": "bid"}], bytes(32))
    jws = sign_jws(SERVER_SEED, acts.move(**record.where(0), sealed=moves.seal_move(text)))
    record.put(
        c._with_events(
            record.table,
            record.secret,
            record.at,
            {"kind": "moved", "seat": 0, "jws": jws},
            [{"amount": 9, "do": "bid"}],
            text,
        )
    )
    assert failed(record.bundle()) == {"signatures": 4}


def test_another_move_in_a_players_envelope_is_caught_at_the_end():
    """The signature is true, but the text that is published does not hash to what was signed."""
    record = Record("bids", seed=3)
    jws, _ = record.move_jws(0, [{"amount": 0, "do": "bid"}])
    commands = [{"amount": 9, "do": "bid"}]
    body = {"kind": "moved", "seat": 0, "jws": jws}
    text = moves.move_text(commands, bytes(32))
    record.put(c._with_events(record.table, record.secret, record.at, body, commands, text))
    assert audit(record.bundle()).verdict == "open"
    assert failed(record.play().bundle())["seals"] == 4


def test_a_dropped_join_is_caught_at_the_next_signature():
    """A join signs every join before it."""
    record = Record("pig", seats=3)
    lines = rewrite(record.lines[:4], lambda body: None if body["seq"] == 1 else body)
    assert failed(bundle_of(lines))["signatures"] == 1


def test_a_dropped_last_join_is_caught_by_the_joiner_s_note():
    """A server that drops joins until it likes the nonces depends on the silence of the dropped players."""
    record = Record("pig", seats=3, start=False)
    record.join(0)
    record.join(1)
    kept = record.note()
    record.lines.pop()
    record.table = apply_entry(open_table(record.entries[0]), record.entries[1])
    record.join(1, nonce=bytes(32))
    assert audit(record.bundle()).verdict == "holds"
    assert failed(record.bundle(), note=kept) == {"note": 2}


def test_a_removed_player_is_named():
    """The server may empty a seat, in the open."""
    record = Record("pig", seats=2, start=False)
    record.join(0)
    record.remove(0)
    report = audit(record.bundle())
    assert report.verdict == "holds"
    assert any("removed from seat 1 (entry 2)" in item for item in report.cannot_know)


@pytest.mark.parametrize("game", ["pig", "bids"])
def test_an_early_expiry_is_caught_at_once(game):
    """One second before the clock of entry 0 and the log's own times allow; in a hidden game, too."""
    record = Record(game)
    record.now = record.table.deadline(0) - 1
    record.put(c._with_events(record.table, record.secret, record.at, {"kind": "expired", "seat": 0}))
    assert failed(record.bundle()) == {"rules": 3 + 1}


def test_an_expiry_in_time_holds():
    """The second after."""
    record = Record("pig")
    record.expire(0)
    assert record.entries[-1].at == canonical.instant(record.table.deadline(1) - 259500)
    assert audit(record.bundle()).verdict == "holds"


@pytest.mark.parametrize("game", ["pig", "bids"])
def test_an_omitted_secret_is_caught_at_the_end(game):
    """The entry with the outcome must have the secret."""
    record = Record(game).play()
    lines = rewrite(record.lines, lambda body: {k: v for k, v in body.items() if k != "secret"})
    assert failed(bundle_of(lines, record.openings or None))["chain"] == len(lines) - 1


def test_an_end_that_is_kept_quiet_is_caught_in_an_open_game():
    """Everybody can see that it is over."""
    record = Record("pig").play()
    lines = rewrite(record.lines, lambda body: {k: v for k, v in body.items() if k not in ("secret", "outcome")})
    assert failed(bundle_of(lines)) == {"outcome": len(lines) - 1}


def test_another_secret_is_caught_at_the_end():
    """The one that entry 0 commits to, and no other."""
    record = Record("bids").play()
    wrong = canonical.to_base64url(OTHER)
    lines = rewrite(record.lines, lambda body: body | ({"secret": wrong} if "secret" in body else {}))
    found = failed(bundle_of(lines, record.openings))
    assert found["outcome"] == len(lines) - 1
    assert found["rules"] == 3


@pytest.mark.parametrize("member", ["options", "seats", "clock", "unsigned", "handover", "terms"])
def test_a_swapped_game_is_caught_at_the_first_signature(member):
    """A join signs entry 0, and with it the options, the clock and everything else in it."""
    new = {
        "options": {"goal": 31}, "seats": 3, "clock": None, "unsigned": True, "terms": "A" * 43,
        "handover": {"by": "both", "wait": 0},
    }  # fmt: skip
    record = Record("pig")
    lines = rewrite(record.lines, lambda body: body | ({member: new[member]} if body["seq"] == 0 else {}))
    assert failed(bundle_of(lines))["signatures"] == 1


def test_acts_of_another_game_are_caught():
    """The same players, the same server, another game's number."""
    other = "0193f3c2-0000-7000-8000-000000000002"
    record = Record("pig", game_id=other)
    lines = rewrite(record.lines, lambda body: body | {"game": "0193f3c2-0000-7000-8000-000000000001"})
    assert failed(bundle_of(lines))["signatures"] == 1


def test_options_that_are_not_for_so_many_seats_are_caught_in_entry_0():
    """A level is only for solo games; the game ignores it, and the audit reports it."""
    record = Record("lewis_clark", 2, start=False)
    record.join(0)

    def change(body):
        return body | {"options": body["options"] | {"level": 2}} if body["kind"] == "created" else body

    assert failed(bundle_of(rewrite(record.lines, change)))["rules"] == 0
