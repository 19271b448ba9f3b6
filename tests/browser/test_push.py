"""Web push from the press of a button to the game that a notification opens, with a push service of the test's own.

Chromium here reaches no push service, so two ends are the test's: `pushManager.subscribe` gives keys of the test, and
what the service received is decrypted with them and delivered to the service worker by the developer tools. Everything
between is real: the permission, the worker, the session, the outbox, the encryption and the request over TLS.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import contextmanager

import psutil
import pytest
from playwright.sync_api import expect

from tests.browser import chromium, program
from tests.browser.conftest import LEFT_OUT, opened
from tests.browser.hands import hand, table
from tests.browser.hands import program as client_program
from tests.kit.patience import PATIENCE, until
from tests.servers.receiver import Receiver
from tests.workers.push.device import HOST, Device, claims_of

SUBSCRIBE = """(given) => {
  let made = null;
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly) throw new Error("a silent subscription");
    const text = atob(applicationServerKey.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(text, (one) => one.charCodeAt(0));
    localStorage.setItem("test-key", applicationServerKey);
    made = { toJSON: () => given, options: { applicationServerKey: bytes.buffer }, unsubscribe: async () => {
      localStorage.removeItem("test-key");
      return true;
    } };
    return made;
  };
  PushManager.prototype.getSubscription = async () => {
    const key = localStorage.getItem("test-key");
    return key ? (made ?? PushManager.prototype.subscribe({ applicationServerKey: key, userVisibleOnly: true })) : null;
  };
}"""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.getRegistration("/");
  const shown = await registration.getNotifications();
  return shown.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
}"""
HEARS = """() => {
  window.heard = null;
  navigator.serviceWorker.addEventListener("message", ({ data }) => { window.heard = data.count; });
}"""
STATE = """async () => {
  const { installing, waiting, active } = await navigator.serviceWorker.getRegistration("/");
  return [Notification.permission, ...[installing, waiting, active].map((worker) => worker?.state)];
}"""
# A click cannot be made by the developer tools, and only a real one may open a window.
CLICK = """async (tag) => {
  const [notification] = await registration.getNotifications({ tag });
  const [opened, waits] = [[], []];
  clients.openWindow = async (path) => void opened.push(path);
  const event = Object.assign(new Event("notificationclick"), { notification, waitUntil: (one) => waits.push(one) });
  self.dispatchEvent(event);
  await Promise.all(waits);
  return opened;
}"""


pytestmark = pytest.mark.skipif(program.whole() is None, reason=f"{LEFT_OUT}: {program.MISSING}")


@pytest.fixture(scope="module")
def browser():
    """The whole Chromium: its headless shell shows no notifications."""
    with chromium.running(program.whole()) as running:
        yield running


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A server that may send to the test's push service, with that as the only process that sends."""
    monkeypatch.setenv("PUSH_HOSTS", HOST)
    with Receiver(tmp_path / "push", names=("*.example.net",)) as service, opened(tmp_path / "house") as site:
        service.answer = lambda _: 201
        with sending(site, service):
            yield site, service


@contextmanager
def sending(site, service):
    """`sealedmove hooks`, connected to the test's service; that of the server, which cannot reach it, stands still."""
    own = site.house.named("hooks")
    assert own, "no process sends"
    for one in own:
        one.suspend()
    command = [sys.executable, "-m", "tests.workers.hooks.process", str(service.port), str(service.ca)]
    process = psutil.Popen(command, env=site.house.whole_environment(), stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)
        for one in own:
            one.resume()


@pytest.mark.slow
def test_a_notification_reaches_its_device_and_opens_the_game(house, visit, tmp_path):
    """Switched on by a press; sent when it is the player's turn; shown, and clicked; off with the session."""
    site, service = house
    ann, ben = site.person("Ann"), site.person("Ben")
    game, device = table(ann, "pig"), Device("ann")
    page = visit(ann, permissions=["notifications"])
    page.add_init_script(f"({SUBSCRIBE})({json.dumps(device.body)})")
    page.goto(f"{site.url}/account")
    with page.context.expect_event("serviceworker") as worker:
        page.get_by_role("button", name="Notify me on this device").click()
    expect(page.get_by_text("This device shows a notification")).to_be_visible()
    expect(page.locator("#push li")).to_contain_text("never opened")

    seat = hand(visit(ann), ann, game)
    seat.do("join", 0)
    client_program(ben, game, tmp_path).join(1)
    until(lambda: service.got, lambda: "no request at the push service")
    got = service.got[0]
    assert claims_of(got.headers["authorization"])["aud"] == f"https://{HOST}"
    said = device.read(got.body)
    assert said == {"kind": said["kind"], "game": game, "count": said["count"]}

    assert deliver(page, device.opened(got.body).decode()) == said["count"]
    [shown] = page.evaluate(SHOWN)
    assert shown["body"] in ("It is your turn.", "A game has started.")
    assert (shown["title"], shown["tag"], shown["data"]) == ("Sealed Move", game, {"path": f"/games/{game}"})
    assert worker.value.evaluate(CLICK, game) == [f"/games/{game}"]
    assert page.evaluate(SHOWN) == []
    page.reload()
    expect(page.locator("#push li")).to_contain_text("last opened")

    page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.get_by_role("button", name="Sign out and delete my data").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert page.evaluate("localStorage.getItem('test-key')") is None


def deliver(page, data: str) -> int:
    """As the browser does with what it has decrypted; returns what the worker then tells its pages.

    It does so after it has shown the notification. Chromium forgets one that a page asks for while it is being shown.
    """
    page.evaluate(HEARS)
    tools = page.context.new_cdp_session(page)
    found: list[str] = []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(_ids(told)))
    tools.send("ServiceWorker.enable")
    until(lambda: found or page.evaluate("null"), "no registration")  # the question lets the tools' answers in
    origin = page.evaluate("location.origin + '/'")
    tools.send("ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": found[0], "data": data})
    until(lambda: page.evaluate("heard !== null"), lambda: f"the worker is silent: {page.evaluate(STATE)}")
    return page.evaluate("heard")


def _ids(told) -> list[str]:
    return [one["registrationId"] for one in told["registrations"] if not one["isDeleted"]]


HEARD = """() => {
  window.heard = 0;
  window.badge = null;
  navigator.setAppBadge = async (count) => { window.badge = count; };
  navigator.clearAppBadge = async () => { window.badge = 0; };
  const made = AudioContext;
  window.AudioContext = class extends made {
    constructor() {
      super();
      window.heard += 1;
    }
  };
}"""


@pytest.mark.slow
def test_title_icon_badge_and_sound_tell_how_many_games_wait(site, visit, seated):
    """A game's page says so in the background, and tells the other tabs; the sound is off until it is ticked."""
    ann, _ = seated("pig")
    expect(ann.page).to_have_title(re.compile(r"^\(1\) Your turn · Pig"))
    ann.page.context.route("**/v1/me/turns", lambda asked: asked.abort())  # each minute, for the number before the news
    front = ann.page.context.new_page()
    front.add_init_script(f"({HEARD})()")
    front.goto(f"{site.url}/account")
    expect(front).to_have_title("(1) Your account · Sealed Move")
    expect(front.locator("link[rel=icon]")).to_have_attribute("href", "/seal/1.svg")
    ann.page.evaluate(NEWS, 2)
    expect(front).to_have_title("(2) Your account · Sealed Move")
    front.wait_for_function("() => badge === 2")
    assert front.evaluate("heard") == 0
    front.get_by_label("Play a sound on this device").check()
    assert front.evaluate("heard") == 1
    ann.page.evaluate(NEWS, 3)
    expect(front).to_have_title("(3) Your account · Sealed Move")
    front.wait_for_function("() => heard === 2")
    ann.page.evaluate(NEWS, 0)
    expect(front).to_have_title("Your account · Sealed Move")
    front.wait_for_function("() => badge === 0")


NEWS = "(count) => void document.dispatchEvent(new CustomEvent('waiting', { detail: count }))"  # as a move brings it
