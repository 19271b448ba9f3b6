"""Light and dark pictures follow the device."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.kit.palette import COMMON

pytestmark = pytest.mark.slow


def test_a_dark_device_gets_dark_pictures(seated):
    """At once, when it changes its mind too."""
    ann, _ = seated("tikal")
    page = ann.page
    paper = lambda: page.locator("#picture svg > rect").first.get_attribute("fill")  # noqa: E731
    light = paper()
    page.emulate_media(color_scheme="dark")
    expect(page.locator("#picture svg > rect").first).not_to_have_attribute("fill", light)


READ_ALL_THE_TIME = """async () => {
  const { onPalette, palette } = await import("/static/ui/palette.js");
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => port2.postMessage(palette());
  port1.onmessage();
  window.told = [];
  onPalette(() => told.push(palette()));
}"""


def test_a_change_of_colours_is_told_though_they_were_read_before_it_could_be(site, visit):
    """Chromium tells a media query that was read between the change and the next frame of no change."""
    page = visit()
    page.goto(site.url)
    page.evaluate(READ_ALL_THE_TIME)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function("scheme => told.at(-1) === scheme", arg=scheme)


def test_a_late_picture_does_not_replace_a_newer_one(seated):
    """The device goes dark and light again before the dark picture has come."""
    ann, _ = seated("tikal")
    page, held = ann.page, []
    page.route("**/picture?*palette=dark", lambda route, _: held.append(route))
    with page.expect_request("**/picture?*palette=dark"):
        page.emulate_media(color_scheme="dark")
    with page.expect_response("**/picture?*palette=light") as answered:
        page.emulate_media(color_scheme="light")
    with page.expect_response("**/picture?*palette=dark"):
        held[0].continue_()
    page.evaluate("url => fetch(url).then((answer) => answer.text())", answered.value.url)
    expect(page.locator("#picture svg > rect").first).to_have_attribute("fill", COMMON["paper"][0])
