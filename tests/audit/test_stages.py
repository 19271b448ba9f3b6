"""The checks of each stage, the limitations, and the verdicts of whole bundles."""

import pytest

from engine.record.audit import CHECKS, audit
from engine.record.encoding import canonical
from engine.record.signed import keys
from tests.kit.audited import failed
from tests.kit.play_record import SERVER_SEED, Record, bundle_of, rewrite

SERVER_KEY = keys.public_of(SERVER_SEED)


def test_a_lobby_holds_with_chain_signatures_and_note():
    """Nothing is drawn, so nothing else is due."""
    record = Record("bids", start=False)
    record.join(0)
    report = audit(record.bundle())
    assert (report.verdict, report.stage, report.checks["signatures"].count) == ("holds", "lobby", 1)


def test_the_report_on_a_running_hidden_game_names_the_unchecked_parts():
    """Public draws and signatures are checked; sealed moves wait for the secret."""
    report = audit(Record("bids", seats=3).play(2).bundle())
    assert (report.verdict, report.exit, report.stage, report.checks["rules"].count) == ("open", 3, "running", 0)
    assert any("unchecked" in item for item in report.cannot_know)


def test_a_finished_hidden_game_is_decided_again():
    """Every entry with events, a seal for each watcher of each, and the text of each move."""
    record = Record("bids", seats=3).play()
    report = audit(record.bundle())
    eventful, texts = len(record.openings), sum(opening["move"] is not None for opening in record.openings)
    assert {name: check.count for name, check in report.checks.items() if name in ("rules", "seals", "outcome")} == {
        "rules": eventful, "seals": 4 * eventful + texts, "outcome": 1,
    }  # fmt: skip


def test_resigning_expiring_and_keys_hold():
    """A game with everything in it."""
    record = Record("bids", seats=4, seed=8)
    record.add_key(2)
    record.play(2)
    record.resign(3)
    record.expire(record.table.active[0])
    record.drop_key(2, record.table.occupants[2].keys[0][0])
    assert audit(record.bundle()).verdict == "open"
    assert audit(record.play().bundle()).verdict == "holds"


@pytest.mark.parametrize("game", ["pig", "bids"])
def test_a_cancelled_game_is_judged_up_to_there(game):
    """With its secret shown everything is decided again."""
    record = Record(game).play(3)
    record.cancel()
    report = audit(record.bundle())
    assert (report.verdict, report.stage, report.checks["rules"].count) == ("holds", "cancelled", 4)


@pytest.mark.parametrize("later", ["moved", "started"])
def test_a_cancelled_game_stays_cancelled(later):
    """Later entries do not change that; having any fails."""
    record = Record("pig").play()
    ended = record.lines[-1] if later == "moved" else next(line for line in record.lines if b'"started"' in line)
    record = Record("pig").play(2)
    record.cancel()
    report = audit(bundle_of(rewrite([*record.lines, ended], lambda body: body)))
    assert (report.verdict, report.stage, report.checks["chain"].ok) == ("fails", "cancelled", False)


def test_an_opening_of_no_entry_is_at_no_place():
    """Its number lies beyond the end of the log."""
    record = Record("bids").play()
    beyond = record.openings[-1] | {"seq": record.table.size}
    report = audit(bundle_of(record.lines, [*record.openings, beyond]))
    assert (report.verdict, report.checks["seals"].ok, report.checks["seals"].first_failure) == ("fails", False, None)


def test_a_lost_secret_is_reported():
    """A cancelled hidden game without it cannot be decided again."""
    record = Record("bids").play(1)
    record.cancel()
    lines = rewrite(record.lines, lambda body: body | ({"secret": None} if "reason" in body else {}))
    report = audit(bundle_of(lines))
    assert (report.verdict, report.exit) == ("open", 3)
    assert "the server reports that it has lost the secret" in report.why
    assert any("the secret is lost" in item for item in report.cannot_know)


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
    assert "the players behind 1 unsigned move, which only the server attests" in report.cannot_know


def test_unsigned_moves_fail_where_they_are_not_allowed():
    """Entry 0 states whether they are allowed."""
    record = Record("pig", unsigned=True)
    record.unsigned(0, [{"do": "roll"}])
    body = {"kind": "moved", "seat": 0, "via": "mail", "commands": [{"do": "roll"}]}
    other = Record("pig")
    from engine.record.compose import entries as c

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


# --- what cannot be judged ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n\x00", b"\x1f\x8b\x08" + bytes(99), bytes(range(256)) * 9])
def test_a_file_that_is_not_a_bundle_cannot_be_judged(data):
    """One sentence, exit 2."""
    report = audit(data)
    assert (report.verdict, report.exit) == ("unknown", 2)
    assert report.text() == "cannot judge: this file is not a Sealed Move bundle"


@pytest.mark.parametrize("change", [{"v": 2}, {"rules": {"game": "pig", "version": 2, "data": None}}])
def test_a_newer_bundle_cannot_be_judged(change):
    """A later auditor may be able to."""
    lines = rewrite(Record("pig").lines, lambda body: body | (change if "v" in change or body["seq"] == 0 else {}))
    assert audit(bundle_of(lines)).exit == 2


def test_v_holds_for_a_whole_game():
    """A later version in the middle is a broken chain, not a newer record."""
    lines = [*Record("pig").lines]
    lines[2] = canonical.dumps(canonical.loads(lines[2]) | {"v": 2})
    assert failed(bundle_of(lines))["chain"] == 2


def test_the_json_has_the_promised_form():
    """Seven checks of four members each; holders of six."""
    found = audit(Record("pig").bundle()).to_json()
    assert tuple(found) == (
        "verdict", "stage", "checks", "why", "server_key", "lost", "holders", "recoveries", "two_seats", "cannot_know",
    )  # fmt: skip
    assert tuple(found["checks"]) == CHECKS
    assert all(set(check) == {"ok", "count", "first_failure", "says"} for check in found["checks"].values())
    assert all(tuple(one) == ("seat", "kid", "bot", "since", "until", "by") for one in found["holders"])


def test_a_check_that_looked_at_nothing_is_not_ok():
    """It is neither good nor bad, since it had nothing to judge."""
    report = audit(Record("pig", start=False).bundle())
    assert {name: check.ok for name, check in report.checks.items()} == {
        "chain": True, "signatures": None, "draws": None, "seals": None, "rules": None, "outcome": None, "note": True,
    }  # fmt: skip
    assert "  -    signatures      0" in report.text()


def test_entries_after_a_broken_line_neither_hold_nor_fail():
    """The line fails the chain; the note over it is judged all the same."""
    lines = Record("pig").play(2).lines
    report = audit(bundle_of([*lines[:-1], lines[-1][:-1]]))
    assert {name: (check.ok, check.first_failure) for name, check in report.checks.items() if check.ok is not None} == {
        "chain": (False, 5), "note": (True, None),
    }  # fmt: skip
    assert report.checks["signatures"].says == "not checked from entry 5 on"


def test_a_newer_game_cannot_be_judged_whatever_else_is_wrong():
    """Entry 0 shows that it is newer, and comes first."""
    lines = rewrite(Record("pig").lines, lambda body: body | ({"v": 2} if body["seq"] == 0 else {}))
    for data in (bundle_of(lines)[:-30], bundle_of(lines) + b"{}\n", bundle_of(lines).replace(b"\n\n", b"\n")):
        assert audit(data).verdict == "unknown"
