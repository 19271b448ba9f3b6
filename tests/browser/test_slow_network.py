"""How long a telephone on a slow network waits for a turn page: 150 ms to the server and 1.6 Mbit/s, nothing cached.

A busy machine draws later, so the bounds hold for the network's part alone: the quickest of some visits, less the
quickest without the throttling by Chromium. They alternate, so that both meet the machine busy or idle. The whole times
are printed.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser import panel

pytestmark = pytest.mark.slow

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
FAST = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
BOUNDS = {"first paint": 1.0, "able to act": 2.5}  # seconds
VISITS = 5
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@pytest.mark.parametrize("key", ["livingstone", "tikal", "discoveries", "lewis_clark"])
def test_the_network_adds_little_to_a_turn_page(seated: Any, key: str) -> None:
    ann, _ = seated(key, width=360)
    network = ann.page.context.new_cdp_session(ann.page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    visits = [(visit(ann.page, network, FAST), visit(ann.page, network, SLOW)) for _ in range(VISITS)]
    fast, slow = ({name: min(one[name] for one in times) for name in BOUNDS} for times in zip(*visits, strict=True))
    for name, most in BOUNDS.items():
        added = slow[name] - fast[name]
        sys.stdout.write(f"\n{key}, {name}: {slow[name]:.2f} s, of which the network {added:.2f} s\n")
        assert added < most


def visit(page: Page, network: CDPSession, conditions: dict[str, Any]) -> dict[str, float]:
    """The seconds from the request of the page."""
    network.send("Network.emulateNetworkConditions", conditions)
    page.reload()
    expect(panel.choices(page).first).to_be_visible()
    able = page.evaluate("performance.now()")
    paint = page.wait_for_function(PAINT).json_value()
    return {"first paint": paint / 1000, "able to act": able / 1000}
