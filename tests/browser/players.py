"""People at the turn page, each with his way to choose: by mouse, by touch on a narrow telephone, by keys alone.

What they do is found as a person finds it, by what stands on the page. They choose by a chance of their own, send when
nothing more can be chosen or their patience ends, and wait for what they would see.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from playwright.sync_api import Error, Locator, Page, expect

from tests.browser.site import Site

LONGEST = 4  # steps of a plan before it is sent
PATIENCE = 5000  # ms until what was seen is looked at anew
MOST = 200  # choices of one turn, stops of the tab key
PANEL = "document.getElementById('panel')"
CHANGED = f"before => {PANEL}.innerText !== before"
TOLD = f"""() => {PANEL}.querySelector('[role=status]').textContent.startsWith('Logged as entry')
    || {PANEL}.querySelector('[role=alert]').textContent"""


@dataclass
class Player:
    """Somebody at a page. `turn` plays a turn; `pressed` counts what he has clicked, tapped or typed."""

    site: Site
    page: Page
    name: str
    seed: int
    pressed: int = 0
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    # --- how this person presses --------------------------------------------------------------------------------------

    def press(self, button: Locator) -> None:
        self.pressed += 1
        button.click(timeout=PATIENCE)

    def fill(self, box: Locator, text: str) -> None:
        box.fill(text)

    # --- from nothing to the table ------------------------------------------------------------------------------------

    def sign_in(self, address: str) -> None:
        """An address and a name, the mail, its link, the button."""
        page = self.page
        page.goto(self.site.url)
        self.press(page.get_by_role("link", name="Sign in").first)
        self.fill(page.get_by_label("Your mail address"), address)
        self.fill(page.get_by_label("Your name at the table"), self.name)
        self.press(page.get_by_role("button", name="Mail me a link"))
        expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()
        page.goto(f"{self.site.url}/login/{self.site.link(address)}")
        self.press(page.get_by_role("button", name=f"Sign in as {address}"))
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    def keep_the_code(self) -> None:
        """The recovery code is shown; its last group is typed back."""
        dialog = self.page.get_by_role("dialog")
        code = dialog.locator(".code").inner_text()
        self.fill(dialog.get_by_label("last group"), code[-4:])
        self.press(dialog.get_by_role("button", name="I have kept it"))
        expect(dialog).to_be_hidden()

    # --- a turn -------------------------------------------------------------------------------------------------------

    @property
    def panel(self) -> Locator:
        return self.page.get_by_role("region", name="Your move")

    def is_to_move(self) -> bool:
        return self.page.get_by_text("It is your turn", exact=True).is_visible()

    def is_over(self) -> bool:
        return self.page.get_by_role("heading", name="The ranking").is_visible()

    def turn(self) -> None:
        """One plan, chosen and sent."""
        for _ in range(MOST):
            self.enter()
            if self.is_ready():
                return self.send()
            self.choose()
        raise AssertionError(f"{self.name} never comes to an end: {self.panel.inner_text()}")

    def enter(self) -> None:
        """The panel asks for something, or there is a plan to send."""
        expect(self.choices.or_(self.sends).first).to_be_visible()

    def is_ready(self) -> bool:
        """Is the plan to be sent? Where a command is begun it is not, and where nothing can follow it is."""
        begun = self.panel.get_by_role("button", name="Back", exact=True).is_visible()
        if begun or not self.sends.is_visible():
            return False
        planned = self.panel.get_by_role("list", name="Your plan").get_by_role("listitem").count()
        return not self.choices.count() or planned >= LONGEST or self.chance.random() < 0.3

    @property
    def choices(self) -> Locator:
        """What can be chosen next; a way back is none."""
        asked = self.panel.get_by_role("group", name="What is next")
        return asked.get_by_role("button", disabled=False).filter(has_not_text=re.compile("^Back$"))

    @property
    def sends(self) -> Locator:
        return self.panel.get_by_role("button", name="Sign and send")

    def choose(self) -> None:
        """Any of them. What goes away under the hand, for instance since somebody else has moved, is looked at anew."""
        before, choices = self.panel.inner_text(), self.choices
        try:
            self.press(self._number() or choices.nth(int(self.chance.random() * choices.count())))
            self.page.wait_for_function(CHANGED, arg=before)
        except (AssertionError, Error):
            if self.choices.count() and self.panel.inner_text() == before:
                raise

    def _number(self) -> Locator | None:
        """A number of many is turned up a little, and then taken; None where no number is asked for."""
        take = self.panel.get_by_role("button", name="Take it")
        if not take.is_visible():
            return None
        for _ in range(self.chance.randrange(3)):
            self.press(self.panel.get_by_role("button", name="One more", exact=True))
        return take

    def send(self) -> None:
        """Half a second after the plan has changed, as the button asks; then what was logged is told."""
        expect(self.sends).not_to_have_attribute("data-waits", "")
        self.press(self.sends)
        self.page.wait_for_function(TOLD)


class Finger(Player):
    """By touch, on a narrow telephone."""

    def press(self, button: Locator) -> None:
        self.pressed += 1
        button.tap(timeout=PATIENCE)


class Keys(Player):
    """By the keyboard alone: the tab key until what is wanted has the focus, then enter."""

    def press(self, button: Locator) -> None:
        expect(button).to_be_enabled(timeout=PATIENCE)
        self._go_to(button)
        expect(button).not_to_have_attribute("data-waits", "")  # the window came to the front meanwhile
        self.pressed += 1
        self.page.keyboard.press("Enter")

    def fill(self, box: Locator, text: str) -> None:
        self._go_to(box)
        self.page.keyboard.type(text)

    def select(self, box: Locator, text: str) -> None:
        self._go_to(box)
        self.page.keyboard.type(text)

    def _go_to(self, wanted: Locator) -> None:
        expect(wanted).to_be_visible()
        for _ in range(MOST):
            if wanted.evaluate("one => one === document.activeElement"):
                return
            self.pressed += 1
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the tab key never comes to {wanted}")
