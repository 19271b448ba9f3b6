"""Pictures of every page, for eyes: `python -m tests.browser.screenshots FOLDER [--game KEY]...`.

Six positions of a whole game of each title, its move panel with a plan, every other page, and every window that a page
opens (`scenes.py`), at three widths, light and dark. The house is one of its own; its games are played by house players
(`sealedmove demo`).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import click
from playwright.sync_api import Cookie, Page

from engine import registry
from tests.browser import chromium, hands, scenes
from tests.browser.conftest import opened
from tests.browser.site import Person, Site
from tests.e2e.instance import ROOT

WIDTHS = {360: 740, 768: 1024, 1280: 900}
POSITIONS = 6
PLANNED = 4  # choices
PAGES = {
    "front": "/",
    "tables": "/tables",
    "new-table": "/tables/new",
    "login": "/login",
    "account": "/account",
    "mails": "/account/mails",
    "token": "/account/token",
    "device": "/device",
    "problem": "/problems/wrong-seat",
    "nothing": "/nothing-here",
    "api": "/v1/docs",
}
PICTURES = """() => Promise.all([...document.images].map((one) => {
  one.loading = "eager";
  return one.decode();
}))"""
SETTLED = "() => document.querySelector('#picture svg') || !document.querySelector('#picture')"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--game", "games", multiple=True, help="Only this title; may be said several times.")
@click.option("--level", default="easy", show_default=True, help="Which house players play.")
@click.option("--width", "widths", multiple=True, type=int, default=tuple(WIDTHS), help="Only this width.")
@click.option("--seats", default=3, show_default=True, help="How many play.")
def main(folder: Path, games: tuple[str, ...], level: str, widths: tuple[int, ...], seats: int) -> None:
    """Write a PNG file for each page, width and colour scheme into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = games or tuple(key for key, game in registry.games().items() if game.meta.stage != "tiny")
    with tempfile.TemporaryDirectory() as scratch, opened(Path(scratch) / "house", 1, {}) as site:
        ada, ben = site.person("Ada"), site.person("Ben")
        shown = dict(PAGES) | {"player": player_page(ben)}
        for key in keys:
            shown |= dict(_positions(site, key, Path(scratch), level=level, seats=seats))
            game = _running(key, ada, ben, Path(scratch))
            shown[f"{key}-panel"] = f"/games/{game}"
            shown[f"{key}-guide"] = f"/play/{key}"
            shown[f"{key}-lesson"] = f"/learn/{key}/6"
        with chromium.running() as browser:
            session = _session(browser, ada)
            for width, scheme in product(widths, ("light", "dark")):
                camera = Camera(browser, site, folder, width, scheme)
                acts = partial(scenes.at_a_table, game=game), scenes.behind_mails
                camera.shoot(ada, shown, *acts, session=session)
                cy = site.person("Cy")  # a new account each time, without a key
                camera.shoot(cy, {}, scenes.first_device, scenes.shown_once, scenes.behind_mails)
                camera.shoot(cy, {}, scenes.next_device)
                camera.shoot(None, {"stranger": "/"}, partial(scenes.signing_in, person=cy))


def player_page(person: Person) -> str:
    """The address of the page of a player."""
    return f"/players/{person.session.api.get('/v1/me').value['handle']}"


def _positions(site: Site, key: str, scratch: Path, *, level: str, seats: int) -> Iterator[tuple[str, str]]:
    """Names and addresses of positions of a whole game, from the first to the last, and of the page of its end."""
    where = ["--url", site.url, "--mail-url", site.house.mail_url, "--out", scratch / key]
    played = [key, "--seats", str(seats), "--level", level]
    command = [Path(sys.executable).with_name("sealedmove"), "demo", *played, *where]
    subprocess.run(command, cwd=ROOT, check=True)
    newest = site.api.get("/v1/games?status=finished&limit=1").value["games"][0]
    last = newest["head"]["seq"]
    first = newest["seats"][-1]["seat"] + 2  # the game was made, and everybody has sat down
    for number in range(POSITIONS):
        at = first + round((last - 1 - first) * number / (POSITIONS - 1))
        yield f"{key}-{number + 1}", f"/games/{newest['id']}?at={at}#position"
    yield f"{key}-over", f"/games/{newest['id']}"


def _running(key: str, ada: Person, ben: Person, scratch: Path) -> str:
    """A game in which it is Ada's turn."""
    game = hands.table(ada, key, 2)
    players = [hands.program(person, game, scratch) for person in (ada, ben)]
    for player in players:
        player.join()
    while 0 not in players[0].api.get(f"/v1/games/{game}").value["active"]:
        players[1].sync()
        players[1].move([players[1].legal()[0]["command"]])
    return game


def _session(browser: chromium.Chromium, person: Person) -> list[Cookie]:
    """Sign in once for all cameras: the server limits the sign-in links of an address."""
    context = browser.new_context()
    person.enter(context)
    cookies = context.cookies()
    context.close()
    return cookies


@dataclass(frozen=True)
class Camera:
    """Photographs pages at one width, light or dark."""

    browser: chromium.Chromium
    site: Site
    folder: Path
    width: int
    scheme: str

    def shoot(
        self,
        person: Person | None,
        shown: dict[str, str],
        *acts: Callable[..., Iterator[str]],
        session: Sequence[Cookie] = (),
    ) -> None:
        """Photograph pages by name and path, then scenes, as this person sees them; signs in without a `session`."""
        viewport = {"width": self.width, "height": WIDTHS[self.width]}
        context = self.browser.new_context(viewport=viewport, color_scheme=self.scheme, has_touch=self.width < 500)
        context.add_cookies(session)
        if person and not session:
            person.enter(context)
        page = context.new_page()
        for name, path in shown.items():
            _go(page, self.site.url + path)
            if name.endswith("-panel"):
                _plan(page)
            self._keep(page, name, whole="at=" not in path)
        for act in acts:
            for name in act(page, person) if person else act(page):
                self._keep(page, name, whole=not page.get_by_role("dialog").count())
        context.close()

    def _keep(self, page: Page, name: str, *, whole: bool) -> None:
        page.evaluate(PICTURES)
        page.screenshot(path=self.folder / f"{name}-{self.width}-{self.scheme}.png", full_page=whole)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > self.width:
            click.echo(f"{name} is {wide} px wide on a screen of {self.width}")


def _go(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_function(SETTLED)
    if "at=" in address:  # the current position may come before the requested one
        page.wait_for_selector("#picture[data-layer=past]")


def _plan(page) -> None:
    """Some choices, as they come."""
    choices = page.locator(".question .choices:not(.apart) button")
    for _ in range(PLANNED):
        page.wait_for_selector("#panel:not([aria-busy]) :is(.question, .foot) button")
        if choices.count():
            choices.first.click()
    page.wait_for_selector("#panel:not([aria-busy])")


if __name__ == "__main__":
    main()
