"""Contact sheets for eyes: `python -m tests.browser.sheets FOLDER [--game KEY]... [--width PIXELS]...`.

One PNG file for each title, width and palette: six positions of a golden game, from the first to the last, as the turn
page arranges them at that width. The size of the smallest words is printed for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import click
from playwright.sync_api import Page

from engine import golden, registry
from engine.kit import names_of, view
from tests.browser import chromium
from tests.generated.tools import ROOT

GAMES = {
    "tikal": "four-basic",
    "discoveries": "four-extra-turn",
    "lewis_clark": "four",
    "livingstone": "five-tie",
}
SHAPES = {360: (360, 400), 768: (768, 560), 1280: (896, 792)}  # the width of a window, and its place for the picture
PALETTES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
POSITIONS = 6
ACROSS = {360: 6, 768: 3, 1280: 2}
PAPER = {"light": "#ffffff", "dark": "#17140f"}
SHOW = """([pictures, shape]) => {
  for (const picture of pictures) {
    const box = document.createElement("div");
    box.innerHTML = picture;
    const svg = box.firstChild;
    arrange(svg, shape, ["head", "legend"]);
    const [, , width, height] = svg.dataset.whole.split(" ").map(Number);
    svg.setAttribute("viewBox", svg.dataset.whole);
    const shown = shape.width < 600 ? shape.width : Math.min(shape.width, (shape.height * width) / height);
    svg.setAttribute("width", String(shown));
    svg.setAttribute("height", String((shown * height) / width));
    document.body.append(box);
  }
}"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll("text")].filter((one) => one.getClientRects().length)
  .map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))"""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--game", "games", multiple=True, default=tuple(GAMES), help="Only this title.")
@click.option("--width", "widths", multiple=True, type=int, default=tuple(SHAPES), help="Only this width.")
def main(folder: Path, games: tuple[str, ...], widths: tuple[int, ...]) -> None:
    """Write the sheets into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium.running() as browser:
        for key in games:
            for width in widths:
                across, (place, height) = ACROSS[width], SHAPES[width]
                for palette in PALETTES:
                    page = browser.new_page(viewport={"width": (place + 12) * across, "height": 600})
                    _fill(page, list(_pictures(key, palette)), across, {"width": place, "height": height}, palette)
                    page.screenshot(path=folder / f"{key}-{width}-{palette}.png", full_page=True)
                    click.echo(f"{key} at {width}, {palette}: smallest words {page.evaluate(SMALLEST):.1f} px")
                    page.close()


def _pictures(key: str, palette: Literal["light", "dark"]) -> Iterator[str]:
    """The pictures of six positions of the golden game, as spectators see them."""
    game = registry.find(key)
    script = golden.read(registry.read(key, f"golden/{GAMES[key]}.txt"))
    turns = list(golden.play(script))
    for number in range(POSITIONS):
        turn = turns[round((len(turns) - 1) * number / (POSITIONS - 1))]
        yield game.picture(view(game, turn.state, None), names_of(script.seats), palette)


def _fill(page: Page, pictures: list[str], across: int, shape: dict[str, int], palette: str) -> None:
    style = f"body {{ margin: 6px; display: grid; gap: 12px; background: {PAPER[palette]};"
    page.set_content(f"<style>{style} grid-template-columns: repeat({across}, {shape['width']}px) }}</style>")
    page.evaluate(_script())
    page.evaluate(SHOW, [pictures, shape])


def _script() -> str:
    """`arrange` of the turn page, as a function of the window."""
    text = (ROOT / "server/http/static/turn/zones.js").read_text("utf-8")
    return f"(() => {{ {re.sub('^export ', '', text, flags=re.MULTILINE)} window.arrange = arrange; }})()"


if __name__ == "__main__":
    main()
