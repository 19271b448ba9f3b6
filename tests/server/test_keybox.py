"""The key backup: stored only with a signature, in one form, and in place of a version that the writer knows."""

from itertools import pairwise

from engine.record.signed import keys
from server.kernel.db.models import KeyBox
from tests.server import boxes
from tests.server.boxes import code
from tests.server.harness import Harness, Player, seed_of

RECOVERY = seed_of("recovery")
NEXT = seed_of("another recovery")


def kid(seed: bytes) -> str:
    return keys.thumbprint(keys.public_of(seed))


def kept(player: Player) -> str | None:
    """The backup in the database."""
    with player.harness.services.database.read() as session:
        row = session.get(KeyBox, player.account)
    return None if row is None else row.box


def test_a_box_is_kept_byte_for_byte_and_its_kid_is_its_etag(two: list[Player]):
    """A new device gets back what the first one wrapped."""
    made = boxes.put(two[0], RECOVERY)
    assert made.status_code == 201
    shown = two[0].get("/me/keybox")
    assert shown.get_json()["box"] == boxes.box(two[0], RECOVERY)
    assert shown.headers["ETag"] == made.headers["ETag"] == f'"{kid(RECOVERY)}"'
    assert two[0].get("/me/keybox", headers={"If-None-Match": shown.headers["ETag"]}).status_code == 304
    assert code(two[1].get("/me/keybox")) == (404, "not-found")


def test_a_box_needs_a_signature(two: list[Player]):
    """Otherwise anyone who reads the mail could store a backup with their own code."""
    assert code(boxes.put(two[0], RECOVERY, proof={})) == (403, "unsigned-act")
    thief = two[0].prove("box", "x" * 43, by=seed_of("thief"))
    assert code(boxes.put(two[0], RECOVERY, proof=thief))[1] in ("wrong-statement", "unregistered-key")
    assert kept(two[0]) is None


def test_a_box_replaces_only_the_one_that_is_named(two: list[Player]):
    """Of two devices that write at once the second is refused, and the first one's code stays good."""
    boxes.put(two[0], RECOVERY)
    assert code(boxes.put(two[0], NEXT)) == (412, "box-changed")
    assert code(boxes.put(two[0], NEXT, **{"If-Match": f'"{kid(NEXT)}"'})) == (412, "box-changed")
    assert code(boxes.put(two[0], NEXT, **{"X-Nothing": ""})) == (428, "no-condition")
    assert kept(two[0]) == boxes.box(two[0], RECOVERY)
    assert boxes.put(two[0], NEXT, **{"If-Match": f'"{kid(RECOVERY)}"'}).status_code == 200
    assert kept(two[0]) == boxes.box(two[0], NEXT)


def test_former_boxes_stay_readable_until_the_box_is_deleted(two: list[Player]):
    """A seat that could not be changed needs its old recovery key: the eight newest are shown, newest first."""
    seeds = [seed_of(f"recovery {number}") for number in range(11)]
    boxes.put(two[0], seeds[0])
    assert two[0].get("/me/keybox").get_json()["former"] == []
    for before, seed in pairwise(seeds):
        two[0].harness.clock.forward(seconds=1)
        assert boxes.put(two[0], seed, **{"If-Match": f'"{kid(before)}"'}).status_code == 200
    expected = [boxes.box(two[0], seed) for seed in reversed(seeds[2:-1])]
    assert two[0].get("/me/keybox").get_json()["former"] == expected
    assert [one["box"] for one in two[0].get("/me/export").get_json()["former_keyboxes"]].count(None) == 2
    known = {"If-Match": f'"{kid(seeds[-1])}"'}
    assert two[0].delete("/me/keybox", **known, **two[0].prove("drop-box", kid(seeds[-1]))).status_code == 204
    boxes.put(two[0], RECOVERY)
    assert two[0].get("/me/keybox").get_json()["former"] == []


def test_a_new_code_needs_a_new_recovery_key(two: list[Player]):
    """A key that was in any account's backup before is refused, and so is a device's key."""
    boxes.put(two[0], RECOVERY)
    boxes.put(two[0], NEXT, **{"If-Match": f'"{kid(RECOVERY)}"'})
    again = {"If-Match": f'"{kid(NEXT)}"'}
    assert code(boxes.put(two[0], RECOVERY, **again)) == (409, "same-recovery-key")
    assert code(boxes.put(two[0], NEXT, boxes.box(two[0], NEXT, (40, 12, 139, 16)), **again)) == (
        409,
        "same-recovery-key",
    )
    assert code(boxes.put(two[0], two[0].seed, **again)) == (409, "key-owned")
    assert code(boxes.put(two[1], NEXT)) == (409, "key-owned")
    assert kept(two[0]) == boxes.box(two[0], NEXT)
    assert kept(two[1]) is None


FOREIGN = (
    {"alg": "PBES2-HS256+A128KW"},
    {"enc": "A128GCM"},
    {"p2c": 600000},
    {"p2c": True},
    {"p2s": "AAAA"},
    {"kid": kid(NEXT)},
    {"aud": "elsewhere.example"},
    {"sub": "0"},
    {"sub": None},
    {"zip": "DEF"},
    {"lengths": (32, 12, 140, 16)},
    {"lengths": (40, 16, 140, 16)},
    {"lengths": (40, 12, 0, 16)},
    {"lengths": (40, 12, 513, 16)},
    {"lengths": (40, 12, 140, 16, 1)},
)


def test_a_box_with_any_other_header_is_refused(two: list[Player]):
    """No other algorithm, count, server, account or key, and no member more or less."""
    for changed in FOREIGN:
        text = boxes.box(two[0], RECOVERY, **changed)
        assert code(boxes.put(two[0], RECOVERY, text)) == (422, "bad-box"), changed
    assert kept(two[0]) is None


def test_a_box_is_deleted_by_a_signature_or_after_seven_days(two: list[Player]):
    """The recovery key may sign it too: its owner holds the code."""
    boxes.put(two[0], RECOVERY)
    known = {"If-Match": f'"{kid(RECOVERY)}"'}
    assert code(two[0].delete("/me/keybox", **known)) == (403, "unsigned-act")
    waits = two[0].post("/me/waiting", {"act": "drop-box", "about": kid(RECOVERY)})
    assert (waits.status_code, waits.get_json()["act"]) == (202, "drop-box")
    assert kept(two[0]) is not None
    assert (
        two[0].delete("/me/keybox", **known, **two[0].prove("drop-box", kid(RECOVERY), by=RECOVERY)).status_code == 204
    )
    assert kept(two[0]) is None
    assert two[0].get("/me/waiting").get_json() == []


def test_the_content_of_a_box_reaches_its_owner_only(hall: Harness, two: list[Player]):
    """No list, game, problem or log line shows it."""
    boxes.put(two[0], RECOVERY)
    refused = boxes.put(two[0], NEXT)
    assert boxes.box(two[0], RECOVERY)[:60] not in refused.get_data(as_text=True)
    game = hall.game("pig", two)
    assert kid(RECOVERY) not in hall.client.get(f"/v1/games/{game}").get_data(as_text=True)
