"""The violations that axe finds on a page in the browser."""

from __future__ import annotations

from functools import cache

from tests.generated.tools import ROOT

RUN = """async (rules) => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], runOnly: rules });
  return violations.map(({ id, help, nodes }) => [id, help, ...nodes.slice(0, 3).map((one) => one.html)].join(" | "));
}"""
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]


@cache
def _source() -> str:
    return (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def findings(page) -> list[str]:
    """A line for each broken rule, with its place; by evaluation, since the policy allows no other script.

    In the light colours, and the contrast in the dark ones too.
    """
    page.evaluate(_source())
    found = page.evaluate(RUN, RULES)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(RUN, ["color-contrast"])
    page.emulate_media(color_scheme="light")
    return found + [f"dark: {line}" for line in dark]
