"""The clicks of a typical turn of each game, up to and with "Sign and send", by the pointer and board first."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hands import Hand
from tests.browser.panel import choices, others_turn, send, settled, steps

pytestmark = pytest.mark.slow

MOST = {"livingstone": 4, "tikal": 8, "discoveries": 5, "lewis_clark": 6}
TURNS = {  # the kinds of command of a sensible turn; of Tikal five actions
    "livingstone": ["tent", "end"],
    "tikal": ["place", "enter", "walk", "level", "enter", "done"],
    "discoveries": ["lay", "end"],
    "lewis_clark": ["play", "under", "use", "end"],
}
BEFORE = {"tikal": ["place", "enter", "enter", "done"], "discoveries": ["choose"]}  # turns that prepare the position
Choice = dict[str, Any]


@dataclass
class Pointer:
    """Somebody with a mouse. Each click counts."""

    page: Page
    clicks: int = 0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1
        settled(self.page)

    def gives(self, choice: Choice) -> None:
        """A command: its button if it is there, otherwise its places on the board, one after the other."""
        before = len(steps(self.page))
        pointing = iter([word for word in choice["words"] if word["kind"] is not None])
        while len(steps(self.page)) == before:
            if self.button(choice).count():
                self.click(self.button(choice).first)
            else:
                word = next(pointing)
                place = self.page.locator(f"g.lit [data-word~='{word['kind']}:{word['word']}']")
                if place.count():
                    self.click(place.first)

    def button(self, choice: Choice) -> Locator:
        """The button that adds this command and no other."""
        ends = [choice["notation"], choice["words"][-1]["word"], choice["notation"].split(maxsplit=1)[-1]]
        exact = re.compile(f"^({'|'.join(map(re.escape, ends))})$")
        return choices(self.page).filter(has=self.page.locator("b, code").get_by_text(exact))


@pytest.mark.parametrize("key", MOST)
def test_a_typical_turn_takes_few_clicks(seated: Any, key: str) -> None:
    """Counted, printed, and bounded."""
    turn = None
    while turn is None:  # until the turn is possible with what was dealt
        ann, ben = seated(key)
        turn = typical(ann, ben, key)
    pointer = Pointer(ann.page)
    for choice in turn:
        pointer.gives(choice)
    assert steps(ann.page) == [choice["notation"] for choice in turn]
    send(ann.page)
    pointer.clicks += 1
    sys.stdout.write(f"\n{key}: {pointer.clicks} clicks: {'; '.join(choice['notation'] for choice in turn)}\n")
    assert pointer.clicks <= MOST[key]


def typical(ann: Hand, ben: Any, key: str) -> list[Choice] | None:
    """The typical turn, with the page at its beginning; None if it is not possible at this table."""
    if key in BEFORE:
        before = script(ann, BEFORE[key])
        if before is None:
            return None
        ann.move(*[one["command"] for one in before])
        others_turn(ann, ben)
        ann.page.reload()
        expect(choices(ann.page).first).to_be_visible()
    return script(ann, TURNS[key])


def script(ann: Hand, kinds: list[str]) -> list[Choice] | None:
    """Legal commands of these kinds, one after the other: each the first after which the next is possible."""
    found: list[Choice] = []
    for number, kind in enumerate(kinds):
        then = kinds[number + 1 : number + 2]
        fits = (one for one in legal(ann, found) if one["kind"] == kind and leads(ann, [*found, one], then))
        if (one := next(fits, None)) is None:
            return None
        found.append(one)
    return found


def leads(ann: Hand, given: list[Choice], then: list[str]) -> bool:
    return not then or any(one["kind"] in then for one in legal(ann, given))


def legal(ann: Hand, given: list[Choice]) -> list[Choice]:
    """What may follow these commands."""
    api, game = ann.person.session.api, f"/v1/games/{ann.game}"
    if not given:
        return api.get(f"{game}/legal").value
    return api.post(f"{game}/preview", {"commands": [one["command"] for one in given]}).value["legal"]
