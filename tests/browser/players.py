"""People at the turn page, each with their own way to choose: by mouse, by touch on a narrow telephone, by keys alone.

They find things as a person does, from what the page shows. They choose at random, send when nothing more can be chosen
or their patience ends, and wait for visible results.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Error, Locator, Page, expect

from tests.browser.site import Site

LONGEST = 4  # steps of a plan before it is sent
SOON = 0.15  # share of shorter ones
PATIENCE = 5000  # ms between two looks at the page
MOST = 200  # choices of one turn, stops of the tab key
# The panel at a glance: is a command begun, is there a button that sends, is a number asked for,
# how much can be chosen and is planned.
SEEN = """(panel) => {
  const seen = (part) => part?.checkVisibility() ?? false;
  const choices = panel.querySelectorAll("[aria-label='Next choice'] button:not([disabled])");
  return {
    begun: seen(panel.querySelector(".so button")),
    sends: seen(panel.querySelector("button.send")),
    number: seen(panel.querySelector(".stepper")),
    choices: [...choices].filter((one) => seen(one) && one.textContent !== "Back").length,
    planned: panel.querySelectorAll("[aria-label='Your draft move'] > li").length,
  };
}"""
READY = ":not([aria-busy])"
TOLD = "#panel [role=status]:has-text('Your move is logged as entry'), #panel .trouble:not(:empty)"
CHOSEN = "(box) => box.selectedOptions[0].textContent.trim()"
# The focus, unless it is on a button that still waits because the question is new or the window came to the front.
WORKS = ":focus:not(:disabled, [data-waits], [aria-disabled=true], [aria-disabled=true] *)"
# The direction in which the tab key reaches a thing: none if it has the focus, null if it is gone; and the focus.
WAY = """(wanted) => {
  const here = document.activeElement;
  const tag = here.cloneNode(false).outerHTML.slice(0, 120);
  if (wanted === here) return ["", tag];
  if (!wanted.isConnected) return [null, tag];
  return [here.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab", tag];
}"""


@dataclass
class Player:
    """Somebody at a page. `turn` plays a turn; `pressed` counts clicks, taps and typed keys."""

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

    def select(self, box: Locator, text: str) -> None:
        """The choice that begins with this text."""
        choice = box.get_by_role("option", name=re.compile(f"^{re.escape(text)}"))
        box.select_option(choice.get_attribute("value"))

    # --- from nothing to the table ------------------------------------------------------------------------------------

    def sign_in(self, address: str) -> None:
        """Address and name, the mail, its link, the button."""
        page = self.page
        page.goto(self.site.url)
        self.press(page.get_by_role("link", name="Sign in").first)
        self.fill(page.get_by_label("Email address"), address)
        self.press(page.get_by_role("button", name="Send me a link"))
        expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
        page.goto(f"{self.site.url}/login/{self.site.link(address)}")
        self.fill(page.get_by_label("Name at the table"), self.name)
        self.press(page.get_by_role("button", name=f"Sign in as {address}"))
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    def keep_the_code(self) -> None:
        """The recovery code is shown; type its last group."""
        dialog = self.page.get_by_role("dialog")
        code = dialog.locator(".code").inner_text()
        self.fill(dialog.get_by_label("Last four characters"), code[-4:])
        self.press(dialog.get_by_role("button", name="I have saved it"))
        expect(dialog).to_be_hidden()

    def open_tab(self, name: str) -> None:
        """The part beside the board with this name."""
        self.press(self.page.get_by_role("tab", name=name))

    # --- a turn -------------------------------------------------------------------------------------------------------

    @property
    def panel(self) -> Locator:
        return self.page.get_by_role("region", name="Your move")

    def is_to_move(self) -> bool:
        """True if the title of the tab shows that it is this player's turn."""
        return "Your turn · " in self.page.title()  # behind the number of games that wait

    def is_over(self) -> bool:
        return self.page.locator("#stage .finished").is_visible()

    def turn(self) -> None:
        """One plan, chosen and sent."""
        for _ in range(MOST):
            seen = self.look()
            if self.is_ready(seen):
                return self.send()
            self.choose(seen)
        raise AssertionError(f"{self.name} never comes to an end: {self.panel.inner_text()}")

    def look(self) -> dict[str, Any]:
        """The panel's question, or a plan to send."""
        self.page.wait_for_selector(f"#panel{READY} :is(.question, .foot) button:enabled")
        return self.page.locator("#panel").evaluate(SEEN)

    def is_ready(self, seen: dict[str, Any]) -> bool:
        """True if the plan should be sent: never while a command is begun, always if nothing can follow."""
        if seen["begun"] or not seen["sends"]:
            return False
        return not seen["choices"] or seen["planned"] >= LONGEST or self.chance.random() < SOON

    @property
    def choices(self) -> Locator:
        """The next choices, without the way back."""
        asked = self.panel.get_by_role("group", name="Next choice")
        return asked.get_by_role("button", disabled=False).filter(has_not_text=re.compile("^Back$"))

    @property
    def sends(self) -> Locator:
        return self.panel.get_by_role("button", name="Sign and send")

    def choose(self, seen: dict[str, Any]) -> None:
        """Press any of them. If it disappears, for instance because somebody else has moved, look again."""
        try:
            if seen["number"]:
                return self._number()
            self.press(self.choices.nth(int(self.chance.random() * seen["choices"])))
        except (AssertionError, Error):
            if self.look() == seen:
                raise

    def _number(self) -> None:
        """A number of many is turned up a little, and then taken."""
        for _ in range(self.chance.randrange(3)):
            self.press(self.panel.get_by_role("button", name="One more", exact=True))
        self.press(self.panel.get_by_role("button", name="Choose"))

    def send(self) -> None:
        """Send half a second after the last change, as the button requires; then the logged move is shown."""
        self.page.wait_for_selector("button.send:not([data-waits])")
        self.press(self.sends)
        self.page.wait_for_selector(TOLD)


class Finger(Player):
    """By touch, on a narrow telephone."""

    def press(self, button: Locator) -> None:
        self.pressed += 1
        button.tap(timeout=PATIENCE)


class Keys(Player):
    """By the keyboard alone: the tab key until what is wanted has the focus, then enter."""

    def press(self, button: Locator) -> None:
        self._go_to(button)
        self.page.wait_for_selector(WORKS)
        self.pressed += 1
        self.page.keyboard.press("Enter")

    def fill(self, box: Locator, text: str) -> None:
        self._go_to(box)
        self.page.keyboard.type(text)

    def select(self, box: Locator, text: str) -> None:
        """From the first choice down to this one: typed letters expire on a busy machine."""
        self._go_to(box)
        self.page.keyboard.press("Home")
        while not (here := box.evaluate(CHOSEN)).startswith(text):
            self.pressed += 1
            self.page.keyboard.press("ArrowDown")
            assert box.evaluate(CHOSEN) != here, f"{text} is no choice"

    def open_tab(self, name: str) -> None:
        """From the tab that is open: the arrow keys lead to the others. The result's tab may appear meanwhile."""
        wanted = self.page.get_by_role("tab", name=name)
        self._go_to(self.page.get_by_role("tab", selected=True))
        for _ in range(MOST):
            if wanted.get_attribute("aria-selected") == "true":
                return
            self.pressed += 1
            self.page.keyboard.press("ArrowRight")
        raise AssertionError(f"the arrow keys never come to the tab {name}")

    def _go_to(self, wanted: Locator) -> None:
        """There and back again, as the tab key goes."""
        there, passed = wanted.element_handle(timeout=PATIENCE), []
        for _ in range(MOST):
            way, here = there.evaluate(WAY)
            if way == "":
                return
            if way is None:
                there = wanted.element_handle(timeout=PATIENCE)
                continue
            self.pressed += 1
            self.page.keyboard.press(way)
            passed.append(f"{way} from {here}")
        raise AssertionError(f"the tab key never comes to {wanted}; at last {passed[-12:]}")
