"""The key box: only signed, only in its one form, only in place of the box that one knows."""

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
    """What lies in the database."""
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


def test_nobody_writes_a_box_without_a_signature(two: list[Player]):
    """Otherwise anyone who reads the mail could store a box with a code of their own."""
    assert code(boxes.put(two[0], RECOVERY, proof={})) == (403, "unsigned-act")
    thief = two[0].prove("box", "x" * 43, by=seed_of("thief"))
    assert code(boxes.put(two[0], RECOVERY, proof=thief))[1] in ("wrong-statement", "unregistered-key")
    assert kept(two[0]) is None


def test_a_box_takes_the_place_of_the_one_that_is_named_and_no_other(two: list[Player]):
    """Two devices that write at once: the second is told so, and its owner's first code stays good."""
    boxes.put(two[0], RECOVERY)
    assert code(boxes.put(two[0], NEXT)) == (412, "box-changed")
    assert code(boxes.put(two[0], NEXT, **{"If-Match": f'"{kid(NEXT)}"'})) == (412, "box-changed")
    assert code(boxes.put(two[0], NEXT, **{"X-Nothing": ""})) == (428, "no-condition")
    assert kept(two[0]) == boxes.box(two[0], RECOVERY)
    assert boxes.put(two[0], NEXT, **{"If-Match": f'"{kid(RECOVERY)}"'}).status_code == 200
    assert kept(two[0]) == boxes.box(two[0], NEXT)


def test_a_new_code_means_a_new_recovery_key(two: list[Player]):
    """A key that was in a box before comes back in none, of whatever account; nor is a device's key one."""
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


def test_a_box_has_exactly_our_header(two: list[Player]):
    """No other algorithm, no other count, server, account or key, no member more or less."""
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


def test_the_server_logs_and_answers_nothing_that_is_in_a_box_but_to_its_owner(hall: Harness, two: list[Player]):
    """No list, no game, no problem shows it."""
    boxes.put(two[0], RECOVERY)
    refused = boxes.put(two[0], NEXT)
    assert boxes.box(two[0], RECOVERY)[:60] not in refused.get_data(as_text=True)
    game = hall.game("pig", two)
    assert kid(RECOVERY) not in hall.client.get(f"/v1/games/{game}").get_data(as_text=True)
