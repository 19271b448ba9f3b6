"""The dialogs for keys: the first key and its code, further devices, signing out; and no way around them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.record.signed import keys
from tests.browser.hands import Hand, program, table

pytestmark = pytest.mark.slow

OPEN = """([act, account]) => {
  const flows = ['key-dialogs', 'key-changes'].map((name) => import(`/static/flows/${name}.js`));
  window.asked = Promise.all(flows).then((found) => Object.assign({}, ...found)[act](account));
}"""
CLOSED = "async () => { const key = await window.asked; return key?.kid ?? key; }"
KEPT = """async ([account, id]) => {
  const store = await (await import('/static/keys/store.js')).open(account);
  const [device, game, ...others] = await Promise.all([store.keys('device'), store.get('games', id),
    ...['lines', 'sent', 'plans'].map((name) => store.keys(name))]);
  return { device, game, others: others.flat().length };
}"""
STORES = "async () => (await indexedDB.databases()).length"
CODE = re.compile(r"([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}")


class Device:
    """A signed-in context and everything that it sends."""

    def __init__(self, visit, person) -> None:
        self.person = person
        self.page = visit(person, accept_downloads=True)
        self.sent: list[str] = []
        self.page.context.on("request", self._keep)
        self.page.goto(f"{person.site.url}/login")

    def _keep(self, request) -> None:
        self.sent.append(json.dumps([request.url, request.headers, request.post_data], ensure_ascii=False))

    def opens(self, act: str) -> None:
        self.page.evaluate(OPEN, [act, self.person.account])

    @property
    def result(self):
        """The result of the dialog, once it is closed."""
        return self.page.evaluate(CLOSED)

    def sees(self, heading: str) -> None:
        expect(self.page.get_by_role("dialog").get_by_role("heading", name=heading, exact=True)).to_be_visible()

    def presses(self, name: str) -> None:
        self.page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()

    def types(self, label: str, text: str) -> None:
        self.page.get_by_role("dialog").get_by_label(label).fill(text)

    def told(self, text: str) -> None:
        expect(self.page.get_by_role("dialog").get_by_role("alert")).to_contain_text(text)

    def shown(self) -> str:
        return self.page.get_by_role("dialog").locator(".code").inner_text()

    def hand(self, game: str, named: int | None = None) -> Hand:
        return Hand(self.page, self.person, game, named)

    def keeps_a_code(self) -> str:
        """Keep the shown code by typing its last group."""
        self.sees("Your recovery code")
        code = self.shown()
        assert CODE.fullmatch(code)
        self.types("Last four characters", code[-4:].lower())
        self.presses("I have saved it")
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        return code


def never_sent(devices: list[Device], code: str) -> bool:
    """Neither the code nor a half of it, in any spelling, is in an address, header or body."""
    letters = code.replace("-", "")
    parts = [code, letters, letters[:14], letters[14:], code[:14], code[-14:]]
    said = "\n".join(one for device in devices for one in device.sent).upper()
    assert len(said) > 1000
    return not any(part in said for part in parts)


@pytest.fixture
def device(visit, site):
    """Devices of one new person."""
    ann = site.person("Ann")
    return lambda: Device(visit, ann)


def test_keys_from_the_first_code_to_signing_out(device, site, tmp_path):
    """The first key; a device by the code, one by the first; a new code; signed out. No code is sent."""
    first = device()
    ann = first.person
    first.opens("ready")
    first.sees("Your recovery code")
    first.presses("I have saved it")
    first.told("These are not the last four characters")
    with first.page.expect_download() as saved:
        first.presses("Save as a file")
    code = first.keeps_a_code()
    assert code in Path(saved.value.path()).read_text("utf-8")
    kid = first.result
    box = ann.session.api.get("/v1/me/keybox").value
    assert [key["kid"] for key in ann.session.api.get("/v1/me/keys").value] == [kid]

    game = table(ann, "pig", options={"goal": 100})
    first.hand(game).do("join", 0)
    other = program(site.person("Ben"), game, tmp_path)
    other.join(1)
    joined = first.hand(game).do("check")
    assert joined["seat"] == 0

    plan = first.hand(game).do("check")["head"]
    second = device()
    second.opens("ready")
    second.sees("New device")
    second.presses("Enter my recovery code")
    field = second.page.get_by_role("dialog").get_by_label("Recovery code")
    assert field.evaluate("(input) => [input.type, input.form, input.autocomplete]") == ["password", None, "off"]
    second.types("Recovery code", code.replace("-", " ").lower()[:-1])
    second.presses("Open the key backup")
    second.told("28 letters")
    second.types("Recovery code", code.replace("-", " ").lower())
    second.presses("Open the key backup")
    expect(second.page.get_by_role("dialog")).to_have_count(0)
    assert second.result not in (kid, None)
    assert all(key["counts"] for key in ann.session.api.get("/v1/me/keys").value)
    assert second.hand(game).do("move", [{"do": "roll"}])["kind"] == "moved"
    late = first.hand(game).tries("move", [{"do": "roll"}], plan)
    assert (late["error"], late["code"]) == ("NotSigned", "stale")
    other.sync()
    [keyed] = [entry for entry in other.log.entries if entry.kind == "keyed"]
    assert keys.read_jws(keyed.body["jws"]).kid == box["kid"]
    assert len(keys.read_jws(keyed.body["jws"]).payload["only"]) == 2

    third = device()
    third.opens("ready")
    third.presses("Approve it on my other device")
    letters = third.shown()
    assert re.fullmatch(r"(\w{4}-){3}\w{4}", letters)
    first.opens("letIn")
    first.types("Sixteen characters", "0000 0000 0000 0000")
    first.presses("Approve")
    first.told("No device with the characters")
    first.types("Sixteen characters", letters.lower())
    first.presses("Approve")
    assert first.result is True
    third.presses("Continue")
    third.sees("Recovery code on this device")
    third.presses("Continue without it")
    third.presses("Continue without a code and risk my seats")
    assert third.hand(game).do("check")["seat"] is None  # a listing alone
    assert third.hand(game, 0).do("check")["seat"] == 0
    assert third.result

    first.opens("renew")
    first.types("Old recovery code", code)
    first.presses("Continue")
    renewed = first.keeps_a_code()
    assert first.result is True
    assert renewed != code
    new_box = ann.session.api.get("/v1/me/keybox").value
    assert new_box["kid"] != box["kid"]
    other.sync()
    replaced = keys.read_jws(other.log.entries[-1].body["jws"])
    assert (replaced.kid, replaced.payload["recovery"]["x"]) == (box["kid"], new_box["x"])
    assert replaced.payload["only"] is None

    devices = [first, second, third]
    assert never_sent(devices, code)
    assert never_sent(devices, renewed)

    second.page.goto(site.url)
    second.page.get_by_role("button", name="Sign out").click()
    second.presses("Stay signed in")
    second.page.get_by_role("button", name="Sign out").click()
    second.presses("Sign out and delete my data")
    expect(second.page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    kept = second.page.evaluate(KEPT, [ann.account, game])
    assert (kept["device"], kept["others"], kept["game"]["seat"]) == (["server"], 0, 0)
    assert kept["game"]["note"].startswith(site.url.removeprefix("http://"))
    third.page.goto(site.url)
    third.page.get_by_role("button", name="Sign out").click()
    third.presses("Sign out and keep my data")
    expect(third.page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    assert third.page.evaluate(STORES) == 1
    first.page.goto(site.url)
    first.page.get_by_role("button", name="Sign out").click()
    first.page.get_by_role("dialog").get_by_label("Also delete the list of your games").check()
    first.presses("Sign out and delete my data")
    expect(first.page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    assert first.page.evaluate(STORES) == 0


def test_refusing_a_code_needs_a_confirmation(device):
    """The person keeps the code or accepts the loss in words; then the question does not return."""
    one = device()
    one.opens("ready")
    one.sees("Your recovery code")
    code = one.shown()
    one.presses("Continue without a code")
    one.sees("No recovery code")
    one.presses("Back")
    assert one.shown() == code
    one.page.keyboard.press("Escape")
    assert one.result is None
    one.opens("ready")
    one.presses("Continue without a code")
    one.presses("Continue without a code and risk my seats")
    kid = one.result
    game = table(one.person, "pig")
    joined = one.hand(game).do("join", 0)
    assert keys.read_jws(joined["jws"]).payload["recovery"] is None
    one.opens("ready")
    assert one.result == kid
    assert never_sent([one], code)


def test_a_device_that_has_not_typed_the_code_is_asked_for_it_again(device):
    """It is not shown a new one, which the server would refuse: the account has a key backup already."""
    first, second = device(), device()
    first.opens("ready")
    code = first.keeps_a_code()
    second.opens("ready")
    second.presses("Play at new tables only")
    second.sees("Recovery code on this device")
    second.page.keyboard.press("Escape")
    assert second.result is None
    second.opens("ready")
    second.sees("Recovery code on this device")
    second.presses("Enter my recovery code")
    second.types("Recovery code", code)
    second.presses("Open the key backup")
    assert second.result not in (first.result, None)


BROKEN = {
    "Ed25519": "crypto.subtle.generateKey = async () => { throw new DOMException('no', 'NotSupportedError'); };",
    "https": "Object.defineProperty(window, 'isSecureContext', { value: false });",
    "private mode": "indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };",
}


@pytest.mark.parametrize("lacks", BROKEN)
def test_a_browser_that_cannot_sign_shows_advice(device, lacks):
    """It can watch; no key is made or registered."""
    one = device()
    one.page.add_init_script(BROKEN[lacks])
    one.page.reload()
    one.opens("ready")
    one.sees("This browser cannot sign")
    expect(one.page.get_by_role("dialog")).to_contain_text(lacks)
    one.presses("Continue without signing")
    assert one.result is None
    assert one.person.session.api.get("/v1/me/keys").value == []


# Three buttons that sign or approve, each with an announcement: sending, agreeing to sign, a question.
BUTTONS = """async () => {
  const scripts = ['game/acts', 'ui/dialog', 'turn/send'].map((name) => import(`/static/${name}.js`));
  const [{ NotSigned }, { ask, NotYet }, { Sending }] = await Promise.all(scripts);
  window.heard = [];
  const part = document.body.appendChild(document.createElement('div'));
  const trouble = part.appendChild(Object.assign(document.createElement('div'), { className: 'trouble' }));
  const sending = new Sending(part, trouble, { id: 'x', account: 'nobody', seat: 0 }, {});
  sending.proof = { get account() { heard.push('sent'); throw new NotSigned('odd-times', 'Odd.'); } };
  const step = (word) => ({ command: { do: word }, notation: word, label: word });
  window.plan = (...words) => sending.show(words.map(step), null);
  window.movedOn = (...warnings) => sending.show(sending.shown.steps, { seq: 7, hash: 'new' }, warnings);
  window.question = () => void ask('Sure?', [], [{ value: 'yes', says: 'Yes', check: async () => {
    heard.push('yes');
    throw new NotYet('Once more.');
  } }]);
}"""
HEARD = (
    "(button) => { const before = heard.length; document.querySelector(button).click(); return heard.length > before; }"
)


def test_a_misplaced_click_signs_nothing(visit, site):
    """A button works half a second after it appears, its subject changes, or the window comes to the front."""
    page = visit()
    page.clock.install()
    page.goto(f"{site.url}/login")
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    page.evaluate(BUTTONS)
    buttons = {"button.send": "plan('roll')", ".trouble button": "0", "dialog button": "question()"}
    for button, shown in buttons.items():
        page.evaluate(shown)
        page.wait_for_selector(button)
        assert not page.evaluate(HEARD, button), button
        page.clock.run_for(400)
        page.evaluate("void dispatchEvent(new Event('focus'))")
        page.clock.run_for(400)
        assert not page.evaluate(HEARD, button), button
        page.clock.run_for(100)
        assert page.evaluate(HEARD, button), button
    for changes in ("plan('roll', 'hold')", "movedOn()"):
        page.evaluate(changes)
        assert not page.evaluate(HEARD, "button.send"), changes
        page.clock.run_for(500)
        assert page.evaluate(HEARD, "button.send"), changes
    page.evaluate("movedOn('It wastes a die.')")
    assert not page.evaluate(HEARD, "button.send")  # the draft wastes something only now: the first press asks
    expect(page.locator(".trouble")).to_contain_text("It wastes a die. End all the same?")


SLOW = """async () => {
  const { ask } = await import('/static/ui/dialog.js');
  const check = () => new Promise((done) => (window.done = done));
  window.answer = 'open';
  const answers = [{ value: 'yes', says: 'Remove the key', check }, { value: 'no', says: 'Cancel', second: true }];
  void ask('Remove the key?', [], answers).then((answer) => (window.answer = answer));
}"""


def test_a_window_cannot_be_left_while_its_answer_is_carried_out(visit, site):
    """By Escape or another button: the page would take for cancelled what is then done."""
    page = visit()
    page.goto(f"{site.url}/login")
    page.evaluate(SLOW)
    bar = page.locator(".answers-bar:not([aria-disabled])")
    bar.get_by_role("button", name="Remove the key").click()
    bar.get_by_role("button", name="Cancel").click()
    for _ in range(3):
        page.keyboard.press("Escape")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate("answer") == "open"
    page.evaluate("done()")
    page.wait_for_function("() => answer === 'yes'")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.evaluate(SLOW)
    page.keyboard.press("Escape")
    page.wait_for_function("() => answer === null")  # the browser says that a window closed after it has closed it
    expect(page.get_by_role("dialog")).to_have_count(0)
