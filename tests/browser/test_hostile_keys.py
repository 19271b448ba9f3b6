"""Rivals, thieves and a lying server against a player's keys in a browser: it signs for no seat but its own."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from engine.record.signed import keys
from tests.browser import axe
from tests.browser.hands import Hand, program, table
from tests.browser.test_keydialog import Device

pytestmark = pytest.mark.slow

ROLL = {"do": "roll"}
KEYS = """async (account) => {
  const scripts = ['keys/device-key', 'keys/recovery-key'].map((name) => import(`/static/${name}.js`));
  const [{ mine }, { recoveryOf }] = await Promise.all(scripts);
  return [(await mine(account)).jwk, (await recoveryOf(account)).jwk];
}"""
KID = "async (account) => (await (await import('/static/keys/device-key.js')).mine(account)).kid"
MINE = "**/v1/me/games?*"
MISSING = {
    "status": 404,
    "content_type": "application/problem+json",
    "body": '{"code": "no-such-thing", "status": 404}',
}
ACTS = ("/moves", "/resign", "/keys", "/offer", "/take")


@pytest.fixture
def ann(visit, site):
    """Ann's first device, with a key; `code` is the recovery code."""
    device = Device(visit, site.person("Ann"))
    device.opens("ready")
    device.code = device.keeps_a_code()
    device.another = lambda: Device(visit, device.person)
    return device


@pytest.fixture
def seated(ann, site, tmp_path):
    """A table with Ann at seat 1 in a browser and Ben at seat 2 by the reference client."""
    ben = site.person("Ben")

    def seated(recovery=None):
        game = table(ann.person, "pig", options={"goal": 100})
        at = ann.hand(game)
        at.do("join", 0)
        other = program(ben, game, tmp_path)
        other.join(1, recovery=recovery)
        at.do("check")
        return at, other

    return seated


def enters_by_code(device, code) -> None:
    """A new device, approved by its owner's recovery code."""
    device.opens("ready")
    device.presses("Enter my recovery code")
    device.types("Recovery code", code)
    device.presses("Open the key backup")
    assert device.result


def posted(page) -> list[str]:
    """The acts that a page sends."""
    sent: list[str] = []
    page.on("request", lambda asked: asked.url.endswith(ACTS) and sent.append(asked.url))
    return sent


def acts_of(player) -> list[tuple[str, int, Any]]:
    """Kind, seat and payload of the entries that log signed acts."""
    player.sync()
    signed = [entry for entry in player.log.entries if entry.body.get("jws")]
    return [(one.kind, one.body["seat"], keys.read_jws(one.body["jws"])) for one in signed]


# --- a rival lists others' keys ---------------------------------------------------------------------------------------


def test_a_rival_who_lists_my_keys_gets_no_signature(ann, seated, site, tmp_path):
    """Ben's seat lists Ann's device key and recovery key: Ann moves and recovers at seat 1, nowhere else."""
    own, recovery = ann.page.evaluate(KEYS, ann.person.account)
    at, ben = seated(recovery)
    ben.add_key(own)
    assert at.do("check")["seat"] == 0
    assert at.do("move", [ROLL])["kind"] == "moved"

    second = ann.another()
    enters_by_code(second, ann.code)
    assert second.hand(at.game).do("check")["seat"] == 0
    kind, seat, jws = acts_of(ben)[-1]
    assert (kind, seat, jws.kid) == ("keyed", 0, keys.thumbprint(keys.parse_jwk(recovery)))
    assert len(jws.payload["only"]) == 2


def test_a_listed_key_alone_has_no_seat(ann, site, visit, tmp_path):
    """Ben and Carl play, and Ben lists Ann's key: Ann's browser has no seat there, and signs nothing."""
    own, _ = ann.page.evaluate(KEYS, ann.person.account)
    ben, carl = site.person("Ben"), site.person("Carl")
    game = table(ben, "pig")
    at_one = program(ben, game, tmp_path)
    at_one.join(0)
    program(carl, game, tmp_path).join(1)
    at_one.add_key(own)
    sent = posted(ann.page)
    for seat in (None, 1):
        at = Hand(ann.page, ann.person, game, seat)
        assert at.do("check")["seat"] is None
        for act in ("resign", "offer"):
            got = at.tries(act)
            assert (got["error"], got["code"]) == ("NotSigned", "no-seat")
    assert sent == []
    ann.page.goto(f"{site.url}/games/{game}")
    ann.page.get_by_role("tab", name="Table").click()
    expect(ann.page.get_by_role("heading", name="Players")).to_be_visible()
    expect(ann.page.get_by_role("region", name="Your move")).to_be_hidden()


def test_a_seat_that_was_taken_over_is_not_ours_again_because_it_lists_our_key(ann, site, tmp_path):
    """The browser remembers the seat, but with its former holder: the new one lists Ann's key and gets no signature."""
    own, _ = ann.page.evaluate(KEYS, ann.person.account)
    ben, carl = site.person("Ben"), site.person("Carl")
    game = table(ann.person, "pig", handover="offer", offer_wait=0)
    at = ann.hand(game)
    at.do("join", 0)
    program(ben, game, tmp_path).join(1)
    at.do("offer")
    thief = program(carl, game, tmp_path)
    thief.take(0)
    thief.add_key(own)
    sent = posted(ann.page)
    assert at.do("check")["seat"] is None
    assert at.tries("resign")["code"] == "seat-gone"
    assert sent == []


# --- a thief of a device ----------------------------------------------------------------------------------------------


def test_the_owner_of_an_offered_seat_can_withdraw_it_on_every_page(ann, seated, site, visit):
    """A thief has offered the seat: its owner sees the time and a button; others see a time."""
    at, ben = seated()
    thief = ann.another()
    enters_by_code(thief, ann.code)
    thief.hand(at.game, 0).do("offer")

    other = visit()
    other.goto(f"{site.url}/games/{at.game}")
    other.get_by_role("tab", name="Table").click()
    expect(other.get_by_text("Seat 1 is offered. Anyone may take it from")).to_be_visible()
    expect(other.get_by_role("button", name="Take the seat")).to_have_count(0)
    other.goto(f"{site.url}/tables?status=running")
    expect(other.get_by_role("listitem").filter(has_text="seat free from").first).to_be_visible()

    page = ann.page
    page.goto(site.url)
    expect(page.get_by_text("is offered to others.")).to_be_visible()
    page.goto(f"{site.url}/games/{at.game}")
    page.get_by_role("status").get_by_role("link", name="Withdraw the offer").click()
    section = page.get_by_role("region", name="Your seat is offered")
    expect(section).to_contain_text("Until then you can withdraw the offer.")
    expect(section).to_contain_text("With your recovery code, replace the keys of the seat now")  # as the mail says
    assert axe.findings(page) == []
    section.get_by_role("button", name="Withdraw the offer").click()
    expect(section).to_have_count(0)
    assert [kind for kind, _, _ in acts_of(ben)][-2:] == ["offered", "offered"]
    assert not ben.table.is_open(0)


def test_one_act_recovers_a_seat_from_a_thief(ann, seated):
    """The thief has added a key, dropped the owner's and offered the seat: only the owner's key remains."""
    at, ben = seated()
    thief = ann.another()
    enters_by_code(thief, ann.code)
    stolen = thief.hand(at.game, 0)
    own, _ = ann.page.evaluate(KEYS, ann.person.account)
    stolen.do("dropKey", keys.thumbprint(keys.parse_jwk(own)))
    stolen.do("offer")
    assert at.tries("move", [ROLL])["code"] == "seat-gone"

    ann.opens("recover")
    ann.types("Recovery code", ann.code)
    ann.presses("Open it and remove all other devices")
    assert ann.result
    kind, seat, jws = acts_of(ben)[-1]
    assert (kind, seat, jws.payload["only"]) == ("keyed", 0, [own])
    assert not ben.table.is_open(0)
    assert stolen.tries("resign")["code"] == "seat-gone"
    assert at.do("move", [ROLL])["kind"] == "moved"
    listed = ann.person.session.api.get("/v1/me/keys").value
    assert [one["x"] for one in listed] == [own["x"]]


def test_a_removed_key_leaves_the_seats_without_an_answer_about_the_code(ann, seated, site):
    """The account has dropped it, so this device's key drops it at the seats."""
    at, ben = seated()
    lost = ann.another()
    enters_by_code(lost, ann.code)
    own = ann.page.evaluate(KID, ann.person.account)
    [kid] = [key["kid"] for key in ann.person.session.api.get("/v1/me/keys").value if key["kid"] != own]
    ann.page.goto(f"{site.url}/account")
    ann.page.get_by_role("button", name=f"Remove this key: {kid}").click()
    ann.presses("Remove the key everywhere")
    ann.sees("Remove the key from your seats")
    with ann.page.expect_navigation():
        ann.page.keyboard.press("Escape")
    kind, seat, jws = acts_of(ben)[-1]
    assert (kind, seat, jws.payload["drop"]) == ("keyed", 0, kid)
    assert lost.hand(at.game).tries("resign")["error"] == "NotSigned"


def test_a_key_that_a_thief_had_approved_is_named_and_goes_with_all_other_devices(ann, seated, site):
    """Removing the stolen device keeps the account's other keys: the page lists them and offers to remove them all."""
    at, ben = seated()
    own = ann.page.evaluate(KID, ann.person.account)
    lost, second = ann.another(), ann.another()
    for thief in (lost, second):
        enters_by_code(thief, ann.code)
    stolen, approved = (one.page.evaluate(KID, ann.person.account) for one in (lost, second))
    ann.page.goto(f"{site.url}/account")
    ann.page.get_by_role("button", name=f"Remove this key: {stolen}").click()
    ann.presses("Remove the key everywhere")
    ann.sees("Remove the key from your seats")
    dialog = ann.page.get_by_role("dialog")
    assert dialog.locator("code").all_inner_texts() == [approved]
    assert axe.findings(ann.page) == []
    ann.types("Recovery code", ann.code)
    with ann.page.expect_navigation():
        ann.presses("Remove all other devices")
    assert [one["kid"] for one in ann.person.session.api.get("/v1/me/keys").value] == [own]
    kind, seat, jws = acts_of(ben)[-1]
    assert (kind, seat, [keys.thumbprint(keys.parse_jwk(one)) for one in jws.payload["only"]]) == ("keyed", 0, [own])
    assert second.hand(at.game).tries("resign")["error"] == "NotSigned"


# --- a server that leaves games out -----------------------------------------------------------------------------------


def test_a_new_code_covers_games_that_the_server_does_not_list(ann, seated):
    """This browser remembers its seats: the recovery key is replaced there by one act."""
    _, ben = seated()
    ann.page.route(MINE, lambda route: route.fulfill(json={"games": [], "next": None}))
    ann.opens("renew")
    ann.types("Old recovery code", ann.code)
    ann.presses("Continue")
    assert ann.keeps_a_code() != ann.code
    assert ann.result is True
    kind, _, jws = acts_of(ben)[-1]
    box = ann.person.session.api.get("/v1/me/keybox").value
    assert (kind, jws.payload["recovery"]["x"], jws.payload["only"]) == ("keyed", box["x"], None)


def test_a_new_code_that_did_not_reach_a_seat_reaches_it_with_the_old_code(ann, seated):
    """Its log cannot be read; the old code again opens the former backup, and the new code stays the same."""
    _, ben = seated()
    ann.page.route("**/v1/games/*/log*", lambda route: route.fulfill(**MISSING))
    ann.opens("renew")
    ann.types("Old recovery code", ann.code)
    ann.presses("Continue")
    ann.sees("Your recovery code")
    new = ann.shown()
    ann.types("Last four characters", new[-4:])
    ann.presses("I have saved it")
    ann.sees("Seats with the old keys")
    ann.presses("Continue")
    assert ann.result is True
    box = ann.person.session.api.get("/v1/me/keybox").value
    assert [kind for kind, _, _ in acts_of(ben)] == ["joined", "joined"]

    ann.page.unroute("**/v1/games/*/log*")
    ann.opens("renew")
    ann.types("Old recovery code", ann.code)
    ann.presses("Continue")
    assert ann.result is True
    kind, _, jws = acts_of(ben)[-1]
    assert (kind, jws.payload["recovery"]["x"], jws.payload["only"]) == ("keyed", box["x"], None)
    assert ann.person.session.api.get("/v1/me/keybox").value["kid"] == box["kid"]
    enters_by_code(ann.another(), new)


def test_without_a_backup_a_new_code_does_not_cover_old_seats(ann, seated):
    """The server answers 404: the dialog says that old seats keep their recovery key, and changes none."""
    _, ben = seated()
    before = acts_of(ben)
    ann.page.route("**/v1/me/keybox", lambda route: route.fulfill(**MISSING))
    ann.opens("renew")
    ann.sees("Your recovery code")
    expect(ann.page.get_by_role("dialog")).to_contain_text("Your seats keep the recovery key that they have.")
    ann.page.keyboard.press("Escape")
    assert not ann.result
    ann.opens("recover")
    ann.types("Recovery code", ann.code)
    ann.presses("Open the key backup")
    ann.told("does not have a key backup of your account")
    assert acts_of(ben) == before
