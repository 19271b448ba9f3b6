"""The account's page in use: its key, a second device approved and dropped, and signed changes at once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from client.http import Api, ApiError
from engine.record.encoding.canonical import to_base64url
from engine.record.signed import keys
from tests.browser import axe
from tests.browser.hands import Hand, program, table
from tests.browser.test_keys import MAKE

pytestmark = pytest.mark.slow


class Device:
    """A context of its own, signed in, at the account's page."""

    def __init__(self, visit, person, **options) -> None:
        self.person = person
        self.page = visit(person, **options)
        self.page.goto(f"{person.site.url}/account")

    def presses(self, name: str) -> None:
        """In the open window or on the page, as soon as the button is there."""
        within = self.page.locator("dialog[open], body:not(:has(dialog[open]))")
        within.get_by_role("button", name=name).first.click()

    def sees(self, heading: str) -> None:
        expect(self.page.get_by_role("dialog").get_by_role("heading", name=heading, exact=True)).to_be_visible()

    def types(self, label: str, text: str) -> None:
        self.page.get_by_role("dialog").get_by_label(label).fill(text)

    def makes_a_key(self) -> str:
        """The first one of the account, with its code."""
        self.presses("Make a key for this device")
        with self.page.expect_navigation():
            return self.keeps_the_code()

    def keeps_the_code(self) -> str:
        """By typing its last group."""
        self.sees("Your recovery code")
        code = self.page.get_by_role("dialog").locator(".code").inner_text()
        self.types("Last four characters", code[-4:])
        self.presses("I have saved it")
        return code

    def kids(self) -> list[str]:
        return self.page.locator("[data-kid]").evaluate_all("(all) => all.map((one) => one.dataset.kid)")


def jwk_of(player, kid):
    """A device key of seat 1, as an act names it."""
    public = player.table.occupants[0].public(kid)
    return {"crv": "Ed25519", "kty": "OKP", "x": to_base64url(public)}


@pytest.fixture
def device(visit, site):
    """Devices of one new person."""
    ann = site.person("Ann")
    return lambda **options: Device(visit, ann, **options)


def test_a_device_is_approved_and_dropped_and_signed_acts_take_effect_at_once(device, site, tmp_path):
    """A key; a second device, dropped from account and seat; another address; erased. axe finds nothing."""
    first = device(width=360, timezone_id="Asia/Tokyo")
    first.page.get_by_role("button", name="Use this device's time zone, Asia/Tokyo").click()
    with first.page.expect_navigation():
        first.presses("Save")
    assert first.person.session.api.get("/v1/me").value["zone"] == "Asia/Tokyo"
    assert axe.findings(first.page) == []
    code = first.makes_a_key()
    expect(first.page.get_by_text("this device", exact=True)).to_be_visible()
    expect(first.page.get_by_role("button", name="Make a key for this device")).to_be_hidden()
    [own] = first.kids()
    ann = first.person
    game = table(ann, "pig", options={"goal": 100})
    Hand(first.page, ann, game).do("join", 0)
    other = program(site.person("Ben"), game, tmp_path)
    other.join(1)

    second = device(color_scheme="dark")
    second.presses("Make a key for this device")
    second.presses("Approve it on my other device")
    letters = second.page.get_by_role("dialog").locator(".code").inner_text()
    first.page.reload()
    assert axe.findings(first.page) == []
    first.presses("Approve a device")
    first.types("Sixteen characters", letters)
    with first.page.expect_navigation():
        first.presses("Approve")
    [lost] = [kid for kid in first.kids() if kid != own]
    second.presses("Continue")
    second.sees("Recovery code on this device")
    assert Hand(second.page, ann, game, named=0).do("check")["seat"] == 0

    first.page.locator(f"form[data-ends='{lost}']").get_by_role("button").click()
    first.sees("Sign out that browser?")
    with first.page.expect_navigation():
        first.presses("Sign out only")
    assert sorted(first.kids()) == sorted([own, lost])
    first.presses(f"Remove this key: {lost}")
    first.sees("Remove this key?")
    first.presses("Remove the key everywhere")
    first.sees("Remove the key from your seats")
    first.types("Recovery code", code)
    with first.page.expect_navigation():
        first.presses("Remove the key")
    assert first.kids() == [own]
    assert second.page.goto(f"{site.url}/account").url == f"{site.url}/login?next=/account"
    other.sync()
    assert [entry.kind for entry in other.log.entries[-2:]] == ["keyed", "keyed"]
    assert list(keys.read_jws(other.log.entries[-1].body["jws"]).payload["only"]) == [jwk_of(other, own)]
    assert not any(occupant.public(lost) for occupant in other.table.occupants)

    third = device()
    lost = third.page.evaluate(MAKE, ann.account)
    first.page.reload()
    first.page.locator(f"form[data-ends='{lost}']").get_by_role("button").click()
    first.presses("Sign out and remove its key")
    first.sees("Remove the key from your seats")
    first.types("Recovery code", code)
    first.presses("Remove the key and make a new code")
    with first.page.expect_navigation():
        assert first.keeps_the_code() != code
    assert first.kids() == [own]
    other.sync()
    replaced = keys.read_jws(other.log.entries[-1].body["jws"]).payload
    assert replaced["only"] == [jwk_of(other, own)]
    assert replaced["recovery"]["x"] == ann.session.api.get("/v1/me/keybox").value["x"]
    assert third.page.goto(f"{site.url}/account").url == f"{site.url}/login?next=/account"

    first.page.get_by_label("New address").fill("New.Ann@players.example")
    first.presses("Change the address")
    with first.page.expect_navigation():
        first.presses("Sign the request")
    expect(first.page.get_by_text("change your email address to new.ann@players.example")).to_be_visible()
    assert [one["signed"] for one in ann.session.api.get("/v1/me/waiting").value] == [True]
    with first.page.expect_navigation():
        first.presses("Cancel the request")
    expect(first.page.get_by_role("button", name="Cancel the request")).to_have_count(0)

    first.presses("Delete the account")
    with first.page.expect_navigation(url=re.compile("/$")):
        first.presses("Delete the account for good")
    expect(first.page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    assert site.api.get(f"/v1/games/{game}").value["seats"][0]["name"] == "Deleted account"


def test_an_act_of_a_device_that_cannot_sign_waits(device):
    """The page explains that, and the form is sent as without a script; the banner cancels the request."""
    one = device()
    one.presses("Delete the account")
    one.sees("Unsigned request")
    one.presses("Cancel")
    assert one.person.session.api.get("/v1/me/waiting").value == []
    one.presses("Delete the account")
    with one.page.expect_navigation():
        one.presses("Send the request")
    expect(one.page.get_by_text("Someone signed in as you has asked to delete your account")).to_be_visible()
    with one.page.expect_navigation():
        one.presses("Cancel the request")
    assert one.person.session.api.get("/v1/me/waiting").value == []


def test_a_page_from_before_an_upgrade_is_loaded_anew_before_one_can_sign_out(visit, site):
    """The script that asks what to delete has another name by then."""
    page, gone = visit(site.person("Ann")), []
    page.route("**/key-changes*", lambda route: route.continue_() if gone else (gone.append(route), route.abort()))
    page.goto(site.url)
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("dialog").get_by_role("heading", name="Sign out")).to_be_visible()


def test_a_token_for_a_program_is_shown_once(device):
    """It works as long as its row stands on the account's page; nobody can read it there again."""
    one = device(width=360)
    one.page.get_by_role("link", name="Make an API token").click()
    one.page.get_by_label("Name of the token").fill("my <b>bot</b>")
    one.presses("Make the token")
    expect(one.page.get_by_role("heading", name="API token “my <b>bot</b>”")).to_be_visible()
    assert axe.findings(one.page) == []
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 360
    token = one.page.get_by_role("region", name="The token").inner_text()
    api = Api(one.person.site.url, token, one.person.site.web)
    assert api.get("/v1/me").value["name"] == "Ann"
    one.page.goto(f"{one.person.site.url}/account")
    assert token not in one.page.content()
    one.presses("Revoke: my <b>bot</b>")
    expect(one.page.get_by_role("button", name="Revoke: my <b>bot</b>")).to_have_count(0)
    with pytest.raises(ApiError):
        api.get("/v1/me")


def test_without_a_script_the_page_and_its_forms_work(visit, site):
    """Except for forms that sign."""
    ann = site.person("Ann")
    page = visit(ann, java_script_enabled=False)
    page.goto(f"{site.url}/account")
    page.get_by_label("Name at the table").fill("Ann of Green")
    page.get_by_role("region", name="Your profile").get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="Ann of Green")).to_be_visible()
    expect(page.get_by_role("button", name="Approve a device")).to_be_hidden()
    page.get_by_role("button", name="Delete the account").click()
    expect(page.get_by_text("Someone signed in as you has asked to delete your account")).to_be_visible()
    page.get_by_role("button", name="End everything").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
