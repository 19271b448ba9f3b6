"""A whole game from signing in to the end, in the browser alone: people and house players.

Ann uses only a keyboard, Ben a telephone of 360 pixels by touch; both choose at random. A race lasts long among people
who do so: one of them races against house players, who end it sooner the more they are. The time of each title
is printed. Two files share the titles, since a process of a run takes whole files and each game takes minutes.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from engine.record.audit import audit
from tests.browser.players import Finger, Keys, Player
from tests.browser.site import Site

TITLES = {
    "livingstone": "Livingstone",
    "tikal": "Tikal",
    "discoveries": "Discoveries: The Journals of Lewis & Clark",
    "lewis_clark": "Lewis & Clark: The Expedition",
}
LEVELS = {
    "livingstone": ("easy", "fair"),
    "tikal": ("easy", "fair"),
    "discoveries": ("easy", "fair", "strong"),
    "lewis_clark": ("fair", "strong"),
}
PEOPLE = {"discoveries": ("Ben",), "lewis_clark": ("Ann",)}


def from_signing_in_to_the_end(key: str, site: Site, visit: Callable[..., Page], folder: Path) -> None:
    """With clicks, taps and keys only; the bundle that they save holds."""
    begun = time.monotonic()
    made = {
        "Ann": lambda: Keys(site, visit(), "Ann", 1),
        "Ben": lambda: Finger(site, visit(width=360, height=740, has_touch=True, is_mobile=True), "Ben", 2),
    }
    host, *guests = people = [made[name]() for name in PEOPLE.get(key, made)]
    for player in people:
        player.sign_in(f"{player.name}.{key}@players.example")
    open_table(host, TITLES[key], len(people), LEVELS[key])
    for guest in guests:
        guest.page.goto(invitation(host))
        guest.press(guest.page.get_by_role("button", name=re.compile("^Join( at seat 2)?$")))  # seat 3 may wait
        guest.keep_the_code()
    play(*people)
    saved = save(people[-1], folder / "game.txt")
    report = audit(saved)
    assert (report.verdict, report.stage) == ("holds", "finished")
    pressed = ", ".join(f"{player.name} {player.pressed}" for player in people)
    told = f"{len(saved)} bytes, pressed by {pressed}, {time.monotonic() - begun:.0f} s"
    sys.stdout.write(f"\n{TITLES[key]}: {told}\n")


def open_table(host: Player, title: str, people: int, levels: tuple[str, ...]) -> None:
    """One seat for each of the people and one for each house player; without open seats the game starts at once."""
    page = host.page
    host.press(page.get_by_role("link", name="Open a table").first)
    kind = page.get_by_role("navigation", name="Game", exact=True).get_by_role("link", name=title)
    host.press(kind)
    expect(kind).to_have_attribute("aria-current", "true")
    host.select(page.get_by_label("Seats", exact=True), str(people + len(levels)))
    for number, level in enumerate(levels, people + 1):
        host.select(page.get_by_label(f"Seat {number}", exact=True), f"house player, {level}")
    host.press(page.get_by_role("button", name="Open the table"))
    host.keep_the_code()


def invitation(host: Player) -> str:
    """The table's address, as it is sent to friends."""
    expect(host.page.get_by_role("heading", name="Before the start")).to_be_visible()
    return host.page.get_by_label("Link to invite others").input_value()


def play(*players: Player) -> None:
    """Each plays when it is their turn, until all see the ranking."""
    for player in players:
        expect(player.page.get_by_role("tab", name="Move")).to_be_visible()
    while not all(player.is_over() for player in players):
        for player in players:
            if player.is_to_move():
                player.turn()
        players[0].page.wait_for_timeout(100)  # the house players think; what comes is waited for above


def save(player: Player, path: Path) -> bytes:
    """Save the whole game with the page's button."""
    player.open_tab("Record")
    with player.page.expect_download() as download:
        player.press(player.page.get_by_role("link", name="Download the game"))
    download.value.save_as(path)
    return path.read_bytes()
