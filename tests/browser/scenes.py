"""Parts of pages that appear only after an action: windows with a question, secrets shown once, mailed links.

Each scene goes through some of them and gives their names to the photographer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import Page, expect

from client import device, keys, session
from client.caught_mails import Mailbox
from client.http import Api
from tests.browser.site import Person
from tests.kit.patience import PATIENCE

NO_KEY_YET = "Delete the account"
QUESTIONS = {  # buttons of the account's page, and the windows that they open
    "let-in": "Approve a device",
    "new-code": "Replace the recovery code",
    "stolen": re.compile("^Remove this key"),
    "drop-box": "Delete the key backup",
    "erase": "Delete the account",
    "sign-out": "Sign out",
}


def press(page: Page, name: str | re.Pattern[str]) -> None:
    """In the open window, as soon as its buttons work; otherwise on the page."""
    window = page.get_by_role("dialog")
    within = page.locator("dialog .answers-bar:not([aria-disabled])").last if window.count() else page
    within.get_by_role("button", name=name, exact=isinstance(name, str)).first.click()


def opened(page: Page, heading: str = "") -> None:
    expect(page.get_by_role("dialog").get_by_role("heading", name=heading).first).to_be_visible()


def closed(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def first_device(page: Page, person: Person) -> Iterator[str]:
    """An account without a key: the first one, its code, and every dialog of the account's page."""
    account = f"{person.site.url}/account"
    page.goto(account)
    press(page, NO_KEY_YET)
    opened(page, "Unsigned request")
    yield "window-unsigned"
    closed(page)
    press(page, "Make a key for this device")
    opened(page, "Your recovery code")
    press(page, "I have saved it")
    expect(page.get_by_role("dialog").get_by_role("alert")).not_to_be_empty()
    yield "window-code"
    press(page, "Continue without a code")
    opened(page, "No recovery code")
    yield "window-no-code"
    press(page, "Back")
    opened(page, "Your recovery code")
    page.get_by_label("Last four characters").fill(page.locator("dialog .code").inner_text()[-4:])
    with page.expect_navigation():
        press(page, "I have saved it")
    session.register_key(person.session, keys.make())
    page.goto(account)
    for name, button in QUESTIONS.items():
        press(page, button)
        opened(page)
        yield f"window-{name}"
        closed(page)
    page.get_by_label("New address").fill("somebody@players.example")
    press(page, "Change the address")
    opened(page)
    yield "window-address"
    closed(page)
    page.goto(account)
    yield "account-with-keys"


def next_device(page: Page, person: Person) -> Iterator[str]:
    """An account that has a key, in a browser that has none."""
    page.goto(f"{person.site.url}/account")
    press(page, "Make a key for this device")
    opened(page, "New device")
    yield "window-new-device"
    press(page, "Enter my recovery code")
    opened(page, "Your recovery code")
    yield "window-type-code"
    closed(page)
    press(page, "Make a key for this device")
    press(page, "Approve it on my other device")
    opened(page, "Approval of this device")
    yield "window-letters"
    closed(page)
    page.goto(person.site.url)
    yield "front-something-waits"


def shown_once(page: Page, person: Person) -> Iterator[str]:
    """A token and a calendar's link."""
    page.goto(f"{person.site.url}/account/token")
    page.get_by_label("Name of the token").fill("my program")
    press(page, "Make the token")
    expect(page.get_by_role("region", name="The token")).to_be_visible()
    yield "token-made"
    asked = device.begin(Api(person.site.url), "sealedmove on a television")
    page.goto(asked.url)
    page.get_by_label("Code").fill(asked.user_code)
    press(page, "Continue")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    yield "device-asked"
    press(page, "Sign the program in")
    expect(page.get_by_role("heading", name="Program signed in")).to_be_visible()
    yield "device-done"
    page.goto(f"{person.site.url}/account")
    press(page, re.compile("calendar link$"))
    expect(page.get_by_role("region", name="The link")).to_be_visible()
    yield "calendar-made"


def at_a_table(page: Page, person: Person, game: str) -> Iterator[str]:
    """Leaving it, its mail, and a note that is compared."""
    page.goto(f"{person.site.url}/games/{game}")
    page.get_by_text("Resignation", exact=True).click()
    press(page, re.compile("^Resign"))
    opened(page)
    yield "window-resign"
    page.goto(f"{person.site.url}/games/{game}/mail")
    yield "table-mail"
    page.goto(f"{person.site.url}/games/{game}#record")
    page.get_by_text("Compare a checkpoint that you kept").click()
    page.get_by_label("Checkpoint to compare").fill("No note.")
    press(page, "Compare with the log")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    yield "compared"


def behind_mails(page: Page, person: Person) -> Iterator[str]:
    """Pages that mails link to, one of each kind, each with one button."""
    link = re.compile(rf"{re.escape(person.site.url)}(/(?:m|u|waiting)/\S+)")
    box = Mailbox(Api(person.site.house.mail_url, None, person.site.web), person.address)
    told = box.wait_for(lambda one: link.search(one["text"]), "a mail with such a link", PATIENCE)["text"]
    for number, path in enumerate(dict.fromkeys(link.findall(told)), 1):
        page.goto(person.site.url + path)
        yield f"mailed-{person.name.lower()}-{number}"


def signing_in(page: Page, person: Person) -> Iterator[str]:
    """The pages for somebody who is not signed in here."""
    page.goto(f"{person.site.url}/login")
    page.get_by_label("Email address").fill(person.address)
    press(page, "Send me a link")
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    yield "link-mailed"
    page.goto(f"{person.site.url}/login/{person.site.link(person.address)}")
    yield "sign-in-button"
