"""The verifier written from the specification alone, tried on small games that keep or break one law each."""

import pytest

from tests.stranger.forge import Forge, joined, jwk, kid, public, table
from tests.stranger.judge import judge
from tests.stranger.lines import H, leaf, to_base64url


def fails(forge, check, openings=False):
    """The first entry that fails, and that only this check does."""
    report = judge(forge.file(openings))
    assert [name for name, it in report["checks"].items() if it["ok"] is False] == [check], report["checks"]
    assert report["verdict"] == "fails"
    return report["checks"][check]["first_failure"]


def test_an_honest_game_holds():
    """Draws, a handover, new keys, and an end."""
    forge = table()
    forge.move(0, 10, draws=(6, 6, 2**32, 1))
    forge.act("keyed", "key", 1, 11, add=jwk(31))
    forge.act("keyed", "key", 1, 21, only=[jwk(11), jwk(34)], recovery=jwk(32))
    forge.act("keyed", "key", 1, 34, drop=kid(11))
    forge.act("offered", "offer", 1, 34, open=True)
    forge.take(1, 33)
    forge.move(1, 33, draws=(52, 300, 70000), ends=True)
    report = judge(forge.file())
    assert report["verdict"] == "holds", report
    assert report["recoveries"] == [{"seq": 6, "seat": 1}]
    assert [(each["seat"], each["since"], each["until"], each["by"]) for each in report["holders"]] == [
        (0, 1, None, "join"), (1, 2, 9, "join"), (1, 9, None, "offer"),
    ]  # fmt: skip


def test_a_hidden_game_is_open_until_its_end():
    """Its openings are judged once the secret is shown."""
    forge = table(hidden=True)
    forge.move(0, 10)
    assert judge(forge.file())["verdict"] == "open"
    assert fails(forge, "seals", openings=True) == 3
    forge.move(1, 11, draws=(6,), ends=True)
    assert judge(forge.file(openings=True))["verdict"] == "holds"
    assert fails(forge, "seals") == 3
    forge.openings[1]["move"] = forge.openings[1]["move"].replace("[0]", "[2]")
    assert fails(forge, "seals", openings=True) == 4


def absent():
    """Seat 1 has missed twice."""
    forge = table()
    for _ in range(2):
        forge.later(660)
        forge.expire(1)
    return forge


def waiting():
    """Seat 0 is offered, and its offer waits a minute."""
    forge = table(handover=("offer", 60))
    forge.act("offered", "offer", 0, 10, open=True)
    return forge


def many(times, act):
    forge = table()
    for number in range(times):
        act(forge, number)
    return forge


def add(forge, number):
    forge.act("keyed", "key", 0, 10, add=jwk(100 + number))


def rotate(forge, number):
    forge.act("keyed", "key", 0, 20 if not number else 100 + number - 1, only=None, recovery=jwk(100 + number))


def offer_and_close(forge, number, key=10):
    forge.act("offered", "offer", 0, key, open=True)
    forge.act("offered", "offer", 0, key, open=False)


BREAKS = {
    "a move before the start": ("chain", 1, Forge, lambda it: it.expire(0)),
    "left after the start": ("chain", 4, table, lambda it: it.log("left", seat=0, jws=None)),
    "a start without a seat": ("chain", 2, lambda: joined(0), lambda it: it.start()),
    "a seat beyond": ("chain", 4, table, lambda it: it.log("granted", seats=[2], seconds=1, why="host")),
    "a seat joined twice": ("chain", 2, lambda: joined(0), lambda it: it.join(0, 15)),
    "an empty seat left": ("chain", 2, lambda: joined(0), lambda it: it.log("left", seat=1, jws=None)),
    "an offer where none may be": (
        "chain", 4, lambda: table(handover=("absent", 0)), lambda it: it.act("offered", "offer", 0, 10, open=True),
    ),
    "a closed seat closed": ("chain", 4, table, lambda it: it.act("offered", "offer", 0, 10, open=False)),
    "an open seat opened": ("chain", 5, waiting, lambda it: it.act("offered", "offer", 0, 10, open=True)),
    "a 17th offer": ("chain", 36, lambda: many(16, offer_and_close), lambda it: offer_and_close(it, 0)),
    "a seat that is not free": ("chain", 4, table, lambda it: it.take(0, 15)),
    "an offer taken too early": ("chain", 5, waiting, lambda it: (it.later(59), it.take(0, 15))),
    "time back": ("chain", 4, table, lambda it: (it.later(-1), it.log("granted", seats=[0], seconds=1, why="host"))),
    "nothing lost": ("chain", 4, table, lambda it: it.log("restored", size=4, hash=to_base64url(bytes(32)))),
    "another's key": ("signatures", 4, table, lambda it: it.move(0, 11)),
    "a recovery key that moves": ("signatures", 4, table, lambda it: it.move(0, 20)),
    "a recovery key that adds": ("signatures", 4, table, lambda it: it.act("keyed", "key", 0, 20, add=jwk(40))),
    "a device key that recovers": (
        "signatures", 4, table, lambda it: it.act("keyed", "key", 0, 10, only=[jwk(10)], recovery=None),
    ),
    "the recovery key dropped": ("signatures", 4, table, lambda it: it.act("keyed", "key", 0, 10, drop=kid(20))),
    "the last key dropped": ("signatures", 4, table, lambda it: it.act("keyed", "key", 0, 10, drop=kid(10))),
    "a key added again": ("signatures", 4, table, lambda it: it.act("keyed", "key", 0, 10, add=jwk(10))),
    "a key twice in one act": ("signatures", 2, lambda: joined(0), lambda it: it.join(1, 15, 15)),
    "the recovery key among the only ones": (
        "signatures", 4, table, lambda it: it.act("keyed", "key", 0, 20, only=[jwk(20)], recovery=jwk(40)),
    ),
    "a 17th key": ("signatures", 20, lambda: many(16, add), lambda it: add(it, 16)),
    "a 17th recovery": ("signatures", 20, lambda: many(16, rotate), lambda it: rotate(it, 16)),
    "an answer by the clock too early": ("rules", 4, table, lambda it: (it.later(359), it.expire(0))),
    "an answer of an absent seat too early": ("rules", 6, absent, lambda it: (it.later(59), it.expire(1))),
    "an answer too early after a return": (
        "rules", 7, absent, lambda it: (it.act("offered", "offer", 1, 11, open=False), it.later(359), it.expire(1)),
    ),
    "time granted without a clock": ("rules", 4, lambda: table(clock=None), lambda it: it.grant(1)),
    "more granted than the game allows": ("rules", 4, table, lambda it: it.grant(1001)),
    "a 65th grant": ("rules", 68, lambda: many(64, lambda it, _: it.grant(1)), lambda it: it.grant(1)),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_one_law_broken(name):
    """The check that the law belongs to fails there, and no other."""
    check, place, made, act = BREAKS[name]
    forge = made()
    assert judge(forge.file())["verdict"] == "holds"
    act(forge)
    assert fails(forge, check) == place


def test_allowed_acts_hold():
    """An absent seat is expired after the grace alone, and its holder may come back before it is taken over."""
    forge = absent()
    forge.later(60)
    forge.expire(1)
    forge.act("keyed", "key", 1, 11, add=jwk(41))
    for _ in range(2):
        forge.later(660)
        forge.expire(1)
    forge.take(1, 42, 43)
    forge.act("keyed", "key", 1, 42, add=jwk(44))
    forge.act("resigned", "resign", 0, 10, forge.events())
    forge.expire(0)
    report = judge(forge.file())
    assert report["verdict"] == "holds"
    assert report["holders"][-1]["by"] == "absence"


def test_an_offer_is_taken_once_it_has_waited_or_was_hastened():
    """An offer by a device key waits to the second; the recovery key ends the wait."""
    forge = waiting()
    forge.later(60)
    forge.take(0, 15)
    assert judge(forge.file())["verdict"] == "holds"
    forge = waiting()
    forge.act("offered", "offer", 0, 20, open=True)
    forge.take(0, 15)
    report = judge(forge.file())
    assert report["verdict"] == "holds"
    assert report["recoveries"] == [{"seq": 5, "seat": 0}]


def test_an_outage_is_not_bounded_by_grants():
    """Only other reasons use up what entry 0 allows."""
    forge = table()
    forge.grant(5000, "outage")
    forge.grant(1000)
    assert judge(forge.file())["verdict"] == "holds"


def test_a_key_may_be_listed_at_two_seats():
    """The report names it once it has signed for both."""
    forge = table()
    forge.act("keyed", "key", 0, 10, add=jwk(11))
    forge.move(1, 11)
    assert judge(forge.file())["two_seats"] == []
    forge.move(0, 11)
    report = judge(forge.file())
    assert (report["verdict"], report["two_seats"]) == ("holds", [{"kid": kid(11), "seats": [0, 1]}])


def test_a_draw_of_the_setup_is_checked():
    """The entropy is known once the game starts, so the first draws follow from it too."""
    forge = joined(0, 1)
    forge.start(draws=(2**32,))
    assert judge(forge.file())["verdict"] == "holds"
    forge = joined(0, 1)
    forge.people.popitem()
    forge.start(draws=(2**32,))
    assert fails(forge, "draws") == 3


def test_a_key_that_left_may_come_again():
    """So may one that was dropped."""
    forge = joined(0)
    forge.act("left", "leave", 0, 10)
    forge.join(1, 20, 10)
    forge.act("keyed", "key", 1, 20, add=jwk(30))
    forge.act("keyed", "key", 1, 20, drop=kid(30))
    forge.act("keyed", "key", 1, 20, add=jwk(30))
    assert judge(forge.file())["verdict"] == "holds"


def test_an_unreadable_act_brings_no_holder():
    """So the seat stays empty, and the game cannot start."""
    forge = joined(0)
    forge.log("joined", seat=1, bot=False, jws="no act")
    forge.start()
    checks = judge(forge.file())["checks"]
    assert (checks["signatures"]["first_failure"], checks["chain"]["first_failure"]) == (2, 3)


def test_an_entry_about_a_seat_beyond_does_not_count():
    """It neither ends the game nor uses up draws."""
    forge = table()
    forge.log("expired", seat=2, **forge.events(ends=True))
    forge.move(0, 10, draws=(6,))
    report = judge(forge.file())
    assert report["stage"] == "running"
    assert report["checks"]["chain"]["first_failure"] == 4
    assert report["checks"]["draws"]["ok"] is True


def test_a_cancelled_game_stays_cancelled():
    """An end that follows breaks the chain, and the stage remains."""
    forge = table()
    forge.log("cancelled", reason="why", secret=None)
    forge.move(0, 10, ends=True)
    assert fails(forge, "chain") == 5
    assert judge(forge.file())["stage"] == "cancelled"


def test_notes_that_were_kept():
    """An older one holds, a newer one shows a cut, another hash a second history."""
    forge = table()
    old = forge.note()
    forge.move(0, 10)
    newer, file = forge.note(), forge.file()
    quoted = "Hello\r\n" + "".join(f"> | {line}\r\n" for line in old.split("\n")) + "bye"
    assert judge(file, quoted)["verdict"] == "holds"
    assert judge(file, "Hello")["verdict"] == "unknown"
    shorter = table()
    assert judge(shorter.file(), newer)["checks"]["note"]["says"].endswith("the file was cut")
    shorter.move(1, 11)
    assert judge(shorter.file(), newer)["checks"]["note"]["says"].endswith("the log was rewritten")


def test_a_kept_note_on_what_was_lost_leaves_the_verdict_open():
    """One that is longer than the loss shows a cut; one at its end must have the hash that was told."""
    lost, short = table(), table()
    for _ in range(3):
        lost.grant(1)
    notes = [lost.note(), lost.grant(1), lost.note()][::2]
    told = lost.lines[6]
    short.log("restored", size=7, hash=to_base64url(leaf(told)))
    report = judge(short.file(), notes[0])
    assert (report["verdict"], report["checks"]["note"]["ok"]) == ("open", None)
    assert report["lost"] == [{"seq": 4, "size": 7, "hash": to_base64url(leaf(told))}]
    assert judge(short.file(), notes[1])["verdict"] == "fails"
    for seconds in (2, 3, 4):
        short.grant(seconds)
    assert judge(short.file(), notes[0])["verdict"] == "open"
    another = table()
    for seconds in (7, 8, 9):
        another.grant(seconds)
    assert judge(short.file(), another.note())["verdict"] == "fails"


def test_the_secret_gives_the_chain():
    """Another one fails as an outcome, which otherwise needs rules."""
    forge = table()
    forge.log("cancelled", reason="why", secret=to_base64url(public(1)))
    assert fails(forge, "outcome") == 4
    forge = table()
    forge.log("cancelled", reason="why", secret=None)
    assert judge(forge.file())["verdict"] == "open"


def test_data_files_are_those_that_entry_0_names():
    """There is one file for each name, with the hash in entry 0, and no other."""
    pinned = {"data": {"edition.json": to_base64url(H(b"{}"))}, "game": "toy", "version": 1}
    good, other = b'{"data":"e30","name":"edition.json"}\n', b'{"data":"e301","name":"edition.json"}\n'
    file = table(rules=pinned).file()
    assert judge(file + good)["verdict"] == "holds"
    assert judge(file + other)["checks"]["rules"]["ok"] is False
    assert judge(file)["checks"]["chain"]["ok"] is False
    assert judge(table().file() + good)["checks"]["chain"]["ok"] is False


def test_entries_after_an_unreadable_line_are_not_judged():
    """The chain fails there, the note is judged over the lines as they are, and nothing else is reported to hold."""
    forge = table()
    forge.lines[2] = b"{}"
    report = judge(forge.file())
    assert {name: it["ok"] for name, it in report["checks"].items() if it["ok"] is not None} == {
        "chain": False,
        "note": True,
    }
    assert report["checks"]["chain"]["first_failure"] == 2
    assert report["not_looked_at"][-1].startswith("everything from line 2 on")
