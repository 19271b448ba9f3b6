"""The nine states of the play screen, for eyes: `python -m tests.browser.states FOLDER`, with `--game` and `--width`.

One PNG file for each title, state, width and palette. Ada plays in a browser and Ben by the reference client, in a
house of their own. `docs/browser.md` lists the states with their tests.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import click
import sqlalchemy as sa
from playwright.sync_api import Page, expect

from engine.kit.palette import COMMON
from server.kernel.db.models import Game
from server.kernel.db.session import Database
from tests.browser import chromium, hands
from tests.browser.conftest import opened
from tests.browser.panel import choices, choose, others_turn, steps
from tests.browser.screenshots import WIDTHS
from tests.browser.site import Site
from tests.kit.patience import PATIENCE

GAMES = ("tikal", "discoveries", "lewis_clark", "livingstone")
Shown = tuple[str, Page]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--game", "games", multiple=True, default=GAMES, help="Only this title; may be said several times.")
@click.option("--width", "widths", multiple=True, type=int, default=(360, 1280), help="Only this width.")
def main(folder: Path, games: tuple[str, ...], widths: tuple[int, ...]) -> None:
    """Write the pictures into FOLDER."""
    with (
        tempfile.TemporaryDirectory() as scratch,
        opened(Path(scratch) / "house") as site,
        chromium.running() as browser,
    ):
        for key in games:
            for state, page in states(site, browser, key, Path(scratch)):
                photograph(page, folder, f"{key}-{state}", widths)
            for context in browser.contexts:
                context.close()


def photograph(page: Page, folder: Path, name: str, widths: Sequence[int]) -> None:
    """Write a picture for each width and palette, once the board has its colours."""
    folder.mkdir(parents=True, exist_ok=True)
    for width, scheme in product(widths, ("light", "dark")):
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        page.emulate_media(color_scheme=scheme)
        paper = COMMON["paper"][scheme == "dark"]
        expect(page.locator("#picture svg > rect").first).to_have_attribute("fill", paper)
        page.screenshot(path=folder / f"{name}-{width}-{scheme}.png")


def states(site: Site, browser: chromium.Chromium, key: str, scratch: Path) -> Iterator[Shown]:
    """Play one game through all states; each is shown before the game goes on."""
    ada, ben = site.person("Ada"), site.person("Ben")
    game = hands.table(ada, key, 2, handover="offer")
    page = _page(browser)
    ada.enter(page.context)
    mine, other = hands.hand(page, ada, game), hands.program(ben, game, scratch)
    mine.do("join", 0)
    other.join(1)
    others_turn(mine, other)
    page.goto(f"{site.url}/games/{game}")
    expect(choices(page).first).to_be_visible()
    yield "1-your-turn", page
    yield from _sent(page)
    _ends_turn(page, mine)
    page.reload()
    yield "4-waiting", page
    others_turn(mine, other)
    yield from _looked_at(page, ada, _page(browser), _page(browser))
    yield from _stopped(page, site, game)
    other.sync()
    other.resign()
    expect(page.get_by_role("heading", name="Ranking")).to_be_visible()
    yield "9-finished", page


def _page(browser: chromium.Chromium) -> Page:
    context = browser.new_context(has_touch=True)
    context.set_default_timeout(PATIENCE * 1000)
    return context.new_page()


def _sent(page: Page) -> Iterator[Shown]:
    """A draft, and the same while the server has not answered."""
    while not steps(page):
        choose(page)
    yield "2-planning", page
    held = []
    page.route("**/v1/games/*/moves", lambda route, _: held.append(route))
    with page.expect_request("**/v1/games/*/moves"):
        page.locator("button.send:not([data-waits])").click()
    yield "3-sending", page
    held[0].continue_()
    page.unroute("**/v1/games/*/moves")
    expect(page.get_by_role("status").filter(has_text="Your move is logged as entry")).to_be_visible()


def _ends_turn(page: Page, mine: hands.Hand) -> None:
    """The last choice again and again, as it comes, until the server waits for somebody else."""
    while 0 in mine.person.session.api.get(f"/v1/games/{mine.game}").value["active"]:
        expect(choices(page).first).to_be_visible()
        while not steps(page):
            choose(page, choices(page).count() - 1)
        _send_anyway(page)


def _send_anyway(page: Page) -> None:
    """Send, and once more if the panel asks first because action points would be lost."""
    send_button = page.locator("button.send:not([data-waits])")
    send_button.click()
    logged = page.get_by_role("status").filter(has_text="Your move is logged as entry")
    question = page.get_by_role("button", name="Sign and send all the same")
    expect(logged.or_(question)).to_be_visible()
    if question.is_visible():
        send_button.click()
    expect(logged).to_be_visible()


def _looked_at(page: Page, ada, stranger: Page, device: Page) -> Iterator[Shown]:
    """By somebody else, by Ada on another device, and by Ada looking back."""
    stranger.goto(page.url)
    yield "5-watching", stranger
    ada.enter(device.context)
    device.goto(page.url)
    expect(device.get_by_text("This device cannot sign moves for your seat yet.")).to_be_visible()
    yield "6-no-key", device
    page.get_by_role("link", name="Step through").click()
    expect(page.locator("#picture[data-layer=past] svg")).to_be_visible()
    yield "7-looking-back", page
    page.get_by_role("button", name="To now").click()
    expect(page.locator("#picture[data-layer=now]")).to_be_visible()


def _stopped(page: Page, site: Site, game: str) -> Iterator[Shown]:
    """As after a fault of the rules, and on again."""
    database = Database(site.house.whole_environment()["DATABASE_URL"])
    _fault(database, game, datetime.now(UTC), "The rules failed.")
    page.reload()
    expect(page.get_by_text("This game is stopped.")).to_be_visible()
    yield "8-stopped", page
    _fault(database, game, None, None)
    page.reload()


def _fault(database: Database, game: str, at: datetime | None, fault: str | None) -> None:
    with database.write() as session:
        session.execute(sa.update(Game).where(Game.id == game).values(faulted_at=at, fault=fault))


if __name__ == "__main__":
    main()
