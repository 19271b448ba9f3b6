"""The verifier written from the specification alone, tried on small games that keep or break one law each."""

import pytest

from tests.stranger.forge import Forge, jwk, kid, public, table
from tests.stranger.judge import judge
from tests.stranger.lines import H, tobase


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
    forge.act("keyed", "key", 1, 21, recovery=jwk(32))
    forge.act("keyed", "key", 1, 31, drop=kid(11))
    forge.act("offered", "offer", 1, 31, open=True)
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
    forge.openings[1]["move"] = forge.openings[1]["move"].replace("[1]", "[2]")
    assert fails(forge, "seals", openings=True) == 4


def absent():
    """Seat 1 has missed twice."""
    forge = table()
    for _ in range(2):
        forge.later(660)
        forge.expire(1)
    return forge


BREAKS = {
    "a move before the start": ("chain", 1, Forge, lambda it: it.expire(0)),
    "left after the start": ("chain", 4, table, lambda it: it.log("left", seat=0, jws=None)),
    "a start without a seat": ("chain", 2, lambda: joined(0), lambda it: it.start()),
    "a seat beyond": ("chain", 4, table, lambda it: it.log("granted", seats=[2], seconds=1)),
    "a seat joined twice": ("chain", 2, lambda: joined(0), lambda it: it.join(0, 15)),
    "an empty seat left": ("chain", 2, lambda: joined(0), lambda it: it.log("left", seat=1, jws=None)),
    "an offer where none may be": (
        "chain", 4, lambda: table(handover="absent"), lambda it: it.act("offered", "offer", 0, 10, open=True),
    ),
    "a closed seat closed": ("chain", 4, table, lambda it: it.act("offered", "offer", 0, 10, open=False)),
    "a seat that is not free": ("chain", 4, table, lambda it: it.take(0, 15)),
    "time back": ("chain", 4, table, lambda it: (it.later(-1), it.log("granted", seats=[0], seconds=1))),
    "another's key": ("signatures", 4, table, lambda it: it.move(0, 11)),
    "a recovery key that moves": ("signatures", 4, table, lambda it: it.move(0, 20)),
    "a recovery key that stays": (
        "signatures", 4, table, lambda it: it.act("keyed", "key", 0, 10, recovery=jwk(40)),
    ),
    "the recovery key dropped": ("signatures", 4, table, lambda it: it.act("keyed", "key", 0, 10, drop=kid(20))),
    "the last key dropped": ("signatures", 4, table, lambda it: it.act("keyed", "key", 0, 20, drop=kid(10))),
    "a key held elsewhere": ("signatures", 4, table, lambda it: it.act("keyed", "key", 0, 10, add=jwk(21))),
    "a key twice in one act": ("signatures", 2, lambda: joined(0), lambda it: it.join(1, 15, 15)),
    "an answer by the clock too early": ("rules", 4, table, lambda it: (it.later(659), it.expire(0))),
    "an answer of an absent seat too early": ("rules", 6, absent, lambda it: (it.later(59), it.expire(1))),
    "an answer too early after a return": (
        "rules", 7, absent, lambda it: (it.act("offered", "offer", 1, 11, open=False), it.later(659), it.expire(1)),
    ),
    "time granted without a clock": (
        "rules", 4, lambda: table(clock=None), lambda it: it.log("granted", seats=[0], seconds=1),
    ),
}  # fmt: skip


def joined(*seats):
    forge = Forge()
    for seat in seats:
        forge.join(seat, 10 + seat, 20 + seat)
    return forge


@pytest.mark.parametrize("name", BREAKS)
def test_one_law_broken(name):
    """The check that the law belongs to fails there, and no other."""
    check, place, made, act = BREAKS[name]
    forge = made()
    assert judge(forge.file())["verdict"] == "holds"
    act(forge)
    assert fails(forge, check) == place


def test_what_is_allowed_holds():
    """An absent seat is expired after the grace alone, taken over, and its holder may come back before."""
    forge = absent()
    forge.later(60)
    forge.expire(1)
    forge.act("keyed", "key", 1, 21, add=jwk(41))
    forge.later(660)
    forge.expire(1)
    forge.later(660)
    forge.expire(1)
    forge.take(1, 42, 43)
    forge.act("keyed", "key", 1, 43, add=jwk(44))
    forge.act("resigned", "resign", 0, 10, forge.events())
    forge.expire(0)
    assert judge(forge.file())["verdict"] == "holds"
    assert judge(forge.file())["holders"][-1]["by"] == "absence"


def test_keys_are_counted_by_the_key_that_adds_them():
    """Sixteen by the keys of a seat, sixteen more by its recovery key."""
    forge = table()
    for number in range(100, 116):
        forge.act("keyed", "key", 0, 10, add=jwk(number))
        forge.act("keyed", "key", 0, 20, add=jwk(number + 20))
    assert judge(forge.file())["verdict"] == "holds"
    forge.act("keyed", "key", 0, 100, add=jwk(150))
    assert fails(forge, "signatures") == 36


def test_a_key_that_left_may_come_again():
    """One that was dropped while its seat stayed may not."""
    forge = joined(0)
    forge.act("left", "leave", 0, 10)
    forge.join(1, 20, 10)
    assert judge(forge.file())["verdict"] == "holds"


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


def test_the_secret_gives_the_chain():
    """Another one fails as an outcome, which otherwise needs rules."""
    forge = table()
    forge.log("cancelled", reason="why", secret=tobase(public(1)))
    assert fails(forge, "outcome") == 4
    forge = table()
    forge.log("cancelled", reason="why", secret=None)
    assert judge(forge.file())["verdict"] == "open"


def test_data_files_are_those_that_entry_0_names():
    """One is there for each name, with the hash that stands there, and no other."""
    pinned = {"data": {"edition.json": tobase(H(b"{}"))}, "game": "toy", "version": 1}
    good, other = b'{"data":"e30","name":"edition.json"}\n', b'{"data":"e301","name":"edition.json"}\n'
    file = table(rules=pinned).file()
    assert judge(file + good)["verdict"] == "holds"
    assert judge(file + other)["checks"]["rules"]["ok"] is False
    assert judge(file)["checks"]["chain"]["ok"] is False
    assert judge(table().file() + good)["checks"]["chain"]["ok"] is False


def test_what_an_unreadable_line_hides_is_not_looked_at():
    """The chain fails there, the note is judged over the lines as they stand, and nothing else is said to hold."""
    forge = table()
    forge.lines[2] = b"{}"
    report = judge(forge.file())
    assert {name: it["ok"] for name, it in report["checks"].items() if it["ok"] is not None} == {
        "chain": False,
        "note": True,
    }
    assert (report["checks"]["chain"]["first_failure"], report["unread_from"]) == (2, 2)
