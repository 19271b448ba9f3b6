"""What each stage promises, what nobody can know, and the verdict of whole bundles."""

import pytest

from engine.record import canonical, keys, note
from engine.record.audit import CHECKS, audit
from tests.kit.play_record import GAME_ID, OTHER_SEED, SERVER, SERVER_SEED, Record, bundle_of, rewrite

SERVER_KEY = keys.public_of(SERVER_SEED)


def failed(data, **given):
    return {name: check.first_failure for name, check in audit(data, **given).checks.items() if not check.ok}


def test_a_lobby_holds_with_chain_signatures_and_note():
    """Nothing is drawn, so nothing else is due."""
    record = Record("bids", start=False)
    record.join(0)
    report = audit(record.bundle())
    assert (report.verdict, report.stage, report.checks["signatures"].count) == ("holds", "lobby", 1)


def test_a_running_hidden_game_says_what_is_unchecked():
    """Public draws and signatures are; sealed moves wait for the secret."""
    report = audit(Record("bids", seats=3).play(2).bundle())
    assert (report.verdict, report.stage, report.checks["rules"].count) == ("holds", "running", 0)
    assert any("unchecked" in item for item in report.cannot_know)


def test_a_finished_hidden_game_is_decided_again():
    """Every entry with events, and a seal for each watcher of each."""
    record = Record("bids", seats=3).play()
    report = audit(record.bundle())
    eventful = len(record.openings)
    assert {name: check.count for name, check in report.checks.items() if name in ("rules", "seals", "outcome")} == {
        "rules": eventful, "seals": 4 * eventful, "outcome": 1,
    }  # fmt: skip


def test_resigning_expiring_and_keys_hold():
    """A game with everything in it."""
    record = Record("bids", seats=4, seed=8)
    record.add_key(2)
    record.play(2)
    record.resign(3)
    record.expire(record.table.active[0])
    record.drop_key(2, record.table.occupants[2].keys[0][0])
    assert audit(record.bundle()).verdict == "holds"
    assert audit(record.play().bundle()).verdict == "holds"


@pytest.mark.parametrize("game", ["pig", "bids"])
def test_a_cancelled_game_is_judged_up_to_there(game):
    """With its secret shown everything is decided again."""
    record = Record(game).play(3)
    record.cancel()
    report = audit(record.bundle())
    assert (report.verdict, report.stage, report.checks["rules"].count) == ("holds", "cancelled", 4)


def test_a_lost_secret_is_said():
    """A cancelled hidden game without it cannot be decided again."""
    record = Record("bids").play(1)
    record.cancel()
    lines = rewrite(record.lines, lambda body: body | ({"secret": None} if "reason" in body else {}))
    report = audit(bundle_of(lines))
    assert report.verdict == "holds"
    assert any("it is lost" in item for item in report.cannot_know)


def test_a_cancelled_game_with_a_false_secret_fails():
    """Null is honest; another game's secret is not."""
    record = Record("bids").play(1)
    record.cancel(secret=bytes(32))
    assert failed(record.bundle())["outcome"] == record.table.size - 1


def test_unsigned_moves_are_counted():
    """Where the game allows them they hold, and the audit says who vouches for them."""
    record = Record("bids", unsigned=True)
    record.unsigned(0, [{"do": "bid", "amount": 2}])
    report = audit(record.play().bundle())
    assert report.verdict == "holds"
    assert "who made 1 unsigned moves: the server alone attests them" in report.cannot_know


def test_unsigned_moves_fail_where_they_are_not_allowed():
    """Entry 0 says which."""
    record = Record("pig", unsigned=True)
    record.unsigned(0, [{"do": "roll"}])
    body = {"kind": "moved", "seat": 0, "via": "mail", "commands": [{"do": "roll"}]}
    other = Record("pig")
    from engine.record import compose as c

    other.put(c._with_events(other.table, other.secret, other.at, body, body["commands"]))
    assert audit(record.bundle()).verdict == "holds"
    assert "signatures" in failed(other.bundle())


def test_openings_come_with_the_secret_and_whole():
    """None while the game runs; after it each entry with events has one."""
    record = Record("bids").play(2)
    assert "seals" in failed(bundle_of(record.lines, record.openings))
    record.play()
    for left_out in range(len(record.openings)):
        openings = [*record.openings[:left_out], *record.openings[left_out + 1 :]]
        assert failed(bundle_of(record.lines, openings))["seals"] == record.openings[left_out]["seq"]


def test_a_changed_opening_fails():
    """The last seal of its entry is over the full list."""
    record = Record("bids").play()
    for at, opening in enumerate(record.openings):
        openings = list(record.openings)
        openings[at] = opening | {"events": [*opening["events"], {"is": "Started"}]}
        assert failed(bundle_of(record.lines, openings))["seals"] == opening["seq"]


@pytest.mark.parametrize("change", [lambda s: s[1:], lambda s: [s[1], s[0], *s[2:]], lambda s: [*s[:-1], s[0]]])
def test_wrong_seals_are_caught_at_the_end(change):
    """Too few at once; swapped seats, or another in place of the full list's, when the secret is out."""
    record = Record("bids").play()
    lines = rewrite(
        record.lines, lambda body: body | ({"seals": change(body["seals"])} if body["kind"] == "started" else {})
    )
    assert failed(bundle_of(lines, record.openings))["seals"] == 3


def test_entry_0_keeps_to_the_rules():
    """Seats, options in full, whether it is hidden."""
    for member, value in (("seats", 9), ("options", {}), ("hidden", True)):
        lines = rewrite(Record("pig", start=False).lines, lambda body, m=member, v=value: body | {m: v})
        assert failed(bundle_of(lines))["rules"] == 0


# --- notes, keys ----------------------------------------------------------------------------------------------------


def test_a_cut_tail_fails_with_its_old_note_and_holds_with_an_older_one():
    """Then the report says that nobody knows what came after; a kept note does."""
    record = Record("pig").play(4)
    kept = record.note()
    cut = record.lines[:-1]
    whole = record.bundle()
    assert failed(whole.replace(record.lines[-1] + b"\n", b"")) == {"note": None}
    report = audit(bundle_of(cut))
    assert report.verdict == "holds"
    assert f"what was logged after entry {len(cut) - 1}, if anything was" in report.cannot_know
    assert failed(bundle_of(cut), note=kept) == {"note": None}


def test_a_kept_older_note_is_continued():
    """The mail of each turn carries one."""
    record = Record("pig").play(4)
    report = audit(record.bundle(), note=record.note(size=4))
    assert (report.verdict, report.checks["note"].count) == ("holds", 2)


@pytest.mark.parametrize("kept", ["", "a mail", note.write(SERVER, GAME_ID, 1, bytes(32), SERVER_SEED)])
def test_a_kept_note_that_is_none_or_of_another_log_fails(kept):
    """Whatever the caller gives is looked at."""
    assert "note" in failed(Record("pig").bundle(), note=kept)


def test_a_note_of_another_key_or_game_fails():
    """It is signed with the key that entry 0 names, over this game."""
    record = Record("pig")
    head = record.table.head
    for server, game, seed in (
        (SERVER, GAME_ID, OTHER_SEED),
        (SERVER, GAME_ID[:-1] + "2", SERVER_SEED),
        ("other.example", GAME_ID, SERVER_SEED),
    ):
        other = note.write(server, game, len(record.lines), head, seed)
        data = record.bundle().replace(record.note().encode(), other.encode())
        assert failed(data) == {"note": None}


def test_the_server_key_tells_a_fabricated_game():
    """With keys of its own a forger passes, unless one knows the server's."""
    record = Record("pig").play()
    assert audit(record.bundle(), server_key=SERVER_KEY).verdict == "holds"
    assert failed(record.bundle(), server_key=keys.public_of(OTHER_SEED)) == {"note": 0}


def test_a_known_player_is_looked_for():
    """The thumbprint that sits in a seat."""
    record = Record("pig").play()
    kid = record.table.occupants[0].kid
    report = audit(record.bundle(), keys={0: kid})
    assert report.verdict == "holds"
    assert not any(kid in item for item in report.cannot_know)
    assert failed(record.bundle(), keys={1: kid}) == {"signatures": 2}
    assert failed(record.bundle(), keys={9: kid}) == {"signatures": None}


# --- what cannot be judged ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n\x00", b"\x1f\x8b\x08" + bytes(99), bytes(range(256)) * 9])
def test_what_is_no_bundle_cannot_be_judged(data):
    """One sentence, exit 2."""
    report = audit(data)
    assert (report.verdict, report.exit) == ("unknown", 2)
    assert report.text() == "cannot judge: this file is not a bundle of Sealed Move"


@pytest.mark.parametrize("change", [{"v": 2}, {"rules": {"game": "pig", "version": 2, "data": None}}])
def test_what_is_newer_cannot_be_judged(change):
    """A later auditor may."""
    lines = rewrite(Record("pig").lines, lambda body: body | (change if "v" in change or body["seq"] == 0 else {}))
    assert audit(bundle_of(lines)).exit == 2


def test_v_holds_for_a_whole_game():
    """A later version in the middle is a broken chain, not a newer record."""
    lines = [*Record("pig").lines]
    lines[2] = canonical.dumps(canonical.loads(lines[2]) | {"v": 2})
    assert failed(bundle_of(lines))["chain"] == 2


def test_the_json_has_the_promised_form():
    """Seven checks, four members each."""
    found = audit(Record("pig").bundle()).to_json()
    assert set(found) == {"verdict", "stage", "checks", "cannot_know"}
    assert tuple(found["checks"]) == CHECKS
    assert all(set(check) == {"ok", "count", "first_failure", "says"} for check in found["checks"].values())
